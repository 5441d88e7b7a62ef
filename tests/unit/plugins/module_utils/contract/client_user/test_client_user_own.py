# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The user that the module logs in as is neither removed nor blocked, however it is named."""

from __future__ import annotations

import typing as t
from types import SimpleNamespace

import pytest
from sandbox.soap import logon, views

from ansible_collections.fcd.cloud.plugins.module_utils._contract.client_user import OPERATION
from ansible_collections.fcd.cloud.plugins.module_utils._contract.client_user_changes import same_login
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import OTHER_PASSWORD, USER_PASSWORD, UserBench

OWN, SECOND = 1, 2
LOGIN_MEMBERS = (("User", "AdLogin"), ("UserResultItem", "AdLogin"))


def without_logins(bench: UserBench) -> None:
    for type_name, member in LOGIN_MEMBERS:
        bench.hide_member(type_name, member)


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize("state", ["absent", "blocked"])
@pytest.mark.parametrize("readable", [True, False])
def test_by_its_number(bench: UserBench, state: str, check_mode: bool, readable: bool) -> None:
    if not readable:
        without_logins(bench)
    done = "removed" if state == "absent" else "blocked"
    with pytest.raises(errors.InvalidInput) as caught:
        bench(check_mode=check_mode, id=OWN, state=state)
    assert str(caught.value) == (
        f"id: {OWN} is the user that the module logs in as, so it cannot be {done}. Log in as another user to do so."
    )
    assert bench.writes == []
    assert ("LogonUser" in bench.sent) is not readable, "asked for only when the login cannot tell"


@pytest.mark.parametrize("name", ["{}", "API\\{}", "UPPER"])
@pytest.mark.parametrize("state", ["absent", "blocked"])
def test_by_its_login(bench: UserBench, name: str, state: str) -> None:
    own = bench.task().settings["username"]
    with pytest.raises(errors.InvalidInput, match="is the user that the module logs in as"):
        bench(user_name=own.upper() if name == "UPPER" else name.format(own), state=state)
    assert bench.sent == []


@pytest.mark.parametrize("state", ["absent", "blocked"])
def test_another_user(bench: UserBench, state: str) -> None:
    without_logins(bench)
    assert bench(id=SECOND, state=state)["changed"]
    assert bench.sent.count("LogonUser") == 1
    assert bench.warnings == []


@pytest.mark.parametrize("params", [{"state": "present"}, {"state": "unblocked"}, {"first_name": "New"}])
def test_nothing_is_asked_for_what_does_not_lock_out(bench: UserBench, params: dict[str, t.Any]) -> None:
    without_logins(bench)
    bench(check_mode=True, id=OWN, **params)
    assert "LogonUser" not in bench.sent


@pytest.mark.parametrize("problem", [500, errors.Unclear("no answer")])
def test_where_the_number_cannot_be_learnt_a_warning_tells_so(bench: UserBench, problem: t.Any) -> None:
    without_logins(bench)
    bench.fail("LogonUser", problem)
    assert bench(id=SECOND, state="blocked")["changed"]
    assert "The ID of the user that logs in is not known" in bench.warnings[0]


def test_a_number_of_0_is_none(bench: UserBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that leaves numbers out that are 0 has said nothing."""
    without_logins(bench)
    monkeypatch.setattr(logon, "views", SimpleNamespace(user=lambda *given: {**views.user(*given), "UserId": 0}))
    assert bench(id=SECOND, state="blocked")["changed"]
    assert bench.warnings == [
        "The ID of the user that logs in is not known, so it was not compared with the user to change."
    ]


LOGINS: list[tuple[t.Any, ...]] = [
    ("jan", "jan", True),
    ("jan", "API\\JAN", True),
    ("API\\jan", "jan", True),
    ("API\\jan", "api\\jan", True),
    ("API\\jan", "OTHER\\jan", False),
    ("jan", "janek", False),
    (None, "jan", False),
    ("", "jan", False),
]


def test_logins_that_are_the_same() -> None:
    for login, own, same in LOGINS:
        assert same_login(login, own) is same


def test_the_password_of_the_login_is_not_that_of_the_user(bench: UserBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """With it the owner's login would fail, which may lock the account."""
    monkeypatch.setenv("FCD_USERNAME", "owner")
    monkeypatch.setenv("FCD_PASSWORD", OTHER_PASSWORD)
    defaults = {name: option.get("default") for name, option in OPERATION.options.items()}
    new = {**defaults, "user_name": bench.second}
    for username in ("owner", None):
        with pytest.raises(
            errors.InvalidInput, match=r"^password: .* The password of the user itself is user_password"
        ):
            OPERATION.run(bench.task(), {**new, "username": username, "password": USER_PASSWORD})
    assert bench.writes == []
    for username, password in (("another", USER_PASSWORD), ("owner", OTHER_PASSWORD), (None, None)):
        OPERATION.run(bench.task(check_mode=True), {**new, "username": username, "password": password})
