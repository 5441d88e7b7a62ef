# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a second run over a site of 300 objects costs, beside loops of single-object tasks that check the same.

    python bench/whole_site.py [--share F] [--runs N] [--latency SECONDS] [--no-processes] [--large ENTRIES]

All are whole processes of ansible-playbook, measured in one run against one sandbox that has everything already: (a)
loops with an ordinary module process for each item, (b) the same loops in the task worker, one task for each kind, and
(c) the action site, outside check mode and in it. Each kind of run is repeated and the quickest counts, but for (a),
which is run once, whole. The service on this machine answers at once; with a latency it answers as late as one that is
somewhere else. In between comes the memory that a plan of thousands of entries takes, most of which are to be made.
Limits are goals, printed beside the figures; nothing fails on a clock.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import typing as t
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree
import figures
from sandbox.process import SandboxProcess
from sites.large_site import Content, count, large_site

MODULES = {
    "ssh_keys": "ssh_key",
    "private_networks": "private_network",
    "ip_addresses": "ip_address",
    "storage_containers": "storage_container",
    "clients": "client",
    "instances": "instance",
    "disks": "disk",
    "storage_objects": "storage_object",
    "storage_folders": "storage_sync",
    "warehouses": "warehouse",
    "client_users": "client_user",
    "client_pricelists": "client_pricelist",
}
GOAL = 10  # times as long as the second apply
Task = t.Dict[str, t.Any]


class Measured(t.NamedTuple):
    """Seconds of the quickest run and the least that it kept processors busy; of the last one the requests.

    ``memory`` is the most that one process had, in MiB.
    """

    seconds: float
    busy: float
    requests: int
    writes: int
    memory: float


class Bench:
    """Plays against one sandbox."""

    def __init__(self, work: Path, sandbox: SandboxProcess) -> None:
        """Remember where to run."""
        self._work = work
        self._sandbox = sandbox
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("FCD_", "ANSIBLE_"))},
            "PYTHONDONTWRITEBYTECODE": "",
            **sandbox.environment,
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "ANSIBLE_HOME": str(work / "ansible"),
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "FCD_STATE_DIR": str(work / "state"),
        }

    def play(self, name: str, tasks: list[Task], *options: str, runs: int = 1) -> Measured:
        """Run a playbook so many times."""
        path = self._work / f"{name}.json"
        path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]))
        command = [str(Path(sys.executable).parent / "ansible-playbook"), str(path), *options]
        measured = [self._once(command, self._work / f"{name}.log") for _run in range(runs)]
        counts = self._sandbox.counts()
        seconds, busy, memory = zip(*measured)
        return Measured(min(seconds), min(busy), counts["total"], counts["writes"], max(memory))

    def _once(self, command: list[str], log: Path) -> tuple[float, float, float]:
        """Return seconds, seconds that it and the processes in it kept processors busy, and MiB of the largest."""
        self._sandbox.clear_requests()
        with log.open("w") as out:
            begun = time.monotonic()
            process = subprocess.Popen(command, env=self._environment, stdout=out, stderr=subprocess.STDOUT)
            _pid, status, usage = os.wait4(process.pid, 0)
            took = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{log.read_text()[-3000:]}")
        return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def loops(content: Content, **more: t.Any) -> list[Task]:
    """Return one looped task for each kind."""
    return [
        {
            "name": kind,
            f"fcd.cloud.{MODULES[kind]}": "{{ item }}",
            "loop": [{**({"mode": "push"} if kind == "storage_folders" else {}), **entry} for entry in entries],
            "loop_control": {"label": "{{ item.name | default(kind) }}"},
            "vars": {"kind": kind},
            "no_log": kind == "client_users",
            **more,
        }
        for kind, entries in content.items()
    ]


def line(what: str, found: Measured, work: str = "", who: str = "ours") -> None:
    """Print one figure, and report it if the work has a name."""
    if work:
        figures.note(work, who, seconds=found.seconds, busy=found.busy, requests=found.requests, memory=found.memory)
    print(
        f"{what:<47}{found.seconds:8.2f} s{found.busy:8.2f} s busy{found.requests:6} requests{found.writes:5} writes"
        f"{found.memory:6.0f} MiB"
    )


