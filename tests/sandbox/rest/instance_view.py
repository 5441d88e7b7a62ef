# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances as the answers show them (docs/service/infrastructure.md, "Instances")."""

from __future__ import annotations

from typing import Any

from sandbox.rest.models import Address, Disk, Instance, InstanceType, Network, Subregion
from sandbox.rest.resource import Resource, declare
from sandbox.rest.times import optional, show
from sandbox.rest.world import World

HOURLY, MONITORED = 33, 839


def describe_instance(world: World, one: Instance) -> dict[str, Any]:
    """The answer's form of an instance."""
    size = world.table(InstanceType)[one.type]
    subregion = world.table(Subregion)[one.subregion]
    return {
        "Id": one.id,
        "Name": one.name,
        "CreationDate": show(one.created),
        "CreationUser": world.account.user,
        "IsLocked": one.lock.since is not None,
        "LockingDate": optional(one.lock.since),
        "Template": {"Id": one.template, "Name": one.template_name},
        "Subregion": {"Id": subregion.id, "Name": subregion.name},
        **_values(world, one),
        "IpAddress": public_address(world, one),
        "PrivateIpAddress": private_address(world, one),
        "DnsAddress": f"i-{one.id}.example.com",
        "TotalDisksCapacity": sum(world.table(Disk)[number].capacity for number in one.disks),
        "HealthCheck": None,
        "IsFreemium": one.free_plan,
        "CpuNumber": size.cpu,
        "RamMb": size.ram,
        "SupportType": None,
        "IsHotPlugEnabled": one.hot_plug,
    }


def _values(world: World, one: Instance) -> dict[str, Any]:
    value = world.dictionaries.value
    return {
        "Type": value(12, one.type),
        "Status": value(27, one.status),
        "SystemCategory": value(70, one.category),
        "AutoscalingType": value(56, one.autoscaling),
        "VmWareToolsStatus": value(155, one.tools),
        "MonitStatus": value(92, MONITORED),
        "TemplateType": value(52, one.template_type),
        "PaymentType": value(11, HOURLY),
        "ScsiControllerType": value(182, one.controller),
    }


def public_address(world: World, one: Instance) -> str | None:
    """The first public address, null without one."""
    return world.table(Address)[one.addresses[0]].address if one.addresses else None


def private_address(world: World, one: Instance) -> str | None:
    """The first private address, null without one."""
    return world.table(Network)[one.networks[0]].members[one.id].address if one.networks else None


def _truth(world: World, one: Instance) -> dict[str, Any]:
    return {
        "Id": one.id,
        "Name": one.name,
        "Status": one.status,
        "AutoscalingType": one.autoscaling,
        "IsLocked": one.lock.since is not None,
        "Type": one.type,
        "Template": one.template,
        "Subregion": one.subregion,
        "Controller": one.controller,
        "HotPlug": one.hot_plug,
        "AuthorizationMethod": one.method,
        "IsFreemium": one.free_plan,
        "Disks": list(one.disks),
        "SystemDisk": next((number for number in one.disks if world.table(Disk)[number].system), None),
        "IpAddresses": list(one.addresses),
        "Opns": list(one.networks),
        "Console": None if one.console is None else one.console.source,
        "SshKeys": list(one.keys),
        "HasInitScript": one.init_script is not None,
    }


declare(
    Resource(
        Instance,
        "Instance",
        lambda call, one: describe_instance(call.world, one),
        missing="missing_status",
        first_id=250001,
        name="instances",
        truth=_truth,
    )
)
