# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports, and instances made of them, at the sandbox, which calls the instance as the file here."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

WISH = {"name": "copy", "location": "exports/web.ovf", "project": "backups"}
RUN = {
    "name": "copy",
    "instance_name": "web",
    "type": "v1.standard-2.2",
    "disk_class": "Tier 2",
    "networks": [{"private_network": "backend"}],
}
READY, FAILED = 884, 883


@pytest.fixture(autouse=True)
def _named_as_the_file(account: Account) -> None:
    account.settings(imported_name="file")


def names(account: Account) -> list[str]:
    return [one["Name"] for one in account.truth("instances") if one["Status"] != 126]


@pytest.mark.parametrize(("line", "stay"), [("D1", True), ("D2", False)])
def test_a_file_is_imported_once_and_the_import_removed(account: Account, line: str, stay: bool) -> None:
    account.settings(line=line, removed_imports_stay=stay, list_lag=0.1)
    foreseen = account.run("instance_import", **WISH, check_mode=True)
    assert (foreseen["instance_import"], account.writes()) == ({"id": None, "name": "copy"}, [])
    made = account.run("instance_import", **WISH)
    number = made["instance_import"]["id"]
    assert (made["action"], made["instance_import"]["status"]["id"]) == ("create", READY)
    for same in (WISH, {"name": "copy"}, {"id": number}):
        assert account.run("instance_import", **same)["changed"] is False
    assert account.run("instance_import_info", name="cop*")["instance_imports"] == [made["instance_import"]]
    said = account.fails(errors.ImmutableChange, "instance_import", id=number, name="other")
    assert "name is 'copy', wanted 'other'" in said
    for check_mode, changed in ((True, True), (False, True), (False, False)):
        gone = account.run("instance_import", name="copy", state="absent", check_mode=check_mode)
        assert (gone["changed"], gone["instance_import"]) == (changed, None)
    assert account.run("instance_import", id=number, state="absent")["changed"] is False
    assert account.run("instance_import_info", id=number)["missing"] == [number]
    assert account.run("instance_import", **WISH)["instance_import"]["id"] == number + 1


def test_a_failed_import_is_told_and_can_be_removed(account: Account) -> None:
    account.settings(fail_tickets="create_import")
    said = account.fails(errors.OperationFailed, "instance_import", **WISH)
    assert said.startswith(f"Import 'copy' (91101) has failed: its status is Failed ({FAILED}).")
    for module, wish in (("instance_import", WISH), ("instance_import_run", RUN)):
        assert "remove the import with state: absent" in account.fails(errors.OperationFailed, module, **wish)
        assert account.writes() == []
    account.settings(fail_tickets=None)
    assert account.run("instance_import", name="copy", state="absent")["action"] == "delete"
    assert account.run("instance_import", **WISH)["action"] == "create"


def test_a_running_import_is_waited_for(account: Account) -> None:
    started = account.run("instance_import", **WISH, wait=False)
    assert (started["changed"], started["instance_import"]["status"]["label"]) == (True, "Pending")
    assert account.run("instance_import_run", **RUN)["action"] == "create"
    account.run("instance_import", **{**WISH, "name": "other"}, wait=False)
    assert account.run("instance_import", name="other", state="absent")["action"] == "delete"


def test_an_unclear_answer_leads_to_one_import(account: Account) -> None:
    account.fault("drop_after", "POST", "/imports$")
    assert account.run("instance_import", **WISH)["instance_import"]["status"]["id"] == READY
    assert len(account.truth("imports")) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "a|b"}, "name: 'a|b' contains one of the characters"),
        ({"location": "web.ovf"}, "location: 'web.ovf' is not the place of a file whose name ends in .ovf."),
        ({"location": "exports/web.vmdk"}, "location: 'exports/web.vmdk' is not the place"),
        ({"location": None}, "these options are missing to create it: location."),
        ({"project": "backup"}, "Did you mean 'backups'?"),
    ],
)
def test_wrong_input_is_told_before_anything_is_sent(account: Account, wrong: dict[str, t.Any], words: str) -> None:
    assert words in account.fails(errors.InvalidInput, "instance_import", **{**WISH, **wrong})
    assert account.writes() == []


