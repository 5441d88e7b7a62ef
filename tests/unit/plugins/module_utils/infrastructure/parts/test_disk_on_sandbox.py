# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks at the sandbox: their whole life, and what is refused before anything is sent."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import GIGABYTES
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.disk import creation_body, disk_body

from .conftest import Account

DATA: dict[str, t.Any] = {"name": "data", "size": 10, "disk_class": "Tier 2", "subregion": "EU-001"}


def test_a_disk_is_made_once_and_the_second_run_only_reads(account: Account) -> None:
    made = account.run("disk", **DATA)
    assert (made["changed"], made["action"]) == (True, "create")
    assert made["disk"]["size"] == 10
    assert made["disk"]["disk_class"] == {"id": 49, "label": "Tier 2"}
    assert made["disk"]["subregion"]["label"] == "EU-001"
    assert (made["disk"]["instances"], made["disk"]["is_locked"]) == ([], False)
    assert made["ticket"] > 0
    again = account.run("disk", **DATA)
    assert (again["changed"], again["ticket"], again["disk"]) == (False, None, made["disk"])
    assert account.sent() == ["GET /disks", "GET /subregions"]
    assert len(account.truth("disks")) == 1


@pytest.mark.parametrize(("version", "asks"), [("auto", 1), ("2023", 0)])
def test_the_line_is_asked_for_only_where_nothing_says_it(
    account: Account, monkeypatch: pytest.MonkeyPatch, version: str, asks: int
) -> None:
    monkeypatch.setenv("FCD_API_VERSION", version)
    account.run("disk", **DATA, check_mode=True)
    assert "GET /floating_ips" not in account.sent()
    account.run("disk", **DATA)
    assert account.sent().count("GET /floating_ips") == asks


def test_the_line_is_known_before_the_create_begins(account: Account) -> None:
    """An error of the question leaves nothing open: no create was sent."""
    account.fault("status_before", "GET", r"/floating_ips", status=400)
    assert "Find out the version" in account.fails(errors.Rejected, "disk", **DATA)
    assert account.writes() == []
    assert account.run("disk", **DATA)["action"] == "create"


@pytest.mark.parametrize(("line", "status"), [("D1", None), ("D2", None), ("D2", 403), ("D2", 405)])
def test_a_disk_says_what_the_line_requires(account: Account, line: str, status: int | None) -> None:
    """The older line refuses a disk without IsShared, and for the later one that member is a breach."""
    account.settings(line=line)
    if status is not None:
        account.fault("status_before", "GET", r"/floating_ips", status=status)
    assert account.run("disk", **DATA)["action"] == "create"


@pytest.mark.parametrize(("shared", "told"), [(None, False), ({"id": 1, "label": "x"}, True)])
def test_the_older_line_needs_to_know_whether_a_disk_is_shared(shared: t.Any, told: bool) -> None:
    values = {"name": "d", "size": 5, "disk_class": {"id": 48}, "subregion": {"id": 1}, "shared_disk_type": shared}
    assert creation_body(values, older=True)["IsShared"] is told
    assert "IsShared" not in creation_body(values, older=False)
    assert "IsShared" not in disk_body(values)


def test_what_a_create_lacks_is_named(account: Account) -> None:
    assert "missing to create it: size, disk_class, subregion" in account.fails(
        errors.InvalidInput, "disk", name="data"
    )
    assert "no 'Tier 9' among the disk classes" in account.fails(
        errors.InvalidInput, "disk", **{**DATA, "disk_class": "Tier 9"}
    )
    assert "at least 5" in account.fails(errors.InvalidInput, "disk", **{**DATA, "size": 4})
    assert "one of the characters" in account.fails(errors.InvalidInput, "disk", **{**DATA, "name": "a/b"})
    assert "spaces only" in account.fails(errors.InvalidInput, "disk", **{**DATA, "name": "  "})
    said = account.fails(errors.InvalidInput, "disk", **{**DATA, "subregion": "EU-005"})
    assert said == "subregion: EU-005 (7) is not active. Active are: EU-001, EU-002, EU-003, EU-004."
    assert account.fails(errors.InvalidInput, "disk", id=999, size=9).startswith("There is no disk with the ID 999")
    assert "there is no instance 'nobody'" in account.fails(errors.InvalidInput, "disk", **DATA, instances=["nobody"])
    said = account.fails(errors.InvalidInput, "disk", **DATA, instances=[" "])
    assert said == "instances: the text is empty. Give a value, or leave the option out if it is not required."
    assert account.writes() == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_size_that_was_meant_in_mb_is_refused(account: Account, check_mode: bool) -> None:
    said = "size is in GB; 20480 would be 20 TB. If these are MB, write 20; if that is meant, write '20480GiB'."
    in_bytes = account.fails(errors.InvalidInput, "disk", **{**DATA, "size": 20 << 30, "check_mode": check_mode})
    assert in_bytes == "size is in GB; 21474836480 would be 2.1e+07 TB. If these are bytes, write 20."
    huge = {"size": 20480, "check_mode": check_mode}
    assert account.fails(errors.InvalidInput, "disk", **{**DATA, **huge}) == said
    number = account.run("disk", **DATA)["disk"]["id"]
    assert account.fails(errors.InvalidInput, "disk", id=number, **huge) == said
    assert account.run("disk", id=number, size=GIGABYTES.read("size", "20480GiB"))["disk"]["size"] == 20480
    assert account.run("disk", id=number, **huge)["changed"] is False


