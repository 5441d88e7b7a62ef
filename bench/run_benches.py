# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the benches one after the other, and tells what moved since the run that was kept.

    python bench/run_benches.py [--size 10] [--rounds 1] [--only NAME ...] [--keep]

All figures go to ``.work/bench/latest.json``. With ``--keep`` they also replace those of the same benches in
``bench/kept.json``, with which later runs are compared, and in the page ``docs/costs.rst`` with its charts. A peer that
is not installed is named as not run.
Exits with 1 when a bench fails; what moved is told, and fails nothing.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import typing as t
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import costs_page
import figure_comparison
import figures
import workspace

KEPT = HERE / "kept.json"
PAGE = ROOT / "docs" / "costs.rst"
CHARTS = ROOT / "docs" / "static"


def benches(size: int) -> dict[str, list[str]]:
    """Return the arguments of each bench for work of this size."""
    return {
        "storage_tree": ["--files", f"{size * 5}", "--rounds", "1", "--connections", "4"],
        "storage_many": ["--files", f"{size * 50}", "--connections", "4"],
        "storage_large": ["--mebibytes", f"{max(1, size // 4)}", "--rounds", "1"],
        "storage_single": ["--tasks", f"{max(1, size // 2)}", "--rounds", "1"],
        "inventory": ["1", f"{size * 250}"],
        "orchestration_task": ["1"],
        "whole_site": [
            *("--share", f"{size / 100}", "--runs", "1", "--no-processes", "--latency", "0"),
            *("--large", f"{size * 50}"),
        ],
        "fleet": ["--instances", f"{size}", "--tickets", "0.5", "--loop", "2"],
        "task_cost": ["1"],
        "soap_task": ["--rounds", "2"],
        "soap_decoding": ["--rows", f"{size * 250}", "--rounds", "2"],
        "parts": ["--instances", f"{size * 4}", "--objects", f"{size * 20}", "--sizes", "3"],
    }


class Round(t.NamedTuple):
    """What the benches of one round reported: figures, peers that were not run, benches that failed, loads before."""

    figures: list[figure_comparison.Figure]
    not_run: list[dict[str, str]]
    failed: list[dict[str, str]]
    loads: dict[str, float]


def run(chosen: t.Mapping[str, t.Sequence[str]], folder: Path) -> Round:
    """Run benches one after the other; what they print goes to files in the folder."""
    done = Round([], [], [], {})
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for name, arguments in chosen.items():
        place, log = folder / f"{name}.jsonl", folder / f"{name}.log"
        place.unlink(missing_ok=True)
        done.loads[name] = round(os.getloadavg()[0], 1)
        print(f"{name} {' '.join(arguments)}", flush=True)
        command = [sys.executable, str(HERE / f"{name}.py"), *arguments]
        with log.open("wb") as out:
            variables = {**environment, figures.VARIABLE: str(place)}
            ended = subprocess.run(
                command, env=variables, stdout=out, stderr=out, stdin=subprocess.DEVNULL, check=False
            )
        lines = place.read_text(encoding="utf-8").splitlines() if place.exists() else []
        for line in map(json.loads, lines):
            told = {"bench": name, **line}
            if "not_run" in told:
                done.not_run.append(told)
            else:
                done.figures.append(told)
        if ended.returncode or not lines:
            why = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:] or ["it reported nothing"]
            done.failed.append({"bench": name, "why": why[0], "log": str(log)})
    return done


def machine() -> dict[str, t.Any]:
    """Return what of this machine the figures depend on."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processors": os.cpu_count(),
        "memory_gib": round(pages / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "ansible_core": importlib.metadata.version("ansible-core"),
    }


def document(size: int, rounds: t.Sequence[Round], about: dict[str, t.Any]) -> dict[str, t.Any]:
    """Return all that is written of a run; ``about`` is told of each bench."""
    peers = {(one["bench"], one["who"]): one for each in rounds for one in each.not_run}
    return {
        "size": size,
        "machine": machine(),
        "benches": {name: {**about, "load": load} for name, load in rounds[0].loads.items()},
        "rows": figure_comparison.rows([each.figures for each in rounds]),
        "not_run": list(peers.values()),
        "failed": [one for each in rounds for one in each.failed],
    }


def version() -> dict[str, t.Any]:
    """Return the commit of the checkout, and whether it has changes that are in none."""

    def git(*arguments: str) -> str:
        command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain", "plugins", "bench/*.py")
    return {"commit": git("rev-parse", "HEAD"), "changed_since": bool(changed)}


def keep(latest: dict[str, t.Any]) -> None:
    """Have later runs compared with this one, and write the page and its charts."""
    kept = figure_comparison.merged(kept_before(), latest)
    _write(KEPT, written(kept))
    write_page(kept)


def written(whole: dict[str, t.Any]) -> str:
    """Return a document as JSON with a line for each row, so that a change of one shows as one."""

    def text(value: object) -> str:
        items = [json.dumps(item) for item in value] if isinstance(value, list) else []
        return "[\n  " + ",\n  ".join(items) + "\n ]" if items else json.dumps(value)

    return "{\n" + ",\n".join(f' "{name}": {text(value)}' for name, value in whole.items()) + "\n}\n"


def kept_before() -> dict[str, t.Any] | None:
    """Return the run that was kept, or None."""
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else None


def write_page(kept: dict[str, t.Any]) -> None:
    """Write the page and its charts from what was kept."""
    _write(PAGE, costs_page.page(kept))
    for name, chart in costs_page.charts(kept).items():
        _write(CHARTS / name, chart)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def tell(latest: dict[str, t.Any]) -> None:
    """Print what moved, which peers were not run, and what failed."""
    for one in latest["not_run"]:
        print(f"NOT RUN in {one['bench']}: {one['who']}: {one['not_run']}")
    for one in latest["failed"]:
        print(f"FAILED: {one['bench']}: {one['why']} ({one['log']})")
    kept = kept_before()
    if kept is None:
        print("No run was kept: nothing is compared.")
        return
    lines = figure_comparison.moved(kept, latest)
    print("\n".join(lines) if lines else "Nothing moved beyond the noise.")


def main() -> int:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description="Runs the benches and compares them with the run that was kept.")
    parser.add_argument(
        "--size", type=int, default=10, help="how large the work is: about as many instances, 5 times as many objects"
    )
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=list(benches(1)), help="some of the benches")
    parser.add_argument("--keep", action="store_true", help="compare later runs with this one; write the page")
    parser.add_argument("--page", action="store_true", help="only write the page from what was kept")
    given = parser.parse_args()
    if given.page:
        write_page(json.loads(KEPT.read_text(encoding="utf-8")))
        return 0
    folder = workspace.folder() / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    chosen = {name: arguments for name, arguments in benches(given.size).items() if name in (given.only or [name])}
    made_at = dt.datetime.now(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    about = {"rounds": given.rounds, "made_at": made_at, **version()}
    latest = document(given.size, [run(chosen, folder) for _round in range(given.rounds)], about)
    _write(folder / "latest.json", written(latest))
    tell(latest)
    if latest["failed"]:
        return 1
    if given.keep:
        keep(latest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
