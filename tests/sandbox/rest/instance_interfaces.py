# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Network interfaces of instances, and moving one to another network (docs/service/infrastructure.md, "Interfaces")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.attachment import attach_network, detach_network, require_room
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Address, Instance, Network
from sandbox.rest.paging import page
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import Work, require_free, start

RECONFIGURING, INSTANCE = 144, 139
ORDER = {
    "MacAddress": lambda one: one["MacAddress"],
    "Instance": lambda one: one["Instance"]["Name"],
    "Opn": lambda one: (one["Opn"] or {}).get("Name", ""),
    "Address": lambda one: one["Address"],
}
NOTHING_PUBLIC = {"Ip": None, "Comment": None, "RevDns": None, "RevDnsV6": None}


@handles("read_instance_interfaces")
def list_interfaces(call: Call) -> Any:
    """Interfaces of the instance."""
    return page(call, _interfaces(call, lookup.addressed(call, Instance)), dict, ORDER)


@handles("read_all_interfaces")
def list_all_interfaces(call: Call) -> Any:
    """Interfaces of all instances."""
    instances = call.world.table(Instance).values()
    return page(call, [one for instance in instances for one in _interfaces(call, instance)], dict, ORDER)


@handles("instance_change_private_network")
def move_interface(call: Call) -> Any:
    """Put an interface that is in a private network into another one; it keeps its ID and its MAC address."""
    instance = lookup.addressed(call, Instance)
    target = lookup.given(call, Network, call.body["TargetOpnId"], "TargetOpnId")
    require_free(call, instance, target)
    number = call.body["InterfaceId"]
    networks = [call.world.table(Network)[one] for one in instance.networks]
    source = next((one for one in networks if one.members[instance.id].interface == number), None)
    if source is None:
        raise Refusal(400, f"InterfaceId: instance {instance.id} has no interface {number} in a private network.")
    if target in networks:
        raise Refusal(400, f"Instance {instance.id} is in private network {target.id} already.")
    require_room(call.world, target)

    def done(when: float) -> None:
        require_room(call.world, target)
        old = source.members[instance.id]
        detach_network(call.world, instance, source)
        attach_network(call.world, instance, target, when)
        new = target.members[instance.id]
        new.interface, new.mac = old.interface, old.mac

    work = Work(RECONFIGURING, INSTANCE, instance.name, done, object_id=instance.id, locks=[instance])
    return start(call, work)


def _interfaces(call: Call, instance: Instance) -> Iterable[dict[str, Any]]:
    common = {
        "Instance": {"Id": instance.id, "Name": instance.name},
        "Subregion": {"Id": instance.subregion, "Name": ""},
        "CreationUser": call.world.account.user,
    }
    for number in instance.networks:
        network = call.world.table(Network)[number]
        member = network.members[instance.id]
        place = {"InterfaceId": member.interface, "MacAddress": member.mac, "Opn": {"Id": number, "Name": network.name}}
        yield {**common, **place, "Address": member.address, "AddressV6": None, **NOTHING_PUBLIC}
    for number in instance.addresses:
        one = call.world.table(Address)[number]
        place = {"InterfaceId": one.interface, "MacAddress": one.mac, "Opn": None, "Ip": {"Id": number, "Name": ""}}
        texts = {"Comment": one.comment, "RevDns": one.rev_dns, "RevDnsV6": one.rev_dns_v6}
        yield {**common, **place, "Address": one.address, "AddressV6": one.address_v6, **texts}
