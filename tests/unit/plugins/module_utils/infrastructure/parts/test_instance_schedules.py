# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules of instances at the sandbox."""

from __future__ import annotations

import datetime as dt
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

NIGHTLY: dict[str, t.Any] = {
    "name": "nightly",
    "instance": "web",
    "action": "stop",
    "every": "1 day",
    "at": "22:00",
    "timezone": "Europe/Warsaw",
}
SNAPSHOT: dict[str, t.Any] = {**NIGHTLY, "action": "create_snapshot", "snapshot_name": "before the night"}


@pytest.mark.parametrize("settings", [{}, {"line": "D1"}, {"start_is_wall_clock": False, "starts_in_the_past": True}])
def test_a_schedule_is_made_changed_and_removed(account: Account, settings: dict[str, t.Any]) -> None:
    number = account.instance("web")
    account.settings(**settings)
    foreseen = account.run("instance_schedule", **NIGHTLY, check_mode=True)
    assert (foreseen["action"], account.writes()) == ("create", [])
    made = account.run("instance_schedule", **NIGHTLY)
    record = made["instance_schedule"]
    assert (made["action"], account.writes()) == ("create", [f"POST /instances/{number}/schedulers"])
    assert {name: record[name] for name in ("action", "every", "timezone")} == {
        name: NIGHTLY[name] for name in ("action", "every", "timezone")
    }
    assert record["at"].endswith(" 22:00")
    assert record["instance"] == {"id": number, "label": "web"}
    assert account.run("instance_schedule", **NIGHTLY)["changed"] is False
    assert account.writes() == []
    later = {**NIGHTLY, "every": "2 weeks", "at": "sunday 03:30"}
    account.run("instance_schedule", **later, check_mode=True)
    changed = account.run("instance_schedule", **later)
    assert changed["action"] == "update"
    assert account.writes() == [f"PUT /instances/schedulers/{record['id']}"]
    assert changed["diff"]["before"] == record
    assert changed["instance_schedule"]["every"] == "2 weeks"
    assert dt.date.fromisoformat(changed["instance_schedule"]["at"][:10]).weekday() == 6
    assert account.run("instance_schedule", **later)["changed"] is False
    gone = {"name": "nightly", "instance": "web", "state": "absent"}
    assert account.run("instance_schedule", **gone)["action"] == "delete"
    assert account.run("instance_schedule", **gone)["changed"] is False
    assert account.run("instance_schedule", id=record["id"], state="absent")["changed"] is False
    assert account.run("instance_schedule_info")["instance_schedules"] == []
    assert account.run("instance_schedule_info", id=record["id"])["missing"] == [record["id"]]


def test_each_action_has_its_options(account: Account) -> None:
    account.instance("web")
    account.run("snapshot", name="old", instance="web")
    project = "0b7f3f64c1d84c6e9d5a"  # of the seed
    actions: list[dict[str, t.Any]] = [
        {"action": "start"},
        {"action": "create_snapshot", "snapshot_name": "at night", "snapshot_description": "each night"},
        {"action": "delete_snapshot", "snapshot": "old"},
        {"action": "clone", "clone_name": "web copy"},
        {"action": "change_type", "instance_type": "v1.standard-4.4"},
        {"action": "backup", "storage_project": project, "storage_path": "backups/web", "keep_days": 7},
        {"action": "backup", "storage_project": project, "storage_path": "backups/web", "keep_days": 0},
    ]
    for options in actions:
        wish = {**NIGHTLY, **options}
        done = account.run("instance_schedule", **wish)
        assert done["changed"] is True
        shown = {name: done["instance_schedule"][name] for name in options}
        named = {"snapshot": "id", "instance_type": "label"}
        for name, value in shown.items():
            assert value[named[name]] if name in named else value == (options[name] or None), name
        assert account.run("instance_schedule", **wish)["changed"] is False
    named = {**NIGHTLY, "action": "backup", "storage_project": "backups", "storage_path": "backups/web"}
    assert account.run("instance_schedule", **named)["changed"] is False
    said = account.fails(errors.InvalidInput, "instance_schedule", **{**named, "storage_project": "backup"})
    assert said == "storage_project: there is no project 'backup' in the object storage. Did you mean 'backups'?"
    (left,) = account.truth("instance_schedules")
    assert (left["SnapshotName"], left["CloneName"], left["IsBackupsDaysLimit"]) == (None, None, False)


def test_a_change_asks_for_another_snapshot_if_its_own_is_gone(account: Account) -> None:
    account.instance("web")
    for name in ("old", "older"):
        account.run("snapshot", name=name, instance="web")
    wish = {**NIGHTLY, "action": "delete_snapshot", "snapshot": "old"}
    number = account.run("instance_schedule", **wish)["instance_schedule"]["id"]
    account.run("snapshot", name="old", instance="web", state="absent")
    said = account.fails(errors.InvalidInput, "instance_schedule", id=number, at="23:00")
    assert "which no longer exists. Give snapshot too." in said
    assert account.writes() == []
    assert account.run("instance_schedule", id=number, at="23:00", snapshot="older")["action"] == "update"


