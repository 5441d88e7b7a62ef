# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Health checks at the sandbox."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.health_check_kinds import (
    ATTRIBUTES,
    CHECK_KINDS,
    UNREADABLE,
)

from .conftest import Account

SECRET = "odd-Ocelot-17"
SITE = {"name": "front page", "kind": "http", "address": "www.example.com"}
PHONES = {"name": "phones", "kind": "sip", "address": "sip.example.com", "sip_user_name": "watcher"}
NEEDED = {
    "address": "www.example.com",
    "port": 8443,
    "query_domain": "example.com",
    "fetch_page_elements": True,
    UNREADABLE: SECRET,
}
OTHER: dict[str, t.Any] = {
    "http_method": "head",
    "record_type": "MX",
    "notification_time": "after_5_minutes",
    "notification_types": ["sms", "1541"],
    "notification_event_types": ["failure"],
    "port": 99,
}
"""A value that no new check has; of other attributes it is made from what they are."""


def _value(option: str) -> t.Any:
    kinds = {"bool": option == "paused", "int": 11, "str": f"of-{option}"}
    return OTHER.get(option, kinds.get(ATTRIBUTES[option].type))


@pytest.mark.parametrize(("kind", "line"), [*((kind, "D2") for kind in CHECK_KINDS), ("http", "D1")])
def test_every_kind_is_created_changed_and_removed(account: Account, kind: str, line: str) -> None:
    """All attributes of a kind are sent, and shown as they were asked for."""
    account.settings(line=line)
    own = CHECK_KINDS[kind].attributes
    needed = {"name": kind, "kind": kind, **{option: NEEDED[option] for option in own if option in NEEDED}}
    foreseen = account.run("health_check", check_mode=True, **needed)
    made = account.run("health_check", **needed)
    assert (foreseen["action"], made["action"]) == ("create", "create")
    for option, value in foreseen["health_check"].items():
        assert made["health_check"][option] == value or value is None, option
    again = account.run("health_check", **needed)
    assert (again["changed"], again["health_check"]) == (False, made["health_check"])
    wish = {**needed, **{option: _value(option) for option in own if option != UNREADABLE}}
    changed = account.run("health_check", **wish)
    assert changed["action"] == "update"
    assert len(account.writes()) == 1
    assert account.run("health_check", **wish)["changed"] is False
    for option in set(own) - {UNREADABLE}:
        shown = changed["health_check"][option]
        assert shown == wish[option] or isinstance(shown, (dict, list))
    assert [one["id"] for one in changed["health_check"]["notification_types"]] == [1545, 1541]
    assert account.run("health_check", name=kind, state="absent")["action"] == "delete"
    assert account.run("health_check", name=kind, state="absent")["changed"] is False
    assert account.truth("health_checks") == []


def test_a_change_keeps_all_other_values(account: Account) -> None:
    wish = {**SITE, "port": 8080, "content": "welcome", "notification_types": ["email"], "notification_time": "never"}
    number = account.run("health_check", **wish)["health_check"]["id"]
    (before,) = account.truth("health_checks")
    foreseen = account.run("health_check", name=SITE["name"], paused=True, check_mode=True)
    assert account.writes() == []
    changed = account.run("health_check", name=SITE["name"], paused=True)
    assert account.writes() == [f"PUT /watch/healthchecks/http/{number}"]
    assert account.truth("health_checks") == [{**before, "Paused": True}]
    assert (foreseen["diff"]["before"], foreseen["diff"]["after"]["status"]) == (
        changed["diff"]["before"],
        "(known after apply)",
    )
    assert changed["health_check"]["status"]["id"] == 1436
    renamed = account.run("health_check", id=number, name="start page")
    assert renamed["health_check"]["name"] == "start page"
    assert account.truth("health_checks") == [{**before, "Paused": True, "Name": "start page"}]


def test_another_kind_is_an_error_or_another_check(account: Account) -> None:
    first = account.run("health_check", **SITE, content="welcome", interval=90)["health_check"]
    wish = {"name": SITE["name"], "kind": "https"}
    assert "recreate: true" in account.fails(errors.ImmutableChange, "health_check", **wish)
    assert "needs port" in account.fails(errors.InvalidInput, "health_check", **wish, recreate=True)
    wish.update(port=443, recreate=True)
    foreseen = account.run("health_check", **wish, check_mode=True)
    assert (foreseen["action"], foreseen["forced_by"], account.writes()) == ("replace", ["kind"], [])
    replaced = account.run("health_check", **wish)["health_check"]
    assert replaced["id"] != first["id"]
    same = ("address", "interval", "content")
    assert [replaced[option] for option in same] == [first[option] for option in same]
    assert account.run("health_check", **wish)["changed"] is False
    assert len(account.truth("health_checks")) == 1


@pytest.mark.parametrize(
    ("params", "wrong"),
    [
        ({"record_type": "A"}, "record_type: a health check of the kind http does not have this."),
        ({"port": 65536}, "port: 65536 is not within 0 and 65535."),
        ({"http_method": "GTE"}, "Did you mean 'GET'"),
        ({"notification_types": ["emial"]}, "Did you mean 'email'"),
        ({"address": " "}, "address: the text is empty."),
        ({"address": "a b"}, "address: 'a b' has blanks in it."),
        ({"address": "https://www.example.com/"}, "address: 'https://www.example.com/' is a URL."),
        ({"interval": -1}, "interval: -1 is less than 0."),
        ({"name": "50%"}, "%"),
        ({"update_password": "always"}, "requires sip_password"),
    ],
)
@pytest.mark.parametrize("check_mode", [False, True])
def test_bad_input_is_refused_before_anything_is_sent(
    account: Account, params: dict[str, t.Any], wrong: str, check_mode: bool
) -> None:
    assert wrong in account.fails(errors.InvalidInput, "health_check", **{**SITE, **params}, check_mode=check_mode)
    assert account.sent() == []


