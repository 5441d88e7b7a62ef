# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of other objects are looked up before a create or a change, so that check mode refuses what a run refuses."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract import client_fixed_amount, client_user, pricelist
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

NEW_USER = {
    "user_name": "new.user",
    "user_password": "canary-user-axolotl",
    "first_name": "New",
    "last_name": "User",
    "email": "new.user@example.com",
}
PRIVILEGES = r"privileges: there is no privilege with the ID 4711"
CLIENTS = r"there is no client with the ID 99999"

UNKNOWN: dict[str, tuple[t.Any, dict[str, t.Any], str]] = {
    "the client of a user": (client_user.OPERATION, {**NEW_USER, "client_id": 99999}, f"client_id: {CLIENTS}"),
    "privileges of a new user": (client_user.OPERATION, {**NEW_USER, "privileges": ["4711", "1"]}, PRIVILEGES),
    "privileges of a user": (client_user.OPERATION, {"id": 2, "privileges": ["4711"]}, PRIVILEGES),
    "privileges beside named ones": (
        client_user.OPERATION,
        {"id": 2, "privileges": ["4711", "ManageUsers"], "privilege_type_id": 9071},
        PRIVILEGES,
    ),
    "the client of a fixed amount": (
        client_fixed_amount.OPERATION,
        {"client_id": 99999, "amount": "5"},
        f"client_id: {CLIENTS}",
    ),
    "clients of a price list": (
        pricelist.CLIENT_PRICELIST,
        {"pricelist_id": 2, "client_ids": [100, 99999]},
        f"client_ids: {CLIENTS}",
    ),
    "a price list": (
        pricelist.CLIENT_PRICELIST,
        {"pricelist_id": 4711, "client_ids": [100]},
        "pricelist_id: there is no price list with the ID 4711",
    ),
}


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


@pytest.mark.parametrize("case", UNKNOWN)
@pytest.mark.parametrize("check_mode", [True, False])
def test_a_number_of_nothing_is_refused_before_anything_is_sent(bench: Bench, case: str, check_mode: bool) -> None:
    operation, params, words = UNKNOWN[case]
    with pytest.raises(errors.InvalidInput, match=words):
        bench.run(operation, check_mode=check_mode, **params)
    assert bench.writes == []


@pytest.mark.parametrize("problem", [errors.Forbidden("not allowed"), errors.Rejected("no", status=500)])
def test_privileges_that_may_not_be_listed_are_left_to_the_service(bench: Bench, problem: errors.FcdError) -> None:
    bench.fail("GetPrivileges|GetDictionaryItems", problem)
    assert bench.run(client_user.OPERATION, id=2, privileges=["4"])["changed"]


def test_a_client_that_may_not_be_read_is_left_to_the_service(bench: Bench) -> None:
    bench.fail("GetClient", errors.Forbidden("not allowed"))
    assert bench.run(client_user.OPERATION, **NEW_USER, client_id=101)["changed"]


def test_what_is_the_same_already_is_not_looked_up(bench: Bench) -> None:
    bench.run(client_user.OPERATION, id=2, privileges=["4"])
    assert not bench.run(client_user.OPERATION, id=2, privileges=["4"])["changed"]
    assert not {"GetPrivileges", "GetClient"} & set(bench.sent)
