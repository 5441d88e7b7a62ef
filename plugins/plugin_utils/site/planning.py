# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning all entries of a site at one moment: each as its module does it in check mode, with shared reads.

Nothing but reads is sent. Objects of which a listing of their container tells all that is declared are not asked for
one by one; a listing may lag behind by some seconds (wire-facts 10.3), so what it shows to be different, or does not
show, is read by itself. Removals that are refused while something is in the thing (a network with instances, a
container with objects) are foreseen: what goes before it in the same run does not count, and what stays is told, so
that the plan promises no removal that the service, or the module, is going to refuse.
"""

from __future__ import annotations

import copy
import typing as t

from ...module_utils._connection.operation import Params
from ...module_utils._connection.task import Task
from ...module_utils._core.errors import Conflict, FcdError, InvalidInput
from ...module_utils._core.memoize import Memory
from ...module_utils._core.names import listed
from ...module_utils._engine.plan import CREATE, UPDATE
from ...module_utils._engine.scheduler import side_by_side
from ...module_utils._object_storage.connection import object_storage
from ...module_utils._object_storage.content import ObjectContent, of_file, of_text
from ...module_utils._object_storage.limits import segment_container
from ...module_utils._object_storage.versions import ENABLED
from .entry_plan import (
    CONTAINERS,
    INSTANCES,
    EntryPlan,
    EntryResult,
    Waiting,
    complete,
    in_fleet,
    run_instances,
    run_operation,
    with_known_numbers,
    with_later,
    without_coming,
)
from .model import levels, unknown_numbers
from .shared_reads import RememberingClients

OBJECTS = "storage_objects"
ENOUGH = 3  # objects of one container for which a listing is less than asking for each
TELLING = {"container", "name", "content", "src", "content_type", "state"}
"""Options that a listing can answer; all others have to stand at their defaults."""

Listing = t.Mapping[str, t.Mapping[str, t.Any]]
Objects = t.Sequence[t.Tuple[EntryPlan, Params]]


class ListedObjects:
    """The listings of the containers of one run, each read when it is asked for first."""

    def __init__(self, task: Task, objects: Objects) -> None:
        self._task = task
        self._read = Memory()
        self._names: dict[str, list[str]] = {}
        for plan, params in objects:
            if _is_object(plan) and _can_be_told(plan, params):
                self._names.setdefault(params["container"], []).append(params["name"])

    def outcome(self, plan: EntryPlan, params: Params) -> EntryResult | None:
        """Return that nothing is to be done, None where the object has to be looked at by itself."""
        names = self._names.get(params["container"], ())
        if len(names) < ENOUGH or not _can_be_told(plan, params):
            return None
        try:
            listing = self._read.answer(params["container"], lambda: self._listing(params["container"], names))
            listed = listing.get(params["name"])
            return EntryResult(None, {}, {}) if listed is not None and _same(params, listed) else None
        except FcdError:
            return None  # whoever looks at the object itself tells what is wrong

    def _listing(self, container: str, names: t.Sequence[str]) -> Listing:
        """Return a page of what begins as all these names do; what comes behind it is asked for one by one."""
        storage = object_storage(self._task)
        first, last = min(names), max(names)
        length = next((at for at, letter in enumerate(first) if last[at : at + 1] != letter), len(first))
        found = storage.list_objects(container, prefix=first[:length])
        return {str(entry["name"]): entry for entry in found}


def _can_be_told(plan: EntryPlan, params: Params) -> bool:
    if params["state"] != "present" or (params["content"] is None and params["src"] is None):
        return False
    options = plan.entry.of.operation().options
    return all(
        value is None or value == options[name].get("default")
        for name, value in params.items()
        if name in options and name not in TELLING
    )


def _same(params: Params, listed: t.Mapping[str, t.Any]) -> bool:
    """Return whether a listed object is as declared. An empty one may be the manifest of a large object."""
    content = _content(params)
    kind = params["content_type"]
    same_kind = kind is None or kind == listed.get("content_type")
    return bool(same_kind and content.size and content.size == listed.get("bytes") and content.etag == listed["hash"])


def _content(params: Params) -> ObjectContent:
    return of_text(params["content"]) if params["content"] is not None else of_file(params["src"])


NETWORKS = "private_networks"
FORCED = {NETWORKS: "force_detach", CONTAINERS: "force"}
"""Options with which such a thing is removed whatever is in it."""
TOLD = 3  # names in one message


class Removals:
    """The removals of one planning. ``options`` returns the options of an entry plan."""

    def __init__(self, task: Task, plans: t.Sequence[EntryPlan], options: t.Callable[[EntryPlan], Params]) -> None:
        self._task = copy.copy(task)
        self._task.warn = lambda _text: None  # what stays is told by an error
        self._options = options
        self._refused = [plan for plan in plans if _is_refused(plan)]
        going = [plan for plan in plans if plan.removes and plan.changes]
        self._instances = {str(plan.number) for plan in going if plan.entry.kind == INSTANCES}
        self._moving = [plan for plan in plans if _is_changed_instance(plan)]
        self._objects = _names_by_container(going)

    def foresee(self) -> None:
        """Say of each what will come of it, when all that goes before it is gone."""
        for plan in self._refused:
            if not plan.spared:
                try:
                    self._foresee(plan)
                except FcdError as error:
                    plan.error = error

    def _foresee(self, plan: EntryPlan) -> None:
        option = FORCED[plan.entry.kind]
        outcome = run_operation(self._task, plan, {**self._options(plan), option: True})
        staying = self._instances_of(plan, outcome) if plan.entry.kind == NETWORKS else self._objects_of(plan, outcome)
        if staying:
            raise Conflict(
                f"It is not removed, for it holds what does not go with it: {listed(staying, TOLD)}.",
                next_step=f"Remove that first, or let it go with all that is in it: {option}: true in its entry"
                + (", declared once more with state: absent." if plan.orphan else "."),
            )
        plan.error, plan.planned = None, outcome

    def _instances_of(self, plan: EntryPlan, outcome: EntryResult) -> list[str]:
        leaving = {str(one.number) for one in self._moving if _leaves(one, plan.entry.params.get("name"))}
        return [
            f"instance {one['label']} ({one['id']})"
            for one in outcome.before.get("instances") or ()
            if str(one["id"]) not in self._instances | leaving
        ]

    def _objects_of(self, plan: EntryPlan, outcome: EntryResult) -> list[str]:
        name = str(plan.entry.params["name"])
        going = self._objects.get(name, set())
        if any(segment_container(other) == name for other in self._objects):
            return []  # segments go with their objects
        if not going:
            return [f"{outcome.before.get('object_count') or 'new or expired'} objects"]
        if outcome.before.get("versioning") == ENABLED:
            return ["versions of its objects"]
        return self._objects_besides(going, name)

    def _objects_besides(self, going: t.Collection[str], container: str) -> list[str]:
        """Return objects of the first page that has others than those that go."""
        storage = object_storage(self._task)
        marker = ""
        while True:
            page = storage.list_objects(container, marker=marker)
            staying = [f"object {one['name']}" for one in page if one["name"] not in going]
            if staying or not page:
                return staying
            marker = str(page[-1]["name"])


def _is_changed_instance(plan: EntryPlan) -> bool:
    return plan.entry.kind == INSTANCES and plan.changes and not plan.removes


def _names_by_container(plans: t.Iterable[EntryPlan]) -> dict[str, set[str]]:
    """Return the names of the objects among the entries, by container."""
    found: dict[str, set[str]] = {}
    for plan in plans:
        if _is_object(plan):
            params = plan.entry.params
            found.setdefault(str(params["container"]), set()).add(str(params["name"]))
    return found


def _leaves(instance: EntryPlan, network: str | None) -> bool:
    """Return whether an instance that is changed is in this network no more."""
    params = instance.entry.params
    declared = params.get("private_networks")
    return bool(params.get("purge_private_networks")) and declared is not None and network not in declared


def _is_refused(plan: EntryPlan) -> bool:
    return plan.removes and plan.entry.kind in FORCED and isinstance(plan.error, (Conflict, InvalidInput))


FEW = 3  # things of a kind that are searched one by one
STEP = 100  # entries after which it is told how many are planned

STAND_FOR = {("disks", "instances"): ("subregion",)}
"""Options that may be given in place of others that something new needs."""

SEARCHES = {
    "private_networks": "/opns",
    "disks": "/disks",
    "client_users": "GetUsers",
    "warehouses": "GetWarehouses",
}
"""What things of a kind are searched by, in a list that can be read as a whole, too."""

ONE_BY_ONE = {
    "storage_containers",
    "clients",
    "storage_folders",
    "client_users",
    "client_pricelists",
    "client_fixed_amounts",
}
"""Kinds of which each is asked for, whatever lists have brought."""

FORESEEN = "Unless an earlier task makes it"
"""What modules say in check mode of a container that is missing; this run makes it."""

End = t.Union[EntryResult, FcdError]
Ends = t.List[t.Tuple[EntryPlan, End]]
Job = t.Callable[[], Ends]
Lost = t.Dict[str, t.Any]
Ready = t.Tuple[EntryPlan, t.Dict[str, t.Any], Lost]


class Planning:
    """The planning of one run. ``plans`` are all that are looked at; ``warn`` may be called in any thread."""

    def __init__(
        self,
        task: Task,
        plans: t.Sequence[EntryPlan],
        concurrency: int,
        waiting: Waiting,
        site: str,
        warn: t.Callable[[EntryPlan, str], None],
    ) -> None:
        self._task = copy.copy(task)
        self._task.check_mode = True
        self._task.clients = RememberingClients(self._task, _searched_often(plans))
        self._warn = warn
        self._plans = plans
        self._by_place = {plan.place: plan for plan in plans}
        self._concurrency = concurrency
        self._waiting = waiting
        self._site = site
        self._planned = 0

    def run(self) -> None:
        """Fill in what is planned for each, or why it cannot be. Raises DeadlinePassed."""
        for level in levels([plan.entry for plan in self._plans]):
            self._plan_level([self._by_place[entry.place] for entry in level])

    def foresee_removals(self) -> None:
        """Say what will come of removals that are refused as long as something is in the thing."""
        Removals(self._task, self._plans, lambda plan: self._options(plan)[0]).foresee()

    def _plan_level(self, plans: t.Sequence[EntryPlan]) -> None:
        jobs = self._jobs(plans)

        def ended(_job: Job, value: t.Any) -> None:
            if isinstance(value, FcdError):
                raise value
            for plan, end in value:
                self._note(plan, end)

        side_by_side(jobs, lambda job: job(), most=self._concurrency, deadline=self._task.deadline, ended=ended)

    def _note(self, plan: EntryPlan, end: End) -> None:
        if isinstance(end, EntryResult):
            plan.planned = end
        else:
            plan.error = end
        self._planned += 1
        if self._planned % STEP == 0 or self._planned == len(self._plans):
            self._task.tell(f"site {self._site}: {self._planned} of {len(self._plans)} planned")

    def _jobs(self, plans: t.Sequence[EntryPlan]) -> list[Job]:
        """Return the work; what waits for the service longest comes first."""
        ready = [(plan, *self._options(plan)) for plan in plans if self._is_ready(plan)]
        fleet = [one for one in ready if in_fleet(one[0])]
        others = [one for one in ready if not in_fleet(one[0])]
        listed = ListedObjects(self._task, [(plan, params) for plan, params, _lost in others])
        jobs: list[Job] = [lambda: self._fleet_ends(fleet)] if fleet else []
        jobs += [self._job_of(plan, params, lost, listed) for plan, params, lost in _searching_first(others)]
        jobs.append(lambda: _failed_ends(plans))
        return jobs

    def _fleet_ends(self, ready: t.Sequence[Ready]) -> Ends:
        given = [(plan, params) for plan, params, _lost in ready]
        lost = {plan.place: names for plan, _params, names in ready}
        options = {plan.place: params for plan, params in given}
        ends = run_instances(self._task, given, self._concurrency, self._waiting)
        return [(plan, self._with_lost(plan, end, options[plan.place], lost[plan.place])) for plan, end in ends]

    def _is_ready(self, plan: EntryPlan) -> bool:
        """Return whether it can be planned, else note why not: what it refers to cannot be."""
        blocking = [self._by_place[ref] for ref in plan.entry.refs if ref in self._by_place]
        failed = next((one for one in blocking if one.error is not None), None)
        if failed is not None and not plan.removes:
            why = "See the error there." if not failed.context else str(failed.error)
            plan.error = FcdError(f"It refers to {failed}, which cannot be planned.", next_step=why)
        return plan.error is None

    def _number(self, kind: str, name: str) -> t.Any:
        plan = self._by_place.get((kind, name))
        return None if plan is None else plan.number

    def _options(self, plan: EntryPlan) -> tuple[dict[str, t.Any], Lost]:
        """Return the options as far as they are known, and those that wait for something to be made."""
        params = complete(plan, self._waiting)
        coming = {ref for ref in plan.entry.refs if ref in self._by_place and self._by_place[ref].coming}
        unknown = bool(unknown_numbers(params, self._number))
        params = with_known_numbers(params, self._number)
        if plan.removes or not (coming or unknown):
            return params, {}
        return without_coming(plan.entry, params, coming)

    def _job_of(self, plan: EntryPlan, params: Params, lost: Lost, listed: ListedObjects) -> Job:
        return lambda: [(plan, self._end(plan, params, lost, listed))]

    def _end(self, plan: EntryPlan, params: Params, lost: Lost, listed: ListedObjects) -> End:
        known = listed.outcome(plan, params) if _is_object(plan) else None
        if known is not None:
            return known
        end: End
        try:
            end = run_operation(self._own_task(plan), plan, params)
        except FcdError as error:
            end = error
        return self._with_lost(plan, end, params, lost)

    def _own_task(self, plan: EntryPlan) -> Task:
        task = copy.copy(self._task)
        coming = any(self._by_place[ref].coming for ref in plan.entry.refs if ref in self._by_place)
        task.warn = lambda text: None if coming and FORESEEN in text else self._warn(plan, text)
        return task

    def _with_lost(self, plan: EntryPlan, end: End, params: Params, lost: Lost) -> End:
        """Return the end of a planning in which these options had to be left out."""
        if isinstance(end, EntryResult):
            return with_later(end, lost)
        return self._end_without(plan, params, lost) if _lacks_lost(plan, end, lost) else end

    def _end_without(self, plan: EntryPlan, params: Params, lost: Lost) -> End:
        """Plan for one that cannot be planned without the things that are to be made, by whether it is there."""
        options = plan.entry.of.operation().options
        if "state" not in options:
            return EntryResult(UPDATE, {}, lost)
        given = {name: value for name, value in params.items() if name in plan.entry.identity or name in self._of_run}
        defaults = {name: spec.get("default") for name, spec in options.items()}
        try:
            found = run_operation(self._own_task(plan), plan, {**defaults, **given, "state": "absent"})
        except FcdError as error:
            return error
        if found.action is None:
            shown = {name: value for name, value in plan.entry.given.items() if not options.get(name, {}).get("no_log")}
            return EntryResult(CREATE, {}, {**shown, **lost})
        return with_later(EntryResult(UPDATE, found.before, found.before, found.number), lost)

    _of_run = ("wait", "wait_timeout", "create_grace")


def _failed_ends(plans: t.Sequence[EntryPlan]) -> Ends:
    return [(plan, plan.error) for plan in plans if plan.error is not None]


def _searched_often(plans: t.Sequence[EntryPlan]) -> set[str]:
    kinds = [plan.entry.kind for plan in plans]
    return {search for kind, search in SEARCHES.items() if kinds.count(kind) > FEW}


def _searching_first(ready: t.Sequence[Ready]) -> list[Ready]:
    """Return first one of each kind, whose search may be that of all others, then what is asked for one by one."""
    first: dict[str, Ready] = {}
    for one in ready:
        first.setdefault(one[0].entry.kind, one)
    others = [one for one in ready if first[one[0].entry.kind] is not one]
    return [*first.values(), *sorted(others, key=lambda one: one[0].entry.kind not in ONE_BY_ONE)]


def _lacks_lost(plan: EntryPlan, error: FcdError, lost: Lost) -> bool:
    """Return whether an error says no more than that options were left out: what these stand for is missing."""
    stood_for = {name for option in lost for name in STAND_FOR.get((plan.entry.kind, option), ())}
    named = error.details.get("options") or ()
    return isinstance(error, InvalidInput) and bool(named) and stood_for.issuperset(named)


def _is_object(plan: EntryPlan) -> bool:
    return plan.entry.kind == OBJECTS
