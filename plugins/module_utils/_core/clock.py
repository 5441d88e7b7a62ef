# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clocks, deadlines and waiting: polling, reads that threads share, and signals caught in the meantime.

This is the only place that sleeps, so that tests can replace it.
"""

from __future__ import annotations

import abc
import copy
import math
import signal
import threading
import time
import types
import typing as t

from .errors import DeadlinePassed, FcdError, WaitTimeout

DEADLINE_ADVICE = {
    "task": "If it may take longer, raise task_timeout.",
    "call": "If the service is only slow, raise timeout.",
}


class Clock:
    """The real clock."""

    def now(self) -> float:
        """Seconds since the epoch, for what is written to disk."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that never go back, for deadlines."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class Deadline:
    """A point in time by which something has to be done; with ``None`` seconds there is none."""

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
        return self._end is not None and self.clock.monotonic() >= self._end

    def check(self, doing: str) -> None:
        """Raise DeadlinePassed if the time is up."""
        if self.over:
            text = f"{doing}: the time limit of this {self.what} ({self.seconds:g} s) has passed."
            raise DeadlinePassed(text, next_step=DEADLINE_ADVICE.get(self.what))

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


_Value = t.TypeVar("_Value")


def wait_until(
    read: t.Callable[[], _Value],
    done: t.Callable[[_Value], bool],
    deadline: Deadline,
    *,
    what: str,
    progress: t.Callable[[_Value], str] | None = None,
    tell: t.Callable[[str], None] | None = None,
    first: float = 0.2,
    longest: float = 10.0,
) -> _Value:
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


GATHER = 0.1  # seconds that a read may wait for others that will need the same
RECENT_SECONDS = 2.0  # for which a value is recent; longer for what takes long to read


class SharedReading(t.Generic[_Value]):
    """Lets concurrent readers share one request.

    A reader only gets a value whose read began after the moment that it names, so a thread that has taken a lock or
    changed something sees the state after that. While a read is in progress, readers that need a later one wait, and
    one further read serves them all. A read begins ``gather`` seconds after it was first needed, so that others can
    join.
    """

    def __init__(self, read: t.Callable[[], _Value], clock: Clock, gather: float = 0.0) -> None:
        self._read = read
        self._clock = clock
        self._gather = gather
        self._changed = threading.Condition()
        self._reading = False
        self._last: tuple[float, t.Any] = (-math.inf, None)  # when the last read began, and its value or error
        self._took = 0.0

    def since(self, moment: float | None = None) -> _Value:
        """Return a value read after this moment of the monotonic clock; None stands for now.

        Raises the error of the read, as a copy for each reader: each may add details of its own object.
        """
        earliest = self._clock.monotonic() if moment is None else moment
        with self._changed:
            self._changed.wait_for(lambda: self._last[0] >= earliest or not self._reading)
            last = self._last
            self._reading = self._reading or last[0] < earliest
        result = last[1] if last[0] >= earliest else self._read_now()
        if isinstance(result, FcdError):
            result = copy.copy(result)
            result.details = dict(result.details)
            raise result
        return t.cast("_Value", result)

    def recent(self, moment: float) -> _Value:
        """Return a value read after this moment that is recent: many who ask one after the other share one read.

        It is recent for twice the time that reading it took, and at least for RECENT_SECONDS. An error never is.
        """
        failed = isinstance(self._last[1], FcdError)
        age = 0.0 if failed else max(RECENT_SECONDS, 2 * self._took)
        return self.since(max(moment, self._clock.monotonic() - age))

    def _read_now(self) -> object:
        last = self._last
        try:
            if self._gather:
                self._clock.sleep(self._gather)
            start = self._clock.monotonic()
            try:
                last = (start, self._read())
            except FcdError as error:
                last = (start, error)
            self._took = self._clock.monotonic() - start
        finally:  # after a defect, another thread may try
            with self._changed:
                self._reading, self._last = False, last
                self._changed.notify_all()
        return last[1]


class Memory:
    """Caches the answer to each question: a value, or an error that is copied for each caller.

    Callers that ask while the answer is being computed wait for it. Values are shared: do not change them.
    """

    def __init__(self) -> None:
        self._answers: dict[t.Hashable, SharedReading[t.Any]] = {}

    def answer(self, question: t.Hashable, work_out: t.Callable[[], _Value]) -> _Value:
        """Return the answer. Raises the FcdError that computing it raised."""
        answer: _Value = self._answers.setdefault(question, SharedReading(work_out, Clock())).since(0.0)
        return answer


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class SignalGuard(abc.ABC):
    """A context in which the signals of ``SIGNALS`` only call ``take``.

    This works in a main thread only; elsewhere it does nothing. A signal that the process ignores stays ignored: a
    process started with ``nohup`` is meant to go on.
    """

    def __init__(self) -> None:
        self._before: dict[signal.Signals, t.Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            heeded = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
            self._before = {number: signal.signal(number, self.take) for number in heeded}

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    @abc.abstractmethod
    def take(self, number: int, frame: types.FrameType | None) -> None:
        """Take note of a signal."""
