# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warehouses, read only, in the shape of the module warehouse (contract/soap-common-fcd.md, "Warehouses")."""

from __future__ import annotations

from .api import MemberReader
from .subjects import INT, TEXT, ReadContext, Row, Rows, Subject, subject_reader
from .warehouse import ATTRIBUTES, KEY

WAREHOUSES = Rows("WarehouseItem", key="warehouses")


def _warehouses(asked: ReadContext, found: list[Row]) -> list[Row]:
    reader = MemberReader(asked.api.members(WAREHOUSES.type_name), ATTRIBUTES)
    blank = dict.fromkeys(item.name for item in ATTRIBUTES)
    return [{**blank, **reader.record(row), "members": row} for row in found]


OPERATION = subject_reader(
    "warehouse_info",
    {
        "one": Subject.needing("GetWarehouse", "warehouse_id", rows=WAREHOUSES, finish=_warehouses),
        "all": Subject("GetWarehouses", KEY, rows=WAREHOUSES, searched=True, finish=_warehouses),
        "exists": Subject.needing("WarehouseExists", *KEY, named=True),
    },
    {
        "warehouse_id": {"type": "int", "aliases": ["id"]},
        "partner_id": INT,
        "template_id": INT,
        "data_store_number": TEXT,
    },
)
