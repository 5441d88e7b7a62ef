# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A user from its create to its end."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.soap.state import digest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import PASSWORD

from .conftest import LOGIN, NEW, OTHER_PASSWORD, OTHER_PESEL, PESEL, USER_PASSWORD, UserBench

DEFAULT_SETTINGS = {
    "availability_zone": 0,
    "date_format_id": 177,
    "is_24_hour_clock": False,
    "is_marketing_information_subscriber": False,
    "is_technical_announcement_subscriber": False,
    "language_id": 2,
    "time_zone_id": 1,
}
SHOWN = {
    "id": 1001,
    "user_name": "billing.reader",
    "sid": "S-1-5-21-1004336348-1177238915-682003330-1001",
    "client_id": 100,
    "first_name": "Billing",
    "last_name": "Reader",
    "email": "billing.reader@example.com",
    "phone_number": None,
    "is_default": False,
    "is_blocked": False,
    "privileges": None,
    "settings": DEFAULT_SETTINGS,
}


def test_a_create_returns_the_user_and_a_second_run_changes_nothing(bench: UserBench) -> None:
    made = bench(**NEW)
    assert (made["changed"], made["action"], made["client_user"]) == (True, "create", SHOWN)
    assert bench.writes == ["CreateUserWithPrivileges"]
    row = bench.stored()
    assert (row["Pesel"], row["Privileges"], bench.state.passwords[1001]) == (PESEL, [], digest(USER_PASSWORD))
    again = bench(**{**NEW, "user_password": OTHER_PASSWORD})
    assert (again["changed"], again["client_user"], bench.sent) == (False, SHOWN, ["GetUsers", "GetUser"])
    assert again["diff"]["before"] == again["diff"]["after"]
    assert bench.notes() == []


def test_everything_at_once(bench: UserBench) -> None:
    desired = {
        **NEW,
        "phone_number": "+48225550000",
        "is_default": True,
        "privileges": ["5", "ManageUsers", "managebilling", "3"],
        "privilege_type_id": 9071,
        "settings": {**DEFAULT_SETTINGS, "is_24_hour_clock": True, "time_zone_id": 2, "language_id": 1},
        "state": "blocked",
    }
    made = bench(**desired)
    assert bench.writes == ["CreateUserWithPrivileges", "BlockUser", "UpdateUserSettings"]
    assert made["client_user"] == {
        **SHOWN,
        "phone_number": "+48225550000",
        "is_default": True,
        "is_blocked": True,
        "privileges": [3, 4, 5],
        "privilege_names": ["ManageUsers", "ManageBilling", "ReadReports"],
        "settings": desired["settings"],
    }
    assert not bench(**desired)["changed"]
    assert bench.sent == ["GetPrivileges", "GetUsers", "GetUser", "GetUserPrivileges"]


CHANGES: list[tuple[dict[str, t.Any], list[str]]] = [
    ({"first_name": "Bill"}, ["UpdateUserInfoAndPrivileges"]),
    ({"email": "other@example.com"}, ["UpdateUserInfoAndPrivileges"]),
    ({"email": "Billing.Reader@example.com"}, ["UpdateUserInfoAndPrivileges"]),
    ({"phone_number": "123"}, ["UpdateUserInfoAndPrivileges"]),
    ({"pesel": OTHER_PESEL}, ["UpdateUserInfoAndPrivileges"]),
    ({"pesel": ""}, ["UpdateUserInfoAndPrivileges"]),
    ({"is_default": True}, ["UpdateUserInfoAndPrivileges"]),
    ({"privileges": ["1", "2"]}, ["UpdateUserInfoAndPrivileges"]),
    ({"settings": {"language_id": 1}}, ["UpdateUserSettings"]),
    ({"state": "blocked"}, ["BlockUser"]),
    (
        {"state": "blocked", "last_name": "R", "settings": {"time_zone_id": 3}},
        ["BlockUser", "UpdateUserInfoAndPrivileges", "UpdateUserSettings"],
    ),
    ({"state": "absent"}, ["DeleteUsers"]),
]


