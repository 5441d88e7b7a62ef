# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions on an existing instance: which one is meant, and how an action that must not be repeated is sent once."""

from __future__ import annotations

import time
import typing as t

from ..._connection.task import WAIT, Task
from ..._core.clock import Clock
from ..._core.errors import (
    CannotDetermine,
    Conflict,
    FcdError,
    InvalidInput,
    NotFound,
    Rejected,
    ServiceError,
    Unclear,
    asks_elsewhere,
    mark_changed_on_error,
)
from ..._core.option_types import SECONDS
from ..._engine.change import (
    ATTEMPTS,
    FAILED,
    SETTLE,
    SUCCEEDED,
    Ticket,
    gone,
    locked,
    reached,
    refused_for_lock,
    status_of_ticket,
    unlocked,
)
from ..._engine.scheduler import Job, Progress
from ..rest_records import Row, no_instance
from .instance_creation import tickets_of
from .instance_options import Params
from .instance_records import InstanceContext, InstanceSearch, context_of, note_of_instance, only_instance

MEANT: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "aliases": ["instance_name"]},
    "id": {"type": "int", "aliases": ["instance_id"]},
}
MEANT_RULES: dict[str, t.Any] = {"required_one_of": [("name", "id")], "mutually_exclusive": [("name", "id")]}
LIMITS: dict[str, dict[str, t.Any]] = {**WAIT, "create_grace": {"type": SECONDS, "default": 30}}
SKEW = 120.0  # seconds by which clocks may differ


def named_instance(search: InstanceSearch, params: Params) -> Row | None:
    """Return the instance that the options name, or None. Raises Ambiguous."""
    if params.get("id") is not None:
        return search.by_id(params["id"])
    name = params["name"]
    found = search.by_names([name])[name]
    return found[0] if len(found) == 1 else search.by_name(name) if found else None


def missing_instance(search: InstanceSearch, params: Params) -> InvalidInput:
    """Return the error for an instance that does not exist."""
    option = "name" if params.get("id") is None else "id"
    return no_instance(str(params[option]), option, search.listed)


def required_source(task: Task, search: InstanceSearch, params: Params) -> Row:
    """Return the instance that the options of an action name; a list may not show it yet. Raises InvalidInput."""
    record = named_instance(search, params) or unlisted_source(task, search, params)
    if record is None:
        raise missing_instance(search, params)
    return record


def unlisted(search: InstanceSearch, name: str) -> Row | None:
    """Return the instance of that name that a ticket leads to, or None.

    Raises Ambiguous for several, InvalidInput for one that is being created and has no ID yet (wire-facts section 5.3).
    """
    tickets = tickets_of(search.api, name, Clock().now())
    numbers = dict.fromkeys(one["ObjectId"] for one in tickets if one.get("ObjectId") is not None)
    records = [search.by_id(number) for number in numbers]
    found = [record for record in records if record is not None and record["name"] == name]
    if not found:
        _refuse_unfinished(tickets, name)
    return only_instance(name, found)


def unlisted_source(task: Task, search: InstanceSearch, params: Params) -> Row | None:
    """Return the same for the instance that the options of an action name; an ID is read without any list.

    The list of tickets may lag as well, so the note of a create on this host comes first.
    """
    if params.get("id") is not None or not params["name"].strip():
        return None
    return _noted(task, search, params["name"]) or unlisted(search, params["name"])


def _noted(task: Task, search: InstanceSearch, name: str) -> Row | None:
    """Return the instance that the note of its create leads to, or None."""
    facts = note_of_instance(task, name).lead() or {}
    try:
        number = search.api.get_ticket(facts["ticket"]).get("ObjectId") if "ticket" in facts else None
    except NotFound:
        return None
    record = None if number is None else search.by_id(number)
    return record if record is not None and record["name"] == name else None


