# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the operations of entries are run, alone or as a fleet: what planning and applying share."""

from __future__ import annotations

import copy
import typing as t

from ...module_utils._connection.options import own_options
from ...module_utils._connection.task import Params, Result, Task
from ...module_utils._core.errors import FcdError, InvalidInput, note_change
from ...module_utils._core.later import LATER
from ...module_utils._core.type_aliases import JsonObject
from ...module_utils._engine.plan import CREATE, DELETE, UPDATE, Outcome
from ...module_utils._engine.scheduler import run_in_threads
from ...module_utils._infrastructure.instance.instance import instance_key
from ...module_utils._infrastructure.instance.instance_fleet import MEMBER_OPTIONS, Fleet
from ...module_utils._infrastructure.instance.instance_options import check_instance
from ...module_utils._infrastructure.instance.instance_planning import DeclaredInstance
from .model import NAME, RUN_OPTIONS, Place, levels, with_numbers
from .stages import MADE, EntryOutcome, EntryResult, Read, Selected

AnySelected = t.TypeVar("AnySelected", bound=Selected)
Known = t.TypeVar("Known", bound=Read)
End = t.TypeVar("End")


class EntryWork(t.Generic[Known]):
    """What planning and applying share. ``params`` are those of the site; ``warn`` may be called in any thread."""

    def __init__(self, task: Task, params: Params, warn: t.Callable[[Selected, str], None]) -> None:
        self.task = copy.copy(task)
        self.params = params
        self.warn = warn
        self.known: dict[Place, Known] = {}  # of each entry the latest

    def task_of(self, sends: dict[str, str]) -> Task:
        """Return a task of its own for an entry; ``sends`` is that of the entry, where contents are bound."""
        task = copy.copy(self.task)
        if task.sends is not None:
            task.sends = sends
        return task

    def references_of(self, one: Selected) -> list[Known]:
        """Return the entries that this one refers to."""
        return [self.known[ref] for ref in one.entry.refs if ref in self.known]

    def number(self, kind: str, name: str) -> t.Any:
        """Return the number of an entry, None while nobody knows it."""
        known = self.known.get((kind, name))
        return None if known is None else known.number

    def options(self, one: Selected, left_out: t.Collection[str]) -> JsonObject:
        """Return the options that the operation gets, but for the numbers of others."""
        kind = one.entry.of
        unsaid, waiting = kind.defaults(), {**self.params, "wait": True}
        of_run = {name: waiting[name] for name in RUN_OPTIONS if name in unsaid}
        gone: JsonObject = {"state": "absent"} if one.removes else {}
        if one.detaches:
            gone["force_detach"] = True
        declared = {name: value for name, value in one.entry.params.items() if name not in left_out}
        return {**unsaid, **declared, **kind.fixed, **dict(one.resent.values()), **of_run, **gone}

    def options_of(self, one: Read) -> JsonObject:
        """Return the options for an entry that was looked at."""
        params = self.options(one, one.left_out)
        return with_own_number(one, params, one.registered) if one.by_number else params

    def with_known_numbers(self, one: Selected, params: JsonObject) -> JsonObject:
        """Return the options with the numbers of other entries, also where they are given by their names.

        What this run has made or found it knows: the lists, which names are looked up in, may not show it yet.
        """
        whole: JsonObject = with_numbers(params, self.number)

        def by_number(kind: str, value: object) -> object:
            if isinstance(value, list):
                return [by_number(kind, one) for one in value]
            number = self.number(kind, str(value))
            return value if number is None else str(number)

        for option, target in one.entry.of.references.items():
            if target.by == NAME and not one.removes:
                whole[option] = by_number(target.kind, whole.get(option))
        return whole

    def run_jobs(self, jobs: t.Sequence[t.Callable[[], list[End]]], ended: t.Callable[[End], None]) -> None:
        """Do the jobs side by side; ``ended`` gets, in this thread, all that they return. Raises DeadlinePassed."""

        def job_ended(_job: object, ends: list[End] | FcdError) -> None:
            if isinstance(ends, FcdError):
                raise ends
            for end in ends:
                ended(end)

        most = self.params["concurrency"]
        run_in_threads(jobs, lambda job: job(), most=most, deadline=self.task.deadline, ended=job_ended)


def by_level(stages: t.Sequence[AnySelected]) -> list[list[AnySelected]]:
    """Return the entries in groups: those of one group refer to entries of earlier groups only."""
    by_place = {one.place: one for one in stages}
    return [[by_place[entry.place] for entry in level] for level in levels([one.entry for one in stages])]


def with_own_number(one: Selected, params: JsonObject, number: object) -> JsonObject:
    """Return the options for a thing that is found by its number; one that is known so is never made anew.

    A removal takes only the number: what has moved is still called as it was.
    """
    names = {option for way in one.entry.of.identity for option in way} if one.removes else set()
    unset = {**dict.fromkeys(names & params.keys()), **({"recreate": False} if "recreate" in params else {})}
    return {**params, **unset, "id": number}


