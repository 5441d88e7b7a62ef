# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Removals that are refused while something is in the thing: a network with machines, a container with objects.

What goes before it in the same run does not count. What stays does, and then the plan says so: it promises no removal
that the service, or the module, is going to refuse.
"""

from __future__ import annotations

import copy
import typing as t

from ..._core.errors import Conflict, FcdError, InvalidInput
from ..._core.names import listed
from ..._object_storage.connection import object_storage
from ..._object_storage.limits import segment_container
from ..._object_storage.records import ENABLED
from ..._session.operation import Params
from ..._session.task import Task
from .listed_objects import KIND as OBJECTS
from .machines import KIND as MACHINES
from .wishes import CONTAINERS, Outcome, Wish, run_operation

NETWORKS = "private_networks"
FORCED = {NETWORKS: "force_detach", CONTAINERS: "force"}
"""Options with which such a thing is removed whatever is in it."""
TOLD = 3  # names in one message


class Removals:
    """The removals of one planning. ``options`` returns the options of a wish."""

    def __init__(self, task: Task, wishes: t.Sequence[Wish], options: t.Callable[[Wish], Params]) -> None:
        self._task = copy.copy(task)
        self._task.warn = lambda _text: None  # what stays is told by an error
        self._options = options
        self._refused = [wish for wish in wishes if _is_refused(wish)]
        going = [wish for wish in wishes if wish.removes and wish.changes]
        self._machines = {str(wish.number) for wish in going if wish.entry.kind == MACHINES}
        self._moving = [w for w in wishes if w.entry.kind == MACHINES and w.changes and not w.removes]
        self._objects: dict[str, set[str]] = {}
        for wish in going:
            if wish.entry.kind == OBJECTS:
                self._objects.setdefault(str(wish.entry.params["container"]), set()).add(str(wish.entry.params["name"]))

    def foresee(self) -> None:
        """Say of each what will come of it, when all that goes before it is gone."""
        for wish in self._refused:
            if not wish.spared:
                try:
                    self._foresee(wish)
                except FcdError as error:
                    wish.error = error

    def _foresee(self, wish: Wish) -> None:
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

    def _machines_of(self, wish: Wish, outcome: Outcome) -> list[str]:
        leaving = {str(one.number) for one in self._moving if _leaves(one, wish.entry.params.get("name"))}
        return [
            f"instance {one['label']} ({one['id']})"
            for one in outcome.before.get("instances") or ()
            if str(one["id"]) not in self._machines | leaving
        ]

    def _objects_of(self, wish: Wish, outcome: Outcome) -> list[str]:
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


def _leaves(machine: Wish, network: str | None) -> bool:
    """Return whether a machine that is changed is in this network no more."""
    params = machine.entry.params
    declared = params.get("private_networks")
    return bool(params.get("purge_private_networks")) and declared is not None and network not in declared


def _is_refused(wish: Wish) -> bool:
    return wish.removes and wish.entry.kind in FORCED and isinstance(wish.error, (Conflict, InvalidInput))
