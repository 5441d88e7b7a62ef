# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning all entries of a site at one moment: each as its module does it in check mode, with shared reads.

Nothing but reads is sent.
"""

from __future__ import annotations

import functools
import typing as t

from ...module_utils._connection.task import Params, Task
from ...module_utils._core.errors import FcdError, ImmutableChange, InvalidInput
from ...module_utils._engine.plan import CREATE, UNLESS_CREATED, UPDATE
from .declared_labels import suggest_declared
from .entry_plan import (
    MADE,
    EntryEnd,
    EntryEnds,
    EntryJob,
    EntryPlan,
    EntryResult,
    EntryWork,
    Options,
    run_operation,
    with_computed,
    with_later,
    with_own_number,
    without_coming,
)
from .foresight import Foresight, is_same_thing
from .identity_changes import has_another_name, moved_end
from .listed_objects import ListedObjects
from .model import OBJECTS, WAITING, unknown_numbers
from .remembering_clients import RememberingClients, searched_often

STEP = 100  # entries after which it is told how many are planned

STAND_FOR = {("disks", "instances"): ("subregion",)}
"""Options that may be given in place of others that something new needs; what is referred to has them, too."""

ONE_BY_ONE = {
    "storage_containers",
    "clients",
    "storage_folders",
    "client_users",
    "client_pricelists",
    "client_fixed_amounts",
}
"""Kinds of which each is asked for, whatever lists have brought."""


class _Ready(t.NamedTuple):
    """An entry that can be planned: its options, and those that wait for something to be made."""

    plan: EntryPlan
    params: Options
    lost: Options


class Planning(EntryWork):
    """The planning of one run; ``site`` is its name for people."""

    def __init__(
        self,
        task: Task,
        plans: t.Sequence[EntryPlan],
        params: Params,
        warn: t.Callable[[EntryPlan, str], None],
        site: str,
    ) -> None:
        super().__init__(task, plans, params, warn)
        self.task.check_mode = True
        objects = [(plan, self.options(plan)) for plan in plans if plan.entry.kind == OBJECTS]
        self._listings = ListedObjects(self.task, objects)
        often = searched_often(plan.entry.kind for plan in plans)
        self.task.clients = RememberingClients(self.task, often, self._listings.prefixes)
        self._moving = {str(plan.registered) for plan in plans if plan.moved_from is not None}
        self._site = site
        self._planned = 0

    def run(self) -> None:
        """Fill in what is planned for each, or why it cannot be. Raises DeadlinePassed."""
        for level in self.by_level():
            ready = [self._ready(plan) for plan in level if plan.planned is None and self._can_be_planned(plan)]
            self.do(self._jobs(ready), self._note)
            self._plan_whole([one.plan for one in ready])
            planned = {one.plan for one in ready}
            for plan in level:
                if plan not in planned and plan.error is not None:
                    self._note(plan, plan.error)

    def _plan_whole(self, plans: t.Sequence[EntryPlan]) -> None:
        """Plan once more, with all options, what is to be made: some may count for that only."""
        new = [plan for plan in plans if plan.left_out and _may_be_made(plan)]
        self._planned -= len(new)
        for plan in new:
            plan.left_out, plan.planned, plan.error = (), None, None
        self.do(self._jobs([self._ready(plan) for plan in new]), self._note)

    def _note(self, plan: EntryPlan, end: EntryEnd) -> None:
        if isinstance(end, EntryResult):
            plan.planned = with_computed(end, plan.entry.kind)
        else:
            plan.error = end
            suggest_declared(plan.entry, end, [one.place for one in self.plans if not one.removes])
        self._planned += 1
        if self._planned % STEP == 0 or self._planned == len(self.plans):
            self.task.tell(f"site {self._site}: {self._planned} of {len(self.plans)} planned")

    def _can_be_planned(self, plan: EntryPlan) -> bool:
        """Return whether it can be planned, else note why not: what it refers to cannot be."""
        failed = next((one for one in self.referred(plan) if one.error is not None), None)
        if failed is not None and not plan.removes:
            why = "See the error there." if not failed.context else str(failed.error)
            plan.error = FcdError(f"It refers to {failed}, which cannot be planned.", next_step=why)
        return plan.error is None

    def _ready(self, plan: EntryPlan) -> _Ready:
        """Return the entry with its options as far as they are known."""
        params = self.options(plan)
        coming = {one.place for one in self.referred(plan) if one.coming}
        unknown = bool(unknown_numbers(params, self.number))
        params = self.numbered(plan, params)
        if plan.removes or not (coming or unknown):
            return _Ready(plan, params, {})
        kept, lost = without_coming(plan.entry, params, coming)
        return _Ready(plan, kept, {option: shown for option, shown in lost.items() if option not in plan.left_out})

    def _jobs(self, ready: t.Sequence[_Ready]) -> list[EntryJob]:
        """Return the work; what waits for the service longest comes first.

        That is one of each kind, whose search may be that of all others, then what is asked for one by one.
        """
        fleet: list[_Ready] = []
        others: list[_Ready] = []
        for one in ready:
            (fleet if one.plan.in_fleet else others).append(one)
        first: dict[str, _Ready] = {}
        for one in others:
            first.setdefault(one.plan.entry.kind, one)
        later = [one for one in others if first[one.plan.entry.kind] is not one]
        later.sort(key=lambda one: one.plan.entry.kind not in ONE_BY_ONE)
        jobs: list[EntryJob] = [functools.partial(self._plan_fleet, fleet)] if fleet else []
        return jobs + [functools.partial(self._plan_one, one) for one in [*first.values(), *later]]

    def _plan_fleet(self, fleet: t.Sequence[_Ready]) -> EntryEnds:
        from .site_fleet import run_instances

        by_plan = {one.plan: one for one in fleet}
        ends = run_instances(self.task, [(one.plan, one.params) for one in fleet], self.params)
        return [(plan, self._with_lost(by_plan[plan], self._looked_at(by_plan[plan], end))) for plan, end in ends]

    def _plan_one(self, one: _Ready) -> EntryEnds:
        known = self._listings.outcome(one.plan, one.params)
        if known is not None:
            return [(one.plan, known)]
        end: EntryEnd
        try:
            end = run_operation(self._own_task(one.plan), one.plan, one.params)
        except FcdError as error:
            end = error
        return [(one.plan, self._with_lost(one, self._looked_at(one, end)))]

    def _looked_at(self, one: _Ready, end: EntryEnd) -> EntryEnd:
        """Return the end of a planning by name, or what a look at the thing itself, by its number, says in its place.

        A list may not show yet what is new, and show what was changed as it was before.
        """
        plan = one.plan
        if has_another_name(plan, end):
            return moved_end(plan, end, lambda: self._look_by(one, plan.registered), self._moving)
        missed = _is_missed(plan, end)
        number = plan.registered if missed else _number_to_change(end)
        if number is None or "id" not in plan.entry.of.options() or one.params.get("id") is not None:
            return end
        found = self._look_by(one, number)
        if not is_same_thing(plan, found) or (isinstance(found, FcdError) and not missed):
            return end
        plan.by_number = missed
        return found._replace(number=number) if isinstance(found, EntryResult) else found

    def _look_by(self, one: _Ready, number: t.Any) -> EntryEnd:
        try:
            return run_operation(self._own_task(one.plan), one.plan, with_own_number(one.params, number))
        except FcdError as error:
            return error

    def _own_task(self, plan: EntryPlan) -> Task:
        task = self.task_of(plan)
        coming = any(one.coming for one in self.referred(plan))
        made = "here is no container", UNLESS_CREATED  # what modules say of a container that this run makes
        task.warn = lambda text: None if coming and all(part in text for part in made) else self.warn(plan, text)
        return task

    def _with_lost(self, one: _Ready, end: EntryEnd) -> EntryEnd:
        """Return the end of a planning in which some options had to be left out.

        Where the error says no more than that what these options stand for is missing, that is taken from what they
        refer to; where it is not known there either, it is planned without them.
        """
        if isinstance(end, EntryResult):
            return self._with_later(one, end)
        stood_for = {name for option in one.lost for name in STAND_FOR.get((one.plan.entry.kind, option), ())}
        named = end.details.get("options") or ()
        if not isinstance(end, InvalidInput) or not named or not stood_for.issuperset(named):
            return end
        known = self._of_referred(one, named)
        if known is None:
            return self._end_without(one)
        try:
            return self._with_later(one, run_operation(self._own_task(one.plan), one.plan, {**one.params, **known}))
        except FcdError as error:
            return error

    def _of_referred(self, one: _Ready, options: t.Collection[str]) -> Options | None:
        """Return what the first thing that it refers to will have of these options, by number; None if not all."""
        sides = [other.planned.after for other in self.referred(one.plan) if other.planned is not None]
        after = next((side for side in sides if isinstance(side, t.Mapping)), {})
        numbers = {name: after[name].get("id") for name in options if isinstance(after.get(name), t.Mapping)}
        whole = len(numbers) == len(options) and None not in numbers.values()
        return {name: str(number) for name, number in numbers.items()} if whole else None

    def _end_without(self, one: _Ready) -> EntryEnd:
        """Plan for one that cannot be planned without the things that are to be made, by whether it is there."""
        entry = one.plan.entry
        options = entry.of.operation().options
        if "state" not in options:
            return EntryResult(UPDATE, {}, one.lost)
        given = {name: value for name, value in one.params.items() if name in entry.identity or name in WAITING}
        defaults = {name: spec.get("default") for name, spec in options.items()}
        try:
            found = run_operation(self._own_task(one.plan), one.plan, {**defaults, **given, "state": "absent"})
        except FcdError as error:
            return error
        if found.action is None:
            shown = {name: value for name, value in entry.given.items() if not options.get(name, {}).get("no_log")}
            return EntryResult(CREATE, {}, {**shown, **one.lost})
        return self._with_later(one, EntryResult(None, found.before, found.before, found.number))

    def _with_later(self, one: _Ready, outcome: EntryResult) -> EntryResult:
        leaving = {other.replaced for other in self.referred(one.plan)} - {None}
        return with_later(outcome, one.plan.entry.kind, one.lost, leaving)

    def foresee_removals(self, own_disks: t.Collection[str]) -> None:
        """Say what will come of removals and replacements, and of what refers to those that cannot be done."""
        Foresight(self.task, self.plans, own_disks).run(lambda plan: self._ready(plan).params)
        for level in self.by_level():
            for plan in level:
                if plan.error is None and not self._can_be_planned(plan):
                    plan.planned = None


def _may_be_made(plan: EntryPlan) -> bool:
    if plan.planned is not None:
        return plan.planned.action in MADE
    return isinstance(plan.error, InvalidInput) and not isinstance(plan.error, ImmutableChange)


def _is_missed(plan: EntryPlan, end: EntryEnd) -> bool:
    """Return whether a thing was not found by its name."""
    if isinstance(end, EntryResult):
        return end.action == (None if plan.removes else CREATE) and end.number is None
    return isinstance(end, InvalidInput)


def _number_to_change(end: EntryEnd) -> t.Any:
    return end.number if isinstance(end, EntryResult) and end.action == UPDATE else None
