# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating a REST resource exactly once, and waiting for what the service creates.

Names are not unique and lists may lag, so it is looked for in the list, by its note and by the tickets of its name.
"""

from __future__ import annotations

import time
import typing as t

from .._core.errors import CannotDetermine, Conflict, Forbidden, OperationFailed
from .._engine.change import (
    FAILED,
    INSTANCE_OBJECT,
    ChangeContext,
    Listing,
    Ticket,
    is_locked,
    is_unlocked,
    object_type_of_ticket,
    search_for_new_object,
    send_when_free,
    status_of_ticket,
    wait_for_new_object,
    wait_for_object,
    wait_for_ticket,
)
from .._engine.create_once import ADVICE, Intent, create_once
from .._engine.plan import Created, Record
from .._engine.scheduler import Job, Progress
from .rest_records import DISK_OBJECT, NETWORK_OBJECT, TEMPLATE_OBJECT, Row
from .rest_search import RequestedObject, RestSearch

if t.TYPE_CHECKING:
    from .instance.instance_records import InstanceSearch
    from .rest_resource import RestResource


LOOK_BACK = 3 * 3600.0  # seconds; clocks may differ
OTHERS = frozenset({INSTANCE_OBJECT, TEMPLATE_OBJECT, DISK_OBJECT, NETWORK_OBJECT})


class RestCreation:
    """One create of what a resource declares. What it finds or creates has the fields of RequestedObject."""

    def __init__(self, resource: RestResource, values: Record) -> None:
        self.resource = resource
        self.task = resource.task
        self.search = resource.search
        self.name = resource.called(values)
        self.trace = resource.trace(self.name)
        self.holders = resource.holders()
        self._values = values
        self.sent = False
        self._send = resource.creating(values)

    def once(self, grace: float) -> Created:
        """Send the create exactly once. ``grace`` is how long, in seconds, the new object may stay invisible."""
        identity = self.resource.identity(self.name)
        once = self.task.create_settings(grace, force=bool(self.resource.params.get("force_create")))
        return create_once(once, identity, f"{self.search.kind} {self.name!r}", self)

    def find(self) -> dict[str, t.Any] | None:
        """Return the object, or its create in progress."""
        return _data(self._listed() or self.trace.follow() or self._ticketed(self.task.clock.now()))

    def send(self, intent: Intent) -> dict[str, t.Any]:
        """Send the create; the content of the answer is noted at once."""
        known = self.resource.known_before()
        self.sent = True
        if known:
            intent.add(**known)
        answer = self._send()
        at_once = self.resource.object_type is None
        intent.add_answer(**{"id" if at_once else "ticket": answer["Id"]}, **known)
        if not at_once:
            return RequestedObject(ticket=answer)._asdict()
        record = self.resource.completed(self.search.described(answer), self._values)
        return RequestedObject(answer["Id"], record=record)._asdict()

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        """Return what a create that was sent before has created or is creating: then its instances are locked."""
        found = self.trace.of_facts(facts) or self._listed() or self._ticketed(float(facts["time"]))
        found = found or self.resource.left_behind(facts, self._values)
        if found is None and self._holds():
            self.trace.note.add_answer(at_work=True)  # nothing has shown it, so its note has to stay
            found = RequestedObject()
        return _data(found)

    def ended(self, context: ChangeContext, ticket: Ticket, what: str) -> Job[Ticket | None]:
        """Wait until the ticket has ended; one that the service reports as failed leads to nothing any more."""
        try:
            return (yield from wait_for_ticket(context, ticket, what))
        except OperationFailed:
            self.trace.note.clear_lead()
            raise

    def has_failed(self, facts: t.Mapping[str, t.Any], *, looked: bool) -> bool:
        """Return whether the service says that this create has failed or, after a look, that the result is gone."""
        ticket = self.trace.ticket(facts)
        if ticket is not None and status_of_ticket(ticket) == FAILED:
            return True
        return looked and (facts.get("id") or self.number_of(ticket)) is not None

    def number_of(self, ticket: t.Mapping[str, t.Any] | None) -> int | None:
        """Return the ID of the object that a ticket names, None if it names none.

        It may instead name the instance that the object belongs to (infrastructure facts, d.24).
        """
        number = (ticket or {}).get("ObjectId")
        return None if number in self.holders else number

    def _listed(self) -> RequestedObject | None:
        record = self.search.by_name(self.name)
        return None if record is None else RequestedObject(record["id"], record=record)

    def _ticketed(self, since: float) -> RequestedObject | None:
        """Return what the tickets of the last hours say about an object of that name."""
        if self.resource.object_type is None:
            return None
        start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since - LOOK_BACK))
        for ticket in self.search.api.list_tickets(creation_date_from=start):
            if ticket.get("ObjectName") == self.name and self._on_kind(ticket):
                found = self.trace.of_ticket(ticket)
                if found is not None:
                    self.trace.note.add_answer(ticket=ticket["Id"])  # no list has shown it yet
                    return found
        return None

    def _on_kind(self, ticket: Ticket) -> bool:
        """Return whether a ticket is for such an object.

        If no number is known for the kind, one that names no object yet, or another instance, may be for that. Nothing
        is lost by ignoring it: the instance is locked in the meantime, so that a second create is refused.
        """
        number, place = object_type_of_ticket(ticket), ticket.get("ObjectId")
        if self.resource.object_type:
            return number == self.resource.object_type
        if place is None or number in OTHERS:
            return False
        return place in self.holders or not self._is_instance(place)

    def _is_instance(self, number: int) -> bool:
        try:
            return _instances(self.search).by_id(number) is not None
        except Forbidden:
            return False

    def _holds(self) -> bool:
        instances = _instances(self.search)
        try:
            return any(is_locked(instances.by_id(number)) for number in self.holders)
        except Forbidden:
            return False


def _data(found: RequestedObject | None) -> dict[str, t.Any] | None:
    return None if found is None else found._asdict()


def _instances(search: RestSearch) -> InstanceSearch:
    from .instance.instance_records import InstanceSearch  # most kinds have nothing to do with instances

    return InstanceSearch(search.api)


class WithHolders:
    """Reads an object together with instances: it counts as locked while one of them is."""

    def __init__(self, search: RestSearch, holders: t.Sequence[int]) -> None:
        self.api = search.api
        self._search = search
        self._holders = holders
        self._instances = _instances(search)

    def by_id(self, number: int) -> Row | None:
        """Return the object, or None."""
        record = self._search.by_id(number)
        if record is None:
            return None
        busy = any(is_locked(self._instances.by_id(one)) for one in self._holders)
        return {**record, "is_locked": True} if busy else record


def read_listing(resource: RestResource, record: Row, names: t.Collection[str]) -> Listing:
    """Return whether a list shows these values of an object, and possible duplicates that were created with it.

    The whole list is only read if a filter does not find the object.
    """
    search, seen = resource.search, Listing(shows=False, others={})
    for filtered in [{"query": record[search.key]}, {}] if search.queries else [{}]:
        items = search.listed(**filtered)
        found = [search.described(item) for item in items if item.get("Id") == record["id"]]
        shows = any(all(one.get(name) == record.get(name) for name in names) for one in found)
        seen = Listing(shows, resource.seconds(record, items))
        if shows:
            break
    return seen


def create_and_wait(context: ChangeContext, creation: RestCreation) -> Job[Created]:
    """Create an object exactly once, and wait for it; the record is None if it is only started."""
    what = f"Creating {creation.search.kind} {creation.name!r}"
    created = yield from _requested(context, creation, what)
    number, ticket, record = (created.record[name] for name in ("id", "ticket", "record"))
    if created.by_us:
        context.begun(ticket)
    if ticket is not None:
        creation.resource.note_ticket(ticket)
    if not context.wait:
        return Created({"id": number, "record": record}, created.by_us)
    if ticket is not None or record is None:
        yield Progress(what)
        ended = None if ticket is None else (yield from creation.ended(context, ticket, what))
        number = creation.number_of(ended) or creation.number_of({"ObjectId": number})
        record = yield from _seen(context, creation, number, what)
    elif is_locked(record):
        record = yield from wait_for_new_object(context, number, is_unlocked, what, creation.search.kind)
    return Created({"id": number, "record": record}, created.by_us)


def _requested(context: ChangeContext, creation: RestCreation, what: str) -> Job[Created]:
    """Send the create once; a refusal because an instance is locked had no effect, so the lock is waited for.

    An object that exists after such a refusal is this task's own: it did not exist before, and the refusal may have
    been that of a second delivery.
    """

    def once() -> Created:
        created = creation.once(context.grace)
        return created._replace(by_us=creation.sent)

    return send_when_free(
        once,
        lambda refusal: bool(creation.holders) and isinstance(refusal, Conflict),
        lambda: _unlocked(context, creation, what),
        what,
    )


def _unlocked(context: ChangeContext, creation: RestCreation, what: str) -> Job[bool]:
    """Wait until the instances that the object belongs to are free; return whether one of them was not."""
    instances = _instances(creation.search)
    here, waited = context._replace(reader=instances), False
    for number in creation.holders:
        if is_locked(instances.by_id(number)):
            waited = True
            yield from wait_for_object(here, number, is_unlocked, what)
    return waited


def _seen(context: ChangeContext, creation: RestCreation, number: int | None, what: str) -> Job[Row]:
    """Return the new object; if its ticket names no object, it is looked for in every way, for the grace time."""
    kind = creation.search.kind
    if number is not None:
        creation.trace.note.set_lead(id=number)
        return (yield from wait_for_new_object(context, number, is_unlocked, what, kind))
    yield from _unlocked(context, creation, what)

    def find() -> Row | None:
        return (creation.find() or {}).get("record")

    def missing() -> CannotDetermine:
        return CannotDetermine(
            f"{what}: the service returned no ID for it, and none of that name is listed.",
            next_step=ADVICE,
        )

    record = yield from search_for_new_object(context, find, missing, what)
    return (
        (yield from wait_for_new_object(context, record["id"], is_unlocked, what, kind))
        if is_locked(record)
        else record
    )
