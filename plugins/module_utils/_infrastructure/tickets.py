# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tickets, the operations that continue at the service: read, and waited for.

Source: docs/service/infrastructure.md, "Tickets".
"""

from __future__ import annotations

import contextlib
import typing as t

from .._connection.options import REST, SECONDS
from .._connection.task import Operation, Params, Result, Task
from .._core.clock import Deadline, wait_until
from .._core.errors import CannotDetermine, FcdError, NotFound, OperationFailed, WaitTimeout
from .._core.text import join_names
from .._core.type_aliases import JsonObject
from .._engine.change import FAILED_EVENTS, IN_PROGRESS, SUCCEEDED, TolerantReader, is_over, percent_of_ticket
from .api import Infrastructure, infrastructure
from .reference_names import resolve_id
from .rest_reading import IDS, ids_in
from .rest_records import record_of
from .time_options import utc_time

INSTANCE, FAILED = 139, 137  # dictionaries 42 and 40
TICKET_STATUSES = 40  # dictionary
TIME_FILTERS = ("creation_date_from", "creation_date_to")
_PLAIN = {
    "id": "Id",
    "progress": "Progress",
    "creation_date": "CreationDate",
    "end_date": "EndDate",
    "object_id": "ObjectId",
    "object_name": "ObjectName",
}
_NAMED = {"status": "Status", "operation_type": "OperationType", "object_type": "ObjectType"}


def run(task: Task, params: Params) -> Result:
    """Return tickets: those of a status and time, or those with the given IDs, if required once they have ended."""
    numbers = ids_in(params)
    api = infrastructure(task)
    if numbers is None:
        return {
            "changed": False,
            "tickets": [record_of(ticket, _PLAIN, _NAMED) for ticket in api.list_tickets(**_query(api, params))],
        }
    if not params["wait"]:
        return _result(api, {number: ticket_or_none(api, number) for number in numbers})

    deadline = task.deadline.within(params["wait_timeout"], "wait")
    found, left = wait_for_tickets(task, api, numbers, deadline)
    result = _result(
        api, {number: ticket for number, ticket in found.items() if ticket is not None or number not in left}
    )
    errors = list(_errors(result))
    if left:
        errors.append(_timeout(left, deadline))
    return {**result, **_failed_result(errors, len(numbers))} if errors else result


def ticket_or_none(api: Infrastructure, number: int) -> JsonObject | None:
    """Return a ticket, None if the service does not know it."""
    try:
        return api.get_ticket(number)
    except NotFound:
        return None


def _query(api: Infrastructure, params: Params) -> dict[str, object]:
    times = {name: utc_time(name, params.get(name)) for name in TIME_FILTERS}
    statuses = "the ticket statuses"
    status = resolve_id("status", params.get("status"), lambda: api.get_dictionary(TICKET_STATUSES), statuses)
    return {"status_id": status, **times}


def _result(api: Infrastructure, found: t.Mapping[int, JsonObject | None]) -> Result:
    """Return the tickets that exist, failed ones with their reason, and the IDs of those that do not."""
    known = [ticket for ticket in found.values() if ticket is not None]
    return {
        "changed": False,
        "tickets": [{**record_of(ticket, _PLAIN, _NAMED), "message": reason(api, ticket)} for ticket in known],
        "missing": [number for number, ticket in found.items() if ticket is None],
    }


def reason(api: Infrastructure, ticket: JsonObject) -> str | None:
    """Return what the events of the instance say about a failure: the newest one of that operation, else of any.

    The ticket itself has no text for it; only instances have events.
    """
    number = ticket.get("ObjectId")
    if _id(ticket, "Status") != FAILED or _id(ticket, "ObjectType") != INSTANCE or number is None:
        return None
    try:
        events = api.list_instance_events(number)
    except FcdError:  # a right is missing, or the instance is gone
        return None
    return _newest_failure(events, _id(ticket, "OperationType"))


def _newest_failure(events: t.Iterable[JsonObject], operation_type: int | None) -> str | None:
    failed = [event for event in events if _id(event, "OperationStatus") in FAILED_EVENTS]
    same = [event for event in failed if _id(event, "OperationType") == operation_type]
    newest = max(same or failed, key=lambda event: event.get("Id") or 0, default={})
    return str(newest.get("Message") or "").strip() or None


def _id(item: t.Mapping[str, t.Any], member: str) -> t.Any:
    return (item.get(member) or {}).get("Id")


def _errors(result: Result) -> t.Iterator[FcdError]:
    """Yield why tickets did not succeed, or do not tell whether they did."""
    for number in result["missing"]:
        yield NotFound(
            f"The service does not know ticket {number}, so it is not known how it ended.",
            next_step="Check the object that it was to change.",
            ticket=number,
        )
    for record in result["tickets"]:
        status, message = record["status"] or {"id": None}, record["message"]
        label = (record["operation_type"] or {}).get("label") or "operation"
        title = f"Ticket {record['id']} ({label}, {record['object_name']!r})"
        if status["id"] not in (None, *IN_PROGRESS, SUCCEEDED, FAILED) and record["end_date"] is not None:
            yield CannotDetermine(
                f"{title} ended with the unknown status {status['label']} ({status['id']}), so it is not known how.",
                next_step="Check the object that it was to change.",
                ticket=record["id"],
                object_id=record["object_id"],
            )
        if status["id"] == FAILED:
            yield OperationFailed(
                f"{title} ended with an error{': ' + message.rstrip('.') if message else ''}.",
                next_step=None if message else "The service gives no reason in the ticket; the panel may show more.",
                ticket=record["id"],
                object_id=record["object_id"],
            )


def _timeout(left: t.Sequence[int], deadline: Deadline) -> WaitTimeout:
    numbers = join_names([str(number) for number in left])
    return WaitTimeout(
        f"Ticket{'s' if len(left) > 1 else ''} {numbers} did not end within {deadline.seconds:g} s.",
        next_step="The operation continues at the service; run the task again, with a larger wait_timeout "
        "if necessary.",
        tickets=list(left),
    )


def _failed_result(errors: t.Sequence[FcdError], count: int) -> Result:
    if len(errors) == 1:
        return {"failed": True, **errors[0].as_result()}
    listed = " ".join(map(str, errors))
    return {
        "failed": True,
        "msg": f"Not all of the {count} tickets succeeded. {listed}",
        "failures": [error.as_result() for error in errors],
    }


INFO = Operation(
    "ticket_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["ticket", "ticket_id"]},
        "status": {"type": "str", "aliases": ["status_id"]},
        "creation_date_from": {"type": "str"},
        "creation_date_to": {"type": "str"},
        "wait": {"type": "bool", "default": False},
        "wait_timeout": {"type": SECONDS, "default": 2700},
    },
    run,
    {
        "mutually_exclusive": [("id", name) for name in ("status", *TIME_FILTERS)],
        "required_if": [("wait", True, ["id"])],
    },
)


MAX_SINGLE_TICKETS = 2  # up to so many are read singly, more by the lists of those in progress


def wait_for_tickets(
    task: Task, api: Infrastructure, numbers: t.Sequence[int], deadline: Deadline
) -> tuple[dict[int, JsonObject | None], list[int]]:
    """Return each ticket as it was last seen, None if it is not known; and those that had not ended in time.

    What has ended is up to ``is_over``.
    """
    tolerant, count = TolerantReader(task), len(numbers)
    seen: dict[int, JsonObject | None] = dict.fromkeys(numbers)
    nothing: dict[int, JsonObject | None] = {}
    left = list(numbers)

    def look() -> list[int]:
        """Read those that are left and return which of them continue; a failure that may pass changes nothing."""
        for number, ticket in tolerant.read(lambda: _read_tickets(api, left), nothing).items():
            seen[number] = ticket
            if ticket is None or is_over(ticket):
                left.remove(number)
        return left

    def progress(left: list[int]) -> str:
        if count == 1:
            return percent_of_ticket(seen[left[0]] or {}) or "running" if left else "ended"
        return f"{count - len(left)} of {count} ended"

    what = f"Ticket {numbers[0]}" if count == 1 else f"Waiting for {count} tickets"
    with contextlib.suppress(WaitTimeout):  # reported by the caller, together with whatever else went wrong
        wait_until(look, lambda left: not left, deadline, what=what, progress=progress, tell=task.tell)
    return seen, left


def _read_tickets(api: Infrastructure, numbers: t.Sequence[int]) -> dict[int, JsonObject | None]:
    """Return the tickets as they are now.

    One that is in neither list of those in progress has ended, or changed from one list to the other: it is read.
    """
    running: dict[t.Any, JsonObject] = {}
    if len(numbers) > MAX_SINGLE_TICKETS:
        for status in IN_PROGRESS:
            running.update((ticket.get("Id"), ticket) for ticket in api.list_tickets(status_id=status))
    return {number: running.get(number) or ticket_or_none(api, number) for number in numbers}
