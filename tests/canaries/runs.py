# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of ansible-runner with canaries, and the search of all channels through which they may show."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import stat
import subprocess
import tempfile
import time
import typing as t
from collections import Counter
from pathlib import Path

import ansible_runner
import collection_tree
import orchestration_tools
import workspace
import yaml
from ansible.parsing.vault import VaultLib, VaultSecret
from awx import awx_collection
from awx.fake_controller import FakeController
from chaos.watched_processes import WatchedProcesses
from cores import CORES
from orchestration import programs_for_tests as programs
from sandbox.process import SandboxProcess

from canaries import module_cases, site_cases
from canaries.module_cases import Item
from canaries.site_cases import GIVEN
from canaries.words import canary, kinds_in

VAULT_PASSWORD = canary("vaultpassword")
DUMPER: type[yaml.SafeDumper] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
ACTIONS = workspace.CHECKOUT / "tests" / "integration" / "targets" / "setup_sandbox" / "action_plugins"
CHANNELS = {
    "events": ("artifacts/*/job_events/*",),
    "output": ("artifacts/*/stdout", "artifacts/*/stderr"),
    "fact cache": ("artifacts/*/fact_cache/**/*", "facts/**/*"),
    "log file": ("log",),
    "junit": ("junit/**/*",),
    "tree": ("tree/**/*",),
    "remote tmp": ("remote/**/*",),
    "TMPDIR": ("tmp/**/*",),
    "state": ("home/state/**/*", "home/other/**/*"),
    "registry": ("registry/**/*",),
    "plan file": ("project/**/*plan.json",),
    "reports": ("project/**/reports/**/*", "project/outputs.json", "project/exported.yml"),
    "project": ("project/**/*",),
    "elsewhere": ("**/*",),
}
"""Where each channel is below the folder of a run; the first that a file is in counts."""

MEANT = b"TF_VAR_access_token="  # in it the orchestration tool is given the token; others cannot read it
TASK = re.compile(rb'(?:TASK \[|"task": "|"name": ")(\w+): ')
ALONE = ("oneline",)  # callbacks with which ansible-runner 2.4 does not run: they have no options
HOST = "{} ansible_connection=local ansible_python_interpreter='{{{{ ansible_playbook_python }}}}'"
QUICK = {"ticket_seconds": 0.05, "lock_tail": 0.02, "visible_after": 0.02, "list_lag": 0.0, "ticket_list_lag": 0.0}


class Way(t.NamedTuple):
    """How a run is done. ``switches`` are variables of ansible-core that show more than it usually does."""

    core: str
    verbosity: int = 5
    output: str = "default"
    options: str = "--diff"
    modules: bool = False
    switches: t.Mapping[str, str] = {}

    def __str__(self) -> str:
        """Return a line that names all of it."""
        where, level = "modules" if self.modules else "worker", f"-{'v' * self.verbosity}"
        return " ".join(
            [self.core, where, "no -v" if level == "-" else level, self.options, self.output, *self.switches]
        )


Shown = t.NamedTuple("Shown", [("kind", str), ("channel", str), ("module", str), ("where", str)])


class Ran(t.NamedTuple):
    """A run that ended: what showed, how tasks of modules, roles and playbooks ended, and how much was searched."""

    name: str
    way: Way
    shown: list[Shown]
    ended: Counter[tuple[str, str]]
    files: int
    size: int
    channels: set[str]
    seconds: float


