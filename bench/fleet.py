# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fleet costs: making it, finding nothing to do, and a loop of single tasks beside it, in the same run.

    python bench/fleet.py [--instances N] [--concurrency N] [--tickets SECONDS] [--loop ITEMS]

The loop is measured with fewer items, and its time for the whole fleet is calculated from the time of an item. The
start of ansible-playbook is taken off both. Limits are goals, printed beside the figures; nothing fails on a clock.
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

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree
import figures
from sandbox.process import SandboxProcess

KIND = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
Task = t.Dict[str, t.Any]


class Bench:
    """Plays and bare operations against one sandbox."""

    def __init__(self, work: Path, sandbox: SandboxProcess, given: argparse.Namespace) -> None:
        """Remember where to run, and what."""
        self._work = work
        self._sandbox = sandbox
        self._given = given
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
        os.environ.update({name: self._environment[name] for name in self._environment if name.startswith("FCD_")})

    def fleet(self, prefix: str) -> Task:
        """Return the options of the fleet."""
        names = [f"{prefix}-{number}" for number in range(self._given.instances)]
        instances = [{"name": name} for name in names]
        return {"instances": instances, "instance_defaults": KIND, "concurrency": self._given.concurrency}

    def operation(self, what: str, prefix: str) -> tuple[float, int]:
        """Run the bare operation in this process; returns its seconds and how many requests it sent."""
        sys.path[:0] = [self._environment["ANSIBLE_COLLECTIONS_PATH"]]
        from chaos.task_process import run

        before = self._sandbox.counts()["total"]
        ended = run("instance_fleet", self.fleet(prefix), check_mode=False)
        told = ended.succeeded()
        print(f"  {what}: {told['counts']}")
        return ended.seconds, self._sandbox.counts()["total"] - before

    def play(self, name: str, task: Task) -> float:
        """Run a playbook of one task and return its wall time."""
        path = self._work / f"{name}.json"
        path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": [{"name": name, **task}]}]))
        command = [str(Path(sys.executable).parent / "ansible-playbook"), str(path)]
        begun = time.monotonic()
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            done.check_returncode()
        return time.monotonic() - begun

    def loop(self) -> Task:
        """Return the task that makes instances one after the other."""
        items = [f"single-{number}" for number in range(self._given.loop)]
        return {"fcd.cloud.instance": {"name": "{{ item }}", **KIND}, "loop": items}


def line(what: str, value: float, goal: str) -> None:
    """Print one figure."""
    print(f"{what:<66}{value:9.2f}   goal {goal}")


def measure(bench: Bench, given: argparse.Namespace) -> None:
    """Run everything and print it."""
    number, tickets = given.instances, given.tickets
    seconds, requests = bench.operation("made", "bare")
    line(f"{number} instances, tickets of {tickets:g} s, seconds", seconds, f"<= {1.5 * tickets + 10:g}")
    line("  requests", requests, "-")
    figures.note(f"{number} instances made by one task", "ours", seconds=seconds, requests=requests)
    seconds, requests = bench.operation("nothing to do", "bare")
    line("nothing to do, seconds in the module", seconds, "< 1.5")
    line("  requests", requests, "<= 5")
    figures.note(f"{number} instances, nothing to do", "ours", seconds=seconds, requests=requests)
    start = bench.play("start", {"ansible.builtin.debug": {"msg": "x"}})
    start = min(start, bench.play("start", {"ansible.builtin.debug": {"msg": "x"}}))
    fleet = bench.play("fleet", {"fcd.cloud.instance_fleet": bench.fleet("played")}) - start
    item = (bench.play("loop", bench.loop()) - start) / given.loop
    figures.note(f"a playbook that makes {number} instances", "ours", seconds=fleet)
    figures.note(f"a playbook that makes {number} instances", "ours, loop of single tasks", seconds=item * number)
    line("playbook with the fleet, start taken off, seconds", fleet, "-")
    line(f"loop of instance, measured with {given.loop} items, seconds an item", item, "-")
    line(f"loop of instance, calculated for {number} items, seconds", item * number, "-")
    line("fleet, times faster than the loop", item * number / fleet, ">= 20")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description="What a fleet costs.")
    parser.add_argument("--instances", type=int, default=200)
    parser.add_argument("--concurrency", type=int, default=50)
    parser.add_argument("--tickets", type=float, default=5.0, help="seconds that an operation takes")
    parser.add_argument("--loop", type=int, default=5, help="items of the loop that is measured")
    given = parser.parse_args()
    with SandboxProcess("--ticket-seconds", str(given.tickets)) as sandbox, tempfile.TemporaryDirectory() as folder:
        measure(Bench(Path(folder), sandbox, given), given)
        if sandbox.violations() or sandbox.errors():
            sys.exit(f"the sandbox complains: {sandbox.violations()} {sandbox.errors()}")


if __name__ == "__main__":
    main()
