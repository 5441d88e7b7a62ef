# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations called by their names, and searches."""

from __future__ import annotations

import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import CommonFcd
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .stand_in import Bench, answer, body_of

NULL = ' i:nil="true"/>'
CALLS: list[tuple[str, str, dict[str, t.Any], str, t.Any]] = [
    ("call", "BlockUser", {"user_id": 1}, "", None),
    ("call", "CreateUserWithPrivileges", {"ad_login": "a", "user": {}, "privileges": [1]}, ">7</f:{}>", 7),
    ("record", "GetWarehouse", {"warehouse_id": 1}, NULL, None),
    ("record", "GetUser", {"user_id": 1}, "", None),
    ("records", "GetUserPrivileges", {"user_id": 1}, NULL, []),
    ("is_true", "IsEmailAlreadyTaken", {"email": "a"}, ">true</f:{}>", True),
    ("is_true", "IsEmailAlreadyTaken", {"email": "a"}, ">false</f:{}>", False),
    ("is_true", "WarehouseExists", {"partner_id": 1, "template_id": 2, "data_store_number": "3"}, NULL, False),
]


def test_each_way_to_call() -> None:
    for method, operation, values, inside, result in CALLS:
        element = f"{operation}Result"
        bench = Bench(answer(operation, f"<f:{element}{inside.format(element)}" if inside else ""))
        assert getattr(CommonFcd(bench.client), method)(operation, **values) == result
        assert [request.operation for request in bench.sent] == [operation]
        assert len(body_of(bench.sent[0]).children) == len(values)


def test_one_that_checks_sends_nothing() -> None:
    for method, operation, values, _inside, _result in CALLS:
        bench = Bench()
        assert not getattr(CommonFcd(bench.client).checking(), method)(operation, **values)
        with pytest.raises(errors.InvalidInput):
            CommonFcd(bench.client).checking().call(operation, no_such_input=1)
        assert bench.sent == []


def test_any_operation_can_be_called() -> None:
    bench = Bench(answer("GetClientSalesmanName", "<f:GetClientSalesmanNameResult>x</f:GetClientSalesmanNameResult>"))
    assert CommonFcd(bench.client).call("get_client_salesman_name", CLIENT_ID="4") == "x"
    assert body_of(bench.sent[0]).children[0].text == "4"


@pytest.mark.parametrize("name", ["owner_client_id", "ownerClientId", "OwnerClientId"])
def test_a_client_may_have_the_price_list_of_another_owner(name: str) -> None:
    inside = "<m:OwnerClientId>2</m:OwnerClientId>"
    result = f"<f:GetClientCurrentPricelistResult>{inside}</f:GetClientCurrentPricelistResult>"
    bench = Bench(answer("GetClientCurrentPricelist", result))
    assert CommonFcd(bench.client).call("GetClientCurrentPricelist", **{name: 1})["owner_client_id"] == 2


@pytest.mark.parametrize("name", ["user_id", "userId", "UserId"])
def test_a_user_is_the_one_asked_for(name: str) -> None:
    bench = Bench(answer("GetUser", "<f:GetUserResult><m:UserId>2</m:UserId></f:GetUserResult>"))
    with pytest.raises(errors.Unusable, match=f"{name} is 2 instead of 1"):
        CommonFcd(bench.client).call("GetUser", **{name: 1})


def test_a_search_returns_the_rows_of_all_pages() -> None:
    def page(first: int, count: int) -> str:
        rows = "".join(
            f"<m:WarehouseItem><m:WarehouseId>{first + n}</m:WarehouseId></m:WarehouseItem>" for n in range(count)
        )
        return f'<f:GetWarehousesResult xmlns:c="urn:c"><c:_results>{rows}</c:_results></f:GetWarehousesResult>'

    bench = Bench(answer("GetWarehouses", page(0, 100)), answer("GetWarehouses", page(100, 5)))
    rows = CommonFcd(bench.client).search("GetWarehouses", {"partner_id": 3})
    assert [row["warehouse_id"] for row in rows] == list(range(105))
    assert [node.text for node in body_of(bench.sent[1]).children[0].children] == ["1", "100", "3"]


def test_members_know_the_map_of_the_user() -> None:
    api = CommonFcd(Bench(answer("GetUser", "")).client, {"WarehouseItem.queue_length": "TemplateId"})
    assert api.members("WarehouseItem").find("queue_length") == "template_id"
