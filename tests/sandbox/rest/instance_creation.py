# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating an instance (docs/service/infrastructure.md, "Creating an instance")."""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import Any

from sandbox.issued import marked
from sandbox.rest import lookup
from sandbox.rest.attachment import (
    AUTOMATIC,
    MAX_INTERFACES,
    attach_address,
    attach_disk,
    attach_network,
    make_address,
    make_disk,
    remove_instance,
    require_room,
)
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Address, Disk, Instance, InstanceType, Network, Subregion, Template
from sandbox.rest.refusal import Refusal
from sandbox.rest.ssh_keys import SshKey
from sandbox.rest.ticketing import Work, require_free, start
from sandbox.rest.visibility import hide

DEPLOYING, INSTANCE = 138, 139
INITIALIZING, POWERED_ON, POWERED_OFF = 1748, 86, 87
SSH_KEYS, PASSWORD = 1398, 1399
FIRST_TIER = 48
SENT_BY_ALL = ("InstancesCount", "DiskSize", "DiskClass", "AuthorizationMethodId", "TypeId", "SubregionId")


@handles("create_instance")
def create_instance(call: Call) -> Any:
    """The instance is there at once, initializing and locked; the ticket names it when it ends well.

    InstancesCount above 1 makes one instance, as observed.
    """
    call.paid()
    _require_complete(call)
    template = lookup.given(call, Template, call.body["TemplateId"], "TemplateId")
    subregion = _subregion(call)
    size = desired_type(call, template, call.body.get("TypeId", template.default))
    _check_free_plan(call, size)
    networks = _networks(call)
    address = _address(call, subregion)
    instance = _make(call, template, subregion, size)
    _equip(call, instance, template, networks, address)
    return start_creation(call, instance, DEPLOYING)


def _require_complete(call: Call) -> None:
    """Refuse a create without what every public client sends; 0 is outside the bounds of the description."""
    missing = [name for name in SENT_BY_ALL if name not in call.body]
    if missing and not call.settings["bare_creates"]:
        raise Refusal(400, "The request is invalid.")


def start_creation(
    call: Call,
    instance: Instance,
    operation: int,
    status: int = POWERED_ON,
    source: Instance | None = None,
    *,
    source_id: int | None = None,
) -> Any:
    """Start the ticket of a new instance, which has that status when it is initialized; it locks its source too.

    ``source_id`` is that of another kind of source.
    """
    world = call.world
    tail = call.settings["initializing_tail"]

    def ready(_when: float) -> None:
        instance.status = status
        world.touch(instance.id)

    def done(when: float) -> int:
        world.timeline.at(when + tail, ready)
        if tail <= 0:
            ready(when)
        return instance.id

    def undone(_when: float) -> None:
        if call.settings["failed_create_leaves"]:
            instance.status = POWERED_OFF
        else:
            remove_instance(world, instance, deep=True)

    hide(call, instance)
    locks = [instance, source] if source else [instance]
    origin = source.id if source else source_id
    work = Work(operation, INSTANCE, instance.name, done, locks=locks, undone=undone, tail=tail, source=origin)
    return start(call, work)


def desired_type(call: Call, template: Template | None, number: int) -> InstanceType:
    """The instance type, refused when it is smaller than the template's minimum."""
    size = lookup.given(call, InstanceType, number, "TypeId")
    if template is None:
        return size
    least = call.world.table(InstanceType)[template.minimum]
    if size.cpu < least.cpu or size.ram < least.ram:
        raise Refusal(
            400, f"TypeId: type {size.name} is smaller than {least.name}, which template {template.name} needs."
        )
    return size


def _subregion(call: Call) -> Subregion:
    number = call.body.get("SubregionId")
    if number is None:
        return next(one for one in call.world.table(Subregion).values() if one.active)
    return lookup.active_subregion(call, number)