def run_operation(task: Task, one: Selected, params: Params) -> EntryResult:
    """Run the operation of an entry. Raises FcdError, also for a result that says failed."""
    operation = one.entry.of.operation()
    result = operation.run(task, own_options(operation.options, params))
    if result.get("failed"):
        error = FcdError(result["msg"], **result.get("error", {}))  # the details have the kind
        if result.get("changed"):
            note_change(error)
        raise error
    return outcome_of(result)


def outcome_of(result: Result) -> EntryResult:
    """Return what the result of a module says; the thing is the first part of it with a number, or the first one."""
    diff = result.get("diff") or {}
    before, after = ({}, {}) if isinstance(diff, list) else (diff.get("before"), diff.get("after"))
    parts = [value for name, value in result.items() if name not in ("diff", "error") and isinstance(value, dict)]
    record = next((part for part in parts if "id" in part), parts[0] if parts else {})
    return EntryResult(action_of(result), before, after, record.get("id"), tuple(result.get("forced_by") or ()), record)


def action_of(result: Result) -> str | None:
    """Return create, update, replace, delete or None, whatever the module calls it."""
    if not result.get("changed"):
        return None
    action = result.get("action")
    return action if action in (*MADE, DELETE) else UPDATE


# ---------------------------------------------------------------- instances: those of one state are run together

FleetMembers = t.Sequence[t.Tuple[AnySelected, Params]]
EntryOutcomes = t.List[t.Tuple[AnySelected, EntryOutcome]]


class SiteFleet(Fleet):
    """A fleet in which an instance that is declared wrong keeps none of the others back."""

    by_name: t.Mapping[str, DeclaredInstance] = {}
    ended: t.Callable[[str], None] | None = None  # gets the name of each that has ended well, at once and perhaps again

    def plan(self, instances: t.Sequence[DeclaredInstance]) -> None:
        """Plan for all."""
        self.by_name = {instance.name: instance for instance in instances}
        for instance in instances:
            if instance.error is None:
                try:
                    instance.make_plan()
                except InvalidInput as error:
                    instance.error = error

    def report_ended(self, ended: t.Mapping[str, Outcome | FcdError], whole: int) -> None:
        """Tell of each as well."""
        super().report_ended(ended, whole)
        if self.ended is None:
            return
        for name, instance in self.by_name.items():
            key = instance_key(instance)
            if key in ended and not isinstance(ended[key], FcdError):
                self.ended(name)


def run_instances(
    task: Task, members: FleetMembers[AnySelected], site: Params, ended: t.Callable[[AnySelected], None] | None = None
) -> EntryOutcomes[AnySelected]:
    """Bring instances to their states and return what came of each; ``site`` are the options of the site's task.

    ``ended`` gets those that have ended well while others go on.
    """
    ends: EntryOutcomes[AnySelected] = []
    fleets: dict[str, list[tuple[AnySelected, Params]]] = {}
    for plan, params in members:
        try:
            check_instance(params)
        except InvalidInput as error:
            ends.append((plan, error))
        else:
            fleets.setdefault(params["state"], []).append((plan, params))
    for state, alike in fleets.items():
        ends += _run_fleet(task, state, alike, site, ended)
    return ends


def _run_fleet(
    task: Task,
    state: str,
    members: FleetMembers[AnySelected],
    site: Params,
    ended: t.Callable[[AnySelected], None] | None,
) -> EntryOutcomes[AnySelected]:
    params = {
        "state": state,
        "instances": [{name: one.get(name) for name in MEMBER_OPTIONS} for _plan, one in members],
        "instance_defaults": None,
        "concurrency": site["concurrency"],
        "fleet": None,
        "prune": None,
        "wait": True,
        "wait_timeout": site["wait_timeout"],
        "create_grace": site["create_grace"],
        "force_create": site["force_create"],
    }
    try:
        fleet = SiteFleet(task, params)
        if ended is not None:
            plans = {one["name"]: plan for plan, one in members}
            fleet.ended = lambda name: ended(plans[name])
        fleet.run()
    except FcdError as error:
        return [(plan, error) for plan, _params in members]
    return [(plan, _instance_end(fleet.by_name[one["name"]])) for plan, one in members]


def _instance_end(instance: DeclaredInstance) -> EntryOutcome:
    if instance.error is not None:
        return instance.error
    outcome = t.cast("Outcome", instance.outcome)
    action = action_of({"changed": outcome.changed, "action": outcome.action})
    record = outcome.record or instance.current or {}
    number = record.get("id")
    if instance.under_way and number is None and action is None:  # others have to wait for it as for a new one
        return EntryResult(CREATE, {}, {"name": instance.name, "id": LATER})
    return EntryResult(action, outcome.before, outcome.after, number, outcome.forced_by, record)
