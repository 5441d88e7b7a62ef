# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-ins, parts of others, tokens: who it is, what is hidden, and what check mode leaves out."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.client_user_credentials import (
    USER_SESSION as OPERATION,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import OLD, TOKEN, WRONG, ActBench

LOGON: dict[str, t.Any] = {"action": "logon", "user_name": "second.user", "user_password": OLD}
NOTHING = {"user": None, "members": None, "valid": None}


def part(bench: ActBench, **more: t.Any) -> dict[str, t.Any]:
    own = bench.state.users[1]["AdSid"]
    return {"action": "impersonate", "current_user_sid": own, "user_email": "second.user@example.com", **more}


def secret(result: dict[str, t.Any]) -> bool:
    judge = OPERATION.returns_secrets
    assert callable(judge)
    return judge(result)


def test_a_log_in_tells_who_it_is(bench: ActBench) -> None:
    done = bench.act(OPERATION, **LOGON)
    assert (done["changed"], done["action"], bench.sent) == (False, "logon", ["LogonUser"])
    assert (done["user"]["id"], done["user"]["client_id"], done["user"]["settings"]["language_id"]) == (2, 100, 2)
    assert (done["members"]["user"]["user_id"], done["members"]["user"]["pesel"]) == (2, "(hidden)")
    assert secret(done)
    assert "127.0.0.1" in bench.bodies[0]
    assert "userAgent" not in bench.bodies[0]


def test_what_is_said_of_the_user(bench: ActBench) -> None:
    bench.act(OPERATION, **LOGON, ip_address="192.0.2.7", user_agent="a browser")
    assert "192.0.2.7" in bench.bodies[0]
    assert "a browser" in bench.bodies[0]


@pytest.mark.parametrize("username", ["{}", "API\\{}"])
def test_without_a_name_the_account_logs_in(bench: ActBench, username: str) -> None:
    bench.connection["username"] = username.format(bench.task().settings["username"])
    assert bench.act(OPERATION, action="logon")["user"]["id"] == 1
    assert bench.act(OPERATION, action="clean_last_logon") == {"changed": True, "action": "clean_last_logon", **NOTHING}
    assert bench.state.users[1]["LastLogonDate"] is None


@pytest.mark.parametrize("refused", ["nil", "empty"])
def test_nobody_logs_in_with_a_wrong_password(bench: ActBench, refused: str) -> None:
    bench.service.settings["logon_refused"] = refused
    with pytest.raises(errors.Unauthorized) as caught:
        bench.act(OPERATION, **{**LOGON, "user_password": WRONG})
    assert str(caught.value) == (
        "LogonUser: the login failed: 'second.user' is not a user with this password. "
        "Check user_name and user_password. The login was tried only once, since failed logins may lock an account."
    )
    assert bench.sent == ["LogonUser"]


def test_an_answer_of_an_older_service_is_the_user_itself(bench: ActBench) -> None:
    usual = bench.service._handlers["LogonUser"]

    def older(state: t.Any, given: dict[str, t.Any]) -> t.Any:
        user = usual(state, given)["_x003C_User_x003E_k__BackingField"]
        return {"_x003C_User_x003E_k__BackingField": {"UserId": 0, "Client": user["Client"]}}

    bench.service._handlers["LogonUser"] = older
    assert bench.act(OPERATION, **LOGON)["user"]["client_id"] == 100


def test_the_part_of_another(bench: ActBench) -> None:
    done = bench.act(OPERATION, **part(bench))
    assert (done["changed"], done["user"]["id"], done["members"]["pesel"]) == (False, 2, "(hidden)")
    assert (bench.sent, secret(done)) == (["ImpersonateUser"], True)
    with pytest.raises(errors.Rejected, match=r"returned no user for 'nobody@example\.com'"):
        bench.act(OPERATION, **part(bench, user_email="nobody@example.com"))


@pytest.mark.parametrize(("token", "valid"), [(TOKEN, True), (WRONG, False)])
@pytest.mark.parametrize("check_mode", [True, False])
def test_tokens(bench: ActBench, token: str, valid: bool, check_mode: bool) -> None:
    done = bench.act(OPERATION, check_mode=check_mode, action="validate_token", token=token)
    assert (done["changed"], done["valid"], bench.sent) == (False, valid, ["ValidateToken"])
    assert not secret(done)


@pytest.mark.parametrize("action", ["logon", "impersonate", "clean_last_logon"])
def test_check_mode_sends_none_of_the_others(bench: ActBench, action: str) -> None:
    params = part(bench) if action == "impersonate" else {**LOGON, "action": action}
    done = bench.act(OPERATION, check_mode=True, **params)
    assert done == {"changed": action == "clean_last_logon", "action": action, **NOTHING}
    assert bench.sent == []


@pytest.mark.parametrize(
    ("action", "operation"),
    [("logon", "LogonUser"), ("impersonate", "ImpersonateUser"), ("clean_last_logon", "CleanLastLogonDate")],
)
@pytest.mark.parametrize("outcome", [errors.Unclear("no answer"), 503])
def test_nothing_is_repeated(bench: ActBench, action: str, operation: str, outcome: t.Any) -> None:
    bench.connection["retries"] = 5
    bench.fail(operation, outcome, done=True)
    with pytest.raises((errors.Unclear, errors.ServiceError), match="failed logins may lock"):
        bench.act(OPERATION, **(part(bench) if action == "impersonate" else {**LOGON, "action": action}))
    assert bench.sent == [operation]


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"action": "impersonate"}, "action: impersonate needs current_user_sid, user_email."),
        ({"action": "validate_token"}, "action: validate_token needs token."),
        ({**LOGON, "token": TOKEN}, "token does not apply to action: logon, which takes user_name, user_password,"),
        ({**LOGON, "user_password": ""}, "user_password is empty."),
    ],
)
def test_wrong_options(bench: ActBench, params: dict[str, t.Any], says: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        bench.act(OPERATION, **params)
    assert str(caught.value).startswith(says)
    assert bench.sent == []
