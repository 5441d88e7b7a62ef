# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloning an instance exactly once (wire-facts section 5.4)."""

from __future__ import annotations

import typing as t

from ..._connection.options import REST
from ..._connection.task import CREATE_OPTIONS, Made, Operation, Params, Result, Task
from ..._core.errors import Conflict, InvalidInput
from ..._engine.change import (
    FAILED,
    SUCCEEDED,
    Ticket,
    appeared,
    gone,
    refused_for_lock,
    run_to_end,
    sent_when_free,
    status_of_ticket,
    ticket_ended,
)
from ..._engine.plan import LATER
from ..._engine.reconcile import Created
from ..._engine.scheduler import Job, Progress
from ..api import infrastructure
from ..rest_records import ReferenceNames, Row, check_numbers
from .instance_acts import LIMITS, MEANT, MEANT_RULES, act_context, required_source, unlocked_or_gone
from .instance_creation import (
    InstanceCreation,
    creation_under_way,
    is_settled,
    listed_by_name,
)
from .instance_options import Labels, check_instance_name, reference
from .instance_planning import require_active
from .instance_records import (
    POWERED_OFF,
    POWERED_ON,
    InstanceContext,
    InstanceSearch,
    instance_record,
    note_of_instance,
    only_instance,
    running,
    unsettled,
)

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


def run(task: Task, params: Params) -> Result:
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
        note_of_instance(task, name).shown()
        return _result(None, _settled(task, search, params, present), None)
    source = required_source(task, search, params)
    body = _body(Labels(api, names), params)
    if task.check_mode:
        power = POWERED_ON if params.get("power_on") else POWERED_OFF
        return _result("create", {"id": None, "name": name, "status": {"id": power, "label": None}}, None)
    context = act_context(task, search, params)
    return run_to_end(context.change, _cloned(context, source, body))


def _settled(task: Task, search: InstanceSearch, params: Params, present: Row) -> Row:
    """Return an existing clone once no operation is running on it, if the user wants to wait."""
    if task.check_mode or not params["wait"] or not unsettled(present):
        return present
    change, what = act_context(task, search, params).change, f"Waiting for instance {params['clone_name']!r}"
    return run_to_end(change, appeared(change, present["id"], is_settled, what))


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
    clone = Clone(context, source["id"], body)
    yield from _source_free(context, source, what)
    created = yield from _requested(context, clone, source, what)
    ticket, record = created.record["ticket"], created.record["record"]
    action, number = ("create" if created.by_us else None), ticket and ticket["Id"]
    if not context.change.wait:
        return _result(action, record or {"id": None, "name": name}, number)
    yield Progress(what)
    record = yield from _made(context, name, created, what)
    test = running if body.get("PowerOn") and created.by_us else is_settled
    record = yield from appeared(context.change, record["id"], test, what)
    if created.by_us:
        yield from clone.seen_once(record["id"], what)
    return _result(action, record, number)


def _made(context: InstanceContext, name: str, created: Created, what: str) -> Job[Row]:
    """Return the clone when its ticket has ended, in whatever state it is then."""
    ticket, record = created.record["ticket"], created.record["record"]
    ended = None if ticket is None else (yield from ticket_ended(context.change, ticket, what))
    return record or _named(context, name, ended) or (yield from listed_by_name(context, name, ticket, what))


def _named(context: InstanceContext, name: str, ticket: Ticket | None) -> Row | None:
    """Return the instance that the ticket leads to, if it is the clone."""
    number = (ticket or {}).get("ObjectId")
    record = None if number is None else context.search.by_id(number)
    return record if record is not None and record["name"] == name else None


def _requested(context: InstanceContext, clone: Clone, source: Row, what: str) -> Job[Created]:
    """Send the create once; a refusal because the source is locked had no effect, so the lock is waited for."""
    return sent_when_free(
        clone.once,
        lambda refusal: isinstance(refusal, Conflict) or refused_for_lock(refusal, context.search.by_id(source["id"])),
        lambda: _source_free(context, {**source, "is_locked": True}, what),
        what,
    )


def _source_free(context: InstanceContext, source: Row, what: str) -> Job[bool]:
    """Wait until no other operation is running on the source. Refusals still count, so False is returned."""
    if (yield from unlocked_or_gone(context, source, what)) is None:
        raise gone(what, "instance", source["id"])
    return False


def _result(action: str | None, record: Row, ticket: int | None) -> Result:
    before = {} if action else record
    after = {**record, "id": LATER} if record["id"] is None else record
    return {
        "changed": action is not None,
        "action": action or "none",
        "instance": record,
        "ticket": ticket,
        "diff": {"before": before, "after": after},
    }


OPTIONS: dict[str, dict[str, t.Any]] = {
    **MEANT,
    "clone_name": {"type": "str", "required": True},
    "clone_type": {"type": "str", "choices": list(KINDS), "required": True},
    "subregion": {"type": "str"},
    "subregion_id": {"type": "int"},
    "power_on": {"type": "bool"},
    **LIMITS,
    **CREATE_OPTIONS,
}
RULES: dict[str, t.Any] = {
    **MEANT_RULES,
    "mutually_exclusive": [*MEANT_RULES["mutually_exclusive"], ("subregion", "subregion_id")],
}
OPERATION = Operation(
    "instance_clone", (REST,), OPTIONS, run, RULES, told=tuple(instance_record({})), makes=Made("instance", "instance")
)
