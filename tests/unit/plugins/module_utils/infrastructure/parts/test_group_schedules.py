# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules and autoscalers of groups at the sandbox."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

NIGHTLY: dict[str, t.Any] = {
    "name": "nightly",
    "group": "shop",
    "instance": "web",
    "action": "stop",
    "every": "1 day",
    "at": "22:00",
    "timezone": "Europe/Warsaw",
}


@pytest.fixture
def group(account: Account) -> int:
    """A group without instances, beside two instances."""
    for name in ("web", "db"):
        account.instance(name)
    number: int = account.run("instance_group", name="shop")["instance_group"]["id"]
    return number


@pytest.mark.parametrize("settings", [{}, {"line": "D1", "deleted_schedules_stay": False}])
def test_a_schedule_is_made_changed_and_removed(account: Account, group: int, settings: dict[str, t.Any]) -> None:
    account.settings(**settings)
    assert account.run("group_schedule", **NIGHTLY, check_mode=True)["action"] == "create"
    assert account.writes() == []
    made = account.run("group_schedule", **NIGHTLY)
    record = made["group_schedule"]
    assert (made["action"], account.writes()) == ("create", [f"POST /groups/{group}/schedulers"])
    assert (record["group"]["id"], record["instance"]["label"], record["action"]) == (group, "web", "stop")
    again = account.run("group_schedule", **NIGHTLY)
    assert (again["changed"], account.writes()) == (False, [])
    other = {**NIGHTLY, "instance": "db", "action": "remove", "every": "1 week", "at": "friday 18:00"}
    changed = account.run("group_schedule", **other)
    assert (changed["action"], account.writes()) == ("update", [f"PUT /groups/schedulers/{record['id']}"])
    assert changed["group_schedule"]["instance"]["label"] == "db"
    assert account.run("group_schedule", **other)["changed"] is False
    assert len(account.run("group_schedule_info")["group_schedules"]) == 1
    assert account.run("group_schedule_info", group="shop", name="night*")["group_schedules"][0]["action"] == "remove"
    account.run("instance_group", name="second")
    said = account.fails(errors.ImmutableChange, "group_schedule", id=record["id"], group="second")
    assert "group is shop" in said or f"group is {group}" in said
    gone = {"name": "nightly", "group": "shop", "state": "absent"}
    assert account.run("group_schedule", **gone)["action"] == "delete"
    assert account.run("group_schedule", **gone)["changed"] is False
    assert account.run("group_schedule_info", id=record["id"])["missing"] == [record["id"]]
    account.run("instance_group", name="shop", state="absent")
    assert account.run("group_schedule", **gone)["changed"] is False


def test_what_is_not_there_is_told(account: Account, group: int) -> None:
    said = account.fails(errors.InvalidInput, "group_schedule", **{**NIGHTLY, "group": "shp"})
    assert said.startswith("group: there is no group 'shp'.")
    said = account.fails(errors.InvalidInput, "group_schedule", **{**NIGHTLY, "instance": "wob"})
    assert said.startswith("instance: there is no instance 'wob'.")
    said = account.fails(errors.InvalidInput, "group_schedule", name="x", group="nowhere", action="start")
    assert "missing to create it: instance, every, at, timezone." in said
    assert account.truth("group_schedules") == []


def test_a_change_asks_for_another_instance_if_its_own_is_gone(account: Account, group: int) -> None:
    number = account.run("group_schedule", **NIGHTLY)["group_schedule"]["id"]
    account.run("instance", name="web", state="absent")
    for check_mode in (True, False):
        said = account.fails(errors.InvalidInput, "group_schedule", check_mode=check_mode, id=number, at="23:00")
        assert "which no longer exists. Give instance too." in said
        assert account.writes() == []
    assert account.run("group_schedule", id=number, at="23:00", instance="db")["action"] == "update"


# ---------------------------------------------------------------- autoscalers

SCALED: dict[str, t.Any] = {
    "group": "shop",
    "expansion": "add_existing",
    "min_instances": 1,
    "max_instances": 2,
    "instances": ["web", "db"],
}


@pytest.mark.parametrize("without", [None, 403, 404])
def test_an_autoscaler_is_set_changed_and_removed(account: Account, group: int, without: int | None) -> None:
    account.settings(without_balancer=without)
    path = f"/groups/{group}/autoscaler"
    assert account.run("group_autoscaler", **SCALED, check_mode=True)["group_autoscaler"]["id"] == group
    assert account.writes() == []
    made = account.run("group_autoscaler", **SCALED)
    assert (made["action"], account.writes()) == ("create", [f"POST {path}"])
    assert [one["label"] for one in made["group_autoscaler"]["instances"]] == ["web", "db"]
    again = account.run("group_autoscaler", **SCALED)
    assert (again["changed"], account.writes()) == (False, [])
    other = account.run("group_autoscaler", group="shop", instances=["db", "web"])
    assert (other["action"], account.writes()) == ("replace", [f"DELETE {path}", f"POST {path}"])
    assert other["forced_by"] == ["instances"]
    assert (other["group_autoscaler"]["max_instances"], other["diff"]["before"]) == (2, made["group_autoscaler"])
    account.run("instance_group", name="second")
    for chosen in ({}, {"id": group}, {"name": "shop"}, {"name": "sh*"}):
        assert account.run("group_autoscaler_info", **chosen)["group_autoscalers"] == [other["group_autoscaler"]]
    off = {"group": "shop", "state": "absent"}
    assert account.run("group_autoscaler", **off)["action"] == "delete"
    assert account.run("group_autoscaler", **off)["changed"] is False
    assert account.run("group_autoscaler_info", id=group)["missing"] == [group]
    assert account.run("group_autoscaler_info", name="shop")["group_autoscalers"] == []
    account.run("instance_group", name="shop", state="absent")
    assert account.run("group_autoscaler", **off)["changed"] is False
    assert account.run("group_autoscaler_info", id=group)["missing"] == [group]


def test_nothing_is_removed_for_an_instance_that_is_gone(account: Account, group: int) -> None:
    account.run("group_autoscaler", **SCALED)
    account.run("instance", name="web", state="absent")
    for check_mode in (True, False):
        said = account.fails(
            errors.InvalidInput, "group_autoscaler", check_mode=check_mode, group="shop", max_instances=3
        )
        assert said.endswith("which no longer exists. Give instances too.")
        assert account.writes() == []
    assert account.run("group_autoscaler", group="shop", max_instances=3, instances=["db"])["action"] == "replace"


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"min_instances": 3}, "min_instances: 3 is more than max_instances, which is 2."),
        ({"max_instances": 0}, "max_instances: 0 is not between 1 and 2147483647."),
        ({"instances": []}, "instances: give the name or the ID of at least one instance."),
        ({"instances": ["wob"]}, "instances: there is no instance 'wob'."),
    ],
)
def test_bad_limits_are_not_sent(account: Account, group: int, params: dict[str, t.Any], says: str) -> None:
    for check_mode in (True, False):
        said = account.fails(errors.InvalidInput, "group_autoscaler", check_mode=check_mode, **{**SCALED, **params})
        assert said.startswith(says)
        assert account.writes() == []
