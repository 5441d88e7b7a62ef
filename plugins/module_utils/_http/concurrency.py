# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many requests of a task are in progress at a service at the same time, as far as the service allows.

The limits of the service are not known. So there is none until it refuses a request because there are too many. Then
half as many may be in progress, and each request that it answers otherwise raises that again, by about one when as many
have been answered (additive increase, multiplicative decrease). Requests that have to wait are sent in their order.
"""

from __future__ import annotations

import collections
import math
import threading
import types
import typing as t

from .._core.clock import Deadline
from .._core.errors import RateLimited, Rejected


class ConcurrencyLimit:
    """The limit for one service. Threads share it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: collections.deque[Turn] = collections.deque()
        self._running = 0
        self._most = math.inf
        self._decreases = 0

    def wait(self, operation: str, deadline: Deadline) -> Turn:
        """Wait until one more request may be in progress, and return its turn. Raises DeadlinePassed."""
        with self._changed:
            turn = Turn(self._end, self._decreases, waited=bool(self._waiting) or self._running + 1 > self._most)
            self._waiting.append(turn)
            try:
                if not self._changed.wait_for(lambda: self._is_next(turn), deadline.left()):
                    deadline.check(operation)
                self._running += 1
                turn.decreases = self._decreases
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()
        return turn

    def _is_next(self, turn: Turn) -> bool:
        return self._waiting[0] is turn and self._running + 1 <= self._most

    def _end(self, turn: Turn, error: BaseException | None) -> None:
        """Lower the limit once for all that were in progress at the same time, or raise it."""
        with self._changed:
            if isinstance(error, RateLimited):
                if turn.decreases == self._decreases:
                    self._most = max(1.0, self._running / 2)
                    self._decreases += 1
            elif error is None or isinstance(error, Rejected):
                self._most += 1 / self._most
            self._running -= 1
            self._changed.notify_all()


class Turn:
    """A request that may be in progress, as it is until the context ends; what ends it may lower the limit.

    ``waited`` says that there were too many before, ``decreases`` how often the limit had been lowered when it began.
    """

    def __init__(self, end: t.Callable[[Turn, BaseException | None], None], decreases: int, *, waited: bool) -> None:
        self._end = end
        self.decreases = decreases
        self.waited = waited

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: types.TracebackType | None
    ) -> None:
        """End it."""
        self._end(self, error)
