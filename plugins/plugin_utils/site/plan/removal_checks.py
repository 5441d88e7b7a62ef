# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What will come of the removals and replacements that are planned.

The service, or the module, refuses to remove what something else needs. What goes before it in the same run does not
count, and what stays is told, so that a plan promises nothing that is refused later: it is an error of the plan.
Nobody minds the removal of a key that instances were made with, or of a client that has users.
"""

from __future__ import annotations

import copy
import itertools
import typing as t
from functools import partial

from ....module_utils._connection.task import Task
from ....module_utils._core.errors import Conflict, FcdError, InvalidInput
from ....module_utils._core.later import LATER
from ....module_utils._core.text import join_names
from ....module_utils._core.type_aliases import JsonObject
from ....module_utils._infrastructure.api import infrastructure
from ....module_utils._infrastructure.disk import disk_record
from ....module_utils._object_storage.api import STACK, pages_of
from ....module_utils._object_storage.connection import object_storage
from ....module_utils._object_storage.container_settings import ENABLED
from ....module_utils._object_storage.properties import segment_container
from ..entry_operations import run_operation
from ..model import ADDRESSES, BALANCERS, CONTAINERS, DISKS, GROUPS, INSTANCES, NETWORKS, OBJECTS
from ..stages import NOTHING, Desired, EntryOutcome, EntryResult, Read, Selected, as_mapping

AUTOMATIC = 1107  # dictionary 123


class Relation(t.NamedTuple):
    """What a thing is not removed for: the instances in a ``member`` of its record, or, without one, its contents.

    ``option`` has it removed all the same. ``forced``: it is given where all that stands in the way goes in the same
    run; without, that has gone by then.
    """

    option: str
    member: str | None = None
    forced: bool = False


RELATIONS = {
    NETWORKS: Relation("force_detach", "instances"),
    ADDRESSES: Relation("force_detach", "instance", forced=True),
    DISKS: Relation("force_detach", "instances", forced=True),
    CONTAINERS: Relation("force"),
}


class RemovalChecks:
    """What comes of the removals and replacements of one run. What cannot be done becomes an error of its entry.

    ``own_disks`` are the numbers of disks that the site owns, whatever this run is about.
    """

    def __init__(self, task: Task, reads: t.Sequence[Read], own_disks: t.Collection[str]) -> None:
        self._own_disks = own_disks
        self._task = copy.copy(task)
        self._task.warn = lambda _text: None  # what stays is told by an error
        self._contents = ContainerContents(self._task, reads)
        self._disks: list[Read] = []
        self._leaving: dict[str, Read] = {}  # instances by number
        self._changing: dict[str, Read] = {}
        balancers = [one for one in reads if one.entry.kind == BALANCERS and one.changes and one.goes]
        self._balancers_going = {one.before.get("id") for one in balancers}
        for one in reads:
            if one.entry.kind == INSTANCES and one.changes:
                instances = self._leaving if one.goes else self._changing
                instances.update(dict.fromkeys(reference_numbers(one.before), one))

    def run(self, reads: t.Iterable[Read], params_of: t.Callable[[Read], JsonObject]) -> list[Read]:
        """Return all of them, looked at; ``params_of`` returns the options of an entry as far as they are known."""
        seen = [
            _checked(one, lambda one: self._plan_after_others(one, params_of(one))) if _is_refused(one) else one
            for one in reads
        ]
        self._disks = [one for one in seen if one.entry.kind == DISKS and (one.acts or one.desired is Desired.RELEASED)]
        checks = {
            INSTANCES: self._keep_disks,
            ADDRESSES: self._keep_address,
            CONTAINERS: self._contents.check_history,
            GROUPS: self._keep_load_balancer,
        }
        seen = [
            _checked(one, checks[one.entry.kind]) if one.changes and one.entry.kind in checks else one for one in seen
        ]
        interfaces = Interfaces(self._task, seen, self._leaving)
        return [_checked(one, interfaces.check) if one.changes else one for one in seen]

    def _plan_after_others(self, one: Read, params: JsonObject) -> Read:
        """Plan a removal that was refused as if all that goes before it were gone. Raises FcdError where not all is."""
        relation = RELATIONS[one.entry.kind]
        refusal = t.cast("FcdError", one.error)
        outcome = run_operation(self._task, one, {**params, relation.option: True})
        if one.by_number and not is_same_thing(one, outcome):
            outcome = NOTHING
        if relation.member is None:
            staying = self._contents.staying(one, outcome)
        else:
            staying = self._instances_staying(one, outcome.before.get(relation.member))
        if staying and relation.forced:
            raise refusal
        if staying:
            raise Conflict(
                "It is not removed, because it contains objects that this run does not remove: "
                f"{join_names(staying, 3)}.",
                next_step=f"Remove those first, or remove it with its contents: {relation.option}: true in its "
                "entry" + (", declared again with state: absent." if one.orphan else "."),
            )
        return one.with_fields(expected=outcome, detaches=one.detaches or relation.forced)

    def _instances_staying(self, plan: Read, holders: t.Any) -> list[str]:
        found = holders if isinstance(holders, list) else [holders] if holders else []
        return [f"instance {one['label']} ({one['id']})" for one in found if not self._lets_go(str(one["id"]), plan)]

    def _lets_go(self, number: str, plan: Read) -> bool:
        """Return whether an instance is gone by then, or no longer in this private network."""
        leaving, changing = self._leaving.get(number), self._changing.get(number)
        if plan.entry.kind != NETWORKS:
            return leaving is not None
        if leaving is not None:
            return leaving.removes or not _declares(leaving, plan)
        purges = changing is not None and changing.entry.params.get("purge_private_networks")
        return bool(changing is not None and purges and not _declares(changing, plan))

    def _keep_disks(self, plan: Read) -> Read:
        """Raise Conflict for an instance that would take disks with it that others have, or that are not to go now."""
        if not (plan.goes and plan.entry.params.get("delete_disks")):
            return plan

        (number,) = reference_numbers(plan.before) or [""]
        declared = {
            disk: goes_before(one, plan, number) for one in self._disks for disk in reference_numbers(one.before)
        }
        kept = {*declared, *self._own_disks}
        for disk in map(disk_record, infrastructure(self._task).list_disks()):
            owners, own = reference_numbers(*disk["instances"]), str(disk["id"])
            if number in owners and not (disk["is_system_disk"] or declared.get(own)):
                _require_alone(disk, kept=own in kept, shared=len(owners) > 1)
        return plan

    def _keep_load_balancer(self, plan: Read) -> Read:
        """Raise Conflict for a group that would take a load balancer with it that is not to go now."""
        stays = plan.before.get("has_load_balancer") and plan.before.get("id") not in self._balancers_going
        if plan.goes and stays and not plan.entry.params.get("force_detach"):
            raise Conflict(
                "It would be removed together with its load balancer, which this run does not remove.",
                next_step="Remove the load balancer first.",
                id=plan.before.get("id"),
            )
        return plan

    def _keep_address(self, plan: Read) -> Read:
        """Raise Conflict for an address that would be lost with an instance that is replaced."""
        (number,) = reference_numbers(plan.before.get("instance")) or [""]
        holder = self._leaving.get(number)
        if plan.removes or holder is None or holder.removes:
            return plan
        if (plan.before.get("type") or {"id": AUTOMATIC})["id"] == AUTOMATIC:
            raise Conflict(
                f"Address {plan.before.get('address')} is automatic: it may be lost with {holder}, which is replaced.",
                next_step="To keep it, make it static in an earlier run.",
                id=plan.before.get("id"),
            )
        return plan


def _is_refused(plan: Read) -> bool:
    refused = plan.acts and plan.removes and isinstance(plan.error, (Conflict, InvalidInput))
    is_known = bool(plan.entry.identity)  # else the registry does not say which one is meant
    return refused and plan.entry.kind in RELATIONS and is_known


def _checked(one: Read, check: t.Callable[[Read], Read]) -> Read:
    """Return it as a check leaves it, with the error that the check raises."""
    try:
        return check(one)
    except FcdError as error:
        return one.with_fields(expected=error)


def reference_numbers(*items: t.Any) -> list[str]:
    """Return the numbers of those items that have one, as texts."""
    return [str(one["id"]) for one in items if isinstance(one, t.Mapping) and one.get("id") is not None]


def goes_before(disk: Read, instance: Read, number: str) -> bool:
    """Return whether a disk is removed, or no longer in an instance by the time that this is removed."""
    if disk.removes:
        return disk.desired is not Desired.RELEASED
    return instance.removes and number not in reference_numbers(*(disk.after.get("instances") or ()))


def _require_alone(disk: t.Mapping[str, object], *, kept: bool, shared: bool) -> None:
    """Raise Conflict for a disk that must not be removed together with an instance."""
    if kept or shared:
        why = "other instances use, too" if shared else "this run does not remove"
        raise Conflict(
            f"delete_disks: it would also remove disk {disk['name']!r} ({disk['id']}), which {why}.",
            next_step="Omit delete_disks, or detach the disk in an earlier run.",
            id=disk["id"],
        )


def _declares(instance: Read, network: Read) -> bool:
    """Return whether an instance is declared to be in a private network."""
    declared = instance.entry.params.get("private_networks")
    if declared is None:
        return not instance.goes
    names = {str(network.entry.params.get("name")), *reference_numbers(network.before)}
    return not names.isdisjoint(map(str, declared))


def is_same_thing(one: Selected, found: EntryOutcome) -> bool:
    """Return whether what a number leads to is there, and still has the name that it is declared by."""
    if isinstance(found, FcdError):
        return found.details.get("option") != "id"
    before = as_mapping(found.before)
    return all(str(before.get(option)) == str(value) for option, value in one.entry.identity.items())


HISTORY = "history"  # the way of keeping versions in which a deletion adds one elsewhere


class ContainerContents:
    """The contents of containers, without the objects that one run removes.

    A container is not removed as long as anything is in it.
    """

    def __init__(self, task: Task, plans: t.Sequence[Read]) -> None:
        self._task = task
        self._containers = [plan for plan in plans if plan.entry.kind == CONTAINERS]
        self._going: dict[str, set[str]] = {}  # names of objects by container
        for plan in plans:
            if plan.changes and plan.removes and plan.entry.kind == OBJECTS:
                names = self._going.setdefault(str(plan.entry.params["container"]), set())
                names.add(str(plan.entry.params["name"]))

    def check_history(self, plan: Read) -> Read:
        """Raise Conflict for a container that gets versions of objects which this run removes elsewhere."""
        if not plan.removes or plan.entry.params.get("force"):
            return plan
        name = plan.entry.params["name"]
        for other in self._containers:
            facts = {**other.entry.params, **other.before}
            keeps_here = (facts.get("versioning"), facts.get("versions_location")) == (HISTORY, name)
            if keeps_here and str(other.entry.params["name"]) in self._going:
                raise Conflict(
                    f"It is not removed, because the objects of {other} that this run removes leave versions in it.",
                    next_step="To remove it with its contents, set force: true in its entry, with state: absent.",
                )
        return plan

    def staying(self, plan: Read, outcome: EntryResult) -> list[str]:
        """Return, in words, what does not go before a container that is removed."""
        name = str(plan.entry.params["name"])
        going = self._going.get(name, set())
        if any(segment_container(other) == name for other in self._going):
            return []  # segments go with their objects
        if not going:
            return [f"{outcome.before.get('object_count') or 'new or expired'} objects"]
        versioning, elsewhere = outcome.before.get("versioning"), outcome.before.get("versions_location")
        if versioning == ENABLED or (versioning == STACK and self._other_objects((), str(elsewhere))):
            return ["versions of its objects"]
        return self._other_objects(going, name)

    def _other_objects(self, going: t.Collection[str], container: str) -> list[str]:
        """Return objects of the first page that has others than those that go."""
        for page in pages_of(partial(object_storage(self._task).list_objects, container)):
            staying = [f"object {one['name']}" for one in page if one["name"] not in going]
            if staying:
                return staying
        return []


Interface = t.Tuple[str, str]  # kind and number of what it is an interface for


class Interfaces:
    """The interfaces of instances that lose some; an instance has to keep one.

    ``leaving`` are the instances that go themselves, by number.
    """

    def __init__(self, task: Task, plans: t.Sequence[Read], leaving: t.Mapping[str, Read]) -> None:
        self._task = task
        self._leaving = leaving
        self._lost: dict[str, set[Interface]] = {}
        self._coming: set[str] = set()  # instances that get one before anything is removed
        self._attached: set[str] = set()  # those that get one in the course of the run
        self._listed: dict[str, set[Interface]] | None = None
        for plan in plans:
            for number in _holders_losing(plan):
                self._lost.setdefault(number, set()).add((plan.entry.kind, str(plan.before.get("id"))))
            if plan.changes and not plan.removes and plan.entry.kind == INSTANCES:
                self._note_own_change(plan)
            elif plan.changes and not plan.removes and plan.entry.kind == ADDRESSES:
                gets = set(reference_numbers(plan.after.get("instance")))
                self._attached |= gets.difference(reference_numbers(plan.before.get("instance")))

    def _note_own_change(self, plan: Read) -> None:
        """Note what an instance gets and loses by its own entry."""
        for number, kind in itertools.product(reference_numbers(plan.before), (NETWORKS, ADDRESSES)):
            present, kept = set(reference_numbers(*plan.before.get(kind) or ())), plan.after.get(kind)
            if kept is None:
                continue
            staying = set(reference_numbers(*kept))
            if staying - present or LATER in kept:
                self._coming.add(number)
            self._lost.setdefault(number, set()).update((kind, one) for one in present - staying)

    def check(self, plan: Read) -> Read:
        """Return an entry. Raises Conflict for one that would take the last interface of an instance that stays.

        An address goes after an instance that goes, where it is the last one of it.
        """
        entry = plan.entry
        for number in _holders_losing(plan):
            if not self._is_last(number, plan):
                continue
            leaving = self._leaving.get(number)
            if leaving is not None:
                entry = entry._replace(refs=tuple(ref for ref in entry.refs if ref != leaving.place))
                continue
            holders = [plan.before["instance"]] if plan.entry.kind == ADDRESSES else plan.before["instances"]
            label = next((one.get("label") for one in holders if str(one["id"]) == number), None) or ""
            name = f"{label} ({number})".lstrip()
            raise Conflict(
                f"It is the last network interface of instance {name}, which stays, and an instance must keep one.",
                next_step="Give the instance another address or private network first, or remove the instance, too.",
                id=number,
            )
        return plan.with_fields(entry=entry)

    def _is_last(self, number: str, plan: Read) -> bool:
        if number in self._coming or (plan.removes and number in self._attached):
            return False
        if self._listed is None:
            self._listed = self._list()
        if self._listed.get(number, set()) - self._lost[number]:
            return False
        api = infrastructure(self._task)  # lists may lag behind: the instance itself decides
        present = {(NETWORKS, str(one["Id"])) for one in api.list_instance_networks(int(number))}
        present |= {(ADDRESSES, str(one["Id"])) for one in api.list_instance_ip_addresses(int(number))}
        return not present - self._lost[number]

    def _list(self) -> dict[str, set[Interface]]:
        """Return the interfaces of all instances as the lists of networks and addresses show them."""
        api = infrastructure(self._task)
        found: dict[str, set[Interface]] = {}
        for item in api.list_networks():
            for member in item.get("PrivateIps") or ():
                found.setdefault(str((member.get("Instance") or {}).get("Id")), set()).add((NETWORKS, str(item["Id"])))
        for item in api.list_ip_addresses():
            found.setdefault(str((item.get("Instance") or {}).get("Id")), set()).add((ADDRESSES, str(item["Id"])))
        return found


def _holders_losing(plan: Read) -> list[str]:
    """Return the instances that an address or a private network is detached from for this entry."""
    if not plan.changes:
        return []
    if plan.entry.kind == NETWORKS and plan.removes and plan.entry.params.get("force_detach"):
        return reference_numbers(*plan.before.get("instances") or ())
    if plan.entry.kind != ADDRESSES:
        return []
    staying = reference_numbers(plan.after.get("instance")) if not plan.removes else []
    return [number for number in reference_numbers(plan.before.get("instance")) if number not in staying]
