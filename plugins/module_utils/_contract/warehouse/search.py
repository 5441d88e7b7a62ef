# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warehouses found: by partner, template and data store number, or by number.

The key is what WarehouseExists takes. What a search makes of its members is not known (wire-facts 9.2): its rows are
compared exactly here, and before a warehouse counts as not there, WarehouseExists has said so too.
"""

from __future__ import annotations

import typing as t
from urllib.parse import urlsplit

from ..._core.errors import Ambiguous
from ..._session.task import Task
from ..common_fcd import CommonFcd
from ..confirmation import read_or_listed
from ..member_reading import Attribute, MemberReader

KEY = ("partner_id", "template_id", "data_store_number")
ATTRIBUTES = (
    Attribute("id", ("WarehouseId",)),
    Attribute("name", ("WarehouseName",)),
    Attribute("partner_id", ("Partner",), ("partner_id", "client_id", "id")),
    Attribute("template_id", ("Template",), ("template_id", "id")),
    Attribute("data_store_number", ("DataStore",), ("data_store_number", "number")),
    Attribute("queue_length", ("QueueCapacity", "Queue"), ("length", "queue_length")),
)

Row = t.Dict[str, t.Any]


class WarehouseSearch:
    """Finds warehouses; a record has the attributes that can be read, and ``members``: all that the service sent.

    ``unseen`` says that the key looked for last belongs to a warehouse that no search shows.
    """

    def __init__(self, api: CommonFcd) -> None:
        """Match the members. Raises InvalidInput when number or key of a warehouse cannot be read."""
        self._api = api
        self._reader = MemberReader(api.members("WarehouseItem"), ATTRIBUTES)
        self._reader.needed("id", *KEY)
        self.type_name = self._reader.type_name
        self.unseen = False

    def by_key(self, key: t.Mapping[str, t.Any]) -> Row | None:
        """Return the warehouse with this partner, template and data store number. Raises Ambiguous."""
        criteria = self._criteria(key)
        found = self._matching(key, criteria)
        self.unseen = found is None and self._api.warehouse_exists(**{name: key[name] for name in KEY})
        if self.unseen and criteria:
            found = self._matching(key, {})
            self.unseen = found is None
        return found

    def _matching(self, key: t.Mapping[str, t.Any], criteria: Row) -> Row | None:
        records = [self._record(row) for row in self._api.get_warehouses(**criteria)]
        found = [record for record in records if all(str(record.get(name)) == str(key[name]) for name in KEY)]
        if len(found) > 1:
            ids = sorted(record["id"] for record in found)
            raise Ambiguous(
                f"{len(found)} warehouses have {said(key)}: {', '.join(map(str, ids))}.",
                next_step="Say which one is meant with id.",
                ids=ids,
            )
        return found[0] if found else None

    def by_id(self, number: int) -> Row | None:
        """Return the warehouse with this number, or None."""
        row = read_or_listed(lambda: self._api.get_warehouse(number), lambda: self._listed(number))
        return None if row is None else self._record(row)

    def _listed(self, number: int) -> Row | None:
        rows = self._api.get_warehouses()
        return next((row for row in rows if self._reader.record(row).get("id") == number), None)

    def _criteria(self, key: t.Mapping[str, t.Any]) -> Row:
        """Return as much of the key as the search takes."""
        members = self._api.members("WarehouseSearchParams")
        found = {name: members.find_if_any(name) for name in KEY}
        return {member: key[name] for name, member in found.items() if member is not None}

    def _record(self, row: Row) -> Row:
        return {**self._reader.record(row), "members": row}


def said(key: t.Mapping[str, t.Any]) -> str:
    """Return the key in words."""
    return ", ".join(f"{name.replace('_', ' ')} {key[name]}" for name in KEY)


def identity(task: Task, key: t.Mapping[str, t.Any]) -> tuple[object, ...]:
    """Return what stands for a warehouse in locks and notes: service, account and key."""
    parts = urlsplit(task.settings["soap_url"])
    return (f"{parts.scheme}://{parts.netloc}", task.settings["username"], "warehouse", *(key[name] for name in KEY))
