# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real playbooks, with the modules in the task worker or as ordinary modules."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import typing as t
from dataclasses import dataclass
from pathlib import Path

import forked_ansible

from chaos.workplace import Workplace

WAYS = ("worker", "module")
PLAYBOOK, VARIABLES, INVENTORY = "play.yml", "variables.json", "inventory.json"
PROGRAM = str(Path(sys.executable).parent / "ansible-playbook")
PREFIX = "fcd.cloud."
TaskItem = t.Dict[str, t.Any]


class Result(t.NamedTuple):
    """What one task said on one host."""

    name: str
    host: str
    result: dict[str, t.Any]
    failed: bool

    @property
    def message(self) -> str:
        """Its message; empty when there is none."""
        return str(self.result.get("msg", ""))


@dataclass(frozen=True)
class Played:
    """A playbook that has ended; ``folder`` is what it was run from."""

    status: int
    stdout: str
    results: list[Result]
    folder: Path

    def of(self, name: str) -> Result:
        """Return the only result of the task with that name."""
        (found,) = [one for one in self.results if one.name == name]
        return found


def task(module: str, args: TaskItem, name: str = "", **keywords: t.Any) -> TaskItem:
    """Return a task of a playbook for a module of the collection."""
    return {"name": name or module, PREFIX + module: args, **keywords}


def play(
    place: Workplace,
    tasks: t.Sequence[TaskItem],
    folder: Path,
    *,
    way: str = "worker",
    cmdline: str = "",
    hosts: int = 1,
    variables: t.Mapping[str, t.Any] | None = None,
    environment: t.Mapping[str, str] | None = None,
    home: Path | None = None,
) -> Played:
    """Run the tasks in one play; ``variables`` are in a file beside it, ``environment`` is added to the usual one.

    A task with an environment of its own cannot run in the worker, so that play-wide variable makes modules of all.
    """
    _write(folder, tasks, way, variables)
    (folder / INVENTORY).write_text(json.dumps(_inventory(hosts)), encoding="utf-8")
    kept = folder / "results.jsonl"
    kept.unlink(missing_ok=True)
    words = [PROGRAM, *shlex.split(cmdline), "-i", str(folder / INVENTORY), str(folder / "project" / PLAYBOOK)]
    done = run_program(place, words, {"FCD_CHAOS_RESULTS": str(kept), **(environment or {})}, home)
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    return Played(done.returncode, done.stdout + done.stderr, [Result(**json.loads(line)) for line in lines], folder)


def run_program(
    place: Workplace, words: t.Sequence[str], environment: t.Mapping[str, str], home: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program of Ansible in a fork of the one process that all tests share, and so in a home that they share.

    State and credentials are those of the workplace. Another ``home``, or a variable in ``environment`` whose name does
    not begin with FCD_, costs another such process.
    """
    home = home or Path(place.sandbox.info["work"]) / "ansible"
    home.mkdir(exist_ok=True)
    own = {
        "LANG": "C.UTF-8",
        "ANSIBLE_CALLBACK_PLUGINS": str(Path(__file__).parent / "callback_plugins"),
        "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true",
    }
    return forked_ansible.run(words, home, {**environment_of_ansible(place, home), **own, **environment})


def start(place: Workplace, tasks: t.Sequence[TaskItem], folder: Path, *, way: str) -> subprocess.Popen[bytes]:
    """Start ansible-playbook with the tasks and leave it alone."""
    _write(folder, tasks, way, None)
    (folder / INVENTORY).write_text(json.dumps(_inventory(1)), encoding="utf-8")
    command = [PROGRAM, "-i", str(folder / INVENTORY)]
    environment = {"LANG": "C.UTF-8", **environment_of_ansible(place, place.home)}
    nothing = subprocess.DEVNULL
    playbook = str(folder / "project" / PLAYBOOK)
    return subprocess.Popen([*command, playbook], env=environment, stdin=nothing, stdout=nothing, stderr=nothing)


def kill_all(process: subprocess.Popen[bytes]) -> None:
    """End it and all its children, as kill -9 does; those first that start others."""
    os.kill(process.pid, signal.SIGSTOP)
    family = [process.pid]
    for parent in family:
        family += [child for child, its_parent in _parents().items() if its_parent == parent]
    for member in family:
        with contextlib.suppress(ProcessLookupError):
            os.kill(member, signal.SIGKILL)
    process.wait()


def _parents() -> dict[int, int]:
    """Return the parent of every process."""
    found = {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            with contextlib.suppress(OSError):
                found[int(place.name)] = int(
                    (place / "stat").read_text(encoding="latin-1").rpartition(")")[2].split()[1]
                )
    return found


def _write(folder: Path, tasks: t.Sequence[TaskItem], way: str, variables: t.Mapping[str, t.Any] | None) -> None:
    project = folder / "project"
    project.mkdir(parents=True, mode=0o700, exist_ok=True)
    (project / VARIABLES).write_text(json.dumps(dict(variables or {})), encoding="utf-8")
    whole = {"hosts": "all", "gather_facts": False, "tasks": [*tasks], "vars_files": [VARIABLES]}
    if way == "module":
        whole["environment"] = {"CHAOS_WAY": way}
    (project / PLAYBOOK).write_text(json.dumps([whole]), encoding="utf-8")


def _inventory(hosts: int) -> dict[str, t.Any]:
    own = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    return {"all": {"hosts": {f"host{number}": None for number in range(1, hosts + 1)}, "vars": own}}


def environment_of_ansible(place: Workplace, home: Path) -> dict[str, str]:
    """Return the variables of ansible-playbook; nothing of it is to be found outside this home."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    own = home / ".ansible"
    return {
        **{name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX", "TMPDIR") if name in os.environ},
        **place.environment,
        "HOME": str(home),
        "PATH": path,
        "ANSIBLE_HOME": str(own),
        "ANSIBLE_LOCAL_TEMP": str(own / "tmp"),
        "ANSIBLE_REMOTE_TEMP": str(own / "tmp"),
        "ANSIBLE_COLLECTIONS_PATH": os.environ.get("ANSIBLE_COLLECTIONS_PATH", ""),
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_FORKS": "8",
        "PYTHONDONTWRITEBYTECODE": "",
    }
