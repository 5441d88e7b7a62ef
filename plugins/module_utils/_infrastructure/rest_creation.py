# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating a REST resource exactly once, waiting for what the service creates, and finding what an earlier task did.

Names are not unique and lists may lag, so it is looked for in the list, by its note and by the tickets of its name.
"""

from __future__ import annotations

import typing as t

from .._connection.task import Result
from .._core.errors import (
    Busy,
    CannotDetermine,
    Conflict,
    FcdError,
    Forbidden,
    OperationFailed,
    Rejected,
    mark_changed_on_error,
)
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import (
    BAD_REQUEST,
    FAILED,
    SUCCEEDED,
    ChangeContext,
    Ticket,
    is_locked,
    is_unlocked,
    object_type_of_ticket,
    search_for_new_object,
    send_when_free,
    status_of_ticket,
    wait_for_list,
    wait_for_new_object,
    wait_for_object,
    wait_for_ticket,
)
from .._engine.create_once import CREATE_ADVICE, CreateNote, CreateSettings, create_once
from .._engine.plan import DELETE, Created, make_plan
from .._engine.scheduler import Job, Progress
from .create_trace import RequestedObject, created_with_other_name, tickets_of
from .declared_object import DeclaredObject
from .rest_changes import instances_of, wait_until_listed
from .rest_records import DISK_OBJECT, INSTANCE_OBJECT, NETWORK_OBJECT, TEMPLATE_OBJECT

OTHER_OBJECTS = frozenset({INSTANCE_OBJECT, TEMPLATE_OBJECT, DISK_OBJECT, NETWORK_OBJECT})


class RestCreation:
    """One create of what a resource declares. What it finds or creates has the fields of RequestedObject."""

    def __init__(self, resource: DeclaredObject, values: JsonMapping) -> None:
        self.resource = resource
        self.search = resource.search
        self.name = resource.name_of(values)
        self.trace = resource.trace(self.name)
        self.instances = resource.locked_instances()
        self.has_sent = False
        self._has_unseen = False
        self._values = values
        self._request: t.Callable[[], JsonObject] | None = None

    def alone(self, settings: CreateSettings) -> t.ContextManager[object]:
        """Return a context in which no other one is created that could be mistaken for this one."""
        return self.resource.alone(settings)

    def find(self) -> JsonObject | None:
        """Return the object, or its create in progress."""
        now = self.resource.task.clock.now()
        return _as_dict(self._find_in_list() or self.trace.find() or self.find_in_tickets(now))

    def verify(self) -> None:
        """Prepare the request: nothing but the create itself may fail when it is sent."""
        self.search.api.confirm(self._values)
        self._request = self.resource.create_request(self._values)

    def send(self, intent: CreateNote) -> JsonObject:
        """Send the create; the content of the answer is noted at once."""
        resource, clock = self.resource, self.resource.task.clock
        facts = resource.facts_before_create()
        self.has_sent = True
        if facts:
            intent.add(**facts)
        begun = clock.monotonic()
        try:
            answer = t.cast("t.Callable[[], JsonObject]", self._request)()
        finally:
            resource.create_seconds = clock.monotonic() - begun
        at_once = resource.object_type is None
        intent.add_answer(**{"id" if at_once else "ticket": answer["Id"]}, **facts)
        if not at_once:
            return RequestedObject(ticket=answer)._asdict()
        with mark_changed_on_error():
            record = resource.complete(self.search.describe(answer), self._values)
        return RequestedObject(answer["Id"], record=record)._asdict()

    def resume(self, facts: JsonMapping) -> JsonObject | None:
        """Return what a create that was sent before has created or is creating: then its instances are locked."""
        found = self.trace.find_by_facts(facts)
        if found is None:
            found = self._find_in_list() or self.find_in_tickets(float(facts["time"]))
            found = found or self.resource.find_leftover(facts, self._values)
            if found is not None and found.id is not None:
                self.trace.note.add_answer(id=found.id)  # the next list may come from a replica that is late
        if found is None and self._has_locked_instance():
            self.trace.note.add_answer(at_work=True)  # nothing has shown it, so its note has to stay
            found = RequestedObject()
        return _as_dict(found)

    def has_failed(self, facts: JsonMapping, *, looked: bool) -> bool:
        """Return whether the service says that this create has failed or, after a look, that the result is gone."""
        ticket = self.trace.read_ticket(facts)
        if ticket is not None and status_of_ticket(ticket) == FAILED:
            return True
        number = facts.get("id") or self.id_in(ticket)
        if looked and number is None and (other := self.find_renamed(facts)) is not None:
            raise created_with_other_name(self.search, other, self.name)
        return looked and number is not None and self.trace.find_created(number, facts) is None

    def find_renamed(self, facts: JsonMapping) -> JsonObject | None:
        """Return the only new one whose name the service may have made of the one that was sent, or None."""
        if "alike" not in facts:
            return None
        new = [one for one in self.search.find_alike(self.name) if one["id"] not in facts["alike"]]
        return new[0] if len(new) == 1 else None

    def id_in(self, ticket: t.Mapping[str, t.Any] | None) -> int | None:
        """Return the ID of the object that a ticket names, None if it names none.

        It may instead name what the object is made from or belongs to (docs/service/infrastructure.md, "Tickets").
        """
        number = (ticket or {}).get("ObjectId")
        return None if number in (*self.instances, *self.resource.source_ids) else number

    def _find_in_list(self) -> RequestedObject | None:
        record = self.search.by_name(self.name)
        return None if record is None else RequestedObject(record["id"], record=record)

    def find_in_tickets(self, since: float) -> RequestedObject | None:
        """Return what the tickets of the last hours say about an object of that name.

        One that names another instance may as well be for the removal of an older one.
        """
        if self.resource.object_type is None:
            return None
        missing: set[int] = set()
        for ticket in tickets_of(self.search.api, self.name, since):
            number = self.id_in(ticket)
            if number in missing or not self._is_of_kind(ticket):
                continue
            found = self.trace.find_by_ticket(ticket)
            self._has_unseen |= found is None and status_of_ticket(ticket) == SUCCEEDED
            if number is not None and (found is None or found.id is None):
                missing.add(number)
                found = found if self.resource.object_type != INSTANCE_OBJECT else None
            if found is not None:
                self.trace.note.add_answer(ticket=ticket["Id"])  # no list has shown it yet
                return found
        return None

    def may_be_late(self) -> bool:
        """Return whether a ticket of that name has succeeded, and nothing shows what it has created."""
        self._has_unseen = False
        return self.find_in_tickets(self.resource.task.clock.now()) is None and self._has_unseen

    def is_listed(self) -> bool:
        """Return whether a list shows an object of that name."""
        return self._find_in_list() is not None

    def _is_of_kind(self, ticket: Ticket) -> bool:
        """Return whether a ticket is for such an object.

        If no number is known for the kind, one that names no object yet, or another instance, may be for that. Nothing
        is lost by ignoring it: the instance is locked in the meantime, so that a second create is refused.
        """
        kind, number = object_type_of_ticket(ticket), ticket.get("ObjectId")
        if self.resource.object_type:
            return kind == self.resource.object_type
        if number is None or kind in OTHER_OBJECTS:
            return False
        if number in self.instances:
            return True
        try:
            return instances_of(self.search).by_id(number) is None
        except Forbidden:
            return True

    def is_lock_refusal(self, refusal: Rejected) -> bool:
        """Return whether the create may have been refused because one of the instances is locked."""
        if isinstance(refusal, Conflict):
            return bool(self.instances)
        return refusal.details.get("status") == BAD_REQUEST and self._has_locked_instance()

    def _has_locked_instance(self) -> bool:
        instances = instances_of(self.search)
        try:
            return any(is_locked(instances.by_id(number)) for number in self.instances)
        except Forbidden:
            return False


def _as_dict(found: RequestedObject | None) -> JsonObject | None:
    return None if found is None else found._asdict()


def _wait_for_name(context: ChangeContext, creation: RestCreation, record: JsonObject) -> Job[JsonObject]:
    """Return a new object when it shows its name, which may take the grace time. Raises OperationFailed."""
    search, clock = creation.search, context.task.clock
    end = clock.monotonic() + context.grace

    def shows_name(seen: JsonObject) -> bool:
        return bool(seen[search.key]) or clock.monotonic() >= end

    if not record[search.key] and not search.is_named(record, creation.name):
        what = f"Creating {search.kind} {creation.name!r}"
        record = yield from wait_for_new_object(context, record["id"], shows_name, what, search.kind)
    if not search.is_named(record, creation.name):
        raise created_with_other_name(search, record, creation.name)
    return record


def create_resource(resource: DeclaredObject, values: JsonMapping) -> Job[Created]:
    """Create it exactly once; what the create does not take is changed afterwards, but never the name."""
    more = any(values.get(name) for name in resource.set_after_create)
    context = resource.context._replace(wait=True) if more else resource.context
    creation = RestCreation(resource, values)
    created = yield from create_and_wait(context, creation)
    record = created.record["record"]
    if record is None:
        return Created({**values, "id": created.record["id"]}, created.by_us)
    if created.by_us and (context.wait or resource.object_type is None):
        record, desired = resource.compare_new((yield from _wait_for_name(context, creation, record)))
        plan = make_plan(resource.fields, desired, record, "present", kind=resource.kind)
        if plan.changed:
            record = (yield from resource.update(record, plan.values)) or {**record, **plan.values}
        else:
            yield from wait_until_listed(resource, record)
        resource.warn_of_unknown(record, values)
    return Created(record, created.by_us)


def create_and_wait(context: ChangeContext, creation: RestCreation) -> Job[Created]:
    """Create an object exactly once, and wait for it; the record is None if it is only started.

    A refusal because an instance is locked had no effect, so the lock is waited for. An object that exists after such a
    refusal is this task's own: it did not exist before, and the refusal may have been that of a second delivery.
    """
    resource, kind = creation.resource, creation.search.kind
    what = f"Creating {kind} {creation.name!r}"

    def create() -> Created:
        force = bool(resource.params.get("force_create"))
        settings = CreateSettings.of(resource.task, context.grace, force=force)
        created = create_once(settings, creation.trace.identity, f"{kind} {creation.name!r}", creation)
        resource.is_new = resource.is_new or creation.has_sent
        return created._replace(by_us=resource.is_new)

    created = yield from send_when_free(
        create, creation.is_lock_refusal, lambda: _wait_for_rivals(context, creation, what), what
    )
    if created.by_us:
        context.note_start(created.record["ticket"])
    if created.record["ticket"] is not None:
        resource.note_ticket(created.record["ticket"])
    if not context.wait:
        return Created({name: created.record[name] for name in ("id", "record")}, created.by_us)
    number, record = yield from wait_until_created(context, creation, RequestedObject(**created.record), what)
    return Created({"id": number, "record": record}, created.by_us)


def wait_until_created(
    context: ChangeContext, creation: RestCreation, found: RequestedObject, what: str
) -> Job[tuple[int | None, JsonObject]]:
    """Wait until what was found is ready; return its ID and record."""
    number, ticket, record = found
    if ticket is not None or record is None:
        yield Progress(what)
        number, record = yield from _wait_for_result(context, creation, ticket, number, what)
    elif not creation.resource.is_ready(record):
        ready = creation.resource.is_ready
        record = yield from wait_for_new_object(context, record["id"], ready, what, creation.search.kind)
    return number, record


def _wait_for_rivals(context: ChangeContext, creation: RestCreation, what: str) -> Job[bool]:
    """Wait until the instances are free, and for what another controller may have created while they were not."""
    waited = yield from _wait_for_instances(context, creation, what)
    if creation.may_be_late():
        yield from wait_for_list(context, creation.is_listed, what)
    return waited


def _wait_for_instances(context: ChangeContext, creation: RestCreation, what: str) -> Job[bool]:
    """Wait until the instances that the object belongs to are free; return whether one of them was not."""
    instances, waited = instances_of(creation.search), False
    for number in creation.instances:
        if is_locked(instances.by_id(number)):
            waited = True
            yield from wait_for_object(context._replace(reader=instances), number, is_unlocked, what)
    return waited


def _wait_for_result(
    context: ChangeContext, creation: RestCreation, ticket: Ticket | None, number: int | None, what: str
) -> Job[tuple[int | None, JsonObject]]:
    """Return the ID and the record of the new object when its ticket has ended.

    If the ticket names no object, it is looked for in every way, for the grace time.
    """
    kind, ended = creation.search.kind, None
    if ticket is not None:
        try:
            ended = yield from wait_for_ticket(context, ticket, what)
        except OperationFailed:
            creation.trace.note.clear_lead()  # it leads to nothing any more
            raise
    number = creation.id_in(ended) or creation.id_in({"ObjectId": number})
    if number is not None:
        creation.trace.note.set_lead(id=number)
        return number, (yield from wait_for_new_object(context, number, creation.resource.is_ready, what, kind))
    yield from _wait_for_instances(context, creation, what)

    def missing() -> FcdError:
        other = creation.find_renamed(creation.trace.note.lead() or {})
        if other is not None:
            creation.trace.note.set_lead(id=other["id"])
            return created_with_other_name(creation.search, other, creation.name)
        nowhere = f"{what}: the service returned no ID for it, and none of that name is listed."
        return CannotDetermine(nowhere, next_step=CREATE_ADVICE, ticket=ticket and ticket["Id"])

    find = creation.find
    record = yield from search_for_new_object(context, lambda: (find() or {}).get("record"), missing, what)
    if not creation.resource.is_ready(record):
        record = yield from wait_for_new_object(context, record["id"], creation.resource.is_ready, what, kind)
    return number, record


# ---------------------------------------------------------------- what an earlier task has left


def find_by_note(resource: DeclaredObject, name: str, record: JsonObject | None) -> JsonObject | None:
    """Return the object of that name, although a create has left a note; ``record`` is the one that the list shows."""
    trace = resource.trace(name)
    if record is not None:
        resource.require_no_duplicate(record, trace.note.lead() or {})
        trace.note.keep(record["id"])
        return record
    found = trace.find()
    if found is None:
        return None
    if found.record is not None:
        # the create takes up one that was left unfinished, under its lock: another task may still be creating it
        half = resource.params["state"] == "present" and resource.name_of(found.record) != resource.name
        return None if half else found.record
    if not resource.may_wait:
        resource.ticket_in_progress = found.ticket
        return None
    ticket = t.cast("Ticket", found.ticket)
    ended = resource.run_job(wait_for_ticket(resource.context, ticket, f"Creating {resource.kind} {name!r}"))
    created = None if ended is None else trace.find_by_ticket(ended)
    return resource.search.by_name(name) if created is None else created.record


def result_in_progress(resource: DeclaredObject, key: str, ticket: Ticket) -> Result:
    """Return the result for what an earlier task is creating. Raises Busy for a removal that cannot wait."""
    known = {"id": None, resource.search.key: resource.name, **resource.desired}
    removes = resource.params["state"] == "absent"
    if removes and not resource.params.get("wait", True):
        raise busy_error(resource, ticket, "removed")
    after = {} if removes else known
    return {
        "changed": removes,
        key: after or None,
        "action": DELETE if removes else "none",
        "diff": {"before": known, "after": after},
        "ticket": resource.ticket,
    }


def busy_error(resource: DeclaredObject, ticket: Ticket, done: str) -> Busy:
    """Return the error that the object, which an earlier task is creating, was not ``done`` yet."""
    return Busy(
        f"The {resource.kind} {resource.name!r} is still being created (ticket {ticket['Id']}) and was not {done} yet.",
        next_step="Run the task again later, or with wait: true.",
        ticket=ticket["Id"],
    )
