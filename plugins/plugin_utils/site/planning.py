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

from ...module_utils._core.errors import Conflict, FcdError, InvalidInput
from ...module_utils._core.memoize import Memory
from ...module_utils._core.names import listed
from ...module_utils._engine.plan import CREATE, UPDATE
from ...module_utils._engine.scheduler import side_by_side
from ...module_utils._object_storage.connection import object_storage
from ...module_utils._object_storage.container_versioning import ENABLED
from ...module_utils._object_storage.content import Content, of_file, of_text
from ...module_utils._object_storage.segments import segment_container
from ...module_utils._session.operation import Params
from ...module_utils._session.shared_clients import RememberingClients
from ...module_utils._session.task import Task
from .entry_plan import (
    CONTAINERS,
    EntryPlan,
    EntryResult,
    Waiting,
    complete,
    in_fleet,
    run_instances,
    run_operation,
    settled,
    with_later,
    without_coming,
)
from .entry_plan import KIND as MACHINES
from .model import levels, unknown_numbers

KIND = "storage_objects"
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
        for wish, params in objects:
            if _can_be_told(wish, params):
                self._names.setdefault(params["container"], []).append(params["name"])

    def outcome(self, wish: EntryPlan, params: Params) -> EntryResult | None:
        """Return that nothing is to be done, None where the object has to be looked at by itself."""
        names = self._names.get(params["container"], ())
        if len(names) < ENOUGH or not _can_be_told(wish, params):
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


def _can_be_told(wish: EntryPlan, params: Params) -> bool:
    if params["state"] != "present" or (params["content"] is None and params["src"] is None):
        return False
    options = wish.entry.of.operation().options
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


def _content(params: Params) -> Content:
    return of_text(params["content"]) if params["content"] is not None else of_file(params["src"])


NETWORKS = "private_networks"
FORCED = {NETWORKS: "force_detach", CONTAINERS: "force"}
"""Options with which such a thing is removed whatever is in it."""
TOLD = 3  # names in one message


class Removals:
    """The removals of one planning. ``options`` returns the options of a wish."""

    def __init__(self, task: Task, wishes: t.Sequence[EntryPlan], options: t.Callable[[EntryPlan], Params]) -> None:
        self._task = copy.copy(task)
        self._task.warn = lambda _text: None  # what stays is told by an error
        self._options = options
        self._refused = [wish for wish in wishes if _is_refused(wish)]
        going = [wish for wish in wishes if wish.removes and wish.changes]
        self._machines = {str(wish.number) for wish in going if wish.entry.kind == MACHINES}
        self._moving = [w for w in wishes if w.entry.kind == MACHINES and w.changes and not w.removes]
        self._objects: dict[str, set[str]] = {}
        for wish in going:
            if wish.entry.kind == KIND:
                self._objects.setdefault(str(wish.entry.params["container"]), set()).add(str(wish.entry.params["name"]))

    def foresee(self) -> None:
        """Say of each what will come of it, when all that goes before it is gone."""
        for wish in self._refused:
            if not wish.spared:
                try:
                    self._foresee(wish)
                except FcdError as error:
                    wish.error = error

    def _foresee(self, wish: EntryPlan) -> None:
        option = FORCED[wish.entry.kind]
        outcome = run_operation(self._task, wish, {**self._options(wish), option: True})
        staying = self._machines_of(wish, outcome) if wish.entry.kind == NETWORKS else self._objects_of(wish, outcome)
        if staying:
            raise Conflict(
                f"It is not removed, for it holds what does not go with it: {listed(staying, TOLD)}.",
                next_step=f"Remove that first, or let it go with all that is in it: {option}: true in its entry"
                + (", declared once more with state: absent." if wish.orphan else "."),
            )
        wish.error, wish.planned = None, outcome

    def _machines_of(self, wish: EntryPlan, outcome: EntryResult) -> list[str]:
        leaving = {str(one.number) for one in self._moving if _leaves(one, wish.entry.params.get("name"))}
        return [
            f"instance {one['label']} ({one['id']})"
            for one in outcome.before.get("instances") or ()
            if str(one["id"]) not in self._machines | leaving
        ]

    def _objects_of(self, wish: EntryPlan, outcome: EntryResult) -> list[str]:
        name = str(wish.entry.params["name"])
        going = self._objects.get(name, set())
        if any(segment_container(other) == name for other in self._objects):
            return []  # segments go with their objects
        if not going:
            return [f"{outcome.before.get('object_count') or 'new or expired'} objects"]
        if outcome.before.get("versioning") == ENABLED:
            return ["versions of its objects"]
        storage = object_storage(self._task)
        marker = ""
        while True:
            page = storage.list_objects(name, marker=marker)
            staying = [f"object {one['name']}" for one in page if one["name"] not in going]
            if staying or not page:
                return staying
            marker = str(page[-1]["name"])


