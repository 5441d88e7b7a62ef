# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The retries that all tasks of a play share, so that many tasks do not flood a service that is down.

It is a bucket of points for each service: a retry takes some, a good answer gives one back, and time gives back all.
The spent points are in a small private file, which the processes of the play update in turn, and which only exists
while points are spent. It never blocks anything: if the file cannot be used, only the task limits its retries.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import typing as t

from .._core.clock import Clock
from .._core.errors import FcdError
from .._core.files import PRIVATE, private_folder
from .messages import origin

COST, COST_OF_TIME_OUT, GAIN = 5, 10, 1  # points
TIME_OUTS = frozenset({408, 504})  # statuses
FULL_AFTER = 1800.0  # seconds after which all spent points are back
TRIES, PAUSE = 100, 0.005  # to get the lock, which is held for a fraction of a millisecond; seconds
LONGEST = 64  # bytes of the file


def cost_of(error: FcdError) -> int:
    """Return the cost of a retry after this error; ``timed_out`` in its details says that nothing came in time."""
    return COST_OF_TIME_OUT if error.details.get("timed_out") or error.details.get("status") in TIME_OUTS else COST


class SharedRetries(t.NamedTuple):
    """What the tasks of a play share for their retries of each service, in points: see retry_budget.py.

    ``file`` returns where the spent points of the service at an address are kept, ``owner`` says whose they are, and
    ``tell`` shows what is left.
    """

    capacity: int
    file: t.Callable[[str], str]
    owner: str
    tell: t.Callable[[str], None]


class RetryBudget:
    """The points of one service; ``url`` is an address of it."""

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
                    os.pwrite(descriptor, f"{spent:.3f} {self._clock.now():.3f}".ljust(LONGEST).encode("ascii"), 0)
                return self._capacity - spent
        except (FcdError, OSError):
            return None

    @contextlib.contextmanager
    def _locked(self, flags: int) -> t.Iterator[int]:
        """Open the file and keep other processes out of it. Raises OSError, also if one of them hangs."""
        for _try in range(TRIES):
            descriptor = os.open(self._path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | flags, PRIVATE)
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
            spent, at = map(float, os.read(descriptor, LONGEST).split())
        except ValueError:
            self._remove_old()
            return 0.0
        passed = max(0.0, self._clock.now() - at)
        known = spent - passed * self._capacity / FULL_AFTER
        return min(max(0.0, known), self._capacity) if math.isfinite(known) else 0.0

    def _remove_old(self) -> None:
        """Remove the files of plays that have ended; by now, all of them would be full again."""
        oldest = self._clock.now() - FULL_AFTER
        for entry in os.scandir(os.path.dirname(self._path)):
            with contextlib.suppress(FileNotFoundError):  # another process was faster
                if entry.path != self._path and entry.stat(follow_symlinks=False).st_mtime < oldest:
                    os.unlink(entry.path)


def _lock(descriptor: int) -> bool:
    """Return whether this process now has the file; one that was removed in the meantime does not count."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(descriptor).st_nlink > 0
