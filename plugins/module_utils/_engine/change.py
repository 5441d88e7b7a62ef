# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes to objects of the service, for all nouns: sending, unclear answers, conflicts, locks, tickets and waiting.

Each function that waits is a job of the scheduler, so that one loop can wait for many objects. A ticket is an operation
that continues at the service (docs/service/infrastructure.md, "Tickets").
"""

from __future__ import annotations

import typing as t

from .._core.clock import Deadline
from .._core.errors import (
    GATEWAY,
    Ambiguous,
    ChangeTracker,
    Conflict,
    FcdError,
    Forbidden,
    IncompleteList,
    NotFound,
    OperationFailed,
    RateLimited,
    Rejected,
    ServiceError,
    Unclear,
    Unreachable,
    asks_elsewhere,
    note_change,
    outcome_unknown,
)
from .._core.type_aliases import JsonObject
from .create_once import ChangeEnvironment
from .scheduler import Job, Progress, run_jobs

Ticket = t.Dict[str, t.Any]
_Value = t.TypeVar("_Value")
Test = t.Callable[[t.Optional[JsonObject]], bool]
Send = t.Callable[[], t.Optional[Ticket]]

SUCCEEDED, FAILED = 136, 137  # dictionary 40
FAILED_EVENTS = (FAILED, 151)  # docs/service/infrastructure.md, "Events"
IN_PROGRESS = (134, 135)  # new and running, in the same dictionary
INSTANCE_OBJECT = 139  # dictionary 42
TOLERATED = 5  # failed reads in a row while waiting; each has already been retried
ATTEMPTS = 3  # of a change, as long as there is no sign of an effect
BAD_REQUEST, PAYMENT_REQUIRED = 400, 402
LAST_PAUSE = 11.0  # seconds; a wait pauses for up to 10
SETTLE = 3.0  # seconds in which an unclear change has to show before it is sent again
UNREADABLE_STATE: JsonObject = {"is_locked": True, "status": {"label": "cannot be read now"}}  # passes no test


class TicketService(t.Protocol):
    """The service, as far as changes need it."""

    def get_ticket(self, number: int) -> Ticket:
        """Return one ticket. Raises NotFound."""

    def list_instance_events(self, number: int) -> list[dict[str, t.Any]]:
        """Return the events of one instance."""


class ObjectReader(t.Protocol):
    """Reads objects of one kind; ``is_locked`` in a record says that an operation is running on the object."""

    @property
    def api(self) -> TicketService:
        """The service."""

    def by_id(self, number: int) -> JsonObject | None:
        """Return the object, or None."""


class ChangeContext(t.NamedTuple):
    """Where a change is made: the task, the reader of the object, and how long to wait (seconds).

    ``changes`` tracks what was changed in the object; None if nobody needs to know.
    """

    task: ChangeEnvironment
    reader: ObjectReader
    deadline: Deadline
    wait: bool
    grace: float
    changes: ChangeTracker | None = None

    def note_start(self, ticket: Ticket | None) -> None:
        """Note that the service has accepted an operation, or that it took effect without a ticket."""
        if self.changes:
            self.changes.start(None if ticket is None else ticket["Id"])

    def note_doubt(self) -> None:
        """Note that an operation was sent and may still be carried out."""
        if self.changes:
            self.changes.doubt()

    def note_failure(self, ticket: Ticket) -> None:
        """Note that an operation has changed nothing."""
        if self.changes:
            self.changes.fail(ticket["Id"])


def run_to_end(context: ChangeContext, job: Job[_Value]) -> _Value:
    """Run a job to its end and return what it returned, or raise its error."""
    ended = run_jobs({"": job}, context.deadline, tell=context.task.tell)[""]
    if not isinstance(ended, FcdError):
        return ended
    explain(ended, context.changes)
    raise ended


def explain(error: FcdError, changes: ChangeTracker | None) -> None:
    """Add to an error what was changed before it, and what to do if the account cannot pay."""
    if changes:
        changes.mark(error)
    if error.details.get("status") == PAYMENT_REQUIRED and error.next_step is None:
        error.next_step = "Nothing was done: the account cannot buy this. Check its balance and limits in the panel."


class TolerantReader:
    """Polls; a few failed reads in a row do not end the wait."""

    def __init__(self, task: ChangeEnvironment) -> None:
        self._task = task
        self._failures = 0

    def read(self, read: t.Callable[[], _Value], fallback: _Value) -> _Value:
        """Return what ``read`` returns, or the fallback after a failure that may be temporary."""
        try:
            value = read()
        except (Unreachable, Unclear, ServiceError) as error:
            self._failures += 1
            lasts = isinstance(error, Rejected) and not isinstance(error, RateLimited)
            if lasts or error.details.get("redirect") or self._failures > TOLERATED or self._task.deadline.over:
                raise
            self._task.warn(f"While waiting: {error.message} Trying again.")
            return fallback
        self._failures = 0
        return value


# ---------------------------------------------------------------- tickets


def status_of_ticket(ticket: Ticket) -> int | None:
    """Return the number of the ticket's status (dictionary 40)."""
    return (ticket.get("Status") or {}).get("Id")


