# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of an instance that was made just now, so that lists do not show it, and acts on it; by its name."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock

from .conftest import INSTANCE, Account

ACTS: dict[str, dict[str, t.Any]] = {
    "disk": {"name": "data", "size": 5, "disk_class": "48", "instances": ["late"]},
    "ip_address": {"comment": "late", "subregion": "1", "instance": "late"},
    "snapshot": {"name": "first", "instance": "late"},
    "instance_export": {"name": "first", "instance": "late", "location": "exports", "project": "backups"},
    "instance_console": {"name": "late"},
    "instance_power": {"name": "late", "action": "reset"},
    "instance_clone": {"name": "late", "clone_name": "later", "clone_type": "new_configuration"},
    "instance_to_template": {
        "name": "late",
        "template_name": "Late",
        "version": "1",
        "descriptions": [{"language": "English", "description": "all"}],
    },
}


@pytest.mark.parametrize("module", ACTS)
def test_it_is_found_by_its_ticket(account: Account, module: str) -> None:
    # what no list and no ticket shows is not to be found
    account.settings(visibility_delay=60.0, copied_object_id="new")
    number = account.instance("late", listed=False)
    assert account.api.list_instances() == []
    assert account.run(module, **ACTS[module], check_mode=True)["changed"] is True
    assert account.writes() == []
    assert account.run(module, **ACTS[module])["changed"] is True
    assert any(str(number) in line or "attach" in line for line in account.writes())


@pytest.mark.parametrize("module", ACTS)
def test_one_that_is_still_being_made_is_told(account: Account, module: str) -> None:
    account.settings(visibility_delay=60.0, hang_tickets="late")
    ticket = account.api.create_instance({"InstanceName": "late", **INSTANCE})["Id"]
    said = account.fails(errors.InvalidInput, module, **ACTS[module])
    assert said.startswith(f"Instance 'late' is still being created (ticket {ticket}). Wait for it: ")
    assert account.writes() == []


def test_several_of_one_name_are_told(account: Account) -> None:
    account.settings(visibility_delay=60.0)
    numbers = [account.instance("late", listed=False) for _one in range(2)]
    said = account.fails(errors.Ambiguous, "instance_power", name="late", action="reset")
    assert f"2 instances with the name 'late': {numbers[0]}, {numbers[1]}" in said


def test_a_removed_one_is_not_found(account: Account) -> None:
    number = account.instance("late")
    account.api.delete_instance(number)
    account.until(lambda: account.truth("instances") == [])
    said = account.fails(errors.InvalidInput, "instance_power", name="late", action="reset")
    assert said == "name: there is no instance 'late'. Check the name or the ID."


def test_the_nearest_name_is_told(account: Account) -> None:
    account.instance("web-front")
    wrong = {"instance_power": {"name": "web-fornt"}, "disk": {"instances": ["web-fornt"]}}
    for module, params in ((module, {**ACTS[module], **name}) for module, name in wrong.items()):
        said = account.fails(errors.InvalidInput, module, **params)
        assert said.endswith("there is no instance 'web-fornt'. Did you mean 'web-front'?")


def test_a_snapshot_that_no_list_shows_is_restored_by_its_name(account: Account) -> None:
    account.instance("web")
    account.settings(visibility_delay=60.0, copied_object_id="new", restore_while_running=True)
    made = account.run("snapshot", name="before", instance="web")["snapshot"]
    assert account.run("snapshot_restore", name="before", instance="web")["snapshot"]["id"] == made["id"]


class LeapingClock(Clock):
    """Pauses take no time and count all the same; after a minute of them, ``then`` happens, once."""

    def __init__(self, then: t.Callable[[], object]) -> None:
        self.slept = 0.0
        self._then = then

    def monotonic(self) -> float:
        return super().monotonic() + self.slept

    def sleep(self, seconds: float) -> None:
        before, self.slept = self.slept, self.slept + seconds
        if before < 60 <= self.slept:
            self._then()


def snapshot_in_progress(account: Account) -> int:
    """Have a snapshot created that no list shows and whose ticket seems to go on; return the number of the ticket."""
    account.instance("web")
    account.settings(
        visibility_delay=3000.0, copied_object_id="new", restore_while_running=True, hang_tickets="restore"
    )
    number: int = account.run("snapshot", name="before", instance="web", wait=False)["ticket"]
    account.until(lambda: account.api.get_ticket(number)["ObjectId"] is not None)
    running = {**account.api.get_ticket(number), "ObjectId": None, "Status": {"Id": 135}}
    account.fault("status_before", "GET", f"/tickets/{number}$", status=200, body=running, times=0)
    return number


def test_one_wait_timeout_is_for_the_snapshot_and_its_restore(account: Account) -> None:
    snapshot_in_progress(account)
    account.clock = clock = LeapingClock(account.sandbox.clear_faults)
    said = account.fails(errors.WaitTimeout, "snapshot_restore", name="before", instance="web", wait_timeout=100.0)
    assert said.startswith("Restoring snapshot 'before' did not finish within 100 s")
    assert 60 <= clock.slept <= 100
    assert len(account.writes()) == 1


def test_a_snapshot_in_progress_is_foreseen_and_not_restored_without_waiting(account: Account) -> None:
    ticket = snapshot_in_progress(account)
    foreseen = account.run("snapshot_restore", name="before", instance="web", check_mode=True)
    assert (foreseen["changed"], foreseen["snapshot"]["id"], foreseen["snapshot"]["name"]) == (True, None, "before")
    said = account.fails(errors.Busy, "snapshot_restore", name="before", instance="web", wait=False)
    assert f"snapshot 'before' is still being created (ticket {ticket}) and was not restored yet" in said
    assert account.writes() == []
