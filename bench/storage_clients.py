# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients of the object storage side by side: each a process that does one piece of work at one sandbox.

Peers are rclone (Debian), which is told as NOT RUN where it is missing, and swift (python-swiftclient), which is
installed on first use.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing as t
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree
import figures
import peer_programs
import peers_at_hand
from sandbox.process import SandboxProcess
from slow_relay import distant

Command = t.Sequence[str]


class Counting(t.Protocol):
    """A server that counts its requests, such as the sandbox."""

    @property
    def environment(self) -> dict[str, str]:
        """The FCD_ variables that point a client at it."""

    def clear_requests(self) -> None:
        """Begin to count."""

    def counts(self) -> dict[str, t.Any]:
        """Return in ``by`` how many requests there were of each operation."""


@dataclass(frozen=True)
class Took:
    """What a piece of work took: wall and processor seconds, MiB of memory at most, requests by operation."""

    seconds: float
    cpu: float
    rss: float
    requests: t.Mapping[str, int]
    whole: float

    @property
    def total(self) -> int:
        """How many requests, log-ins included."""
        return sum(self.requests.values())


class Clients:
    """Runs commands against one sandbox and counts what they ask of it."""

    def __init__(self, sandbox: Counting, work: Path, base: str | None = None) -> None:
        """Prepare the variables of all clients; files go below ``work``. ``base`` is another way to the sandbox."""
        self.sandbox = sandbox
        self.work = work
        given = {**sandbox.environment, **({"FCD_STORAGE_BASE": base} if base else {})}
        base, user, key = (given[f"FCD_STORAGE_{name}"] for name in ("BASE", "USER", "KEY"))
        (work / "rclone.conf").touch()
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("FCD_", "ANSIBLE_", "OS_"))},
            "PYTHONDONTWRITEBYTECODE": "",
            **given,
            "FCD_STATE_DIR": str(work / "state"),
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "ANSIBLE_HOME": str(work / "ansible"),
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "RCLONE_CONFIG": str(work / "rclone.conf"),
            "RCLONE_CA_CERT": given["FCD_CA_PATH"],
            "RCLONE_CONFIG_BOX_TYPE": "swift",
            "RCLONE_CONFIG_BOX_AUTH": f"{base}/auth/v1.0",
            "RCLONE_CONFIG_BOX_USER": user,
            "RCLONE_CONFIG_BOX_KEY": key,
            "ST_AUTH": f"{base}/auth/v1.0",
            "ST_USER": user,
            "ST_KEY": key,
            "OS_CACERT": given["FCD_CA_PATH"],
        }

    def ask(self, method: str, path: str) -> None:
        """Send one request by the floor's own means; the path is below the account."""
        code = "import sys, storage_floor; storage_floor.Account().ask(*sys.argv[1:])"
        self._run([sys.executable, "-c", code, method, path], HERE)

    def container(self, name: str) -> str:
        """Make a container, and return its name."""
        self.ask("PUT", f"/{name}")
        return name

    def tell_features(self, told: bool) -> None:
        """Have the service say what it offers, or not."""
        t.cast("SandboxProcess", self.sandbox).settings(storage={"info": told})

    def took(self, command: Command, place: Path | None = None) -> Took:
        """Run a command in a folder. What floor and ours print of themselves counts, else the whole process."""
        self.sandbox.clear_requests()
        begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        said, most = self._run(command, place)
        whole, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        own = json.loads(said) if said.startswith(b'{"seconds"') else {"seconds": whole, "cpu": cpu, "rss": most}
        counts = self.sandbox.counts()["by"]
        return Took(own["seconds"], own["cpu"], own["rss"], counts, whole)

    def playbook(self, module: str, options: t.Mapping[str, t.Any]) -> Command:
        """Return the command that plays one task."""
        path = self.work / f"{module}-{abs(hash(str(options)))}.json"
        task = {"name": module, f"fcd.cloud.{module}": options}
        path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": [task]}]), encoding="utf-8")
        return [str(Path(sys.executable).parent / "ansible-playbook"), str(path)]

    def _run(self, command: Command, place: Path | None) -> tuple[bytes, float]:
        """Run a command; returns what it printed and its most memory in MiB. Exits with its words when it fails."""
        output = self.work / "output"
        with output.open("wb") as file:
            process = subprocess.Popen(
                command, cwd=place, env=self.environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file
            )
            _pid, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        said = output.read_bytes()
        if process.returncode:
            sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{said[-3000:].decode(errors='replace')}")
        return said, usage.ru_maxrss / 1024


