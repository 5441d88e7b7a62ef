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
import functools
import typing as t

from ...module_utils._connection.clients import Client, Make, SharedClients
from ...module_utils._connection.task import Params, Task
from ...module_utils._core.errors import Conflict, FcdError, InvalidInput
from ...module_utils._core.memoize import Memory
from ...module_utils._core.text import listed
from ...module_utils._engine.plan import CREATE, UPDATE
from .entry_plan import (
    CONTAINERS,
    INSTANCES,
    EntryEnd,
    EntryEnds,
    EntryJob,
    EntryPlan,
    EntryResult,
    EntryWork,
    Options,
    run_operation,
    with_later,
    without_coming,
)
from .model import WAITING, unknown_numbers, with_numbers

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
        kinds = [plan.entry.kind for plan in plans]
        often = {search for kind, search in SEARCHES.items() if kinds.count(kind) > FEW}
        self.task.clients = RememberingClients(self.task, often)
        self._site = site
        self._planned = 0

    def run(self) -> None:
        """Fill in what is planned for each, or why it cannot be. Raises DeadlinePassed."""
        for level in self.by_level():
            ready = [self._ready(plan) for plan in level if self._can_be_planned(plan)]
            self.do(self._jobs(ready), self._note)
            planned = {one.plan for one in ready}
            for plan in level:
                if plan not in planned and plan.error is not None:
                    self._note(plan, plan.error)

    def _note(self, plan: EntryPlan, end: EntryEnd) -> None:
        if isinstance(end, EntryResult):
            plan.planned = end
        else:
            plan.error = end
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
        params = with_numbers(params, self.number)
        if plan.removes or not (coming or unknown):
            return _Ready(plan, params, {})
        return _Ready(plan, *without_coming(plan.entry, params, coming))

    def _jobs(self, ready: t.Sequence[_Ready]) -> list[EntryJob]:
        """Return the work; what waits for the service longest comes first.

        That is one of each kind, whose search may be that of all others, then what is asked for one by one.
        """
        fleet = [one for one in ready if one.plan.in_fleet]
        others = [one for one in ready if not one.plan.in_fleet]
        first: dict[str, _Ready] = {}
        for one in others:
            first.setdefault(one.plan.entry.kind, one)
        later = [one for one in others if first[one.plan.entry.kind] is not one]
        later.sort(key=lambda one: one.plan.entry.kind not in ONE_BY_ONE)
        listings = ListedObjects(self.task, others)
        jobs: list[EntryJob] = [functools.partial(self._plan_fleet, fleet)] if fleet else []
        return jobs + [functools.partial(self._plan_one, one, listings) for one in [*first.values(), *later]]

    def _plan_fleet(self, fleet: t.Sequence[_Ready]) -> EntryEnds:
        from .site_fleet import run_instances

        by_plan = {one.plan: one for one in fleet}
        ends = run_instances(self.task, [(one.plan, one.params) for one in fleet], self.params)
        return [(plan, self._with_lost(by_plan[plan], end)) for plan, end in ends]

    def _plan_one(self, one: _Ready, listings: ListedObjects) -> EntryEnds:
        known = listings.outcome(one) if one.plan.entry.kind == OBJECTS else None
        if known is not None:
            return [(one.plan, known)]
        end: EntryEnd
        try:
            end = run_operation(self._own_task(one.plan), one.plan, one.params)
        except FcdError as error:
            end = error
        return [(one.plan, self._with_lost(one, end))]

    def _own_task(self, plan: EntryPlan) -> Task:
        task = copy.copy(self.task)
        coming = any(one.coming for one in self.referred(plan))
        task.warn = lambda text: None if coming and FORESEEN in text else self.warn(plan, text)
        return task

    def _with_lost(self, one: _Ready, end: EntryEnd) -> EntryEnd:
        """Return the end of a planning in which some options had to be left out.

        Where the error says no more than that what these options stand for is missing, it is planned without them.
        """
        if isinstance(end, EntryResult):
            return self._with_later(one, end)
        stood_for = {name for option in one.lost for name in STAND_FOR.get((one.plan.entry.kind, option), ())}
        named = end.details.get("options") or ()
        lacks_lost = isinstance(end, InvalidInput) and bool(named) and stood_for.issuperset(named)
        return self._end_without(one) if lacks_lost else end

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

    def foresee_removals(self) -> None:
        """Say what will come of removals that are refused as long as something is in the thing."""
        removals = Removals(self.task, self.plans)
        for plan in self.plans:
            if not plan.spared and _is_refused(plan):
                try:
                    removals.foresee(plan, self._ready(plan).params)
                except FcdError as error:
                    plan.error = error


