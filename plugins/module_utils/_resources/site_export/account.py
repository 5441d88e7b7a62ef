# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account that is read: a client for each interface, and what several kinds need, read once."""

from __future__ import annotations

import typing as t
from collections import Counter
from fnmatch import fnmatchcase
from functools import cached_property

from ..._core.clock import Deadline
from ..._core.names import number_in
from ..._session.operation import Params
from ..._session.task import Task

if t.TYPE_CHECKING:
    from ..._api.common_fcd import CommonFcd
    from ..._api.infrastructure import Infrastructure
    from ..._object_storage.api import ObjectStorage

Record = t.Dict[str, t.Any]
Item = t.TypeVar("Item")
Value = t.TypeVar("Value")
SHORTEST_SECRET = 4  # characters; anything shorter is in ordinary words too


class Labels:
    """Which labels lead to one number only, among the ``(number, label)`` of a list."""

    def __init__(self, items: t.Iterable[tuple[int, str | None]]) -> None:
        pairs = {(number, label) for number, label in items if label}
        counts = Counter(label for _number, label in pairs)
        self._labels: dict[int, list[str]] = {}
        for number, label in sorted(pairs):
            if counts[label] == 1 and label == label.strip() and number_in(label) is None:
                self._labels.setdefault(number, []).append(label)

    def of(self, number: int) -> str | None:
        """Return the shortest label that stands for the number and nothing else, None when there is none."""
        return min(self._labels.get(number, ()), key=len, default=None)

    def said(self, number: int) -> str:
        """Return the label, or the number as text where no label will do."""
        return self.of(number) or str(number)


class Account:
    """What can be read with the settings of a task; ``params`` are the options of site_info."""

    def __init__(self, task: Task, params: Params) -> None:
        self.task = task
        self.params = params
        self._secrets = [secret for secret in task.settings.secrets() if len(secret) >= SHORTEST_SECRET]

    @property
    def deadline(self) -> Deadline:
        """When the task has to end."""
        return self.task.deadline

    @cached_property
    def rest(self) -> Infrastructure:
        """The infrastructure interface. Raises MissingSettings."""
        from ..._session.infrastructure import infrastructure

        return infrastructure(self.task)

    @cached_property
    def soap(self) -> CommonFcd:
        """The SOAP interface. Raises MissingSettings."""
        from ..._session.common_fcd import common_fcd

        return common_fcd(self.task)

    @cached_property
    def storage(self) -> ObjectStorage:
        """The object storage. Raises MissingSettings."""
        from ..._object_storage.connection import object_storage

        return object_storage(self.task)

    @cached_property
    def infrastructure(self) -> Lists:
        """The lists of the infrastructure interface."""
        return Lists(self.rest)

    @cached_property
    def containers(self) -> dict[str, dict[str, str]]:
        """The containers with their headers, by name."""
        from .containers import containers_of

        return containers_of(self)

    def wanted(self, kind: str, name: t.Any) -> bool:
        """Whether the option ``names`` lets an object of this name through."""
        patterns = (self.params["names"] or {}).get(kind)
        return patterns is None or any(fnmatchcase(str(name), pattern) for pattern in patterns)

    def holds_secret(self, value: t.Any) -> bool:
        """Whether one of the secrets of this task is in a value: it would be masked, so that something else is told."""
        if isinstance(value, dict):
            return any(self.holds_secret(one) for pair in value.items() for one in pair)
        if isinstance(value, list):
            return any(map(self.holds_secret, value))
        return isinstance(value, str) and any(secret in value for secret in self._secrets)

    def each(self, items: t.Iterable[Item], work: t.Callable[[Item], Value]) -> list[Value]:
        """Return what ``work`` returns for each item, in their order; several requests are on their way at a time."""
        from ..._object_storage.segments import map_side_by_side

        return map_side_by_side(list(items), work, deadline=self.deadline, most=self.params["concurrency"])


class Lists:
    """The lists of the infrastructure interface, each read when it is needed first."""

    def __init__(self, api: Infrastructure) -> None:
        from ..instance.labels import Labels as Catalogue
        from ..reference_names import ReferenceNames

        self.api = api
        self.names = ReferenceNames(api)
        self._catalogue = Catalogue(api, self.names)
        self._labels: dict[str, Labels] = {}

    @cached_property
    def instances(self) -> list[Record]:
        """The instances, without deleted ones."""
        from ..instance.listing import read

        return read(self.api, {}, self.names)

    @cached_property
    def disks(self) -> list[Record]:
        """The disks, system disks too."""
        from ..disk.record import DiskSearch

        search = DiskSearch(self.api)
        return [search.described(item) for item in search.listed()]

    @cached_property
    def addresses(self) -> list[Record]:
        """The public addresses."""
        from ..ip_address.record import AddressSearch

        search = AddressSearch(self.api)
        return [search.described(item) for item in search.listed()]

    @cached_property
    def networks(self) -> list[Record]:
        """The private networks."""
        from ..private_network.record import NetworkSearch

        search = NetworkSearch(self.api)
        return [search.described(item) for item in search.listed()]

    @cached_property
    def keys(self) -> list[Record]:
        """The SSH keys."""
        from ..ssh_key.record import KeySearch

        search = KeySearch(self.api)
        return [search.described(item) for item in search.listed()]

    def labels(self, what: str) -> Labels:
        """Return the labels of a list by the name of the option that takes them; none where it may not be read."""
        if what not in self._labels:
            self._labels[what] = Labels(self._items(what))
        return self._labels[what]

    def _items(self, what: str) -> list[tuple[int, str | None]]:
        own = {"instances": lambda: self.instances, "private_networks": lambda: self.networks}
        if what in own:
            return [(record["id"], record["name"]) for record in own[what]()]
        from ..._core.errors import Rejected

        try:
            entries = self._entries(what)
        except Rejected:
            return []
        return [(entry["Id"], label) for entry in entries for label in _labels_of(entry)]

    def _entries(self, what: str) -> list[Record]:
        if what == "shared_disk_type":
            from ..disk.operation import SHARED_TYPES

            return self.api.get_dictionary(SHARED_TYPES)
        return self._catalogue.entries(what)


def _labels_of(entry: t.Mapping[str, t.Any]) -> list[str]:
    """Return how an entry may be called; a template by its name and its version too."""
    label = entry.get("Label") or entry.get("Name")
    versioned = [f"{label} ({entry['Version']})"] if entry.get("Version") else []
    return [str(label), *versioned] if label else []
