# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public IP addresses (wire-facts 7)."""

from __future__ import annotations

from typing import Any

from sandbox.rest.call import Call
from sandbox.rest.models import Address


def describe_address(call: Call, one: Address) -> dict[str, Any]:
    """The answer's form of an address."""
    world = call.world
    subregion = world.subregions[one.subregion]
    place = {"Id": subregion.id, "Name": subregion.name}
    return {
        "Id": one.id,
        "Address": one.address,
        "AddressV6": one.address_v6,
        "Gateway": one.gateway,
        "NetMask": "255.255.255.0",
        "Instance": _instance(call, one),
        "MacAddress": one.mac,
        "InterfaceId": one.interface,
        "DnsPrefix": f"ip-{one.id}",
        "DhcpBranch": None,
        "Subregion": place,
        "DefaultSubregion": place,
        "Mode": world.dictionaries.value(301, one.mode),
        "Type": world.dictionaries.value(123, one.kind),
        "OwnerAccount": {"Id": world.account.id, "Name": "Account of the sandbox"},
        "Comment": one.comment,
        "RevDns": one.rev_dns,
        "RevDnsV6": one.rev_dns_v6,
        "CreationUser": world.account.user,
    }


def _instance(call: Call, one: Address) -> dict[str, Any] | None:
    if one.instance is None:
        return None
    return {"Id": one.instance, "Name": call.world.instances[one.instance].name}