OBJECTS = "storage_objects"
ENOUGH = 3  # objects of one container for which a listing is less than asking for each
TELLING = {"container", "name", "content", "src", "content_type", "state"}
"""Options that a listing can answer; all others have to stand at their defaults."""

Listing = t.Mapping[str, t.Mapping[str, t.Any]]


class ListedObjects:
    """The listings of the containers of one run, each read when it is asked for first."""

    def __init__(self, task: Task, ready: t.Sequence[_Ready]) -> None:
        self._task = task
        self._read = Memory()
        self._names: dict[str, list[str]] = {}
        for one in ready:
            if one.plan.entry.kind == OBJECTS and _can_be_told(one):
                self._names.setdefault(one.params["container"], []).append(one.params["name"])

    def outcome(self, one: _Ready) -> EntryResult | None:
        """Return that nothing is to be done, None where the object has to be looked at by itself."""
        container = one.params["container"]
        names = self._names.get(container, ())
        if len(names) < ENOUGH or not _can_be_told(one):
            return None
        try:
            listing: Listing = self._read.answer(container, lambda: self._listing(container, names))
            found = listing.get(one.params["name"])
            return EntryResult(None, {}, {}) if found is not None and _same(one.params, found) else None
        except FcdError:
            return None  # whoever looks at the object itself tells what is wrong

    def _listing(self, container: str, names: t.Sequence[str]) -> Listing:
        """Return a page of what begins as all these names do; what comes behind it is asked for one by one."""
        from ...module_utils._object_storage.connection import object_storage

        first, last = min(names), max(names)
        length = next((at for at, letter in enumerate(first) if last[at : at + 1] != letter), len(first))
        found = object_storage(self._task).list_objects(container, prefix=first[:length])
        return {str(entry["name"]): entry for entry in found}


def _can_be_told(one: _Ready) -> bool:
    if one.params["state"] != "present" or (one.params["content"] is None and one.params["src"] is None):
        return False
    options = one.plan.entry.of.operation().options
    others = {name: value for name, value in one.params.items() if name in options and name not in TELLING}
    return all(value is None or value == options[name].get("default") for name, value in others.items())


def _same(params: Params, found: t.Mapping[str, t.Any]) -> bool:
    """Return whether a listed object is as declared. An empty one may be the manifest of a large object."""
    from ...module_utils._object_storage.content import of_file, of_text

    content = of_text(params["content"]) if params["content"] is not None else of_file(params["src"])
    same_kind = params["content_type"] in (None, found.get("content_type"))
    return bool(same_kind and content.size and content.size == found.get("bytes") and content.etag == found["hash"])


NETWORKS = "private_networks"
FORCED = {NETWORKS: "force_detach", CONTAINERS: "force"}
"""Options with which such a thing is removed whatever is in it."""


