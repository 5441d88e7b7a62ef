# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers for many threads: worked out once for each question, or read once for all who ask at the same time."""

from __future__ import annotations

import copy
import threading
import typing as t

from .errors import FcdError

if t.TYPE_CHECKING:
    from .clock import Clock

Value = t.TypeVar("Value")
GATHER = 0.1  # seconds that a read may wait for others that will need the same


class Memory:
    """Remembers the answer to each question: a value, or an error of which everybody gets a copy.

    Whoever asks while the answer is being worked out waits for it. The values are shared: do not change them.
    """

    def __init__(self) -> None:
        self._answers: dict[t.Hashable, _Answer] = {}
        self._lock = threading.Lock()

    def answer(self, question: t.Hashable, work_out: t.Callable[[], Value]) -> Value:
        """Return the answer. Raises the FcdError that came up while working it out."""
        with self._lock:
            answer = self._answers.get(question)
            mine = answer is None
            if answer is None:
                answer = self._answers[question] = _Answer()
        if mine:
            self._work_out(question, answer, work_out)
        answer.known.wait()
        told: Value = answer.told()
        return told

    def __len__(self) -> int:
        """Return how many questions have been asked."""
        return len(self._answers)

    def values(self) -> list[t.Any]:
        """Return all values that are known."""
        return [answer.value for answer in list(self._answers.values()) if answer.known.is_set()]

    def _work_out(self, question: t.Hashable, answer: _Answer, work_out: t.Callable[[], t.Any]) -> None:
        try:
            answer.value = work_out()
        except FcdError as error:
            answer.error = error
        except BaseException as defect:
            with self._lock:
                del self._answers[question]
            answer.error = FcdError(f"It could not be read: {type(defect).__name__}.")  # for those that wait
            raise
        finally:
            answer.known.set()


class _Answer:
    def __init__(self) -> None:
        self.known = threading.Event()
        self.value: t.Any = None
        self.error: FcdError | None = None

    def told(self) -> t.Any:
        if self.error is None:
            return self.value
        raise _own(self.error)


def _own(error: FcdError) -> FcdError:
    own = copy.copy(error)
    own.details = dict(own.details)
    return own


class _Read(t.NamedTuple):
    """The result of one read, a value or an error, and when the read began by the monotonic clock."""

    begun: float
    end: t.Any


class SharedReading(t.Generic[Value]):
    """Gives everybody the result of one read, as if each had read alone.

    Everybody gets what was read after the moment that they name, never anything older: a thread that has
    taken a lock, or has changed something, sees the state after that. While a read is in progress, those that need a
    later one wait, and one more read serves all of them. A read begins ``gather`` seconds after it was first needed, so
    that others can join.
    """

    def __init__(self, read: t.Callable[[], Value], clock: Clock, gather: float = 0.0) -> None:
        self._read = read
        self._clock = clock
        self._gather = gather
        self._changed = threading.Condition()
        self._reading = False
        self._last: _Read | None = None

    def since(self, moment: float | None = None) -> Value:
        """Return what was read after that moment of the monotonic clock; None stands for now.

        Raises what the read raised.
        """
        if moment is None:
            moment = self._clock.monotonic()
        with self._changed:
            while self._last is None or self._last.begun < moment:
                if not self._reading:
                    self._reading = True
                    break
                self._changed.wait()
            else:
                return self._told(self._last)
        return self._told(self._read_now())

    def _told(self, done: _Read) -> Value:
        """Return what was read. Raises a copy of the error: everybody may add what is known about their object."""
        if isinstance(done.end, FcdError):
            raise _own(done.end)
        return t.cast("Value", done.end)

    def _read_now(self) -> _Read:
        done = self._last
        try:
            self._clock.sleep(self._gather)
            begun = self._clock.monotonic()
            try:
                done = _Read(begun, self._read())
            except FcdError as error:
                done = _Read(begun, error)
        finally:  # after a defect, another thread may try
            with self._changed:
                self._reading, self._last = False, done
                self._changed.notify_all()
        return done