class Bench(t.NamedTuple):
    """A sandbox with canaries, the fake controller, and a folder for runs, while the block runs."""

    folder: Path
    sandbox: SandboxProcess
    controller: FakeController | None

    @classmethod
    @contextlib.contextmanager
    def begun(cls, folder: Path, *, site: bool) -> t.Iterator[Bench]:
        """Yield one, with the files of its user in ``given``."""
        given = folder / GIVEN
        given.mkdir(parents=True, mode=0o700)
        (given / "credentials.json").write_text(json.dumps(module_cases.CREDENTIALS), encoding="utf-8")
        (given / "vault-password").write_text(VAULT_PASSWORD, encoding="utf-8")
        (given / "cloud.yml").write_text(json.dumps({"default": module_cases.CONNECTION}), encoding="utf-8")
        (given / "cloud.yml").chmod(0o600)  # for playbooks and roles, which take no options
        own = ("--credentials", str(given / "credentials.json"), "--ticket-seconds", "0.05")
        with SandboxProcess(*own) as sandbox, FakeController() as controller:
            sandbox.settings(rest=QUICK)
            yield cls(folder, sandbox, controller if site else None)
            assert sandbox.errors() == ""

    @staticmethod
    def encrypted(text: str) -> str:
        """Return the text as ansible-vault writes it."""
        return str(VaultLib([("default", VaultSecret(VAULT_PASSWORD.encode()))]).encrypt(text.encode()).decode())

    def tool(self) -> dict[str, str]:
        """Return the programs that the module orchestration needs."""
        python = str(orchestration_tools.python())
        tools, plugin = programs.tools(self.folder, python), programs.plugin(self.folder, python, "1.0")
        return {"executable": tools[programs.LIBRARY], "plugin": str(plugin)}

    def run(self, name: str, books: t.Sequence[t.Sequence[Item]], variables: Item, way: Way, folder: Path) -> Ran:
        """Run each of the playbooks with these variables, encrypted, in a folder; then search it."""
        started, project = time.monotonic(), folder / "project"
        (project / "variables.yml").write_text(self.encrypted(json.dumps(variables)), encoding="utf-8")
        for number, plays in enumerate(books):
            (project / f"play{number}.yml").write_text(yaml.dump([*plays], Dumper=DUMPER), encoding="utf-8")
        (project / "hosts").write_text("\n".join(HOST.format(name) for name in site_cases.HOSTS), encoding="utf-8")
        given = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
        with tempfile.TemporaryDirectory(prefix="fcd-") as temporary:  # sockets are in it, so its path must be short
            own = self._environment(way, folder, temporary)
            with WatchedProcesses(str(folder)) as processes:
                events = [one for at in range(len(books)) for one in self._play(f"play{at}.yml", way, folder, own)]
            shown, files, size, channels = _search(folder, Path(temporary), processes.seen, given)
        return Ran(name, way, shown, Counter(_ended(events)), files, size, channels, time.monotonic() - started)

    def _play(self, name: str, way: Way, folder: Path, environment: dict[str, str]) -> list[Item]:
        """Run it, and return the events; there are none where ansible-playbook runs alone."""
        project = folder / "project"
        options = f"-e @{project / 'variables.yml'} --vault-password-file {self.folder / GIVEN / 'vault-password'}"
        hosts, options = str(project / "hosts"), f"{options} {way.options} {'-v ' * way.verbosity}".strip()
        if way.output not in ALONE:
            how = {"envvars": environment, "inventory": hosts, "cmdline": options, "quiet": True}
            return list(ansible_runner.run(private_data_dir=str(folder), playbook=name, **how).events)
        output = folder / "artifacts" / "alone" / "stdout"
        output.parent.mkdir(parents=True, exist_ok=True)
        command = ["ansible-playbook", "-i", hosts, *shlex.split(options), str(project / name)]
        own: Item = {"env": {**os.environ, **environment}, "stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
        with output.open("ab") as file:
            subprocess.run(command, stdout=file, check=False, **own)
        return []

    def _environment(self, way: Way, folder: Path, temporary: str) -> dict[str, str]:
        secret = {f"FCD_{name.upper()}" for name in module_cases.CONNECTION}
        core = next(core for core in CORES if core.series == way.core)
        home, roots = folder / "home", [collection_tree.linked(), *([awx_collection.root()] if self.controller else [])]
        home.mkdir(exist_ok=True)
        return {
            **{name: value for name, value in self.sandbox.environment.items() if name not in secret},
            **(self.controller.environment if self.controller else {}),
            **({"FCD_CONFIG_FILE": str(self.folder / GIVEN / "cloud.yml")} if self.controller else {}),
            "FCD_STATE_DIR": str(home / "state"),
            "HOME": str(home),
            "SSL_CERT_FILE": self.sandbox.info["ca_path"],
            "LANG": "C.UTF-8",
            "ANSIBLE_NOCOLOR": "1",
            **dict.fromkeys(("TMPDIR", "ANSIBLE_LOCAL_TEMP"), temporary),
            "PATH": os.pathsep.join([str(core.build().parent), os.environ.get("PATH", os.defpath)]),
            "ANSIBLE_HOME": str(home / ".ansible"),
            "ANSIBLE_REMOTE_TEMP": str(folder / "remote"),
            "ANSIBLE_COLLECTIONS_PATH": os.pathsep.join(map(str, roots)),
            "ANSIBLE_ACTION_PLUGINS": str(ACTIONS),
            "ANSIBLE_CALLBACKS_ENABLED": "ansible.builtin.junit,ansible.builtin.tree",
            "ANSIBLE_CALLBACK_TREE_DIR": str(folder / "tree"),
            "JUNIT_OUTPUT_DIR": str(folder / "junit"),
            "ANSIBLE_STDOUT_CALLBACK": way.output,
            "ANSIBLE_LOG_PATH": str(folder / "log"),
            **way.switches,
        }


def _ended(events: t.Sequence[Item]) -> t.Iterator[tuple[str, str]]:
    for event in events:
        data = event.get("event_data", {})
        if event["event"] == "playbook_on_play_start":  # exit_code has no task
            yield f"playbook {site_cases.PLAYS.get(data['play'], '')}", "begun"
        if re.fullmatch("runner(_item)?_on_(ok|failed)", event["event"]):
            action, role = str(data.get("resolved_action") or data["task_action"]), data.get("role") or ""
            playbook = site_cases.PLAYS.get(data["play"], "")
            for name in (action.removeprefix("fcd.cloud."), f"role {role.rpartition('.')[2]}", f"playbook {playbook}"):
                yield name, "ok" if event["event"].endswith("_ok") else "failed"


def _search(
    folder: Path, temporary: Path, processes: t.Mapping[str, set[bytes]], given: t.Mapping[Path, bytes]
) -> tuple[list[Shown], int, int, set[str]]:
    """Search all channels but for the files that the user has ``given`` and that are still the same."""
    looked = {part: sorted(line for line in lines if not line.startswith(MEANT)) for part, lines in processes.items()}
    contents = [(part, part, b"\n".join(lines)) for part, lines in looked.items()]
    seen = {path for path, content in given.items() if path.exists() and path.read_bytes() == content}
    for channel, patterns in {**CHANNELS, "TMPDIR": ("**/*",)}.items():
        root = temporary if channel == "TMPDIR" else folder
        found = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()} - seen
        seen |= found
        contents += [(channel, str(path.relative_to(root)), path.read_bytes()) for path in sorted(found)]
    shown = []
    for channel, where, content in contents:
        kinds = kinds_in(content)
        if channel == "state" and "/tokens/" in where and stat.S_IMODE((folder / where).stat().st_mode) == 0o600:
            kinds = {kind for kind in kinds if not kind.startswith("issued")}  # that is what this folder is for
        shown += [Shown(kind, channel, _module(content, kind), where) for kind in sorted(kinds)]
    filled = {channel for channel, _where, content in contents if content}
    return shown, len(contents), sum(len(content) for *_place, content in contents), filled


def _module(content: bytes, kind: str) -> str:
    """Return the module whose task is named last before the canary, else first after it."""
    before = content[: max(content.find(canary(kind).encode()), 0)]
    return str((TASK.findall(before)[-1:] or TASK.findall(content)[:1] or [b"?"])[0], "utf-8")
