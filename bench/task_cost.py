# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task with nothing to do costs, beside its peers in the same run.

    python bench/task_cost.py [ROUNDS]

Every figure is the median of the rounds, and the plays of one comparison take turns. "start" is a play with one debug
task, the cost of ansible-playbook itself. The account is in a profile file. Limits are goals, printed beside the
ratios; nothing fails on a wall clock. With 0 rounds, only what the load of the machine does not change is measured.
"""

from __future__ import annotations

import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree
import figures
import task_counts
from sandbox.process import SandboxProcess

TASKS = 20
OF_WORKER = {"instance20": "ours, instance", "dictionary20": "ours, dictionary_info", "empty20": "empty modules"}
OF_MODULE = {
    "instance10": "ours, instance",
    "dictionary10": "ours, dictionary_info",
    "warehouse10": "ours, warehouse",
    "empty10": "empty modules",
    "post10": "modules that post as many bytes as warehouse",
}
Task = t.Dict[str, t.Any]
MODULE = {"FCD_BENCH": "module"}  # a task with an environment runs as an ordinary module
WAREHOUSE = {"partner_id": 12, "template_id": 304, "data_store_number": "DS-01"}
REST_TASK: Task = {"fcd.cloud.instance": {"name": "bench", "type_id": 34, "subregion_id": 1, "template_id": 304}}
READ_TASK: Task = {"fcd.cloud.dictionary_info": {"dictionary": "17"}}
SOAP_TASK: Task = {"fcd.cloud.warehouse": {**WAREHOUSE, "name": "bench", "queue_length": 1}}
LOOP_TASK: Task = {"fcd.cloud.dictionary_info": {"dictionary": "{{ item }}"}, "loop": "{{ [17] * 100 }}"}


class Bench:
    """Plays of tasks against one sandbox."""

    def __init__(self, work: Path, sandbox: SandboxProcess, rounds: int) -> None:
        """Remember where to run."""
        self._work = work
        self._rounds = rounds
        self.account = {name[4:].lower(): value for name, value in sandbox.environment.items()}
        profile = work / "profile.yml"
        profile.write_text(json.dumps({"default": self.account}), encoding="utf-8")
        profile.chmod(0o600)
        self.variables = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("FCD_", "ANSIBLE_"))},
            "PYTHONDONTWRITEBYTECODE": "",  # without byte code ansible-playbook takes twice as long to start
            "FCD_CONFIG_FILE": str(profile),
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "ANSIBLE_LIBRARY": str(ROOT / "bench" / "library"),
            "ANSIBLE_HOME": str(work / "ansible"),
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "FCD_STATE_DIR": str(work / "state"),
        }

    def play(self, name: str, tasks: list[Task]) -> Path:
        """Write a playbook."""
        path = self._work / f"{name}.json"
        named = [{"name": f"task {number}", **task} for number, task in enumerate(tasks)]
        path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": named}]), encoding="utf-8")
        return path

    def seconds(self, play: Path) -> float:
        """Run a playbook and return its wall time. Raises CalledProcessError with its output on stderr."""
        started = time.monotonic()
        command = [str(Path(sys.executable).parent / "ansible-playbook"), str(play)]
        done = subprocess.run(command, env=self.variables, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            done.check_returncode()
        return time.monotonic() - started

    def compare(self, plays: dict[str, list[Task]]) -> dict[str, float]:
        """Run all plays in turns; returns the median wall time of each in seconds."""
        paths = {name: self.play(name, tasks) for name, tasks in plays.items()}
        for path in paths.values():
            self.seconds(path)  # byte code, kept token, compiled contract
        times: dict[str, list[float]] = {name: [] for name in paths}
        for _round in range(self._rounds):
            for name, path in paths.items():
                times[name].append(self.seconds(path))
        return {name: statistics.median(values) for name, values in times.items()}


def line(what: str, value: float, limit: str) -> None:
    """Print one figure."""
    sys.stdout.write(f"{what:<66}{value:9.3f}   goal {limit}\n")


def counts(bench: Bench, sandbox: SandboxProcess, work: Path) -> None:
    """Tasks inside the task worker, each the second of its kind, and the second item of a loop of it."""
    work.mkdir()
    tasks = [[task, task, {**task, "loop": [1, 2]}] for task in (REST_TASK, READ_TASK, SOAP_TASK)]
    done = task_counts.count(sandbox, work, [task for each in tasks for task in each], bench.account).tasks
    for number, name in enumerate(("instance", "dictionary_info", "warehouse")):
        for what, counted in (("task", done[4 * number + 1]), ("item of a loop", done[4 * number + 3])):
            files = f"{len(counted.files)} files opened, {len(counted.modules)} modules imported"
            sys.stdout.write(f"  {f'{name}, {what}':<34}{files}, {counted.lines} lines executed\n")


def tell(work: str, took: dict[str, float], names: dict[str, str]) -> None:
    """Print the wall times of plays, and report those that have a name."""
    for play, seconds in took.items():
        sys.stdout.write(f"  {play:<14}{seconds:8.2f} s\n")
        if play in names:
            figures.note(work, names[play], seconds=seconds)


def worker(bench: Bench) -> None:
    """Tasks inside the task worker."""
    debug: Task = {"ansible.builtin.debug": {"msg": "x"}}
    took = bench.compare(
        {
            "start": [debug],
            "empty20": [{"empty": {}}] * TASKS,
            "instance20": [REST_TASK] * TASKS,
            "dictionary20": [READ_TASK] * TASKS,
            "loop100": [LOOP_TASK],
        }
    )
    tell(f"{TASKS} tasks in the task worker, nothing to do", took, OF_WORKER)
    line("20 instance tasks, nothing to do / 20 empty modules", took["instance20"] / took["empty20"], "<= 0.18")
    line("20 dictionary_info tasks / 20 empty modules", took["dictionary20"] / took["empty20"], "<= 0.18")
    line("loop of 100 dictionary_info, ms an item (start taken off)", (took["loop100"] - took["start"]) * 10, "<= 4")


def module(bench: Bench, message: Path) -> None:
    """Ordinary modules."""
    forced = {"environment": MODULE}
    peer: Task = {
        "post": {
            "url": bench.account["soap_url"],
            "user": "API\\" + bench.account["username"],
            "password": bench.account["password"],
            "ca": bench.account["ca_path"],
            "file": str(message),
        },
        "environment": MODULE,
    }
    took = bench.compare(
        {
            "empty10": [{"empty": {}, **forced}] * 10,
            "instance10": [{**REST_TASK, **forced}] * 10,
            "dictionary10": [{**READ_TASK, **forced}] * 10,
            "post10": [peer] * 10,
            "warehouse10": [{**SOAP_TASK, **forced}] * 10,
        }
    )
    tell("10 tasks as ordinary modules, nothing to do", took, OF_MODULE)
    line("instance as a module / empty module", took["instance10"] / took["empty10"], "<= 1.6")
    line("dictionary_info as a module / empty module", took["dictionary10"] / took["empty10"], "<= 1.6")
    line("warehouse as a module / module that posts the same bytes", took["warehouse10"] / took["post10"], "<= 1.6")


def main() -> None:
    """Measure."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory(prefix="fcd-bench-") as folder, SandboxProcess() as sandbox:
        work = Path(folder)
        bench = Bench(work, sandbox, rounds)
        counts(bench, sandbox, work / "counted")
        if not rounds:
            return
        sys.stdout.write(f"Python {sys.version.split()[0]}, medians of {rounds} rounds\n")
        bench.seconds(bench.play("prepare", [REST_TASK, SOAP_TASK]))
        message = work / "message.xml"
        message.write_bytes(recorded_message(bench, work))
        worker(bench)
        module(bench, message)


def recorded_message(bench: Bench, work: Path) -> bytes:
    """Return the bytes that a warehouse task with nothing to do posts, as a server that only listens receives them."""
    received: list[bytes] = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_error(404)

        def log_message(self, *_arguments: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        task = {**SOAP_TASK["fcd.cloud.warehouse"], "soap_url": f"http://127.0.0.1:{server.server_port}/CommonFcd.svc"}
        play = bench.play("record", [{"fcd.cloud.warehouse": task, "ignore_errors": True}])
        bench.seconds(play)
        server.shutdown()
    return received[0]


if __name__ == "__main__":
    main()
