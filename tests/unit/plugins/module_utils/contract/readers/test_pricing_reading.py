# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists, fixed amounts, warehouses, exports and imports."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract import readers, warehouse
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

PRICELISTS = readers.PRICELIST_INFO
AMOUNTS = readers.FIXED_AMOUNT_INFO
WAREHOUSES = readers.WAREHOUSE_INFO
TRANSFERS = readers.TRANSFER_INFO

WAYS: dict[str, tuple[dict[str, t.Any], str, list[int]]] = {
    "all": ({}, "GetPricelists", [3, 2, 1]),
    "search": ({"search_text": "part"}, "GetPricelists", [2]),
    "active ones": ({"only_active": True}, "GetPricelists", [2, 1]),
    "owner in a search": ({"subject": "all", "filters": {"client_id": 101}}, "GetPricelists", [3]),
    "of a client": ({"client_id": 100}, "GetClientPricelists", [1, 2]),
    "of a client, simple": (
        {"subject": "of_client_simple", "client_id": 101},
        "GetClientPricelistsSimple",
        [3],
    ),
    "simple": ({"subject": "simple", "client_id": 100}, "GetPricelistsSimple", [1, 2]),
    "current": ({"subject": "current", "client_id": 102}, "GetClientCurrentPricelist", [2]),
    "none": ({"subject": "current", "client_id": 999}, "GetClientCurrentPricelist", []),
}


@pytest.mark.parametrize(("options", "operation", "numbers"), WAYS.values(), ids=list(WAYS))
def test_price_lists(bench: Bench, options: dict[str, t.Any], operation: str, numbers: list[int]) -> None:
    read = bench.run(PRICELISTS, **options)["pricelists"]
    assert [row["id"] for row in read] == numbers
    assert bench.sent == [operation]
    assert {(row["id"], row["name"], row["is_active"]) for row in read} <= {
        (1, "standard", True),
        (2, "partner", True),
        (3, "old", False),
    }


def test_prices_are_exact_and_clients_of_a_price_list_are_found(bench: Bench) -> None:
    (current,) = bench.run(PRICELISTS, subject="current", client_id=102)["pricelists"]
    assert current["items"][0]["price"] == "2.2500"
    read = bench.run(PRICELISTS, pricelist_id=1)
    assert bench.sent == ["GetPricelistsClients"]
    assert [(row["client_id"], row["pricelist_id"], row["client_name"]) for row in read["clients"]] == [
        (101, 1, "Example Freight"),
        (100, 1, "Panel Owner"),
    ]


def test_the_fixed_amount_and_its_history(bench: Bench) -> None:
    assert bench.run(AMOUNTS, client_id=100)["client_fixed_amounts"] == []
    row = {
        "Amount": "99.50",
        "ClientFixedAmountId": 7,
        "ClientId": 100,
        "CreationDate": "2026-01-01T00:00:00",
        "DateFrom": "2026-01-01T00:00:00",
        "DateTo": None,
        "Description": "agreed",
    }
    bench.state.fixed_amounts[7] = row
    bench.state.fixed_amount_history += [{**row, "Amount": "50"}, row]
    (amount,) = bench.run(AMOUNTS, client_id=100)["client_fixed_amounts"]
    assert bench.sent == ["GetClientFixedAmount"]
    told = {name: amount[name] for name in ("id", "client_id", "amount", "date_from", "date_to", "description")}
    assert told == {
        "id": 7,
        "client_id": 100,
        "amount": "99.50",
        "date_from": "2026-01-01T00:00:00",
        "date_to": None,
        "description": "agreed",
    }
    history = bench.run(AMOUNTS, client_id=100, subject="history")["client_fixed_amounts"]
    assert [entry["amount"] for entry in history] == ["50", "99.50"]
    assert bench.sent == ["GetClientFixedAmountHistory"]


def test_warehouses_have_the_shape_of_the_module(bench: Bench) -> None:
    key = {"partner_id": 12, "template_id": 304, "data_store_number": "DS-01"}
    assert bench.run(WAREHOUSES, subject="exists", **key) == {"changed": False, "exists": False}
    made = bench.run(warehouse.OPERATION, **key, name="spare", queue_length=4)["warehouse"]
    for options, operation in (
        ({}, "GetWarehouses"),
        (key, "GetWarehouses"),
        ({"warehouse_id": made["id"]}, "GetWarehouse"),
    ):
        assert bench.run(WAREHOUSES, **options)["warehouses"] == [made]
        assert bench.sent == [operation]
    assert bench.run(WAREHOUSES, partner_id=13)["warehouses"] == []
    assert bench.run(WAREHOUSES, subject="exists", **key)["exists"] is True
    assert bench.sent == ["WarehouseExists"]
    with pytest.raises(errors.InvalidInput, match="The subject exists needs data_store_number"):
        bench.run(WAREHOUSES, subject="exists", partner_id=12, template_id=304)
    bench.hide_member("WarehouseItem", "QueueLength")
    assert bench.run(WAREHOUSES)["warehouses"][0]["queue_length"] is None


def test_exports_and_imports_of_virtual_machines(bench: Bench) -> None:
    (export,) = bench.run(TRANSFERS, export_id=1101)["exports"]
    assert (export["id"], export["client_id"], export["size_bytes"]) == (1101, 100, 12_884_901_888)
    (made,) = bench.run(TRANSFERS, import_id=1201, client_id=100)["imports"]
    assert (made["id"], made["file_name"], bench.sent) == (1201, "machine.ova", ["GetVirtualMachineImport"])
    disks = bench.run(TRANSFERS, subject="import_disks", import_id=1201, client_id=100)["disks"]
    assert bench.sent == ["GetVirtualMachineImport", "GetVirtualMachineImportHdds"]
    assert [(disk["id"], disk["name"], disk["capacity_gb"]) for disk in disks] == [(1, "system", 40), (2, "data", 200)]
    assert "machine.ova" in bench.bodies[1]  # the record goes back as it came
    assert bench.run(TRANSFERS, subject="import_disks", import_id=999, client_id=100)["disks"] == []
    assert bench.sent == ["GetVirtualMachineImport"]


def test_a_record_goes_back_as_far_as_it_is_known() -> None:
    record = {"a": None, "b": {"c": None, "d": 0, "_unknown": ["x"]}, "e": [{"f": None}, False]}
    assert readers._known_part(record) == {"b": {"d": 0}, "e": [{}, False]}
