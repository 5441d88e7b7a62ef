# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of the REST service: all objects by id, the ids to come, and what is due later."""

from __future__ import annotations

import copy
import itertools
from collections import defaultdict
from typing import Any

from sandbox.rest import seeding
from sandbox.rest.models import Disk, Event, Instance, Ticket
from sandbox.rest.resource import RESOURCES, T
from sandbox.rest.timeline import Timeline
from sandbox.rest.values import Dictionaries


class World:
    """Everything that a reset throws away."""

    def __init__(self, login: str, now: float) -> None:
        """Read the seed; its objects were made now (unix seconds)."""
        self.account = seeding.account(login)
        self.dictionaries = Dictionaries(seeding.dictionary_names(), seeding.dictionary_labels())
        self._tables: dict[type, dict[int, Any]] = {
            model: {one.id: one for one in kind.seed(now)} for model, kind in RESOURCES.items()
        }
        self._ids = {model: itertools.count(kind.first_id) for model, kind in RESOURCES.items()}
        self.interface_ids = itertools.count(700001)
        self.event_ids = itertools.count(7_000_000_001)
        self.deleted_disks: dict[int, tuple[Disk, list[int]]] = {}
        self.events: dict[int, list[Event]] = defaultdict(list)
        """Ids of addresses by their IPv4 text."""
        self.fresh: dict[type, dict[int, float]] = defaultdict(dict)
        """Objects that no list has shown yet, by class: when each id was made."""
        self.timeline = Timeline()
        self.bulk = 0
        """The number of instances that the setting bulk_instances has added."""

    def table(self, model: type[T]) -> dict[int, T]:
        """All objects of a class by id."""
        return self._tables[model]

    def new_id(self, model: type) -> int:
        """An id for a new object of a class."""
        return next(self._ids[model])

    def shadow(self) -> World:
        """A copy to change in vain; tickets, the ids to come and what is due later are those of this world."""
        shared = (self._tables[Ticket], self._ids, self.interface_ids, self.event_ids, self.timeline, self.dictionaries)
        shadow = copy.copy(self)
        shadow.__dict__ = copy.deepcopy(self.__dict__, {id(one): one for one in shared})
        return shadow

    def truth(self) -> dict[str, Any]:
        """All objects by the name of their kind, as they really are."""
        return {
            kind.name: [kind.truth(self, one) for one in self._tables[model].values()]
            for model, kind in RESOURCES.items()
            if kind.truth is not None
        }

    def touch(self, instance: int) -> None:
        """Forget the kept description of an instance, since something in it changed."""
        if instance in self.table(Instance):
            self.table(Instance)[instance].fragment = None

    def move(self, origin: str) -> None:
        """Show links with that origin from now on."""
        if self.dictionaries.move(origin):
            self.forget_texts()

    def forget_texts(self) -> None:
        """Forget the kept descriptions of all instances, since what is shown of them changed."""
        for instance in self.table(Instance).values():
            instance.fragment = None
