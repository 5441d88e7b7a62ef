# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An instance as plain data: what is shown of it, and how wanted values are compared with it.

Members: wire-facts section 5.1. Every value of a dictionary and every reference becomes ``{id, label}``.
"""

from __future__ import annotations

import typing as t

from ..._engine.fields import Field, never, same
from ..._engine.plan import LATER, UPDATE, Plan
from ..rest_records import item, same_item

Api = t.Mapping[str, t.Any]
Record = t.Dict[str, t.Any]

POWERED_ON, POWERED_OFF, DELETED, INITIALIZING = 86, 87, 126, 1748  # dictionary 27, wire-facts section 3.2

DISK_FIELDS = ("disk_class", "init_disk_size")
"""What an instance has from its system disk."""

FOLLOWING = {
    "type": ("cpu_number", "ram_mb"),
    "status": ("guest_tools_status",),
    "init_disk_size": ("total_disks_capacity",),
    "private_networks": ("private_ip_address",),
    "ip_addresses": ("ip_address", "dns_address"),
}
"""What else may change together with a value; only the service knows how."""

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "is_locked": "IsLocked",
    "locking_date": "LockingDate",
    "creation_date": "CreationDate",
    "cpu_number": "CpuNumber",
    "ram_mb": "RamMb",
    "total_disks_capacity": "TotalDisksCapacity",
    "isfreemium": "IsFreemium",
    "ip_address": "IpAddress",
    "private_ip_address": "PrivateIpAddress",
    "dns_address": "DnsAddress",
    "is_hot_plug_enabled": "IsHotPlugEnabled",
}
_NAMED = {
    "status": "Status",
    "type": "Type",
    "template": "Template",
    "subregion": "Subregion",
    "template_type": "TemplateType",
    "system_category": "SystemCategory",
    "autoscaling_type": "AutoscalingType",
    "guest_tools_status": "VmWareToolsStatus",
    "monitoring_status": "MonitStatus",
    "payment_type": "PaymentType",
    "support_type": "SupportType",
    "scsi_controller_type": "ScsiControllerType",
    "health_check": "HealthCheck",
}


def holds_items(wanted: t.Any, current: t.Any) -> bool:
    """Return whether every wanted item is among the current ones; more may be."""
    return numbers(wanted) <= numbers(current)


def same_items(wanted: t.Any, current: t.Any) -> bool:
    """Return whether both lists hold the same items, in any order."""
    return numbers(wanted) == numbers(current)


def numbers(items: t.Any) -> set[int]:
    """Return the numbers of ``{id, label}`` in a list, which may be None."""
    return {one["id"] for one in items or ()}


def in_order(items: t.Iterable[t.Any]) -> list[t.Any]:
    """Return items by their numbers: the service lists them in no order."""
    return sorted(items, key=lambda one: int(one["id"]))


def joined(current: t.Any, wanted: t.Any) -> list[t.Any]:
    """Return the current items and those wanted ones that are new."""
    have = numbers(current)
    return in_order([*(current or ()), *(one for one in wanted if one["id"] not in have)])


def replaced(_current: t.Any, wanted: t.Any) -> list[t.Any]:
    """Return the wanted items, which are all that stay."""
    return in_order(wanted)


def grows(wanted: t.Any, current: t.Any) -> bool:
    """Return whether a size is not to become smaller; one that is not told may be anything."""
    return bool(current is None or wanted >= current)


FIELDS: tuple[Field, ...] = (
    Field("name"),
    Field("type", same_item),
    Field("status", same_item),
    Field("subregion", same_item, on_update=False),
    Field("template", same_item, on_update=False),
    Field("disk_class", same_item),
    Field("init_disk_size", same, on_update=grows, why="a disk can only grow"),  # wire-facts section 5.4
    Field("isfreemium", same, on_update=False),
    Field("private_networks", holds_items, merge=joined),
    Field("ip_addresses", holds_items, merge=joined),
    Field("authorization_method", never),
    Field("ssh_keys", never),
    Field("ip_address_id", never),
    Field("without_public_ip", never),
    Field("init_script", never, secret=True),
)


def fields_of(params: t.Mapping[str, t.Any]) -> tuple[Field, ...]:
    """Return the fields; with a purge option its list is the whole list and not a part of it."""
    exact = [name for name in ("private_networks", "ip_addresses") if params.get(f"purge_{name}")]
    return tuple(Field(one.name, same_items, merge=replaced) if one.name in exact else one for one in FIELDS)


def described(instance: Api) -> Record:
    """Return the record of an instance; members that the service left out are None, unknown ones are dropped."""
    user = instance.get("CreationUser") or {}
    return {
        **{name: instance.get(member) for name, member in _PLAIN.items()},
        **{name: item(instance.get(member)) for name, member in _NAMED.items()},
        "creation_user": user.get("Login"),
    }


def foretold(plan: Plan) -> Record:
    """Return the machine as an update will leave it; what follows from another value is known afterwards."""
    changes = plan.values if plan.action == UPDATE else {}
    unknown = {name: LATER for value in changes for name in FOLLOWING.get(value, ())}
    return {**plan.after, **unknown}


def without_later(record: Record) -> Record:
    """Return the record with None for what is known only afterwards."""
    return {name: None if value == LATER else value for name, value in record.items()}


def status_of(record: Record) -> int | None:
    """Return the number of the status (dictionary 27)."""
    return (record.get("status") or {}).get("id")


def unsettled(record: Record) -> bool:
    """Return whether an operation runs on the machine.

    Powered on does not mean ready: it may be locked still (wire-facts section 5.1).
    """
    return bool(record.get("is_locked")) or status_of(record) == INITIALIZING


def running(record: Record) -> bool:
    """Return whether the machine is powered on and no operation runs on it."""
    return status_of(record) == POWERED_ON and not unsettled(record)


def powered_off(record: Record) -> bool:
    """Return whether the machine is powered off and no operation runs on it."""
    return status_of(record) == POWERED_OFF and not unsettled(record)


def system_disk(disks: t.Iterable[Api], instance_id: int) -> Api | None:
    """Return the system disk as the service shows it, or None when it is not among the disks.

    It is the one whose connection to this instance says so; its place in the list is not reliable (wire-facts 6).
    """
    found = [
        (connection, disk)
        for disk in disks
        for connection in disk.get("Connections") or ()
        if (connection.get("Instance") or {}).get("Id") == instance_id
    ]
    return _first_of_system(found)


def system_disk_of_template(template: Api | None) -> Api | None:
    """Return the system disk of a template as the service shows it, None where it tells none."""
    return _first_of_system((disk, disk) for disk in (template or {}).get("Disks") or ())


def _first_of_system(places: t.Iterable[tuple[Api, Api]]) -> Api | None:
    """Return the disk at the first place: two may say that they are the system disk (templates with two disks do)."""
    found = [
        (order_of_place(place.get("Controller"), place.get("Slot")), disk)
        for place, disk in places
        if place.get("IsSystemDisk")
    ]
    return min(found, key=lambda one: one[0])[1] if found else None


def order_of_place(controller: int | None, slot: int | None) -> tuple[bool, int, bool, int]:
    """Return what the places of disks are ordered by; one that is not told comes last."""
    return controller is None, controller or 0, slot is None, slot or 0
