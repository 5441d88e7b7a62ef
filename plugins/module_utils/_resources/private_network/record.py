# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A private network as plain data, and how it is found. Members: wire-facts section 7."""

from __future__ import annotations

import typing as t

from ..._api.networks import Networks
from ..._core.errors import Forbidden, NotFound
from ..parts.record import Api, Record, login, plain
from ..parts.search import Item, PartSearch

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

_PLAIN = {"id": "Id", "name": "Name", "creation_date": "CreationDate", "last_change_date": "LastChangeDate"}
_MEMBER = {
    "address": "Address",
    "address_v6": "AddressV6",
    "mac_address": "MacAddress",
    "interface_id": "InterfaceId",
}


class NetworkSearch(PartSearch):
    """Finds private networks."""

    kind = "private network"
    kinds = "private networks"
    queries = True
    references = ("instances",)

    def __init__(self, api: Infrastructure) -> None:
        super().__init__(api)
        self.networks = Networks(api)

    def listed(self, **filters: t.Any) -> list[Item]:
        """Return the private networks that the service lists."""
        return self.networks.list_networks(**filters)

    def read(self, number: int) -> Item:
        """Return one private network."""
        return self.networks.get_network(number)

    def by_id(self, number: int) -> Record | None:
        """Return the private network with this number, or None: what cannot be read may be listed all the same.

        Reading one is younger than the list (wire-facts section 7).
        """
        try:
            return described(self.read(number))
        except (Forbidden, NotFound):
            return next((described(item) for item in self.listed() if item.get("Id") == number), None)

    def described(self, item: Api) -> Record:
        """Return the record of a private network."""
        return described(item)


def described(network: Api) -> Record:
    """Return the record of a private network; ``instances`` are those in it, with their addresses there."""
    return {
        **plain(network, _PLAIN),
        "instances": [_member(one) for one in network.get("PrivateIps") or () if one.get("Instance")],
        "creation_user": login(network),
    }


def _member(member: Api) -> Record:
    instance = member["Instance"]
    return {"id": instance.get("Id"), "label": instance.get("Name"), **plain(member, _MEMBER)}
