# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure as it will be after the earlier tasks of a run in check mode, which have only promised it.

Whatever is read shows what would be new and changed, and not what would be removed. So names and numbers of what is
promised are found in the same way as all others, and a name that nobody has promised is as wrong as it always is.
"""

from __future__ import annotations

import re
import typing as t

from .._connection.check_mode_promises import Promises, is_promised
from .._core.errors import NotFound
from .._engine.plan import LATER
from .rest_client import Item, Items, RestClient
from .rest_records import Row

if t.TYPE_CHECKING:
    from .._connection.task import Task

Client = t.TypeVar("Client", bound=RestClient)
KINDS = {
    "/account/sshkeys": "ssh_key",
    "/opns": "private_network",
    "/disks": "disk",
    "/instances": "instance",
    "/instances/ip_addresses": "ip_address",
    "/snapshots": "snapshot",
    "/templates": "template",
}
OF_INSTANCE = {
    "disks": "disk",
    "ip_addresses": "ip_address",
    "opns": "private_network",
    "snapshots": "snapshot",
    "ssh_keys": "ssh_key",
}
MEMBERS = {
    "public_key": "Value",
    "size": "SpaceCapacity",
    "disk_class": "Tier",
    "isfreemium": "IsFreemium",
    "reverse_dns": "RevDns",
    "reverse_dns_v6": "RevDnsV6",
}
"""Members of the service whose names are not those of ours in another spelling."""
POWERED_ON, STATIC, AUTOMATIC = 86, 1106, 1107  # wire-facts section 3.2
UNTOLD = ("creation_user", "owner_user", "is_locked", "instances", "interfaces")
"""Members of a record that are not shown as they are."""
_BELONGING = re.compile(r"/instances/(\d+)/(\w+)")


class InfrastructureToBe(RestClient):
    """What the infrastructure interface in check mode has before all else: what is promised, over what is there."""

    _promises: Promises
    _task: Task

    @classmethod
    def over(cls, api: Client, task: Task, promises: Promises) -> Client:
        """Return an interface with the same connection."""
        kind = type(cls.__name__, (cls, type(api)), {})
        to_be: t.Any = object.__new__(kind)
        vars(to_be).update(vars(api), _promises=promises, _task=task)
        return t.cast("Client", to_be)

    def one(self, operation: str, path: str) -> Item:
        """Return one object. Raises NotFound for what would be removed."""
        parent, _slash, last = path.rpartition("/")
        if parent in KINDS and last.isdigit():
            promised = self._records(KINDS[parent])
            if int(last) in promised:
                record = promised[int(last)]
                if record is None:
                    raise NotFound(f"{operation}: an earlier task would remove it.", status=404)
                return self._item(
                    KINDS[parent], record, None if is_promised(int(last)) else super().one(operation, path)
                )
        self._require_there(operation, path)
        return super().one(operation, path)

    def plain(self, operation: str, path: str) -> t.Any:
        """Return whatever JSON stands there; of what is promised, a password that is known after apply."""
        belonging = _BELONGING.fullmatch(path)
        if belonging and is_promised(int(belonging[1])):
            return {"Password": LATER, "SshKeys": []} if belonging[2] == "access_data" else None
        return super().plain(operation, path)

    def whole(self, operation: str, path: str) -> Items:
        """Read a list that knows no pages."""
        return self._list(path, {}, lambda: super(InfrastructureToBe, self).whole(operation, path))

    def pages(self, operation: str, path: str, **filters: t.Any) -> Items:
        """Read a whole list."""
        return self._list(path, filters, lambda: super(InfrastructureToBe, self).pages(operation, path, **filters))

    def _list(self, path: str, filters: t.Mapping[str, t.Any], read: t.Callable[[], Items]) -> Items:
        kind, owner = KINDS.get(path), filters.get("instance_id")
        belonging = _BELONGING.fullmatch(path)
        if belonging:
            kind, owner = OF_INSTANCE.get(belonging[2]), int(belonging[1])
        listed = [] if is_promised(owner) else read()
        return listed if kind is None else self._to_be(kind, owner, listed, filters)

    def _to_be(self, kind: str, owner: int | None, listed: Items, filters: t.Mapping[str, t.Any]) -> Items:
        """Return a list as it would be; ``owner`` is the instance whose list it is, or None."""
        there = self._changed(kind, listed)
        new = [record for record in self._new(kind, owner, there) if _fits(record, filters)]
        disks = self._system_disk(owner) if kind == "disk" and is_promised(owner) else ()
        return [*there, *(self._item(kind, record) for record in new), *disks]

    def _changed(self, kind: str, listed: Items) -> Items:
        """Return what the service lists as it would be, without what would be removed."""
        promised, there = self._records(kind), []
        for item in listed:
            if item.get("Id") not in promised:
                there.append(item)
            elif promised[item["Id"]] is not None:
                there.append(self._item(kind, promised[item["Id"]] or {}, item))
        return there

    def _new(self, kind: str, owner: int | None, there: Items) -> list[Row]:
        """Return what would be new, of one instance if ``owner`` is given; what is there by now is not promised."""
        known = set() if kind == "snapshot" else {item.get("Name") for item in there} - {None}
        new = [one for one in self._promises.promised(self._task, kind) if one.get("name") not in known]
        return new if owner is None else [record for record in new if self._belongs(kind, record, int(owner))]

    def _require_there(self, operation: str, path: str) -> None:
        """Raise NotFound for a path with a number that no request may have."""
        if any(is_promised(int(number)) for number in re.findall(r"\d+", path)):
            raise NotFound(f"{operation}: there is no such object.", status=404)

    def _records(self, kind: str) -> dict[t.Any, Row | None]:
        return self._promises.of(self._task, kind)

    def _belongs(self, kind: str, record: Row, owner: int) -> bool:
        """Return whether what is promised is in, or of, an instance."""
        if kind in ("private_network", "ssh_key"):
            return record["id"] in _numbers((self._records("instance").get(owner) or {}).get(f"{kind}s"))
        own = {*_numbers([record.get("instance")]), *_numbers(record.get("instances"))}
        of_instance = (self._records("instance").get(owner) or {}).get("ip_addresses") if kind == "ip_address" else ()
        return owner in own or record["id"] in _numbers(of_instance)

    def _system_disk(self, owner: int | None) -> Items:
        """Return the system disk of an instance that is promised, as far as it is known."""
        instance = self._records("instance").get(owner)
        if instance is None:
            return []
        connection = {"Instance": {"Id": owner, "Name": instance.get("name")}, "IsSystemDisk": True}
        disk = {"name": instance.get("name"), "disk_class": instance.get("disk_class")}
        known = self._item("disk", {**disk, "size": instance.get("init_disk_size")})
        return [{**known, "Id": owner, "Connections": [connection]}]

    def _item(self, kind: str, record: Row, there: Item | None = None) -> Item:
        """Return an object as the service would show it; what is not known is as it is today."""
        item = dict(there or {})
        shown = {name: value for name, value in record.items() if name not in UNTOLD}
        item.update((MEMBERS.get(name) or _pascal(name), _value(value)) for name, value in shown.items())
        if kind == "disk":
            system, inside = bool(record.get("is_system_disk")), record.get("instances", ())
            item["Connections"] = [{"Instance": _value(one), "IsSystemDisk": system} for one in inside]
        elif kind == "private_network":
            item["PrivateIps"] = [*item.get("PrivateIps", ()), *self._interfaces(record)]
        return item if there is not None else {**_of_new(kind, record), **item}

    def _interfaces(self, network: Row) -> Items:
        """Return the interfaces that promised instances would have in a private network."""
        instances = [record for record in self._records("instance").values() if record]
        inside = [one for one in instances if network["id"] in _numbers(one.get("private_networks"))]
        return [{"Instance": {"Id": one["id"], "Name": one.get("name")}} for one in inside]


def _numbers(items: t.Any) -> set[int]:
    """Return the numbers of ``{id, label}``, or of numbers, in a list."""
    return {one["id"] if isinstance(one, dict) else one for one in items or () if one}


def _of_new(kind: str, record: Row) -> Item:
    """Return what is known of everything new of a kind."""
    if kind == "instance":
        return {"Status": {"Id": POWERED_ON, "Label": None}}
    if kind == "ip_address":
        number = STATIC if record.get("static") else AUTOMATIC
        return {"Address": str(record["id"]), "Type": {"Id": number, "Label": None}}
    return {}


def _fits(record: Row, filters: t.Mapping[str, t.Any]) -> bool:
    """Return whether something promised is among what a filter lists, as far as it is known."""
    wanted = {name[:-3]: value for name, value in filters.items() if name.endswith("_id") and name != "instance_id"}
    others = (
        str(filters.get("query") or "") not in str(record.get("name")),
        filters.get("disk_type") == "System",
        filters.get("only_free") and record.get("instance"),
        filters.get("source") not in (None, "All", "Own"),
    )
    fits = all(value is None or value in _numbers([record.get(name)]) for name, value in wanted.items())
    return fits and not any(others)


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _value(value: t.Any) -> t.Any:
    """Return ``{id, label}`` as the service has it."""
    if isinstance(value, list):
        return [_value(one) for one in value]
    if isinstance(value, dict) and "id" in value:
        return {"Id": value["id"], "Name": value.get("label"), "Label": value.get("label")}
    return value