def test_everything_changes_in_place(account: Account) -> None:
    number = account.run("disk", **DATA)["disk"]["id"]
    wish: dict[str, t.Any] = {"id": number, "name": "more", "size": 20, "disk_class": 50, "subregion": "EU-002"}
    foreseen = account.run("disk", **wish, check_mode=True)
    assert account.writes() == []
    changed = account.run("disk", **wish)
    assert account.writes() == [
        f"POST /disks/{number}/change_subregion_ticket",
        f"POST /disks/{number}/change_tier_ticket",
        f"POST /disks/{number}/extend_ticket",
        f"PUT /disks/{number}",
    ]
    assert changed["disk"]["name"] == "more"
    assert changed["disk"]["disk_class"]["label"] == "Tier 3"
    assert foreseen["diff"]["after"] == changed["diff"]["after"]
    assert foreseen["disk"] == changed["disk"]
    assert account.run("disk", **wish)["changed"] is False


def test_a_disk_comes_into_instances_and_out_again(account: Account) -> None:
    web, db = account.instance("web"), account.instance("db")
    made = account.run("disk", **{**DATA, "subregion": None}, instances=["web"])
    assert [one["id"] for one in made["disk"]["instances"]] == [web]
    assert made["disk"]["subregion"]["label"] == "EU-001"
    assert account.run("disk", **DATA, instances=["web"])["changed"] is False
    assert account.sent() == ["GET /disks", "GET /subregions", f"GET /instances/{web}"]
    assert account.run("disk", **DATA, instances=[str(web)])["changed"] is False
    moved = account.run("disk", **DATA, instances=["db"])
    assert [one["label"] for one in moved["disk"]["instances"]] == ["db"]
    assert [line.rpartition("/")[2] for line in account.writes()] == [
        "detach_from_instance_ticket",
        "attach_to_instance_ticket",
    ]
    assert moved["diff"]["before"]["instances"][0]["id"] == web
    assert moved["diff"]["after"]["instances"][0]["id"] == db
    assert account.run("disk", name="data", instances=[])["disk"]["instances"] == []
    assert account.run("disk", name="data", instances=[])["changed"] is False


def test_renaming_and_growing_keep_a_disk_where_it_is(account: Account) -> None:
    web = account.instance("web")
    number = account.run("disk", **DATA, instances=["web"])["disk"]["id"]
    changed = account.run("disk", id=number, name="other", size=30)
    assert [one["id"] for one in changed["disk"]["instances"]] == [web]
    assert (changed["disk"]["name"], changed["disk"]["size"]) == ("other", 30)


def test_a_disk_is_moved_only_while_it_is_free(account: Account) -> None:
    account.instance("web")
    account.instance("far", SubregionId=4)
    account.run("disk", **DATA, instances=["web"])
    said = account.fails(errors.InvalidInput, "disk", name="data", subregion="EU-002")
    assert "only be moved while it is detached" in said
    assert "web" in said
    assert account.writes() == []
    moved = account.run("disk", name="data", subregion="EU-002", instances=["far"])["disk"]
    assert (moved["subregion"]["label"], moved["instances"][0]["label"]) == ("EU-002", "far")


