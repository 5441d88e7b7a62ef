# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations that take time: lock, ticket, effect, unlock (docs/service/infrastructure.md, "Tickets")."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sandbox.rest.call import Call
from sandbox.rest.models import Event, Instance, Lockable, Ticket
from sandbox.rest.refusal import Refusal
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.ticket_view import describe_ticket
from sandbox.rest.world import World

RUNNING, SUCCEEDED, FAILED = 135, 136, 137


def nothing(_when: float) -> None:
    """Change nothing."""


@dataclass
class Work:
    """One operation: its items of dictionaries 41 and 42, its object, and what it does when its time has come.

    ``done`` gives the id of the object when it is known only then; a ``Refusal`` out of it, made before it changes
    anything, is a failed ticket. ``tail`` seconds are added to the lock after the
    ticket's end. ``source`` is the id of what the object is made from (setting copied_object_id).
    """

    operation: int
    object_type: int
    object_name: str
    done: Callable[[float], int | None]
    object_id: int | None = None
    locks: Sequence[Lockable] = ()
    undone: Callable[[float], None] = nothing
    tail: float = 0.0
    source: int | None = None
    events: list[Event] = field(default_factory=list)


def require_free(call: Call, *objects: Lockable) -> None:
    """Refuse while another operation runs on one of the objects."""
    if any(one.lock.since is not None for one in objects):
        raise Refusal(call.settings["locked_status"], "The object is locked: another operation is running on it.")


def start(call: Call, work: Work) -> dict[str, Any]:
    """Lock the objects and start the operation; the answer is its ticket."""
    require_free(call, *work.locks)
    ticket = _ticket(call, work)
    for one in work.locks:
        freeze_listing(call, one)
        _set_lock(one, call.now)
        _record(call, work, one)
    ending = _ending(call, work, ticket)
    if math.isinf(ticket.due):
        call.world.timeline.hold(ending)
    else:
        call.world.timeline.at(ticket.due, ending)
    return describe_ticket(call, ticket)


def _ticket(call: Call, work: Work) -> Ticket:
    number = call.world.new_id(Ticket)
    hangs = _chosen(call, work, "hang_tickets")
    due = math.inf if hangs else call.now + call.settings["ticket_seconds"]
    ticket = Ticket(number, call.now, due, work.operation, work.object_type, work.object_id, work.object_name)
    ticket.lost = _chosen(call, work, "lost_tickets")
    call.world.table(Ticket)[number] = ticket
    return ticket


def _chosen(call: Call, work: Work, setting: str) -> bool:
    """Whether the regular expression in a setting matches operation id, operation label or object name."""
    pattern = call.settings[setting]
    label = call.world.dictionaries.label(41, work.operation)
    words = (call.operation, label, work.object_name)
    return bool(pattern) and any(re.search(pattern, word, re.IGNORECASE) for word in words)


def _ending(call: Call, work: Work, ticket: Ticket) -> Callable[[float], None]:
    told = _chosen(call, work, "fail_tickets")
    stuck = _chosen(call, work, "stuck_locks")
    tail = work.tail + call.settings["lock_tail"]

    def end(when: float) -> None:
        reason = _carry_out(call, work, ticket, when, told=told)
        for one in work.locks:
            release_listing(call, one, when)
        ticket.ended = when
        ticket.status = FAILED if reason else SUCCEEDED
        for event in work.events:
            event.status, event.message = ticket.status, reason or "The operation ended."
        if not stuck:
            call.world.timeline.at(when + tail, _unlocking(work))

    return end


def _carry_out(call: Call, work: Work, ticket: Ticket, when: float, *, told: bool) -> str | None:
    """Let the effect happen; why it did not, if so."""
    if told:
        work.undone(when)
        return "The operation failed, as the setting fail_tickets wants it."
    try:
        ticket.object_id = _object_id(call, work, work.done(when)) or ticket.object_id
    except Refusal as refusal:
        work.undone(when)
        return refusal.message
    return None


def _object_id(call: Call, work: Work, made: int | None) -> int | None:
    """The object that the ticket names at its end; for a copy, it is not known whether source or result."""
    if work.source is None:
        return made
    return {"new": made, "source": work.source, "null": None}[call.settings["copied_object_id"]]


def _unlocking(work: Work) -> Callable[[float], None]:
    def unlock(_when: float) -> None:
        for one in work.locks:
            _set_lock(one, None)

    return unlock


def _set_lock(one: Lockable, since: float | None) -> None:
    one.lock.since = since
    if isinstance(one, Instance):
        one.fragment = None


def _record(call: Call, work: Work, one: Lockable) -> None:
    if isinstance(one, Instance):
        work.events.append(record(call.world, one, work.operation, call.now))


def record(world: World, instance: Instance, operation: int, now: float) -> Event:
    """Write a running operation into the history of an instance."""
    number = next(world.event_ids)
    event = Event(number, now, instance.id, instance.name, operation, RUNNING, "The operation runs.")
    world.events[instance.id].append(event)
    return event
