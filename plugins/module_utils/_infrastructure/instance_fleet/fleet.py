# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fleets: many instances with their own names and options, brought to their state side by side.

Remote operations: wire-facts sections 5 and 8. What only a change needs is imported by the functions that change.
"""

from __future__ import annotations

import typing as t
from collections import Counter

from ..._connection.options import REST
from ..._connection.task import Operation, Result, Task
from ..._core.errors import CHANGED, FcdError, InvalidInput, OperationFailed, mark_changed_on_error
from ..._engine.plan import CREATE, DELETE, UPDATE, Plan
from ..api import infrastructure
from ..instance.declared_instances import (
    DeclaredInstance,
    find_under_way,
    foreseen_outcome,
    has_changed_something,
    late_labels,
    looks_early,
    needs_work,
    plan_instance,
    records_and_diffs,
    without_note,
)
from ..instance.instance_options import Params, reference
from ..instance.instance_planning import MADE, InstancePlanner
from ..instance.instance_records import InstanceSearch, instance_record, only_instance, unsettled
from ..rest_records import ReferenceNames, Row
from .fleet_options import FLEET_OPTIONS, check_prune, concurrency, member_params, surplus
from .fleet_view import FleetLists, FleetView

if t.TYPE_CHECKING:
    from ..instance.instance_labels import LateLabels
    from .fleet_journal import FleetJournal

MOST_TOLD = 5  # of names, and of different errors in one message


class FleetMember(t.NamedTuple):
    """An instance with its options."""

    instance: DeclaredInstance
    params: Params


class Fleet:
    """The instances of one task."""

    def __init__(self, task: Task, params: Params) -> None:
        self.task = task
        self.params = params
        self.most = concurrency(params)
        check_prune(params)
        self.instances = member_params(params)
        self.lists = FleetLists(infrastructure(task), task.clock, [instance["name"] for instance in self.instances])
        self.view = FleetView(self.lists, self.lists.round)  # for planning: every list is read once
        self.names = ReferenceNames(self.view)
        self.search = InstanceSearch(self.view, self.names)
        self.labels: LateLabels = late_labels(self.view, self.names)
        self.known = _journal_of(task, params)

    def run(self) -> Result:
        """Bring all instances to their state; what is to go goes when all others are there."""
        members = [FleetMember(instance, params) for instance, params in zip(self._found(), self.instances)]
        self._find_under_way(members)
        extra = self._surplus()
        whole = [*members, *extra]
        self._name_templates(members)
        self._plan(whole)
        self._spare(members, extra)
        if not self.task.check_mode:
            self._work(members, extra)
        for instance, _params in whole:
            if instance.error is None and instance.outcome is None:
                instance.outcome = foreseen_outcome(self.labels, instance)
        instances = [instance for instance, _params in whole]
        if self.known is not None and not self.task.check_mode:
            with mark_changed_on_error(any(map(has_changed_something, instances))):
                self.known.take_in(instances)
        return fleet_result(instances)

    def _found(self) -> list[DeclaredInstance]:
        """Return the instances with what is there of them.

        The filter for names is described as free text and no more, so what it does not find counts as missing only
        after the whole list was read.
        """
        if not self.instances:
            return []
        found = self.lists.found.since(self.lists.round).by_name
        if any(instance["name"] not in found for instance in self.instances):
            found = self.lists.whole.since(self.lists.round).by_name
        return [without_note(self.task, self._only(one["name"], found.get(one["name"], []))) for one in self.instances]

    def _only(self, name: str, entries: t.Sequence[Row]) -> DeclaredInstance:
        try:
            return DeclaredInstance(name, only_instance(name, self.search.records(map(instance_record, entries))))
        except FcdError as error:
            error.next_step = "Remove or rename the others, by their numbers."
            return DeclaredInstance(name, error=error)

    def _find_under_way(self, members: t.Sequence[FleetMember]) -> None:
        """Look for what an earlier task has started to make and the list does not show yet.

        Where instances are made, the create itself looks for that, for all of them side by side; but one that would
        have to have an address would be refused before, since it has it already.
        """
        for instance, params in members:
            if instance.current is None and instance.error is None and looks_early(self.task, params):
                find_under_way(self.task, self.search, params, instance)

    def _surplus(self) -> list[FleetMember]:
        """Return the instances that are to be removed since they are not declared any more."""
        if self.params.get("prune") is None:
            return []
        listed = self.lists.whole.since(self.lists.round).all
        records = self.search.records(surplus(self.params, listed, self.known, self.task.warn))
        member = {**self.instances[0], "state": "absent", "delete_disks": self.params["prune"]["delete_disks"]}
        return [
            FleetMember(DeclaredInstance(record["name"], record), {**member, "name": record["name"]})
            for record in records
        ]

    def _name_templates(self, members: t.Sequence[FleetMember]) -> None:
        """Name the present templates all at once where one is given by name; planning would ask for each by itself."""
        if any(isinstance(reference(params, "template"), str) for _instance, params in members):
            self.names.fill(
                (instance.current for instance, _params in members if instance.current is not None), "template"
            )

    def _plan(self, members: t.Sequence[FleetMember]) -> None:
        """Plan for all. Raises InvalidInput when an option of any is wrong, before anything is sent."""
        wrong: dict[str, FcdError] = {}
        for instance, params in members:
            if instance.error is not None:
                continue
            try:
                plan_instance(self._planner(params), params, instance)
            except InvalidInput as error:
                wrong[instance.name] = error
        if wrong:
            raise _told_together(wrong)

    def _planner(self, params: Params) -> InstancePlanner:
        return InstancePlanner(self.task, self.view, self.labels, params)

    def _spare(self, members: t.Sequence[FleetMember], extra: t.Sequence[FleetMember]) -> None:
        """Leave the surplus alone where it is certain that not all that is declared is there, or nobody waits for it.

        Otherwise a create that fails in the end would cost the instances that could have stood in for it.
        """
        failed = sum(instance.error is not None for instance, _params in members)
        if failed:
            _keep(extra, failed)
        coming = sum(_is_coming(instance) for instance, _params in members)
        if not extra or self.params["wait"] or not coming:
            return
        for instance, _params in extra:
            instance.plan = Plan(None, before=instance.plan.before, after=instance.plan.before)
        self.task.warn(
            f"prune: {len(extra)} instances that are not declared any more are left alone in this run: {coming} of the "
            "declared ones are not there yet, and with wait=false nobody knows whether they will be. A later run "
            "removes them."
        )

    def _work(self, members: list[FleetMember], extra: list[FleetMember]) -> None:
        whole = [*members, *extra]
        if any(needs_work(params, instance) for instance, params in whole):
            self._work_together(members, extra)

    def _work_together(self, members: list[FleetMember], extra: list[FleetMember]) -> None:
        from .fleet_run import FleetRun

        run_of_fleet = FleetRun(self.task, self.lists, self.names, self.params, self.most, self._planner)
        if self.known is not None:
            before = self.known.asked_for()
            asked = [instance for instance, _params in members if instance.plan.action in MADE]
            self.known.ask_for({instance.name: (instance.current or {}).get("id") for instance in asked})
        run_of_fleet.work(members)
        if self.known is not None:
            with mark_changed_on_error(any(has_changed_something(instance) for instance, _params in members)):
                self.known.withdraw([one.name for one in asked if one.name not in before and _was_not_made(one)])
        failed = sum(instance.error is not None for instance, _params in members)
        if failed:
            _keep(extra, failed)
        run_of_fleet.work(extra)


def run(task: Task, params: Params) -> Result:
    """Bring the declared instances to their state."""
    return Fleet(task, params).run()


def _journal_of(task: Task, params: Params) -> FleetJournal | None:
    if not params.get("fleet"):
        return None
    from .fleet_journal import FleetJournal

    known = FleetJournal(task, params["fleet"])
    if (params.get("prune") or {}).get("from_journal"):
        known.require_whole()
    known.warn_if_damaged()
    return known


def _told_together(wrong: t.Mapping[str, FcdError]) -> InvalidInput:
    """Return one error for all; what several say is told once."""
    names: dict[str, list[str]] = {}
    for name, error in wrong.items():
        names.setdefault(str(error).replace(f"Instance {name!r}", "it"), []).append(name)
    listed = [f"{_shortened(some)}: {text}" for text, some in names.items()]
    more = f" And so on, for {len(wrong)} instances." if len(listed) > MOST_TOLD else ""
    return InvalidInput(
        f"Nothing was done, since not all instances are declared right. {' '.join(listed[:MOST_TOLD])}{more}",
        option="instances",
        names=list(wrong),
    )


def _shortened(names: t.Sequence[str]) -> str:
    more = len(names) - MOST_TOLD
    return f"{', '.join(names[:MOST_TOLD])}{f' and {more} more' if more > 0 else ''}"


def _keep(extra: t.Sequence[FleetMember], failed: int) -> None:
    """Leave the surplus alone: it may still be needed."""
    for instance, _params in extra:
        instance.error = OperationFailed(
            f"Instance {instance.name!r} was not removed, since {failed} of those that are to be there failed.",
            next_step="Run the task again when they are mended.",
        )


def _is_coming(instance: DeclaredInstance) -> bool:
    """Return whether a declared instance is not there yet, or not ready."""
    return (
        instance.plan.action in MADE
        or instance.under_way
        or (instance.current is not None and unsettled(instance.current))
    )


def _was_not_made(instance: DeclaredInstance) -> bool:
    """Return whether it is certain that nothing was made: an instance of that name is somebody else's then."""
    from ..._engine.create_once import NO_EFFECT

    return instance.ticket is None and isinstance(instance.error, NO_EFFECT)


