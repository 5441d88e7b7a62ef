# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks (docs/service/infrastructure.md, "Private networks")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup, seeding
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Instance, Network, PrivateAddress
from sandbox.rest.paging import fits, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.ticketing import Work, require_free, start
from sandbox.rest.times import optional, show
from sandbox.rest.visibility import hide, shown

CREATION, REMOVAL, NETWORK = 285, 327, 284


def describe_network(call: Call, one: Network) -> dict[str, Any]:
    """The answer's form of a private network."""
    return {
        "Id": one.id,
        "Name": one.name,
        "CreationDate": show(one.created),
        "LastChangeDate": optional(one.changed),
        "CreationUser": call.world.account.user,
        "PrivateIps": [_member(call, member) for member in one.members.values()],
    }


def _member(call: Call, one: PrivateAddress) -> dict[str, Any]:
    return {
        "InterfaceId": one.interface,
        "MacAddress": one.mac,
        "Address": one.address,
        "AddressV6": None,
        "Instance": {"Id": one.instance, "Name": call.world.table(Instance)[one.instance].name},
        "CreationDate": show(one.created),
    }


declare(
    Resource(
        Network,
        "Private network",
        describe_network,
        missing="missing_status",
        first_id=41101,
        seed=lambda now: (Network(created=now, **row) for row in seeding.read("account")["networks"]),
        name="networks",
        truth=lambda _world, one: {"Id": one.id, "Name": one.name, "Instances": list(one.members)},
    )
)


@handles("list_private_networks")
def list_networks(call: Call) -> Any:
    """Private networks, of one instance or all."""
    instance = call.query.get("instanceId")
    matches = (one for one in shown(call, Network) if fits(call, one) and (instance is None or instance in one.members))
    return page(call, matches, lambda one: describe_network(call, one), {"Name": lambda one: one.name})


@handles("read_private_network")
def read_network(call: Call) -> Any:
    """One private network."""
    return describe_network(call, lookup.addressed(call, Network))


@handles("create_private_network")
def create_network(call: Call) -> Any:
    """A new private network without instances."""
    call.paid()
    made = Network(call.world.new_id(Network), call.body["OpnName"], call.now)
    call.world.table(Network)[made.id] = made
    hide(call, made)

    def done(_when: float) -> int:
        return made.id

    def undone(_when: float) -> None:
        del call.world.table(Network)[made.id]

    return start(call, Work(CREATION, NETWORK, made.name, done, locks=[made], undone=undone))


@handles("update_private_network")
def change_network_name(call: Call) -> Any:
    """Another name, at once."""
    found = lookup.addressed(call, Network)
    require_free(call, found)
    freeze_listing(call, found)
    release_listing(call, found, call.now)
    found.name, found.changed = call.body["OpnName"], call.now
    return NOTHING


@handles("delete_private_network")
def delete_network(call: Call) -> Any:
    """The private network goes when the ticket ends."""
    found = lookup.addressed(call, Network)
    _require_empty(found)

    def done(_when: float) -> None:
        _require_empty(found)
        del call.world.table(Network)[found.id]

    return start(call, Work(REMOVAL, NETWORK, found.name, done, object_id=found.id, locks=[found]))


def _require_empty(found: Network) -> None:
    if found.members:
        raise Refusal(400, f"Private network {found.id} has instances; detach them first.")
