# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in a container that is removed, and does not go before it: it is refused as long as anything is in it."""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Task
from .entry_plan import EntryPlan, EntryResult
from .listed_objects import OBJECTS


class ContainerContents:
    """The contents of containers, without the objects that one run removes."""

    def __init__(self, task: Task, plans: t.Sequence[EntryPlan]) -> None:
        self._task = task
        self._objects: dict[str, set[str]] = {}  # names by container
        for plan in plans:
            if plan.changes and plan.removes and plan.entry.kind == OBJECTS:
                names = self._objects.setdefault(str(plan.entry.params["container"]), set())
                names.add(str(plan.entry.params["name"]))

    def staying(self, plan: EntryPlan, outcome: EntryResult) -> list[str]:
        """Return, in words, what does not go before a container that is removed."""
        from ...module_utils._object_storage.limits import segment_container
        from ...module_utils._object_storage.versions import ENABLED, STACK

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
