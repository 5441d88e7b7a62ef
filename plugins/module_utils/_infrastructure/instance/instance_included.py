# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to instances, read along with them.

If a list of the whole account says which instance each item belongs to, it is read once for several instances. The
rest takes a request for each instance, and those are limited.
"""

from __future__ import annotations

import base64
import binascii
import typing as t

from ..._core.errors import Forbidden, InvalidInput, NotFound
from ..._core.text import join_names
from .. import disk, ip_address, private_network, snapshot, ssh_key
from ..rest_records import INSTANCE, ReferenceNames, item, item_members, plain_members
from .instance_records import InstanceSearch

if t.TYPE_CHECKING:
    from ..api import Infrastructure
    from ..rest_client import Item
    from ..rest_records import Row

Value = t.TypeVar("Value")
Grouped = t.Dict[t.Any, t.List[t.Any]]
NAMELESS_PARTS = ("disks", "ip_addresses", "private_networks", "snapshots")
"""What refers to other objects by ID only."""

REFERENCES = ("subregion", "default_subregion", "instance", "instances")
_EVENT = {"id": "Id", "date": "Date", "message": "Message"}
_NAMED_OF_EVENT = {"operation_type": "OperationType", "operation_status": "OperationStatus"}


def with_included(
    api: Infrastructure, known: ReferenceNames, records: t.Sequence[Row], names: t.Sequence[str], limit: int
) -> list[Row]:
    """Return the instances with what belongs to them in ``included``, without those that are gone by now.

    Raises InvalidInput if there are too many of them.
    """
    _check(names, len(records), limit)
    whole = {name: LISTS[name](api) for name in names if name in LISTS} if len(records) > 1 else {}
    result = []
    for record in records:
        included = _included(api, record["id"], names, whole)
        if included is not None:
            result.append({**record, "included": included})
    known.know(INSTANCE, [{"Id": record["id"], "Name": record["name"]} for record in records])
    parts = [one for record in result for name in NAMELESS_PARTS for one in record["included"].get(name, ())]
    known.fill(parts, *REFERENCES)
    return result


def _included(api: Infrastructure, number: int, names: t.Sequence[str], whole: t.Mapping[str, Grouped]) -> Row | None:
    """Return what belongs to one instance, None if it is gone; ``whole`` are the lists that were read for all."""
    try:
        return {name: whole[name].get(number, []) if name in whole else EACH[name](api, number) for name in names}
    except (Forbidden, NotFound) as refusal:
        InstanceSearch(api).require_unlisted(number, refusal)
        return None


def _check(names: t.Sequence[str], count: int, limit: int) -> None:
    alone = [name for name in names if name not in LISTS]
    if alone and count > limit:
        raise InvalidInput(
            f"include: {join_names(alone)} would take {len(alone) * count} requests, because there are {count} "
            f"instances; include_limit is {limit}.",
            next_step="Choose fewer instances with id, name or the filters, or raise include_limit.",
            option="include_limit",
        )


# ---------------------------------------------------------------- from a list of the whole account


def _disks(api: Infrastructure) -> Grouped:
    grouped: Grouped = {}
    for one in disk.DiskSearch(api).list_items():
        for owner in _owners(one.get("Connections")):
            grouped.setdefault(owner, []).append(disk.disk_record(one))
    return grouped


def _addresses(api: Infrastructure) -> Grouped:
    grouped: Grouped = {}
    for one in api.list_ip_addresses():
        grouped.setdefault((one.get("Instance") or {}).get("Id"), []).append(ip_address.ip_address_record(one))
    return grouped


def _networks(api: Infrastructure) -> Grouped:
    grouped: Grouped = {}
    for one in private_network.NetworkSearch(api).list_items():
        for owner in _owners(one.get("PrivateIps")):
            grouped.setdefault(owner, []).append(_network(one, owner))
    return grouped


def _owners(members: t.Iterable[Item] | None) -> list[t.Any]:
    """Return the IDs of the instances that the members refer to, each once."""
    return list(dict.fromkeys((one.get("Instance") or {}).get("Id") for one in members or ()))


def _network(network: Item, number: int) -> Row:
    """Return the record of a network with this instance only: a large one would be repeated for each of its members."""
    record = private_network.private_network_record(network)
    return {**record, "instances": [one for one in record["instances"] if one["id"] == number]}


# ---------------------------------------------------------------- of one instance


def _event(event: Item) -> Row:
    user = event.get("User") or {}
    return {**plain_members(event, _EVENT), **item_members(event, _NAMED_OF_EVENT), "user": user.get("Login")}


def _access_data(api: Infrastructure, number: int) -> Row:
    try:
        data = api.get_access_data(number)
    except NotFound:  # there is no data, or not yet
        data = {}
    keys = [
        plain_members(key, {"id": "Id", "name": "Name", "public_key": "Value"}) for key in data.get("SshKeys") or ()
    ]
    return {"password": data.get("Password"), "ssh_keys": keys}


def _init_script(api: Infrastructure, number: int) -> str | None:
    """Return the text of the script; if it is not base64 of a text, it stays as the service has it."""
    sent = api.get_init_script(number)
    if sent is None:
        return None
    try:
        return base64.b64decode(sent, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return sent


def _each(
    read: t.Callable[[Infrastructure, int], t.Iterable[Item]], described: t.Callable[[Item], t.Any]
) -> t.Callable[[Infrastructure, int], t.Any]:
    return lambda api, number: [described(one) for one in read(api, number)]


LISTS: dict[str, t.Callable[[Infrastructure], Grouped]] = {
    "disks": _disks,
    "ip_addresses": _addresses,
    "private_networks": _networks,
}
EACH: dict[str, t.Callable[[Infrastructure, int], t.Any]] = {
    "disks": _each(lambda api, number: api.list_instance_disks(number), disk.disk_record),
    "ip_addresses": _each(lambda api, number: api.list_instance_ip_addresses(number), ip_address.ip_address_record),
    "private_networks": lambda api, number: [_network(one, number) for one in api.list_instance_networks(number)],
    "ssh_keys": _each(lambda api, number: api.list_instance_ssh_keys(number), ssh_key.ssh_key_record),
    "snapshots": _each(lambda api, number: api.list_instance_snapshots(number), snapshot.snapshot_record),
    "events": _each(lambda api, number: api.list_instance_events(number), _event),
    "software": _each(lambda api, number: api.list_instance_software(number), item),
    "init_script": _init_script,
    "access_data": _access_data,
}
