# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service tells of instances, and how they are found (docs/service/infrastructure.md, "Instances").

Every value of a dictionary and every reference becomes ``{id, label}``. Disks, private networks, addresses and the
access data cost a request each, so each is only read where somebody asks for it.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import NotFound
from ..._core.text import common_prefix
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.plan import Field, write_only
from ..rest_records import RestSearch, item, plain_members, record_of, same_item, single

if t.TYPE_CHECKING:
    from ..._core.type_aliases import JsonObject, JsonObjects
    from ..api import Infrastructure
    from ..reference_names import ReferenceNames

KIND = "instance"
POWERED_ON, POWERED_OFF, DELETED, INITIALIZING = 86, 87, 126, 1748  # dictionary 27

DISK_FIELDS = ("disk_class", "init_disk_size")
"""What an instance has from its system disk."""
IN_LISTS = ("name", "type", "status")
"""What lists show of what can be changed in place."""

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


def contains_items(desired: object, current: object) -> bool:
    """Return whether every desired item is among the current ones; more may be."""
    return item_ids(desired) <= item_ids(current)


def same_items(desired: object, current: object) -> bool:
    """Return whether both lists hold the same items, in any order."""
    return item_ids(desired) == item_ids(current)


def item_ids(items: t.Any) -> set[int]:
    """Return the numbers of ``{id, label}`` in a list, which may be None."""
    return {one["id"] for one in items or ()}


def sort_by_id(items: t.Iterable[object]) -> list[t.Any]:
    """Return items by their numbers: the service lists them in no order."""
    return sorted(items, key=lambda one: int(one["id"]))


def join_items(current: t.Any, desired: t.Any) -> list[t.Any]:
    """Return the current items and those desired ones that are new."""
    have = item_ids(current)
    return sort_by_id([*(current or ()), *(one for one in desired if one["id"] not in have)])


INSTANCE_FIELDS: tuple[Field, ...] = (
    Field("name"),
    Field("type", same_item, follows=("cpu_number", "ram_mb"), may_be_unknown=True, sent_if_unknown=True),
    Field("status", same_item, follows=("guest_tools_status",), may_be_unknown=True, sent_if_unknown=True),
    Field("subregion", same_item, on_update=False, may_be_unknown=True),
    Field("template", same_item, on_update=False, may_be_unknown=True),
    Field("disk_class", same_item, may_be_unknown=True),
    Field(
        "init_disk_size",
        may_be_unknown=True,
        on_update=lambda desired, current: bool(current is None or desired >= current),
        why="a disk can only grow",
        follows=("total_disks_capacity",),
    ),
    Field("isfreemium", on_update=False, may_be_unknown=True),
    Field("private_networks", contains_items, merge=join_items, follows=("private_ip_address",)),
    Field("ip_addresses", contains_items, merge=join_items, follows=("ip_address", "dns_address")),
    Field("authorization_method", write_only),
    Field("ssh_keys", write_only),
    Field("ip_address_id", write_only),
    Field("without_public_ip", write_only),
    Field("init_script", write_only, secret=True),
)


def instance_fields(params: t.Mapping[str, object]) -> tuple[Field, ...]:
    """Return the fields; with a purge option its list is the whole list and not a part of it."""
    return tuple(
        one._replace(compare=same_items, merge=lambda _current, desired: sort_by_id(desired))
        if params.get(f"purge_{one.name}")
        else one
        for one in INSTANCE_FIELDS
    )


def instance_record(instance: JsonMapping) -> JsonObject:
    """Return the record of an instance; members that the service left out are None, unknown ones are dropped."""
    return record_of(instance, _PLAIN, _NAMED)


def existing_records(entries: t.Iterable[JsonMapping]) -> list[JsonObject]:
    """Return the records of the instances that are not deleted."""
    return [record for record in map(instance_record, entries) if status_of(record) != DELETED]


def status_of(record: JsonObject) -> int | None:
    """Return the number of the status (dictionary 27)."""
    return (record.get("status") or {}).get("id")


def is_busy(record: JsonObject) -> bool:
    """Return whether an operation runs on the instance.

    Powered on does not mean ready: it may be locked still.
    """
    return bool(record.get("is_locked")) or status_of(record) == INITIALIZING


def is_idle(record: JsonObject) -> bool:
    """Return whether the instance was created and no operation is running on it."""
    return not is_busy(record)


def running(record: JsonObject) -> bool:
    """Return whether the instance is powered on and no operation runs on it."""
    return status_of(record) == POWERED_ON and is_idle(record)


def powered_off(record: JsonObject) -> bool:
    """Return whether the instance is powered off and no operation runs on it."""
    return status_of(record) == POWERED_OFF and is_idle(record)