def object_type_of_ticket(ticket: Ticket) -> int | None:
    """Return the number of the kind of object that the ticket is for (dictionary 42)."""
    return (ticket.get("ObjectType") or {}).get("Id")


def percent_of_ticket(ticket: Ticket) -> str:
    """Return how far the operation is, empty if the service does not return it."""
    percent = ticket.get("Progress")
    return "" if percent is None else f"{percent} %"


def is_over(ticket: Ticket) -> bool:
    """Return whether the ticket has ended: its status says so, or its end beside a status that is not known."""
    status = status_of_ticket(ticket)
    return status in (SUCCEEDED, FAILED) or (ticket.get("EndDate") is not None and status not in (None, *IN_PROGRESS))


def _same_ticket(found: Ticket, known: Ticket) -> Ticket:
    """Return a ticket that was read again. Raises Unclear if it is one of another operation, whatever its number."""
    for member in ("OperationType", "ObjectType"):
        one, other = ((ticket.get(member) or {}).get("Id") for ticket in (known, found))
        if None not in (one, other) and one != other:
            raise Unclear(f"Ticket {known['Id']} is about another operation: its {member} is {other}, not {one}.")
    return found


def wait_for_ticket(context: ChangeContext, ticket: Ticket, what: str) -> Job[Ticket | None]:
    """Wait until the ticket has ended and return it, or None if it does not tell how: the object does.

    Raises OperationFailed.
    """
    tolerant, number, first = TolerantReader(context.task), ticket["Id"], ticket
    while not is_over(ticket):
        yield Progress(what, ", ".join(filter(None, (f"ticket {number}", percent_of_ticket(ticket)))))
        try:
            ticket = tolerant.read(lambda: _same_ticket(context.reader.api.get_ticket(number), first), ticket)
        except NotFound:
            return None
    status = ticket["Status"]
    if status["Id"] not in (SUCCEEDED, FAILED):
        words = f"the unknown status {status.get('Label')} ({status['Id']})"
        context.task.warn(f"{what}: ticket {number} has ended with {words}, so only the object shows what was done.")
        return None
    if status["Id"] == FAILED:
        context.note_failure(ticket)
        reason = _reason(context.reader.api, ticket)
        raise OperationFailed(
            f"{what} failed: ticket {number} ended with an error{f': {reason}' if reason else ''}.",
            next_step=None if reason else "The service gives no reason in the ticket; the panel may show more.",
            ticket=number,
            object_id=ticket.get("ObjectId"),
        )
    return ticket


def _reason(api: TicketService, ticket: Ticket) -> str:
    """Return what the events of the instance say about the failure, if there are any."""
    number = ticket.get("ObjectId")
    if number is None or object_type_of_ticket(ticket) not in (None, INSTANCE_OBJECT):
        return ""
    try:
        events = api.list_instance_events(number)
    except FcdError:
        return ""
    failed = [event for event in events if (event.get("OperationStatus") or {}).get("Id") in FAILED_EVENTS]
    newest = max(failed, key=lambda event: event.get("Id") or 0, default={})
    return str(newest.get("Message") or "").strip().rstrip(".")


# ---------------------------------------------------------------- waiting


