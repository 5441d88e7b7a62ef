# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a second run over a site of 300 objects costs, beside loops of single-object tasks that check the same.

    python tests/bench/whole_site.py [--share F] [--runs N] [--latency SECONDS] [--no-processes]

All are whole processes of ansible-playbook, measured in one run against one sandbox that has everything already: the
action site, outside check mode and in it; one looped task for each kind in the task worker; and the same loops with an
ordinary module process for each item. The service on this machine answers at once; with a latency it answers as late as
one that is somewhere else. Limits are goals, printed beside the figures; nothing fails on a clock.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import typing as t
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools"), str(ROOT / "tests" / "site")]

import collection_tree
from large_site import Content, count, large_site
from sandbox.process import SandboxProcess

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
Task = t.Dict[str, t.Any]


class Measured(t.NamedTuple):
    """Seconds of the quickest run and the least that it kept processors busy, and the requests of the last one."""

    seconds: float
    busy: float
    requests: int
    writes: int


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
        took, busy = [], []
        for _run in range(runs):
            self._sandbox.clear_requests()
            begun, used = time.monotonic(), _used()
            done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)
            took.append(time.monotonic() - begun)
            busy.append(_used() - used)
            if done.returncode:
                sys.stderr.write(done.stdout[-3000:] + done.stderr[-3000:])
                done.check_returncode()
        counts = self._sandbox.counts()
        return Measured(min(took), min(busy), counts["total"], counts["writes"])


def _used() -> float:
    """Return for how many seconds processes that have ended kept processors busy."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


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


def line(what: str, found: Measured, goal: str = "-") -> None:
    """Print one figure."""
    print(
        f"{what:<50}{found.seconds:8.2f} s{found.busy:8.2f} s busy{found.requests:6} requests{found.writes:5} writes"
        f"   goal {goal}"
    )


def ratios(what: str, loop: Measured, site: Measured, start: Measured) -> None:
    """Print how many times longer a loop takes, with the start of ansible-playbook and without it."""
    whole, busy = loop.seconds / site.seconds, loop.busy / site.busy
    bare = (loop.seconds - start.seconds) / max(0.01, site.seconds - start.seconds)
    bare_busy = (loop.busy - start.busy) / max(0.01, site.busy - start.busy)
    print(f"  {what}: {whole:.1f} x as long ({busy:.1f} x as busy); start taken off {bare:.1f} x ({bare_busy:.1f} x)")


def measure(bench: Bench, content: Content, site: Path, given: argparse.Namespace) -> None:
    """Run everything and print it."""
    task = {"name": "site", "fcd.cloud.site": {"src": str(site)}}
    print(f"{count(content)} entries, best of {given.runs} runs, whole processes of ansible-playbook")
    start = bench.play("start", [{"ansible.builtin.debug": {"msg": "x"}}], runs=given.runs)
    line("start of ansible-playbook", start)
    line("first apply", bench.play("first", [task]))
    second = bench.play("second", [task], runs=given.runs)
    line("second apply: nothing to do", second)
    line("plan of the same", bench.play("plan", [task], "--check", runs=given.runs))
    worker = bench.play("worker", loops(content), runs=given.runs)
    line("loops of single-object tasks, task worker", worker, ">= 10 x the second apply")
    ratios("loops in the task worker", worker, second, start)
    if given.processes:
        process = bench.play("process", loops(content, environment={"FCD_BENCH": "1"}))
        line("loops of single-object tasks, module processes", process, ">= 10 x the second apply")
        ratios("loops of module processes", process, second, start)


def measure_far_away(bench: Bench, content: Content, site: Path, given: argparse.Namespace) -> None:
    """Run the same against a service that answers late."""
    print(f"each answer {given.latency * 1000:g} ms later")
    start = bench.play("start", [{"ansible.builtin.debug": {"msg": "x"}}], runs=given.runs)
    second = bench.play("far", [{"name": "site", "fcd.cloud.site": {"src": str(site)}}], runs=given.runs)
    line("second apply: nothing to do", second)
    worker = bench.play("far-worker", loops(content))
    line("loops of single-object tasks, task worker", worker, ">= 10 x the second apply")
    ratios("loops in the task worker", worker, second, start)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description="What a second run over a site costs.")
    parser.add_argument("--share", type=float, default=1.0, help="of 300 entries")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--latency", type=float, default=0.02, help="seconds; 0: do not try it")
    parser.add_argument("--no-processes", dest="processes", action="store_false", help="leave the slowest loops out")
    given = parser.parse_args()
    with SandboxProcess("--ticket-seconds", "0.2") as sandbox, tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        docs = work / "docs"
        docs.mkdir()
        for number in range(20):
            (docs / f"{number}.html").write_text(f"<p>{number}</p>")
        content = large_site(given.share, str(docs))
        site = work / "site.yml"
        site.write_text(yaml.safe_dump({"site": "bench", **content}, sort_keys=False))
        bench = Bench(work, sandbox)
        measure(bench, content, site, given)
        if given.latency:
            sandbox.fault("delay", seconds=given.latency, times=0)
            measure_far_away(bench, content, site, given)
        if sandbox.violations() or sandbox.errors():
            sys.exit(f"the sandbox complains: {sandbox.violations()} {sandbox.errors()}")


if __name__ == "__main__":
    main()
