# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One operation in a process of its own, run as the twin runs it in a task worker.

    python tests/bench/storage_ours.py MODULE OPTIONS(JSON) [--profile]

Prints one line of JSON: ``seconds`` and ``cpu`` (processor seconds) of the operation, without the start of the process,
``rss`` (most memory, in MiB) and ``result``. Settings are the FCD_ variables. With ``--profile`` it prints where the
processor time of the main thread goes, to standard error.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import sys
import time
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree

sys.path.insert(0, str(collection_tree.linked()))

from chaos import task_process
from storage_floor import most_memory


def main() -> None:
    """Run it and print what it took."""
    parser = argparse.ArgumentParser(description="One operation, as the twin runs it.")
    parser.add_argument("module")
    parser.add_argument("options", type=json.loads)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    task_process.run(given.module, {}, check_mode=True)  # fails for want of options, with everything imported
    profile = cProfile.Profile() if given.profile else None
    spent = time.process_time()
    ended = profiled(profile, given.module, given.options)
    took: dict[str, t.Any] = {"seconds": ended.seconds, "cpu": time.process_time() - spent, "rss": most_memory()}
    json.dump({**took, "result": ended.succeeded()}, sys.stdout)


def profiled(profile: cProfile.Profile | None, module: str, options: dict[str, t.Any]) -> task_process.Ended:
    """Run the operation; with a profile print it."""
    if profile is None:
        return task_process.run(module, options, check_mode=False)
    ended = profile.runcall(task_process.run, module, options, check_mode=False)
    pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(30)
    return ended


if __name__ == "__main__":
    main()
