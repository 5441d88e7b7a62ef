# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each method calls its operation with inputs that the contract has."""

from __future__ import annotations

import inspect
import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import CommonFcd
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import fold

from .contracts import sandbox
from .stand_in import Bench, answer, body_of

RECORD, RECORDS, TRUTH = "record", "records", "truth"
CALLS: list[tuple[str, dict[str, t.Any], t.Any]] = [
    ("logon_user", {"user": "a", "password": "b", "ip_address": "127.0.0.1", "user_agent": "c"}, RECORD),
    ("get_privileges", {"type_dict_id": 907}, RECORDS),
    ("get_user", {"user_id": 1}, RECORD),
    ("get_user_by_sid", {"sid": "S-1"}, RECORD),
    ("get_client_default_user_simple", {"client_id": 1}, RECORD),
    ("get_users", {"client_id": 1}, RECORDS),
    ("get_user_privileges", {"user_id": 1}, RECORDS),
    ("is_user_name_already_taken", {"user_name": "a"}, TRUTH),
    ("is_email_already_taken", {"email": "a"}, TRUTH),
    ("is_pesel_already_taken", {"pesel": "a"}, TRUTH),
    ("is_pesel_already_taken_by_other_user", {"pesel": "a", "user_id": 1}, TRUTH),
    ("is_phone_number_exists", {"phone_number": "a"}, TRUTH),
    ("create_user_with_privileges", {"ad_login": "a", "ad_password": "b", "user": {}, "privileges": [1]}, 7),
    (
        "update_user_info_and_privileges",
        {
            "user_id": 1,
            "first_name": "a",
            "last_name": "b",
            "email_address": "c",
            "phone_number": "d",
            "pesel": "e",
            "is_default": False,
            "privileges": [],
        },
        None,
    ),
    ("update_user_settings", {"user_id": 1, "language_id": 2, "is24_hour_clock": True}, None),
    ("set_user_password", {"user_id": 1, "new_password": "a"}, None),
    ("block_user", {"user_id": 1}, None),
    ("unblock_user", {"user_id": 1}, None),
    ("delete_users", {"user_ids": [1, 2]}, None),
    (
        "create_warehouse",
        {"warehouse_name": "a", "queue_capacity": 1, "data_store_number": "b", "template_id": 2, "partner_id": 3},
        None,
    ),
    ("warehouse_exists", {"partner_id": 1, "template_id": 2, "data_store_number": "3"}, TRUTH),
    ("get_warehouses", {"partner_id": 1}, RECORDS),
    ("get_warehouse", {"warehouse_id": 1}, RECORD),
    ("update_warehouse", {"warehouse_id": 1, "warehouse_name": "a", "queue_length": 2}, None),
    ("delete_warehouse", {"warehouse_id": 1}, None),
    ("change_user_password", {"user_id": 1, "old_password": "a", "new_password": "b"}, None),
    ("change_password", {"ad_sid": "S-1", "old_password": "a", "new_password": "b"}, None),
    ("request_for_reset_password", {"email": "a", "link_to_change_password": "b"}, None),
    ("reset_password", {"token": "a", "new_password": "b"}, None),
    ("impersonate_user", {"current_user_sid": "S-1", "user_email": "a"}, RECORD),
    ("validate_token", {"token": "a"}, TRUTH),
    ("clean_last_logon_date", {"user": "a", "password": "b"}, None),
    ("get_client", {"client_id": 1}, RECORD),
    ("get_client_including_deleted", {"client_id": 1}, RECORD),
    ("get_client_pit_data", {"client_id": 1}, RECORD),
    ("create_or_update_client_pit_data", {"client_id": 1, "pit_data": {}}, None),
    ("update_client_status", {"client_id": 1, "status": "Active", "comment": "a"}, None),
    ("delete_client", {"client_id": 1, "comment": "a"}, RECORD),
    ("accept_regulations", {"client_id": 1}, None),
    ("send_client_phone_verification_code", {"phone_number": "1", "country_dict_id": 2}, RECORD),
    ("save_client_phone_verification_result", {"client_id": 1, "phone_verification": {}}, None),
    ("get_client_fixed_amount", {"client_id": 1}, RECORD),
    ("get_client_fixed_amount_history", {"client_id": 1}, RECORDS),
    ("create_client_fixed_amount", {"client_fixed_amount": {}}, None),
    ("update_client_fixed_amount", {"client_fixed_amount": {}}, None),
    ("delete_client_fixed_amount", {"client_fixed_amount_id": 1}, None),
    ("get_pricelists", {"only_active": True}, RECORDS),
    ("get_pricelists_clients", {"pricelist_id": 1}, RECORDS),
    ("get_client_current_pricelist", {"owner_client_id": 1}, RECORD),
    ("get_client_pricelists_simple", {"owner_client_id": 1}, RECORDS),
    ("change_pricelist", {"clients_ids": [1], "new_pricelist_id": 2}, None),
    ("delete_pricelists", {"pricelists_ids": [1], "client_id": 2}, None),
]
SEARCHES = ("get_users", "get_warehouses", "get_pricelists", "get_pricelists_clients")


