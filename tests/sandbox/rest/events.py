# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The history of an instance (docs/service/infrastructure.md, "Tickets")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Event, Instance
from sandbox.rest.paging import Order, page
from sandbox.rest.times import show


def _describe(call: Call, one: Event) -> dict[str, Any]:
    return {
        "Id": one.id,
        "Date": show(one.date),
        "Instance": {"Id": one.instance, "Name": one.instance_name},
        "User": call.world.account.user,
        "OperationType": call.world.dictionaries.value(41, one.operation),
        "OperationStatus": call.world.dictionaries.value(40, one.status),
        "Message": one.message,
    }


@handles("list_instance_events")
def list_instance_events(call: Call) -> Any:
    """What was done with the instance, and how it ended."""
    found = call.world.events.get(lookup.addressed(call, Instance).id, [])
    label = call.world.dictionaries.label
    order: Order = {
        "Date": lambda one: one.date,
        "Instance": lambda one: one.instance_name,
        "User": lambda _one: call.world.account.user["Login"],
        "OperationType": lambda one: label(41, one.operation),
        "OperationStatus": lambda one: label(40, one.status),
    }
    return page(call, found, lambda one: _describe(call, one), order)
