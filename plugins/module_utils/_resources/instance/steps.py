# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps that changes of instances are made of: wait for a ticket, for the lock, and learn the outcome of a request.

Each is a generator that yields whenever it has to wait, so that many machines can be waited for in one loop.
"""

from __future__ import annotations

import typing as t

from ..._core.clock import Deadline
from ..._core.errors import (
    Conflict,
    FcdError,
    Forbidden,
    NotFound,
    OperationFailed,
    RateLimited,
    Rejected,
    ServiceError,
    Unclear,
    Unreachable,
)
from ..._engine.fields import Fields
from ..._engine.partly_done import Effects
from ..._engine.scheduler import Job, Progress
from ..._session.task import Task
from .record import FIELDS, Record, status_of
from .search import Search

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

Ticket = t.Dict[str, t.Any]
Value = t.TypeVar("Value")
Test = t.Callable[[t.Optional[Record]], bool]

NEW, RUNNING, SUCCEEDED, FAILED = 134, 135, 136, 137  # dictionary 40, wire-facts section 8
INSTANCE_OBJECT = 139  # dictionary 42, wire-facts section 3.2
TOLERATED = 5  # failed reads in a row while waiting; each has had its own retries
ATTEMPTS = 3  # of a change, as long as nothing is known of an effect
BAD_REQUEST = 400
LISTED = "still listed"
LAST_PAUSE = 11.0  # seconds; a wait pauses for up to 10
SETTLE = 3.0  # seconds in which an unclear change has to show before it is sent again
UNREADABLE: Record = {"is_locked": True, "status": {"label": "cannot be read now"}}  # passes no test


class Site(t.NamedTuple):
    """Where the work is done: the task, the service, and the user's wishes about waiting (seconds).

    ``effects`` are those of the work on one object; without it nobody wants to know them.
    """

    task: Task
    search: Search
    deadline: Deadline
    wait: bool
    grace: float
    delete_disks: bool = False
    fields: Fields = FIELDS
    force_stop: bool = False
    stop_timeout: float = 300.0
    effects: Effects | None = None

    @property
    def api(self) -> Infrastructure:
        """The service."""
        return self.search.api


class Patient:
    """Reads again and again; a few failures in a row do not end the wait."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._failures = 0

    def read(self, read: t.Callable[[], Value], fallback: Value) -> Value:
        """Return what ``read`` returns, or the fallback when it failed in a way that may pass."""
        try:
            value = read()
        except (Unreachable, Unclear, ServiceError) as error:
            self._failures += 1
            if self._failures > TOLERATED or self._site.task.deadline.over or not _may_pass(error):
                raise
            self._site.task.warn(f"While waiting: {error.message} It is read again.")
            return fallback
        self._failures = 0
        return value


def _may_pass(error: FcdError) -> bool:
    if isinstance(error, RateLimited):
        return True
    return not isinstance(error, Rejected) and not error.details.get("redirect")


def status_of_ticket(ticket: Ticket) -> int | None:
    """Return the number of the ticket's status (dictionary 40)."""
    return (ticket.get("Status") or {}).get("Id")


def ticket_ended(site: Site, ticket: Ticket, what: str) -> Job[Ticket | None]:
    """Wait until the ticket has ended and return it, or None when the service does not know it any more.

    Not ended means any status but 136 and 137 (wire-facts section 8). Raises OperationFailed.
    """
    patient, number = Patient(site), ticket["Id"]
    while status_of_ticket(ticket) not in (SUCCEEDED, FAILED):
        yield Progress(what, f"ticket {number}, {ticket.get('Progress') or 0} %")
        try:
            ticket = patient.read(lambda: site.api.get_ticket(number), ticket)
        except NotFound:
            return None
    if status_of_ticket(ticket) == FAILED:
        if site.effects:
            site.effects.failed(number)
        reason = _reason(site, ticket)
        raise OperationFailed(
            f"{what} failed: ticket {number} ended with an error{f': {reason}' if reason else ''}.",
            next_step=None if reason else "The service gives no reason in the ticket; the panel may show more.",
            ticket=number,
            object_id=ticket.get("ObjectId"),
        )
    return ticket


