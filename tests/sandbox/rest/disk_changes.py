# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Making, changing and deleting disks (docs/service/infrastructure.md, "Disks")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.attachment import attach_disk, detach_disk, make_disk, remove_disk, require_slot
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Disk, Instance, Lockable, Subregion
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import Work, require_free, start
from sandbox.rest.visibility import hide

CREATION, RECONFIGURING, REMOVING, MOVING, ATTACHING, DETACHING = 277, 283, 286, 837, 90005, 90006
DISK, POWERED_ON = 276, 86


@handles("create_disk")
def create_disk(call: Call) -> Any:
    """A new disk, in instances or free; it comes into its instances when the ticket ends."""
    call.paid()
    body = call.body
    owners = _instances(call, body.get("InstanceIdsList", []))
    shared = body.get("SharedDiskTypeId")
    if shared is not None:
        lookup.item(call, 162, shared, "SharedDiskTypeId")
    subregion = _subregion(call, owners)
    tier = lookup.item(call, 17, body["TierId"], "TierId")
    number = call.world.new_id(Disk)
    disk = Disk(number, body["DiskName"], body["SpaceCapacity"], tier, call.now, subregion, shared_type=shared)
    _require_fit(disk, owners)
    require_free(call, *owners)
    make_disk(call.world, disk)
    hide(call, disk)

    def done(_when: float) -> int:
        for owner in owners:
            attach_disk(call.world, owner, disk)
        return disk.id

    def undone(_when: float) -> None:
        del call.world.table(Disk)[disk.id]

    return start(call, Work(CREATION, DISK, disk.name, done, locks=[disk, *owners], undone=undone))


@handles("update_disk")
def replace_disk(call: Call) -> Any:
    """Replace every attribute: instances that are left out lose the disk."""
    disk = lookup.addressed(call, Disk)
    body = call.body
    desired = _instances(call, body.get("InstanceIdsList", []))
    require_free(call, disk, *desired)
    _require_growth(disk, body["SpaceCapacity"])
    if body["SubregionId"] != disk.subregion:
        _require_detached(disk)
        lookup.active_subregion(call, body["SubregionId"])
    if disk.system and {one.id for one in desired} != set(disk.connections):
        raise Refusal(400, "InstanceIdsList: a system disk stays in its instance.")
    _require_fit(disk, desired, body["SubregionId"])
    lookup.item(call, 17, body["TierId"], "TierId")
    _require_off(call, disk)
    several = _changed(disk, body) > 1 and bool(disk.connections) and not call.settings["disk_put_changes_several"]

    def done(_when: float) -> None:
        if several:
            raise Refusal(400, "Several attributes of an attached disk cannot be changed at once.")
        disk.name, disk.capacity = body["DiskName"], body["SpaceCapacity"]
        disk.tier, disk.subregion = body["TierId"], body["SubregionId"]
        _move(call, disk, desired)

    return _change(call, disk, RECONFIGURING, done, desired)


def _changed(disk: Disk, body: dict[str, Any]) -> int:
    """How many attributes of a disk a PUT changes."""
    now = (disk.name, disk.capacity, disk.tier, disk.subregion)
    desired = (body["DiskName"], body["SpaceCapacity"], body["TierId"], body["SubregionId"])
    return sum(one != other for one, other in zip(now, desired, strict=True))


def _move(call: Call, disk: Disk, desired: list[Instance]) -> None:
    """Attach the disk to exactly these instances."""
    numbers = [one.id for one in desired]
    for number in [one for one in disk.connections if one not in numbers]:
        detach_disk(call.world, call.world.table(Instance)[number], disk)
    for owner in desired:
        if owner.id not in disk.connections:
            attach_disk(call.world, owner, disk)


@handles("disk_extend")
def extend_disk(call: Call) -> Any:
    """A greater capacity."""
    disk = lookup.addressed(call, Disk)
    capacity = call.query["spaceCapacity"]
    _require_growth(disk, capacity - 1)
    _require_off(call, disk)

    def done(_when: float) -> None:
        disk.capacity = capacity

    return _change(call, disk, RECONFIGURING, done)


@handles("disk_change_tier")
def change_tier(call: Call) -> Any:
    """Another disk class."""
    disk = lookup.addressed(call, Disk)
    tier = lookup.item(call, 17, call.query["tierId"], "tierId")

    def done(_when: float) -> None:
        disk.tier = tier

    return _change(call, disk, MOVING, done)


