# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an earlier create of a REST object has left: a note, a ticket, an object that is not listed yet."""

from __future__ import annotations

import time
import typing as t

from .._core.errors import FcdError, NotFound, OperationFailed
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import FAILED, SUCCEEDED, Ticket, is_over, status_of_ticket
from .._engine.create_once import LISTED, ChangeEnvironment, create_note
from .api import Infrastructure
from .rest_records import RestSearch

TICKET_LOOK_BACK = 3 * 3600.0  # seconds; a create takes up to 45 minutes, and clocks may differ


class RequestedObject(t.NamedTuple):
    """What is known of an object that was requested: its ID, the ticket that creates it, and its current state."""

    id: int | None = None
    ticket: Ticket | None = None
    record: JsonObject | None = None


class CreateTrace:
    """Where the note of one create leads. ``identity`` (service, account, kind, name) identifies the object."""

    def __init__(self, task: ChangeEnvironment, search: RestSearch, identity: t.Sequence[object], name: str) -> None:
        self.identity = identity
        self.note = create_note(task, identity)
        self._search = search
        self._name = name

    def find(self) -> RequestedObject | None:
        """Return what the note leads to, if that still exists or is still being created."""
        facts = self.note.lead()
        if facts is None:
            return None
        ticket = self.read_ticket(facts)
        found = self._find_noted(facts, ticket)
        has_failed = ticket is not None and status_of_ticket(ticket) == FAILED
        if found is None and ("id" in facts or has_failed):  # else lists may lag behind the ticket
            self.note.clear_lead(facts)
        return found

    def find_by_facts(self, facts: JsonMapping) -> RequestedObject | None:
        """Return what a note with these facts leads to."""
        return self._find_noted(facts, self.read_ticket(facts))

    def _find_noted(self, facts: JsonMapping, ticket: Ticket | None) -> RequestedObject | None:
        if "id" in facts:
            return self.find_created(facts["id"], facts)
        return None if ticket is None else self.find_by_ticket(ticket)

    def find_created(self, number: int, facts: JsonMapping) -> RequestedObject | None:
        """Return what the create has made; None if it is gone, or renamed after it was listed under its name.

        Raises OperationFailed if it never had that name: a second one would not have it either.
        """
        record = None if number in self._search.ignored else self._search.by_id(number)
        if record is not None and record[self._search.key] not in (None, "", self._name):
            if facts.get(LISTED):
                return None
            raise created_with_other_name(self._search, record, self._name)
        return None if record is None else RequestedObject(number, record=record)

    def read_ticket(self, facts: JsonMapping) -> Ticket | None:
        """Return the ticket that a note names, if the service has it; after the ID, it does not matter."""
        if "ticket" not in facts or "id" in facts:
            return None
        try:
            return self._search.api.get_ticket(facts["ticket"])
        except NotFound:
            return None

    def find_by_ticket(self, ticket: Ticket) -> RequestedObject | None:
        """Return what a ticket creates or has created.

        At the start of a create it names no object, at its end perhaps the source of the object.
        """
        status, number = status_of_ticket(ticket), ticket.get("ObjectId")
        if status == FAILED:
            return None
        found = None if number is None else self.find_by_id(number, ticket)
        return found or (None if status == SUCCEEDED else RequestedObject(ticket=ticket))

    def find_by_id(self, number: int, ticket: Ticket | None = None) -> RequestedObject | None:
        """Return the object with this ID, if it is the one of that name."""
        record = None if number in self._search.ignored else self._search.by_id(number)
        if record is None or not self._search.has_name(record, self._name):
            return None
        return RequestedObject(number, ticket, record)

    def forget(self, number: int, *, is_named: bool) -> None:
        """Forget the create of an object that is gone, unless the note leads to another one.

        Another task that replaces the same object may have created that by now, and lists may not show it yet. A ticket
        only tells if it is known that it names the object itself (``is_named``), and not what that is made from.
        """
        lead = self.note.lead()
        if lead is None:
            return
        try:
            ticket = self.read_ticket(lead) or {}
        except FcdError:
            return  # the next create will follow the note again
        noted = lead.get("id", ticket.get("ObjectId") if is_named else None)
        if noted == number or (noted is None and (not ticket or is_over(ticket))):
            self.note.clear_lead(lead)


def tickets_of(api: Infrastructure, name: str, moment: float) -> list[Ticket]:
    """Return the tickets for objects of that name, starting some hours before the moment."""
    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment - TICKET_LOOK_BACK))
    return [one for one in api.list_tickets(creation_date_from=start) if one.get("ObjectName") == name]


def created_with_other_name(search: RestSearch, record: JsonObject, name: str) -> OperationFailed:
    """Return the error for what was created under that name, and has another one: the service may change names."""
    shown = repr(record[search.key]) if record[search.key] else "empty"
    return OperationFailed(
        f"The {search.kind} {name!r} was created with the ID {record['id']}, but its {search.key} is {shown}.",
        next_step=f"No other one is created. Declare the {search.key} as the service has it, or remove this one by its "
        "ID.",
        id=record["id"],
    )
