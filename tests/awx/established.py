# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of extensions/awx/README.md, carried out: commands as they stand there, files as they are shown there.

What they are carried out on stands in for the world outside: a bare repository on disk, the fake controller, and the
sandbox, whose secrets are odd words.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import typing as t
from pathlib import Path

import collection_tree
import forked_ansible
import workspace
import yaml
from sandbox.process import SandboxProcess

from awx import awx_collection
from awx.credential_data import AWX
from awx.fake_controller import FakeController
from awx.jobs import Jobs

REPOSITORY = "https://git.example.com/web-shop.git"
STEP = re.compile(r"^### (\d+)\. .*\n((?:(?!##).*\n)*)", re.MULTILINE)
BLOCK = re.compile(r"^```(shell|yaml)\n(.*?)^```", re.MULTILINE | re.DOTALL)
ELSEWHERE = (5, 6)
"""Steps that other tests take: the execution environment, awx.awx; the controller's address is in the environment."""

REPORTS = "web-shop-reports"
VAULT = "web-shop vault"
TOKEN = "token-of-the-chat"
EXTRAS = {
    "awx_setup_credentials": [VAULT],
    "awx_setup_reports_container": REPORTS,
    "awx_setup_notification_type": "slack",
    "awx_setup_notification_configuration": {"token": TOKEN, "channels": ["#operations"]},
}


class Done(t.NamedTuple):
    """A command that ended."""

    status: int
    said: str

    @property
    def totals(self) -> dict[str, int]:
        """The numbers of the recap of a playbook."""
        recap = self.said.rpartition("PLAY RECAP")[2].partition("localhost")[2].partition("\n")[0]
        return {name: int(number) for name, number in (part.split("=") for part in recap.split() if "=" in part)}


def steps() -> dict[int, str]:
    """Return what the README says in each of its steps."""
    return {int(number): text for number, text in STEP.findall((AWX / "README.md").read_text("utf-8"))}


class Established:
    """A repository, and a controller that was set up for it."""

    def __init__(self, folder: Path, sandbox: SandboxProcess, controller: FakeController) -> None:
        """Take no step yet."""
        self.sandbox = sandbox
        self.controller = controller
        self.checkout = folder / "web-shop"
        self._folder = folder
        self._origin = folder / "web-shop.git"
        self.collections = collection_tree.stripped(folder / "collections")
        self.jobs = Jobs(controller, folder / "jobs", self.collections)
        self.set_up = Done(1, "")

    def take_steps(self) -> None:
        """Take all of them, but what is tried elsewhere and the last, which is a job; a credential is there before."""
        fields = [{"id": "vault_password", "label": "Vault password", "secret": True}]
        vault = {"name": "Vault", "kind": "vault", "inputs": {"fields": fields}, "injectors": {}}
        kind = self.controller.objects.create("credential_types", vault)["id"]
        self.controller.objects.create("credentials", {"name": VAULT, "credential_type": kind, "inputs": {}})
        self._run(f"git init --quiet --bare --initial-branch main {self._origin}", self._folder)
        for number, text in steps().items():
            if number not in ELSEWHERE:
                for kind, content in BLOCK.findall(text):
                    text_here = content.replace(REPOSITORY, self._origin.as_uri())
                    done = self._run(text_here, self._place()) if kind == "shell" else self._write(text_here)
                    assert done.status == 0, f"step {number}: {done.said}"
                    self.set_up = done if number == 8 else self.set_up

    def _place(self) -> Path:
        return self.checkout if self.checkout.exists() else self._folder

    def _write(self, content: str) -> Done:
        """Write the file that a block begins with; the secrets come with it, as the ninth step offers."""
        name = content.partition("\n")[0].removeprefix("# ")
        secrets = {"awx_setup_credential_inputs": self._inputs(), **EXTRAS}
        (self.checkout / name).write_text(content + yaml.safe_dump(secrets), encoding="utf-8")
        return Done(0, "")

    def _inputs(self) -> dict[str, t.Any]:
        kind = yaml.safe_load((AWX / "credential_types" / "all.yml").read_text("utf-8"))
        known = {**self.sandbox.info, **self.sandbox.info["credentials"]}
        known["ca_certificate"] = Path(known["ca_path"]).read_text("utf-8")
        return {field["id"]: known[field["id"]] for field in kind["inputs"]["fields"] if field["id"] in known}

    def set_up_again(self, *words: str, **variables: t.Any) -> Done:
        """Run the playbook of the eighth step with other variables, and words behind it."""
        given = {**yaml.safe_load((self.checkout / "awx.yml").read_text("utf-8")), **variables}
        (self._folder / "again.json").write_text(json.dumps(given), encoding="utf-8")
        program = str(Path(sys.executable).with_name("ansible-playbook"))
        command = [program, "fcd.cloud.awx_setup", "-e", "@../again.json", *words]
        environment = self.environment(self.collections, awx_collection.root())
        done = forked_ansible.run(command, self.checkout, environment)
        return Done(done.returncode, done.stdout + done.stderr)

    def push(self, name: str, content: str) -> None:
        """Change a file of the repository."""
        (self.checkout / name).write_text(content, encoding="utf-8")
        done = self._run(
            f"git add {name} && git commit --quiet -m change && git push --quiet origin main", self.checkout
        )
        assert done.status == 0, done.said

    def _run(self, command: str, folder: Path) -> Done:
        done = subprocess.run(
            ["bash", "-euc", command],
            cwd=folder,
            env=self.environment(self.collections, awx_collection.root()),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout)

    def environment(self, *roots: Path) -> dict[str, str]:
        """Return the variables of somebody who has these collections and a token of the controller."""
        names = ("AUTHOR", "COMMITTER")
        people = {f"GIT_{name}_{what}": "Owner" for name in names for what in ("NAME", "EMAIL")}
        return {
            **people,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self._folder),
            "COLLECTION": str(workspace.CHECKOUT),
            "ANSIBLE_COLLECTIONS_PATH": os.pathsep.join(map(str, roots)),
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "ANSIBLE_NOCOLOR": "1",
            "LANG": "C.UTF-8",
            "SSL_CERT_FILE": os.devnull,  # the modules of awx.awx read all authorities for each request, 50 ms
            **self.controller.environment,
        }
