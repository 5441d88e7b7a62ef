# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is sent again after which failure, and after which pause (reliability.md section 4)."""

from __future__ import annotations

import random
import typing as t

from .._core.errors import DeadlinePassed, FcdError, RateLimited, Rejected, ServiceError, Unclear, Unreachable, Unusable
from .messages import IDEMPOTENT, READ

PASSING = frozenset({408, 500, 502, 503, 504})  # statuses of a service that may answer soon
LONGEST_ASKED, LONGEST_OWN = 60.0, 20.0  # seconds

BUDGET = 20  # repetitions that one exchange has at first; every good answer gives one back


def may_repeat(kind: str, error: FcdError) -> bool:
    """Return whether a request of this kind may be sent again after ``error``."""
    if error.details.get("repeatable") is False:
        return False
    if isinstance(error, (Unreachable, RateLimited)):
        return True  # it certainly had no effect
    if kind not in (READ, IDEMPOTENT) or isinstance(error, (Rejected, DeadlinePassed)):
        return False
    if isinstance(error, (Unclear, Unusable)):
        return True
    return isinstance(error, ServiceError) and error.status in PASSING


def pause(repetition: int, asked: float | None, spread: t.Callable[[], float] = random.random) -> float:
    """Return the seconds to wait before the repetition of this number, 1 for the first.

    ``asked`` is what the service asked for with Retry-After; without it, it is a random time that may grow.
    """
    if asked is not None:
        return min(asked, LONGEST_ASKED)
    return spread() * min(LONGEST_OWN, 2.0 ** (repetition - 1))


def seconds_asked(value: str | None, now: float) -> float | None:
    """Return what Retry-After asks for, in either of its forms; None when there is none or it is unreadable."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text), 1e6)
    if not text:
        return None
    from email.utils import parsedate_to_datetime  # costs an import; a date is rare

    try:
        moment = parsedate_to_datetime(text)
        return max(0.0, moment.timestamp() - now)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


class Budget:
    """Bounds the repetitions of a task whose service is down, however many requests it makes."""

    def __init__(self, most: int = BUDGET) -> None:
        self._most = self._left = most

    def take(self) -> bool:
        """Return whether one more repetition is allowed, and count it."""
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give_back(self) -> None:
        """Note a good answer."""
        self._left = min(self._most, self._left + 1)