def test_a_disk_never_shrinks(account: Account) -> None:
    account.run("disk", **DATA)
    for check_mode in (True, False):
        said = account.fails(errors.ImmutableChange, "disk", **{**DATA, "size": 9}, check_mode=check_mode)
        assert "has 10 GB, not 9" in said
    assert account.writes() == []


def test_an_attached_disk_is_removed_only_on_request(account: Account) -> None:
    account.instance("web")
    number = account.run("disk", **DATA, instances=["web"])["disk"]["id"]
    assert "force_detach: true" in account.fails(errors.InvalidInput, "disk", name="data", state="absent")
    assert account.writes() == []
    gone = account.run("disk", name="data", state="absent", force_detach=True)
    assert (gone["action"], gone["disk"]) == ("delete", None)
    assert account.writes()[-1] == f"DELETE /disks/{number}"
    assert account.run("disk", name="data", state="absent")["changed"] is False
    assert account.run("disk", id=number, state="absent")["changed"] is False


def test_a_system_disk_stays_where_it_is(account: Account) -> None:
    web = account.instance("web")
    found = account.run("disk_info", instance="web", disk_type="system")["disks"]
    assert [one["is_system_disk"] for one in found] == [True]
    number = found[0]["id"]
    for wish in ({"instances": []}, {"state": "absent", "force_detach": True}):
        assert "is the system disk of instance web" in account.fails(errors.InvalidInput, "disk", id=number, **wish)
        assert account.writes() == []
    grown = account.run("disk", id=number, size=40, instances=[str(web)])
    assert grown["disk"]["size"] == 40


def two_of_one_name(account: Account) -> tuple[int, int]:
    """Make two disks with the name data, which a clone of an instance does."""
    first = account.run("disk", **DATA)["disk"]["id"]
    other = account.run("disk", **{**DATA, "name": "other"})["disk"]
    body = disk_body({**other, "name": "data", "shared_disk_type": None})
    account.api.replace_disk(other["id"], {**body, "InstanceIdsList": []})
    account.until(lambda: not account.api.get_disk(other["id"])["IsLocked"])
    return first, other["id"]


def test_two_of_one_name_are_an_error_with_both_numbers(account: Account) -> None:
    first, second = two_of_one_name(account)
    assert f"2 disks with the name 'data': {first}, {second}" in account.fails(errors.Ambiguous, "disk", **DATA)
    assert account.run("disk", id=first, **{**DATA, "size": 11})["changed"] is True


def test_of_two_of_one_name_the_one_in_the_declared_instance_is_meant(account: Account) -> None:
    account.instance("web")
    account.instance("db")
    first, second = two_of_one_name(account)
    account.run("disk", id=second, instances=["db"])
    wish = {**DATA, "instances": ["db"]}
    found = account.run("disk", **wish)
    assert (found["changed"], found["disk"]["id"]) == (False, second)
    assert account.run("disk", **{**wish, "size": 20})["disk"]["size"] == 20
    for neither in (["web"], ["web", "db"], []):
        said = account.fails(errors.Ambiguous, "disk", **{**DATA, "instances": neither})
        assert f"2 disks with the name 'data': {first}, {second}" in said


def test_a_shared_disk_in_two_instances(account: Account) -> None:
    numbers = {account.instance("web"), account.instance("db")}
    wish = {**DATA, "shared_disk_type": "1411", "instances": ["web", "db"]}
    disk = account.run("disk", **wish)["disk"]
    assert {one["id"] for one in disk["instances"]} == numbers
    assert disk["is_shared"] is True
    assert account.run("disk", **wish)["changed"] is False
    assert "shared_disk_type is" in account.fails(errors.ImmutableChange, "disk", name="data", shared_disk_type="1412")


def test_a_disk_that_is_not_shared_in_two_instances_is_told_before_anything_is_sent(account: Account) -> None:
    web, db = account.instance("web"), account.instance("db")
    for check_mode in (True, False):
        said = account.fails(errors.InvalidInput, "disk", **DATA, instances=["web", "db"], check_mode=check_mode)
        assert said == (
            f"instances: web ({web}), db ({db}) are 2 instances, but the disk is not shared. "
            "Give shared_disk_type too, or one instance."
        )
        assert account.writes() == []
    account.run("disk", **DATA, instances=["web"])
    said = account.fails(errors.InvalidInput, "disk", name="data", instances=["web", "db"])
    assert said.endswith("but the disk is not shared. Give one instance.")
    assert account.writes() == []