def _reason(site: Site, ticket: Ticket) -> str:
    """Return what the events of the instance say about the failure, where there are any (wire-facts section 8)."""
    number, kind = ticket.get("ObjectId"), (ticket.get("ObjectType") or {}).get("Id")
    if number is None or kind not in (None, INSTANCE_OBJECT):
        return ""
    try:
        events = site.api.list_instance_events(number)
    except FcdError:
        return ""
    failed = [event for event in events if (event.get("OperationStatus") or {}).get("Id") == FAILED]
    newest = max(failed, key=lambda event: event.get("Id") or 0, default={})
    return str(newest.get("Message") or "").strip().rstrip(".")


def reached(site: Site, number: int, test: Test, what: str) -> Job[Record | None]:
    """Wait until the instance, None when it is gone, passes the test; return it as it is then."""
    patient = Patient(site)
    unreadable: Record | None = UNREADABLE
    while True:
        record = patient.read(lambda: site.search.by_id(number), unreadable)
        if test(record):
            return record
        yield Progress(what, _state(record))


def shown(site: Site, number: int, test: t.Callable[[Record], bool], what: str) -> Job[Record | None]:
    """Wait until what is new passes the test; None when it is not there, for it may be missing for the grace time."""
    clock = site.task.clock
    end = clock.now() + site.grace

    def over(seen: Record | None) -> bool:
        return clock.now() >= end if seen is None else test(seen)

    return (yield from reached(site, number, over, what))


def vanished(site: Site, number: int, name: str, what: str, *, ended: bool) -> Job[None]:
    """Wait until a removed instance does not show any more, so that no later task takes it for one that is there.

    A list may show it for the grace time. ``ended`` says that its removal is known to have gone well, else it is read
    too. Raises Forbidden for one that goes on to be listed without that: a right may be missing.
    """
    clock, patient, since = site.task.clock, Patient(site), 0.0
    while True:
        left = patient.read(lambda: _left(site.search, number, name, ended), "cannot be read now")
        since = since or clock.now() if left == LISTED else 0.0
        if left == LISTED and clock.now() >= since + site.grace:
            left = "" if ended or site.search.by_id(number) is None else left
        if not left:
            return
        yield Progress(what, left)


def _left(search: Search, number: int, name: str, ended: bool) -> str:
    """Return in which way a removed instance still shows, nothing when it does not."""
    if ended:
        return "" if search.as_listed(number, name) is None else LISTED
    try:
        return "" if search.by_id(number) is None else "there"
    except (Forbidden, NotFound):
        return LISTED


def relisted(site: Site, record: Record, names: t.Collection[str], what: str) -> Job[None]:
    """Wait until a list shows these values of a changed instance, so that no later task finds the old ones.

    A list may lag behind for the grace time. What is done stays done: the wait ends before the time of the task does.
    """
    clock, patient = site.task.clock, Patient(site)
    end = clock.now() + patience(site)
    while clock.now() < end:
        listed = patient.read(lambda: site.search.as_listed(record["id"], record["name"]), None)
        if listed is not None and all(_key(listed[name]) == _key(record[name]) for name in names):
            return
        yield Progress(what, "the list shows the old state")


def patience(site: Site) -> float:
    """Return how long, in seconds, lists may lag behind: the grace time, but not up to the end of the task."""
    left = site.deadline.left()
    return site.grace if left is None else min(site.grace, left - LAST_PAUSE)


def _key(value: t.Any) -> t.Any:
    """Return what tells a value apart: the number of an item, else the value itself."""
    return value["id"] if isinstance(value, dict) else value


