# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is sent again after which failure, and after how long a pause."""

from __future__ import annotations

import random
import threading
import typing as t

from .._core.clock import Deadline
from .._core.errors import DeadlinePassed, FcdError, RateLimited, Rejected, ServiceError, Unclear, Unreachable, Unusable
from .messages import IDEMPOTENT, READ, Request
from .retry_budget import COST, RetryBudget, cost_of

PASSING = frozenset({408, 500, 502, 503, 504})  # statuses of a service that may recover soon
LONGEST_ASKED, LONGEST_OWN = 60.0, 20.0  # seconds
BUDGET = 20  # retries that a task has at first


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
    """Return the seconds to wait before this retry; the first is number 1.

    ``asked`` is what the service asked for with Retry-After; without it, the pause is random and grows on average.
    """
    if asked is not None:
        return min(asked, LONGEST_ASKED)
    return spread() * min(LONGEST_OWN, 2.0 ** (repetition - 1))


def seconds_asked(value: str | None, now: float) -> float | None:
    """Return what Retry-After asks for, in either of its forms; None if it is missing or unreadable."""
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


class Repeater:
    """Waits before retries and shows them, at most ``most`` for a call.

    A budget limits the retries of a task whose service is down, however many requests it makes. ``shared`` returns that
    of all tasks of the play for the service at an address, None if there is none.
    """

    def __init__(self, most: int, warn: t.Callable[[str], None], shared: t.Callable[[str], RetryBudget | None]) -> None:
        self._most = most
        self._warn = warn
        self._shared = shared
        self._budget = BUDGET
        self._lock = threading.Lock()

    def wait(self, request: Request, error: FcdError, repetition: int, limit: Deadline) -> None:
        """Wait until the request may be sent again. Raises ``error`` with the reason in it if it may not be."""
        cost = cost_of(error)
        error.details.pop("timed_out", None)  # nothing for the user, who reads it in the message
        if not may_repeat(request.kind, error) or self._most == 0:
            raise error
        asked = error.details.get("retry_after")
        seconds, left = pause(repetition, asked), limit.left()
        if repetition > self._most:
            error.message += f" It was tried {repetition} times."
        elif left is not None and seconds >= left:
            error.message += f" It was not sent again: a pause of {seconds:.1f} s does not fit into this {limit.what}."
        elif spent := self.spend(request.url, cost):
            error.message += f" It was not sent again: {spent}."
        else:
            self._warn(f"{error.message} Trying again in {seconds:.1f} s ({repetition} of {self._most}).")
            limit.sleep(seconds)
            return
        raise error

    def succeeded(self, url: str, status: int) -> None:
        """Note an answer from this address that is not an error: it gives a retry back.

        The budget of all tasks gets one back only if the service does not call the answer an error of its own.
        """
        with self._lock:
            self._budget = min(BUDGET, self._budget + 1)
        shared = self._shared(url)
        if shared is not None and status < 500:
            shared.give()

    def spend(self, url: str, cost: int = COST) -> str:
        """Take a retry out of both budgets; return which one has too few points left for it, empty if neither has."""
        with self._lock:
            if self._budget < 1:
                return "this task has retried too many requests"
            self._budget -= 1
        shared = self._shared(url)
        return "" if shared is None or shared.take(cost) else shared.refusal
