# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A clock that a signal puts forward: a test ends a wait when it has seen what comes before, and not after seconds."""

from __future__ import annotations

import importlib
import os
import signal
import time
import typing as t

LEAP = signal.SIGUSR1
AHEAD = 3600.0
"""Seconds of a leap: longer than any wait of a test, shorter than a token lives."""

JUMP, JUMP_BY = signal.SIGUSR2, "CHAOS_JUMP"
"""A jump of the wall clock alone, as of a resumed machine, by the seconds that stand in this variable."""

AHEAD_BY = "CHAOS_AHEAD"
"""The variable with the seconds by which the clock is ahead from the start."""

GLANCE = 0.02
"""Seconds after which a sleeper looks at the clock."""


def install(module_utils: str) -> None:
    """Let the collection's clock leap in this process at each signal LEAP, and its wall clock jump at each JUMP."""
    leaps: list[float] = []
    jumps = [float(os.environ.get(AHEAD_BY, "0"))]
    replace(importlib.import_module(f"{module_utils}._core.clock").Clock, leaps, jumps=jumps)
    signal.signal(LEAP, lambda _number, _frame: leaps.append(AHEAD))
    signal.signal(JUMP, lambda _number, _frame: jumps.append(float(os.environ[JUMP_BY])))


def replace(
    clock: t.Any, leaps: t.Sequence[float], put: t.Callable[..., None] = setattr, *, jumps: t.Sequence[float] = ()
) -> None:
    """Let this class of clocks be ahead by all ``leaps``. Time limits of single calls are none of its business.

    The wall clock, whose time is written to disk, is off by all ``jumps`` besides.
    """

    def sleep(self: t.Any, seconds: float) -> None:
        end = self.monotonic() + seconds
        while (left := end - self.monotonic()) > 0:
            time.sleep(min(left, GLANCE))

    put(clock, "monotonic", lambda self: time.monotonic() + sum(leaps))
    put(clock, "now", lambda self: time.time() + sum(leaps) + sum(jumps))
    put(clock, "sleep", sleep)