def _refuse_unfinished(tickets: t.Sequence[Ticket], name: str) -> None:
    """Raise InvalidInput for a ticket that has not ended and names no object."""
    for ticket in tickets:
        if ticket.get("ObjectId") is None and status_of_ticket(ticket) not in (SUCCEEDED, FAILED):
            raise InvalidInput(
                f"Instance {name!r} is still being created (ticket {ticket['Id']}).",
                next_step="Wait for it: with wait: true in its own task, or with ticket_info.",
                ticket=ticket["Id"],
            )


def act_context(task: Task, search: InstanceSearch, params: Params) -> InstanceContext:
    """Return the context of the action."""
    return context_of(task, search, {**params, "create_grace": params.get("create_grace") or SETTLE})


def unlocked_or_gone(context: InstanceContext, record: Row, what: str) -> Job[Row | None]:
    """Wait until no other operation is running on the instance."""
    return (yield from reached(context.change, record["id"], unlocked, what)) if locked(record) else record


class SingleAct:
    """An action that is sent once. ``operations`` are its numbers in dictionary 41, which identify its ticket.

    That an instance is locked proves nothing: another operation may have started. Clocks may differ, so the existing
    tickets are noted before it is sent.
    """

    def __init__(
        self,
        context: InstanceContext,
        number: int,
        what: str,
        send: t.Callable[[], Ticket],
        operations: t.Container[int],
    ) -> None:
        self._context = context
        self._number = number
        self._what = what
        self._send = send
        self._operations = operations
        self._start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(context.change.task.clock.now() - SKEW))

    def sent(self) -> Job[Ticket]:
        """Send it and return the ticket. Raises CannotDetermine."""
        ticket = yield from self._taken()
        self._context.change.begun(ticket)
        return ticket

    def _taken(self) -> Job[Ticket]:
        conflicts = 0
        while True:
            earlier = {one["Id"] for one in self._tickets()}
            try:
                return self._send()
            except Conflict as refusal:
                conflicts += 1
                problem: Rejected = refusal
            except Rejected as refusal:
                problem = self._refused(refusal)
            except (Unclear, ServiceError) as cause:
                if asks_elsewhere(cause):
                    raise
                with mark_changed_on_error():  # it must not be reported as certainly not done
                    return (yield from self._traced(earlier, cause))
            if conflicts > ATTEMPTS:
                raise problem
            yield Progress(self._what, "waiting for another operation")
            if (yield from reached(self._context.change, self._number, unlocked, self._what)) is None:
                raise gone(self._what, "instance", self._number)

    def _refused(self, refusal: Rejected) -> Rejected:
        """Return the refusal if it may be because of a lock, which is waited for. Raises it, or what explains it."""
        record = self._context.search.by_id(self._number)
        if not refused_for_lock(refusal, record):
            raise gone(self._what, "instance", self._number) if record is None else refusal
        return refusal

    def _traced(self, earlier: t.Container[int], cause: FcdError) -> Job[Ticket]:
        """Find out whether it was done: by its ticket, which is looked for as long as the instance is locked."""
        clock = self._context.change.task.clock
        end = clock.monotonic() + SETTLE
        while True:
            busy = self._context.change.wait and locked(self._context.search.by_id(self._number))
            own = [one for one in self._tickets() if one["Id"] not in earlier and self._is_own(one)]
            if own:
                return max(own, key=lambda ticket: ticket["Id"])
            if clock.monotonic() >= end and not busy:
                raise CannotDetermine(
                    f"{self._what}: it is not known whether it was done ({cause.message}).",
                    next_step="Check the instance, and run the task again if it was not.",
                    cause=type(cause).__name__,
                )
            yield Progress(self._what, "finding out the outcome")

    def _tickets(self) -> list[Ticket]:
        return self._context.api.list_tickets(creation_date_from=self._start)

    def _is_own(self, ticket: Ticket) -> bool:
        kind = (ticket.get("OperationType") or {}).get("Id")
        return ticket.get("ObjectId") == self._number and kind in self._operations
