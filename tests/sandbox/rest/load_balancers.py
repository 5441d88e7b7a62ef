# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The load balancers of groups (docs/service/infrastructure.md, "Load balancers")."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.groups import members_of, touched
from sandbox.rest.handlers import handles
from sandbox.rest.models import Address, Group, Instance, LoadBalancer
from sandbox.rest.paging import page
from sandbox.rest.refusal import Refusal
from sandbox.rest.visibility import shown

SERVICES, PERSISTENCES, IP_VERSIONS, ALGORITHMS, PROXY_PROTOCOLS, STATUSES = 15, 16, 36, 77, 302, 90201
HTTP, IPV4, IPV6 = 43, 115, 116
PORTS = {43: 80, 44: 443, 45: 25, 287: 1433}
"""Ports by service where none is given; a service of the type Port needs one."""
MEMBERS: dict[str, tuple[str, int | None, Any]] = {
    "service_type": ("ServiceType", SERVICES, None),
    "persistence": ("SessionPersistenceType", PERSISTENCES, None),
    "algorithm": ("LoadBalancerAlgorithm", ALGORITHMS, None),
    "ip_version": ("IpVersion", IP_VERSIONS, None),
    "address": ("LoadBalancerIpId", None, None),
    "port": ("PortNumber", None, None),
    "target_port": ("TargetPortNumber", None, None),
    "ssl_target_port": ("SslTargetPortNumber", None, None),
    "health_check": ("HealthCheckEnabled", None, False),
    "ssl": ("SslEnabled", None, False),
    "common_persistence": ("CommonPersistenceForHttpAndHttpsEnabled", None, False),
    "proxy_protocol": ("ProxyProtocolVersion", PROXY_PROTOCOLS, 1861),
}
"""Member, dictionary, and what stands there if it is left out, by attribute."""
BUSY, OUT_OF_SERVICE, UP, UNKNOWN = 1562, 1563, 1565, 1566


def _described(call: Call, group: Group, one: LoadBalancer, *, details: bool = False) -> dict[str, Any]:
    values = call.world.dictionaries
    v4, v6 = _address(call, one)
    return {
        "GroupId": group.id,
        "GroupName": group.name,
        "IpAddress": None if one.ip_version == IPV6 else v4,
        "IpV6Address": None if one.ip_version == IPV4 else v6,
        "ServiceType": values.value(SERVICES, one.service_type),
        "PortNumber": one.port,
        "TargetPortNumber": one.target_port,
        "SslTargetPortNumber": one.ssl_target_port,
        "SessionPersistenceType": values.value(PERSISTENCES, one.persistence),
        "Algorithm": values.value(ALGORITHMS, one.algorithm),
        "IpVersion": values.value(IP_VERSIONS, one.ip_version),
        "HealthCheckEnabled": one.health_check,
        "SslEnabled": one.ssl,
        "CommonPersistenceForHttpAndHttpsEnabled": one.common_persistence,
        "ProxyProtocolVersion": values.value(PROXY_PROTOCOLS, one.proxy_protocol),
        "Servers": [_server(call, group, one, port, target, details=details) for port, target in _ports(one).items()],
    }


def _address(call: Call, one: LoadBalancer) -> tuple[str, str]:
    """IPv4 and IPv6 text; an address of the account may be gone, then it is the assigned one."""
    found = None if one.address is None else call.world.table(Address).get(one.address)
    return one.assigned if found is None else (found.address, found.address_v6)


def _ports(one: LoadBalancer) -> dict[int, int]:
    """Port of the servers by the port of the balancer; HTTP with TLS listens on another port too."""
    port = one.port or PORTS[one.service_type]
    target = one.target_port or port
    return {port: target, **({443: one.ssl_target_port or target} if one.ssl and one.service_type == HTTP else {})}


def _server(call: Call, group: Group, one: LoadBalancer, port: int, target: int, *, details: bool) -> dict[str, Any]:
    members = members_of(call.world, group)
    services = [_service(call, one, number, address, target) for number, address in members.items()]
    up = sum(service["Status"]["Id"] == UP for service in services)
    return {
        "IpAddress": _address(call, one)[0],
        "Port": port,
        "Protocol": call.world.dictionaries.label(SERVICES, one.service_type),
        "ActiveServices": up if one.health_check else None,
        "InactiveServices": len(services) - up if one.health_check else None,
        "Status": call.world.dictionaries.value(STATUSES, UP),
        "Services": services if details else [],
        **_rates(),
    }


