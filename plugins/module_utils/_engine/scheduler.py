# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One scheduler: jobs that mostly wait, and many small pieces of work, in this thread or in a limited number of others.

A job is a generator that yields its progress whenever it has to wait, so that one loop waits for all of them.
"""

from __future__ import annotations

import collections
import itertools
import queue
import threading
import typing as t

from .._core.clock import Deadline
from .._core.errors import DeadlinePassed, FcdError, WaitTimeout
from .._core.type_aliases import JsonMapping

_Item = t.TypeVar("_Item")
_Value = t.TypeVar("_Value")

FIRST, LONGEST, GROWTH = 0.2, 10.0, 1.6  # pauses between rounds in seconds, and how fast they grow
AHEAD = 4  # items per thread that are taken in advance: no thread waits for the calling one
MANY = 30  # jobs; with more, a round takes longer than the first pause, and the next would only repeat its reads
SENTINEL: t.Any = object()
LATEST = 1.0  # seconds after which the calling thread checks what has ended, unless it is woken before


class Progress(t.NamedTuple):
    """What a waiting job saw last: what it waits for, and how far that has got."""

    phase: str
    progress: str = ""

    def __str__(self) -> str:
        """Return both for a person."""
        return f"{self.phase}: {self.progress}" if self.progress else self.phase


Job = t.Generator[Progress, None, _Value]


def run_jobs(
    jobs: t.Mapping[str, Job[_Value]],
    deadline: Deadline,
    *,
    threads: int = 0,
    tell: t.Callable[[str], None] | None = None,
    round_begins: t.Callable[[t.Mapping[str, Progress]], None] | None = None,
    progress: t.Callable[[JsonMapping], None] | None = None,
) -> dict[str, _Value | FcdError]:
    """Run every job to its end and return what it returned or raised, by its name.

    The pauses between rounds grow, and are short again as soon as a job waits for something else. They are longer for
    many jobs. With ``threads``, at most so many steps run at the same time, and a slow job does not delay the others;
    without, all steps run in the calling thread, which checks once more at the deadline. After the deadline no step is
    started, and the jobs that are left end with WaitTimeout.

    ``tell`` gets each new progress, ``round_begins`` that of all waiting jobs by name, ``progress`` everything that has
    ended, after each round in which something has.
    """
    workers: _Workers[str, object] = _Workers(lambda name: _step(jobs[name]), threads)
    try:
        return _RoundRobin(jobs, deadline, workers, tell).run(round_begins, progress)
    finally:
        workers.stop()


def run_in_threads(
    items: t.Iterable[_Item],
    work: t.Callable[[_Item], _Value],
    *,
    most: int,
    deadline: Deadline,
    ended: t.Callable[[_Item, _Value | FcdError], None],
) -> None:
    """Do ``work`` for each of the items, for at most ``most`` at a time.

    ``ended`` gets each item with its result, in the order in which they end, at most a second later. It is called in
    the calling thread; the items are taken there too, a few in advance. Any error but an FcdError is raised, also one
    from ``work``. After that, after an interrupt and after the deadline, nothing more is started. At the deadline, what
    is in progress is waited for; then DeadlinePassed is raised if items are left.
    """
    workers = _Workers(work, max(1, most), deadline)
    left = iter(items)
    left_out = False
    try:
        while True:
            if not deadline.over:
                for item in itertools.islice(left, workers.most * AHEAD - workers.running):
                    workers.start(item)
            if not workers.running:
                break
            for outcome in workers.collect(LATEST):
                if outcome.has_started:
                    ended(outcome.item, outcome.value)
                else:
                    left_out = True
    finally:
        workers.stop()
    if left_out or (deadline.over and next(left, SENTINEL) is not SENTINEL):
        raise DeadlinePassed(
            f"The time limit of this {deadline.what} ({deadline.seconds:g} s) has passed: the rest was not started.",
            next_step="Run the task again to continue.",
        )


def map_in_threads(
    items: t.Iterable[_Item], work: t.Callable[[_Item], _Value], *, deadline: Deadline, most: int
) -> list[_Value]:
    """Do the work for all items side by side and return the values in order.

    The first error ends it, and is raised once nothing is under way any more.
    """
    values: dict[int, _Value] = {}
    failed: list[FcdError] = []

    def one(numbered: tuple[int, _Item]) -> None:
        if failed:
            return
        try:
            values[numbered[0]] = work(numbered[1])
        except FcdError as error:
            failed.append(error)

    run_in_threads(enumerate(items), one, most=most, deadline=deadline, ended=lambda _numbered, _none: None)
    if failed:
        raise failed[0]
    return [values[number] for number in sorted(values)]


class _Outcome(t.NamedTuple):
    """``defect`` is any exception that is not for the user; it has not started if a stop or the deadline came first."""

    item: t.Any
    value: t.Any = None
    defect: BaseException | None = None
    has_started: bool = True


class _Workers(t.Generic[_Item, _Value]):
    """Up to ``most`` threads that do work; without any, the calling thread does it at once.

    They are daemons: an interrupt must not wait for the service, and the progress of a create is noted on disk.
    """

    def __init__(self, work: t.Callable[[_Item], _Value], most: int, deadline: Deadline | None = None) -> None:
        self.most = most
        self.running = 0
        self._work = work
        self._deadline = deadline
        self._waiting: queue.SimpleQueue[t.Any] = queue.SimpleQueue()
        self._outcomes: collections.deque[_Outcome] = collections.deque()
        self._wake = threading.Event()
        self._threads = 0
        self._stopped = False

    def start(self, item: _Item) -> None:
        """Have the work done for this item; its result will be collected."""
        self.running += 1
        if not self.most:
            outcome = self._outcome(item)
            if outcome.defect is not None:
                raise outcome.defect
            self._outcomes.append(outcome)
            self._wake.set()
            return
        self._waiting.put(item)
        if self._threads < min(self.most, self.running):
            self._threads += 1
            threading.Thread(target=self._run, name="fcd-cloud-job", daemon=True).start()

    def collect(self, seconds: float | None) -> t.Iterator[_Outcome]:
        """Wait for so long at most, and yield everything that has ended by then. Raises any defect."""
        self._wake.wait(seconds)
        self._wake.clear()
        found = [self._outcomes.popleft() for _each in range(len(self._outcomes))]
        self.running -= len(found)
        for outcome in found:
            if outcome.defect is not None:
                raise outcome.defect
            yield outcome

    def skip_waiting(self) -> None:
        """End everything that is still queued as not started."""
        self._stopped = True

    def stop(self) -> None:
        """Start nothing more, and let each thread end after its current piece of work."""
        self._stopped = True
        for _each in range(self._threads):
            self._waiting.put(SENTINEL)

    def _run(self) -> None:
        while True:
            item = self._waiting.get()
            if item is SENTINEL:
                return
            outcome = self._outcome(item)
            self._outcomes.append(outcome)
            if self._waiting.qsize() < self.most or outcome.defect is not None or isinstance(outcome.value, FcdError):
                self._wake.set()  # not for each item: switching threads costs as much as a small item

    def _outcome(self, item: _Item) -> _Outcome:
        if self._stopped or (self._deadline is not None and self._deadline.over):
            return _Outcome(item, has_started=False)
        try:
            return _Outcome(item, self._work(item))
        except FcdError as error:
            return _Outcome(item, error)
        except BaseException as defect:  # noqa: BLE001 - it is raised again in the calling thread
            return _Outcome(item, defect=defect)


class _Returned(t.NamedTuple):
    value: t.Any


def _step(job: Job[object]) -> Progress | _Returned:
    try:
        return next(job)
    except StopIteration as stop:
        return _Returned(stop.value)


class _RoundRobin(t.Generic[_Value]):
    """Jobs that take a step each in every round."""

    def __init__(
        self,
        jobs: t.Mapping[str, Job[_Value]],
        deadline: Deadline,
        workers: _Workers[str, t.Any],
        tell: t.Callable[[str], None] | None,
    ) -> None:
        self._jobs = jobs
        self._deadline = deadline
        self._first = FIRST * max(1.0, len(jobs) / MANY)
        self._workers = workers
        self._tell = tell
        self._waiting = list(jobs)
        self._has_progress = False
        self._last: dict[str, Progress] = {}
        self._ended: dict[str, _Value | FcdError] = {}

    def run(
        self,
        round_begins: t.Callable[[t.Mapping[str, Progress]], None] | None,
        progress: t.Callable[[JsonMapping], None] | None,
    ) -> dict[str, _Value | FcdError]:
        """Run rounds until all jobs have ended, or the time is over."""
        grown = self._first
        while True:
            if round_begins:
                round_begins({name: seen for name, seen in self._last.items() if name not in self._ended})
            before = len(self._ended)
            pause = self._round(grown)
            grown = self._first * GROWTH if self._has_progress else min(LONGEST, grown * GROWTH)
            if progress and len(self._ended) != before:
                progress(self._ended)
            if len(self._ended) == len(self._jobs):
                return self._ended
            if self._is_too_late(pause):
                return self._end_late()

    def _is_too_late(self, pause: Deadline) -> bool:
        """Return whether the time is up, before or after the pause: threads start nothing then."""
        if self._deadline.over:
            return True
        pause.sleep(LONGEST)
        return bool(self._workers.most) and self._deadline.over

    def _round(self, grown: float) -> Deadline:
        """Take a step of each waiting job; return the pause that follows, which includes the steps in threads."""
        waiting, self._waiting = self._waiting, []
        for name in waiting:
            self._workers.start(name)
        self._has_progress = False
        start, longest = self._deadline.clock.monotonic(), self._deadline.within(grown, "pause")
        while self._workers.running and not longest.over:
            self._collect(longest.left())
        pause = self._first if self._has_progress else grown
        return self._deadline.within(start + pause - self._deadline.clock.monotonic(), "pause")

    def _collect(self, seconds: float | None) -> None:
        for outcome in self._workers.collect(seconds):
            name, value = outcome.item, outcome.value
            if isinstance(value, (_Returned, FcdError)):
                self._ended[name] = value if isinstance(value, FcdError) else value.value
                continue
            self._waiting.append(name)
            if outcome.has_started:
                last, self._last[name] = self._last.get(name), value
                self._has_progress = self._has_progress or last is None or last.phase != value.phase
                if self._tell and value != last:
                    self._tell(str(value))

    def _end_late(self) -> dict[str, _Value | FcdError]:
        """End what is left; what is on its way to the service ends within the time of a call."""
        self._workers.skip_waiting()
        while self._workers.running:
            self._collect(None)
        return {**self._ended, **{name: self._timeout(name) for name in self._jobs if name not in self._ended}}

    def _timeout(self, name: str) -> WaitTimeout:
        self._jobs[name].close()
        seen, seconds = self._last.get(name), self._deadline.seconds
        if seen is None:
            return WaitTimeout(
                f"{name}: nothing was started within {seconds:g} s.",
                next_step="Run the task again, with a larger wait_timeout if necessary.",
            )
        last_seen = f" (last seen: {seen.progress})" if seen.progress else ""
        return WaitTimeout(
            f"{seen.phase} did not finish within {seconds:g} s{last_seen}.",
            next_step="The operation continues at the service; run the task again, with a larger wait_timeout "
            "if necessary.",
        )
