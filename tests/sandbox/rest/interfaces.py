# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Network interfaces of instances (wire-facts 7); their members are an assumption."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Instance
from sandbox.rest.paging import page


def _interfaces(call: Call, instance: Instance) -> list[dict[str, Any]]:
    owner = {"Id": instance.id, "Name": instance.name}
    found = []
    for number in instance.addresses:
        address = call.world.addresses[number]
        place = {"Id": address.interface, "MacAddress": address.mac}
        found.append({**place, "Instance": owner, "IpAddress": address.address, "Opn": None})
    for number in instance.networks:
        network = call.world.networks[number]
        member = network.members[instance.id]
        place = {"Id": member.interface, "MacAddress": member.mac}
        opn = {"Id": network.id, "Name": network.name}
        found.append({**place, "Instance": owner, "IpAddress": None, "Opn": opn})
    return found


@handles("listInterfaces")
def list_interfaces(call: Call) -> Any:
    """Interfaces of all instances."""
    found = [one for instance in call.world.instances.values() for one in _interfaces(call, instance)]
    return page(call, found, lambda one: one)


@handles("listInstanceInterfaces")
def list_instance_interfaces(call: Call) -> Any:
    """Interfaces of one instance."""
    return page(call, _interfaces(call, lookup.instance(call)), lambda one: one)
