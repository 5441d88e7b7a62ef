# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in a container that is removed, and does not go before it: it is refused as long as anything is in it."""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Task
from ...module_utils._core.errors import Conflict
from .entry_plan import EntryPlan, EntryResult
from .model import CONTAINERS, OBJECTS

HISTORY = "history"  # the way of keeping versions in which a deletion adds one elsewhere


class ContainerContents:
    """The contents of containers, without the objects that one run removes."""

    def __init__(self, task: Task, plans: t.Sequence[EntryPlan]) -> None:
        self._task = task
        self._containers = [plan for plan in plans if plan.entry.kind == CONTAINERS]
        self._objects: dict[str, set[str]] = {}  # names by container
        for plan in plans:
            if plan.changes and plan.removes and plan.entry.kind == OBJECTS:
                names = self._objects.setdefault(str(plan.entry.params["container"]), set())
                names.add(str(plan.entry.params["name"]))

    def check_history(self, plan: EntryPlan) -> None:
        """Raise Conflict for a container that gets versions of objects which this run removes elsewhere."""
        place = plan.entry.params["name"]
        if not plan.removes or plan.entry.params.get("force"):
            return
        for other in self._containers:
            before = other.planned.before if other.planned is not None else None
            facts = {**other.entry.params, **(before if isinstance(before, t.Mapping) else {})}
            if (facts.get("versioning"), facts.get("versions_location")) != (HISTORY, place):
                continue
            if str(other.entry.params["name"]) in self._objects:
                raise Conflict(
                    f"It is not removed, because the objects of {other} that this run removes leave versions in it.",
                    next_step="To remove it with its contents, set force: true in its entry, with state: absent.",
                )

    def staying(self, plan: EntryPlan, outcome: EntryResult) -> list[str]:
        """Return, in words, what does not go before a container that is removed."""
        from ...module_utils._object_storage.api import STACK
        from ...module_utils._object_storage.container_settings import ENABLED
        from ...module_utils._object_storage.properties import segment_container

        name = str(plan.entry.params["name"])
        going = self._objects.get(name, set())
        if any(segment_container(other) == name for other in self._objects):
            return []  # segments go with their objects
        if not going:
            return [f"{outcome.before.get('object_count') or 'new or expired'} objects"]
        versioning, elsewhere = outcome.before.get("versioning"), outcome.before.get("versions_location")
        if versioning == ENABLED or (versioning == STACK and self._objects_besides((), str(elsewhere))):
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
