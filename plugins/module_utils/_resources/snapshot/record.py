# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A snapshot as plain data, and how it is found. Members: wire-facts section 7."""

from __future__ import annotations

import typing as t

from ..._api.snapshots import Snapshots
from ..parts.record import Api, Record, items, login, plain
from ..parts.search import Item, PartSearch

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "description": "Description",
    "creation_date": "CreationDate",
    "last_change_date": "LastChangeDate",
    "is_system": "IsSystem",
    "is_current": "IsCurrent",
}
_NAMED = {"instance": "Instance", "parent": "SnapshotParent"}


class SnapshotSearch(PartSearch):
    """Finds snapshots; ``instance`` is the number of the one whose snapshots they are, None for those of all.

    ``own`` are only those that a user has made: then the others are not found by their names, and ``passed_over`` are
    those of them that have the last name.
    """

    kind = "snapshot"
    kinds = "snapshots"
    references = ("instance",)

    def __init__(self, api: Infrastructure, *, own: bool = False) -> None:
        super().__init__(api)
        self.snapshots = Snapshots(api)
        self.instance: Record | None = None
        self.passed_over: list[Record] = []
        self._own = own
        self._seen: dict[t.Any, t.Any] = {}

    def listed(self, **filters: t.Any) -> list[Item]:
        """Return the snapshots that the service lists; filters: those of list_snapshots, and instance_id."""
        number = filters.pop("instance_id", (self.instance or {}).get("id"))
        if number is None:
            found = self.snapshots.list_snapshots(**filters)
        else:
            found = self.snapshots.list_instance_snapshots(number)
        self._seen.update((item.get("Id"), item.get("Name")) for item in found)
        return found

    def read(self, number: int) -> Item:
        """Return one snapshot."""
        return self.snapshots.get_snapshot(number)

    def described(self, item: Api) -> Record:
        """Return the record of a snapshot."""
        return described(item)

    def exactly(self, name: str, listed: t.Iterable[Item]) -> list[Record]:
        """Return the records of those with exactly this name."""
        found = super().exactly(name, listed)
        self.passed_over = [record for record in found if self._own and record["is_system"]]
        return [record for record in found if record not in self.passed_over]

    def named(self, record: Record, name: str) -> bool:
        """Return whether the snapshot has that name and is of the instance."""
        return super().named(record, name) and self.meant(record)

    def meant(self, record: Record) -> bool:
        """Return whether the snapshot is of the instance."""
        return self.instance is None or (record["instance"] or {}).get("id") == self.instance["id"]

    def name_references(self, *records: Record | None) -> None:
        """Give instances their labels, and those snapshots that others come from, where a list has shown them."""
        super().name_references(*records)
        for record in records:
            parent = (record or {}).get("parent")
            if parent is not None:
                parent["label"] = self._seen.get(parent["id"])


def described(snapshot: Api) -> Record:
    """Return the record of a snapshot; ``parent`` is the one that it comes from."""
    return {**plain(snapshot, _PLAIN), **items(snapshot, _NAMED), "creation_user": login(snapshot)}
