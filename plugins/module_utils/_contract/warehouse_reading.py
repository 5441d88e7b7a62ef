# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warehouses, read only (contract/soap-common-fcd.md, "Catalogue, templates, virtual machine records, warehouses")."""

from __future__ import annotations

from .member_reading import MemberReader
from .reading import Asked, Reading, Row, reader
from .warehouse.search import ATTRIBUTES, KEY

ROW = "WarehouseItem"


def _records(asked: Asked, rows: list[Row]) -> list[Row]:
    """Return warehouses in the shape of the module warehouse."""
    reading = MemberReader(asked.api.members(ROW), ATTRIBUTES)
    blank = dict.fromkeys(item.name for item in ATTRIBUTES)
    return [{**blank, **reading.record(row), "members": row} for row in rows]


OPERATION = reader(
    "warehouse_info",
    {
        "one": Reading(
            "GetWarehouse", ("warehouse_id",), ("warehouse_id",), rows=ROW, finish=_records, key="warehouses"
        ),
        "all": Reading("GetWarehouses", KEY, searched=True, rows=ROW, finish=_records, key="warehouses"),
        "exists": Reading("WarehouseExists", KEY, KEY, named=True),
    },
    {
        "warehouse_id": {"type": "int", "aliases": ["id"]},
        "partner_id": {"type": "int"},
        "template_id": {"type": "int"},
        "data_store_number": {"type": "str"},
    },
)