def wait_for_object(context: ChangeContext, number: int, test: Test, what: str) -> Job[JsonObject | None]:
    """Wait until the object, None if it is gone, passes the test; return it as it is then."""
    tolerant = TolerantReader(context.task)
    unreadable: JsonObject | None = UNREADABLE_STATE
    while True:
        record = tolerant.read(lambda: context.reader.by_id(number), unreadable)
        if test(record):
            return record
        yield Progress(what, _state(record))


def _state(record: JsonObject | None) -> str:
    if record is None:
        return "not there"
    status = record.get("status") or {}
    label = status.get("label") or status.get("id")
    words = [str(label)] if label else [] if "status" not in record else ["status unknown"]
    return ", ".join([*words, *(["locked"] if record.get("is_locked") else [])]) or "there"


def wait_for_new_object(
    context: ChangeContext, number: int, test: t.Callable[[JsonObject], bool], what: str, kind: str = "instance"
) -> Job[JsonObject]:
    """Wait until a new object passes the test. It may be missing for the grace time, but no longer."""
    clock = context.task.clock
    end = clock.monotonic() + context.grace

    def over(seen: JsonObject | None) -> bool:
        return clock.monotonic() >= end if seen is None else test(seen)

    record = yield from wait_for_object(context, number, over, what)
    if record is None:
        raise no_longer_exists(what, kind, number)
    return record


def search_for_new_object(
    context: ChangeContext,
    find: t.Callable[[], t.Optional[_Value]],
    missing: t.Callable[[], FcdError],
    what: str,
    doing: str = "looking for it by name",
) -> Job[_Value]:
    """Look for a new object by other means than its ID, for the grace time. Raises what ``missing`` returns."""
    clock, tolerant = context.task.clock, TolerantReader(context.task)
    end = clock.monotonic() + context.grace
    while True:
        found = tolerant.read(find, None)
        if found is not None:
            return found
        if clock.monotonic() >= end:
            raise missing()
        yield Progress(what, doing)


def wait_for_list(context: ChangeContext, shows: t.Callable[[], bool], what: str) -> Job[None]:
    """Wait until a list shows what is new or changed, so that later tasks find it with its new values.

    A list may lag behind for the grace time. The change itself is made, so this wait never uses up the task's time.
    """
    clock, tolerant = context.task.clock, TolerantReader(context.task)
    left = context.deadline.left()
    end = clock.monotonic() + (context.grace if left is None else min(context.grace, left - LAST_PAUSE))
    unreadable = False
    while clock.monotonic() < end:
        if tolerant.read(shows, unreadable):
            return
        yield Progress(what, "the list shows the old state")


class Listing(t.NamedTuple):
    """What one read of a list shows of an object: whether its current state is there, and possible duplicates.

    ``duplicates`` maps their IDs to a description, which may be empty.
    """

    is_current: bool
    duplicates: t.Mapping[int, str]


def wait_and_check_duplicates(
    context: ChangeContext, read: t.Callable[[], Listing], number: int, what: str, took: float = 0.0
) -> Job[bool]:
    """Wait until a list shows what this task has created; return whether it does. Raises Ambiguous for a duplicate.

    Another task may be about to say what a duplicate is for, and a list may still show one that is gone. So a duplicate
    counts if it is shown for the whole grace time, and by its ID. A duplicate was created before the answer came, and a
    list that was late with the first object may be as late with it. So after a create that ``took`` some seconds, or if
    the list was late, the list is read once more when as much time has passed again.
    """
    clock = context.task.clock
    begun, again, owed = clock.monotonic(), 0.0, took > 0
    seen = Listing(is_current=False, duplicates={})

    def shows_one() -> bool:
        nonlocal seen, again, owed
        now = clock.monotonic()
        if now < again:
            return False
        seen = read()
        if not seen.is_current:
            again, owed = 0.0, True
            return False
        owed = owed and not again
        if owed:
            again = now + max(took, now - begun)
        return not (owed or seen.duplicates)

    yield from wait_for_list(context, shows_one, what)
    if owed and seen.is_current:  # the grace time is over before
        seen = TolerantReader(context.task).read(read, seen)
    duplicates = {one: words for one, words in seen.duplicates.items() if context.reader.by_id(one) is not None}
    if duplicates:
        raise duplicate_error(what, number, duplicates)
    return seen.is_current


