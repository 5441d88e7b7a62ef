# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The attachments of an instance: its disks, public addresses and private networks."""

from __future__ import annotations

from sandbox.rest.models import (
    Address,
    Connection,
    Disk,
    Instance,
    InstanceSchedule,
    Network,
    PrivateAddress,
    Snapshot,
)
from sandbox.rest.refusal import Refusal
from sandbox.rest.world import World

STATIC, AUTOMATIC, RESERVED = 1106, 1107, 1109
MAX_INTERFACES = 8
CONTROLLERS, SLOTS = 4, 15
FIRST_PLACE, LAST_PLACE = 2, 254
PREFIX = {278: "10.0.0", 279: "192.168.0"}
"""First three parts of the addresses of a pool (dictionary 76)."""


def make_address(world: World, subregion: int, kind: int) -> Address:
    """A new public address out of the ranges for documentation and benchmarks."""
    number = world.new_id(Address)
    index = number - 120000
    high, low = divmod(index, 254)
    net = "203.0.113" if high == 0 else f"198.{18 + high // 256}.{high % 256}"
    text = f"{net}.{low + 1}"
    made = Address(number, text, f"2001:db8::{index:x}", f"{net}.254", subregion, kind)
    world.table(Address)[number] = made
    return made


def remove_address(world: World, address: Address) -> None:
    """The address ceases to exist."""
    del world.table(Address)[address.id]


def attach_address(world: World, instance: Instance, address: Address) -> None:
    """Give a free address to an instance."""
    address.instance = instance.id
    address.interface = next(world.interface_ids)
    address.mac = _mac(address.interface)
    instance.addresses.append(address.id)
    world.touch(instance.id)


def detach_address(world: World, address: Address) -> None:
    """Detach an address from its instance; an automatic one ceases to exist."""
    if address.instance is not None:
        instance = world.table(Instance)[address.instance]
        instance.addresses.remove(address.id)
        world.touch(instance.id)
    address.instance = address.interface = address.mac = None
    if address.kind == AUTOMATIC:
        remove_address(world, address)


def attach_network(world: World, instance: Instance, network: Network, now: float) -> None:
    """Put an instance into a private network, at its first free address."""
    taken = {member.address for member in network.members.values()}
    places = (f"{PREFIX[network.pool]}.{last}" for last in range(FIRST_PLACE, LAST_PLACE + 1))
    free = next(text for text in places if text not in taken)
    interface = next(world.interface_ids)
    network.members[instance.id] = PrivateAddress(instance.id, interface, _mac(interface), free, now)
    instance.networks.append(network.id)
    world.touch(instance.id)


def detach_network(world: World, instance: Instance, network: Network) -> None:
    """Take an instance out of a private network."""
    network.members.pop(instance.id, None)
    instance.networks.remove(network.id)
    world.touch(instance.id)


def require_room(world: World, network: Network) -> None:
    """Refuse a private network that is gone or has no free address."""
    if network.id not in world.table(Network):
        raise Refusal(400, f"Private network {network.id} does not exist any more.")
    if len(network.members) > LAST_PLACE - FIRST_PLACE:
        raise Refusal(400, f"Private network {network.id} is full.")


def require_interface(instance: Instance) -> None:
    """Refuse a further interface beyond the quota told to customers."""
    if len(instance.addresses) + len(instance.networks) >= MAX_INTERFACES:
        raise Refusal(400, f"An instance has at most {MAX_INTERFACES} network interfaces.")


def require_another(instance: Instance) -> None:
    """Refuse to take away the only interface."""
    if len(instance.addresses) + len(instance.networks) < 2:
        raise Refusal(400, "An instance must keep one network interface.")


def make_disk(world: World, disk: Disk) -> Disk:
    """Keep a new disk."""
    world.table(Disk)[disk.id] = disk
    return disk


def require_slot(instance: Instance) -> None:
    """Refuse a further disk when no slot is free."""
    if len(instance.disks) >= CONTROLLERS * SLOTS:
        raise Refusal(400, f"Instance {instance.id} has no free slot for a disk.")


def attach_disk(world: World, instance: Instance, disk: Disk, *, system: bool = False) -> None:
    """Put a disk into the next slot of an instance."""
    require_slot(instance)
    taken = {
        (at.controller, at.slot) for at in (world.table(Disk)[one].connections[instance.id] for one in instance.disks)
    }
    places = ((controller, slot) for controller in range(CONTROLLERS) for slot in range(SLOTS))
    controller, slot = next(place for place in places if place not in taken)
    disk.connections[instance.id] = Connection(controller, slot, system)
    instance.disks.append(disk.id)
    world.touch(instance.id)


def detach_disk(world: World, instance: Instance, disk: Disk) -> None:
    """Detach a disk from an instance."""
    disk.connections.pop(instance.id, None)
    instance.disks.remove(disk.id)
    world.touch(instance.id)


def remove_disk(world: World, disk: Disk) -> None:
    """The disk ceases to exist; lists with showDeleted still show it."""
    owners = list(disk.connections)
    for number in owners:
        detach_disk(world, world.table(Instance)[number], disk)
    del world.table(Disk)[disk.id]
    world.deleted_disks[disk.id] = (disk, owners)


def remove_instance(world: World, instance: Instance, *, deep: bool) -> None:
    """The instance ceases to exist with its system disk, automatic addresses, snapshots and schedules."""
    for disk in [world.table(Disk)[number] for number in instance.disks]:
        if disk.connections[instance.id].system or (deep and len(disk.connections) == 1):
            remove_disk(world, disk)
        else:
            detach_disk(world, instance, disk)
    for number in list(instance.addresses):
        detach_address(world, world.table(Address)[number])
    for number in list(instance.networks):
        detach_network(world, instance, world.table(Network)[number])
    for parts in (world.table(Snapshot), world.table(InstanceSchedule)):
        for number in [one.id for one in parts.values() if one.instance == instance.id]:
            del parts[number]
    del world.table(Instance)[instance.id]


def _mac(interface: int) -> str:
    digits = f"{interface:06x}"
    return f"02:00:00:{digits[:2]}:{digits[2:4]}:{digits[4:]}"
