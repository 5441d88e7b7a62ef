# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Passwords changed, set and reset: what is sent, what is not, and what is told when nobody knows."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.client_user_credentials import PASSWORD_ACTIONS
from ansible_collections.fcd.cloud.plugins.module_utils._contract.client_user_credentials import (
    USER_PASSWORD as OPERATION,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import NEW, OLD, SECOND, TOKEN, WRONG, ActBench

SID = "S-1-5-21-1004336348-1177238915-682003330-2"
CHANGE = {"action": "change", "user_id": 2, "old_password": OLD, "new_password": NEW}
CHANGE_BY_SID = {"action": "change", "sid": SID, "old_password": OLD, "new_password": NEW}
SET = {"action": "set", "user_id": 2, "new_password": NEW}
RESET = {"action": "reset", "token": TOKEN, "new_password": NEW}
REQUEST = {"action": "request_reset", "email": "second.user@example.com"}
SETTING = (
    (CHANGE, "ChangeUserPassword"),
    (CHANGE_BY_SID, "ChangePassword"),
    (SET, "SetUserPassword"),
    (RESET, "ResetPassword"),
)
ALL = (*SETTING, (REQUEST, "RequestForResetPassword"))
FIRST: dict[str, t.Any] = {"verify_first": True, "user_name": "second.user"}


@pytest.mark.parametrize(("params", "operation"), SETTING)
def test_a_password_is_set_with_one_request(bench: ActBench, params: dict[str, t.Any], operation: str) -> None:
    assert bench.act(OPERATION, check_mode=True, **params) == {"changed": True, "action": params["action"]}
    assert (bench.sent, bench.has(OLD)) == ([], True)
    assert bench.act(OPERATION, **params) == {"changed": True, "action": params["action"]}
    assert (bench.sent, bench.has(NEW)) == ([operation], True)


@pytest.mark.parametrize(("params", "operation"), [(CHANGE, "ChangeUserPassword"), (SET, "SetUserPassword")])
@pytest.mark.parametrize("verify_first", [False, True])
def test_a_login_alone_says_whose_password_it_is(
    bench: ActBench, params: dict[str, t.Any], operation: str, verify_first: bool
) -> None:
    named = {**params, "user_id": None, "user_name": "second.user", "verify_first": verify_first}
    assert bench.act(OPERATION, check_mode=True, **named)["changed"]
    assert set(bench.sent) == {"GetUsers"}
    assert bench.act(OPERATION, **named)["changed"]
    assert [one for one in bench.sent if one != "GetUsers"] == ["LogonUser"] * verify_first + [operation]
    assert bench.has(NEW)


def test_a_login_that_nobody_has_is_told(bench: ActBench) -> None:
    nobody = {**SET, "user_id": None, "user_name": "nobody"}
    with pytest.raises(errors.InvalidInput) as caught:
        bench.act(OPERATION, **nobody)
    assert str(caught.value) == "user_name: there is no user 'nobody'. Check it, or give user_id."
    assert "SetUserPassword" not in bench.sent
    assert bench.act(OPERATION, check_mode=True, **nobody)["changed"]
    assert "user_name: there is no user 'nobody'." in bench.warnings[0]


def test_a_login_that_no_member_has_needs_the_id(bench: ActBench) -> None:
    for kind in ("UserResultItem", "User"):
        bench.hide_member(kind, "AdLogin")
    with pytest.raises(errors.InvalidInput, match=r"cannot be found by login.* Give user_id, or name the member in "):
        bench.act(OPERATION, **{**SET, "user_id": None, "user_name": "second.user"})


@pytest.mark.parametrize("link", [{}, {"link_to_change_password": "https://panel.example.com/password"}])
def test_a_letter_is_asked_for(bench: ActBench, link: dict[str, str]) -> None:
    bench.act(OPERATION, check_mode=True, **REQUEST, **link)
    assert bench.sent == []
    assert bench.act(OPERATION, **REQUEST, **link)["changed"]
    assert sorted(bench.state.reset_tokens.values()) == [2, 2]
    assert ("https://panel" in bench.bodies[0], "linkToChangePassword" in bench.bodies[0]) == (bool(link), bool(link))


@pytest.mark.parametrize(("params", "operation"), SETTING)
def test_a_password_that_works_is_left_alone(bench: ActBench, params: dict[str, t.Any], operation: str) -> None:
    assert bench.act(OPERATION, **params, **FIRST)["changed"]
    assert bench.sent == ["LogonUser", operation]
    assert not bench.act(OPERATION, **params, **FIRST)["changed"]
    assert bench.sent == ["LogonUser"]
    assert bench.act(OPERATION, check_mode=True, **params, **FIRST)["changed"]
    assert bench.sent == [], "a log-in is not for check mode"


def test_a_log_in_that_is_refused_with_a_fault_is_none(bench: ActBench) -> None:
    bench.refuse("LogonUser")
    assert bench.act(OPERATION, **SET, **FIRST)["changed"]


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        ({"element": "AuthorizationErrorDescription"}, errors.Forbidden),
        ({"error_code": 133}, errors.Conflict),
    ],
)
def test_what_says_nothing_of_the_password_ends_the_task(
    bench: ActBench, trouble: dict[str, t.Any], kind: type[errors.FcdError]
) -> None:
    bench.refuse("LogonUser", **trouble)
    with pytest.raises(kind):
        bench.act(OPERATION, **SET, **FIRST)
    assert bench.has(OLD)


