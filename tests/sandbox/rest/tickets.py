# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading tickets (docs/service/infrastructure.md, "Tickets")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Ticket
from sandbox.rest.paging import page
from sandbox.rest.ticket_view import describe_ticket, ticket_status
from sandbox.rest.times import parse


@handles("read_ticket")
def read_ticket(call: Call) -> Any:
    """One ticket; 404 if there is none, or if the setting lost_tickets hides it."""
    ticket = lookup.addressed(call, Ticket)
    if ticket.lost:
        raise lookup.missing(call, Ticket)
    return describe_ticket(call, ticket)


@handles("list_tickets")
def list_tickets(call: Call) -> Any:
    """Tickets with the desired status, made in the desired time."""
    label = call.world.dictionaries.label
    order = {
        "CreationDate": lambda one: one.created,
        "Status": lambda one: label(40, one.status),
        "OperationType": lambda one: label(41, one.operation),
    }
    lag = call.settings["ticket_list_lag"]
    told = (one for one in call.world.table(Ticket).values() if not one.lost and one.created + lag <= call.now)
    matches = (one for one in told if _desired(call, one))
    return page(call, matches, lambda one: describe_ticket(call, one), order)


def _desired(call: Call, ticket: Ticket) -> bool:
    status = call.query.get("statusId")
    if status is not None and status != ticket_status(ticket, call.now, call.settings):
        return False
    made = int(ticket.created)
    earliest, latest = call.query.get("creationDateFrom"), call.query.get("creationDateTo")
    return (earliest is None or made >= parse(call, earliest)) and (latest is None or made <= parse(call, latest))
