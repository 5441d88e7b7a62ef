# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots that no user has made, and those that come from another one."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

Item = t.Dict[str, t.Any]


@pytest.fixture
def snapshots(account: Account) -> dict[int, Item]:
    """Two snapshots of one instance with one name, as the service shows them; the later one is of the system."""
    web = account.instance("web")
    numbers = [_made(account, web, name) for name in ("before", "other")]
    found = {number: account.api.read_one("Read", f"/snapshots/{number}") for number in numbers}
    found[numbers[1]].update(
        Name="before", IsSystem=True, IsCurrent=True, LastChangeDate=None, SnapshotParent={"Id": numbers[0]}
    )
    body = {"Items": list(found.values()), "Meta": {"Total": 2}}
    for path in (rf"/instances/{web}/snapshots$", r"/snapshots\?"):
        account.fault("status_before", "GET", path, status=200, body=body, times=0)
    for number, item in found.items():
        account.fault("status_before", "GET", rf"/snapshots/{number}$", status=200, body=item, times=0)
    return found


def _made(account: Account, instance: int, name: str) -> int:
    """Make a snapshot without any module, which would keep a note of it."""
    api = account.api
    ticket = api.start("Make", "POST", f"/instances/{instance}/snapshots", json={"Name": name})["Id"]
    account.until(lambda: api.get_ticket(ticket)["EndDate"] is not None and not api.get_instance(instance)["IsLocked"])
    return max(one["Id"] for one in account.truth("snapshots"))  # the ticket may name the instance


def test_they_are_shown_as_such(account: Account, snapshots: dict[int, Item]) -> None:
    own, system = snapshots
    shown = account.run("snapshot_info", instance="web")["snapshots"]
    assert [one["id"] for one in shown] == [own, system]
    assert [(one["is_system"], one["is_current"], one["last_change_date"]) for one in shown][1] == (True, True, None)
    assert [one["parent"] for one in shown] == [None, {"id": own, "label": "before"}]
    assert [one["id"] for one in account.run("snapshot_info", name="before")["snapshots"]] == [own, system]


def test_by_its_name_only_the_one_of_a_user_is_meant(account: Account, snapshots: dict[int, Item]) -> None:
    own, _system = snapshots
    for instance in ("web", None):
        foreseen = account.run("snapshot", name="before", instance=instance, state="absent", check_mode=True)
        assert foreseen["diff"]["before"]["id"] == own


def test_one_of_the_system_is_removed_by_its_number_only(account: Account, snapshots: dict[int, Item]) -> None:
    own, system = snapshots
    snapshots[own]["IsSystem"] = True
    body = {"Items": list(snapshots.values()), "Meta": {"Total": 2}}
    account.sandbox.clear_faults()
    account.fault("status_before", "GET", r"/instances/\d+/snapshots$", status=200, body=body, times=0)
    said = account.fails(errors.InvalidInput, "snapshot", name="before", instance="web", state="absent")
    assert said.startswith(f"Snapshot 'before' ({own}) was created by the system, not by a user")
    assert "Give its ID in id" in said
    assert account.writes() == []
    assert account.run("snapshot", id=system, state="absent", check_mode=True)["action"] == "delete"


def test_one_of_the_system_is_no_reason_to_make_none(account: Account, snapshots: dict[int, Item]) -> None:
    _own, system = snapshots
    body = {"Items": [snapshots[system]], "Meta": {"Total": 1}}
    account.sandbox.clear_faults()
    account.fault("status_before", "GET", r"/instances/\d+/snapshots$", status=200, body=body, times=0)
    assert account.run("snapshot", name="before", instance="web", check_mode=True)["action"] == "create"
