# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An installed release of which only meta, playbooks, plugins and roles are left, as distributions package it.

What the README files tell to type runs from such a copy too: tests/examples/test_readme.py, tests/awx.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import typing as t
from pathlib import Path

import collection_tree
import pytest
import workspace
import yaml
from sandbox.process import SandboxProcess

from .conftest import Release

COLLECTION = workspace.CHECKOUT
PLAYBOOKS = sorted(
    path.stem
    for path in (COLLECTION / "playbooks").glob("*.yml")
    if "hosts" in path.read_text("utf-8") or "import_playbook" in path.read_text("utf-8")
)
ROLES = sorted(path.name for path in (COLLECTION / "roles").iterdir())


class Installed(t.NamedTuple):
    """A home in which the collection is installed, and nothing else."""

    home: Path

    def run(self, program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command of Ansible in it."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            **variables,
        }
        command = [str(Path(sys.executable).parent / program), *arguments]
        return subprocess.run(command, cwd=self.home, env=environment, capture_output=True, text=True, check=False)

    def says(self, program: str, *arguments: str, **variables: str) -> str:
        """Return what a command says that has to end well."""
        done = self.run(program, *arguments, **variables)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout


@pytest.fixture(scope="module")
def installed(released: Release, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The archive, installed; then all other folders and files are removed."""
    made = Installed(tmp_path_factory.mktemp("installed"))
    made.says("ansible-galaxy", "collection", "install", "--offline", str(released.file("tar.gz")))
    place = made.home / ".ansible" / "collections" / collection_tree.PLACE
    for path in place.iterdir():
        if path.name in {*collection_tree.NEEDED, "MANIFEST.json", "FILES.json"}:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    assert set(collection_tree.NEEDED) <= {path.name for path in place.iterdir()}
    return made


def test_every_playbook_is_read(installed: Installed) -> None:
    assert {"apply", "awx_setup", "orchestrated_instances", "validate"} <= set(PLAYBOOKS)
    said = installed.says("ansible-playbook", "--syntax-check", *(f"fcd.cloud.{name}" for name in PLAYBOOKS))
    assert said.count("playbook: ") == len(PLAYBOOKS)


def specification(role: str) -> t.Dict[str, t.Any]:
    text = (COLLECTION / "roles" / role / "meta" / "argument_specs.yml").read_text("utf-8")
    return dict(yaml.safe_load(text)["argument_specs"])


def test_every_role_is_read(installed: Installed) -> None:
    """With each of its entry points, whose options are described."""
    entries = {role: set(specification(role)) for role in ROLES}
    tasks = [
        {"ansible.builtin.import_role": {"name": f"fcd.cloud.{role}", "tasks_from": entry}}
        for role, names in entries.items()
        for entry in sorted(names)
    ]
    play = [{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]
    (installed.home / "roles.yml").write_text(yaml.safe_dump(play), encoding="utf-8")
    installed.says("ansible-playbook", "--syntax-check", "roles.yml")
    described = json.loads(
        installed.says("ansible-doc", "--json", "--type", "role", *(f"fcd.cloud.{role}" for role in ROLES))
    )
    assert {name.rpartition(".")[2]: set(document["entry_points"]) for name, document in described.items()} == entries


def test_every_role_checks_its_arguments(installed: Installed) -> None:
    """By its own description; the roles are given a number where a list or a dictionary is wanted."""
    wrong = {}
    for role in ROLES:
        options = specification(role)["main"]["options"]
        wrong[role] = next(name for name, option in options.items() if option["type"] in {"list", "dict"})
    tasks = [
        {
            "block": [{"ansible.builtin.include_role": {"name": f"fcd.cloud.{role}"}, "vars": {name: 7}}],
            "rescue": [{"ansible.builtin.debug": {"msg": "It was refused"}}],
        }
        for role, name in wrong.items()
    ]
    play = [{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]
    (installed.home / "arguments.yml").write_text(yaml.safe_dump(play), encoding="utf-8")
    said = installed.says("ansible-playbook", "arguments.yml")
    validated = re.findall(
        r"^TASK \[fcd\.cloud\.(\w+) : Validating arguments against arg spec 'main'", said, re.MULTILINE
    )
    assert validated == ROLES
    assert f"rescued={len(ROLES)} " in said


def test_a_site_is_planned_and_reported(installed: Installed) -> None:
    """With its pages, whose templates are files of a plugin."""
    with SandboxProcess("--ticket-seconds", "0.1") as sandbox:
        site = {"site": "web-shop", "storage_containers": [{"name": "shop-assets"}]}
        (installed.home / "site.yml").write_text(yaml.safe_dump(site), encoding="utf-8")
        said = installed.says("ansible-playbook", "fcd.cloud.plan", **sandbox.environment)
        assert "1 to create" in said
        assert sandbox.counts()["writes"] == 0
    assert "shop-assets" in (installed.home / "reports" / "plan.html").read_text("utf-8")
