# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An answer about another object than the one asked for is an error, and nothing is written."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

pytest.importorskip("zeep")

from sandbox.soap.service import SoapService

from ansible_collections.fcd.cloud.plugins.module_utils._contract import (
    client,
    client_fixed_amount,
    client_user,
    warehouse,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

KEY = {"partner_id": 12, "template_id": 304}
KEYS = [{**KEY, "data_store_number": number} for number in ("DS-1", "DS-2")]
SID = "S-1-5-21-1004336348-1177238915-682003330-2"


class Swap(t.NamedTuple):
    """The ``operation`` answers for ``other`` instead of ``asked`` while a task with these options runs."""

    module: t.Any
    options: dict[str, t.Any]
    operation: str
    asked: tuple[str, t.Any]
    other: t.Any


USER, CLIENT, WAREHOUSE = ("userId", 2), ("clientId", 100), ("warehouseId", 1001)
ABSENT = {"state": "absent"}
SWAPS = {
    "a user is changed": Swap(client_user, {"id": 2, "last_name": "X"}, "GetUser", USER, 3),
    "a user is removed": Swap(client_user, {"id": 2, **ABSENT}, "GetUser", USER, 3),
    "a user is removed by its login": Swap(client_user, {"user_name": "second.user", **ABSENT}, "GetUser", USER, 3),
    "a user of a SID": Swap(client_user, {"sid": SID, "last_name": "X"}, "GetUserBySid", ("sid", SID), SID[:-1] + "3"),
    "privileges are sent along": Swap(client_user, {"id": 2, "last_name": "X"}, "GetUserPrivileges", USER, 1),
    "a client is changed": Swap(client, {"id": 100, "commission": "7.50"}, "GetClient", CLIENT, 102),
    "an amount is changed": Swap(
        client_fixed_amount, {"client_id": 100, "amount": "7"}, "GetClientFixedAmount", CLIENT, 101
    ),
    "an amount is removed": Swap(
        client_fixed_amount, {"client_id": 100, **ABSENT}, "GetClientFixedAmount", CLIENT, 101
    ),
    "a warehouse is changed": Swap(warehouse, {"id": 1001, "queue_length": 9}, "GetWarehouse", WAREHOUSE, 1002),
    "a warehouse is removed": Swap(warehouse, {"id": 1001, **ABSENT}, "GetWarehouse", WAREHOUSE, 1002),
    "a warehouse is removed by its key": Swap(warehouse, {**KEYS[0], **ABSENT}, "GetWarehouse", WAREHOUSE, 1002),
}


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(tmp_path, monkeypatch)
    for key in KEYS:
        bench.run(warehouse.OPERATION, **key, name="spare", queue_length=4)
    for number in (100, 101):
        bench.run(client_fixed_amount.OPERATION, client_id=number, amount="120")
    return bench


def swap(service: SoapService, case: Swap) -> None:
    usual, (name, asked) = service._handlers[case.operation], case.asked
    service._handlers[case.operation] = lambda state, given: usual(
        state, {**given, name: case.other} if given[name] == asked else given
    )


@pytest.mark.parametrize("case", SWAPS)
@pytest.mark.parametrize("check_mode", [True, False])
def test_an_answer_about_another_object_changes_nothing(bench: Bench, case: str, check_mode: bool) -> None:
    swapped = SWAPS[case]
    if check_mode and swapped.operation == "GetUserPrivileges":
        return  # privileges that nobody declares are read when they are sent
    swap(bench.service, swapped)
    given = {"state": "present", **swapped.options}
    if swapped.module is client:
        given["address_types"] = client.ADDRESS_TYPES
    with pytest.raises(errors.Unusable, match="the answer is about another"):
        bench.run(swapped.module.OPERATION, check_mode=check_mode, **given)
    assert bench.writes == []


@pytest.mark.parametrize("change", [{"queue_length": 9}, ABSENT])
@pytest.mark.parametrize("check_mode", [True, False])
def test_what_a_search_shows_under_another_number_is_not_changed(
    bench: Bench, change: dict[str, t.Any], check_mode: bool
) -> None:
    usual = bench.service._handlers["GetWarehouses"]

    def one_number_for_another(state: t.Any, given: t.Any) -> t.Any:
        found = usual(state, given)
        return {**found, "_results": [{**row, "WarehouseId": 2003 - row["WarehouseId"]} for row in found["_results"]]}

    bench.service._handlers["GetWarehouses"] = one_number_for_another
    with pytest.raises(errors.OperationFailed, match=r"shows the warehouse 1002 .* read by its ID it is another one"):
        bench.run(warehouse.OPERATION, check_mode=check_mode, **{"state": "present", **KEYS[0], **change})
    assert bench.writes == []
