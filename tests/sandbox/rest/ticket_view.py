# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tickets as the answers show them (docs/service/infrastructure.md, "Tickets")."""

from __future__ import annotations

import math
from typing import Any

from sandbox.rest.call import Call
from sandbox.rest.models import Ticket
from sandbox.rest.resource import Resource, declare
from sandbox.rest.times import optional, show
from sandbox.rest.world import World

NEW, RUNNING, SUCCEEDED = 134, 135, 136
ENDLESS = 60.0
"""Seconds in which the progress of a ticket that never ends comes to 99."""


def ticket_status(ticket: Ticket, now: float, settings: dict[str, Any]) -> int:
    """The item of dictionary 40 at that time."""
    if ticket.status == RUNNING and now < ticket.created + settings["ticket_new_seconds"]:
        return NEW
    return ticket.status


def progress(ticket: Ticket, now: float) -> int:
    """Percent done; 100 only at a good end."""
    if ticket.status == SUCCEEDED:
        return 100
    length = ENDLESS if math.isinf(ticket.due) else ticket.due - ticket.created
    return min(99, int(100 * (now - ticket.created) / length)) if length > 0 else 99


def describe_ticket(call: Call, ticket: Ticket) -> dict[str, Any]:
    """The answer's form of a ticket; its EndDate may come later than its Status (setting split_ends)."""
    value = call.world.dictionaries.value
    ended, status = ticket.ended, ticket_status(ticket, call.now, call.settings)
    if call.settings["split_ends"] and ended is not None:
        ended = ended if ticket.is_seen_ended else None
        ticket.is_seen_ended = True
    return {
        "Id": ticket.id,
        "CreationDate": show(ticket.created),
        "EndDate": optional(ended),
        "CreationUser": call.world.account.user,
        "Status": value(40, status),
        "OperationType": value(41, ticket.operation),
        "ObjectType": value(42, ticket.object_type),
        "ObjectId": ticket.object_id,
        "ObjectName": ticket.object_name,
        "Progress": progress(ticket, call.now),
    }


def _truth(_world: World, one: Ticket) -> dict[str, Any]:
    kept = {"Id": one.id, "Status": one.status, "OperationType": one.operation}
    return {**kept, "ObjectType": one.object_type, "ObjectId": one.object_id, "ObjectName": one.object_name}


declare(Resource(Ticket, "Ticket", describe_ticket, first_id=5_000_000_001, name="tickets", truth=_truth))
