# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects of the REST service that several files need, as it keeps them (ids, never references)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(slots=True)
class Lock:
    """The operation that runs on an object, if any, and what lists show of the object while they lag."""

    since: float | None = None
    """Unix seconds, None when the object is free."""
    until: float = 0.0
    """Unix seconds until which lists lag; ``stale_view`` is what they show, None before they show the object."""
    stale_view: dict[str, Any] | None = None


class Lockable(Protocol):
    """An object on which one operation at a time runs."""

    id: int
    lock: Lock


@dataclass(slots=True)
class Subregion:
    """A part of a data centre."""

    id: int
    name: str
    active: bool


@dataclass(slots=True)
class InstanceType:
    """A size of an instance; ``ram`` in MB."""

    id: int
    name: str
    cpu: int
    ram: int
    free: bool
    category: int


@dataclass(slots=True)
class TemplateDisk:
    """A system disk that a template brings, on the first controller; ``capacity`` in GB."""

    id: int
    capacity: int
    slot: int


@dataclass(slots=True)
class Template:
    """An image to deploy from.

    ``source`` as in the list's filter, ``tools`` an item of dictionary 155, ``network_controller`` one of 167.
    """

    id: int
    name: str
    description: str
    version: str | None
    source: str
    type: int
    category: int
    minimum: int
    default: int
    tools: int
    disks: list[TemplateDisk]
    created: float
    changed: float | None = None
    network_controller: int = 1443
    software: dict[int, str] = field(default_factory=dict)
    made_from: int | None = None
    lock: Lock = field(default_factory=Lock)


@dataclass(slots=True)
class Console:
    """An open remote console; ``until`` in unix seconds."""

    source: str
    password: str | None
    until: float


@dataclass(slots=True)
class Instance:
    """A virtual machine; ``fragment`` is its description as JSON bytes, kept until something changes."""

    id: int
    name: str
    created: float
    template: int
    template_name: str
    template_type: int
    category: int
    tools: int
    subregion: int
    type: int
    status: int
    method: int
    password: str | None
    keys: list[int] = field(default_factory=list)
    init_script: str | None = None
    free_plan: bool = False
    autoscaling: int = 187
    autoscaler: dict[str, Any] = field(default_factory=dict)
    controller: int = 1571
    hot_plug: bool = False
    disks: list[int] = field(default_factory=list)
    addresses: list[int] = field(default_factory=list)
    networks: list[int] = field(default_factory=list)
    snapshot: int | None = None
    console: Console | None = None
    lock: Lock = field(default_factory=Lock)
    fragment: bytes | None = None


@dataclass(slots=True)
class Connection:
    """A disk in an instance."""

    controller: int
    slot: int
    system: bool


@dataclass(slots=True)
class Disk:
    """A disk; ``connections`` by instance id, ``capacity`` in GB, ``tier`` an item of dictionary 17."""

    id: int
    name: str
    capacity: int
    tier: int
    created: float
    subregion: int
    connections: dict[int, Connection] = field(default_factory=dict)
    shared_type: int | None = None
    free_plan: bool = False
    lock: Lock = field(default_factory=Lock)

    @property
    def system(self) -> bool:
        """Whether it is the system disk of an instance."""
        return any(connection.system for connection in self.connections.values())


@dataclass(slots=True)
class Address:
    """A public IP address; ``kind`` an item of dictionary 123, ``mode`` of 301."""

    id: int
    address: str
    address_v6: str
    gateway: str
    subregion: int
    kind: int
    mode: int = 1858
    instance: int | None = None
    interface: int | None = None
    mac: str | None = None
    comment: str | None = None
    rev_dns: str | None = None
    rev_dns_v6: str | None = None
    lock: Lock = field(default_factory=Lock)


@dataclass(slots=True)
class PrivateAddress:
    """An instance's place in a private network."""

    instance: int
    interface: int
    mac: str
    address: str
    created: float


@dataclass(slots=True)
class Network:
    """A private network; ``members`` by instance id, ``pool`` an item of dictionary 76."""

    id: int
    name: str
    created: float
    pool: int = 278
    changed: float | None = None
    members: dict[int, PrivateAddress] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


@dataclass(slots=True)
class Snapshot:
    """A snapshot of an instance."""

    id: int
    name: str
    description: str | None
    instance: int
    created: float
    changed: float | None = None
    parent: int | None = None
    system: bool = False
    lock: Lock = field(default_factory=Lock)


@dataclass(slots=True, kw_only=True)
class Schedule:
    """Something that is done at a time, or again and again; ``start`` in unix seconds."""

    id: int
    created: float
    instance: int
    name: str = ""
    zone: str = ""
    start: float = 0.0
    type: int = 0
    action: int = 0
    cycle: int | None = None
    number: int | None = None
    changed: float | None = None
    status: int = 112
    lock: Lock = field(default_factory=Lock)


@dataclass(slots=True, kw_only=True)
class InstanceSchedule(Schedule):
    """A schedule of an instance; ``own`` are the members of a request that only some actions have."""

    own: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class LoadBalancer:
    """What spreads requests over the instances of a group; the numbers are items of dictionaries.

    ``address`` is a public address of the account, None for one that the service has assigned (``assigned``). ``out``
    has the services that were taken out, by address and port, with the time at which they are (unix seconds).
    """

    group: int
    assigned: tuple[str, str]
    service_type: int
    persistence: int
    algorithm: int
    ip_version: int
    address: int | None = None
    port: int | None = None
    target_port: int | None = None
    ssl_target_port: int | None = None
    health_check: bool = False
    ssl: bool = False
    common_persistence: bool = False
    proxy_protocol: int = 1861
    out: dict[tuple[str, int], float] = field(default_factory=dict)


@dataclass(slots=True)
class Group:
    """A group of instances; ``members`` has the id of a public address by instance id, ``affinity`` is of 160."""

    id: int
    name: str
    affinity: int
    changed: float
    members: dict[int, int] = field(default_factory=dict)
    balancer: LoadBalancer | None = None
    autoscaler: dict[str, Any] | None = None
    lock: Lock = field(default_factory=Lock)


@dataclass(slots=True, kw_only=True)
class GroupSchedule(Schedule):
    """A schedule of a group, for one instance."""

    group: int


@dataclass(slots=True)
class Ticket:
    """An operation; ``status`` 134 to 137, ``due`` unix seconds (infinite for one that never ends)."""

    id: int
    created: float
    due: float
    operation: int
    object_type: int
    object_id: int | None
    object_name: str
    status: int = 135
    ended: float | None = None
    lost: bool = False
    is_seen_ended: bool = False


@dataclass(slots=True)
class Event:
    """A line in the history of an instance."""

    id: int
    date: float
    instance: int
    instance_name: str
    operation: int
    status: int
    message: str
