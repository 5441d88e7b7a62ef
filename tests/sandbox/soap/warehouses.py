# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The six warehouse operations.

Assumptions: the capacity given to CreateWarehouse is the queue length that UpdateWarehouse changes; numbers of partners
and templates are not checked; nothing is unique unless the setting ``refuse_duplicates`` is on.
"""

from __future__ import annotations

from typing import Any

from sandbox.soap.faults import TAKEN, business
from sandbox.soap.search import agrees, has_text, page, parameters, read, write
from sandbox.soap.state import Inputs, Row, State, now


def CreateWarehouse(state: State, given: Inputs) -> None:
    if state.settings["refuse_duplicates"] and _same_key(state, given):
        raise business(TAKEN, f"a warehouse with data store number {given['dataStoreNumber']} exists")
    number = state.number("warehouse")
    state.warehouses[number] = {
        "CreationDate": now(),
        "DataStoreNumber": given["dataStoreNumber"],
        "PartnerId": given["partnerId"],
        "QueueLength": given["queueCapacity"],
        "TemplateId": given["templateId"],
        "WarehouseId": number,
        "WarehouseName": given["warehouseName"],
    }


def WarehouseExists(state: State, given: Inputs) -> bool:
    return any(_visible(state, row) for row in _same_key(state, given))


def GetWarehouses(state: State, given: Inputs) -> dict[str, Any]:
    params = parameters(given)
    return page(state, params, (row for row in state.warehouses.values() if _matches(state, params, row)))


def GetWarehouse(state: State, given: Inputs) -> Row | None:
    return read(state, "warehouse", state.warehouses, given["warehouseId"])


def UpdateWarehouse(state: State, given: Inputs) -> None:
    row = write("warehouse", state.warehouses, given["warehouseId"])
    row.update(WarehouseName=given["warehouseName"], QueueLength=given["queueLength"])


def DeleteWarehouse(state: State, given: Inputs) -> None:
    write("warehouse", state.warehouses, given["warehouseId"])
    del state.warehouses[given["warehouseId"]]


def _same_key(state: State, given: Inputs) -> list[Row]:
    key = (given["partnerId"], given["templateId"], given["dataStoreNumber"])
    return [
        row for row in state.warehouses.values() if (row["PartnerId"], row["TemplateId"], row["DataStoreNumber"]) == key
    ]


def _visible(state: State, row: Row) -> bool:
    return state.visible("warehouse", row["WarehouseId"], "visibility_delay")


def _matches(state: State, params: Inputs, row: Row) -> bool:
    return (
        _visible(state, row)
        and agrees(params, row, "PartnerId", "TemplateId", "DataStoreNumber")
        and has_text(params, row["WarehouseName"])
    )