class InstanceSearch(RestSearch):
    """Finds instances; deleted ones, which the service may go on to list, do not count.

    With ``names`` the records have the names of their subregions, and those of templates that are known already.
    """

    kind = KIND
    describe = staticmethod(instance_record)

    def __init__(self, api: Infrastructure, names: ReferenceNames | None = None) -> None:
        super().__init__(api)
        self.has_names = names is not None
        if names is not None:
            self.names = names
        self.listed: set[str | None] = set()
        """All names in the list that ``by_names`` read, also those that it was not asked for."""

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the instances as the service lists them, without those that are deleted."""
        listed = self.api.list_instances(**filters)
        return [one for one in listed if (one.get("Status") or {}).get("Id") != DELETED]

    def read(self, number: int) -> JsonObject:
        """Return one instance."""
        return self.api.get_instance(number)

    def by_names(self, names: t.Collection[str]) -> dict[str, list[JsonObject]]:
        """Return the instances with exactly these names.

        Names are not unique. The filter ``query`` is described as free text and no more, so
        what it does not find counts as missing only after the whole list was read.
        """
        listed = self.api.list_instances(query=common_prefix(names))
        found = self._exactly(names, listed)
        if not all(found.values()):
            listed = self.api.list_instances()
            found = self._exactly(names, listed)
        self.listed = {record["name"] for record in existing_records(listed)}
        return found

    def in_whole_list(self, names: t.Iterable[str]) -> dict[str, list[JsonObject]]:
        """Return the existing instances among these names, from the list without a filter."""
        listed = [*self.complete(self.api.list_instances())]
        return self._exactly({*names}.intersection(one.get("Name") for one in listed), listed)

    def by_name(self, name: str) -> JsonObject | None:
        """Return the instance of that name, or None; the whole list was read before. Raises Ambiguous."""
        return only_instance(name, self.match(name, self.list_items(query=name)))

    def match(self, name: str, items: t.Iterable[JsonObject], *, wild: bool = False) -> list[JsonObject]:
        """Return the records of those with exactly this name."""
        del wild
        return [record for record in self._exactly([name], items)[name] if record["id"] not in self.ignored]

    def listings(self, name: str) -> t.Iterator[list[JsonObject]]:
        """Read the list that may show the one of that name, and may lag behind."""
        yield self.api.listed_instances(name)

    def list_shows(self, names: t.Collection[str]) -> bool:
        """Return whether lists show any of these attributes."""
        return any(name in IN_LISTS for name in names)

    def by_id(self, number: int) -> JsonObject | None:
        """Return the instance with its names, or None."""
        record = super().by_id(number)
        if record is None or status_of(record) == DELETED:
            return None
        self.name_references(record)
        return record

    def by_id_and_name(self, number: int | None, name: str) -> JsonObject | None:
        """Return the instance, or None if there is no ID or it has another name."""
        record = None if number is None else self.by_id(number)
        return record if record is not None and record["name"] == name else None

    def records(self, entries: t.Iterable[JsonMapping]) -> list[JsonObject]:
        """Return the records of those that are not deleted, with names."""
        records = existing_records(entries)
        self.name_references(*records)
        return records

    def name_references(self, *records: JsonObject | None) -> None:
        """Name what the records refer to, in place."""
        if self.has_names:
            found = [record for record in records if record]
            self.names.fill(found, "subregion")
            self.names.fill(found, "template", ask=False)

    def _exactly(self, names: t.Collection[str], listed: t.Iterable[JsonObject]) -> dict[str, list[JsonObject]]:
        found: dict[str, list[JsonObject]] = {name: [] for name in names}
        for record in self.records(entry for entry in self.complete(listed) if entry.get("Name") in found):
            found[record["name"]].append(record)
        return found


def only_instance(name: str, found: t.Sequence[JsonObject]) -> JsonObject | None:
    """Return the one instance, or None. Raises Ambiguous with all ids."""
    return single("instance", "name", name, found, ", or rename the others")


BELONGINGS = (*DISK_FIELDS, "private_networks", "ip_addresses")


def belongings_in(values: t.Mapping[str, object]) -> tuple[str, ...]:
    """Return which of the belongings the values speak of."""
    return tuple(name for name in BELONGINGS if values.get(name) is not None)


def by_instance(entries: JsonObjects, references: t.Callable[[JsonObject], t.Any]) -> dict[t.Any, JsonObjects]:
    """Return what belongs to each instance; ``references`` are the parts of an entry that may name one."""
    found: dict[t.Any, JsonObjects] = {}
    for entry in entries:
        for number in {(one.get("Instance") or {}).get("Id") for one in references(entry) or ()}:
            found.setdefault(number, []).append(entry)
    return found


def first_system_disk(places: t.Iterable[tuple[JsonMapping, JsonMapping]]) -> JsonMapping | None:
    """Return the system disk among pairs of a place and the disk there, as the service shows it, or None.

    What the place says decides, and not the order of the list. Two may say that they are the system disk
    (templates with two disks do): then it is the first one by controller and slot.
    """
    found = [
        (order_of_place(place.get("Controller"), place.get("Slot")), disk)
        for place, disk in places
        if place.get("IsSystemDisk")
    ]
    return min(found, key=lambda one: one[0])[1] if found else None


def system_disk(disks: t.Iterable[JsonMapping], instance_id: int) -> JsonMapping | None:
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


def with_belongings(
    api: Infrastructure, asked: t.Collection[str], current: JsonObject, *, disk_locks: bool = False
) -> JsonObject:
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
        super().__init__(search.api, search.names if search.has_names else None)
        self._asked = asked

    def by_id(self, number: int) -> JsonObject | None:
        """Return the instance, or None."""
        record = super().by_id(number)
        return record and with_belongings(self.api, self._asked, record, disk_locks=True)


def read_access_data(api: Infrastructure, number: int) -> JsonObject:
    """Return ``{password, ssh_keys}`` of an instance; they are None and empty if there is no data, or not yet."""
    try:
        data = api.get_access_data(number)
    except NotFound:
        data = {}
    members = {"id": "Id", "name": "Name", "public_key": "Value"}
    keys = [plain_members(key, members) for key in data.get("SshKeys") or ()]
    return {"password": data.get("Password"), "ssh_keys": keys}
