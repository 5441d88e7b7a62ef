# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of instances (docs/service/infrastructure.md, "Snapshots")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Instance, Lockable, Snapshot
from sandbox.rest.paging import Order, envelope, fits, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.ticketing import Work, start
from sandbox.rest.times import optional, show
from sandbox.rest.visibility import hide, shown

CREATION, REMOVAL, RESTORATION, SNAPSHOT = 90007, 90008, 90009, 90101
POWERED_ON = 86


def _describe(call: Call, one: Snapshot) -> dict[str, Any]:
    return {
        "Id": one.id,
        "Name": one.name,
        "Description": one.description,
        "CreationDate": show(one.created),
        "LastChangeDate": optional(one.changed),
        "CreationUser": call.world.account.user,
        "Instance": {"Id": one.instance, "Name": call.world.table(Instance)[one.instance].name},
        "IsSystem": one.system,
        "IsCurrent": call.world.table(Instance)[one.instance].snapshot == one.id,
        "SnapshotParent": None
        if one.parent is None
        else {"Id": one.parent, "Name": call.world.table(Snapshot)[one.parent].name},
    }


declare(
    Resource(
        Snapshot,
        "Snapshot",
        _describe,
        first_id=51101,
        name="snapshots",
        truth=lambda _world, one: {"Id": one.id, "Name": one.name, "Instance": one.instance},
    )
)


def _order(call: Call) -> Order:
    return {
        "CreationDate": lambda one: one.created,
        "Description": lambda one: one.description or "",
        "IsCurrent": lambda one: call.world.table(Instance)[one.instance].snapshot == one.id,
        "Name": lambda one: one.name,
        "Instance": lambda one: call.world.table(Instance)[one.instance].name,
    }


@handles("list_snapshots")
def list_snapshots(call: Call) -> Any:
    """Snapshots of all instances, or of one."""
    instance = call.query.get("instanceId")
    found = [
        one for one in shown(call, Snapshot) if instance in (None, one.instance) and fits(call, one, one.description)
    ]
    return page(call, found, lambda one: _describe(call, one), _order(call))


@handles("list_instance_snapshots")
def list_instance_snapshots(call: Call) -> Any:
    """Snapshots of one instance; this list has no pages."""
    number = lookup.addressed(call, Instance).id
    found = [one for one in shown(call, Snapshot) if one.instance == number]
    return envelope([_describe(call, one) for one in found])


@handles("read_snapshot")
def read_snapshot(call: Call) -> Any:
    """One snapshot."""
    return _describe(call, lookup.addressed(call, Snapshot))


@handles("create_instance_snapshot")
def create_snapshot(call: Call) -> Any:
    """A new snapshot of the instance in the path."""
    instance = lookup.addressed(call, Instance)
    number = call.world.new_id(Snapshot)
    made = Snapshot(number, call.body["Name"], call.body.get("Description"), instance.id, call.now)

    def done(when: float) -> int:
        made.created, made.parent, instance.snapshot = when, instance.snapshot, made.id
        call.world.table(Snapshot)[made.id] = made
        hide(call, made, made=when)
        return made.id

    return start(call, Work(CREATION, SNAPSHOT, made.name, done, locks=[instance], source=instance.id))


@handles("update_snapshot")
def change_snapshot(call: Call) -> Any:
    """Another name and description, at once; a description that is left out is emptied (setting put_empties)."""
    found = lookup.addressed(call, Snapshot)
    freeze_listing(call, found)
    release_listing(call, found, call.now)
    found.name = call.body["Name"]
    found.description = call.body.get("Description", None if call.settings["put_empties"] else found.description)
    found.changed = call.now
    return _describe(call, found)


@handles("delete_snapshot")
def delete_snapshot(call: Call) -> Any:
    """The snapshot goes when the ticket ends."""
    found = lookup.addressed(call, Snapshot)
    locks: list[Lockable] = [found, call.world.table(Instance)[found.instance]]

    def done(_when: float) -> None:
        _remove(call, found)

    return start(call, Work(REMOVAL, SNAPSHOT, found.name, done, object_id=found.id, locks=locks))


def _remove(call: Call, one: Snapshot) -> None:
    """The snapshot goes; its children belong to its parent from now on."""
    if call.world.table(Snapshot).pop(one.id, None) is None:
        return
    for other in call.world.table(Snapshot).values():
        if other.parent == one.id:
            other.parent = one.parent
    instance = call.world.table(Instance)[one.instance]
    if instance.snapshot == one.id:
        instance.snapshot = one.parent


@handles("snapshot_restore")
def restore_snapshot(call: Call) -> Any:
    """The instance goes back to the snapshot; a running one may not (setting restore_while_running)."""
    found = lookup.addressed(call, Snapshot)
    instance = call.world.table(Instance)[found.instance]
    locks: list[Lockable] = [found, instance]

    def done(_when: float) -> None:
        if instance.status == POWERED_ON and not call.settings["restore_while_running"]:
            raise Refusal(400, "A running instance cannot be restored.")
        instance.snapshot = found.id

    return start(call, Work(RESTORATION, SNAPSHOT, found.name, done, object_id=found.id, locks=locks))
