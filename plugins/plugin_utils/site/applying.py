# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Doing what is planned: each entry as its module does it, after those that it refers to; removals come last.

Each operation reads anew. What fails stops only what refers to it.
"""

from __future__ import annotations

import copy
import typing as t

from ...module_utils._core.errors import Conflict, DeadlinePassed, FcdError, InvalidInput, RateLimited
from ...module_utils._engine.change_tracking import has_changed, note_change
from ...module_utils._engine.scheduler import side_by_side
from ...module_utils._session.operation import Params
from ...module_utils._session.shared_clients import SharedClients
from ...module_utils._session.task import Task
from .entry_plan import (
    EntryPlan,
    EntryResult,
    Waiting,
    complete,
    in_fleet,
    plans_by_reference,
    run_instances,
    run_operation,
    settled,
)
from .kinds import KINDS
from .model import levels, unknown_numbers

Ends = t.List[t.Tuple[EntryPlan, t.Union[EntryResult, FcdError]]]
Job = t.Callable[[], Ends]
PATIENCE = 60.0  # seconds for reasons that pass: something new is locked, or there are too many requests
FIRST, GROWTH = 0.5, 1.6  # the first pause in seconds, and by what the next ones grow


class Applying:
    """The work of one run.

    ``check`` raises when nothing may be begun any more. ``ended`` is called, in the calling thread, for each entry that
    has ended; ``warn`` may be called in any thread.
    """

    def __init__(
        self,
        task: Task,
        wishes: t.Sequence[EntryPlan],
        concurrency: int,
        waiting: Waiting,
        check: t.Callable[[], None],
        ended: t.Callable[[EntryPlan], None],
        warn: t.Callable[[EntryPlan, str], None],
    ) -> None:
        self._task = copy.copy(task)
        self._task.clients = SharedClients(self._task)
        self._by_place = {wish.place: wish for wish in wishes}
        self._wishes = wishes
        self._holders = plans_by_reference(wishes)
        self._concurrency = concurrency
        self._waiting = waiting
        self._check = check
        self._warn = warn
        self._ended = ended

    def run(self) -> None:
        """Do everything, and note in each wish what came of it. Nothing is begun any more after the deadline."""
        for step in self._steps():
            todo = [wish for wish in step if wish.changes and wish.error is None]
            try:
                self._do(todo)
            except DeadlinePassed as error:
                self._stop(error)
                return

    def _steps(self) -> list[list[EntryPlan]]:
        """Return what may be done side by side, step by step: what is to be there by references, then what is to go.

        What goes does so kind by kind, for of what is not declared any more nobody knows the references.
        """
        order = [[self._by_place[entry.place] for entry in level] for level in levels([w.entry for w in self._wishes])]
        steps = [[wish for wish in level if not wish.removes] for level in order]
        for level in reversed(order):
            going = [wish for wish in level if wish.removes]
            steps += [[wish for wish in going if wish.entry.kind == kind] for kind in reversed(KINDS)]
        return steps

    def _stop(self, error: DeadlinePassed) -> None:
        for wish in self._wishes:
            if wish.changes and wish.done is None and wish.error is None:
                wish.error = error

    def _do(self, todo: t.Sequence[EntryPlan]) -> None:
        """Do what is ready, and once more what was refused for a reason that passes."""
        ready = [wish for wish in todo if self._is_ready(wish)]
        patience = self._task.deadline.within(PATIENCE, "wait")
        pause = FIRST
        while ready:
            locked: list[EntryPlan] = []
            self._do_once(ready, None if patience.over else locked)
            if locked:
                patience.sleep(pause)
                pause *= GROWTH
            ready = locked

    def _do_once(self, wishes: t.Sequence[EntryPlan], locked: list[EntryPlan] | None) -> None:
        """Do these; those that are worth another try are put into ``locked``, unless that is None."""

        def ended(_job: Job, value: t.Any) -> None:
            for wish, end in t.cast("Ends", value):
                if locked is not None and self._is_passing(wish, end):
                    locked.append(wish)
                else:
                    wish.take(end)
                    self._ended(wish)

        jobs = self._jobs(wishes)
        side_by_side(jobs, lambda job: job(), most=self._concurrency, deadline=self._task.deadline, ended=ended)

    def _is_passing(self, wish: EntryPlan, end: EntryResult | FcdError) -> bool:
        """Return whether a refusal is worth another try: too many requests, or what was made or removed just now."""
        if isinstance(end, RateLimited):
            return True
        before = self._wishes if wish.orphan else self._before(wish)
        return isinstance(end, Conflict) and any(one.done is not None and one.done.action for one in before)

    def _is_ready(self, wish: EntryPlan) -> bool:
        """Return whether it can be begun, else note what keeps it back."""
        failed = next((one for one in self._before(wish) if one.error is not None), None)
        if failed is None:
            return True
        wish.error = FcdError(f"It was not begun, since {failed} failed.", next_step="Mend that, and run this again.")
        self._ended(wish)
        return False

    def _before(self, wish: EntryPlan) -> t.Iterator[EntryPlan]:
        """Yield what has to have ended well before this: what it refers to, or for a removal what refers to it."""
        if not wish.removes:
            yield from (self._by_place[ref] for ref in wish.entry.refs if ref in self._by_place)
        else:
            yield from (one for one in self._holders.get(wish.place, ()) if one.removes)

    def _jobs(self, wishes: t.Sequence[EntryPlan]) -> list[Job]:
        fleet: list[tuple[EntryPlan, Params]] = []
        jobs: list[Job] = []
        for wish in wishes:
            if not in_fleet(wish):
                jobs.append(self._job_of(wish))
                continue
            try:
                fleet.append((wish, self._options(wish)))
            except InvalidInput as error:
                jobs.append(_failing(wish, error))
        if fleet:
            jobs.insert(0, lambda: self._ends_of_machines(fleet))
        return jobs

    def _ends_of_machines(self, fleet: t.Sequence[tuple[EntryPlan, Params]]) -> Ends:
        try:
            self._check()
        except FcdError as error:
            return [(wish, error) for wish, _params in fleet]
        for wish, _params in fleet:
            wish.begun = True
        return run_instances(self._task, fleet, self._concurrency, self._waiting)

    def _job_of(self, wish: EntryPlan) -> Job:
        return lambda: [(wish, self._end(wish))]

    def _end(self, wish: EntryPlan) -> EntryResult | FcdError:
        task = copy.copy(self._task)
        task.warn = lambda text: self._warn(wish, text)
        task.tell = lambda text: self._task.tell(f"{wish}: {text}")
        try:
            self._check()
            params = self._options(wish)
            wish.begun = True
            return run_operation(task, wish, params)
        except FcdError as error:
            return error

    def _options(self, wish: EntryPlan) -> dict[str, t.Any]:
        """Return the options with all numbers. Raises InvalidInput for one that nobody knows."""
        params = complete(wish, self._waiting)
        unknown = unknown_numbers(params, self._number)
        if unknown and not wish.removes:
            raise InvalidInput(
                f"The number of {unknown[0].kind} {unknown[0].name} is not known.",
                next_step="Apply the stage that makes it first.",
            )
        return settled(params, self._number)

    def _number(self, kind: str, name: str) -> t.Any:
        wish = self._by_place.get((kind, name))
        return None if wish is None else wish.number


def _failing(wish: EntryPlan, error: FcdError) -> Job:
    return lambda: [(wish, error)]


def break_off(wishes: t.Iterable[EntryPlan]) -> None:
    """Note in all that have not ended that nothing more is done; of those that were begun nobody knows how they end."""
    for wish in wishes:
        if wish.changes and wish.done is None and wish.error is None:
            how = "under way" if wish.begun else "not begun"
            wish.error = FcdError(f"It was {how} when the run was broken off.", next_step="Run this again.")
            if wish.begun:
                note_change(wish.error)


def has_been_changed(wish: EntryPlan) -> bool:
    """Return whether the work on an entry has changed something."""
    if wish.error is not None:
        return wish.begun and has_changed(wish.error)
    return wish.done is not None and wish.done.action is not None
