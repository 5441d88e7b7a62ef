# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do the same work for many items, some of them at a time, in threads."""

from __future__ import annotations

import collections
import contextlib
import itertools
import queue
import threading
import typing as t

from .._core.clock import Deadline
from .._core.errors import DeadlinePassed, FcdError

Item = t.TypeVar("Item")
Value = t.TypeVar("Value")

AHEAD = 4  # items for each thread that are taken before one is free: no thread waits for the calling one
LATEST = 1.0  # seconds after which the calling thread looks what has ended, unless it is called before


def side_by_side(
    items: t.Iterable[Item],
    work: t.Callable[[Item], Value],
    *,
    most: int,
    deadline: Deadline,
    ended: t.Callable[[Item, Value | FcdError], None],
) -> None:
    """Do ``work`` for each of the items, for at most ``most`` at a time.

    ``ended`` gets each item with what came of it, in the order in which they end, a second later at most. It is called
    in the calling thread, and the items are taken there too, a few ahead of need. Any error but an FcdError is raised,
    from ``work`` too. After that, after an interrupt and after the deadline nothing is begun any more. At the deadline,
    what is under way is waited for; then DeadlinePassed is raised if items are left.
    """
    pool = _Pool(work, most, deadline)
    left = iter(items)
    try:
        while pool.fill(left):
            for item, value in pool.collected():
                ended(item, value)
    finally:
        pool.stop()
    if pool.not_begun or (deadline.over and next(left, pool) is not pool):
        raise DeadlinePassed(
            f"The time for this {deadline.what} ({deadline.seconds:g} s) is over: the rest was not begun.",
            next_step="Run the task again to go on.",
        )


class _Outcome(t.NamedTuple):
    """``defect`` is any exception that is not for the user; ``begun`` is False where the deadline came first."""

    item: t.Any
    value: t.Any = None
    defect: BaseException | None = None
    begun: bool = True


class _Pool(t.Generic[Item, Value]):
    """Daemon threads: an interrupt must not wait for the service."""

    def __init__(self, work: t.Callable[[Item], Value], most: int, deadline: Deadline) -> None:
        self._work = work
        self._most = max(1, most)
        self._deadline = deadline
        self._waiting: queue.SimpleQueue[tuple[Item] | None] = queue.SimpleQueue()
        self._outcomes: collections.deque[_Outcome] = collections.deque()
        self._calls: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._threads = 0
        self._under_way = 0
        self._stopped = False
        self.not_begun = 0

    def fill(self, left: t.Iterator[Item]) -> int:
        """Take what there is room for; returns how many items have not ended."""
        if not self._deadline.over:
            for item in itertools.islice(left, self._most * AHEAD - self._under_way):
                self._under_way += 1
                self._waiting.put((item,))
                if self._threads < min(self._most, self._under_way):
                    self._threads += 1
                    threading.Thread(target=self._run, name="fcd-cloud-item", daemon=True).start()
        return self._under_way

    def collected(self) -> t.Iterator[tuple[Item, Value | FcdError]]:
        """Wait for a while, and yield all that has ended by then."""
        with contextlib.suppress(queue.Empty):
            self._calls.get(timeout=LATEST)
            while True:
                self._calls.get_nowait()
        found = [self._outcomes.popleft() for _each in range(len(self._outcomes))]
        self._under_way -= len(found)
        for outcome in found:
            if outcome.defect is not None:
                raise outcome.defect
            if outcome.begun:
                yield outcome.item, outcome.value
            else:
                self.not_begun += 1

    def stop(self) -> None:
        """Begin nothing more, and let the threads end when they are done with what they are at."""
        self._stopped = True
        for _each in range(self._threads):
            self._waiting.put(None)

    def _run(self) -> None:
        while True:
            taken = self._waiting.get()
            if taken is None or self._stopped:
                return
            outcome = self._outcome(taken[0])
            self._outcomes.append(outcome)
            if self._waiting.qsize() < self._most or outcome.defect is not None or isinstance(outcome.value, FcdError):
                self._calls.put(None)  # not for each item: a change of threads costs as much as a small one

    def _outcome(self, item: Item) -> _Outcome:
        if self._deadline.over:
            return _Outcome(item, begun=False)
        try:
            return _Outcome(item, self._work(item))
        except FcdError as error:
            return _Outcome(item, error)
        except BaseException as defect:  # noqa: BLE001 - it is raised again in the calling thread
            return _Outcome(item, defect=defect)