def _leaves(machine: EntryPlan, network: str | None) -> bool:
    """Return whether a machine that is changed is in this network no more."""
    params = machine.entry.params
    declared = params.get("private_networks")
    return bool(params.get("purge_private_networks")) and declared is not None and network not in declared


def _is_refused(wish: EntryPlan) -> bool:
    return wish.removes and wish.entry.kind in FORCED and isinstance(wish.error, (Conflict, InvalidInput))


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
    """The planning of one run. ``wishes`` are all that are looked at; ``warn`` may be called in any thread."""

    def __init__(
        self,
        task: Task,
        wishes: t.Sequence[EntryPlan],
        concurrency: int,
        waiting: Waiting,
        site: str,
        warn: t.Callable[[EntryPlan, str], None],
    ) -> None:
        self._task = copy.copy(task)
        self._task.check_mode = True
        self._task.clients = RememberingClients(self._task, _searched_often(wishes))
        self._warn = warn
        self._wishes = wishes
        self._by_place = {wish.place: wish for wish in wishes}
        self._concurrency = concurrency
        self._waiting = waiting
        self._site = site
        self._planned = 0

    def run(self) -> None:
        """Fill in what is planned for each, or why it cannot be. Raises DeadlinePassed."""
        for level in levels([wish.entry for wish in self._wishes]):
            self._plan_level([self._by_place[entry.place] for entry in level])

    def foresee_removals(self) -> None:
        """Say what will come of removals that are refused as long as something is in the thing."""
        Removals(self._task, self._wishes, lambda wish: self._options(wish)[0]).foresee()

    def _plan_level(self, wishes: t.Sequence[EntryPlan]) -> None:
        jobs = self._jobs(wishes)

        def ended(_job: Job, value: t.Any) -> None:
            if isinstance(value, FcdError):
                raise value
            for wish, end in value:
                self._note(wish, end)

        side_by_side(jobs, lambda job: job(), most=self._concurrency, deadline=self._task.deadline, ended=ended)

    def _note(self, wish: EntryPlan, end: End) -> None:
        if isinstance(end, EntryResult):
            wish.planned = end
        else:
            wish.error = end
        self._planned += 1
        if self._planned % STEP == 0 or self._planned == len(self._wishes):
            self._task.tell(f"site {self._site}: {self._planned} of {len(self._wishes)} planned")

    def _jobs(self, wishes: t.Sequence[EntryPlan]) -> list[Job]:
        """Return the work; what waits for the service longest comes first."""
        ready = [(wish, *self._options(wish)) for wish in wishes if self._is_ready(wish)]
        fleet = [one for one in ready if in_fleet(one[0])]
        others = [one for one in ready if not in_fleet(one[0])]
        listed = ListedObjects(self._task, [(wish, params) for wish, params, _lost in others if _is_object(wish)])
        jobs: list[Job] = [lambda: self._ends_of_machines(fleet)] if fleet else []
        jobs += [self._job_of(wish, params, lost, listed) for wish, params, lost in _searching_first(others)]
        jobs.append(lambda: [(wish, wish.error) for wish in wishes if wish.error is not None])
        return jobs

    def _ends_of_machines(self, ready: t.Sequence[Ready]) -> Ends:
        given = [(wish, params) for wish, params, _lost in ready]
        lost = {wish.place: names for wish, _params, names in ready}
        options = {wish.place: params for wish, params in given}
        ends = run_instances(self._task, given, self._concurrency, self._waiting)
        return [(wish, self._with_lost(wish, end, options[wish.place], lost[wish.place])) for wish, end in ends]

    def _is_ready(self, wish: EntryPlan) -> bool:
        """Return whether it can be planned, else note why not: what it refers to cannot be."""
        blocking = [self._by_place[ref] for ref in wish.entry.refs if ref in self._by_place]
        failed = next((one for one in blocking if one.error is not None), None)
        if failed is not None and not wish.removes:
            why = "See the error there." if not failed.context else str(failed.error)
            wish.error = FcdError(f"It refers to {failed}, which cannot be planned.", next_step=why)
        return wish.error is None

    def _number(self, kind: str, name: str) -> t.Any:
        wish = self._by_place.get((kind, name))
        return None if wish is None else wish.number

    def _options(self, wish: EntryPlan) -> tuple[dict[str, t.Any], Lost]:
        """Return the options as far as they are known, and those that wait for something to be made."""
        params = complete(wish, self._waiting)
        coming = {ref for ref in wish.entry.refs if ref in self._by_place and self._by_place[ref].coming}
        unknown = bool(unknown_numbers(params, self._number))
        params = settled(params, self._number)
        if wish.removes or not (coming or unknown):
            return params, {}
        return without_coming(wish.entry, params, coming)

    def _job_of(self, wish: EntryPlan, params: Params, lost: Lost, listed: ListedObjects) -> Job:
        return lambda: [(wish, self._end(wish, params, lost, listed))]

    def _end(self, wish: EntryPlan, params: Params, lost: Lost, listed: ListedObjects) -> End:
        known = listed.outcome(wish, params) if _is_object(wish) else None
        if known is not None:
            return known
        end: End
        try:
            end = run_operation(self._own_task(wish), wish, params)
        except FcdError as error:
            end = error
        return self._with_lost(wish, end, params, lost)

    def _own_task(self, wish: EntryPlan) -> Task:
        task = copy.copy(self._task)
        coming = any(self._by_place[ref].coming for ref in wish.entry.refs if ref in self._by_place)
        task.warn = lambda text: None if coming and FORESEEN in text else self._warn(wish, text)
        return task

    def _with_lost(self, wish: EntryPlan, end: End, params: Params, lost: Lost) -> End:
        """Return the end of a planning in which these options had to be left out."""
        if isinstance(end, EntryResult):
            return with_later(end, lost)
        return self._end_without(wish, params, lost) if _lacks_lost(wish, end, lost) else end

    def _end_without(self, wish: EntryPlan, params: Params, lost: Lost) -> End:
        """Plan for one that cannot be planned without the things that are to be made, by whether it is there."""
        options = wish.entry.of.operation().options
        if "state" not in options:
            return EntryResult(UPDATE, {}, lost)
        given = {name: value for name, value in params.items() if name in wish.entry.identity or name in self._of_run}
        defaults = {name: spec.get("default") for name, spec in options.items()}
        try:
            found = run_operation(self._own_task(wish), wish, {**defaults, **given, "state": "absent"})
        except FcdError as error:
            return error
        if found.action is None:
            shown = {name: value for name, value in wish.entry.given.items() if not options.get(name, {}).get("no_log")}
            return EntryResult(CREATE, {}, {**shown, **lost})
        return with_later(EntryResult(UPDATE, found.before, found.before, found.number), lost)

    _of_run = ("wait", "wait_timeout", "create_grace")


def _searched_often(wishes: t.Sequence[EntryPlan]) -> set[str]:
    kinds = [wish.entry.kind for wish in wishes]
    return {search for kind, search in SEARCHES.items() if kinds.count(kind) > FEW}


def _searching_first(ready: t.Sequence[Ready]) -> list[Ready]:
    """Return first one of each kind, whose search may be that of all others, then what is asked for one by one."""
    first: dict[str, Ready] = {}
    for one in ready:
        first.setdefault(one[0].entry.kind, one)
    others = [one for one in ready if first[one[0].entry.kind] is not one]
    return [*first.values(), *sorted(others, key=lambda one: one[0].entry.kind not in ONE_BY_ONE)]


def _lacks_lost(wish: EntryPlan, error: FcdError, lost: Lost) -> bool:
    """Return whether an error says no more than that options were left out: what these stand for is missing."""
    stood_for = {name for option in lost for name in STAND_FOR.get((wish.entry.kind, option), ())}
    named = error.details.get("options") or ()
    return isinstance(error, InvalidInput) and bool(named) and stood_for.issuperset(named)


def _is_object(wish: EntryPlan) -> bool:
    return wish.entry.kind == KIND
