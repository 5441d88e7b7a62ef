# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating a REST resource exactly once, and waiting for what the service makes of it.

Names are not unique and lists may lag, so it is looked for in the list, by its note and by the tickets of its name.
"""

from __future__ import annotations

import time
import typing as t

from .._connection.task import Task
from .._core.errors import CannotDetermine, Conflict
from .._engine.change import (
    INSTANCE_OBJECT,
    SUCCEEDED,
    ChangeContext,
    Ticket,
    appeared,
    locked,
    looked_for,
    object_type_of_ticket,
    reached,
    sent_when_free,
    status_of_ticket,
    ticket_ended,
    unlocked,
)
from .._engine.create_once import Intent, create_once
from .._engine.reconcile import Created
from .._engine.scheduler import Job, Progress
from .instance.instance_records import InstanceSearch
from .rest_records import Item, Row
from .rest_search import CreateTrace, RequestedObject, RestSearch

if t.TYPE_CHECKING:
    from .api.infrastructure import Infrastructure


LOOK_BACK = 3 * 3600.0  # seconds; clocks may differ
TEMPLATE, DISK, NETWORK = 140, 276, 284  # dictionary 42, wire-facts section 3.2
OTHERS = frozenset({INSTANCE_OBJECT, TEMPLATE, DISK, NETWORK})


class RestCreation:
    """One create of an object with this name. What it finds or makes has the fields of Found.

    ``send`` sends it and returns the ticket, or the object itself where ``object_type`` is None. ``object_type`` is the
    item of dictionary 42 that the ticket bears; zero where no number is known for the kind.
    """

    def __init__(
        self,
        task: Task,
        search: RestSearch,
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
        self.trace = CreateTrace(task, search, identity, name)
        self._send = send
        self._object_type = object_type
        self._grace = 0.0

    def once(self, grace: float) -> Created:
        """Send the create exactly once. ``grace`` is how long, in seconds, the new object may stay invisible."""
        self._grace = grace
        return create_once(self.task.once(grace), self.identity, f"{self.search.kind} {self.name!r}", self)

    def find(self) -> dict[str, t.Any] | None:
        """Return the object, or the create of it that is under way."""
        return _data(self._listed() or self.trace.follow() or self._unlisted() or self._ticketed(self.task.clock.now()))

    def send(self, intent: Intent) -> dict[str, t.Any]:
        """Send the create; what the answer tells is noted at once."""
        answer = self._send()
        if self._object_type is None:
            found, facts = RequestedObject(answer["Id"], record=self.search.described(answer)), {"id": answer["Id"]}
        else:
            found, facts = RequestedObject(ticket=answer), {"ticket": answer["Id"]}
        intent.answered(**facts)
        return found._asdict()

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        """Return what a create that was sent before has made, or is making."""
        return _data(self.trace.of_facts(facts) or self._listed() or self._ticketed(float(facts["time"])))

    def number_of(self, ticket: Ticket | None) -> int | None:
        """Return the number of the object that a ticket names, None where it names none."""
        return (ticket or {}).get("ObjectId")

    def _unlisted(self) -> RequestedObject | None:
        """Return the noted create whose ticket is over and names no object; lists may lag for the grace time."""
        facts = self.trace.note.lead() or {}
        ticket = self.trace.ticket(facts)
        if ticket is None or self.number_of(ticket) is not None:
            return None
        made = status_of_ticket(ticket) == SUCCEEDED
        fresh = self.task.clock.now() <= float(facts["time"]) + self._grace
        return RequestedObject(ticket=ticket) if made and fresh else None

    def _listed(self) -> RequestedObject | None:
        record = self.search.by_name(self.name)
        return None if record is None else RequestedObject(record["id"], record=record)

    def _ticketed(self, since: float) -> RequestedObject | None:
        """Return what the tickets of the last hours say about an object of that name."""
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


def _data(found: RequestedObject | None) -> dict[str, t.Any] | None:
    return None if found is None else found._asdict()


Note = t.Callable[[Ticket], None]


class WithHolders:
    """Reads an object together with instances: it counts as locked while one of them is."""

    def __init__(self, search: RestSearch, holders: t.Sequence[int]) -> None:
        self.api = search.api
        self._search = search
        self._holders = holders
        self._instances = InstanceSearch(search.api)

    def by_id(self, number: int) -> Row | None:
        """Return the object, or None."""
        record = self._search.by_id(number)
        if record is None:
            return None
        busy = any(locked(self._instances.by_id(one)) for one in self._holders)
        return {**record, "is_locked": True} if busy else record


def is_listed(search: RestSearch, record: Row, names: t.Collection[str]) -> bool:
    """Return whether a list shows these values of an object; the whole list only where a filter does not find it."""
    filters = [{"query": record[search.key]}, {}] if search.queries else [{}]
    for filtered in filters:
        found = [search.described(item) for item in search.listed(**filtered) if item.get("Id") == record["id"]]
        if any(all(one.get(name) == record.get(name) for name in names) for one in found):
            return True
    return False


def create_and_wait(
    context: ChangeContext, creation: RestCreation, note: Note, holders: t.Sequence[int] = ()
) -> Job[Created]:
    """Create an object exactly once, and wait for it; the record is None when it is only started."""
    what = f"Creating {creation.search.kind} {creation.name!r}"
    created = yield from _requested(context, creation, what, holders)
    number, ticket, record = (created.record[name] for name in ("id", "ticket", "record"))
    if created.by_us:
        context.begun(ticket)
    if ticket is not None:
        note(ticket)
    if not context.wait:
        return Created({"id": number, "record": record}, created.by_us)
    if ticket is not None or record is None:
        yield Progress(what)
        ended = None if ticket is None else (yield from ticket_ended(context, ticket, what))
        number = creation.number_of(ended) or creation.number_of({"ObjectId": number})
        record = yield from _seen(context, creation, number, what, holders)
    elif locked(record):
        record = yield from appeared(context, number, unlocked, what, creation.search.kind)
    return Created({"id": number, "record": record}, created.by_us)


def _requested(context: ChangeContext, creation: RestCreation, what: str, holders: t.Sequence[int]) -> Job[Created]:
    """Send the create once; a refusal because an instance is locked did nothing, so the lock is waited for."""
    return sent_when_free(
        lambda: creation.once(context.grace),
        lambda refusal: bool(holders) and isinstance(refusal, Conflict),
        lambda: _unlocked(context, creation.search.api, holders, what),
        what,
    )


def _unlocked(context: ChangeContext, api: Infrastructure, holders: t.Sequence[int], what: str) -> Job[bool]:
    """Wait until the instances are free; return whether one of them was not."""
    instances = InstanceSearch(api)
    here, waited = context._replace(reader=instances), False
    for number in holders:
        if locked(instances.by_id(number)):
            waited = True
            yield from reached(here, number, unlocked, what)
    return waited


def _seen(
    context: ChangeContext, creation: RestCreation, number: int | None, what: str, holders: t.Sequence[int]
) -> Job[Row]:
    """Return the new object; where its ticket names no object, it is looked for in every way, for the grace time."""
    kind = creation.search.kind
    if number is not None:
        creation.trace.note.lead_to(id=number)
        return (yield from appeared(context, number, unlocked, what, kind))
    yield from _unlocked(context, creation.search.api, holders, what)

    def find() -> Row | None:
        return (creation.find() or {}).get("record")

    def missing() -> CannotDetermine:
        return CannotDetermine(
            f"{what}: the service tells no number for it, and none of that name is listed.",
            next_step="Run the task again later; it looks for it before it creates anything.",
        )

    record = yield from looked_for(context, find, missing, what)
    return (yield from appeared(context, record["id"], unlocked, what, kind)) if locked(record) else record
