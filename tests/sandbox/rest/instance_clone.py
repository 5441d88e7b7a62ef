# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloning an instance (docs/service/infrastructure.md, "Changing an instance")."""

from __future__ import annotations

import secrets
from copy import deepcopy
from typing import Any

from sandbox.issued import marked
from sandbox.rest import lookup
from sandbox.rest.attachment import (
    AUTOMATIC,
    attach_address,
    attach_disk,
    attach_network,
    make_address,
    make_disk,
    require_room,
)
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.instance_creation import INITIALIZING, PASSWORD, POWERED_ON, start_creation
from sandbox.rest.models import Disk, Instance, Lock, Network
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import require_free

CLONING, POWERED_OFF = 141, 87
NEW_CONFIGURATION, SAME_CONFIGURATION = 869, 870


@handles("instance_clone")
def clone_instance(call: Call) -> Any:
    """A second instance of the same type with copies of the disks."""
    source = lookup.addressed(call, Instance)
    require_free(call, source)
    if call.body["CloneType"] not in (NEW_CONFIGURATION, SAME_CONFIGURATION):
        raise Refusal(400, "CloneType: there is no such kind of clone.")
    call.paid()
    subregion = lookup.active_subregion(call, call.body.get("SubregionId", source.subregion)).id
    for number in source.networks:
        require_room(call.world, call.world.table(Network)[number])
    copy = deepcopy(source)
    copy.id, copy.name = call.world.new_id(Instance), call.body["CloneName"]
    copy.created, copy.status, copy.subregion = call.now, INITIALIZING, subregion
    copy.disks, copy.addresses, copy.networks, copy.lock, copy.fragment = [], [], [], Lock(), None
    copy.console = None
    if call.body["CloneType"] == NEW_CONFIGURATION and copy.method == PASSWORD:
        copy.password = marked("instancepassword", secrets.token_urlsafe(12))
    call.world.table(Instance)[copy.id] = copy
    _equip(call, source, copy)
    status = POWERED_ON if call.body.get("PowerOn", False) else POWERED_OFF
    return start_creation(call, copy, CLONING, status, source)


def _equip(call: Call, source: Instance, copy: Instance) -> None:
    world = call.world
    for number in source.disks:
        disk = world.table(Disk)[number]
        made = Disk(world.new_id(Disk), disk.name, disk.capacity, disk.tier, call.now, copy.subregion)
        attach_disk(world, copy, make_disk(world, made), system=disk.connections[source.id].system)
    if source.addresses:
        attach_address(world, copy, make_address(world, copy.subregion, AUTOMATIC))
    for number in source.networks:
        attach_network(world, copy, world.table(Network)[number], call.now)