class Removals:
    """The removals of one planning: what goes before a thing that is not removed as long as something is in it."""

    def __init__(self, task: Task, plans: t.Sequence[EntryPlan]) -> None:
        self._task = copy.copy(task)
        self._task.warn = lambda _text: None  # what stays is told by an error
        self._going: set[str] = set()  # numbers of instances
        self._moving: list[EntryPlan] = []
        self._objects: dict[str, set[str]] = {}  # names by container
        for plan in plans:
            if not plan.changes:
                continue
            if plan.entry.kind == INSTANCES and plan.removes:
                self._going.add(str(plan.number))
            elif plan.entry.kind == INSTANCES:
                self._moving.append(plan)
            elif plan.entry.kind == OBJECTS and plan.removes:
                names = self._objects.setdefault(str(plan.entry.params["container"]), set())
                names.add(str(plan.entry.params["name"]))

    def foresee(self, plan: EntryPlan, params: Options) -> None:
        """Plan the removal as if all that goes before it were gone. Raises Conflict where something stays in it."""
        option = FORCED[plan.entry.kind]
        outcome = run_operation(self._task, plan, {**params, option: True})
        staying = self._instances_in(plan, outcome) if plan.entry.kind == NETWORKS else self._objects_in(plan, outcome)
        if staying:
            raise Conflict(
                f"It is not removed, for it holds what does not go with it: {listed(staying, 3)}.",
                next_step=f"Remove that first, or let it go with all that is in it: {option}: true in its entry"
                + (", declared once more with state: absent." if plan.orphan else "."),
            )
        plan.error, plan.planned = None, outcome

    def _instances_in(self, plan: EntryPlan, outcome: EntryResult) -> list[str]:
        network = plan.entry.params.get("name")
        leaving = {str(one.number) for one in self._moving if _leaves(one, network)}
        return [
            f"instance {one['label']} ({one['id']})"
            for one in outcome.before.get("instances") or ()
            if str(one["id"]) not in self._going | leaving
        ]

    def _objects_in(self, plan: EntryPlan, outcome: EntryResult) -> list[str]:
        from ...module_utils._object_storage.limits import segment_container
        from ...module_utils._object_storage.versions import ENABLED

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
        from ...module_utils._object_storage.connection import object_storage

        storage, marker = object_storage(self._task), ""
        while True:
            page = storage.list_objects(container, marker=marker)
            staying = [f"object {one['name']}" for one in page if one["name"] not in going]
            if staying or not page:
                return staying
            marker = str(page[-1]["name"])


def _leaves(instance: EntryPlan, network: str | None) -> bool:
    """Return whether an instance that is changed is in this network no more."""
    params = instance.entry.params
    declared = params.get("private_networks")
    return bool(params.get("purge_private_networks")) and declared is not None and network not in declared


def _is_refused(plan: EntryPlan) -> bool:
    return plan.removes and plan.entry.kind in FORCED and isinstance(plan.error, (Conflict, InvalidInput))


class RememberingClients(SharedClients):
    """Clients for planning: each read is sent once, many searches become one list, and nothing can be changed.

    All reads take the cheaper way.

    ``many`` are paths and operations of which there will be many different searches.
    """

    def __init__(self, task: Task, many: t.Collection[str] = ()) -> None:
        super().__init__(task)
        self._many = many

    def make(self, service: str, make: Make[Client]) -> Client:
        """Return a new client, whose reads are remembered."""
        makers: dict[str, t.Callable[[], t.Any]] = {
            "infrastructure": self._infrastructure,
            "common_fcd": self._common_fcd,
            "object_storage": self._object_storage,
        }
        return t.cast("Client", makers[service]()) if service in makers else super().make(service, make)

    def _infrastructure(self) -> t.Any:
        from ...module_utils._connection.clients import exchange
        from ...module_utils._http.read_cache import RememberingExchange
        from ...module_utils._infrastructure.api import infrastructure
        from .shared_reads import BulkInfrastructure

        sender = RememberingExchange.over(exchange(self._task, direct=True))
        return BulkInfrastructure.over(infrastructure(self._task, sender), self._many)

    def _common_fcd(self) -> t.Any:
        from ...module_utils._connection.clients import exchange
        from ...module_utils._contract.api import common_fcd
        from ...module_utils._soap.client import RememberingSoapClient
        from .shared_contract_reads import BulkCommonFcd

        sender = exchange(self._task, direct=True)
        return BulkCommonFcd.over(common_fcd(self._task, RememberingSoapClient.over, sender), self._many)

    def _object_storage(self) -> t.Any:
        from ...module_utils._http.read_cache import RememberingExchange
        from ...module_utils._object_storage.connection import object_storage

        return object_storage(self._task, RememberingExchange.over)