def duplicate_error(what: str, number: int, duplicates: t.Mapping[int, str]) -> Ambiguous:
    """Return the error for what was created twice; ``duplicates`` as in Listing."""
    others = ", ".join(f"{one} ({words})" if words else str(one) for one, words in sorted(duplicates.items()))
    return Ambiguous(
        f"{what}: it was created with the ID {number}, and there is now another one that was not there before: "
        f"{others}.",
        next_step="Another run may have made it at the same time, or the request was delivered twice. Find out which "
        "one is needed, and remove the other one by its ID, if such objects can be removed.",
        ids=sorted([number, *duplicates]),
    )


def is_locked(record: JsonObject | None) -> bool:
    """Return whether another operation is running on the object."""
    return record is not None and bool(record.get("is_locked"))


def is_unlocked(record: JsonObject | None) -> bool:
    """Return whether no operation is running on the object, or it is gone."""
    return not is_locked(record)


# ---------------------------------------------------------------- changes


class Change:
    """One request that states its result, so that sending it twice is harmless.

    ``is_done`` tells whether the object, None if it is gone, has that result. With ``strict``, the wait ends only at
    the deadline; otherwise also when the service has had the grace time to show what a ticket has done. ``kind`` is
    what a person calls the object, and ``removes`` says that it is to be gone.
    """

    def __init__(
        self,
        context: ChangeContext,
        number: int,
        what: str,
        send: Send,
        is_done: Test,
        *,
        kind: str = "instance",
        strict: bool = False,
        removes: bool = False,
    ) -> None:
        self.context = context
        self.number = number
        self.what = what
        self.send = send
        self.is_done = is_done
        self.kind = kind
        self.strict = strict
        self.removes = removes
        self._conflicts = 0
        self._unclear = 0

    def submit(self) -> Job[Ticket | None]:
        """Send it and return the ticket; None if it turns out to have taken effect without one.

        A refusal may mean that the object is gone, which a list may show only at the second look.
        """
        try:
            ticket = yield from self._send_until_clear()
        except Rejected as refusal:
            if self.context.reader.by_id(self.number) is not None:
                raise
            if not self.is_done(None):
                raise no_longer_exists(self.what, self.kind, self.number) from refusal
            return None
        self.context.note_start(ticket)
        return ticket

    def wait(self, ticket: Ticket | None) -> Job[JsonObject | None]:
        """Wait until it is done and return the object as it is then, None if it was removed.

        An object may show the result later than the end of the ticket, by the grace time. If the ticket does not tell
        how it ended, or vanishes, what the object shows decides instead. Whoever asked for the change compares its
        values. Raises OperationFailed.
        """
        ended = None if ticket is None else (yield from wait_for_ticket(self.context, ticket, self.what))
        vanished = ticket if ended is None else None
        try:
            record = yield from wait_for_object(self.context, self.number, self._until_done(vanished), self.what)
        except (Forbidden, IncompleteList, NotFound):
            if not self.removes or vanished is not None:
                raise
            return None  # only a list still shows it
        if self.is_done(record):
            return record
        if record is not None and vanished is None:
            if self.removes:
                raise still_there(self.what, self.kind, self.number)
            return record
        if record is None or vanished is None:
            raise no_longer_exists(self.what, self.kind, self.number)
        self.context.note_failure(vanished)
        raise OperationFailed(
            f"{self.what}: ticket {vanished['Id']} does not tell how it ended, and nothing has changed.",
            next_step="Run the task again.",
            ticket=vanished["Id"],
        )

    def _until_done(self, vanished: Ticket | None) -> Test:
        """Return a test that passes if the object shows the result, or has had the time to."""
        clock = self.context.task.clock
        end = clock.monotonic() + self.context.grace
        patient = self.strict and vanished is None

        def is_over(seen: JsonObject | None) -> bool:
            late = clock.monotonic() >= end
            if seen is None:
                return late or self.is_done(seen)
            return is_unlocked(seen) and ((late and not patient) or self.is_done(seen))

        return is_over

    def _send_until_clear(self) -> Job[Ticket | None]:
        """Send it, again if there is no sign of an effect; return the ticket, None if the change is there."""
        while True:
            try:
                return self.send()
            except Conflict as refusal:
                record = yield from self._after_conflict(refusal)
            except (ServiceError, Unclear) as error:
                if isinstance(error, Rejected) and GATEWAY not in error.details:
                    record = yield from self._after_refusal(error)
                else:
                    record = yield from self._after_unclear(error)
            if self.is_done(record):
                return None

    def _after_refusal(self, refusal: Rejected) -> Job[JsonObject | None]:
        """Wait until the object is unlocked if that was the reason; else it is as desired already, or not to be."""
        record = self.context.reader.by_id(self.number)
        if self.is_done(record):
            return record
        if not is_lock_refusal(refusal, record):
            raise refusal
        yield Progress(self.what, "waiting for another operation")
        return (yield from wait_for_object(self.context, self.number, is_unlocked, self.what))

    def _after_conflict(self, refusal: Conflict) -> Job[JsonObject | None]:
        """Wait until the lock is gone; the refused request did nothing. Without a lock, it is not repeated."""
        yield Progress(self.what, "waiting for another operation")
        record = self.context.reader.by_id(self.number)
        self._conflicts = 0 if is_locked(record) else self._conflicts + 1
        if self._conflicts >= ATTEMPTS:
            raise refusal
        if is_locked(record):
            record = yield from wait_for_object(self.context, self.number, is_unlocked, self.what)
        return record

    def _after_unclear(self, cause: FcdError) -> Job[JsonObject | None]:
        """Read the object until the change is done, or should be."""
        if asks_elsewhere(cause):
            raise cause
        may_be_done = outcome_unknown(cause)
        if may_be_done:
            self.context.note_doubt()
        self._unclear += 1
        clock = self.context.task.clock
        end = clock.monotonic() + min(self.context.grace, SETTLE)

        def is_settled(seen: JsonObject | None) -> bool:
            return is_unlocked(seen) and (self.is_done(seen) or clock.monotonic() >= end)

        record = yield from wait_for_object(
            self.context, self.number, is_settled, f"{self.what}: finding out the outcome"
        )
        if self._unclear >= ATTEMPTS and not self.is_done(record):
            if may_be_done:
                note_change(cause)  # it was sent, and may still be carried out
            raise cause
        return record