def test_the_user_who_logs_in_has_to_be_the_one(bench: ActBench) -> None:
    bench.set(3, NEW)
    with pytest.raises(errors.InvalidInput) as caught:
        bench.act(OPERATION, **{**SET, "verify_first": True, "user_name": "third.user"})
    assert str(caught.value) == (
        "user_name: the login 'third.user' belongs to the user with the ID 3, but user_id is 2."
    )
    assert bench.has(OLD)


@pytest.mark.parametrize(("params", "operation"), ALL)
@pytest.mark.parametrize(("outcome", "done"), [(errors.Unclear("no answer"), True), (503, False)], ids=str)
def test_nothing_is_sent_twice(
    bench: ActBench, params: dict[str, t.Any], operation: str, outcome: t.Any, done: bool
) -> None:
    bench.connection["retries"] = 5
    bench.fail(operation, outcome, done=done)
    with pytest.raises((errors.Unclear, errors.ServiceError)) as caught:
        bench.act(OPERATION, **params)
    told = "Wait for it before you request" if params is REQUEST else "Log in with the new one"
    assert told in str(caught.value)
    assert bench.sent == [operation] * done


@pytest.mark.parametrize(
    ("answer", "done"),
    [
        (errors.Unclear("no answer"), True),
        (errors.Unclear("no answer"), False),
        (errors.ServiceError("no answer", status=504), True),
        (errors.ServiceError("no answer", status=504), False),
    ],
    ids=str,
)
def test_with_log_ins_allowed_an_unclear_answer_is_looked_into(
    bench: ActBench, answer: errors.FcdError, done: bool
) -> None:
    bench.fail("SetUserPassword", answer, done=done)
    if done:
        assert bench.act(OPERATION, **SET, **FIRST)["changed"]
    else:
        with pytest.raises(type(answer), match="no answer"):
            bench.act(OPERATION, **SET, **FIRST)
    assert bench.sent == ["LogonUser", *["SetUserPassword"] * done, "LogonUser"]


def test_a_second_look_that_fails_proves_nothing(bench: ActBench) -> None:
    bench.fail("SetUserPassword", errors.Unclear("no answer"), done=True)
    bench.after("LogonUser", lambda: bench.refuse("LogonUser", element="AuthorizationErrorDescription"))
    with pytest.raises(errors.Unclear, match="no answer"):
        bench.act(OPERATION, **SET, **FIRST)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({**CHANGE, "old_password": WRONG}, "the old password is wrong"),
        ({**RESET, "token": WRONG}, "the token is not valid"),
        ({**SET, "user_id": 99}, "user 99 does not exist"),
    ],
)
def test_a_refusal_is_told_in_the_words_of_the_service(bench: ActBench, params: dict[str, t.Any], words: str) -> None:
    with pytest.raises(errors.Rejected, match=words) as caught:
        bench.act(OPERATION, **params)
    assert caught.value.details["fault"]["reason"] == words
    assert bench.has(OLD)


def test_a_refusal_that_repeats_the_password_does_not_show_it(bench: ActBench) -> None:
    bench.refuse("SetUserPassword", message=f"{NEW} is too short")
    with pytest.raises(errors.Rejected, match="is too short"):
        bench.act(OPERATION, **SET)


WRONG_OPTIONS: list[tuple[t.Any, ...]] = [
    ({"action": "change"}, "action: change needs user_id or sid or user_name, old_password, new_password."),
    ({"action": "set", "new_password": NEW}, "action: set needs user_id or user_name."),
    ({"action": "reset", "token": TOKEN}, "action: reset needs new_password."),
    ({**CHANGE, "sid": SID}, "action: change takes only one of user_id and sid."),
    (
        {**REQUEST, "new_password": NEW},
        "new_password does not apply to action: request_reset, which takes email, link_to_change_password.",
    ),
    ({**REQUEST, "verify_first": True}, "verify_first does not apply to action: request_reset, "),
    ({**SET, "new_password": ""}, "new_password is empty. If it comes from a variable of the environment"),
    ({**SET, "verify_first": True}, "verify_first requires user_name to log in with."),
    ({**SET, "user_id": 1 << 40}, "SetUserPassword.userId: "),
]


def test_wrong_options_are_told_before_anything_is_sent(bench: ActBench, subtests: pytest.Subtests) -> None:
    for params, says in WRONG_OPTIONS:
        with subtests.test(says):
            for check_mode in (True, False):
                with pytest.raises(errors.InvalidInput) as caught:
                    bench.act(OPERATION, check_mode=check_mode, **params)
                assert str(caught.value).startswith(says)
                assert bench.sent == []


def test_the_acts_that_take_an_option_are_named(bench: ActBench) -> None:
    with pytest.raises(errors.InvalidInput, match=r"Omit it, or use action: change or set or reset\."):
        bench.act(OPERATION, **REQUEST, new_password=NEW)


def test_the_number_zero_is_a_number(bench: ActBench) -> None:
    with pytest.raises(errors.Rejected, match="user 0 does not exist"):
        bench.act(OPERATION, **{**SET, "user_id": 0})


def test_every_option_belongs_to_an_act() -> None:
    of_acts = {name for act in PASSWORD_ACTIONS.values() for name in act.options}
    assert of_acts | {"action"} == set(OPERATION.options)
    assert SECOND["user_name"] == FIRST["user_name"]