@pytest.mark.parametrize(("change", "writes"), CHANGES, ids=lambda value: str(value)[:60])
def test_check_mode_foresees_what_a_run_does_and_the_next_run_has_nothing_to_do(
    bench: UserBench, change: dict[str, t.Any], writes: list[str]
) -> None:
    bench(**NEW)
    foreseen = bench(check_mode=True, **LOGIN, **change)
    assert bench.writes == []
    done = bench(**LOGIN, **change)
    assert bench.writes == writes
    assert {name: foreseen[name] for name in ("changed", "action", "diff")} == {
        name: done[name] for name in ("changed", "action", "diff")
    }
    assert foreseen["client_user"] == done["client_user"]
    assert done["changed"]
    assert done["diff"]["before"] != done["diff"]["after"]
    assert not bench(**LOGIN, **change)["changed"]


def test_check_mode_foresees_a_create(bench: UserBench) -> None:
    foreseen = bench(check_mode=True, **NEW, state="blocked", privileges=["4"])
    assert bench.writes == []
    assert foreseen["client_user"] == {
        **{name: NEW.get(name) for name in SHOWN},
        "id": None,
        "is_blocked": True,
        "privileges": [4],
        "settings": {},
    }
    after = foreseen["diff"]["after"]
    assert (after["id"], after["pesel"], after["user_password"]) == ("(known after apply)", "(hidden)", "(hidden)")


def test_an_update_sends_every_field_and_what_was_not_given_stays(bench: UserBench) -> None:
    bench(**NEW, phone_number="55", is_default=True, privileges=["2", "4"])
    bench(**LOGIN, last_name="Writer")
    read = ["GetUsers", "GetUser"]
    assert bench.sent == [*read, *read, "GetUserPrivileges", "UpdateUserInfoAndPrivileges", "GetUser"]
    row = bench.stored()
    assert {name: row[name] for name in ("FirstName", "LastName", "Email", "PhoneNumber", "Pesel")} == {
        "FirstName": "Billing",
        "LastName": "Writer",
        "Email": "billing.reader@example.com",
        "PhoneNumber": "55",
        "Pesel": PESEL,
    }
    assert (row["IsDefault"], row["Privileges"]) == (True, [2, 4])


def test_settings_are_merged(bench: UserBench) -> None:
    bench(**NEW, settings={"time_zone_id": 3, "is_24_hour_clock": True, "date_format_id": 179})
    done = bench(**LOGIN, settings={"language_id": 1, "time_zone_id": None})
    expected = {**DEFAULT_SETTINGS, "time_zone_id": 3, "is_24_hour_clock": True, "date_format_id": 179}
    assert done["diff"]["before"]["settings"] == expected
    assert done["client_user"]["settings"] == {**expected, "language_id": 1}
    assert not bench(**LOGIN, settings={})["changed"]


def test_an_empty_text_is_as_good_as_none(bench: UserBench) -> None:
    bench(**{**NEW, "pesel": None})
    assert not bench(**LOGIN, phone_number="", pesel="")["changed"]


def test_the_names_of_privileges_are_shown(bench: UserBench) -> None:
    bench(**NEW, privileges=["4"])
    told = bench(**LOGIN, privileges=["4", "ManageUsers"], privilege_type_id=9071)
    numbers, names = (told["client_user"][one] for one in ("privileges", "privilege_names"))
    assert len(numbers) == len(names) == 2 and names[numbers.index(4)] != "ManageUsers" and "ManageUsers" in names
    shown = [f"{name} ({number})" for name, number in zip(names, numbers)]
    assert told["diff"]["after"]["privileges"] == shown
    assert told["diff"]["before"]["privileges"] == [one for one in shown if one.endswith("(4)")]
    assert "privilege_names" not in bench(**LOGIN, privileges=["4"])["client_user"]  # no type, no list


def test_privileges_are_a_set(bench: UserBench) -> None:
    bench(**NEW, privileges=["2", "1", "1"])
    for same in (["1", "2"], ["ManageNetworks", "1"], ["2", "1", "2"]):
        assert not bench(**LOGIN, privileges=same, privilege_type_id=9071)["changed"]
    assert bench(check_mode=True, **LOGIN, privileges=["8", "1"])["client_user"]["privileges"] == [1, 8]
    assert bench(**LOGIN, privileges=[])["client_user"]["privileges"] == []
    assert bench.stored()["Privileges"] == []


