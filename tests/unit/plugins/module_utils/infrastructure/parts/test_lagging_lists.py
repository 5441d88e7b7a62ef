# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that lag behind a change: the task waits for them, so that the next one finds the new name."""

from __future__ import annotations

import typing as t

import pytest

from .conftest import Account

LAG = 0.2  # seconds
PARTS: dict[str, tuple[dict[str, t.Any], str]] = {
    "disk": ({"name": "old", "size": 10, "disk_class": "Tier 2", "subregion": "EU-001"}, "name"),
    "instance_schedule": (
        {"name": "old", "instance": "web", "action": "stop", "every": "1 day", "at": "22:00", "timezone": "UTC"},
        "name",
    ),
    "ip_address": ({"comment": "old", "subregion": "EU-001"}, "comment"),
    "private_network": ({"name": "old"}, "name"),
    "snapshot": ({"name": "old", "instance": "web"}, "name"),
}


@pytest.mark.parametrize("line", ["D1", "D2"])
@pytest.mark.parametrize("module", PARTS)
def test_what_was_renamed_is_found_by_its_new_name_at_once(account: Account, module: str, line: str) -> None:
    """The older line reads a private network from the list alone."""
    values, key = PARTS[module]
    account.instance("web")
    account.settings(line=line)
    number = account.run(module, **values)[module]["id"]
    account.settings(list_lag=LAG)
    renamed = account.run(module, **{"id": number, key: "new"})
    assert (renamed["action"], renamed[module][key]) == ("update", "new")
    again = account.run(module, **{key: "new", "state": "absent"}, check_mode=True)
    assert (again["action"], again["diff"]["before"][key]) == ("delete", "new")


@pytest.mark.parametrize("module", PARTS)
def test_what_was_made_is_listed_at_once(account: Account, module: str) -> None:
    """Later tasks name it, and they read lists."""
    values, _key = PARTS[module]
    account.instance("web")
    account.settings(list_lag=LAG)
    made = account.run(module, **values)[module]
    kind = {"ip_address": "ip_addresses"}.get(module, f"{module}s")
    assert [one["id"] for one in account.run(f"{module}_info")[kind] if one["id"] == made["id"]] == [made["id"]]


def test_a_list_that_stays_behind_is_not_waited_for_longer_than_the_grace_time(account: Account) -> None:
    number = account.run("private_network", name="old")["private_network"]["id"]
    account.settings(list_lag=60.0)
    done = account.run("private_network", id=number, name="new", create_grace=1.0)
    assert (done["action"], done["private_network"]["name"]) == ("update", "new")
    assert account.writes() == [f"PUT /opns/{number}"]


def test_snapshots_of_tasks_that_do_not_wait_are_one(account: Account) -> None:
    """The ticket may name the instance, and lists lag: until one shows it, the note of the create stands for it."""
    account.instance("web")
    account.settings(list_lag=0.8, ticket_seconds=0.1)
    wish: dict[str, t.Any] = {"name": "before", "instance": "web", "create_grace": 10.0}
    account.run("snapshot", **wish, wait=False)
    account.until(lambda: len(account.truth("snapshots")) == 1)
    account.run("snapshot", **wish, wait=False)
    account.run("snapshot", **wish)
    assert len(account.truth("snapshots")) == 1


def test_a_snapshot_whose_creation_held_the_lock_is_not_made_twice(account: Account) -> None:
    """Another controller has created it, its ticket names the instance, and no list shows it yet.

    The lock is held so long that a busy machine meets it, too.
    """
    owner = account.instance("web")
    account.settings(list_lag=3.5, lock_tail=3.0)
    account.api.create_snapshot(owner, {"Name": "before"})
    account.until(lambda: len(account.truth("snapshots")) == 1)
    account.run("snapshot", name="before", instance="web", create_grace=10.0)
    assert len(account.truth("snapshots")) == 1