def lost(site: Site, what: str, ticket: Ticket) -> OperationFailed:
    """Return the error for a ticket that the service has forgotten and that has changed nothing."""
    if site.effects:
        site.effects.failed(ticket["Id"])
    return OperationFailed(
        f"{what}: the service does not know ticket {ticket['Id']} any more, and nothing has changed.",
        next_step="Run the task again.",
        ticket=ticket["Id"],
    )


def _state(record: Record | None) -> str:
    if record is None:
        return "not there"
    label = (record.get("status") or {}).get("label") or status_of(record)
    words = [str(label)] if label else [] if "status" not in record else ["status unknown"]
    return ", ".join([*words, *(["locked"] if record.get("is_locked") else [])]) or "there"


class Change:
    """One change of an instance that names its result, so that a second request for it is harmless.

    ``send`` sends it; ``arrived`` tells whether the instance, None when it is gone, has that result.
    """

    def __init__(self, site: Site, number: int, send: t.Callable[[], Ticket | None], arrived: Test, what: str) -> None:
        self.site = site
        self.number = number
        self.send = send
        self.arrived = arrived
        self.what = what
        self._conflicts = 0
        self._unclear = 0

    def sent(self) -> Job[Ticket | None]:
        """Send it and return the ticket; None when it turns out to have had its effect without one."""
        ticket = yield from self._taken()
        begun(self.site, ticket)
        return ticket

    def _taken(self) -> Job[Ticket | None]:
        while True:
            try:
                return self.send()
            except ServiceError as error:
                record = yield from self._after(error)
            except Unclear as error:
                record = yield from self._after_unclear(error)
            if self.arrived(record):
                return None

    def _after(self, error: ServiceError) -> Job[Record | None]:
        if isinstance(error, Conflict):
            return (yield from self._after_conflict(error))
        if not isinstance(error, Rejected):
            return (yield from self._after_unclear(error))
        record = self.site.search.by_id(self.number)
        if self.arrived(record):
            return record
        if not refused_for_lock(error, record):
            raise error
        yield Progress(self.what, "waits for another operation")
        return (yield from reached(self.site, self.number, unlocked, self.what))

    def _after_conflict(self, refusal: Conflict) -> Job[Record | None]:
        """Wait until the lock is gone; the refused request did nothing. Refusals without a lock are not repeated on."""
        yield Progress(self.what, "waits for another operation")
        record = self.site.search.by_id(self.number)
        self._conflicts = 0 if locked(record) else self._conflicts + 1
        if self._conflicts >= ATTEMPTS:
            raise refusal
        return (yield from reached(self.site, self.number, unlocked, self.what)) if locked(record) else record

    def _after_unclear(self, cause: FcdError) -> Job[Record | None]:
        """Read the machine until the change has arrived, or should have."""
        if cause.details.get("redirect"):
            raise cause
        self._unclear += 1
        clock = self.site.task.clock
        end = clock.now() + min(self.site.grace, SETTLE)

        def known(seen: Record | None) -> bool:
            return unlocked(seen) and (self.arrived(seen) or clock.now() >= end)

        record = yield from reached(self.site, self.number, known, f"{self.what}: finding out the outcome")
        if self._unclear >= ATTEMPTS and not self.arrived(record):
            raise cause
        return record


def begun(site: Site, ticket: Ticket | None) -> None:
    """Note that the service has taken an operation of this task, or that it had its effect without a ticket."""
    if site.effects:
        site.effects.begun(None if ticket is None else ticket["Id"])


def refused_for_lock(refusal: Rejected, record: Record | None) -> bool:
    """Return whether a refusal may be for the lock that is on the machine: it need not be a conflict."""
    return refusal.details.get("status") == BAD_REQUEST and locked(record)


def locked(record: Record | None) -> bool:
    """Return whether another operation runs on the machine."""
    return record is not None and bool(record.get("is_locked"))


def unlocked(record: Record | None) -> bool:
    """Return whether no operation runs on the machine, or it is gone."""
    return not locked(record)