def ratios(what: str, loop: Measured, site: Measured, start: Measured) -> None:
    """Print how many times longer a loop takes, with the start of ansible-playbook and without it."""
    whole, busy = loop.seconds / site.seconds, loop.busy / site.busy
    bare = (loop.seconds - start.seconds) / max(0.01, site.seconds - start.seconds)
    bare_busy = (loop.busy - start.busy) / max(0.01, site.busy - start.busy)
    print(f"  {what} against (c), goal {GOAL} x: whole processes {_told(whole)}, busy {busy:.1f} x;", end=" ")
    print(f"start taken off {_told(bare)}, busy {bare_busy:.1f} x")


def _told(times: float) -> str:
    return f"{times:.1f} x ({'reached' if times >= GOAL else 'missed'})"


def measure(bench: Bench, content: Content, site: Path, given: argparse.Namespace) -> None:
    """Run everything and print it."""
    task = {"name": "site", "fcd.cloud.site": {"src": str(site)}}
    print(f"{count(content)} entries, best of {given.runs} runs, whole processes of ansible-playbook; {_load()}")
    line("first apply, one run", bench.play("first", [task]), f"a site of {count(content)} entries applied")
    start = bench.play("start", [{"ansible.builtin.debug": {"msg": "x"}}], runs=given.runs)
    line("start of ansible-playbook", start)
    second = bench.play("second", [task], runs=given.runs)
    nothing = f"a site of {count(content)} entries, nothing to do"
    line("(c) second apply: nothing to do", second, nothing)
    line("    plan of the same", bench.play("plan", [task], "--check", runs=given.runs), nothing, "ours, planned")
    worker = bench.play("worker", loops(content), runs=given.runs)
    line("(b) loops in the task worker", worker, nothing, "ours, a task for each entry")
    if given.processes:
        process = bench.play("process", loops(content, environment={"FCD_BENCH": "1"}))
        line("(a) loops of module processes, one run, whole", process)
        ratios("(a)", process, second, start)
    ratios("(b)", worker, second, start)
    print(_load())


def measure_far_away(bench: Bench, content: Content, site: Path, given: argparse.Namespace) -> None:
    """Run the same against a service that answers late."""
    print(f"each answer {given.latency * 1000:g} ms later")
    start = bench.play("start", [{"ansible.builtin.debug": {"msg": "x"}}], runs=given.runs)
    second = bench.play("far", [{"name": "site", "fcd.cloud.site": {"src": str(site)}}], runs=given.runs)
    line("(c) second apply: nothing to do", second)
    worker = bench.play("far-worker", loops(content))
    line("(b) loops in the task worker, one run", worker)
    ratios("(b)", worker, second, start)


def measure_memory(bench: Bench, content: Content, site: Path) -> None:
    """Run a plan of many entries."""
    print(f"{count(content)} entries, of which the account has few")
    start = bench.play("start", [{"ansible.builtin.debug": {"msg": "x"}}])
    line("start of ansible-playbook, one run", start)
    plan = bench.play("large", [{"name": "site", "fcd.cloud.site": {"src": str(site)}}], "--check")
    line("plan, one run", plan, f"a site of {count(content)} entries planned")


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def written(path: Path, share: float, folder: Path) -> Content:
    """Write a site file and return what it declares."""
    content = large_site(share, str(folder))
    path.write_text(yaml.safe_dump({"site": "bench", **content}, sort_keys=False))
    return content


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description="What a second run over a site costs.")
    parser.add_argument("--share", type=float, default=1.0, help="of 300 entries")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--latency", type=float, default=0.02, help="seconds; 0: do not try it")
    parser.add_argument("--no-processes", dest="processes", action="store_false", help="leave the slowest loops out")
    parser.add_argument("--large", type=int, default=3000, help="entries of the plan whose memory is told; 0: none")
    given = parser.parse_args()
    with SandboxProcess("--ticket-seconds", "0.2") as sandbox, tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        docs = work / "docs"
        docs.mkdir()
        for number in range(20):
            (docs / f"{number}.html").write_text(f"<p>{number}</p>")
        site = work / "site.yml"
        content = written(site, given.share, docs)
        bench = Bench(work, sandbox)
        measure(bench, content, site, given)
        if given.large:
            measure_memory(bench, written(work / "large.yml", given.large / 300, docs), work / "large.yml")
        if given.latency:
            sandbox.fault("delay", seconds=given.latency, times=0)
            measure_far_away(bench, content, site, given)
        if sandbox.violations() or sandbox.errors():
            sys.exit(f"the sandbox complains: {sandbox.violations()} {sandbox.errors()}")


if __name__ == "__main__":
    main()
