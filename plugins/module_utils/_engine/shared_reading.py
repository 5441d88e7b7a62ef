# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One read for all who want to know the same at the same time."""

from __future__ import annotations

import copy
import threading
import typing as t

from .._core.clock import Clock
from .._core.errors import FcdError

Value = t.TypeVar("Value")


class SharedReading(t.Generic[Value]):
    """Answers everybody with one read, as if each had read alone.

    Whoever asks gets what was read after the moment that is asked for, never something older: so a thread that has
    taken a lock, or has changed something, sees what was there then. While a read is on its way, those who need a later
    one wait, and one more read serves all of them.
    """

    def __init__(self, read: t.Callable[[], Value], clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._changed = threading.Condition()
        self._reading = False
        self._begun: float | None = None
        self._answer: Value | FcdError | None = None

    def since(self, moment: float | None = None) -> Value:
        """Return what was read after that moment of the monotonic clock; None stands for now.

        Raises what the read raised.
        """
        if moment is None:
            moment = self._clock.monotonic()
        with self._changed:
            while not self._fresh(moment):
                if not self._reading:
                    self._reading = True
                    break
                self._changed.wait()
            else:
                return self._told()
        return self._read_now()

    def _fresh(self, moment: float) -> bool:
        return self._begun is not None and self._begun >= moment

    def _read_now(self) -> Value:
        begun, answer = self._clock.monotonic(), None
        try:
            answer = self._read()
        except FcdError as error:
            answer = error
        finally:
            with self._changed:
                self._reading = False
                if answer is not None:
                    self._begun, self._answer = begun, answer
                self._changed.notify_all()
        return self._told_of(answer)

    def _told(self) -> Value:
        return self._told_of(t.cast("t.Union[Value, FcdError]", self._answer))

    def _told_of(self, answer: Value | FcdError) -> Value:
        if not isinstance(answer, FcdError):
            return answer
        own = copy.copy(answer)  # everybody may add to it what is known of the object
        own.details = dict(answer.details)
        raise own
