# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run jobs that mostly wait side by side, and those that can go on at the same moment in threads."""

from __future__ import annotations

import queue
import threading
import typing as t

from .._core.clock import Deadline
from .._core.errors import FcdError, WaitTimeout
from .jobs_together import FIRST, GROWTH, LONGEST, Job, Seen

Value = t.TypeVar("Value")
Progress = t.Callable[[t.Mapping[str, t.Any]], None]


class Step(t.NamedTuple):
    """How a job went on: it has ``seen`` something and waits, it ``ended`` with a value or an error, or neither.

    ``defect`` is any other exception.
    """

    name: str
    seen: Seen | None = None
    ended: tuple[t.Any] | None = None
    defect: BaseException | None = None


class Crew:
    """Threads that carry out steps of jobs, each job in one thread at a time.

    They end with the process, whatever they are at: an interrupt must not wait for the service, and what a create was
    at is noted on disk.
    """

    def __init__(self, number: int) -> None:
        self._work: queue.SimpleQueue[tuple[str, Job[t.Any]] | None] = queue.SimpleQueue()
        self.steps: queue.SimpleQueue[Step] = queue.SimpleQueue()
        self._number = number
        self._stopped = False
        for _each in range(number):
            threading.Thread(target=self._run, name="fcd-cloud-job", daemon=True).start()

    def go_on(self, name: str, job: Job[t.Any]) -> None:
        """Have the next step of this job done; it will be in ``steps``."""
        self._work.put((name, job))

    def stop(self) -> None:
        """Begin no further step."""
        self._stopped = True

    def dismiss(self) -> None:
        """Let the threads end as soon as they have ended their steps."""
        self.stop()
        for _each in range(self._number):
            self._work.put(None)

    def _run(self) -> None:
        while True:
            work = self._work.get()
            if work is None:
                return
            name, job = work
            self.steps.put(Step(name) if self._stopped else _step(name, job))


def in_threads(
    jobs: t.Mapping[str, Job[Value]],
    deadline: Deadline,
    *,
    most: int,
    round_begins: t.Callable[[], None],
    progress: Progress,
) -> dict[str, Value | FcdError]:
    """Run every job to its end and return what it returned or raised, by its name.

    A job yields when it has to wait. Rounds have growing pauses between them, which are short again as soon as a job
    waits for something else; a job that takes its time keeps none of the others waiting. At most ``most`` steps are
    taken at a time. After the deadline no step is begun, and the jobs that are left end with WaitTimeout.
    ``progress`` gets what has ended, after each round in which something has.
    """
    crew = Crew(min(most, len(jobs)))
    try:
        return _Rounds(jobs, deadline, crew, progress).all(round_begins)
    finally:
        crew.dismiss()


class _Rounds(t.Generic[Value]):
    def __init__(self, jobs: t.Mapping[str, Job[Value]], deadline: Deadline, crew: Crew, progress: Progress) -> None:
        self._jobs = jobs
        self._deadline = deadline
        self._crew = crew
        self._progress = progress
        self._waiting = dict.fromkeys(jobs)  # in order
        self._busy = 0
        self._moved = False
        self._last: dict[str, Seen] = {}
        self._ended: dict[str, Value | FcdError] = {}

    def all(self, round_begins: t.Callable[[], None]) -> dict[str, Value | FcdError]:
        pause = FIRST
        while True:
            round_begins()
            self._go_on()
            self._moved, before = False, len(self._ended)
            self._collect(pause)
            if len(self._ended) != before:
                self._progress(self._ended)
            if len(self._ended) == len(self._jobs):
                return self._ended
            if self._deadline.over:
                return self._late()
            pause = FIRST if self._moved else min(LONGEST, pause * GROWTH)

    def _go_on(self) -> None:
        for name in self._waiting:
            self._crew.go_on(name, self._jobs[name])
        self._busy += len(self._waiting)
        self._waiting.clear()

    def _collect(self, pause: float) -> None:
        """Take in the steps that are done before the pause is over, and wait for its end unless all jobs have ended."""
        end = self._deadline.within(pause, "pause")
        while self._busy and not end.over:
            try:
                self._take(self._crew.steps.get(timeout=end.left()))
            except queue.Empty:
                pass
        if self._waiting:
            end.sleep(pause)

    def _late(self) -> dict[str, Value | FcdError]:
        """End what is left; what is on its way to the service ends within the time of a call."""
        self._crew.stop()
        while self._busy:
            self._take(self._crew.steps.get())
        late = {name: self._too_late(name) for name in self._jobs if name not in self._ended}
        return {**self._ended, **late}

    def _take(self, step: Step) -> None:
        self._busy -= 1
        if step.defect is not None:
            raise step.defect
        if step.ended is not None:
            (self._ended[step.name],) = step.ended
            return
        self._waiting[step.name] = None
        if step.seen is not None:
            last = self._last.get(step.name)
            self._moved = self._moved or last is None or last.phase != step.seen.phase
            self._last[step.name] = step.seen

    def _too_late(self, name: str) -> WaitTimeout:
        self._jobs[name].close()
        seen, seconds = self._last.get(name), self._deadline.seconds
        if seen is None:
            return WaitTimeout(
                f"{name}: nothing was begun within {seconds:g} s.",
                next_step="Run the task again, if need be with a larger wait_timeout.",
            )
        last_seen = f" (last seen: {seen.progress})" if seen.progress else ""
        return WaitTimeout(
            f"{seen.phase} was not done within {seconds:g} s{last_seen}.",
            next_step="The operation goes on at the service: run the task again, if need be with a larger "
            "wait_timeout.",
        )


def _step(name: str, job: Job[t.Any]) -> Step:
    try:
        return Step(name, seen=next(job))
    except StopIteration as stop:
        return Step(name, ended=(stop.value,))
    except FcdError as error:
        return Step(name, ended=(error,))
    except BaseException as defect:  # noqa: BLE001 - it is raised again where the threads were started
        return Step(name, defect=defect)
