# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time: the only place that sleeps, so that tests can replace it."""

from __future__ import annotations

import time

from .errors import DeadlinePassed

ADVICE = {"task": "If it may take longer, raise task_timeout.", "call": "If the service is only slow, raise timeout."}


class Clock:
    """The real clock."""

    def now(self) -> float:
        """Seconds since the epoch, for what is written to disk."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that never go back, for deadlines."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        if seconds > 0:
            time.sleep(seconds)


class Deadline:
    """A point in time by which something has to be done; ``None`` seconds means never."""

    def __init__(self, clock: Clock, seconds: float | None, what: str = "task") -> None:
        self.clock = clock
        self.seconds = seconds
        self.what = what
        self._end = None if seconds is None else clock.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds that are left, not below zero; None when there is no end."""
        return None if self._end is None else max(0.0, self._end - self.clock.monotonic())

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and self.clock.monotonic() >= self._end

    def check(self, doing: str) -> None:
        """Raise DeadlinePassed when the time is up."""
        if self.over:
            text = f"{doing}: the time for this {self.what} ({self.seconds:g} s) is over."
            raise DeadlinePassed(text, next_step=ADVICE.get(self.what))

    def within(self, seconds: float | None, what: str) -> Deadline:
        """Return a deadline of ``seconds`` from now, or this one's end when that comes first."""
        left = self.left()
        if left is not None and (seconds is None or left < seconds):
            return self
        return Deadline(self.clock, seconds, what)

    def sleep(self, seconds: float) -> None:
        """Sleep, at most until the end."""
        left = self.left()
        self.clock.sleep(seconds if left is None else min(seconds, left))