OPERATION = Operation("instance_fleet", (REST,), FLEET_OPTIONS, run)


FAILED = "failed"
COUNTED = {CREATE: "created", DELETE: "removed", UPDATE: "changed", None: "unchanged", FAILED: "failed"}
TOLD = 5  # failures that the message tells; all are in the result


def fleet_result(instances: t.Sequence[DeclaredInstance]) -> Result:
    """Return the result. With a failure among them it says ``failed``; the rest is finished."""
    counts = dict.fromkeys(COUNTED.values(), 0)
    counts.update(
        Counter(COUNTED.get(FAILED if one.outcome is None else one.outcome.action, "changed") for one in instances)
    )
    described = [_member_result(one) for one in instances]
    told: Result = {
        "changed": any(one["changed"] for one in described),
        "outcomes": described,
        **records_and_diffs(instances),
        "counts": counts,
    }
    return {**told, **_failure(instances, counts)} if counts["failed"] else told


def _member_result(instance: DeclaredInstance) -> Result:
    if instance.error is not None:
        told = instance.error.as_result()
        return {
            "name": instance.name,
            "id": (instance.current or {}).get("id"),
            "action": FAILED,
            "changed": bool(told["error"].pop(CHANGED, False)),
            "ticket": instance.ticket,
            **told,
        }
    outcome = instance.outcome
    if outcome is None:
        raise AssertionError(instance.name)
    return {
        "name": instance.name,
        "id": (outcome.record or instance.current or {}).get("id"),
        "action": outcome.action or "none",
        "changed": outcome.changed,
        "ticket": instance.ticket,
    }


def _failure(instances: t.Sequence[DeclaredInstance], counts: t.Mapping[str, int]) -> Result:
    failed = [one for one in instances if one.error is not None]
    listed = "; ".join(f"{one.name}: {one.error}" for one in failed[:TOLD])
    more = f"; and {len(failed) - TOLD} more, see outcomes" if len(failed) > TOLD else ""
    done = ", ".join(f"{number} {word}" for word, number in counts.items() if number and word != "failed")
    return {
        "failed": True,
        "msg": f"{len(failed)} of {len(instances)} instances failed{f' ({done})' if done else ''}: {listed}{more}",
    }
