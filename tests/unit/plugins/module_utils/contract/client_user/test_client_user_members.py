# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of a user that the WSDL does not have: what cannot be read is sent each time, and nothing is sent half."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import CommonFcd
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import LOGIN, NEW, OTHER_PESEL, PESEL, UserBench
from .test_client_user import DEFAULT_SETTINGS


def test_a_national_id_that_cannot_be_read_is_never_lost(bench: UserBench) -> None:
    bench(**NEW)
    bench.hide_member("User", "Pesel")
    assert bench(**{**NEW, "pesel": OTHER_PESEL})["changed"]
    assert bench.stored()["Pesel"] == OTHER_PESEL
    (warning,) = bench.warnings
    assert "cannot be compared" in warning
    assert '{"User.pesel": ...}' in warning
    for check_mode in (True, False):
        with pytest.raises(errors.InvalidInput, match="does not report what they are now: pesel") as caught:
            bench(check_mode=check_mode, **LOGIN, last_name="x")
        assert "Give pesel, or name the member in soap_member_map" in str(caught.value)
        assert bench.writes == []
    assert bench(**LOGIN, last_name="x", pesel=PESEL)["changed"]
    assert (bench.stored()["Pesel"], bench.stored()["LastName"]) == (PESEL, "x")


def test_a_mark_that_the_service_leaves_out_is_read_of_the_client(
    bench: UserBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench(**NEW)
    usual = CommonFcd.record

    def record(self: CommonFcd, operation: str, **inputs: t.Any) -> dict[str, t.Any] | None:
        found = usual(self, operation, **inputs)
        return {**(found or {}), "is_default": None} if operation == "GetUser" else found

    monkeypatch.setattr(CommonFcd, "record", record)
    assert bench(**LOGIN, last_name="x")["changed"]
    assert "GetClientDefaultUserSimple" in bench.sent
    assert bench.stored()["IsDefault"] is False


def test_settings_that_cannot_be_read_are_never_lost(bench: UserBench) -> None:
    bench(**NEW, settings={"language_id": 1})
    bench.hide_member("User", "Language")
    bench.hide_member("User", "Is24HourClock")
    result = bench(**LOGIN, settings={"language_id": 2, "is_24_hour_clock": False})
    assert result["changed"]
    assert "settings.language_id" in bench.warnings[0]
    assert sorted(result["client_user"]["settings"]) == sorted(
        set(DEFAULT_SETTINGS) - {"language_id", "is_24_hour_clock"}
    )
    for check_mode in (True, False):
        with pytest.raises(
            errors.InvalidInput, match=r"settings.language_id, settings.is_24_hour_clock\. Give"
        ) as caught:
            bench(check_mode=check_mode, **LOGIN, settings={"time_zone_id": 3})
        assert '{"User.language_id": ...}' in str(caught.value)
        assert bench.writes == []
    bench(**LOGIN, settings={"time_zone_id": 3, "language_id": 2, "is_24_hour_clock": True})
    assert (bench.stored()["LanguageId"], bench.stored()["Is24HourClock"], bench.stored()["TimeZoneId"]) == (2, True, 3)


def test_an_object_without_a_number_in_it_cannot_be_read(bench: UserBench) -> None:
    bench(**NEW, settings={"time_zone_id": 2})
    bench.hide_member("TimeZone", "TimeZoneId")
    assert "time_zone_id" not in bench(**LOGIN)["client_user"]["settings"]
    with pytest.raises(errors.InvalidInput, match=r"settings\.time_zone_id"):
        bench(**LOGIN, settings={"language_id": 1})
    assert bench.stored()["TimeZoneId"] == 2


def test_what_a_new_user_does_not_take_is_set_afterwards(bench: UserBench) -> None:
    for name in ("PhoneNumber", "IsDefault"):
        bench.hide_member("User", name)
    bench.hide_member("UserResultItem", "PhoneNumber")
    data = bench.data
    for name in (("User", "Client"), ("UserResultItem", "ClientId")):
        bench.hide_member(*name)  # without the client, its default user cannot be asked for
    with pytest.raises(errors.InvalidInput, match="is_default"):
        bench(**NEW, phone_number="55")
    assert (bench.writes, bench.notes()) == ([], [])
    bench.data = data
    made = bench(**NEW, phone_number="55", is_default=True)
    assert bench.writes == ["CreateUserWithPrivileges", "UpdateUserInfoAndPrivileges"]
    assert (bench.stored()["PhoneNumber"], bench.stored()["IsDefault"], bench.stored()["Pesel"]) == ("55", True, PESEL)
    assert made["changed"]
    assert bench(**NEW, phone_number="66", is_default=True)["changed"]
    assert (bench.stored()["PhoneNumber"], bench.notes()) == ("66", [])


def test_settings_that_cannot_be_read_are_set_on_a_new_user(bench: UserBench) -> None:
    bench.hide_member("User", "Language")
    with pytest.raises(errors.InvalidInput, match=r"settings\.language_id"):
        bench(**NEW, settings={"time_zone_id": 3})
    assert bench.writes == []
    desired = {**NEW, "settings": {"language_id": 1}}
    assert bench(**desired)["changed"]
    assert bench.writes == ["CreateUserWithPrivileges", "UpdateUserSettings"]
    assert bench.stored()["LanguageId"] == 1


@pytest.mark.parametrize(
    ("problem", "word"),
    [(errors.Rejected("no", status=500), "not set"), (errors.Unclear("reset"), "not certainly set")],
)
def test_what_could_not_be_set_on_a_new_user_is_set_by_the_next_run(
    bench: UserBench, problem: Exception, word: str
) -> None:
    bench.hide_member("User", "Language")
    desired = {**NEW, "settings": {"language_id": 1}}
    bench.fail("UpdateUserSettings", problem)
    with pytest.raises(type(problem), match=f"{'billing.reader'!r} .ID 1001. was created, but {word}: settings"):
        bench(**desired)
    assert bench(check_mode=True, **desired)["changed"]
    assert bench(**desired)["changed"]
    assert (bench.writes, bench.stored()["LanguageId"], bench.notes()) == (["UpdateUserSettings"], 1, [])


@pytest.mark.parametrize("state", ["blocked", "unblocked"])
@pytest.mark.parametrize("check_mode", [True, False])
def test_nobody_is_blocked_blindly(bench: UserBench, state: str, check_mode: bool) -> None:
    bench.hide_member("User", "IsBlocked")
    bench.hide_member("UserResultItem", "IsBlocked")
    for params in (NEW, {"user_name": bench.second}, {"id": 2}):
        with pytest.raises(errors.InvalidInput, match="whether a user is blocked") as caught:
            bench(check_mode=check_mode, **params, state=state)
        assert "User.is_blocked" in str(caught.value)
        assert bench.writes == []
    assert bench(user_name=bench.second)["client_user"]["is_blocked"] is None


def test_the_row_of_a_search_tells_what_the_user_lacks(bench: UserBench) -> None:
    bench.hide_member("User", "IsBlocked")
    assert bench(user_name=bench.second, state="blocked")["changed"]
    assert not bench(user_name=bench.second, state="blocked")["changed"]


def test_a_new_user_is_not_put_into_another_client_by_mistake(bench: UserBench) -> None:
    bench.hide_member("User", "Client")
    with pytest.raises(errors.InvalidInput, match="User has no member that could be client_id"):
        bench(**NEW, client_id=101)
    assert bench.writes == []
    assert bench(**NEW)["client_user"]["client_id"] == 100


def test_members_are_named_by_hand(bench: UserBench) -> None:
    bench(**NEW)
    bench.connection["soap_member_map"] = {
        "User.phone_number": "AdSid",
        **dict.fromkeys(("User.user_name", "UserResultItem.user_name"), "Email"),
    }
    result = bench(user_name=NEW["email"], state="absent")
    assert result["changed"]


MISSING: list[tuple[str, str, dict[str, t.Any]]] = [
    ("Privilege", "Name", {"privileges": ["ManageUsers"], "privilege_type_id": 9071}),
    ("UserPrivilege", "PrivilegeId", {"privileges": ["3"]}),
]


@pytest.mark.parametrize(("kind", "member", "params"), MISSING)
def test_privileges_that_cannot_be_read(bench: UserBench, kind: str, member: str, params: dict[str, t.Any]) -> None:
    bench.hide_member(kind, member)
    if kind == "UserPrivilege":
        assert bench(user_name=bench.second, **params)["changed"]  # the number stands in the privilege inside
        bench.hide_member("UserPrivilege", "Privilege")
    with pytest.raises(errors.InvalidInput, match=f"{kind} has no member"):
        bench(user_name=bench.second, **params)
    assert bench.writes == []