@pytest.mark.parametrize(
    ("privileges", "kind", "words"),
    [
        (
            ["ManageUser"],
            9071,
            "there is no 'ManageUser' among the privileges of type 9071. Did you mean 'ManageUsers'",
        ),
        (["UseStorage"], 9071, "there is no 'UseStorage' among"),
        (
            ["UseStorage", "1"],
            None,
            "names require privilege_type_id: 'UseStorage'. .*catalogue_info with dictionary: privilege_types lists",
        ),
        (
            ["UseStorage", "1"],
            1,
            r"no privileges of type 1, so none of these names: 'UseStorage'\. Check privilege_type_",
        ),
    ],
)
def test_a_wrong_privilege_is_told(bench: UserBench, privileges: list[str], kind: int | None, words: str) -> None:
    with pytest.raises(errors.InvalidInput, match=words):
        bench(**NEW, privileges=privileges, privilege_type_id=kind)
    assert bench.writes == []


def test_states(bench: UserBench) -> None:
    assert bench(**NEW, state="unblocked")["client_user"]["is_blocked"] is False
    assert bench.writes == ["CreateUserWithPrivileges"]
    assert bench(**LOGIN, state="blocked")["diff"]["after"]["is_blocked"] is True
    assert not bench(**LOGIN, state="blocked")["changed"]
    assert not bench(**LOGIN, state="present")["changed"]
    assert bench.stored()["IsBlocked"]
    assert bench(**LOGIN, state="unblocked", last_name="R")["changed"]
    assert bench.writes == ["UpdateUserInfoAndPrivileges", "UnblockUser"]
    assert not bench(**LOGIN, state="unblocked")["changed"]
    assert bench(**LOGIN, state="absent")["client_user"] is None
    assert not bench(**LOGIN, state="absent")["changed"]
    assert bench.sent == ["GetUsers", "IsUserNameAlreadyTaken", "GetUser", "GetUsers"]


def test_a_password_is_set_each_time_when_it_is_to_be(bench: UserBench) -> None:
    bench(**NEW, update_password="always")
    assert bench.writes == ["CreateUserWithPrivileges"]
    for check_mode in (True, False):
        result = bench(check_mode=check_mode, **LOGIN, user_password=OTHER_PASSWORD, update_password="always")
        assert (result["changed"], result["diff"]["after"]["user_password"]) == (True, "(hidden, changed)")
        assert "user_password" not in result["diff"]["before"]
    assert bench.writes == ["SetUserPassword"]
    assert bench.state.passwords[1001] == digest(OTHER_PASSWORD)
    assert not bench(**LOGIN, user_password=USER_PASSWORD)["changed"]
    with pytest.raises(errors.InvalidInput, match="update_password: always requires user_password"):
        bench(**LOGIN, update_password="always")
    assert bench(**LOGIN, update_password="always", state="absent")["changed"]


def test_by_number(bench: UserBench) -> None:
    bench(**NEW)
    assert bench(id=1001, first_name="B")["client_user"]["first_name"] == "B"
    assert not bench(id=1001, **LOGIN)["changed"]
    assert bench.sent == ["GetUser"]
    with pytest.raises(errors.ImmutableChange, match=r"user_name is 'billing.reader', wanted 'other'"):
        bench(id=1001, user_name="other")
    with pytest.raises(errors.ImmutableChange, match="client_id is 100, wanted 101"):
        bench(id=1001, client_id=101)
    assert bench(id=1001, state="absent")["diff"]["before"]["pesel"] == "(hidden)"
    for missing_reads in ("nil", "fault"):
        bench.service.settings["missing_reads"] = missing_reads
        assert not bench(id=1001, state="absent")["changed"]
        with pytest.raises(errors.InvalidInput, match="no user with the ID 1001"):
            bench(id=1001, first_name="B")
        assert bench.writes == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_what_a_new_user_lacks_is_told_at_once(bench: UserBench, check_mode: bool) -> None:
    with pytest.raises(errors.InvalidInput, match="required as well: user_password, first_name, email") as caught:
        bench(check_mode=check_mode, **LOGIN, last_name="x")
    assert caught.value.message.startswith(
        "There is no user 'billing.reader'; to create one, these options are required as well: "
    )
    assert "\n" not in str(caught.value)
    assert (bench.writes, bench.notes()) == ([], [])


@pytest.mark.parametrize("check_mode", [True, False])
def test_what_is_taken_is_told_before_a_create(bench: UserBench, check_mode: bool) -> None:
    bench(**NEW)
    with pytest.raises(errors.InvalidInput) as caught:
        bench(check_mode=check_mode, **{**NEW, "user_name": "BILLING.reader", "email": "Billing.reader@example.com"})
    assert caught.value.details["taken"] == ["user_name", "email", "pesel"]
    assert "'BILLING.reader' and email 'Billing.reader@example.com' and pesel." in str(caught.value)
    assert (bench.writes, bench.notes()) == ([], [])