def remote(method: str) -> str:
    return next(name for name in sandbox().operations() if fold(name) == fold(method))


def empty(operation: str, kind: t.Any) -> tuple[str, t.Any]:
    """What the service answers, and what the method then returns."""
    if kind == TRUTH:
        return f"<f:{operation}Result>true</f:{operation}Result>", True
    if kind == RECORDS:
        return f'<f:{operation}Result i:nil="true"/>', []
    return (f"<f:{operation}Result>7</f:{operation}Result>", 7) if kind == 7 else ("", None)


@pytest.mark.parametrize(("method", "values", "kind"), CALLS, ids=[call[0] for call in CALLS])
def test_each_method_calls_its_operation(method: str, values: dict[str, t.Any], kind: t.Any) -> None:
    operation = remote(method)
    inside, result = empty(operation, kind)
    bench = Bench(answer(operation, inside))
    assert getattr(CommonFcd(bench.client), method)(**values) == result
    searches = method in SEARCHES  # without a total, an empty first page may be number 0
    assert [request.operation for request in bench.sent] == [operation] * (2 if searches else 1)
    assert len(body_of(bench.sent[0]).children) == (1 if searches else len(values))


def test_the_table_above_is_whole() -> None:
    other = {"call", "checking", "members", "search", "search_members", "update_client"}
    methods = {name for name, _value in inspect.getmembers(CommonFcd, inspect.isfunction) if name[0] != "_"}
    assert methods - other == {call[0] for call in CALLS}


@pytest.mark.parametrize(("method", "values", "kind"), CALLS, ids=[call[0] for call in CALLS])
def test_one_that_checks_sends_nothing(method: str, values: dict[str, t.Any], kind: t.Any) -> None:
    bench = Bench()
    if method not in SEARCHES:
        assert not getattr(CommonFcd(bench.client).checking(), method)(**values)
    with pytest.raises(errors.InvalidInput):
        CommonFcd(bench.client).checking().call(remote(method), no_such_input=1)
    assert bench.sent == []


def test_false_and_null_are_false() -> None:
    for inside in ("<f:WarehouseExistsResult>false</f:WarehouseExistsResult>", ""):
        bench = Bench(answer("WarehouseExists", inside))
        assert CommonFcd(bench.client).warehouse_exists(1, 2, "3") is False


def test_any_operation_can_be_called() -> None:
    bench = Bench(answer("GetClientSalesmanName", "<f:GetClientSalesmanNameResult>x</f:GetClientSalesmanNameResult>"))
    assert CommonFcd(bench.client).call("get_client_salesman_name", CLIENT_ID="4") == "x"
    assert body_of(bench.sent[0]).children[0].text == "4"


def test_a_search_returns_the_rows_of_all_pages() -> None:
    def page(first: int, count: int) -> str:
        rows = "".join(
            f"<m:WarehouseItem><m:WarehouseId>{first + n}</m:WarehouseId></m:WarehouseItem>" for n in range(count)
        )
        return f'<f:GetWarehousesResult xmlns:c="urn:c"><c:_results>{rows}</c:_results></f:GetWarehousesResult>'

    bench = Bench(answer("GetWarehouses", page(0, 100)), answer("GetWarehouses", page(100, 5)))
    rows = CommonFcd(bench.client).get_warehouses(partner_id=3)
    assert [row["warehouse_id"] for row in rows] == list(range(105))
    assert [node.text for node in body_of(bench.sent[1]).children[0].children] == ["1", "100", "3"]


def test_members_know_the_map_of_the_user() -> None:
    api = CommonFcd(Bench(answer("GetUser", "")).client, {"WarehouseItem.queue_length": "TemplateId"})
    assert api.members("WarehouseItem").find("queue_length") == "template_id"
