# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to an instance: its disks, private networks and addresses, and the access data (wire-facts section 5.1).

Each of them costs a request, so each is read only where somebody asks for it.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import NotFound
from ..rest_records import Api, Row, item, plain_members
from .instance_records import DISK_FIELDS, InstanceSearch, sort_by_id

if t.TYPE_CHECKING:
    from ..api import Infrastructure
    from ..rest_client import Item, Items


def by_instance(entries: Items, references: t.Callable[[Item], t.Any]) -> dict[t.Any, Items]:
    """Return what belongs to each instance; ``references`` are the parts of an entry that may name one."""
    found: dict[t.Any, Items] = {}
    for entry in entries:
        for number in {(one.get("Instance") or {}).get("Id") for one in references(entry) or ()}:
            found.setdefault(number, []).append(entry)
    return found


def first_system_disk(places: t.Iterable[tuple[Api, Api]]) -> Api | None:
    """Return the system disk among pairs of a place and the disk there, as the service shows it, or None.

    What the place says decides, and not the order of the list (wire-facts 6). Two may say that they are the system disk
    (templates with two disks do): then it is the first one by controller and slot.
    """
    found = [
        (order_of_place(place.get("Controller"), place.get("Slot")), disk)
        for place, disk in places
        if place.get("IsSystemDisk")
    ]
    return min(found, key=lambda one: one[0])[1] if found else None


def system_disk(disks: t.Iterable[Api], instance_id: int) -> Api | None:
    """Return the system disk of an instance, or None if it is not among the disks."""
    return first_system_disk(
        (place, disk)
        for disk in disks
        for place in disk.get("Connections") or ()
        if (place.get("Instance") or {}).get("Id") == instance_id
    )


def order_of_place(controller: int | None, slot: int | None) -> tuple[bool, int, bool, int]:
    """Return what the places of disks are ordered by; one that is not told comes last."""
    return controller is None, controller or 0, slot is None, slot or 0


def with_belongings(api: Infrastructure, asked: t.Collection[str], current: Row, *, disk_locks: bool = False) -> Row:
    """Return the record with the belongings that are asked for.

    Where the service lists no system disk (yet), its class and size are not in the record. With ``disk_locks``, an
    instance counts as locked while its system disk is.
    """
    found, number = dict(current), current["id"]
    if any(name in asked for name in DISK_FIELDS):
        disk = system_disk(api.list_instance_disks(number, disk_type="System"), number)
        if disk is not None:
            found["system_disk_id"] = disk.get("Id")
            found.update(disk_class=item(disk.get("Tier")), init_disk_size=disk.get("SpaceCapacity"))
            if disk_locks and disk.get("IsLocked"):
                found["is_locked"] = True
    if "private_networks" in asked:
        found["private_networks"] = sort_by_id(map(item, api.list_instance_networks(number)))
    if "ip_addresses" in asked:
        found["ip_addresses"] = sort_by_id(map(item, api.list_instance_ip_addresses(number)))
    return found


class BelongingsReader(InstanceSearch):
    """Reads an instance together with belongings; it counts as locked while its system disk is."""

    def __init__(self, search: InstanceSearch, asked: t.Collection[str]) -> None:
        super().__init__(search.api, search.names)
        self._asked = asked

    def by_id(self, number: int) -> Row | None:
        """Return the instance, or None."""
        record = super().by_id(number)
        return record and with_belongings(self.api, self._asked, record, disk_locks=True)


def read_access_data(api: Infrastructure, number: int) -> Row:
    """Return ``{password, ssh_keys}`` of an instance; they are None and empty if there is no data, or not yet."""
    try:
        data = api.get_access_data(number)
    except NotFound:
        data = {}
    members = {"id": "Id", "name": "Name", "public_key": "Value"}
    keys = [plain_members(key, members) for key in data.get("SshKeys") or ()]
    return {"password": data.get("Password"), "ssh_keys": keys}
