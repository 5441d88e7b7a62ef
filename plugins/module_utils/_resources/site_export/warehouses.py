# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warehouses, known by partner, template and data store number."""

from __future__ import annotations

from collections import Counter

from ..._contract.members import MemberReader
from ..._contract.warehouse import ATTRIBUTES, KEY
from .account import Account, Record
from .found import WAITING, Found, Table

TABLE = Table(
    "warehouses",
    (*KEY, "id"),
    ("name", "queue_length"),
    of_tasks={"state": "all of them are there", "create_grace": WAITING["create_grace"]},
)


def warehouses(account: Account) -> Found:
    """Return the warehouses. Raises InvalidInput when the WSDL does not tell their numbers and keys."""
    found, api = Found(TABLE), account.soap
    reader = MemberReader(api.members("WarehouseItem"), ATTRIBUTES)
    reader.needed("id", *KEY)
    records = sorted((reader.record(row) for row in api.get_warehouses()), key=lambda one: (_key(one), one["id"]))
    counts = Counter(_key(record) for record in records)
    for record in records:
        if not account.wanted(TABLE.kind, record.get("name") or ""):
            continue
        identity: Record = {"id": record["id"]}
        if counts[_key(record)] == 1 and "" not in _key(record):
            identity = {**{name: record[name] for name in KEY}, KEY[-1]: str(record[KEY[-1]])}
        else:
            why = f"others have the same, or none; it is declared by id {record['id']}"
            found.leave("/".join(_key(record)), why, KEY[0])
        found.add({**identity, "name": record.get("name"), "queue_length": record.get("queue_length")})
    return found


def _key(record: Record) -> tuple[str, ...]:
    return tuple("" if record.get(name) is None else str(record[name]) for name in KEY)