@pytest.mark.parametrize("check_mode", [True, False])
def test_what_is_taken_is_told_before_an_update_for_new_values_only(bench: UserBench, check_mode: bool) -> None:
    bench(**NEW)
    bench(**{**NEW, "user_name": "second", "email": "second@example.com", "pesel": OTHER_PESEL})
    for change, taken in (({"email": NEW["email"]}, ["email"]), ({"pesel": PESEL}, ["pesel"])):
        with pytest.raises(errors.InvalidInput) as caught:
            bench(check_mode=check_mode, user_name="second", **change)
        assert caught.value.details["taken"] == taken
        assert bench.writes == []
    bench(check_mode=check_mode, user_name="second", email="second@example.com", pesel=OTHER_PESEL, last_name="x")
    assert not [name for name in bench.sent if name.startswith("Is")]


def test_a_user_of_another_client(bench: UserBench) -> None:
    made = bench(**NEW, client_id=101)
    assert made["client_user"]["client_id"] == 101
    assert "<n2:Client>" in bench.bodies[bench.sent.index("CreateUserWithPrivileges")].replace("n1:", "n2:")
    assert not bench(**NEW, client_id=101)["changed"]
    assert not bench(**NEW)["changed"]
    with pytest.raises(errors.InvalidInput, match="Taken by another user"):
        bench(**NEW, client_id=102)
    assert not bench(**LOGIN, client_id=102, state="absent")["changed"]
    assert "belongs to a user that no search returns" in bench.warnings[0]


def test_logins_are_compared_exactly(bench: UserBench) -> None:
    bench(**{**NEW, "user_name": "billing.reader.two"})
    assert not bench(**LOGIN, state="absent")["changed"]
    assert not bench(user_name="BILLING.READER.TWO", state="absent")["changed"]
    assert len(bench.all_stored("billing.reader.two")) == 1


def test_two_users_with_one_login(bench: UserBench) -> None:
    bench(**NEW)
    bench.state.users[1002] = {**bench.stored(), "UserId": 1002}
    with pytest.raises(errors.Ambiguous, match="1001, 1002") as caught:
        bench(**LOGIN, state="absent")
    assert caught.value.details["ids"] == [1001, 1002]


def test_no_secret_is_in_what_the_service_says(bench: UserBench) -> None:
    words = f"bad {USER_PASSWORD} and {PESEL} of {PASSWORD}"
    for operation in ("CreateUserWithPrivileges", "GetUsers"):
        bench.service.settings["faults"] = [{"operation": operation, "error_code": 9, "message": words, "times": 0}]
        with pytest.raises(errors.Rejected, match=r"bad \*+ and \*+ of \*+ .error code 9"):
            bench(**NEW)
    bench.service.settings["faults"] = []
    bench(**NEW)
    bench.service.settings["faults"] = [{"operation": "UpdateUser", "error_code": 9, "message": words}]
    with pytest.raises(errors.Rejected, match=r"and \*+ of \*+ .error code 9"):
        bench(**LOGIN, last_name="x", user_password=USER_PASSWORD)
    bench.service.settings["faults"] = [{"operation": "GetUserPriv", "error_code": 9, "message": words}]
    with pytest.raises(errors.Rejected, match=r"and \*+ of \*+ .error code 9"):
        bench(**LOGIN, privileges=["1"], user_password=USER_PASSWORD)  # the national id is known from reading only


def test_what_is_no_email_address_is_not_sent(bench: UserBench) -> None:
    for wrong in ("not-a-mail", "@example.com", "a b@example.com"):
        with pytest.raises(errors.InvalidInput, match=f"email: {wrong!r} is not an e-mail address"):
            bench(**{**NEW, "email": wrong})
    assert bench.sent == []


def test_an_empty_password_is_refused_but_for_a_removal(bench: UserBench) -> None:
    bench(**NEW)
    with pytest.raises(errors.InvalidInput, match=r"^user_password is empty"):
        bench(**LOGIN, user_password="")
    assert bench(**LOGIN, user_password="", state="absent")["changed"]
    assert not bench(**LOGIN, user_password="", state="absent")["changed"]
