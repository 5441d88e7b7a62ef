# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several jobs in one task: each goes on until it has to wait, and all of them wait together."""

from __future__ import annotations

import typing as t

from .._core.clock import Deadline
from .._core.errors import FcdError, WaitTimeout

Value = t.TypeVar("Value")
FIRST, LONGEST, GROWTH = 0.2, 10.0, 1.6  # pauses in seconds, and by what each grows


class Seen(t.NamedTuple):
    """What a job that has to wait has seen last: what it waits for, and how far that is."""

    phase: str
    progress: str = ""

    def __str__(self) -> str:
        """Return both for a person."""
        return f"{self.phase}: {self.progress}" if self.progress else self.phase


Job = t.Generator[Seen, None, Value]


def together(
    jobs: t.Mapping[str, Job[Value]], deadline: Deadline, tell: t.Callable[[str], None]
) -> dict[str, Value | FcdError]:
    """Run every job to its end and return what it returned or raised, by its name.

    A job yields when it has to wait. After the deadline the jobs that are left end with WaitTimeout. Pauses grow, and
    are short again as soon as a job waits for something else.
    """
    ended: dict[str, Value | FcdError] = {}
    last: dict[str, Seen] = {}
    pause = FIRST
    while True:
        moved = False
        for name in [name for name in jobs if name not in ended]:
            seen = _step(name, jobs[name], ended)
            if seen is None:
                continue
            if seen != last.get(name):
                tell(str(seen))
            moved = moved or name not in last or seen.phase != last[name].phase
            last[name] = seen
        if len(ended) == len(jobs):
            return ended
        if deadline.over:
            return {**ended, **{name: _late(jobs[name], last[name], deadline) for name in jobs if name not in ended}}
        pause = FIRST if moved else min(LONGEST, pause * GROWTH)
        deadline.sleep(pause)


def _step(name: str, job: Job[Value], ended: dict[str, Value | FcdError]) -> Seen | None:
    try:
        return next(job)
    except StopIteration as stop:
        ended[name] = stop.value
    except FcdError as error:
        ended[name] = error
    return None


def _late(job: Job[Value], seen: Seen, deadline: Deadline) -> WaitTimeout:
    job.close()
    return WaitTimeout(
        f"{seen.phase} was not done within {deadline.seconds:g} s"
        f"{f' (last seen: {seen.progress})' if seen.progress else ''}.",
        next_step="The operation goes on at the service: run the task again, if need be with a larger wait_timeout.",
    )
