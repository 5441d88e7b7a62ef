# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions on an existing instance: which one is meant, restarting it, and cloning it exactly once."""

from __future__ import annotations

import time
import typing as t

from ..._connection.options import REST, SECONDS
from ..._connection.task import CREATE_OPTIONS, WAIT, ManagedObject, Operation, Params, Result, Task
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
from ..._engine.change import (
    ATTEMPTS,
    FAILED,
    SETTLE,
    SUCCEEDED,
    Ticket,
    is_lock_refusal,
    is_locked,
    is_unlocked,
    no_longer_exists,
    run_to_end,
    send_when_free,
    status_of_ticket,
    wait_for_new_object,
    wait_for_object,
    wait_for_ticket,
)
from ..._engine.plan import LATER, Created
from ..._engine.scheduler import Job, Progress
from ..api import infrastructure
from ..rest_records import ReferenceNames, Row, check_numbers, no_instance
from .instance_creation import InstanceCreation, creation_under_way, is_settled, listed_by_name, tickets_of
from .instance_options import Labels, check_instance_name, reference
from .instance_planning import require_active
from .instance_records import (
    POWERED_OFF,
    POWERED_ON,
    InstanceContext,
    InstanceSearch,
    context_of,
    instance_record,
    note_of_instance,
    only_instance,
    powered_off,
    running,
    unsettled,
)

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
    return (
        (yield from wait_for_object(context.change, record["id"], is_unlocked, what)) if is_locked(record) else record
    )


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

    def submit(self) -> Job[Ticket]:
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
            if (yield from wait_for_object(self._context.change, self._number, is_unlocked, self._what)) is None:
                raise no_longer_exists(self._what, "instance", self._number)

    def _refused(self, refusal: Rejected) -> Rejected:
        """Return the refusal if it may be because of a lock, which is waited for. Raises it, or what explains it."""
        record = self._context.search.by_id(self._number)
        if not is_lock_refusal(refusal, record):
            raise no_longer_exists(self._what, "instance", self._number) if record is None else refusal
        return refusal

    def _traced(self, earlier: t.Container[int], cause: FcdError) -> Job[Ticket]:
        """Find out whether it was done: by its ticket, which is looked for as long as the instance is locked."""
        clock = self._context.change.task.clock
        end = clock.monotonic() + SETTLE
        while True:
            busy = self._context.change.wait and is_locked(self._context.search.by_id(self._number))
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


RESTARTS = {"reboot": 1368, "reset": 153}  # dictionary 41, wire-facts section 3.2
DOING = {"reboot": "Rebooting", "reset": "Resetting"}


def restart(task: Task, params: Params) -> Result:
    """Restart the instance."""
    check_numbers(params)
    api = infrastructure(task)
    search = InstanceSearch(api, ReferenceNames(api))
    record = required_source(task, search, params)
    _require_running(record)
    result: Result = {"changed": True, "action": params["action"], "instance": record, "ticket": None}
    if task.check_mode:
        return result
    context = act_context(task, search, params)
    return {**result, **run_to_end(context.change, _restarted(context, params["action"], record))}


def _restarted(context: InstanceContext, action: str, record: Row) -> Job[Result]:
    number, what = record["id"], f"{DOING[action]} instance {record['name']!r}"
    free = yield from unlocked_or_gone(context, record, what)
    if free is None:
        raise no_longer_exists(what, "instance", number)
    _require_running(free)
    send = {"reboot": context.api.reboot, "reset": context.api.reset}[action]
    ticket = yield from SingleAct(context, number, what, lambda: send(number), (RESTARTS[action],)).submit()
    told = {"ticket": ticket["Id"]}
    if not context.change.wait:
        return {**told, "instance": free}
    yield from wait_for_ticket(context.change, ticket, what)
    return {**told, "instance": (yield from wait_for_new_object(context.change, number, running, what))}


def _require_running(record: Row) -> None:
    if powered_off(record):
        raise InvalidInput(
            f"Instance {record['name']!r} is powered off, so there is nothing to restart.",
            next_step="Turn it on with state: started of fcd.cloud.instance.",
        )


POWER_OPTIONS: dict[str, dict[str, t.Any]] = {
    **MEANT,
    "action": {"type": "str", "choices": list(RESTARTS), "required": True},
    **WAIT,
}
POWER = Operation("instance_power", (REST,), POWER_OPTIONS, restart, MEANT_RULES)


Body = t.Dict[str, t.Any]
KINDS = {"new_configuration": 869, "current_configuration": 870}  # wire-facts section 3.2


class Clone(InstanceCreation):
    """The create of a clone. It finds or creates an instance of its name.

    It is not known whether the ticket is for the clone or for its source, so the name decides.
    """

    def __init__(self, context: InstanceContext, source: int, body: Body) -> None:
        super().__init__(context, {"name": body["CloneName"]})
        self._source = source
        self._body = body

    def verify(self) -> None:
        """Nothing is missing."""

    def _request(self) -> Ticket:
        return self._context.api.clone_instance(self._source, self._body)

    def _number_of(self, ticket: Ticket) -> int | None:
        """Return the ID of the clone; a ticket that names the source has created a clone nevertheless."""
        number = super()._number_of(ticket)
        return None if number == self._source else number

    def _of_ticket(self, ticket: Ticket) -> Row | None:
        status = status_of_ticket(ticket)
        if status in (SUCCEEDED, FAILED):
            return super()._of_ticket(ticket)
        return creation_under_way(ticket)