@contextlib.contextmanager
def started(delay: float = 0.0) -> t.Iterator[Clients]:
    """Start a sandbox and yield clients of it, with their files in memory where there is some.

    ``delay``: seconds that data take each way.
    """
    shared = Path("/dev/shm")
    memory = shared if shared.exists() else None
    with SandboxProcess() as sandbox, tempfile.TemporaryDirectory(prefix="fcd-bench-", dir=memory) as folder:
        with distant(sandbox.environment["FCD_STORAGE_BASE"], delay) as base:
            yield Clients(sandbox, Path(folder), base)


def floor(work: str, path: Path, place: str, connections: int = 1) -> Command:
    """Return the command of the bare client."""
    program = str(HERE / "storage_floor.py")
    return [sys.executable, program, work, str(path), place, "--connections", str(connections)]


def ours(module: str, **options: t.Any) -> Command:
    """Return the command of one of our operations."""
    return ours_in(ROOT, module, options)


def ours_in(checkout: Path, module: str, options: t.Mapping[str, t.Any]) -> Command:
    """Return the command of one of our operations, as it is in a checkout."""
    return [sys.executable, str(checkout / "bench" / "storage_ours.py"), module, json.dumps(options)]


def rclone(*arguments: str) -> Command:
    """Return a command of rclone; nothing where it is not there."""
    found = shutil.which("rclone")
    return [found, *arguments] if found else []


def swift(*arguments: str) -> Command:
    """Return a command of python-swiftclient."""
    return [str(peer_programs.swift()), "--auth-version", "1", *arguments]


def openstack() -> tuple[Path, Path]:
    """Return a Python that has openstacksdk, and the folder of the collections that are packages of it."""
    python = peer_programs.openstack()
    return python, peer_programs.collections_beside(python)


def tell_missing() -> None:
    """Print aloud which peers are not there."""
    if peers_at_hand.no_rclone():
        print(f"NOT RUN: {peers_at_hand.no_rclone()}")
        figures.not_run("rclone", peers_at_hand.no_rclone())


def middle(turns: t.Sequence[Took]) -> Took:
    """Return the turn with the median wall time."""
    desired = statistics.median_low([turn.seconds for turn in turns])
    return next(turn for turn in turns if turn.seconds == desired)


def table(title: str, turns: t.Mapping[str, t.Sequence[Took]], peer: str = "floor") -> None:
    """Print medians, and ratios of the wall time to a peer."""
    print(f"\n{title}\n  {'':<28}{'wall s':>8}{'cpu s':>8}{'MiB':>7}{'requests':>10}{'process s':>11}   wall / {peer}")
    least = middle(turns[peer]).seconds
    for name, each in turns.items():
        one = middle(each)
        columns = f"{one.seconds:8.2f}{one.cpu:8.2f}{one.rss:7.0f}{one.total:10}{one.whole:11.2f}"
        print(f"  {name:<28}{columns}   {one.seconds / least:6.2f}")
        figures.note(title, name, seconds=one.seconds, busy=one.cpu, requests=one.total, memory=one.rss)


def requests_of(turns: t.Mapping[str, t.Sequence[Took]]) -> None:
    """Print what each client asked, by operation."""
    for name, each in turns.items():
        counts = ", ".join(f"{count} {kind.replace('storage ', '')}" for kind, count in each[-1].requests.items())
        print(f"  requests of {name}: {counts}")


def goal(what: str, value: float, limit: float, digits: int = 2) -> None:
    """Print one figure beside its goal; nothing fails on it."""
    print(f"  {what:<62}{value:10.{digits}f}   goal <= {limit:g}{'' if value <= limit else '   MISSED'}")
