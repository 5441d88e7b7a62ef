# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to an instance and does not come with it: its system disk, private networks and public addresses.

Each costs a request (wire-facts sections 5.2, 6 and 7), so each is read only where somebody asks for it.
"""

from __future__ import annotations

import typing as t

from ..rest_records import item
from .record import DISK_FIELDS, Api, Record, in_order, system_disk
from .search import Search

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

BELONGINGS = (*DISK_FIELDS, "private_networks", "ip_addresses")


def asked_of(values: t.Mapping[str, t.Any]) -> tuple[str, ...]:
    """Return which of the belongings the values speak of."""
    return tuple(name for name in BELONGINGS if values.get(name) is not None)


def with_belongings(api: Infrastructure, asked: t.Collection[str], current: Record) -> Record:
    """Return the record with the belongings that are asked for.

    Where the service lists no system disk (yet), its class and size are not in the record.
    """
    found, number = dict(current), current["id"]
    if any(name in asked for name in DISK_FIELDS):
        found.update(_of_disk(_read_disk(api, number)))
    if "private_networks" in asked:
        from ..._api.instance_details import InstanceDetails

        found["private_networks"] = _items(InstanceDetails(api).list_instance_networks(number))
    if "ip_addresses" in asked:
        found["ip_addresses"] = _items(api.list_instance_ip_addresses(number))
    return found


class Watch(Search):
    """Reads an instance together with belongings; it counts as locked while its system disk is."""

    def __init__(self, search: Search, asked: t.Collection[str]) -> None:
        super().__init__(search.api, search.names)
        self._asked = asked

    def by_id(self, number: int) -> Record | None:
        """Return the instance, or None."""
        record = super().by_id(number)
        if record is None:
            return None
        lists = [name for name in self._asked if name not in DISK_FIELDS]
        record = with_belongings(self.api, lists, record)
        if len(lists) == len(self._asked):
            return record
        disk = _read_disk(self.api, number)
        return {**record, **_of_disk(disk), "is_locked": record["is_locked"] or bool((disk or {}).get("IsLocked"))}


def _read_disk(api: Infrastructure, number: int) -> Api | None:
    return system_disk(api.list_instance_disks(number, disk_type="System"), number)


def _of_disk(disk: Api | None) -> Record:
    if disk is None:
        return {}
    return {
        "system_disk_id": disk.get("Id"),
        "disk_class": item(disk.get("Tier")),
        "init_disk_size": disk.get("SpaceCapacity"),
    }


def _items(entries: t.Iterable[Api]) -> list[t.Any]:
    return in_order(item(entry) for entry in entries)
