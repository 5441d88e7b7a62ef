# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warehouses, read only, in the shape of the module warehouse (contract/soap-common-fcd.md, "Warehouses")."""

from __future__ import annotations

from .api import MemberReader
from .attributes import WAREHOUSE_ATTRIBUTES, WAREHOUSE_KEY
from .subjects import INT, TEXT, ReadContext, Row, Rows, Subject, subject_reader

WAREHOUSES = Rows("WarehouseItem", key="warehouses")


def _warehouses(asked: ReadContext, found: list[Row]) -> list[Row]:
    reader = MemberReader(asked.api.members(WAREHOUSES.type_name), WAREHOUSE_ATTRIBUTES)
    blank = dict.fromkeys(item.name for item in WAREHOUSE_ATTRIBUTES)
    return [{**blank, **reader.record(row), "members": row} for row in found]


OPERATION = subject_reader(
    "warehouse_info",
    {
        "one": Subject.single("GetWarehouse", "warehouse_id", rows=WAREHOUSES, finish=_warehouses),
        "all": Subject("GetWarehouses", WAREHOUSE_KEY, rows=WAREHOUSES, searched=True, finish=_warehouses),
        "exists": Subject.needing("WarehouseExists", *WAREHOUSE_KEY, named=True),
    },
    {
        "warehouse_id": {"type": "int", "aliases": ["id"]},
        "partner_id": INT,
        "template_id": INT,
        "data_store_number": TEXT,
    },
)