def _check_free_plan(call: Call, size: InstanceType) -> None:
    if not call.body.get("Freemium", False):
        return
    if not call.settings["freemium_enabled"]:
        raise Refusal(400, "Freemium: the account has no free plan.")
    if not size.free:
        raise Refusal(400, f"Freemium: type {size.name} is not available in the free plan.")


def _method(call: Call) -> int:
    method: int = call.body.get("AuthorizationMethodId", PASSWORD)
    lookup.item(call, 159, method, "AuthorizationMethodId")
    keys = call.body.get("SshKeysIds", [])
    if method == SSH_KEYS and not keys:
        raise Refusal(400, "SshKeysIds: at least one key is needed with the method SSH keys.")
    for number in keys:
        lookup.given(call, SshKey, number, "SshKeysIds")
    return method


def _networks(call: Call) -> list[Network]:
    numbers = list(dict.fromkeys(call.body.get("OpnsIds", [])))
    found = [lookup.given(call, Network, number, "OpnsIds") for number in numbers]
    for network in found:
        require_free(call, network)
        require_room(call.world, network)
    if call.body.get("WithoutPublicIp", False) and not found:
        raise Refusal(400, "WithoutPublicIp: an instance needs a public address or a private network.")
    if len(found) + 1 > MAX_INTERFACES:
        raise Refusal(400, f"OpnsIds: an instance has at most {MAX_INTERFACES} network interfaces.")
    return found


def _address(call: Call, subregion: Subregion) -> Address | None:
    """The address that the body names, refused when it is in use or elsewhere; None when it names none."""
    number = call.body.get("IPAddressId")
    if number is None or (number == 0 and call.settings["address_zero"]):
        return None
    if call.body.get("WithoutPublicIp", False):
        raise Refusal(400, "IPAddressId: not together with WithoutPublicIp.")
    found = lookup.given(call, Address, number, "IPAddressId")
    require_free(call, found)
    if found.instance is not None:
        raise Refusal(400, f"IPAddressId: address {found.address} is in use.")
    if found.subregion != subregion.id:
        raise Refusal(400, f"IPAddressId: address {found.address} is in another subregion.")
    return found


def _make(call: Call, template: Template, subregion: Subregion, size: InstanceType) -> Instance:
    method = _method(call)
    return Instance(
        id=call.world.new_id(Instance),
        name=call.body["InstanceName"],
        created=call.now,
        template=template.id,
        template_name=template.name,
        template_type=template.type,
        category=template.category,
        tools=template.tools,
        subregion=subregion.id,
        type=size.id,
        status=INITIALIZING,
        method=method,
        password=marked("instancepassword", secrets.token_urlsafe(12)) if method == PASSWORD else None,
        keys=list(dict.fromkeys(call.body.get("SshKeysIds", []))),
        init_script=_script(call),
        free_plan=call.body.get("Freemium", False),
    )


def _script(call: Call) -> str | None:
    text: str | None = call.body.get("InitScript")
    try:
        base64.b64decode(text or "", validate=True)
    except (binascii.Error, ValueError):
        raise Refusal(400, "InitScript: not a base64 text.") from None
    return text


def _equip(
    call: Call, instance: Instance, template: Template, networks: list[Network], address: Address | None
) -> None:
    """Give a new instance its system disks, its address and its private networks.

    What size is asked for is that of the first disk (assumed).
    """
    world = call.world
    tier = lookup.item(call, 17, call.body.get("DiskClass", FIRST_TIER), "DiskClass")
    first, *others = (disk.capacity for disk in template.disks)
    world.table(Instance)[instance.id] = instance
    for capacity in (call.body.get("DiskSize", first), *others):
        number = world.new_id(Disk)
        disk = Disk(number, "System disk", capacity, tier, call.now, instance.subregion, free_plan=instance.free_plan)
        attach_disk(world, instance, make_disk(world, disk), system=True)
    if not call.body.get("WithoutPublicIp", False):
        attach_address(world, instance, address or make_address(world, instance.subregion, AUTOMATIC))
    for network in networks:
        attach_network(world, instance, network, call.now)
