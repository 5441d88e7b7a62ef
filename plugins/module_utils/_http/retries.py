# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Retries: of which requests, after which failures and pauses, and the budget that all tasks of a play share."""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import random
import threading
import typing as t
from email.utils import parsedate_to_datetime

from .._core.clock import Clock, Deadline
from .._core.errors import (
    GATEWAY,
    DeadlinePassed,
    FcdError,
    RateLimited,
    Rejected,
    ServiceError,
    Unclear,
    Unreachable,
    Unusable,
)
from .._core.private_files import PRIVATE_MODE, private_folder, remove_older
from .messages import IDEMPOTENT, READ, WRITE, Request, number_of, origin

TRANSIENT_STATUSES = frozenset({408, 500, 502, 503, 504})  # statuses of a service that may recover soon
MAX_ASKED, MAX_OWN = 60.0, 20.0  # seconds
BUDGET = 20  # retries that a task has at first
COST, COST_OF_TIME_OUT, GAIN = 5, 10, 1  # points
TIME_OUTS = frozenset({408, 504})  # statuses
FULL_AFTER = 1800.0  # seconds after which all spent points are back
TRIES, PAUSE = 100, 0.005  # to get the lock, which is held for a fraction of a millisecond; seconds
RECORD_LENGTH = 64  # bytes of the file, and of a date


class SharedRetries(t.NamedTuple):
    """The budget, in points, that the tasks of a play share for their retries of each service.

    ``file`` returns where the spent points of the service at an address are kept, ``owner`` says whose they are, and
    ``tell`` shows what is left.
    """

    capacity: int
    file: t.Callable[[str], str]
    owner: str
    tell: t.Callable[[str], None]


def may_repeat(kind: str, error: FcdError) -> bool:
    """Return whether a request of this kind may be sent again after ``error``."""
    if error.details.get("repeatable") is False or (kind == WRITE and GATEWAY in error.details):
        return False
    if isinstance(error, (Unreachable, RateLimited)):
        return True  # it certainly had no effect
    if kind not in (READ, IDEMPOTENT) or isinstance(error, (Rejected, DeadlinePassed)):
        return False
    if isinstance(error, (Unclear, Unusable)):
        return True
    return isinstance(error, ServiceError) and error.status in TRANSIENT_STATUSES


def pause(repetition: int, asked: float | None, spread: t.Callable[[], float] = random.random) -> float:
    """Return the seconds to wait before this retry; the first is number 1.

    ``asked`` is what the service asked for with Retry-After; without it, the pause is random and grows on average.
    """
    if asked is not None:
        return min(asked, MAX_ASKED)
    return spread() * min(MAX_OWN, 2.0 ** (repetition - 1))


def retry_after_seconds(headers: t.Mapping[str, str], now: float) -> float | None:
    """Return what Retry-After asks for, in either of its forms; None if it is missing or unreadable."""
    number, text = number_of(headers, "retry-after"), headers.get("retry-after", "")
    if number is not None:
        return min(float(number), 1e6)
    if not 0 < len(text) <= RECORD_LENGTH:
        return None

    try:
        moment = parsedate_to_datetime(text)
        return max(0.0, moment.timestamp() - now)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def cost_of(error: FcdError) -> int:
    """Return the cost of a retry after this error; ``timed_out`` in its details says that nothing came in time."""
    return COST_OF_TIME_OUT if error.details.get("timed_out") or error.details.get("status") in TIME_OUTS else COST


class Repeater:
    """Waits before retries and shows them, at most ``most`` for a call.

    A budget limits the retries of a task whose service is down, however many requests it makes; ``shared`` is that of
    all tasks of the play.
    """

    def __init__(self, most: int, warn: t.Callable[[str], None], shared: SharedRetries | None, clock: Clock) -> None:
        self._most = most
        self._warn = warn
        self._shared = shared
        self._clock = clock
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
        if self._shared is not None and status < 500:
            RetryBudget(self._shared, url, self._clock).give()

    def spend(self, url: str, cost: int = COST) -> str:
        """Take a retry from both budgets; return which one has too few points left for it, empty if neither has."""
        with self._lock:
            if self._budget < 1:
                return "this task has retried too many requests"
            self._budget -= 1
        if self._shared is None:
            return ""
        budget = RetryBudget(self._shared, url, self._clock)
        return "" if budget.take(cost) else budget.refusal


class RetryBudget:
    """The points of the service at an address, so that many tasks do not flood a service that is down.

    A retry takes some, a good answer gives one back, and time gives back all. The spent points are in a small private
    file, which the processes of the play update in turn, and which only exists while points are spent. It never blocks
    anything: if the file cannot be used, only the task limits its retries.
    """

    def __init__(self, shared: SharedRetries, url: str, clock: Clock) -> None:
        self._path = shared.file(url)
        self._capacity = shared.capacity
        self._clock = clock
        self._tell = shared.tell
        self.name = f"the retry budget of {shared.owner} for {origin(url)}"

    @property
    def refusal(self) -> str:
        """The message for a spent budget."""
        return (
            f"{self.name} is spent; each good answer gives {GAIN} of its {self._capacity} points back, a retry takes "
            f"{COST}, and within {FULL_AFTER / 60:g} minutes it is full again"
        )

    def take(self, cost: int) -> bool:
        """Take the points for a retry and tell what is left; return False when there are too few."""
        left = self._change(cost, os.O_CREAT)
        if left is not None and left >= 0:
            self._tell(f"{self.name[0].upper()}{self.name[1:]} has {left:.0f} of {self._capacity} points left.")
        return left is None or left >= 0

    def give(self) -> None:
        """Give points back for a good answer, if any are spent."""
        self._change(-GAIN)

    def _change(self, by: int, flags: int = 0) -> float | None:
        """Spend so many points, if there are as many, and return what would be left; None if that is not possible."""
        try:
            if flags & os.O_CREAT:
                private_folder(os.path.dirname(self._path))
            with self._locked(flags) as descriptor:
                spent = max(0.0, self._spent(descriptor) + by)
                if not spent:
                    os.unlink(self._path)
                elif spent <= self._capacity:
                    os.pwrite(
                        descriptor, f"{spent:.3f} {self._clock.now():.3f}".ljust(RECORD_LENGTH).encode("ascii"), 0
                    )
                return self._capacity - spent
        except (FcdError, OSError):
            return None

    @contextlib.contextmanager
    def _locked(self, flags: int) -> t.Iterator[int]:
        """Open the file and keep other processes out of it. Raises OSError, also if one of them hangs."""
        for _try in range(TRIES):
            descriptor = os.open(
                self._path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | flags, PRIVATE_MODE
            )
            try:
                if _lock(descriptor):
                    yield descriptor
                    return
            finally:
                os.close(descriptor)
            self._clock.sleep(PAUSE)
        raise BlockingIOError

    def _spent(self, descriptor: int) -> float:
        """Return the points that are spent now; if the file is new or broken, none are."""
        try:
            spent, at = map(float, os.read(descriptor, RECORD_LENGTH).split())
        except ValueError:
            # the files of plays that have ended; by now, all of them would be full again
            remove_older(os.path.dirname(self._path), self._clock.now() - FULL_AFTER, keep=self._path)
            return 0.0
        passed = max(0.0, self._clock.now() - at)
        known = spent - passed * self._capacity / FULL_AFTER
        return min(max(0.0, known), self._capacity) if math.isfinite(known) else 0.0


def _lock(descriptor: int) -> bool:
    """Return whether this process now has the file; one that was removed in the meantime does not count."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(descriptor).st_nlink > 0
