# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tasks on single objects cost that find nothing to do, beside an empty module and openstack.cloud.object.

    python bench/storage_single.py [--tasks 20] [--rounds 3]

The start of ansible-playbook, a play with one debug task, is taken off all figures. openstack.cloud is installed on
first use, and its tasks run with the Python that has openstacksdk. Goals are printed; nothing fails on a wall clock.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import typing as t
from pathlib import Path

import figures
from storage_clients import ROOT, Clients, goal, openstack, started

CONTAINER = "single"
CONTENT = "content of an object\n" * 50
AS_MODULE = {"FCD_BENCH": "module"}  # a task with an environment runs as an ordinary module
Task = t.Dict[str, t.Any]


class Plays:
    """Plays of tasks that are all alike but for their object."""

    def __init__(self, clients: Clients, given: argparse.Namespace) -> None:
        """Say where modules and collections are."""
        self._clients = clients
        self._given = given
        self._python, collections = openstack()
        paths = [clients.environment["ANSIBLE_COLLECTIONS_PATH"], str(collections)]
        clients.environment["ANSIBLE_COLLECTIONS_PATH"] = os.pathsep.join(paths)
        clients.environment["ANSIBLE_LIBRARY"] = str(ROOT / "bench" / "library")
        clients.container(CONTAINER)

    def all(self) -> dict[str, list[Task]]:
        """Return the plays."""
        forced = {"environment": AS_MODULE}
        return {
            "start": [{"ansible.builtin.debug": {"msg": "x"}}],
            "empty module": self._each(lambda _name: {"empty": {}}),
            "ours, worker": self._each(self._ours),
            "ours, module": self._each(lambda name: {**self._ours(name), **forced}),
            "openstack.cloud.object": self._each(self._openstack),
        }

    def _each(self, task: t.Callable[[str], Task]) -> list[Task]:
        return [task(f"object-{number:02}") for number in range(self._given.tasks)]

    @staticmethod
    def _ours(name: str) -> Task:
        return {"fcd.cloud.storage_object": {"container": CONTAINER, "name": name, "content": CONTENT}}

    def _openstack(self, name: str) -> Task:
        given = self._clients.sandbox.environment
        auth = {
            "auth_url": given["FCD_STORAGE_BASE"] + "/auth/v1.0",
            "username": given["FCD_STORAGE_USER"],
            "password": given["FCD_STORAGE_KEY"],
        }
        connection = {"auth_type": "v1password", "auth": auth, "ca_cert": given["FCD_CA_PATH"]}
        named = {"container": CONTAINER, "name": f"theirs-{name}", "data": CONTENT}
        python = {"vars": {"ansible_python_interpreter": str(self._python)}}
        return {"openstack.cloud.object": {**connection, **named}, **python}

    def run(self, name: str, tasks: list[Task]) -> tuple[float, int]:
        """Run a play; returns its seconds and how many requests it made."""
        path = self._clients.work / f"{name}.json"
        named = [{"name": f"task {number}", **task} for number, task in enumerate(tasks)]
        path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": named}]), encoding="utf-8")
        begun = time.monotonic()
        took = self._clients.took([str(Path(sys.executable).parent / "ansible-playbook"), str(path)])
        return time.monotonic() - begun, took.total


def measure(plays: Plays, given: argparse.Namespace) -> None:
    """Run all plays in turns and print them."""
    chosen = plays.all()
    for name, tasks in chosen.items():
        plays.run(name, tasks)  # it makes the objects, keeps the token and compiles what is imported
    times: dict[str, list[float]] = {name: [] for name in chosen}
    requests: dict[str, int] = {}
    for _round in range(given.rounds):
        for name, tasks in chosen.items():
            seconds, requests[name] = plays.run(name, tasks)
            times[name].append(seconds)
    middle = {name: statistics.median(values) for name, values in times.items()}
    each = {name: (seconds - middle["start"]) / given.tasks for name, seconds in middle.items()}
    print(f"{given.tasks} tasks, one object each, nothing to do; start of ansible-playbook {middle['start']:.2f} s")
    for name in list(chosen)[1:]:
        ratio = each[name] / each["empty module"]
        print(f"  {name:<26}{each[name] * 1000:9.0f} ms a task{ratio:8.2f} x empty{requests[name]:6} requests")
        work = f"{given.tasks} tasks on an object each, nothing to do"
        figures.note(work, name, seconds=each[name] * given.tasks, requests=requests[name])
    goal("worker / empty module", each["ours, worker"] / each["empty module"], 0.2)
    goal("module / empty module", each["ours, module"] / each["empty module"], 1.35)
    goal("worker: requests a task", requests["ours, worker"] / given.tasks, 1)
    goal("module: requests a task", requests["ours, module"] / given.tasks, 1)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="What tasks on single objects cost.")
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with started() as clients:
        measure(Plays(clients, given), given)


if __name__ == "__main__":
    main()
