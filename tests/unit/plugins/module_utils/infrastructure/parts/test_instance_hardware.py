# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Subregion, disk controller and hot plug of an instance at the sandbox, changed in place."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

FAST = 1572
NEW: dict[str, t.Any] = {"name": "web", "template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
CHANGES: dict[str, dict[str, t.Any]] = {
    "subregion": {"subregion": "EU-002"},
    "scsi_controller_type": {"scsi_controller_type": str(FAST)},
}


def acts(account: Account) -> list[str]:
    return [line.rpartition("/")[2] for line in account.writes()]


@pytest.mark.parametrize("name", CHANGES)
def test_a_running_instance_is_only_changed_if_it_may_be_stopped(account: Account, name: str) -> None:
    number, wish = account.instance("web"), CHANGES[name]
    said = account.fails(errors.InvalidInput, "instance", name="web", **wish)
    assert said.startswith(
        f"{name}: instance 'web' is running, and is turned off for this change. Set force_stop: true"
    )
    assert account.writes() == []
    foreseen = account.run("instance", name="web", **wish, force_stop=True, check_mode=True)
    changed = account.run("instance", name="web", **wish, force_stop=True)
    assert changed["instance"]["id"] == number
    assert foreseen["diff"]["after"][name] == changed["diff"]["after"][name] == changed["instance"][name]
    assert changed["instance"]["status"]["label"] == "Powered On"
    assert (acts(account)[0], acts(account)[-1]) == ("shutdown_ticket", "power_on_ticket")
    assert account.run("instance", name="web", **wish)["changed"] is False


@pytest.mark.parametrize("name", CHANGES)
def test_one_that_is_off_or_is_to_be_is_not_started(account: Account, name: str) -> None:
    account.instance("web", TemplateId=775)  # it has no guest tools
    account.run("instance", name="web", state="stopped", force_stop=True, **CHANGES[name])
    assert [*map(acts_of_power, acts(account))][-1] == "change"
    back = {"subregion": {"subregion": "1"}, "scsi_controller_type": {"scsi_controller_type": "LSI Logic SAS"}}[name]
    result = account.run("instance", name="web", **back)
    assert result["instance"]["status"]["label"] == "Powered Off"
    assert [*map(acts_of_power, acts(account))] == ["change"]


def acts_of_power(act: str) -> str:
    return "change" if act.startswith("change_") else act


def test_one_whose_change_fails_is_started_again(account: Account) -> None:
    account.instance("web")
    account.settings(fail_tickets="instance_change_scsi")
    wish = {"name": "web", "scsi_controller_type": str(FAST), "force_stop": True}
    said = account.fails(errors.OperationFailed, "instance", **wish)
    assert said.startswith("Changing scsi_controller_type of instance 'web' failed: ticket")
    assert acts(account)[-1] == "power_on_ticket"
    assert [one["Status"] for one in account.truth("instances")] == [86]


def test_an_instance_moves_with_its_system_disk_and_its_address(account: Account) -> None:
    account.instance("web")
    account.run("instance", name="web", subregion="EU-002", force_stop=True, recreate=True)
    assert {one["Subregion"] for kind in ("instances", "disks", "ips") for one in account.truth(kind)} == {4}
    assert "change_subregion_ticket" in acts(account)
    said = account.fails(errors.InvalidInput, "instance", name="web", subregion="EU-005", force_stop=True)
    assert said.startswith("subregion: EU-005 (7) is not active.")


def test_a_new_instance_gets_what_a_create_does_not_take(account: Account) -> None:
    wish = {**NEW, "scsi_controller_type": str(FAST), "is_hot_plug_enabled": True}
    made = account.run("instance", **wish)["instance"]
    assert (made["scsi_controller_type"]["id"], made["is_hot_plug_enabled"]) == (FAST, True)
    assert made["status"]["label"] == "Powered On"
    assert account.run("instance", **wish)["changed"] is False


def test_hot_plug_changes_while_it_runs(account: Account) -> None:
    account.instance("web")
    assert account.run("instance", name="web", is_hot_plug_enabled=False)["changed"] is False
    changed = account.run("instance", name="web", is_hot_plug_enabled=True)
    assert (acts(account), changed["instance"]["is_hot_plug_enabled"]) == (["change_hotplug_ticket"], True)
    assert account.run("instance", name="web", is_hot_plug_enabled=True)["changed"] is False


@pytest.mark.parametrize("wanted", [False, True])
@pytest.mark.parametrize("there", [False, True])
def test_the_older_line_cannot_change_hot_plug(account: Account, there: bool, wanted: bool) -> None:
    account.settings(line="D1")
    if there:
        account.instance("web")
    said = account.fails(errors.InvalidInput, "instance", **NEW, is_hot_plug_enabled=wanted)
    assert said.startswith(
        "is_hot_plug_enabled: the service runs version 2020 of the interface, which cannot change hot"
    )
    assert account.writes() == []
