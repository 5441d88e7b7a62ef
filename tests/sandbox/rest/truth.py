# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What there really is, for tests to compare with: flat, ids only, no passwords."""

from __future__ import annotations

from typing import Any

from sandbox.rest.models import Address, Disk, Instance, Network, Snapshot, SshKey, Ticket
from sandbox.rest.world import World


def truth(world: World) -> dict[str, Any]:
    """All objects by kind."""
    return {
        "instances": [_instance(world, one) for one in world.instances.values()],
        "disks": [_disk(one) for one in world.disks.values()],
        "ips": [_address(one) for one in world.addresses.values()],
        "keys": [_key(one) for one in world.keys.values()],
        "networks": [_network(one) for one in world.networks.values()],
        "snapshots": [_snapshot(one) for one in world.snapshots.values()],
        "templates": [{"Id": one.id, "Name": one.name, "Source": one.source} for one in world.templates.values()],
        "tickets": [_ticket(one) for one in world.tickets.values()],
    }


def _instance(world: World, one: Instance) -> dict[str, Any]:
    return {
        "Id": one.id,
        "Name": one.name,
        "Status": one.status,
        "IsLocked": one.lock.since is not None,
        "Type": one.type,
        "Template": one.template,
        "Subregion": one.subregion,
        "AuthorizationMethod": one.method,
        "IsFreemium": one.free_plan,
        "Disks": list(one.disks),
        "SystemDisk": next((number for number in one.disks if world.disks[number].system), None),
        "IpAddresses": list(one.addresses),
        "Opns": list(one.networks),
        "SshKeys": list(one.keys),
        "HasInitScript": one.init_script is not None,
    }


def _disk(one: Disk) -> dict[str, Any]:
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


def _address(one: Address) -> dict[str, Any]:
    kept = {"Id": one.id, "Address": one.address, "Type": one.kind, "Instance": one.instance}
    return {**kept, "Subregion": one.subregion, "Comment": one.comment}


def _key(one: SshKey) -> dict[str, Any]:
    return {"Id": one.id, "Name": one.name, "Value": one.value}


def _network(one: Network) -> dict[str, Any]:
    return {"Id": one.id, "Name": one.name, "Instances": list(one.members)}


def _snapshot(one: Snapshot) -> dict[str, Any]:
    return {"Id": one.id, "Name": one.name, "Instance": one.instance}


def _ticket(one: Ticket) -> dict[str, Any]:
    kept = {"Id": one.id, "Status": one.status, "OperationType": one.operation}
    return {**kept, "ObjectType": one.object_type, "ObjectId": one.object_id, "ObjectName": one.object_name}
