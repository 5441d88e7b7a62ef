# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listing and reading disks (docs/service/infrastructure.md, "Disks")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Connection, Disk, Instance, Subregion
from sandbox.rest.paging import Order, fits, page
from sandbox.rest.resource import Resource, declare
from sandbox.rest.times import optional, show
from sandbox.rest.visibility import shown
from sandbox.rest.world import World


def describe_disk(call: Call, one: Disk) -> dict[str, Any]:
    """The answer's form of a disk."""
    subregion = call.world.table(Subregion)[one.subregion]
    return {
        "Id": one.id,
        "Name": one.name,
        "SpaceCapacity": one.capacity,
        "Tier": call.world.dictionaries.value(17, one.tier),
        "CreationDate": show(one.created),
        "CreationUser": call.world.account.user,
        "IsShared": one.shared_type is not None,
        "SharedDiskType": call.world.dictionaries.optional(162, one.shared_type),
        "Subregion": {"Id": subregion.id, "Name": subregion.name},
        "IsLocked": one.lock.since is not None,
        "LockingDate": optional(one.lock.since),
        "Connections": [_connection(call, number, at) for number, at in one.connections.items()],
        "IsFreemium": one.free_plan,
    }


def _connection(call: Call, number: int, at: Connection) -> dict[str, Any]:
    name = call.world.table(Instance)[number].name
    instance = {"Id": number, "Name": name}
    return {"Instance": instance, "Controller": at.controller, "Slot": at.slot, "IsSystemDisk": at.system}


def _truth(_world: World, one: Disk) -> dict[str, Any]:
    return {
        "Id": one.id,
        "Name": one.name,
        "SpaceCapacity": one.capacity,
        "Tier": one.tier,
        "Subregion": one.subregion,
        "IsLocked": one.lock.since is not None,
        "IsSystemDisk": one.system,
        "Instances": list(one.connections),
    }


declare(Resource(Disk, "Disk", describe_disk, missing="missing_status", first_id=400001, name="disks", truth=_truth))


def disk_order(call: Call) -> Order:
    """What the words of orderBy mean."""
    return {
        "SpaceCapacity": lambda one: one.capacity,
        "Name": lambda one: one.name,
        "Tier": lambda one: call.world.dictionaries.label(17, one.tier),
        "IsShared": lambda one: one.shared_type is not None,
        "Subregion": lambda one: call.world.table(Subregion)[one.subregion].name,
    }


def disk_fits(call: Call, one: Disk) -> bool:
    """Whether the filters diskType and query of the call fit a disk."""
    kind = call.query.get("diskType", "All")
    return (kind == "All" or (kind == "System") is one.system) and fits(call, one)


@handles("list_disks")
def list_disks(call: Call) -> Any:
    """Disks, the deleted ones on demand."""
    found = shown(call, Disk)
    if call.query.get("showDeleted", False):
        found += [disk for disk, _ in call.world.deleted_disks.values()]
    matches = (one for one in found if disk_fits(call, one))
    return page(call, matches, lambda one: describe_disk(call, one), disk_order(call))


@handles("read_disk")
def read_disk(call: Call) -> Any:
    return describe_disk(call, lookup.addressed(call, Disk))
