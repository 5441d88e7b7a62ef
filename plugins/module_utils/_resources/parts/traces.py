# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The note on disk of a part that was made here, for as long as the service's list does not show it."""

from __future__ import annotations

import typing as t

from ..._core.errors import NotFound
from ..._engine.change import FAILED, SUCCEEDED, Ticket, status_of_ticket
from ..._engine.journal import MADE, note_of_create
from ..._session.task import Task
from .search import PartSearch, Record


class Found(t.NamedTuple):
    """What is known of a part that was requested: its number, the ticket that makes it, and how it is now."""

    id: int | None = None
    ticket: Ticket | None = None
    record: Record | None = None


class Trace:
    """The note about one create. ``identity`` (service, account, kind, name) stands for the part."""

    def __init__(self, task: Task, search: PartSearch, identity: t.Sequence[object], name: str) -> None:
        self._search = search
        self._name = name
        self._note = note_of_create(task, identity, MADE)

    def write(self, **facts: t.Any) -> None:
        """Note the number of the part (``id``) or of the ticket that makes it (``ticket``)."""
        self._note.write(**facts)

    def clear(self) -> None:
        """Forget it: the list shows the part, or it is gone."""
        self._note.clear()

    def follow(self) -> Found | None:
        """Return what the note leads to, if that is still there or still being made."""
        facts = self._note.read()
        found = None if facts is None else self.of_facts(facts)
        if facts is not None and found is None and "id" in facts:
            self.clear()  # it was made, and is gone; a ticket without a number says less: lists may lag behind it
        return found

    def of_facts(self, facts: t.Mapping[str, t.Any]) -> Found | None:
        """Return what a note with these facts leads to."""
        if "id" in facts:
            return self._of_number(facts["id"], None)
        ticket = self.ticket(facts)
        return None if ticket is None else self.of_ticket(ticket)

    def facts(self) -> dict[str, t.Any] | None:
        """Return what is noted, with its ``time`` in unix seconds."""
        return self._note.read()

    def ticket(self, facts: t.Mapping[str, t.Any]) -> Ticket | None:
        """Return the ticket that a note names, if the service has it."""
        if "ticket" not in facts:
            return None
        try:
            return self._search.api.get_ticket(facts["ticket"])
        except NotFound:
            return None

    def of_ticket(self, ticket: Ticket) -> Found | None:
        """Return what a ticket makes or has made.

        At the start of a create it names no object (wire-facts 5.3), and at its end perhaps what the part was made of.
        """
        status, number = status_of_ticket(ticket), ticket.get("ObjectId")
        if status == FAILED:
            return None
        found = None if number is None else self._of_number(number, ticket)
        return found or (None if status == SUCCEEDED else Found(ticket=ticket))

    def _of_number(self, number: int, ticket: Ticket | None) -> Found | None:
        record = self._search.by_id(number)
        if record is None or not self._search.named(record, self._name):
            return None
        return Found(number, ticket, record)
