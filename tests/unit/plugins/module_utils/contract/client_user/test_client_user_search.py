# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How users are found when the service's search is not what one would wish for."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.client_user_record import client_of_log_on
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import LOGIN, NEW, UserBench


def only_with(bench: UserBench, condition: t.Callable[[dict[str, t.Any]], bool]) -> None:
    """Let GetUsers find something only when the parameters of the search meet the condition."""
    usual = bench.service._handlers["GetUsers"]

    def handler(state: t.Any, given: dict[str, t.Any]) -> t.Any:
        return usual(state, given) if condition(given["searchParams"] or {}) else {"_results": None}

    bench.service._handlers["GetUsers"] = handler


def test_a_search_text_that_does_not_look_at_logins(bench: UserBench) -> None:
    bench(**NEW)
    only_with(bench, lambda given: not given.get("SearchText"))
    assert not bench(**NEW)["changed"]
    assert bench.sent == ["GetUsers", "IsUserNameAlreadyTaken", "GetUsers", "GetUser"]
    assert bench(**{**NEW, "user_name": "second", "email": "s@example.com", "pesel": "1"})["changed"]


def test_a_search_that_wants_a_client(bench: UserBench) -> None:
    bench(**NEW)
    only_with(bench, lambda given: bool(given.get("ClientId")))
    assert not bench(**NEW)["changed"]
    assert bench.sent[-3:] == ["LogonUser", "GetUsers", "GetUser"]
    assert "<n1:ClientId>100<" in bench.bodies[-2].replace("n2:", "n1:")
    assert "127.0.0.1" in bench.bodies[-3]
    assert not bench(**NEW, client_id=100)["changed"]
    assert bench.sent == ["GetUsers", "GetUser"]


@pytest.mark.parametrize("times", [1, 2])
def test_a_search_that_refuses_to_go_without_a_client(bench: UserBench, times: int) -> None:
    bench(**NEW)
    bench.service.settings["faults"] = [{"operation": "GetUsers", "error_code": 7, "times": times}]
    if times == 1:
        assert not bench(**NEW)["changed"]
        assert bench.sent == ["GetUsers", "LogonUser", "GetUsers", "GetUser"]
    else:
        with pytest.raises(errors.Rejected):
            bench(**NEW)


@pytest.mark.parametrize(
    "problem",
    [errors.Rejected("fault", status=500), errors.Unclear("reset"), errors.ServiceError("busy", status=503)],
    ids=str,
)
def test_when_the_account_has_no_client_the_refusal_stands(bench: UserBench, problem: Exception) -> None:
    bench.service.settings["faults"] = [{"operation": "GetUsers", "error_code": 7, "times": 0}]
    bench.fail("LogonUser", problem)
    with pytest.raises(errors.Rejected, match="error code 7"):
        bench(**NEW)
    assert "The client of the account is not known" in bench.warnings[0]


def test_a_refused_login_is_told_and_not_tried_in_another_way(bench: UserBench) -> None:
    bench.fail("GetUsers", errors.Rejected("no", status=500))
    bench.fail("LogonUser", errors.Unauthorized("wrong password", status=401))
    with pytest.raises(errors.Unauthorized, match="wrong password"):
        bench(**NEW)


@pytest.mark.parametrize("logon_refused", ["nil", "empty"])
def test_a_log_on_without_a_user(bench: UserBench, logon_refused: str) -> None:
    bench.service.settings["logon_refused"] = logon_refused
    bench.connection["username"] = "API\\" + bench.task().settings["username"]
    bench(**NEW)
    bench.forget()
    only_with(bench, lambda _given: False)
    bench.service._handlers["LogonUser"] = lambda _state, _given: None if logon_refused == "nil" else {}
    assert not bench(**LOGIN, state="absent")["changed"]
    assert bench.sent == ["GetUsers", "IsUserNameAlreadyTaken", "GetUsers", "LogonUser"]


def test_forbidden_searches_are_told(bench: UserBench) -> None:
    bench.fail("GetUsers", errors.Forbidden("not allowed", status=500))
    with pytest.raises(errors.Forbidden):
        bench(**NEW)
    assert bench.sent == []


SHAPES: list[tuple[t.Any, ...]] = [
    ({"user": {"client": {"client_id": 7}}}, 7),
    ({"User": {"ClientId": 8}}, 8),
    ({"client": {"client_id": 9}, "user_id": 1}, 9),
    ({"client_id": 10}, 10),
    ({"user": None, "is_password_expired": False}, None),
    ({"user": {"client": None}}, None),
    ({"user": {"client": {"client_id": 0}}}, None),
    ({"user": {"client": {"client_id": "x"}}}, None),
    ({}, None),
]


def test_the_client_in_the_shapes_that_were_seen() -> None:
    for answer, number in SHAPES:
        assert client_of_log_on(answer) == number


def test_without_a_search_text_all_users_are_read_once(bench: UserBench) -> None:
    bench(**NEW)
    bench.hide_member("SearchParams", "SearchText")
    assert not bench(**NEW)["changed"]
    assert bench.sent == ["GetUsers", "GetUser"]
    assert not bench(user_name="nobody", state="absent")["changed"]
    assert bench.sent == ["GetUsers", "IsUserNameAlreadyTaken"]


def test_rows_without_a_login_are_read_one_by_one_the_likely_one_first(bench: UserBench) -> None:
    bench(**NEW)
    bench.hide_member("UserResultItem", "AdLogin")
    bench.hide_member("SearchParams", "SearchText")
    assert not bench(**NEW)["changed"]
    assert bench.sent == ["GetUsers", "GetUser", "GetUser"]
    assert not bench(user_name=bench.second)["changed"]
    assert bench.sent == ["GetUsers", *["GetUser"] * 4, "GetUser"]
    assert not bench(user_name=bench.second, email=bench.state.users[2]["Email"])["changed"]
    assert bench.sent == ["GetUsers", "GetUser", "GetUser"]
    assert not bench(user_name="nobody", state="absent")["changed"]


def test_without_any_member_for_the_login_the_e_mail_decides(bench: UserBench) -> None:
    bench(**NEW)
    bench.hide_member("UserResultItem", "AdLogin")
    bench.hide_member("User", "AdLogin")
    assert not bench(**NEW)["changed"]
    assert "user_name" in bench.warnings[0]
    with pytest.raises(errors.InvalidInput, match=r"cannot be found by login.*User.user_name"):
        bench(**LOGIN)
    assert bench(id=1001, first_name="B")["changed"]


def test_without_a_number_in_the_rows_nothing_can_be_done(bench: UserBench) -> None:
    bench.hide_member("UserSimple", "UserId")
    with pytest.raises(errors.InvalidInput, match="UserResultItem has no member that could be id"):
        bench(**LOGIN)


def test_rows_that_lack_the_client_are_not_compared_with_it(bench: UserBench) -> None:
    bench(**NEW)
    bench.hide_member("UserResultItem", "ClientId")
    assert not bench(**NEW, client_id=100)["changed"]
    bench.hide_member("UsersSearchParams", "ClientId")
    assert not bench(**NEW, client_id=100)["changed"]


def test_a_user_that_only_the_list_knows_by_its_number(bench: UserBench) -> None:
    bench(**NEW)
    bench.service._handlers["GetUser"] = lambda _state, _given: None
    result = bench(id=1001)
    assert (result["client_user"]["user_name"], result["client_user"]["is_default"]) == ("billing.reader", None)
    assert bench(**LOGIN)["client_user"]["email"] == NEW["email"]
