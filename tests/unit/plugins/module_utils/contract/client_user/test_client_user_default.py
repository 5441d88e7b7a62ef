# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The default user of a client, where User has a member for it and where the client has to be asked."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import LOGIN, NEW, UserBench

ASKED = "GetClientDefaultUserSimple"


@pytest.fixture
def unmarked(bench: UserBench) -> UserBench:
    """Nothing in a user says whether it is the default one."""
    bench(**NEW)
    bench.hide_member("User", "IsDefault")
    return bench


def test_the_mark_is_declared(bench: UserBench) -> None:
    bench(**NEW)
    made = bench(**LOGIN, is_default=True)
    assert (made["changed"], made["client_user"]["is_default"]) == (True, True)
    assert bench.state.clients[100]["DefaultUserId"] == made["client_user"]["id"]
    assert not bench.state.users[1]["IsDefault"]
    assert not bench(**LOGIN, is_default=True)["changed"]
    assert ASKED not in bench.sent, "a user tells it by itself"


@pytest.mark.parametrize("named", [{}, {"client_id": 100}])
def test_without_a_member_the_client_is_asked(unmarked: UserBench, named: dict[str, t.Any]) -> None:
    foreseen = unmarked(check_mode=True, **LOGIN, **named, is_default=True)
    assert (foreseen["changed"], foreseen["diff"]["before"]["is_default"]) == (True, False)
    assert unmarked(**LOGIN, **named, is_default=True)["client_user"]["is_default"]
    assert not unmarked(**LOGIN, **named, is_default=True)["changed"]
    assert (unmarked.sent.count(ASKED), unmarked.warnings) == (1, [])
    assert unmarked(**LOGIN, **named, is_default=False)["changed"]
    assert not unmarked(**LOGIN, **named, is_default=False)["changed"]


def test_the_mark_is_kept_when_something_else_changes(unmarked: UserBench) -> None:
    unmarked(**LOGIN, is_default=True)
    assert unmarked(**LOGIN, last_name="Writer")["changed"]
    assert unmarked.stored()["IsDefault"]


def test_an_unclear_answer_is_looked_into(unmarked: UserBench) -> None:
    unmarked.fail("UpdateUserInfoAndPrivileges", errors.Unclear("reset"), done=True)
    assert unmarked(**LOGIN, is_default=True)["changed"]


def test_nobody_is_asked_where_it_does_not_matter(unmarked: UserBench) -> None:
    for params in ({"settings": {"time_zone_id": 2}}, {"state": "blocked"}, {"state": "absent"}):
        unmarked(**LOGIN, **params)
        assert ASKED not in unmarked.sent


def test_where_nobody_tells_it_has_to_be_given(unmarked: UserBench) -> None:
    for member in (("User", "Client"), ("UserResultItem", "ClientId")):
        unmarked.hide_member(*member)
    with pytest.raises(errors.InvalidInput, match="does not report what they are now: is_default"):
        unmarked(**LOGIN, last_name="Writer")
    assert unmarked(**LOGIN, last_name="Writer", is_default=False)["changed"]
    assert ASKED not in unmarked.sent


def test_a_refusal_to_tell_is_as_good_as_no_member(unmarked: UserBench) -> None:
    unmarked.service.settings["faults"] = [{"operation": ASKED, "error_code": 9, "times": 0}]
    assert unmarked(**LOGIN, last_name="Writer", is_default=False)["changed"]
    assert "is_default" in unmarked.warnings[0]


def test_what_may_not_be_read_is_told(unmarked: UserBench) -> None:
    denied = {"operation": ASKED, "element": "AuthorizationErrorDescription", "times": 0}
    unmarked.service.settings["faults"] = [denied]
    with pytest.raises(errors.Forbidden):
        unmarked(**LOGIN, last_name="Writer")
    assert unmarked.writes == []
