# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of instances (wire-facts 7)."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Snapshot
from sandbox.rest.paging import named, page
from sandbox.rest.ticketing import Lockable, Work, start
from sandbox.rest.times import show
from sandbox.rest.visibility import hide, shown

CREATION, REMOVAL, RESTORATION, SNAPSHOT = 90007, 90008, 90009, 90101


def _describe(call: Call, one: Snapshot) -> dict[str, Any]:
    return {
        "Id": one.id,
        "Name": one.name,
        "Description": one.description,
        "CreationDate": show(one.created),
        "CreationUser": call.world.account.user,
        "Instance": {"Id": one.instance, "Name": call.world.instances[one.instance].name},
    }


@handles("listSnapshots")
def list_snapshots(call: Call) -> Any:
    """Snapshots of all instances."""
    found = [one for one in shown(call, "snapshots", call.world.snapshots) if named(call, one.name)]
    return page(call, found, lambda one: _describe(call, one))


@handles("listInstanceSnapshots")
def list_instance_snapshots(call: Call) -> Any:
    """Snapshots of one instance."""
    number = lookup.instance(call).id
    found = [one for one in shown(call, "snapshots", call.world.snapshots) if one.instance == number]
    return page(call, found, lambda one: _describe(call, one))


@handles("readSnapshot")
def read_snapshot(call: Call) -> Any:
    """One snapshot."""
    return _describe(call, lookup.snapshot(call))


@handles("createSnapshot")
def create_snapshot(call: Call) -> Any:
    """A new snapshot of the instance in the path."""
    instance = lookup.instance(call)
    number = next(call.world.snapshot_ids)
    made = Snapshot(number, call.body["Name"], call.body.get("Description", ""), instance.id, call.now)

    def done(when: float) -> int:
        made.created = when
        call.world.snapshots[made.id] = made
        hide(call, "snapshots", made.id)
        return made.id

    return start(call, Work(CREATION, SNAPSHOT, made.name, done, locks=[instance]))


@handles("changeSnapshot")
def change_snapshot(call: Call) -> Any:
    """Another name and description, at once."""
    found = lookup.snapshot(call)
    found.name = call.body["Name"]
    found.description = call.body.get("Description", found.description)
    return _describe(call, found)


@handles("deleteSnapshot")
def delete_snapshot(call: Call) -> Any:
    """The snapshot goes when the ticket ends."""
    return _delete(call, [lookup.snapshot(call)])


@handles("deleteSnapshots")
def delete_snapshots(call: Call) -> Any:
    """Several snapshots go with one ticket."""
    numbers = dict.fromkeys(call.body["Ids"])
    return _delete(call, [lookup.given(call.world.snapshots, one, "Ids") for one in numbers])


def _delete(call: Call, found: list[Snapshot]) -> Any:
    def done(_when: float) -> None:
        for one in found:
            call.world.snapshots.pop(one.id, None)

    locks: list[Lockable] = [*found, *(call.world.instances[one] for one in {one.instance for one in found})]
    return start(call, Work(REMOVAL, SNAPSHOT, found[0].name, done, object_id=found[0].id, locks=locks))


@handles("restoreSnapshot")
def restore_snapshot(call: Call) -> Any:
    """The instance goes back to the snapshot, which shows in its history only."""
    found = lookup.snapshot(call)
    locks: list[Lockable] = [found, call.world.instances[found.instance]]

    def done(_when: float) -> None:
        """Change nothing that the interface shows."""

    return start(call, Work(RESTORATION, SNAPSHOT, found.name, done, object_id=found.id, locks=locks))
