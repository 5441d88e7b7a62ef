# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A new instance that lists do not show yet, found by the tickets of the last hours."""

from __future__ import annotations

import time
import typing as t

from .._core.clock import Clock
from .._core.errors import InvalidInput, NotFound
from .._engine.change import FAILED, INSTANCE_OBJECT, SUCCEEDED, Ticket, status_of_ticket
from .instance.create_note import started
from .instance.creation import LOOK_BACK
from .instance.search import Search, only_one

if t.TYPE_CHECKING:
    from .._session.operation import Params
    from .._session.task import Task
    from .instance.record import Record


def unlisted(search: Search, name: str) -> Record | None:
    """Return the instance of that name that a ticket leads to, or None.

    Raises Ambiguous for several, InvalidInput for one that has no number yet, being made (wire-facts section 5.3).
    """
    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(Clock().now() - LOOK_BACK))
    tickets = [one for one in search.api.list_tickets(creation_date_from=start) if _speaks_of(one, name)]
    numbers = dict.fromkeys(one["ObjectId"] for one in tickets if one.get("ObjectId") is not None)
    records = [search.by_id(number) for number in numbers]
    found = [record for record in records if record is not None and record["name"] == name]
    if not found:
        _refuse_unfinished(tickets, name)
    return only_one(name, found)


def unlisted_source(task: Task, search: Search, params: Params) -> Record | None:
    """Return the same for the instance that the options of an act name; a number is read without any list.

    The list of tickets may lag as well, so the note of a create on this machine comes first.
    """
    if params.get("id") is not None or not params["name"].strip():
        return None
    return _noted(task, search, params["name"]) or unlisted(search, params["name"])


def _noted(task: Task, search: Search, name: str) -> Record | None:
    """Return the instance that the note of its create leads to, or None."""
    facts = started(task, name).read() or {}
    try:
        number = search.api.get_ticket(facts["ticket"]).get("ObjectId") if "ticket" in facts else None
    except NotFound:
        return None
    record = None if number is None else search.by_id(number)
    return record if record is not None and record["name"] == name else None


def _speaks_of(ticket: Ticket, name: str) -> bool:
    kind = (ticket.get("ObjectType") or {}).get("Id")
    return ticket.get("ObjectName") == name and kind == INSTANCE_OBJECT


def _refuse_unfinished(tickets: t.Sequence[Ticket], name: str) -> None:
    """Raise InvalidInput for a ticket that goes on and names no object."""
    for ticket in tickets:
        if ticket.get("ObjectId") is None and status_of_ticket(ticket) not in (SUCCEEDED, FAILED):
            raise InvalidInput(
                f"Instance {name!r} is still being made (ticket {ticket['Id']}).",
                next_step="Wait for it: with wait: true in its own task, or with ticket_info.",
                ticket=ticket["Id"],
            )
