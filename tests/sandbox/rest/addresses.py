# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public IP addresses (docs/service/infrastructure.md, "Public addresses")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.attachment import AUTOMATIC, RESERVED, STATIC, make_address, remove_address
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Address, Instance, Subregion
from sandbox.rest.paging import Order, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.ticketing import Work, require_free, start
from sandbox.rest.visibility import hide, shown
from sandbox.rest.world import World

SUBREGION_CHANGE, ADDRESS = 90010, 90102


def describe_address(call: Call, one: Address) -> dict[str, Any]:
    """The answer's form of an address."""
    world = call.world
    subregion = world.table(Subregion)[one.subregion]
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
    return {"Id": one.instance, "Name": call.world.table(Instance)[one.instance].name}


def _truth(_world: World, one: Address) -> dict[str, Any]:
    kept = {"Id": one.id, "Address": one.address, "Type": one.kind, "Instance": one.instance}
    return {**kept, "Subregion": one.subregion, "Comment": one.comment}


declare(Resource(Address, "IP address", describe_address, first_id=120001, at_once=True, name="ips", truth=_truth))


def address_order(call: Call) -> Order:
    """What the words of orderBy mean."""
    return {
        "Address": lambda one: tuple(map(int, one.address.split("."))),
        "Subregion": lambda one: call.world.table(Subregion)[one.subregion].name,
        "Comment": lambda one: one.comment or "",
        "Type": lambda one: call.world.dictionaries.label(123, one.kind),
    }


@handles("list_ip_addresses", "list_floating_ips")
def list_addresses(call: Call) -> Any:
    """Addresses, of one instance, free ones, or all."""
    instance, free = call.query.get("instanceId"), call.query.get("onlyFree", False)
    matches = (
        one
        for one in shown(call, Address)
        if instance in (None, one.instance) and not (free and one.instance is not None)
    )
    return page(call, matches, lambda one: describe_address(call, one), address_order(call))


@handles("read_ip_address")
def read_address(call: Call) -> Any:
    """One address."""
    return describe_address(call, lookup.addressed(call, Address))


@handles("create_ip_address", "create_floating_ip")
def create_address(call: Call) -> Any:
    """A new reserved address, at once."""
    call.paid()
    subregion = lookup.active_subregion(call, call.body["SubregionId"])
    made = make_address(call.world, subregion.id, RESERVED)
    hide(call, made, made=call.now)
    return describe_address(call, made)


@handles("read_floating_ip")
def read_by_text(call: Call) -> Any:
    """One address, by its text."""
    return describe_address(call, _in_path(call))


@handles("update_ip_address", "update_floating_ip")
def change_address(call: Call) -> Any:
    """Change comment, kind and reverse names; members that are left out stay."""
    found = _in_path(call)
    require_free(call, found)
    freeze_listing(call, found)
    release_listing(call, found, call.now)
    body = call.body
    found.comment = body.get("Comment", found.comment)
    if "SetStatic" in body:
        found.kind = STATIC if body["SetStatic"] else RESERVED if found.instance is None else AUTOMATIC
    found.rev_dns = None if body.get("RestoreRevDns", False) else body.get("RevDns", found.rev_dns)
    found.rev_dns_v6 = None if body.get("RestoreRevDnsV6", False) else body.get("RevDnsV6", found.rev_dns_v6)
    return NOTHING


@handles("delete_ip_address", "delete_floating_ip")
def delete_address(call: Call) -> Any:
    """Delete a free address, at once."""
    found = _in_path(call)
    _require_detached(call, found)
    remove_address(call.world, found)
    return NOTHING


@handles("ip_address_change_ip_subregion", "floating_ip_change_ip_subregion")
def change_subregion(call: Call) -> Any:
    """Another subregion for the address with that id or text."""
    found = given_address(call)
    _require_detached(call, found)
    desired = call.query.get("subregionId")
    if desired is None:
        raise Refusal(400, "subregionId: which subregion is meant?")
    subregion = lookup.active_subregion(call, desired, "subregionId").id

    def done(_when: float) -> None:
        found.subregion = subregion

    work = Work(SUBREGION_CHANGE, ADDRESS, found.address, done, object_id=found.id, locks=[found])
    return start(call, work)


def _in_path(call: Call) -> Address:
    """The address whose id or text is in the path; 404 when there is none."""
    text = call.path.get("ip")
    return lookup.addressed(call, Address) if text is None else _of_text(call, text, 404)


def given_address(call: Call) -> Address:
    """The address whose id or text is in the query; 400 when there is none."""
    text = call.query.get("ipV4")
    if text is None:
        return lookup.given(call, Address, call.query["ipId"], "ipId")
    return _of_text(call, text, 400)


def _of_text(call: Call, text: str, status: int) -> Address:
    found = next((one for one in call.world.table(Address).values() if one.address == text), None)
    if found is None:
        raise Refusal(status, f"There is no address {text}.")
    return found


def _require_detached(call: Call, found: Address) -> None:
    require_free(call, found)
    if found.instance is not None:
        raise Refusal(400, f"Address {found.address} must be detached first.")
