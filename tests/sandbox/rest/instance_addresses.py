# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public addresses on an instance: by id and by IPv4 text (docs/service/infrastructure.md, "Public addresses")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.addresses import given_address
from sandbox.rest.attachment import (
    AUTOMATIC,
    attach_address,
    detach_address,
    make_address,
    require_another,
    require_interface,
)
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Address, Instance, Lockable
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import Work, require_free, start

ATTACHING, DETACHING, INSTANCE = 90001, 90002, 139


@handles("instance_attach_ip")
def attach(call: Call) -> Any:
    """Attach the address with that id, or a new one."""
    instance = lookup.addressed(call, Instance)
    number = call.query.get("ipId", 0)
    return _attach(call, instance, lookup.given(call, Address, number, "ipId") if number else None)


@handles("instance_detach_ip")
def detach(call: Call) -> Any:
    """Detach the address with that id."""
    instance = lookup.addressed(call, Instance)
    return _detach(call, instance, lookup.given(call, Address, call.query["ipId"], "ipId"))


@handles("floating_ip_attach_ip")
def attach_by_text(call: Call) -> Any:
    """Attach the address with that text, or a new one."""
    instance = lookup.given(call, Instance, call.query["instanceId"], "instanceId")
    return _attach(call, instance, given_address(call) if "ipV4" in call.query else None)


@handles("floating_ip_detach_ip")
def detach_by_text(call: Call) -> Any:
    """Detach the address with that text."""
    return _detach(call, lookup.given(call, Instance, call.query["instanceId"], "instanceId"), given_address(call))


def _attach(call: Call, instance: Instance, address: Address | None) -> Any:
    require_free(call, instance, *([address] if address else []))
    require_interface(instance)
    if address is None:
        call.paid()
    elif address.instance is not None:
        raise Refusal(400, f"Address {address.address} is in use.")
    elif address.subregion != instance.subregion:
        raise Refusal(400, f"Address {address.address} is in another subregion.")

    def done(_when: float) -> None:
        attach_address(call.world, instance, address or make_address(call.world, instance.subregion, AUTOMATIC))

    locks: list[Lockable] = [instance, *([address] if address else [])]
    return start(call, Work(ATTACHING, INSTANCE, instance.name, done, object_id=instance.id, locks=locks))


def _detach(call: Call, instance: Instance, address: Address) -> Any:
    if address.instance != instance.id:
        raise Refusal(400, f"Address {address.address} is not attached to instance {instance.id}.")
    require_another(instance)

    def done(_when: float) -> None:
        detach_address(call.world, address)

    work = Work(DETACHING, INSTANCE, instance.name, done, object_id=instance.id, locks=[instance, address])
    return start(call, work)
