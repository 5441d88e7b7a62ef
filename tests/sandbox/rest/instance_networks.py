# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks of instances: attach, detach, change, list (docs/service/infrastructure.md, "Private networks")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.attachment import attach_network, detach_network, require_another, require_interface, require_room
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Instance, Network
from sandbox.rest.networks import describe_network
from sandbox.rest.paging import page
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import Work, require_free, start

ATTACHING, DETACHING, RECONFIGURING, INSTANCE = 90003, 90004, 144, 139


@handles("list_instance_private_networks")
def list_instance_networks(call: Call) -> Any:
    """Private networks of the instance."""
    found = [call.world.table(Network)[number] for number in lookup.addressed(call, Instance).networks]
    return page(call, found, lambda one: describe_network(call, one), {"Name": lambda one: one.name})


@handles("instance_attach_private_network")
def attach(call: Call) -> Any:
    """Put the instance into a private network."""
    instance = lookup.addressed(call, Instance)
    network = lookup.given(call, Network, call.body["OpnId"], "OpnId")
    require_free(call, instance, network)
    _require_outside(instance, network)
    require_interface(instance)
    require_room(call.world, network)

    def done(when: float) -> None:
        require_room(call.world, network)
        attach_network(call.world, instance, network, when)

    work = Work(ATTACHING, INSTANCE, instance.name, done, object_id=instance.id, locks=[instance])
    return start(call, work)


@handles("instance_detach_private_network")
def detach(call: Call) -> Any:
    """Take the instance out of a private network."""
    instance = lookup.addressed(call, Instance)
    network = lookup.given(call, Network, call.body["OpnId"], "OpnId")
    if instance.id not in network.members:
        raise Refusal(400, f"Instance {instance.id} is not in private network {network.id}.")
    require_another(instance)

    def done(_when: float) -> None:
        detach_network(call.world, instance, network)

    work = Work(DETACHING, INSTANCE, instance.name, done, object_id=instance.id, locks=[instance])
    return start(call, work)


def _require_outside(instance: Instance, network: Network) -> None:
    if instance.id in network.members:
        raise Refusal(400, f"Instance {instance.id} is in private network {network.id} already.")