def _rates() -> dict[str, int]:
    rates = ("RequestRate", "RequestRateBytes", "ResponseRate", "ResponseRateBytes")
    return dict.fromkeys(("CurrentClientConnections", *rates), 0)


def _service(call: Call, one: LoadBalancer, number: int, address: Address, port: int) -> dict[str, Any]:
    values, instance = call.world.dictionaries, call.world.table(Instance)[number]
    out = one.out.get((address.address, port))
    status = UP if one.health_check else UNKNOWN
    if out is not None:
        status = OUT_OF_SERVICE if out <= call.now else BUSY
    return {
        "Instance": {"Id": number, "Name": instance.name},
        "InstanceState": values.value(27, instance.status),
        "IpAddress": address.address,
        "Port": port,
        "Status": values.value(STATUSES, status),
        **_rates(),
    }


@handles("list_load_balancers")
def list_load_balancers(call: Call) -> Any:
    """All load balancers."""
    found = [one.balancer for one in shown(call, Group) if one.balancer]
    groups = call.world.table(Group)
    order = {"Id": lambda one: one.group, "GroupName": lambda one: groups[one.group].name}
    return page(call, found, lambda one: _described(call, groups[one.group], one), order)


@handles("read_group_load_balancer", "read_group_load_balancer_details")
def read_load_balancer(call: Call) -> Any:
    """The load balancer of a group; its details have the instances too."""
    group = lookup.addressed(call, Group)
    if group.balancer is None:
        status = call.settings["without_balancer"]
        if status is None:
            return None
        raise Refusal(status, f"Group {group.id} has no load balancer.")
    return _described(call, group, group.balancer, details=call.operation.endswith("details"))


@handles("create_group_load_balancer")
def create_load_balancer(call: Call) -> Any:
    """A load balancer for a group without one, at once."""
    call.paid()
    group = lookup.addressed(call, Group)
    if group.balancer is not None:
        raise Refusal(409, f"Group {group.id} has a load balancer.")
    assigned = f"192.0.2.{group.id % 250}", f"2001:db8:ffff::{group.id:x}"
    made = LoadBalancer(group.id, assigned, **_values(call))
    touched(call).balancer = made
    return _described(call, group, made)


@handles("update_group_load_balancer")
def change_load_balancer(call: Call) -> Any:
    """Replace all values; what is left out is emptied (setting put_empties)."""
    group, one = _found(call)
    values = _values(call, None if call.settings["put_empties"] else one)
    touched(call).balancer = replace(one, **values)
    return _described(call, group, group.balancer or one)


@handles("delete_group_load_balancer")
def delete_load_balancer(call: Call) -> Any:
    """The load balancer goes, at once."""
    _found(call)
    touched(call).balancer = None
    return NOTHING


@handles("update_group_load_balancer_services")
def change_service(call: Call) -> Any:
    """Take a server out, or put it in; gracefully takes a while (setting drain_seconds)."""
    group, one = _found(call)
    place = call.body["IpAddress"], call.body["Port"]
    known = [
        (address.address, port) for address in members_of(call.world, group).values() for port in _ports(one).values()
    ]
    if place not in known:
        raise Refusal(400, f"IpAddress, Port: the load balancer of group {group.id} has no server {place}.")
    if call.body["Enabled"]:
        one.out.pop(place, None)
    else:
        seconds = call.settings["drain_seconds"] if call.body.get("Graceful", False) else 0.0
        one.out.setdefault(place, call.now + seconds)
    return _described(call, group, one)


def _found(call: Call) -> tuple[Group, LoadBalancer]:
    group = lookup.addressed(call, Group)
    if group.balancer is None:
        raise Refusal(404, f"Group {group.id} has no load balancer.")
    return group, group.balancer


def _values(call: Call, present: LoadBalancer | None = None) -> dict[str, Any]:
    """The attributes that a request sets; what it leaves out is as at ``present``, or empty."""
    body, found = call.body, {}
    for attribute, (member, dictionary, empty) in MEMBERS.items():
        kept = empty if present is None else getattr(present, attribute)
        found[attribute] = body.get(member, kept)
        if dictionary and member in body:
            lookup.item(call, dictionary, body[member], member)
    if body.get("LoadBalancerIpId") is not None:
        address = lookup.given(call, Address, body["LoadBalancerIpId"], "LoadBalancerIpId")
        if address.instance is not None:
            raise Refusal(400, f"LoadBalancerIpId: address {address.address} is in use.")
    if found["port"] is None and found["service_type"] not in PORTS:
        raise Refusal(400, "PortNumber: this type of service needs one.")
    return found
