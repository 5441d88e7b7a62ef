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

_PLAIN = {"id": "Id", "name": "Name", "description": "Description", "creation_date": "CreationDate"}


class SnapshotSearch(PartSearch):
    """Finds snapshots; with ``instance``, a number or a name, those of that instance only."""

    kind = "snapshot"
    kinds = "snapshots"

    def __init__(self, api: Infrastructure, instance: str | None = None) -> None:
        super().__init__(api)
        self.snapshots = Snapshots(api)
        self._instance = None if instance is None else instance.strip()

    def listed(self, **filters: t.Any) -> list[Item]:
        """Return the snapshots that the service lists."""
        return [one for one in self.snapshots.list_snapshots(**filters) if self._meant(described(one))]

    def read(self, number: int) -> Item:
        """Return one snapshot."""
        return self.snapshots.get_snapshot(number)

    def described(self, item: Api) -> Record:
        """Return the record of a snapshot."""
        return described(item)

    def named(self, record: Record, name: str) -> bool:
        """Return whether the snapshot has that name and is of the instance."""
        return super().named(record, name) and self._meant(record)

    def _meant(self, record: Record) -> bool:
        instance = record["instance"] or {}
        return self._instance is None or self._instance in (str(instance.get("id")), instance.get("label"))


def described(snapshot: Api) -> Record:
    """Return the record of a snapshot."""
    return {
        **plain(snapshot, _PLAIN),
        **items(snapshot, {"instance": "Instance"}),
        "creation_user": login(snapshot),
    }