def make_changes(changes: t.Sequence[Change], note: t.Callable[[Ticket], None]) -> Job[JsonObject | None]:
    """Make the changes one after the other and return the object as it is then, None if it was removed.

    Without waiting, the last operation is only started, and None is returned. ``note`` gets each ticket.
    """
    record = None
    for change in changes:
        ticket = yield from change.submit()
        if ticket is not None:
            note(ticket)
            if change is changes[-1] and not change.context.wait:
                return None
        record = yield from change.wait(ticket)
    return record


def send_when_free(
    send: t.Callable[[], _Value], for_lock: t.Callable[[Rejected], bool], free: t.Callable[[], Job[bool]], what: str
) -> Job[_Value]:
    """Send a request, and again if it was refused because something else is locked: a refused request did nothing.

    ``free`` waits until that is free, and returns whether it was locked at all: other refusals are not repeated.
    """
    refusals = 0
    while True:
        try:
            return send()
        except Rejected as refusal:
            refusals += 1
            if refusals > ATTEMPTS or not for_lock(refusal):
                raise
        yield Progress(what, "waiting for another operation")
        if (yield from free()):
            refusals = 1


def is_lock_refusal(refusal: Rejected, record: JsonObject | None) -> bool:
    """Return whether a request may have been refused because the object is locked; not only a conflict says so."""
    return refusal.details.get("status") == BAD_REQUEST and is_locked(record)


def no_longer_exists(what: str, kind: str, number: int) -> OperationFailed:
    """Return the error for an object that something else removed."""
    return OperationFailed(
        f"{what}: {kind} {number} no longer exists.",
        next_step="Something else removed it; run the task again.",
        id=number,
    )


def not_made(what: str, kind: str, number: int) -> OperationFailed:
    """Return the error for an object that the service has not created although it said so."""
    return OperationFailed(
        f"{what}: the service has accepted it, but there is no {kind} {number}.",
        next_step="Run the task again: it looks for it before it sends anything.",
        id=number,
    )


def still_there(what: str, kind: str, number: int) -> OperationFailed:
    """Return the error for an object that the service has not removed although it said so."""
    return OperationFailed(
        f"{what}: the service has accepted it, but {kind} {number} is still there.",
        next_step="Run the task again later; it removes what is there then.",
        id=number,
    )
