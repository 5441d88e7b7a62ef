# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Doing what is planned: each entry as its module does it, after those that it refers to; removals come last.

Each operation reads anew. What fails stops only what refers to it.
"""

from __future__ import annotations

import copy
import typing as t

from ...module_utils._connection.operation import Params
from ...module_utils._connection.shared_clients import SharedClients
from ...module_utils._connection.task import Task
from ...module_utils._core.errors import Conflict, DeadlinePassed, FcdError, InvalidInput, RateLimited
from ...module_utils._engine.change_tracking import has_changed, note_change
from ...module_utils._engine.scheduler import side_by_side
from .entry_plan import (
    EntryPlan,
    EntryResult,
    Waiting,
    complete,
    in_fleet,
    plans_by_reference,
    run_instances,
    run_operation,
    with_known_numbers,
)
from .model import KINDS, levels, unknown_numbers

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
        plans: t.Sequence[EntryPlan],
        concurrency: int,
        waiting: Waiting,
        check: t.Callable[[], None],
        ended: t.Callable[[EntryPlan], None],
        warn: t.Callable[[EntryPlan, str], None],
    ) -> None:
        self._task = copy.copy(task)
        self._task.clients = SharedClients(self._task)
        self._by_place = {plan.place: plan for plan in plans}
        self._plans = plans
        self._holders = plans_by_reference(plans)
        self._concurrency = concurrency
        self._waiting = waiting
        self._check = check
        self._warn = warn
        self._ended = ended

    def run(self) -> None:
        """Do everything, and note in each plan what came of it. Nothing is begun any more after the deadline."""
        for step in self._steps():
            todo = [plan for plan in step if plan.changes and plan.error is None]
            try:
                self._do(todo)
            except DeadlinePassed as error:
                self._stop(error)
                return

    def _steps(self) -> list[list[EntryPlan]]:
        """Return what may be done side by side, step by step: what is to be there by references, then what is to go.

        What goes does so kind by kind, for of what is not declared any more nobody knows the references.
        """
        order = [
            [self._by_place[entry.place] for entry in level] for level in levels([plan.entry for plan in self._plans])
        ]
        steps = [[plan for plan in level if not plan.removes] for level in order]
        for level in reversed(order):
            steps += _removal_steps(level)
        return steps

    def _stop(self, error: DeadlinePassed) -> None:
        for plan in self._plans:
            if plan.changes and plan.done is None and plan.error is None:
                plan.error = error

    def _do(self, todo: t.Sequence[EntryPlan]) -> None:
        """Do what is ready, and once more what was refused for a reason that passes."""
        ready = [plan for plan in todo if self._is_ready(plan)]
        patience = self._task.deadline.within(PATIENCE, "wait")
        pause = FIRST
        while ready:
            locked: list[EntryPlan] = []
            self._do_once(ready, None if patience.over else locked)
            if locked:
                patience.sleep(pause)
                pause *= GROWTH
            ready = locked

    def _do_once(self, plans: t.Sequence[EntryPlan], locked: list[EntryPlan] | None) -> None:
        """Do these; those that are worth another try are put into ``locked``, unless that is None."""

        def ended(_job: Job, value: t.Any) -> None:
            for plan, end in t.cast("Ends", value):
                if locked is not None and self._is_passing(plan, end):
                    locked.append(plan)
                else:
                    plan.take(end)
                    self._ended(plan)

        jobs = self._jobs(plans)
        side_by_side(jobs, lambda job: job(), most=self._concurrency, deadline=self._task.deadline, ended=ended)

    def _is_passing(self, plan: EntryPlan, end: EntryResult | FcdError) -> bool:
        """Return whether a refusal is worth another try: too many requests, or what was made or removed just now."""
        if isinstance(end, RateLimited):
            return True
        before = self._plans if plan.orphan else self._before(plan)
        return isinstance(end, Conflict) and any(one.done is not None and one.done.action for one in before)

    def _is_ready(self, plan: EntryPlan) -> bool:
        """Return whether it can be begun, else note what keeps it back."""
        failed = next((one for one in self._before(plan) if one.error is not None), None)
        if failed is None:
            return True
        plan.error = FcdError(f"It was not begun, since {failed} failed.", next_step="Mend that, and run this again.")
        self._ended(plan)
        return False

    def _before(self, plan: EntryPlan) -> t.Iterator[EntryPlan]:
        """Yield what has to have ended well before this: what it refers to, or for a removal what refers to it."""
        if not plan.removes:
            yield from (self._by_place[ref] for ref in plan.entry.refs if ref in self._by_place)
        else:
            yield from (one for one in self._holders.get(plan.place, ()) if one.removes)

    def _jobs(self, plans: t.Sequence[EntryPlan]) -> list[Job]:
        fleet: list[tuple[EntryPlan, Params]] = []
        jobs: list[Job] = []
        for plan in plans:
            if not in_fleet(plan):
                jobs.append(self._job_of(plan))
                continue
            try:
                fleet.append((plan, self._options(plan)))
            except InvalidInput as error:
                jobs.append(_failing(plan, error))
        if fleet:
            jobs.insert(0, lambda: self._fleet_ends(fleet))
        return jobs

    def _fleet_ends(self, fleet: t.Sequence[tuple[EntryPlan, Params]]) -> Ends:
        try:
            self._check()
        except FcdError as error:
            return [(plan, error) for plan, _params in fleet]
        for plan, _params in fleet:
            plan.begun = True
        return run_instances(self._task, fleet, self._concurrency, self._waiting)

    def _job_of(self, plan: EntryPlan) -> Job:
        return lambda: [(plan, self._end(plan))]

    def _end(self, plan: EntryPlan) -> EntryResult | FcdError:
        task = copy.copy(self._task)
        task.warn = lambda text: self._warn(plan, text)
        task.tell = lambda text: self._task.tell(f"{plan}: {text}")
        try:
            self._check()
            params = self._options(plan)
            plan.begun = True
            return run_operation(task, plan, params)
        except FcdError as error:
            return error

    def _options(self, plan: EntryPlan) -> dict[str, t.Any]:
        """Return the options with all numbers. Raises InvalidInput for one that nobody knows."""
        params = complete(plan, self._waiting)
        unknown = unknown_numbers(params, self._number)
        if unknown and not plan.removes:
            raise InvalidInput(
                f"The number of {unknown[0].kind} {unknown[0].name} is not known.",
                next_step="Apply the stage that makes it first.",
            )
        return with_known_numbers(params, self._number)

    def _number(self, kind: str, name: str) -> t.Any:
        plan = self._by_place.get((kind, name))
        return None if plan is None else plan.number


def _removal_steps(plans: t.Sequence[EntryPlan]) -> list[list[EntryPlan]]:
    going = [plan for plan in plans if plan.removes]
    return [[plan for plan in going if plan.entry.kind == kind] for kind in reversed(KINDS)]


def _failing(plan: EntryPlan, error: FcdError) -> Job:
    return lambda: [(plan, error)]


def break_off(plans: t.Iterable[EntryPlan]) -> None:
    """Note in all that have not ended that nothing more is done; of those that were begun nobody knows how they end."""
    for plan in plans:
        if plan.changes and plan.done is None and plan.error is None:
            how = "under way" if plan.begun else "not begun"
            plan.error = FcdError(f"It was {how} when the run was broken off.", next_step="Run this again.")
            if plan.begun:
                note_change(plan.error)


def has_been_changed(plan: EntryPlan) -> bool:
    """Return whether the work on an entry has changed something."""
    if plan.error is not None:
        return plan.begun and has_changed(plan.error)
    return plan.done is not None and plan.done.action is not None
