# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changing an instance in place (docs/service/infrastructure.md, "Changing an instance")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.instance_creation import desired_type
from sandbox.rest.models import Address, Disk, Instance, Template
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import Work, start

INSTANCE = 139
POWERED_ON = 86
RECONFIGURING, RENAMING, MOVING = 144, 867, 1172


def change(call: Call, found: Instance, operation: int, *, needs_off: bool = False, **values: Any) -> Any:
    """Set attributes of an instance when the ticket ends, which may fail while it is running."""

    def done(_when: float) -> None:
        if needs_off:
            _require_off(call, found)
        for name, value in values.items():
            setattr(found, name, value)
        call.world.touch(found.id)

    return start(call, Work(operation, INSTANCE, found.name, done, object_id=found.id, locks=[found]))


def _require_off(call: Call, found: Instance) -> None:
    """Let the ticket of a running instance fail (setting changes_while_running)."""
    if found.status == POWERED_ON and not call.settings["changes_while_running"]:
        raise Refusal(400, f"Instance {found.id} is running.")


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


@handles("instance_change_scsi_controllers_type")
def change_controller(call: Call) -> Any:
    """Another disk controller."""
    found = lookup.addressed(call, Instance)
    controller = lookup.item(call, 182, call.query["scsiControllerTypeId"], "scsiControllerTypeId")
    return change(call, found, RECONFIGURING, needs_off=True, controller=controller)


@handles("instance_change_hotplug")
def change_hot_plug(call: Call) -> Any:
    """Hot plug on or off."""
    return change(call, lookup.addressed(call, Instance), RECONFIGURING, hot_plug=call.query["hotPlugEnabled"])


@handles("instance_change_subregion")
def move_instance(call: Call) -> Any:
    """Another subregion for an instance with its system disk and its addresses; an additional disk hinders it."""
    found = lookup.addressed(call, Instance)
    if "SubregionId" not in call.body:
        raise Refusal(400, "SubregionId: which subregion is meant?")
    subregion = lookup.active_subregion(call, call.body["SubregionId"]).id
    disks = [call.world.table(Disk)[number] for number in found.disks]
    if not all(disk.connections[found.id].system for disk in disks):
        raise Refusal(400, f"Instance {found.id} has an additional disk.")

    def done(_when: float) -> None:
        _require_off(call, found)
        moved: list[Instance | Disk | Address] = [found, *disks]
        for one in (*moved, *(call.world.table(Address)[number] for number in found.addresses)):
            one.subregion = subregion
        call.world.touch(found.id)

    return start(call, Work(MOVING, INSTANCE, found.name, done, object_id=found.id, locks=[found]))
