# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to instances, read together with them.

If a list of the whole account says which instance each part belongs to, it is read once for several instances. The rest
takes a request for each instance, and those are limited.
"""

from __future__ import annotations

import base64
import binascii
import typing as t

from ..._core.errors import Forbidden, InvalidInput, NotFound
from ..._core.text import join_names
from ..._core.type_aliases import JsonObject
from ..disk import disk_record
from ..event import event_record
from ..instance_autoscaler import autoscaler_record
from ..ip_address import ip_address_record
from ..private_network import private_network_record
from ..reference_names import INSTANCE, ReferenceNames
from ..rest_records import item
from ..snapshot import snapshot_record
from ..ssh_key import ssh_key_record
from .instance_records import InstanceSearch, by_instance, interface_record, read_access_data

if t.TYPE_CHECKING:
    from ..._core.type_aliases import JsonObject, JsonObjects
    from ..api import Infrastructure

NAMELESS_PARTS = ("disks", "ip_addresses", "private_networks", "snapshots", "interfaces")
"""What refers to other objects by ID only."""

INCLUDED_REFERENCES = ("subregion", "default_subregion", "instance", "instances")


def with_included(
    api: Infrastructure, known: ReferenceNames, records: t.Sequence[JsonObject], names: t.Sequence[str], limit: int
) -> list[JsonObject]:
    """Return the instances with what belongs to them in ``included``, without those that are gone by now.

    Raises InvalidInput if there are too many of them.
    """
    _check_requests(names, len(records), limit)
    whole = {name: WHOLE_LISTS[name](api) for name in names if name in WHOLE_LISTS} if len(records) > 1 else {}
    result = []
    for record in records:
        try:
            included = {name: _read(api, record["id"], name, whole.get(name)) for name in names}
        except (Forbidden, NotFound) as refusal:
            InstanceSearch(api).require_unlisted(record["id"], refusal)
        else:
            result.append({**record, "included": included})
    known.know(INSTANCE, [{"Id": record["id"], "Name": record["name"]} for record in records])
    parts = [one for record in result for name in NAMELESS_PARTS for one in record["included"].get(name, ())]
    known.fill(parts, *INCLUDED_REFERENCES)
    return result


def _check_requests(names: t.Sequence[str], count: int, limit: int) -> None:
    single = [name for name in names if name not in WHOLE_LISTS]
    if single and count > limit:
        raise InvalidInput(
            f"include: {join_names(single)} would take {len(single) * count} requests, because there are {count} "
            f"instances; include_limit is {limit}.",
            next_step="Choose fewer instances with id, name or the filters, or raise include_limit.",
            option="include_limit",
        )


def _read(api: Infrastructure, number: int, name: str, grouped: t.Mapping[int, JsonObjects] | None) -> t.Any:
    """Return what belongs to one instance; ``grouped`` is the list of the account, if it was read for all."""
    found = EACH[name](api, number) if grouped is None else grouped.get(number, [])
    describe = RECORD_BUILDERS.get(name)
    if describe is None:
        return found
    records = [describe(one) for one in found]
    if name == "private_networks":  # of this instance only: a large one would be repeated for each of its members
        for record in records:
            record["instances"] = [one for one in record["instances"] if one["id"] == number]
    return records


def _init_script(api: Infrastructure, number: int) -> str | None:
    """Return the text of the script; if it is not base64 of a text, it stays as the service has it."""
    sent = api.get_init_script(number)
    if sent is None:
        return None
    try:
        return base64.b64decode(sent, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return sent


RECORD_BUILDERS: dict[str, t.Callable[[JsonObject], t.Any]] = {
    "disks": disk_record,
    "ip_addresses": ip_address_record,
    "private_networks": private_network_record,
    "ssh_keys": ssh_key_record,
    "snapshots": snapshot_record,
    "interfaces": interface_record,
    "events": event_record,
    "software": item,
}
"""What makes the record of each; the others stay as they were read."""

WHOLE_LISTS: dict[str, t.Callable[[Infrastructure], dict[int, JsonObjects]]] = {
    "disks": lambda api: by_instance(api.list_disks(), lambda one: one.get("Connections")),
    "ip_addresses": lambda api: by_instance(api.list_ip_addresses(), lambda one: [one]),
    "private_networks": lambda api: by_instance(api.list_networks(), lambda one: one.get("PrivateIps")),
}
"""What the service lists for the whole account, grouped by the IDs of the instances."""

EACH: dict[str, t.Callable[[Infrastructure, int], t.Any]] = {
    "disks": lambda api, number: api.list_instance_disks(number),
    "ip_addresses": lambda api, number: api.list_instance_ip_addresses(number),
    "private_networks": lambda api, number: api.list_instance_networks(number),
    "ssh_keys": lambda api, number: api.list_instance_ssh_keys(number),
    "snapshots": lambda api, number: api.list_instance_snapshots(number),
    "interfaces": lambda api, number: api.list_instance_interfaces(number),
    "events": lambda api, number: api.list_instance_events(number),
    "software": lambda api, number: api.list_instance_software(number),
    "autoscaler": lambda api, number: autoscaler_record(api.get_autoscaler(number)),
    "access_data": read_access_data,
    "init_script": _init_script,
}
