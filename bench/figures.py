# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bench reports to run_benches.py besides what it prints: standard library only.

The variable BENCH_FIGURES names a file, to which each figure is appended as one line of JSON. Without it nothing is
written.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

VARIABLE = "BENCH_FIGURES"


def note(
    work: str,
    who: str,
    *,
    seconds: float | None = None,
    busy: float | None = None,
    requests: int | None = None,
    memory: float | None = None,
    entries: int | None = None,
) -> None:
    """Report what ``who`` took for a piece of work.

    Args:
        work: what was done; all who do the same are compared.
        who: ``ours``, or what begins with it, or the name of a peer.
        seconds: wall time.
        busy: processor time in seconds.
        requests: how many requests were sent.
        memory: the most of one process, in MiB.
        entries: how large the work was, where it is measured in several sizes.
    """
    figure = {"seconds": seconds, "busy": busy, "requests": requests, "memory": memory, "entries": entries}
    _write({"work": work, "who": who, **{name: value for name, value in figure.items() if value is not None}})


def not_run(who: str, why: str) -> None:
    """Report that a peer was left out."""
    _write({"who": who, "not_run": why})


def _write(line: dict[str, object]) -> None:
    if place := os.environ.get(VARIABLE):
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
