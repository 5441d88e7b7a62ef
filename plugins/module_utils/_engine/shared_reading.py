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


class SharedRead(t.Generic[Value]):
    """What came of one read, and when it was begun by the monotonic clock."""

    def __init__(self, begun: float, value: Value | None, error: FcdError | None) -> None:
        self.begun = begun
        self._value = value
        self._error = error

    def told(self) -> Value:
        """Return the value. Raises a copy of the error: everybody may add to it what is known of an object."""
        if self._error is None:
            return t.cast("Value", self._value)
        own = copy.copy(self._error)
        own.details = dict(own.details)
        raise own


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
        self._last: SharedRead[Value] | None = None

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
                return self._last.told()
        return self._read_now().told()

    def _read_now(self) -> SharedRead[Value]:
        begun, done = self._clock.monotonic(), self._last
        try:
            done = SharedRead(begun, self._read(), None)
        except FcdError as error:
            done = SharedRead(begun, None, error)
        finally:  # after a defect somebody else may try
            with self._changed:
                self._reading, self._last = False, done
                self._changed.notify_all()
        return done