def test_without_wait_the_next_run_finds_what_is_under_way(account: Account) -> None:
    account.settings(ticket_seconds=1.0, visible_after=30.0)
    first = account.run("disk", **DATA, wait=False)
    assert first["disk"]["id"] is None
    second = account.run("disk", **DATA, wait=False)
    assert (second["changed"], account.writes()) == (False, [])
    third = account.run("disk", **DATA)
    assert third["changed"] is False
    assert third["disk"]["id"] > 0
    assert account.run("disk", name="data", state="absent")["action"] == "delete"
    assert account.truth("disks") == []


def test_check_mode_and_a_removal_know_of_a_create_that_is_under_way(account: Account) -> None:
    account.settings(hang_tickets="data", visibility_delay=30.0)
    ticket = account.run("disk", **DATA, wait=False)["ticket"]
    foreseen = account.run("disk", **DATA, check_mode=True)
    assert (foreseen["changed"], foreseen["action"], foreseen["disk"]["size"]) == (False, "none", DATA["size"])
    foreseen = account.run("disk", name="data", state="absent", check_mode=True)
    assert (foreseen["changed"], foreseen["action"], foreseen["disk"]) == (True, "delete", None)
    said = account.fails(errors.Busy, "disk", name="data", state="absent", wait=False)
    assert f"The disk 'data' is still being created (ticket {ticket}) and was not removed yet." in said
    assert "ticket" in account.fails(errors.WaitTimeout, "disk", name="data", state="absent", wait_timeout=1.0)
    assert account.writes() == []


def test_a_locked_disk_is_waited_for(account: Account) -> None:
    account.run("disk", **DATA)
    account.settings(ticket_seconds=0.3)
    account.run("disk", **{**DATA, "size": 20}, wait=False)
    assert account.run("disk", **{**DATA, "size": 20})["changed"] is False
    account.run("disk", **{**DATA, "size": 30}, wait=False)
    assert account.run("disk", **{**DATA, "size": 40})["disk"]["size"] == 40


def test_an_instance_in_another_subregion_is_told_before_anything_is_done(account: Account) -> None:
    web, far = account.instance("web"), account.instance("far", SubregionId=4)
    said = account.fails(errors.InvalidInput, "disk", **DATA, instances=["far"])
    assert said.startswith(f"instances: far ({far}) is in subregion EU-002, but the disk is to be in EU-001. Give ")
    assert (account.writes(), len(account.truth("disks"))) == ([], 2)
    account.run("disk", **DATA, instances=["web"])
    said = account.fails(errors.InvalidInput, "disk", name="data", instances=["web", str(far)])
    assert f"far ({far}) is in subregion EU-002, but the disk is in EU-001" in said
    said = account.fails(errors.InvalidInput, "disk", name="data", subregion="EU-002", instances=["web"])
    assert f"web ({web}) is in subregion EU-001, but the disk is to be in EU-002" in said
    assert account.writes() == []
    moved = account.run("disk", name="data", subregion="EU-002", instances=["far"])["disk"]
    assert [one["id"] for one in moved["instances"]] == [far]


def test_an_instance_that_is_locked_is_waited_for(account: Account) -> None:
    web = account.instance("web")
    account.run("disk", **DATA)
    account.settings(ticket_seconds=0.3)
    account.api.change_name(web, "renamed")
    assert len(account.run("disk", name="data", instances=[str(web)])["disk"]["instances"]) == 1


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({}, {"data", "other", "System disk"}),
        ({"name": "data"}, {"data"}),
        ({"name": "dat"}, set()),
        ({"query": "the"}, {"other"}),
        ({"disk_type": "custom"}, {"data", "other"}),
        ({"instance": "web"}, {"data", "System disk"}),
        ({"instance": "web", "disk_type": "custom"}, {"data"}),
        ({"instance": "web", "name": "other"}, set()),
        ({"id": 999}, set()),
    ],
)
def test_disks_are_read(account: Account, params: dict[str, t.Any], names: set[str]) -> None:
    account.instance("web")
    account.run("disk", **DATA, instances=["web"])
    account.run("disk", **{**DATA, "name": "other"})
    found = account.run("disk_info", **params)["disks"]
    assert {"System disk" if one["is_system_disk"] else one["name"] for one in found} == names
