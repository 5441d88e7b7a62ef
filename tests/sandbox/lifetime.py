# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When the sandbox ends by itself: with its parent, or after a time without requests."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import eventlet

from sandbox.recorder import Recorder

TICK = 0.5


def watch(stop: Callable[[], None], recorder: Recorder, parent: int | None, idle: float | None) -> None:
    """Call ``stop`` when the parent is gone or nothing was asked for ``idle`` seconds; runs for ever otherwise."""
    born = _born(parent) if parent else None
    while True:
        eventlet.sleep(TICK)
        if parent and (born is None or _born(parent) != born):
            stop()
        if idle and time.monotonic() - recorder.last_request > idle:
            stop()


def _born(pid: int) -> str | None:
    """Start time of a running process in the kernel's count, which tells it from a later one of the same number."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="latin-1")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in ("Z", "X") else fields[19]