@handles("disk_change_subregion")
def change_subregion(call: Call) -> Any:
    """Another subregion, while detached."""
    disk = lookup.addressed(call, Disk)
    _require_detached(disk)
    subregion = lookup.active_subregion(call, call.query["subregionId"], "subregionId").id

    def done(_when: float) -> None:
        disk.subregion = subregion

    return _change(call, disk, MOVING, done)


@handles("disk_attach_to_instance")
def attach(call: Call) -> Any:
    """Put the disk into one more instance."""
    disk = lookup.addressed(call, Disk)
    owner = lookup.given(call, Instance, call.query["instanceId"], "instanceId")
    if owner.id in disk.connections:
        raise Refusal(400, f"Disk {disk.id} is attached to instance {owner.id} already.")
    _require_fit(disk, [*(call.world.table(Instance)[number] for number in disk.connections), owner])

    def done(_when: float) -> None:
        attach_disk(call.world, owner, disk)

    return _change(call, disk, ATTACHING, done, [owner])


@handles("disk_detach_from_instance")
def detach(call: Call) -> Any:
    """Detach the disk from an instance."""
    disk = lookup.addressed(call, Disk)
    owner = lookup.given(call, Instance, call.query["instanceId"], "instanceId")
    if owner.id not in disk.connections:
        raise Refusal(400, f"Disk {disk.id} is not attached to instance {owner.id}.")
    if disk.connections[owner.id].system:
        raise Refusal(400, f"Disk {disk.id} is the system disk of instance {owner.id}.")

    def done(_when: float) -> None:
        detach_disk(call.world, owner, disk)

    return _change(call, disk, DETACHING, done)


@handles("delete_disk")
def delete_disk(call: Call) -> Any:
    """The disk goes when the ticket ends."""
    disk = lookup.addressed(call, Disk)
    _require_detached(disk)

    def done(_when: float) -> None:
        remove_disk(call.world, disk)

    return _change(call, disk, REMOVING, done)


def _change(call: Call, disk: Disk, operation: int, done: Any, more: Sequence[Instance] = ()) -> Any:
    """Start an operation that locks the disk and its instances, those of today and those to come."""
    numbers = dict.fromkeys([*disk.connections, *(one.id for one in more)])
    owners = [call.world.table(Instance)[number] for number in numbers]

    def finish(when: float) -> None:
        done(when)
        for owner in owners:
            call.world.touch(owner.id)

    locks: list[Lockable] = [disk, *owners]
    return start(call, Work(operation, DISK, disk.name, finish, object_id=disk.id, locks=locks))


def _instances(call: Call, numbers: list[int]) -> list[Instance]:
    return [lookup.given(call, Instance, one, "InstanceIdsList") for one in dict.fromkeys(numbers)]


def _subregion(call: Call, owners: list[Instance]) -> int:
    number = call.body.get("SubregionId")
    if number is not None:
        return lookup.active_subregion(call, number).id
    if owners:
        return owners[0].subregion
    return next(one.id for one in call.world.table(Subregion).values() if one.active)


def _require_fit(disk: Disk, owners: list[Instance], subregion: int | None = None) -> None:
    place = disk.subregion if subregion is None else subregion
    if any(one.subregion != place for one in owners):
        raise Refusal(400, "A disk and its instances must be in one subregion.")
    if len(owners) > 1 and disk.shared_type is None:
        raise Refusal(400, "Only a shared disk can be attached to several instances.")
    for owner in owners:
        if owner.id not in disk.connections:
            require_slot(owner)


def _require_growth(disk: Disk, capacity: int) -> None:
    if capacity < disk.capacity:
        raise Refusal(400, f"The capacity of disk {disk.id} can only grow; it is {disk.capacity} GB.")


def _require_detached(disk: Disk) -> None:
    if disk.connections:
        raise Refusal(400, f"Disk {disk.id} must be detached first.")


def _require_off(call: Call, disk: Disk) -> None:
    if call.settings["disk_change_while_running"]:
        return
    if any(call.world.table(Instance)[number].status == POWERED_ON for number in disk.connections):
        raise Refusal(400, f"Disk {disk.id} is in use by a running instance.")
