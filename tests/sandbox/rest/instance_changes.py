# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changing an instance in place (docs/service/infrastructure.md, "Changing an instance")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.attachment import AUTOMATIC, attach_address, detach_address, make_address
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.instance_creation import desired_type
from sandbox.rest.models import Address, Disk, Instance, Lockable, Template
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import Work, start

INSTANCE = 139
RECONFIGURING, RENAMING, SUBREGION_CHANGE = 144, 867, 1172


def change(call: Call, found: Instance, operation: int, **values: Any) -> Any:
    """Set attributes of an instance when the ticket ends."""

    def done(_when: float) -> None:
        for name, value in values.items():
            setattr(found, name, value)
        call.world.touch(found.id)

    return start(call, Work(operation, INSTANCE, found.name, done, object_id=found.id, locks=[found]))


@handles("instance_change_name")
def rename_instance(call: Call) -> Any:
    """Another name; the same name may exist elsewhere."""
    return change(call, lookup.addressed(call, Instance), RENAMING, name=call.query["name"])


@handles("instance_change_type")
def change_instance_type(call: Call) -> Any:
    """Another type, while running."""
    found = lookup.addressed(call, Instance)
    template = call.world.table(Template).get(found.template)
    size = desired_type(call, template, call.query["typeId"])
    return change(call, found, RECONFIGURING, type=size.id)


@handles("instance_change_subregion")
def change_subregion(call: Call) -> Any:
    """Another subregion, with the disks; automatic addresses are replaced."""
    found = lookup.addressed(call, Instance)
    world = call.world
    target = lookup.active_subregion(call, call.body["SubregionId"]).id
    disks = [world.table(Disk)[number] for number in found.disks]
    if any(len(disk.connections) > 1 for disk in disks):
        raise Refusal(400, "A disk of the instance is shared; detach it first.")
    addresses = [world.table(Address)[number] for number in found.addresses]
    if any(address.kind != AUTOMATIC for address in addresses):
        raise Refusal(400, "The instance has an address of its subregion; detach it first.")

    def done(_when: float) -> None:
        found.subregion = target
        for disk in disks:
            disk.subregion = target
        for address in addresses:
            detach_address(world, address)
            attach_address(world, found, make_address(world, target, AUTOMATIC))

    locks: list[Lockable] = [found, *disks]
    return start(call, Work(SUBREGION_CHANGE, INSTANCE, found.name, done, object_id=found.id, locks=locks))