def test_an_address_that_an_earlier_task_does_not_know_yet_is_no_mistake(account: Account) -> None:
    later = "(known after apply: web)"
    assert account.run("health_check", **{**SITE, "address": later}, check_mode=True)["action"] == "create"
    notified = account.run("health_check_notification", address=later, type="email", check_mode=True)
    assert notified["action"] == "create"


def test_what_a_new_check_lacks(account: Account) -> None:
    assert "missing to create it: kind" in account.fails(errors.InvalidInput, "health_check", name="front")
    said = account.fails(errors.InvalidInput, "health_check", name="front", kind="full_page")
    assert "needs address, fetch_page_elements" in said
    account.run("health_check", **SITE)
    said = account.fails(errors.InvalidInput, "health_check", name=SITE["name"], query_domain="example.com")
    assert "the kind http does not have this" in said


@pytest.mark.parametrize("shown", ["masked", "null", "plain"])
def test_a_password_is_sent_and_never_shown(account: Account, shown: str) -> None:
    account.settings(sip_password=shown)
    results = [account.run("health_check", **PHONES, sip_password=SECRET)]
    assert account.run("health_check", **PHONES, sip_password=f"{SECRET}!")["changed"] is False
    results.append(account.run("health_check", **PHONES, sip_password=SECRET, paused=True))
    results.append(account.run("health_check", **PHONES, sip_password=SECRET, update_password="always"))
    results.append(account.run("health_check_info"))
    assert [one["changed"] for one in results] == [True, True, True, False]
    assert results[2]["diff"]["after"][UNREADABLE] == "(hidden, changed)"
    assert SECRET not in json.dumps(results)
    assert "sip_password" not in results[0]["health_check"]


def test_a_change_without_the_password_would_lose_it(account: Account) -> None:
    account.run("health_check", **PHONES, sip_password=SECRET)
    for check_mode in (True, False):
        said = account.fails(errors.InvalidInput, "health_check", name="phones", paused=True, check_mode=check_mode)
        assert "does not return sip_password" in said
        assert account.writes() == []
    assert account.run("health_check", name="phones", state="absent")["action"] == "delete"


def test_what_the_service_does_not_return_is_not_lost(account: Account) -> None:
    account.run("health_check", **SITE)
    account.settings(null_members=["health_check_http.NotificationTime", "health_check_http.Timeout"])
    assert account.run("health_check", **SITE, notification_time="immediately")["changed"] is False
    said = account.fails(errors.InvalidInput, "health_check", **SITE, paused=True)
    assert "does not return notification_time, timeout" in said
    assert account.writes() == []


def test_a_check_of_an_unknown_kind_is_read_and_removed(account: Account) -> None:
    number = account.run("health_check", **SITE)["health_check"]["id"]
    account.settings(null_members=["health_check.ServiceType"])
    (read,) = account.run("health_check_info", id=number)["health_checks"]
    assert (read["name"], read["kind"], "port" in read) == (SITE["name"], None, False)
    said = account.fails(errors.InvalidInput, "health_check", name=SITE["name"], paused=True)
    assert "The kind of health check 'front page' is not known" in said
    assert account.run("health_check", name=SITE["name"], state="absent")["action"] == "delete"


def test_checks_are_read(account: Account) -> None:
    made = [account.run("health_check", **{**SITE, "name": name})["health_check"] for name in ("a", "b")]
    every = account.run("health_check_info")["health_checks"]
    assert sorted(every, key=lambda one: one["id"]) == made
    assert account.run("health_check_info", name="b*")["health_checks"] == made[1:]
    assert account.run("health_check_info", id=made[0]["id"])["health_checks"] == made[:1]
    assert account.run("health_check_info", id=5) == {"changed": False, "health_checks": [], "missing": [5]}


def test_a_list_that_lags_shows_neither_old_names_nor_removed_checks(account: Account) -> None:
    first = account.run("health_check", **SITE)["health_check"]["id"]
    account.settings(list_lag=60.0)
    account.api.change_health_check("http", first, _body("start page"))
    assert account.run("health_check", **SITE, check_mode=True)["action"] == "create"
    account.api.delete_health_check(first)
    assert account.run("health_check_info")["health_checks"] == []


def _body(name: str) -> dict[str, t.Any]:
    return {
        "Name": name,
        "Address": "www.example.com",
        "Interval": 60,
        "Paused": False,
        "LocationsFailoverEnabled": True,
        "NotificationTimeId": 1594,
        "ErrorTolerance": 51,
        "HttpMethodId": 1440,
        "Port": 80,
        "Timeout": 7000,
    }


def test_host_names_are_compared_without_letter_case(account: Account) -> None:
    account.run("health_check", name="c", kind="dns", address="ns.example.com", query_domain="example.com")
    again = account.run("health_check", name="c", address="NS.Example.com", query_domain="Example.COM.")
    assert (again["changed"], account.writes()) == (False, [])
    account.run("health_check", name="c", address="www.example.com/status")
    assert account.run("health_check", name="c", address="WWW.example.com/Status")["changed"] is True
