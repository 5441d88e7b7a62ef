# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of ansible-runner with canaries, and the search of all channels through which they may show."""

from __future__ import annotations

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
from cores import CORES
from orchestration import programs_for_tests as programs
from sandbox.process import SandboxProcess

from canaries import module_cases, site_cases
from canaries.process_watch import ProcessWatch
from canaries.site_cases import GIVEN
from canaries.words import canary, kinds_in

Item = t.Dict[str, t.Any]
VAULT_PASSWORD = canary("vaultpassword")
ACTIONS = workspace.CHECKOUT / "tests" / "integration" / "targets" / "setup_sandbox" / "action_plugins"
"""Folder of sandbox_control, which costs a process less than a module."""

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

IN_PROCESSES = ("cmdline", "environ")
TASK = re.compile(rb'(?:TASK \[|"task": "|"name": ")(\w+): ')
ALONE = ("oneline",)
"""Callbacks with which ansible-runner 2.4 does not run: they have no options."""

HOST = "{} ansible_connection=local ansible_python_interpreter='{{{{ ansible_playbook_python }}}}'"
ENDED = ("runner_on_ok", "runner_on_failed", "runner_item_on_ok", "runner_item_on_failed")
QUICK = {"ticket_seconds": 0.05, "lock_tail": 0.02, "visible_after": 0.02, "list_lag": 0.0, "ticket_list_lag": 0.0}


class Way(t.NamedTuple):
    """How a run is done. ``switches`` are variables of ansible-core that show more than it usually does."""

    core: str
    verbosity: int = 5
    output: str = "default"
    options: str = "--diff"
    modules: bool = False
    profile: bool = False
    switches: t.Mapping[str, str] = {}

    def __str__(self) -> str:
        """Return a line that names all of it."""
        where = "modules" if self.modules else "worker"
        levels = f"-{'v' * self.verbosity}" if self.verbosity else "no -v"
        return " ".join([self.core, where, levels, self.options, self.output, *self.switches]).replace("  ", " ")


class Shown(t.NamedTuple):
    """A canary that showed."""

    kind: str
    channel: str
    module: str
    where: str


class Ran(t.NamedTuple):
    """A run that ended: what showed, how tasks ended, how many files and bytes were searched.

    Tasks are counted by module, and once more under ``role ...`` and ``playbook ...``, whose tasks they are.
    """

    name: str
    way: Way
    shown: list[Shown]
    ended: Counter[tuple[str, str]]
    files: int
    size: int
    channels: frozenset[str]
    seconds: float
    said: str


class Bench:
    """A sandbox with canaries, and a folder for runs."""

    def __init__(self, folder: Path, *, site: bool = False) -> None:
        """Start nothing yet."""
        self.folder = folder
        given = folder / GIVEN
        given.mkdir(parents=True, mode=0o700)
        (given / "credentials.json").write_text(json.dumps(module_cases.CREDENTIALS), encoding="utf-8")
        self.profile = site_cases.profile(given)
        (given / "vault-password").write_text(VAULT_PASSWORD, encoding="utf-8")
        self.controller = FakeController()
        self.roots = [awx_collection.root()] if site else []
        self.sandbox = SandboxProcess("--credentials", str(given / "credentials.json"), "--ticket-seconds", "0.05")

    def __enter__(self) -> Bench:  # noqa: PYI034 (typing.Self is newer than the style)
        """Start the sandbox."""
        self.sandbox.start()
        self.controller.__enter__()
        return self

    def __exit__(self, *_exc: object) -> None:
        """Stop it."""
        self.controller.__exit__()
        self.sandbox.stop()

    def encrypted(self, text: str) -> str:
        """Return the text as ansible-vault writes it."""
        vault = VaultLib([("default", VaultSecret(VAULT_PASSWORD.encode()))])
        return str(vault.encrypt(text.encode()).decode())

    def tool(self) -> dict[str, str]:
        """Return the programs that the module orchestration needs."""
        python = str(orchestration_tools.python())
        tools, plugin = programs.tools(self.folder, python), programs.plugin(self.folder, python)
        return {"executable": tools[programs.LIBRARY], "plugin": str(plugin)}

    def run(self, name: str, books: t.Sequence[t.Sequence[Item]], way: Way, variables: Item, folder: Path) -> Ran:
        """Run each of the playbooks with these variables, encrypted, in a folder; then search it."""
        started = time.monotonic()
        self.sandbox.reset()
        project = folder / "project"
        project.mkdir(parents=True, exist_ok=True)
        (project / "variables.yml").write_text(self.encrypted(json.dumps(variables)), encoding="utf-8")
        for number, plays in enumerate(books):
            (project / f"play{number}.yml").write_text(yaml.safe_dump(list(plays)), encoding="utf-8")
        (project / "hosts").write_text("\n".join(HOST.format(name) for name in site_cases.HOSTS), encoding="utf-8")
        given = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
        with tempfile.TemporaryDirectory(prefix="fcd-") as temporary:  # sockets are in it, so its path must be short
            with ProcessWatch(str(folder)) as watch:
                own = self._environment(way, folder, temporary)
                events = [
                    event for number in range(len(books)) for event in self._play(f"play{number}.yml", way, folder, own)
                ]
            shown, files, size, channels = _search(folder, Path(temporary), watch.seen, given)
        ended = Counter(_ended(events))
        seconds = time.monotonic() - started
        said = (folder / "log").read_text("utf-8")
        return Ran(name, way, shown, ended, files, size, frozenset(channels), seconds, said)

    def _play(self, name: str, way: Way, folder: Path, environment: dict[str, str]) -> list[Item]:
        """Run it, and return the events; there are none where ansible-playbook runs alone."""
        project = folder / "project"
        hosts, cmdline = str(project / "hosts"), f"-e @{project / 'variables.yml'} {self._options(way)}"
        if way.output not in ALONE:
            how = {"envvars": environment, "inventory": hosts, "cmdline": cmdline, "quiet": True}
            done = ansible_runner.run(private_data_dir=str(folder), playbook=name, **how)
            return list(done.events)
        output = folder / "artifacts" / "alone" / "stdout"
        output.parent.mkdir(parents=True, exist_ok=True)
        with output.open("ab") as file:
            command = ["ansible-playbook", "-i", hosts, *shlex.split(cmdline), str(project / name)]
            own = {**os.environ, **environment}
            subprocess.run(
                command, env=own, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, check=False
            )
        return []

    def _options(self, way: Way) -> str:
        verbose = f"-{'v' * way.verbosity}" if way.verbosity else ""
        return f"--vault-password-file {self.folder / GIVEN / 'vault-password'} {verbose} {way.options}".strip()

    def _environment(self, way: Way, folder: Path, temporary: str) -> dict[str, str]:
        secret = {f"FCD_{name.upper()}" for name in module_cases.CONNECTION}
        core = next(core for core in CORES if core.series == way.core)
        home = folder / "home"
        home.mkdir(exist_ok=True)
        return {
            **{name: value for name, value in self.sandbox.environment.items() if name not in secret},
            **({"FCD_CONFIG_FILE": str(self.profile)} if way.profile else {}),
            "FCD_STATE_DIR": str(home / "state"),
            "HOME": str(home),
            "SSL_CERT_FILE": self.sandbox.info["ca_path"],
            "LANG": "C.UTF-8",
            "TMPDIR": temporary,
            "PATH": os.pathsep.join([str(core.build().parent), os.environ.get("PATH", os.defpath)]),
            "ANSIBLE_HOME": str(home / ".ansible"),
            "ANSIBLE_LOCAL_TEMP": temporary,
            "ANSIBLE_REMOTE_TEMP": str(folder / "remote"),
            "ANSIBLE_COLLECTIONS_PATH": os.pathsep.join(map(str, (collection_tree.linked(), *self.roots))),
            **(self.controller.environment if self.roots else {}),
            "ANSIBLE_ACTION_PLUGINS": str(ACTIONS),
            "ANSIBLE_CALLBACKS_ENABLED": "ansible.builtin.junit,ansible.builtin.tree",
            "ANSIBLE_CALLBACK_TREE_DIR": str(folder / "tree"),
            "JUNIT_OUTPUT_DIR": str(folder / "junit"),
            "ANSIBLE_STDOUT_CALLBACK": way.output,
            "ANSIBLE_LOG_PATH": str(folder / "log"),
            "ANSIBLE_NOCOLOR": "1",
            "ANSIBLE_LOCALHOST_WARNING": "false",
            **way.switches,
        }


