# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What groups cost in an inventory of ten thousand instances, or as many as are given.

    python bench/inventory.py [ROUNDS [INSTANCES]]

Every figure is the median of the rounds of ``ansible all --list-hosts``, and the inventories take turns. "core" is the
same inventory with its one keyed group made by the helper of ansible-core. Limits are goals, printed beside the ratios;
nothing fails on a wall clock.
"""

from __future__ import annotations

import json
import os
import statistics
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

KEYS = (
    "status",
    "subregion",
    "type",
    "template",
    "template_type",
    "system_category",
    "guest_tools_status",
    "monitoring_status",
    "payment_type",
    "autoscaling_type",
)
Config = t.Dict[str, t.Any]


def configs(cache: Path) -> dict[str, Config]:
    """Return the inventories."""
    keyed = [{"key": f"fcd_{key}.label", "prefix": key} for key in KEYS]
    kept = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(cache)}
    groups = {"keyed_groups": keyed}
    return {
        "no group": {},
        "10 keyed groups": groups,
        "no group, from cache": kept,
        "10 keyed groups, from cache": {**kept, **groups},
        "core, 1 keyed group": {"keyed_groups": keyed[:1]},
    }


class Bench:
    """Inventories of one sandbox."""

    def __init__(self, work: Path, sandbox: SandboxProcess, instances: int) -> None:
        """Write the files."""
        self._work = work
        self._instances = instances
        self.peaks: dict[str, float] = {}
        self._sources = {name: self._write(name, config) for name, config in configs(work / "cache").items()}
        self._variables = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("FCD_", "ANSIBLE_"))},
            "PYTHONDONTWRITEBYTECODE": "",
            **sandbox.environment,
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "ANSIBLE_INVENTORY_PLUGINS": str(ROOT / "bench" / "inventory_plugins"),
            "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true",
            "ANSIBLE_HOME": str(work / "ansible"),
            "FCD_STATE_DIR": str(work / "state"),
        }

    def _write(self, name: str, config: Config) -> Path:
        plugin = "with_core_helper" if name.startswith("core") else "fcd.cloud.instances"
        path = self._work / f"{name.replace(' ', '_').replace(',', '')}.fcd.yml"
        path.write_text(json.dumps({"plugin": plugin, **config}), encoding="utf-8")
        return path

    def seconds(self, name: str) -> float:
        """List the hosts of one inventory and return the wall time; the highest peak of its memory in MiB is kept."""
        command = [str(Path(sys.executable).parent / "ansible"), "-i", str(self._sources[name]), "all", "--list-hosts"]
        started = time.monotonic()
        process = subprocess.Popen(command, env=self._variables, stdout=subprocess.PIPE, text=True)
        output = process.stdout.read() if process.stdout else ""
        _pid, status, usage = os.wait4(process.pid, 0)
        took = time.monotonic() - started
        if status or not any(f"hosts ({self._instances + more})" in output for more in (0, 2)):
            raise SystemExit(f"{name}: {output[:200]}")
        self.peaks[name] = max(self.peaks.get(name, 0.0), usage.ru_maxrss / 1024)
        return took

    def compare(self, rounds: int) -> dict[str, float]:
        """Run all in turns; returns the median wall time of each in seconds."""
        times: dict[str, list[float]] = {name: [] for name in self._sources}
        for name in self._sources:
            self.seconds(name)  # byte code, kept token, cache
        for _round in range(rounds):
            for name, found in times.items():
                found.append(self.seconds(name))
        return {name: statistics.median(found) for name, found in times.items()}


def line(what: str, value: float, limit: str) -> None:
    """Print one figure."""
    sys.stdout.write(f"{what:<66}{value:9.3f}   goal {limit}\n")


def main() -> None:
    """Measure."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    instances = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    with tempfile.TemporaryDirectory(prefix="fcd-bench-") as folder, SandboxProcess(timeout=120) as sandbox:
        sandbox.settings(rest={"bulk_instances": instances})
        bench = Bench(Path(folder), sandbox, instances)
        sys.stdout.write(f"Python {sys.version.split()[0]}, medians of {rounds} rounds, {instances} instances\n")
        took = bench.compare(rounds)
        for name, seconds in took.items():
            sys.stdout.write(f"  {name:<30}{seconds:8.2f} s{bench.peaks[name]:10.0f} MiB\n")
            who = "constructed by ansible-core, 1 keyed group" if name.startswith("core") else f"ours, {name}"
            figures.note(f"an inventory of {instances} instances", who, seconds=seconds, memory=bench.peaks[name])
        line("10 keyed groups / no group", took["10 keyed groups"] / took["no group"], "<= 2")
        line("the same from cache", took["10 keyed groups, from cache"] / took["no group, from cache"], "<= 2")
        line("from cache / from the service", took["10 keyed groups, from cache"] / took["10 keyed groups"], "<= 1")
        core = took["core, 1 keyed group"] - took["no group"]
        line("seconds for one keyed group of core's helper", core, "none")
        line("seconds for one keyed group", (took["10 keyed groups"] - took["no group"]) / 10, "none")
        line("peak of memory, MiB", max(bench.peaks[name] for name in took if not name.startswith("core")), "< 250")
        requests(bench, sandbox)


def requests(bench: Bench, sandbox: SandboxProcess) -> None:
    """Count the requests of one run; a token is kept already."""
    before = sandbox.counts()["total"]
    bench.seconds("10 keyed groups")
    line("requests", sandbox.counts()["total"] - before, "pages only")


if __name__ == "__main__":
    main()
