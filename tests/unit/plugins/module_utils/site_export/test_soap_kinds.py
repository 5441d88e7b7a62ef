# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients, users, warehouses, price lists, whatever the WSDL tells of them: what is exported changes nothing."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.warehouse import OPERATION as WAREHOUSE
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.export import EXPORTED_KINDS, OPERATION
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import KINDS as SITE_KINDS
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

OF_SOAP = [kind for kind, service in EXPORTED_KINDS.items() if service == "soap"]
KEY = {"partner_id": 12, "template_id": 304, "data_store_number": "DS-01"}
Result = t.Dict[str, t.Any]


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(tmp_path, monkeypatch)
    made.run(WAREHOUSE, name="spare", queue_length=4, **KEY)
    return made


def exported(bench: Bench, **options: t.Any) -> Result:
    """Return an export; every entry of it was tried."""
    result = bench.run(OPERATION, **options)
    assert bench.writes == []
    for kind in OF_SOAP:
        for entry in result["site"].get(kind, ()):
            whole = {**result["site"].get("defaults", {}).get(kind, {}), **entry}
            tried = bench.run(SITE_KINDS[kind].operation(), check_mode=True, **completed(kind, whole))
            assert (tried["changed"], bench.writes) == (False, []), (kind, whole, tried["diff"])
    return result


def completed(kind: str, entry: Result) -> Result:
    """Return an entry with the defaults of suboptions, as the module gets it."""
    if kind == "clients":
        types = SITE_KINDS[kind].operation().options["address_types"]["options"]
        entry["address_types"] = {role: spec["default"] for role, spec in types.items()}
    return entry


def left_out(result: Result, kind: str) -> set[tuple[str | None, str | None]]:
    """Return name and option of what was left out of a kind."""
    return {(one["name"], one["option"]) for one in result["left_out"] if one["kind"] == kind}


def test_all_that_the_interface_has(bench: Bench) -> None:
    result = exported(bench)
    assert result["kinds"] == OF_SOAP
    assert result["counts"] == {"clients": 3, "warehouses": 1, "client_users": 4, "client_pricelists": 2}
    assert {one["kind"] for one in result["not_read"]} == {kind for kind in EXPORTED_KINDS if kind not in OF_SOAP}


def test_odd_answers_and_small_pages(bench: Bench) -> None:
    usual = bench.run(OPERATION)["text"]
    bench.state.settings.update(rich_answers=True, maximum_page_size=2, first_page=0)
    assert exported(bench)["counts"]["client_users"] == 4
    bench.state.settings.update(rich_answers=False)
    assert bench.run(OPERATION)["text"] == usual


def test_warehouses_with_the_same_key(bench: Bench) -> None:
    (number,) = bench.state.warehouses
    bench.state.warehouses[77] = {**bench.state.warehouses[number], "WarehouseId": 77, "WarehouseName": "other"}
    result = exported(bench, kinds=["warehouses"])
    assert [entry.get("id") for entry in result["site"]["warehouses"]] == sorted([77, number])
    assert ("12/304/DS-01", "partner_id") in left_out(result, "warehouses")


def test_a_client_that_is_deleted_or_gone_meanwhile(bench: Bench) -> None:
    bench.state.clients[101]["IsDeleted"] = True
    bench.after("GetClients", lambda: bench.state.clients.pop(102))
    result = bench.run(OPERATION, kinds=["clients"])
    assert [entry["id"] for entry in result["site"]["clients"]] == [100]


def test_a_user_that_is_gone_meanwhile(bench: Bench) -> None:
    bench.after("GetUsers", lambda: bench.state.users.pop(2))
    result = bench.run(OPERATION, kinds=["client_users"])
    assert result["counts"] == {"client_users": 3}


def test_members_that_the_types_do_not_have(bench: Bench) -> None:
    hidden = [("Client", "Addresses"), ("Client", "Company"), ("Client", "DefaultUser"), ("PricelistSimple", "Name")]
    hidden += [
        ("User", "AdLogin"),
        ("UserResultItem", "AdLogin"),
        ("User", "Language"),
        ("WarehouseItem", "QueueLength"),
    ]
    for pair in hidden:
        bench.hide_member(*pair)
    result = exported(bench)
    assert result["kinds"] == OF_SOAP
    assert all("id" in user for user in result["site"]["client_users"])
    assert all("pricelist_id" in one for one in result["site"]["client_pricelists"])
    assert not any("addresses" in one or "company" in one for one in result["site"]["clients"])


def test_kinds_that_the_types_do_not_tell_apart(bench: Bench) -> None:
    for pair in (
        ("WarehouseItem", "PartnerId"),
        ("PricelistClientView", "PricelistId"),
        ("ClientResultItem", "ClientId"),
    ):
        bench.hide_member(*pair)
    result = exported(bench)
    assert result["kinds"] == ["client_users"]
    told = {one["kind"]: one["reason"] for one in result["not_read"]}
    assert set(OF_SOAP) - set(told) == {"client_users"}
    assert "partner_id" in told["warehouses"]
    with pytest.raises(errors.InvalidInput, match="partner_id"):
        bench.run(OPERATION, kinds=["warehouses"])


def test_a_service_that_fails(bench: Bench) -> None:
    bench.fail("GetWarehouses", 500)
    with pytest.raises(errors.FcdError):
        bench.run(OPERATION)
