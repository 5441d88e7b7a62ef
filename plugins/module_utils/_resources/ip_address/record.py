# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A public address as plain data, and how it is found. Members: wire-facts section 7."""

from __future__ import annotations

import typing as t

from ..._api.addresses import Addresses
from ..parts.record import Api, Record, items, login, plain
from ..parts.search import Item, PartSearch

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

STATIC, AUTOMATIC = 1106, 1107  # dictionary 123, wire-facts section 3.2
_PLAIN = {
    "id": "Id",
    "address": "Address",
    "address_v6": "AddressV6",
    "comment": "Comment",
    "reverse_dns": "RevDns",
    "reverse_dns_v6": "RevDnsV6",
    "gateway": "Gateway",
    "netmask": "NetMask",
    "mac_address": "MacAddress",
    "interface_id": "InterfaceId",
    "dns_prefix": "DnsPrefix",
    "dhcp_branch": "DhcpBranch",
}
_NAMED = {
    "instance": "Instance",
    "subregion": "Subregion",
    "default_subregion": "DefaultSubregion",
    "type": "Type",
    "mode": "Mode",
    "owner_account": "OwnerAccount",
}


class AddressSearch(PartSearch):
    """Finds public addresses by their comment, the one text of them that a user sets; or by themselves."""

    kind = "IP address"
    kinds = "IP addresses"
    key = "comment"
    member = "Comment"
    references = ("subregion", "default_subregion", "instance")

    def __init__(self, api: Infrastructure) -> None:
        super().__init__(api)
        self.addresses = Addresses(api)

    def listed(self, **filters: t.Any) -> list[Item]:
        """Return the addresses that the service lists."""
        return self.addresses.list_addresses(**filters)

    def read(self, number: int) -> Item:
        """Return one address."""
        return self.addresses.get_address(number)

    def described(self, item: Api) -> Record:
        """Return the record of an address."""
        return described(item)

    def named(self, record: Record, name: str) -> bool:
        """Return whether the address is still for that comment; a new one gets it in a second step."""
        return record["comment"] in (None, "", name)

    def by_address(self, text: str) -> Record | None:
        """Return the one with this IPv4 or IPv6 text, or None."""
        wanted = text.strip().lower()
        for item in self.listed():
            if wanted in (str(item.get("Address")).lower(), str(item.get("AddressV6")).lower()):
                return described(item)
        return None


def described(address: Api) -> Record:
    """Return the record of an address; ``static`` is what its type says."""
    named = items(address, _NAMED)
    static = None if named["type"] is None else named["type"].get("id") == STATIC
    return {**plain(address, _PLAIN), **named, "static": static, "creation_user": login(address)}
