# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task of the module orchestration with nothing to do costs, beside the tool's own plan in the same run.

    python bench/orchestration_task.py [ROUNDS]

For each tool of this machine the two take turns, and the figures are medians. A task is one in a task worker:
ansible-playbook with two equal tasks, less one with one of them.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree
import figures
import orchestration_tools
from orchestration import programs_for_tests as programs
from orchestration.managed_folder import WEB
from sandbox.process import SandboxProcess

GOAL = 1.6
INSTANCES = [{**WEB, "instance_name": f"bench-{number}"} for number in range(3)]


class Bench:
    """One working folder of one tool."""

    def __init__(self, work: Path, sandbox: SandboxProcess, tool: str, plugin: str) -> None:
        """Make the instances."""
        self.folder = work / "site"
        self._tool = tool
        self._variables = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("FCD_", "ANSIBLE_", "TF_"))},
            **sandbox.environment,
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "ANSIBLE_HOME": str(work / "ansible"),
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "FCD_STATE_DIR": str(work / "state"),
            "HOME": str(work),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        args: dict[str, object] = {
            "path": str(self.folder),
            "executable": tool,
            "plugin_path": plugin,
            "instances": INSTANCES,
        }
        self._one, self._two = (self._play(work, count, args) for count in (1, 2))
        self._seconds([*self._playbook, str(self._two)], work)
        token = json.loads(next((work / "state" / "tokens").glob("*.json")).read_text(encoding="utf-8"))
        self._of_tool = {
            **self._variables,
            "SSL_CERT_FILE": sandbox.environment["FCD_CA_PATH"],
            "TF_CLI_CONFIG_FILE": str(self.folder / "terraformrc"),
            "TF_VAR_access_token": token["value"],
            "CHECKPOINT_DISABLE": "1",
        }

    _playbook = (str(Path(sys.executable).parent / "ansible-playbook"),)

    def _play(self, work: Path, count: int, args: dict[str, object]) -> Path:
        tasks = [{"name": f"task {number}", "fcd.cloud.orchestration": args} for number in range(count)]
        path = work / f"{count}.json"
        path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]), encoding="utf-8")
        return path

    def _seconds(self, command: list[str], folder: Path, variables: dict[str, str] | None = None) -> float:
        started = time.monotonic()
        environment = variables or self._variables
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            done.check_returncode()
        return time.monotonic() - started

    def round(self) -> tuple[float, float]:
        """Return the seconds of the tool's own plan, and of one task."""
        plan = self._seconds([self._tool, "plan", "-detailed-exitcode", "-input=false"], self.folder, self._of_tool)
        one, two = (self._seconds([*self._playbook, str(play)], self.folder) for play in (self._one, self._two))
        return plan, two - one


def main() -> None:
    """Measure each tool."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    lacking = orchestration_tools.missing()
    if lacking:
        figures.not_run("OpenTofu and Terraform", lacking)
        raise SystemExit(f"NOT RUN: {lacking}")
    python = str(orchestration_tools.python())
    with tempfile.TemporaryDirectory() as place, SandboxProcess("--ticket-seconds", "0.1") as sandbox:
        work = Path(place)
        plugin = str(programs.plugin(work, python))
        for name, tool in programs.tools(work, python).items():
            own = work / f"of-{name}"
            own.mkdir()
            sandbox.reset()
            bench = Bench(own, sandbox, tool, plugin)
            times = [bench.round() for _round in range(rounds)]
            plan, task = (statistics.median(values) for values in zip(*times))
            planned = f"three instances planned by {name}, nothing to do"
            figures.note(planned, f"ours, a task with {name}", seconds=task)
            figures.note(planned, f"{name} plan", seconds=plan)
            told = f"{name}: plan {plan:.2f} s, task {task:.2f} s, ratio {task / plan:.2f}"
            sys.stdout.write(f"{told:<70}goal <= {GOAL}\n")


if __name__ == "__main__":
    main()
