# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time: the only place that sleeps, so that tests can replace it.

Wait until something is so.
"""

from __future__ import annotations

import time
import typing as t

from .errors import DeadlinePassed, WaitTimeout

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
        """Seconds that are left, not below zero; None if there is no end."""
        return None if self._end is None else max(0.0, self._end - self.clock.monotonic())

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and self.clock.monotonic() >= self._end

    def check(self, doing: str) -> None:
        """Raise DeadlinePassed if the time is up."""
        if self.over:
            text = f"{doing}: the time limit of this {self.what} ({self.seconds:g} s) has passed."
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


Value = t.TypeVar("Value")


def wait_until(
    read: t.Callable[[], Value],
    done: t.Callable[[Value], bool],
    deadline: Deadline,
    *,
    what: str,
    progress: t.Callable[[Value], str] | None = None,
    tell: t.Callable[[str], None] | None = None,
    first: float = 0.2,
    longest: float = 10.0,
) -> Value:
    """Read until ``done``; pauses grow from ``first`` to ``longest`` seconds. Raises WaitTimeout."""
    pause, said = first, ""
    while True:
        value = read()
        if done(value):
            return value
        now = progress(value) if progress else ""
        if tell and now and now != said:
            tell(f"{what}: {now}")
            said = now
        if deadline.over:
            raise WaitTimeout(
                f"{what} did not finish within {deadline.seconds:g} s{f' (last seen: {now})' if now else ''}.",
                next_step="The operation continues at the service; run the task again, with a larger wait_timeout "
                "if necessary.",
            )
        deadline.sleep(pause)
        pause = min(longest, pause * 1.6)
