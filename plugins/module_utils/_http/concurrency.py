# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many requests of a task are in progress at a service at the same time, as far as the service allows.

The limits of the service are not known. So there is none until it refuses a request because there are too many. Then
half as many may be in progress, and each request that is not refused raises that again, by about one when as many have
been answered (additive increase, multiplicative decrease).
"""

from __future__ import annotations

import contextlib
import math
import threading
import typing as t

from .._core.clock import Deadline
from .._core.errors import RateLimited


class ConcurrencyLimit:
    """The limit for one service. Threads share it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._most = math.inf
        self._decreases = 0

    @contextlib.contextmanager
    def request(self, operation: str, deadline: Deadline) -> t.Iterator[None]:
        """Wait until one more request may be in progress; it is until the context ends. Raises DeadlinePassed."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._running + 1 <= self._most, deadline.left()):
                deadline.check(operation)
            self._running += 1
            decreases = self._decreases
        try:
            yield
        except RateLimited:
            self._lower(decreases)
            raise
        else:
            with self._changed:
                self._most += 1 / self._most
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def _lower(self, decreases: int) -> None:
        """Halve the limit, once for all that were in progress at the same time; ``decreases`` when one began."""
        with self._changed:
            if decreases == self._decreases:
                self._most = max(1.0, self._running / 2)
                self._decreases += 1