def play(tasks: t.Sequence[Item], way: Way) -> Item:
    """Return a play with the tasks; with an environment of its own, a task cannot run in the worker."""
    whole: Item = {"hosts": "localhost", "gather_facts": False, "tasks": [*tasks]}
    return {**whole, "environment": {"CANARIES": "module"}} if way.modules else whole


def _ended(events: t.Sequence[Item]) -> t.Iterator[tuple[str, str]]:
    for event in events:
        if event["event"] == "playbook_on_play_start":  # exit_code has no task
            yield f"playbook {site_cases.PLAYS.get(event['event_data']['play'], '')}", "begun"
        if event["event"] in ENDED:
            data = event["event_data"]
            action, role = str(data.get("resolved_action") or data["task_action"]), data.get("role") or ""
            playbook = site_cases.PLAYS.get(data["play"], "")
            for name in (action.removeprefix("fcd.cloud."), f"role {role.rpartition('.')[2]}", f"playbook {playbook}"):
                yield name, "ok" if event["event"].endswith("_ok") else "failed"


def _search(
    folder: Path, temporary: Path, processes: t.Mapping[str, bytes], given: t.Mapping[Path, bytes]
) -> tuple[list[Shown], int, int, set[str]]:
    """Search all channels but for the files that the user has ``given`` and that are still the same."""
    contents = {name: [(name, content)] for name, content in processes.items()}
    seen = {path for path, content in given.items() if path.exists() and path.read_bytes() == content}
    places = {**CHANNELS, "TMPDIR": ("**/*",)}
    for channel, patterns in places.items():
        root = temporary if channel == "TMPDIR" else folder
        found = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()} - seen
        seen |= found
        contents[channel] = [(str(path.relative_to(root)), path.read_bytes()) for path in sorted(found)]
    shown = []
    for channel, files in contents.items():
        for where, content in files:
            kinds = kinds_in(content)
            if channel == "state" and "/tokens/" in where and _private(folder / where):
                kinds = {kind for kind in kinds if not kind.startswith("issued")}  # that is what this folder is for
            shown += [Shown(kind, channel, _module(content, kind), where) for kind in sorted(kinds)]
    size = sum(len(content) for files in contents.values() for _where, content in files)
    filled = {channel for channel, files in contents.items() if any(content for _where, content in files)}
    return shown, sum(map(len, contents.values())), size, filled


def _private(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) == 0o600


def _module(content: bytes, kind: str) -> str:
    """Return the module whose task is named last before the canary, else first after it."""
    at = content.find(canary(kind).encode())
    before = TASK.findall(content[: max(at, 0)])
    after = TASK.search(content, max(at, 0))
    return (before[-1] if before else after.group(1) if after else b"?").decode()
