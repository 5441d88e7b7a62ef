# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk as plain data, and how it is found. Members: wire-facts section 6."""

from __future__ import annotations

import typing as t

from ..._api.disks import Disks
from ..parts.record import Api, Record, items, login, plain
from ..parts.search import Item, PartSearch

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "size": "SpaceCapacity",
    "is_locked": "IsLocked",
    "locking_date": "LockingDate",
    "creation_date": "CreationDate",
    "is_shared": "IsShared",
    "isfreemium": "IsFreemium",
}
_NAMED = {"disk_class": "Tier", "subregion": "Subregion", "shared_disk_type": "SharedDiskType"}


class DiskSearch(PartSearch):
    """Finds disks."""

    kind = "disk"
    kinds = "disks"
    queries = True
    references = ("subregion", "instances")

    def __init__(self, api: Infrastructure) -> None:
        super().__init__(api)
        self.disks = Disks(api)

    def listed(self, **filters: t.Any) -> list[Item]:
        """Return the disks that the service lists; filters: those of list_disks, and instance_id."""
        instance = filters.pop("instance_id", None)
        if instance is not None:
            return self.api.list_instance_disks(instance, **filters)
        return self.disks.list_disks(**filters)

    def read(self, number: int) -> Item:
        """Return one disk."""
        return self.disks.get_disk(number)

    def described(self, item: Api) -> Record:
        """Return the record of a disk."""
        return described(item)


def described(disk: Api) -> Record:
    """Return the record of a disk; ``instances`` are those it is in."""
    connections = [_connection(one) for one in disk.get("Connections") or () if one.get("Instance")]
    return {
        **plain(disk, _PLAIN),
        **items(disk, _NAMED),
        "instances": connections,
        "is_system_disk": any(one["is_system_disk"] for one in connections),
        "creation_user": login(disk),
    }


def _connection(connection: Api) -> Record:
    instance = connection["Instance"]
    return {
        "id": instance.get("Id"),
        "label": instance.get("Name"),
        "controller": connection.get("Controller"),
        "slot": connection.get("Slot"),
        "is_system_disk": bool(connection.get("IsSystemDisk")),
    }
