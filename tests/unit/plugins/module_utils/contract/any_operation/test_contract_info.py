# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the WSDL has, as plain data."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.operation_info import (
    describe_operation,
    describe_types,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.contracts import contract, sandbox_data

from .conftest import ContractBench

INT = {"type": "int", "list": False, "required": False}


def names(entries: t.Iterable[dict[str, t.Any]]) -> list[str]:
    return [entry["name"] for entry in entries]


def test_everything_without_a_request(bench: ContractBench) -> None:
    found = bench.about()
    assert bench.sent == []
    assert (found["changed"], found["types"], found["left_out"]) == (False, [], [])
    assert found["source"] == sandbox_data()["source"] or found["source"].endswith("CommonFcd.wsdl")
    assert len(found["operations"]) == 108
    assert names(found["operations"]) == sorted(names(found["operations"]))
    assert sum(entry["reads"] for entry in found["operations"]) == 70
    assert names(entry for entry in found["operations"] if entry["paged"]) == [
        "GetClientHistory",
        "GetClients",
        "GetNewses",
        "GetPricelists",
        "GetPricelistsClients",
        "GetUsers",
        "GetWarehouses",
    ]


def test_one_operation(bench: ContractBench) -> None:
    found = bench.about(operation=["delete_warehouse", "DeletePricelists"])
    assert found["operations"][0] == {
        "name": "DeleteWarehouse",
        "reads": False,
        "paged": False,
        "inputs": [{"name": "warehouseId", "key": "warehouse_id", **INT, "nullable": False}],
        "result": None,
        "action": "http://schemas.example.com/fcd/ICommonFcd/DeleteWarehouse",
    }
    assert found["operations"][1]["inputs"][0] == {
        "name": "pricelistsIds",
        "key": "pricelists_ids",
        "type": "int",
        "list": True,
        "required": False,
        "nullable": True,
    }
    assert found["types"] == []


@pytest.mark.parametrize(
    ("operation", "result"),
    [
        ("HasClientUsers", {"type": "boolean", "list": False}),
        ("GetTimeZones", {"type": "TimeZone", "list": True}),
        ("GetUser", {"type": "User", "list": False}),
        ("GetReferrerPeriods", {"type": "dateTime", "list": True}),
    ],
)
def test_results(bench: ContractBench, operation: str, result: t.Any) -> None:
    assert bench.about(operation=[operation])["operations"][0]["result"] == result


def test_a_page_names_the_type_of_its_rows(bench: ContractBench) -> None:
    found = bench.about(operation=["GetClients"])
    assert found["operations"][0]["result"]["rows"] == "ClientResultItem"
    kinds = names(found["types"])
    assert {"ClientsSearchParams", "ClientResultItem"} <= set(kinds)
    assert not {"ClientHistorySearchParams", "ArrayOfClientResultItem"} & set(kinds)
    params = found["types"][kinds.index("ClientsSearchParams")]
    assert params["base"] == "SearchParams"
    sorting = params["members"][names(params["members"]).index("SortingDirection")]
    assert (sorting["type"], sorting["allowed_values"]) == ("SortDirection", ["Descending", "Ascending"])


def test_types_that_lead_to_themselves_are_told_once(bench: ContractBench) -> None:
    kinds = names(bench.about(operation=["GetUser"])["types"])
    assert {"User", "Client", "Company", "Address"} <= set(kinds)
    assert len(kinds) == len(set(kinds))


def test_an_enumeration(bench: ContractBench) -> None:
    (found,) = bench.about(type=["consts_dal_client_status"])["types"]
    assert (found["name"], found["base"], found["members"]) == ("Consts.DAL.ClientStatus", "string", [])
    assert "Active" in found["allowed_values"]


def test_a_search_in_names(bench: ContractBench) -> None:
    found = bench.about(search="ware house")
    assert names(found["operations"]) == [
        "CreateWarehouse",
        "DeleteWarehouse",
        "GetWarehouse",
        "GetWarehouses",
        "UpdateWarehouse",
        "WarehouseExists",
    ]
    assert {"WarehouseItem", "WarehouseSearchParams"} <= set(names(found["types"]))


def test_a_search_for_what_is_nearly_there(bench: ContractBench) -> None:
    assert "GetWarehouses" in names(bench.about(search="GetWerehouses")["operations"])
    found = bench.about(search="xyzzy")
    assert (found["operations"], found["types"]) == ([], [])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"operation": ["GetClint"]}, "has no operation 'GetClint'. Did you mean 'GetClient'"),
        ({"type": ["Adress"]}, "has no type 'Adress'. Did you mean 'Address'"),
    ],
)
def test_wrong_names_are_answered_with_the_nearest(bench: ContractBench, options: t.Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        bench.about(**options)


def test_what_cannot_be_used_is_told_with_the_reason(bench: ContractBench) -> None:
    bench.data = {**bench.data, "left_out": {"Old": "its style is not document/literal"}}
    assert bench.about()["left_out"] == [{"name": "Old", "why": "its style is not document/literal"}]


def test_types_without_names_and_types_that_stand_in_for_others() -> None:
    inside = (
        '<xs:element name="Box"><xs:complexType><xs:sequence><xs:element name="Size" type="xs:decimal"/>'
        '</xs:sequence></xs:complexType></xs:element><xs:element name="Any" type="t:Animal" minOccurs="0"/>'
        '<xs:element name="Word" maxOccurs="unbounded"><xs:simpleType><xs:restriction base="xs:string">'
        '<xs:enumeration value="a"/></xs:restriction></xs:simpleType></xs:element>'
    )
    more = (
        '<xs:complexType name="Animal"><xs:sequence><xs:element name="Name" type="xs:string"/></xs:sequence>'
        '</xs:complexType><xs:complexType name="Dog"><xs:complexContent><xs:extension base="t:Animal"><xs:sequence>'
        '<xs:element name="Tail" type="xs:boolean"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>'
    )
    about = contract(inside, more=more)
    box, animal, word = describe_operation(about, "Op")["inputs"]
    assert (box["type"][0], box["required"]) == ("#", True)
    assert (animal["type"], animal["required"]) == ("Animal", False)
    assert (word["type"], word["list"], word["allowed_values"]) == ("string", True, ["a"])
    types = {entry["name"]: entry for entry in describe_types(about, ["Op"], [])}
    assert names(types[box["type"]]["members"]) == ["Size"]
    assert types["Animal"]["derived"] == ["Dog"]
    assert (types["Dog"]["base"], names(types["Dog"]["members"])) == ("Animal", ["Name", "Tail"])
