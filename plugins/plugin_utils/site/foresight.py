# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan may promise of removals and replacements: what stands in the way, and what goes with them.

The service, or the module, refuses to remove what something else needs. What goes before it in the same run does not
count, and what stays is told, so that a plan promises nothing that is refused later: it is an error of the plan.
Nobody minds the removal of a key that instances were made with, or of a client that has users.
"""

from __future__ import annotations

import copy
import typing as t

from ...module_utils._connection.task import Task
from ...module_utils._core.errors import Conflict, FcdError, InvalidInput
from ...module_utils._core.text import join_names
from ...module_utils._engine.plan import REPLACE
from .container_contents import ContainerContents
from .entry_plan import EntryEnd, EntryPlan, EntryResult, Options, run_operation
from .interfaces import Interfaces, reference_numbers
from .model import ADDRESSES, CONTAINERS, DISKS, INSTANCES, NETWORKS

AUTOMATIC = 1107  # dictionary 123, wire-facts section 3.2


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


class Foresight:
    """What comes of the removals and replacements of one run. What cannot be done becomes an error of its entry.

    ``own_disks`` are the numbers of disks that the site owns, whatever this run is about.
    """

    def __init__(self, task: Task, plans: t.Sequence[EntryPlan], own_disks: t.Collection[str]) -> None:
        self._own_disks = own_disks
        self._task = copy.copy(task)
        self._task.warn = lambda _text: None  # what stays is told by an error
        self._plans = [plan for plan in plans if not (plan.context or plan.spared)]
        self._contents = ContainerContents(self._task, plans)
        self._leaving: dict[str, EntryPlan] = {}  # instances by number
        self._moving: dict[str, EntryPlan] = {}
        for plan in self._plans:
            if plan.entry.kind == INSTANCES and plan.changes:
                (self._leaving if _leaves(plan) else self._moving).update(dict.fromkeys(_ids(plan), plan))

    def run(self, params_of: t.Callable[[EntryPlan], Options]) -> None:
        """Look at all of them; ``params_of`` returns the options of an entry as far as they are known."""
        for plan in self._plans:
            if _is_refused(plan):
                self._look(plan, lambda plan: self._without_what_goes(plan, params_of(plan)))
        looks = {
            INSTANCES: self._keep_disks,
            ADDRESSES: self._keep_address,
            CONTAINERS: self._contents.check_history,
        }
        for plan in self._plans:
            if plan.changes and plan.entry.kind in looks:
                self._look(plan, looks[plan.entry.kind])
        interfaces = Interfaces(self._task, self._plans, self._leaving)
        for plan in self._plans:
            if plan.changes:
                self._look(plan, interfaces.check)

    def _look(self, plan: EntryPlan, look: t.Callable[[EntryPlan], None]) -> None:
        try:
            look(plan)
        except FcdError as error:
            plan.error, plan.planned = error, None

    def _without_what_goes(self, plan: EntryPlan, params: Options) -> None:
        """Plan a removal that was refused as if all that goes before it were gone. Raises FcdError where not all is."""
        relation = RELATIONS[plan.entry.kind]
        refusal = t.cast("FcdError", plan.error)
        outcome = run_operation(self._task, plan, {**params, relation.option: True})
        if plan.by_number and not is_same_thing(plan, outcome):
            outcome = EntryResult(None, {}, {})
        if relation.member is None:
            staying = self._contents.staying(plan, outcome)
        else:
            staying = self._instances_staying(plan, outcome.before.get(relation.member))
        if staying and relation.forced:
            raise refusal
        if staying:
            raise Conflict(
                "It is not removed, because it contains objects that this run does not remove: "
                f"{join_names(staying, 3)}.",
                next_step=f"Remove those first, or remove it with its contents: {relation.option}: true in its "
                "entry" + (", declared again with state: absent." if plan.orphan else "."),
            )
        plan.error, plan.planned, plan.forced = None, outcome, relation.forced

    def _instances_staying(self, plan: EntryPlan, holders: t.Any) -> list[str]:
        found = holders if isinstance(holders, list) else [holders] if holders else []
        return [f"instance {one['label']} ({one['id']})" for one in found if not self._lets_go(str(one["id"]), plan)]

    def _lets_go(self, number: str, plan: EntryPlan) -> bool:
        """Return whether an instance is gone by then, or no longer in this private network."""
        leaving, moving = self._leaving.get(number), self._moving.get(number)
        if plan.entry.kind != NETWORKS:
            return leaving is not None
        if leaving is not None:
            return leaving.removes or not _declares(leaving, plan)
        purges = moving is not None and moving.entry.params.get("purge_private_networks")
        return bool(moving is not None and purges and not _declares(moving, plan))

    def _keep_disks(self, plan: EntryPlan) -> None:
        """Raise Conflict for an instance that would take disks with it that others have, or that are not to go now."""
        if not (_leaves(plan) and plan.entry.params.get("delete_disks")):
            return
        from ...module_utils._infrastructure.api import infrastructure
        from ...module_utils._infrastructure.disk import disk_record

        (number,) = _ids(plan) or [""]
        declared = {disk: self._goes_before(one, plan, number) for one in self._plans for disk in _disks_of(one)}
        kept = {*declared, *self._own_disks}
        for disk in map(disk_record, infrastructure(self._task).list_disks()):
            owners, own = reference_numbers(*disk["instances"]), str(disk["id"])
            if number in owners and not (disk["is_system_disk"] or declared.get(own)):
                _require_alone(disk, kept=own in kept, shared=len(owners) > 1)

    @staticmethod
    def _goes_before(disk: EntryPlan, instance: EntryPlan, number: str) -> bool:
        """Return whether a disk is removed, or no longer in an instance by the time that this is removed."""
        if disk.removes:
            return not disk.released
        after = None if disk.planned is None else disk.planned.after
        instances = after.get("instances") if isinstance(after, t.Mapping) else None
        return instance.removes and number not in reference_numbers(*(instances or ()))

    def _keep_address(self, plan: EntryPlan) -> None:
        """Raise Conflict for an address that would be lost with an instance that is replaced."""
        before = before_of(plan)
        (number,) = reference_numbers(before.get("instance")) or [""]
        holder = self._leaving.get(number)
        if plan.removes or holder is None or holder.removes:
            return
        if (before.get("type") or {"id": AUTOMATIC})["id"] == AUTOMATIC:
            raise Conflict(
                f"Address {before.get('address')} is automatic: it may be lost with {holder}, which is replaced.",
                next_step="To keep it, make it static in an earlier run.",
                id=before.get("id"),
            )


def _leaves(plan: EntryPlan) -> bool:
    return plan.removes or (plan.planned is not None and plan.planned.action == REPLACE)


def before_of(plan: EntryPlan) -> t.Mapping[str, t.Any]:
    """Return what the service shows of a thing whose plan this is; nothing where that is not known."""
    before = None if plan.planned is None else plan.planned.before
    return before if isinstance(before, t.Mapping) else {}


def _ids(plan: EntryPlan) -> list[str]:
    return reference_numbers(before_of(plan))


def _require_alone(disk: t.Mapping[str, t.Any], *, kept: bool, shared: bool) -> None:
    """Raise Conflict for a disk that must not be removed together with an instance."""
    if kept or shared:
        why = "other instances use, too" if shared else "this run does not remove"
        raise Conflict(
            f"delete_disks: it would also remove disk {disk['name']!r} ({disk['id']}), which {why}.",
            next_step="Omit delete_disks, or detach the disk in an earlier run.",
            id=disk["id"],
        )


def _disks_of(plan: EntryPlan) -> list[str]:
    return _ids(plan) if plan.entry.kind == DISKS else []


def _declares(instance: EntryPlan, network: EntryPlan) -> bool:
    """Return whether an instance is declared to be in a private network."""
    declared = instance.entry.params.get("private_networks")
    if declared is None:
        return not _leaves(instance)
    return bool({str(network.entry.params.get("name")), *_ids(network)} & set(map(str, declared)))


def _is_refused(plan: EntryPlan) -> bool:
    is_known = bool(plan.entry.identity)  # else the registry does not say which one is meant
    refused = isinstance(plan.error, (Conflict, InvalidInput))
    return plan.removes and plan.entry.kind in RELATIONS and refused and is_known


def is_same_thing(plan: EntryPlan, found: EntryEnd) -> bool:
    """Return whether what a number leads to is there, and still has the name that it is declared by."""
    if isinstance(found, FcdError):
        return found.details.get("option") != "id"
    before = found.before if isinstance(found.before, t.Mapping) else {}
    return all(str(before.get(option)) == str(value) for option, value in plan.entry.identity.items())
