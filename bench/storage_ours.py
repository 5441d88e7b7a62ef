# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One operation in a process of its own, run as the action plugin runs it in a task worker.

    python bench/storage_ours.py MODULE OPTIONS(JSON) [--profile]

Prints one line of JSON: ``seconds`` and ``cpu`` (processor seconds) of the operation, without the start of the process,
``rss`` (most memory, in MiB) and ``result``. Settings are the FCD_ variables. With ``--profile`` it prints where the
time of all threads goes, to standard error.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import sys
import threading
import time
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree

sys.path.insert(0, str(collection_tree.linked()))

from chaos import task_process
from storage_floor import most_memory

SHOWN = 40
"""Lines of a profile."""


def main() -> None:
    """Run it and print what it took."""
    parser = argparse.ArgumentParser(description="One operation, as the action plugin runs it.")
    parser.add_argument("module")
    parser.add_argument("options", type=json.loads)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    task_process.run(given.module, {}, check_mode=True)  # fails for want of options, with everything imported
    profiles = profile_all_threads() if given.profile else []
    spent = time.process_time()
    ended = task_process.run(given.module, given.options, check_mode=False)
    took: dict[str, t.Any] = {"seconds": ended.seconds, "cpu": time.process_time() - spent, "rss": most_memory()}
    json.dump({**took, "result": ended.succeeded()}, sys.stdout)
    if profiles:
        profiles[0].disable()
        pstats.Stats(*profiles, stream=sys.stderr).sort_stats("tottime").print_stats(SHOWN)


def profile_all_threads() -> list[cProfile.Profile]:
    """Profile this thread from now on and every thread that is started; returns the profiles, which will be more."""
    profiles = [cProfile.Profile(time.thread_time)]
    plain = threading.Thread.run

    def run(thread: threading.Thread) -> None:
        own = cProfile.Profile(time.thread_time)
        profiles.append(own)
        own.runcall(plain, thread)

    threading.Thread.run = run  # type: ignore[method-assign,assignment]
    profiles[0].enable()
    return profiles


if __name__ == "__main__":
    main()