# ---------------------------------------------------------------- running one


@pytest.mark.parametrize("named", ["new", "source", "null"])
def test_an_import_is_run_once(account: Account, named: str) -> None:
    account.settings(copied_object_id=named)
    account.run("instance_import", **WISH)
    foreseen = account.run("instance_import_run", **RUN, check_mode=True)
    assert (foreseen["action"], foreseen["instance"], account.writes()) == ("create", {"id": None, "name": "web"}, [])
    made = account.run("instance_import_run", **RUN)
    assert (made["action"], made["instance"]["name"]) == ("create", "web")
    disks = account.run("disk_info", instance="web")["disks"]
    assert sorted((one["size"], one["disk_class"]["label"]) for one in disks) == [(5, "Tier 2"), (10, "Tier 2")]
    (network,) = account.run("private_network_info", instance="web")["private_networks"]
    assert network["name"] == "backend"
    again = account.run("instance_import_run", **RUN)
    assert (again["changed"], again["instance"]["id"], account.writes()) == (False, made["instance"]["id"], [])
    account.run("instance_import", name="copy", state="absent")
    assert account.run("instance_import_run", **RUN)["changed"] is False
    assert names(account) == ["web"]


@pytest.mark.parametrize("named", ["new", "source", "null"])
def test_another_name_of_the_instance_is_told_and_it_is_not_created_again(account: Account, named: str) -> None:
    account.settings(copied_object_id=named)
    account.run("instance_import", **WISH)
    wish = {**RUN, "instance_name": "copy"}
    for _again in range(2):
        said = account.fails(errors.OperationFailed, "instance_import_run", **wish, create_grace=0.3)
        assert "'web'" in said
    assert account.run("instance_import_run", **RUN)["changed"] is False
    assert names(account) == ["web"]


def test_an_unclear_answer_leads_to_one_instance(account: Account) -> None:
    account.run("instance_import", **WISH)
    account.fault("drop_after", "POST", "run_ticket")
    assert account.run("instance_import_run", **RUN)["action"] == "create"
    assert names(account) == ["web"]


def test_a_public_interface_takes_a_given_address_or_any(account: Account) -> None:
    account.run("instance_import", **WISH)
    address = account.run("ip_address", comment="mine", subregion="EU-001")["ip_address"]
    wish = {**RUN, "networks": [{"ip_address": address["address"]}], "subregion": "EU-001"}
    assert account.run("instance_import_run", **wish)["instance"]["ip_address"] == address["address"]
    account.run("instance_import", **{**WISH, "name": "second", "location": "exports/db.ovf"})
    wish = {**RUN, "name": "second", "instance_name": "db", "networks": [{"public": True}]}
    assert account.run("instance_import_run", **wish)["instance"]["ip_address"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "none"}, "There is no import 'none', and no instance 'web'."),
        ({"name": None, "id": 5}, "There is no import with the ID 5."),
        ({"type": "tiny"}, "type: there is no 'tiny'"),
        ({"disk_class": "Tier 9"}, "disk_class: there is no 'Tier 9'"),
        ({"networks": [{"public": False}]}, "networks: each one is either public"),
        ({"networks": [{"public": True, "private_network": "backend"}]}, "networks: each one is either public"),
        ({"networks": [{"ip_address": "1", "private_network": "backend"}]}, "networks: each one is either public"),
        ({"networks": [{"private_network": "front"}]}, "private_network: there is no 'front'"),
    ],
)
def test_a_wrong_run_is_told_before_anything_is_sent(account: Account, wrong: dict[str, t.Any], words: str) -> None:
    account.run("instance_import", **WISH)
    assert words in account.fails(errors.InvalidInput, "instance_import_run", **{**RUN, **wrong})
    assert account.writes() == []
