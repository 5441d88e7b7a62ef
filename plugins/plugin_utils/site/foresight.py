# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What will come of removals that are refused as long as something is in the thing.

These are a network with instances and a container with objects: what goes before it in the same run does not count,
and what stays is told, so that the plan promises no removal that the service, or the module, is going to refuse.
"""

from __future__ import annotations

import copy
import typing as t

from ...module_utils._connection.task import Task
from ...module_utils._core.errors import Conflict, FcdError, InvalidInput
from ...module_utils._core.text import listed
from .entry_plan import CONTAINERS, INSTANCES, EntryEnd, EntryPlan, EntryResult, Options, run_operation
from .listed_objects import OBJECTS

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
        if plan.by_number and not is_same_thing(plan, outcome):
            outcome = EntryResult(None, {}, {})
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


def is_refused(plan: EntryPlan) -> bool:
    return plan.removes and plan.entry.kind in FORCED and isinstance(plan.error, (Conflict, InvalidInput))


def is_same_thing(plan: EntryPlan, found: EntryEnd) -> bool:
    """Return whether what a number leads to is there, and still has the name that it is declared by."""
    if isinstance(found, FcdError):
        return found.details.get("option") != "id"
    before = found.before if isinstance(found.before, t.Mapping) else {}
    return all(str(before.get(option)) == str(value) for option, value in plan.entry.identity.items())