def clone(task: Task, params: Params) -> Result:
    """Create a clone of the instance."""
    check_instance_name(params["clone_name"], "clone_name")
    check_numbers(params)
    api = infrastructure(task)
    names = ReferenceNames(api)
    search = InstanceSearch(api, names)
    name = params["clone_name"]
    present = only_instance(name, search.by_names([name])[name])
    if name == params["name"] or (present is not None and present["id"] == params["id"]):
        raise InvalidInput(
            f"clone_name: {name!r} is the name of the source instance.",
            next_step="Give the clone another name.",
            option="clone_name",
        )
    if present is not None:
        note_of_instance(task, name).remove()
        return _clone_result(None, _settled(task, search, params, present), None)
    source = required_source(task, search, params)
    body = _body(Labels(api, names), params)
    if task.check_mode:
        power = POWERED_ON if params.get("power_on") else POWERED_OFF
        return _clone_result("create", {"id": None, "name": name, "status": {"id": power, "label": None}}, None)
    context = act_context(task, search, params)
    return run_to_end(context.change, _cloned(context, source, body))


def _settled(task: Task, search: InstanceSearch, params: Params, present: Row) -> Row:
    """Return an existing clone once no operation is running on it, if the user wants to wait."""
    if task.check_mode or not params["wait"] or not unsettled(present):
        return present
    change, what = act_context(task, search, params).change, f"Waiting for instance {params['clone_name']!r}"
    return run_to_end(change, wait_for_new_object(change, present["id"], is_settled, what))


def _body(labels: Labels, params: Params) -> Body:
    body: Body = {"CloneName": params["clone_name"], "CloneType": KINDS[params["clone_type"]]}
    given = reference(params, "subregion")
    if given is not None:
        subregion = {"id": given} if isinstance(given, int) else labels.item("subregion", given)
        require_active(labels, subregion)
        body["SubregionId"] = subregion["id"]
    if params.get("power_on") is not None:
        body["PowerOn"] = params["power_on"]
    return body


def _cloned(context: InstanceContext, source: Row, body: Body) -> Job[Result]:
    name = body["CloneName"]
    what = f"Cloning instance {source['name']!r} to {name!r}"
    creation = Clone(context, source["id"], body)
    yield from _source_free(context, source, what)
    created = yield from _requested(context, creation, source, what)
    ticket, record = created.record["ticket"], created.record["record"]
    action, number = ("create" if created.by_us else None), ticket and ticket["Id"]
    if not context.change.wait:
        return _clone_result(action, record or {"id": None, "name": name}, number)
    yield Progress(what)
    record = yield from _clone_of(context, name, created, what)
    test = running if body.get("PowerOn") and created.by_us else is_settled
    record = yield from wait_for_new_object(context.change, record["id"], test, what)
    if created.by_us:
        yield from creation.seen_once(record["id"], what)
    return _clone_result(action, record, number)


def _clone_of(context: InstanceContext, name: str, created: Created, what: str) -> Job[Row]:
    """Return the clone when its ticket has ended, in whatever state it is then."""
    ticket, record = created.record["ticket"], created.record["record"]
    ended = None if ticket is None else (yield from wait_for_ticket(context.change, ticket, what))
    return record or _of_ticket(context, name, ended) or (yield from listed_by_name(context, name, ticket, what))


def _of_ticket(context: InstanceContext, name: str, ticket: Ticket | None) -> Row | None:
    """Return the instance that the ticket leads to, if it is the clone."""
    number = (ticket or {}).get("ObjectId")
    record = None if number is None else context.search.by_id(number)
    return record if record is not None and record["name"] == name else None


def _requested(context: InstanceContext, clone: Clone, source: Row, what: str) -> Job[Created]:
    """Send the create once; a refusal because the source is locked had no effect, so the lock is waited for."""
    return send_when_free(
        clone.once,
        lambda refusal: isinstance(refusal, Conflict) or is_lock_refusal(refusal, context.search.by_id(source["id"])),
        lambda: _source_free(context, {**source, "is_locked": True}, what),
        what,
    )


def _source_free(context: InstanceContext, source: Row, what: str) -> Job[bool]:
    """Wait until no other operation is running on the source. Refusals still count, so False is returned."""
    if (yield from unlocked_or_gone(context, source, what)) is None:
        raise no_longer_exists(what, "instance", source["id"])
    return False


def _clone_result(action: str | None, record: Row, ticket: int | None) -> Result:
    before = {} if action else record
    after = {**record, "id": LATER} if record["id"] is None else record
    return {
        "changed": action is not None,
        "action": action or "none",
        "instance": record,
        "ticket": ticket,
        "diff": {"before": before, "after": after},
    }


CLONE_OPTIONS: dict[str, dict[str, t.Any]] = {
    **MEANT,
    "clone_name": {"type": "str", "required": True},
    "clone_type": {"type": "str", "choices": list(KINDS), "required": True},
    "subregion": {"type": "str"},
    "subregion_id": {"type": "int"},
    "power_on": {"type": "bool"},
    **LIMITS,
    **CREATE_OPTIONS,
}
CLONE_RULES: dict[str, t.Any] = {
    **MEANT_RULES,
    "mutually_exclusive": [*MEANT_RULES["mutually_exclusive"], ("subregion", "subregion_id")],
}
CLONE = Operation(
    "instance_clone",
    (REST,),
    CLONE_OPTIONS,
    clone,
    CLONE_RULES,
    members=tuple(instance_record({})),
    manages=ManagedObject("instance", "instance"),
)