def test_names_are_those_of_one_instance(account: Account) -> None:
    for name in ("web", "db"):
        account.instance(name)
        assert account.run("instance_schedule", **{**NIGHTLY, "instance": name})["action"] == "create"
    assert len(account.run("instance_schedule_info")["instance_schedules"]) == 2
    (found,) = account.run("instance_schedule_info", instance="db", name="night*")["instance_schedules"]
    assert found["instance"]["label"] == "db"
    said = account.fails(errors.ImmutableChange, "instance_schedule", id=found["id"], instance="web")
    assert "instance is db" in said
    assert account.writes() == []
    account.run("instance", name="db", state="absent", force_stop=True)
    assert account.run("instance_schedule", name="nightly", instance="db", state="absent")["changed"] is False


def test_what_a_put_does_not_change_stays(account: Account) -> None:
    account.instance("web")
    number = account.run("instance_schedule", **SNAPSHOT)["instance_schedule"]["id"]
    done = account.run("instance_schedule", id=number, name="late", snapshot_description="of the night")
    record = done["instance_schedule"]
    assert (record["name"], record["snapshot_name"], record["every"]) == ("late", "before the night", "1 day")
    assert account.run("instance_schedule", id=number, action="stop")["instance_schedule"]["snapshot_name"] is None


def test_a_start_that_is_over_is_never_sent(account: Account) -> None:
    """A cyclic schedule keeps its days; one that has run stays as it is, and cannot be changed without a later time."""
    web = account.instance("web")
    account.settings(starts_in_the_past=True)
    once = {**NIGHTLY, "name": "once", "every": "once"}
    start = dt.datetime(2020, 1, 6, 22, tzinfo=dt.timezone(dt.timedelta(hours=1)))  # a Monday
    body = {"Name": "biweekly", "ActionTypeId": 70, "TypeId": 64, "CycleTypeId": 67, "CycleNumber": 2}
    body |= {"StartDate": start.isoformat(), "TimeZoneName": "Europe/Warsaw"}
    account.api.create_schedule(web, body)
    account.api.create_schedule(web, {**body, "Name": "once", "TypeId": 65})
    account.settings(starts_in_the_past=False)
    biweekly = {**NIGHTLY, "name": "biweekly", "every": "2 weeks"}
    for at in ("monday 22:00", "2020-01-06 22:00", "2020-01-20 22:00"):
        assert account.run("instance_schedule", **{**biweekly, "at": at})["changed"] is False
    moved = account.run("instance_schedule", **{**biweekly, "at": "2020-01-13 22:00"})["instance_schedule"]
    assert (dt.date.fromisoformat(moved["at"][:10]) - dt.date(2020, 1, 13)).days % 14 == 0
    assert account.run("instance_schedule", **{**biweekly, "at": "2020-01-13 22:00"})["changed"] is False
    assert account.run("instance_schedule", **{**once, "at": "2020-01-06 22:00"})["changed"] is False
    for check_mode in (True, False):
        said = account.fails(
            errors.InvalidInput,
            "instance_schedule",
            **{**once, "at": "2020-01-06 22:00", "action": "start"},
            check_mode=check_mode,
        )
        assert said.startswith("at: 2020-01-06 22:00 has passed in Europe/Warsaw.")
        account.fails(
            errors.InvalidInput,
            "instance_schedule",
            **{**once, "name": "x", "at": "2020-01-06 22:00"},
            check_mode=check_mode,
        )
        assert account.writes() == []


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"at": "1320"}, "at: '1320' is not a time."),
        ({"at": "2026-02-30 22:00"}, "at: '2026-02-30 22:00' is not a time."),
        ({"every": "3 months"}, "every: '3 months' is neither once nor 1 to 32767 days or weeks."),
        ({"every": "once"}, "at: '22:00' has no date, which every: once needs."),
        ({"every": "1 week"}, "at: '22:00' has no day of the week, which every: 1 week needs."),
        ({"at": "friday 22:00"}, "at: 'friday 22:00' has a day of the week, which every: 1 day cannot have."),
        ({"timezone": "Europe/Warsav"}, "timezone: there is no time zone 'Europe/Warsav' on this host."),
        ({"snapshot_name": "x"}, "snapshot_name: it is for action: create_snapshot, and the action is stop."),
        ({"action": "clone", "clone_name": "a/b"}, "clone_name: 'a/b' contains the character /."),
        ({"name": "a|b"}, "name: 'a|b' contains one of"),
        ({"action": "backup", "storage_path": "x" * 401}, "storage_path: it has 401 characters; at most 400"),
    ],
)
def test_bad_options_are_told_before_anything_is_sent(account: Account, params: dict[str, t.Any], says: str) -> None:
    said = account.fails(errors.InvalidInput, "instance_schedule", **{**NIGHTLY, **params})
    assert said.startswith(says)
    assert account.sent() == []


def test_what_a_new_schedule_lacks_is_told(account: Account) -> None:
    account.instance("web")
    said = account.fails(errors.InvalidInput, "instance_schedule", name="x", instance="web", at="22:00")
    assert "missing to create it: action, every, timezone" in said
    said = account.fails(errors.InvalidInput, "instance_schedule", **{**NIGHTLY, "action": "backup"})
    assert said.startswith("action: backup also needs storage_project and storage_path.")
    said = account.fails(
        errors.InvalidInput, "instance_schedule", **{**NIGHTLY, "action": "delete_snapshot"}, snapshot="old"
    )
    assert said.startswith("snapshot: instance 'web' has no snapshot 'old'.")
    assert account.truth("instance_schedules") == []
