# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The create of one part, for create_once: how it is sent, and how it is found again after an unclear answer."""

from __future__ import annotations

import time
import typing as t

from ..._engine.change import INSTANCE_OBJECT, SUCCEEDED, Ticket, object_type_of_ticket, status_of_ticket
from ..._engine.converge import Created
from ..._engine.create_once import create_once
from ..._engine.journal import Intent
from ..._session.task import Task
from .search import Item, PartSearch
from .traces import Found, Trace

LOOK_BACK = 3 * 3600.0  # seconds; clocks may differ
TEMPLATE, DISK, NETWORK = 140, 276, 284  # dictionary 42, wire-facts section 3.2
OTHERS = frozenset({INSTANCE_OBJECT, TEMPLATE, DISK, NETWORK})


class PartCreation:
    """One create of a part with this name. What it finds or makes has the fields of Found.

    ``send`` sends it and returns the ticket, or the part itself where ``object_type`` is None. ``object_type`` is the
    item of dictionary 42 that the ticket bears; zero where no number is known for the kind.
    """

    def __init__(
        self,
        task: Task,
        search: PartSearch,
        identity: t.Sequence[object],
        name: str,
        send: t.Callable[[], Item],
        *,
        object_type: int | None = None,
    ) -> None:
        self.task = task
        self.search = search
        self.identity = identity
        self.name = name
        self.trace = Trace(task, search, identity, name)
        self._send = send
        self._object_type = object_type
        self._grace = 0.0

    def once(self, grace: float) -> Created:
        """Send the create exactly once. ``grace`` is how long, in seconds, the new part may stay invisible."""
        self._grace = grace
        return create_once(self.task.once(grace), self.identity, f"{self.search.kind} {self.name!r}", self)

    def find(self) -> dict[str, t.Any] | None:
        """Return the part, or the create of it that is under way."""
        return _data(self._listed() or self.trace.follow() or self._unlisted() or self._ticketed(self.task.clock.now()))

    def send(self, intent: Intent) -> dict[str, t.Any]:
        """Send the create; what the answer tells is noted at once."""
        answer = self._send()
        if self._object_type is None:
            found, facts = Found(answer["Id"], record=self.search.described(answer)), {"id": answer["Id"]}
        else:
            found, facts = Found(ticket=answer), {"ticket": answer["Id"]}
        intent.add(**facts)
        self.trace.write(**facts)
        return found._asdict()

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        """Return what a create that was sent before has made, or is making."""
        return _data(self.trace.of_facts(facts) or self._listed() or self._ticketed(float(facts["time"])))

    def number_of(self, ticket: Ticket | None) -> int | None:
        """Return the number of the part that a ticket names, None where it names none."""
        return (ticket or {}).get("ObjectId")

    def _unlisted(self) -> Found | None:
        """Return the noted create whose ticket is over and names no part; lists may lag for the grace time."""
        facts = self.trace.facts() or {}
        ticket = self.trace.ticket(facts)
        if ticket is None or self.number_of(ticket) is not None:
            return None
        made = status_of_ticket(ticket) == SUCCEEDED
        fresh = self.task.clock.now() <= float(facts["time"]) + self._grace
        return Found(ticket=ticket) if made and fresh else None

    def _listed(self) -> Found | None:
        record = self.search.by_name(self.name)
        return None if record is None else Found(record["id"], record=record)

    def _ticketed(self, since: float) -> Found | None:
        """Return what the tickets of the last hours say about a part of that name."""
        if self._object_type is None:
            return None
        start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since - LOOK_BACK))
        for ticket in self.search.api.list_tickets(creation_date_from=start):
            if ticket.get("ObjectName") == self.name and self._on_kind(ticket):
                found = self.trace.of_ticket(ticket)
                if found is not None:
                    return found
        return None

    def _on_kind(self, ticket: Ticket) -> bool:
        number = object_type_of_ticket(ticket)
        return number == self._object_type if self._object_type else number not in OTHERS


def _data(found: Found | None) -> dict[str, t.Any] | None:
    return None if found is None else found._asdict()
