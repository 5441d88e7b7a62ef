# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions on an existing instance: which one is meant, restarting it, and cloning it exactly once."""

from __future__ import annotations

import contextlib
import time
import typing as t

from ..._connection.options import REST, SECONDS, OptionSpecs
from ..._connection.task import CREATE_OPTIONS, WAIT_OPTIONS, ManagedObject, Operation, Params, Result, Task
from ..._core.errors import (
    GATEWAY,
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
from ..._core.later import LATER
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.change import (
    ATTEMPTS,
    SETTLE,
    ChangeContext,
    Ticket,
    is_lock_refusal,
    is_locked,
    is_unlocked,
    no_longer_exists,
    wait_for_new_object,
    wait_for_object,
    wait_for_ticket,
)
from ..._engine.plan import Created
from ..._engine.scheduler import Job, Progress
from ..api import infrastructure
from ..named_instances import no_instance, unlisted
from ..reference_names import ReferenceNames
from ..rest_creation import create_resource
from ..rest_records import check_numbers
from .instance_change_plans import require_active
from .instance_creation import instance_create_note
from .instance_options import Labels, check_instance_name, reference
from .instance_planning import DeclaredInstance
from .instance_records import (
    POWERED_OFF,
    POWERED_ON,
    InstanceSearch,
    instance_record,
    is_busy,
    is_idle,
    only_instance,
    powered_off,
    running,
)

TARGET: OptionSpecs = {
    "name": {"type": "str", "aliases": ["instance_name"]},
    "id": {"type": "int", "aliases": ["instance_id"]},
}
TARGET_RULES: JsonObject = {"required_one_of": [("name", "id")], "mutually_exclusive": [("name", "id")]}
WAIT_AND_GRACE: OptionSpecs = {**WAIT_OPTIONS, "create_grace": {"type": SECONDS, "default": 30}}
SKEW = 120.0  # seconds by which clocks may differ


# ---------------------------------------------------------------- which instance is meant


def named_instance(search: InstanceSearch, params: Params) -> JsonObject | None:
    """Return the instance that the options name, or None. Raises Ambiguous."""
    if params.get("id") is not None:
        return search.by_id(params["id"])
    name = params["name"]
    return only_instance(name, search.by_names([name])[name])


def unlisted_instance(task: Task, search: InstanceSearch, params: Params) -> JsonObject | None:
    """Return the instance that the options name and no list shows yet; an ID is read without any list.

    The list of tickets may lag as well, so the note of a create on this host comes first.
    """
    name = params["name"]
    if params.get("id") is not None or not name.strip():
        return None
    facts = instance_create_note(task, name).lead() or {}
    number = facts.get("id")
    if number is None and "ticket" in facts:
        with contextlib.suppress(NotFound):
            number = search.api.get_ticket(facts["ticket"]).get("ObjectId")
    return search.by_id_and_name(number, name) or unlisted(search, name)


def missing_instance(search: InstanceSearch, params: Params) -> InvalidInput:
    """Return the error for an instance that does not exist."""
    option = "name" if params.get("id") is None else "id"
    return no_instance(str(params[option]), option, search.listed)


def require_instance(task: Task, search: InstanceSearch, params: Params) -> JsonObject:
    """Return the instance that the options name. Raises InvalidInput if there is none, Ambiguous."""
    record = named_instance(search, params) or unlisted_instance(task, search, params)
    if record is None:
        raise missing_instance(search, params)
    return record


def resource_of(task: Task, search: InstanceSearch, params: Params, record: JsonObject) -> DeclaredInstance:
    """Return the instance as the resource of the action."""
    params = {**params, "create_grace": params.get("create_grace") or SETTLE}
    return DeclaredInstance(task, search, params, str(record["name"]), record)


def wait_until_free(context: ChangeContext, record: JsonObject, what: str) -> Job[JsonObject | None]:
    """Wait until no other operation is running on the instance; return None if it is gone."""
    if not is_locked(record):
        return record
    return (yield from wait_for_object(context, record["id"], is_unlocked, what))


# ---------------------------------------------------------------- restart

RESTARTS = {"reboot": 1368, "reset": 153}  # dictionary 41
DOING = {"reboot": "Rebooting", "reset": "Resetting"}


def restart(task: Task, params: Params) -> Result:
    """Restart the instance: by the guest, or like pulling the plug."""
    check_numbers(params)
    api, action = infrastructure(task), params["action"]
    search = InstanceSearch(api, ReferenceNames(api))
    record = require_instance(task, search, params)
    _require_power(record)
    result: Result = {"changed": True, "action": action, "instance": record, "ticket": None}
    if task.check_mode:
        return result
    instance = resource_of(task, search, params, record)
    return {**result, **instance.run_job(Restart(instance, record, action).job())}


def _require_power(record: JsonObject) -> None:
    if powered_off(record):
        raise InvalidInput(
            f"Instance {record['name']!r} is powered off, so there is nothing to restart.",
            next_step="Turn it on with state: started of fcd.cloud.instance.",
        )


class Restart:
    """A restart, which is sent once.

    That an instance is locked proves nothing: another operation may have started. Its ticket does. Clocks may differ,
    so the existing tickets are noted before it is sent.
    """

    def __init__(self, instance: DeclaredInstance, record: JsonObject, action: str) -> None:
        self._context = instance.context
        self._search = instance.search
        self._record = record
        self._number: int = record["id"]
        self._what = f"{DOING[action]} instance {record['name']!r}"
        self._send = {"reboot": self._search.api.reboot, "reset": self._search.api.reset}[action]
        self._operation = RESTARTS[action]
        self._start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(instance.task.clock.now() - SKEW))

    def job(self) -> Job[Result]:
        """Return the job that restarts the instance as soon as it is free."""
        context, number, what = self._context, self._number, self._what
        free = yield from wait_until_free(context, self._record, what)
        if free is None:
            raise no_longer_exists(what, "instance", number)
        _require_power(free)
        ticket = yield from self._send_once()
        context.note_start(ticket)
        if not context.wait:
            return {"ticket": ticket["Id"], "instance": free}
        yield from wait_for_ticket(context, ticket, what)
        return {"ticket": ticket["Id"], "instance": (yield from wait_for_new_object(context, number, running, what))}

    def _send_once(self) -> Job[Ticket]:
        """Send it and return the ticket; what was refused because of another operation is sent again.

        Raises CannotDetermine.
        """
        conflicts = 0
        while True:
            earlier = set(self._tickets())
            try:
                return self._send(self._number)
            except Conflict:
                conflicts += 1
                if conflicts > ATTEMPTS:
                    raise
            except (Unclear, ServiceError) as cause:
                refused = isinstance(cause, Rejected)
                if refused and GATEWAY not in cause.details:
                    self._require_lock(t.cast("Rejected", cause))
                else:
                    with mark_changed_on_error(not refused and not asks_elsewhere(cause)):
                        return (yield from self._find_ticket(earlier, cause))
            yield Progress(self._what, "waiting for another operation")
            if (yield from wait_for_object(self._context, self._number, is_unlocked, self._what)) is None:
                raise no_longer_exists(self._what, "instance", self._number)

    def _require_lock(self, refusal: Rejected) -> None:
        """Raise the refusal unless the instance is locked."""
        record = self._search.by_id(self._number)
        if record is None:
            raise no_longer_exists(self._what, "instance", self._number) from refusal
        if not is_lock_refusal(refusal, record):
            raise refusal

    def _find_ticket(self, earlier: t.Container[int], cause: FcdError) -> Job[Ticket]:
        """Find out whether it was done: by its ticket, which is looked for as long as the instance is locked."""
        if asks_elsewhere(cause):
            raise cause
        clock = self._context.task.clock
        end = clock.monotonic() + SETTLE
        while True:
            busy = self._context.wait and is_locked(self._search.by_id(self._number))
            own = {key: one for key, one in self._tickets().items() if key not in earlier}
            if own:
                return own[max(own)]
            if clock.monotonic() >= end and not busy:
                if isinstance(cause, Rejected):
                    raise cause
                raise CannotDetermine(
                    f"{self._what}: it is not known whether it was done ({cause.message}).",
                    next_step="Check the instance, and run the task again if it was not.",
                    cause=type(cause).__name__,
                )
            yield Progress(self._what, "finding out the outcome")

    def _tickets(self) -> dict[int, Ticket]:
        """Return the tickets of such restarts of the instance."""
        listed = self._search.api.list_tickets(creation_date_from=self._start)
        return {one["Id"]: one for one in listed if self._is_own(one)}

    def _is_own(self, ticket: Ticket) -> bool:
        kind = (ticket.get("OperationType") or {}).get("Id")
        return ticket.get("ObjectId") == self._number and kind == self._operation


POWER_OPTIONS: OptionSpecs = {
    **TARGET,
    "action": {"type": "str", "choices": list(RESTARTS), "required": True},
    **WAIT_OPTIONS,
}
INSTANCE_POWER = Operation("instance_power", (REST,), POWER_OPTIONS, restart, TARGET_RULES)


# ---------------------------------------------------------------- clone

CLONE_TYPES = {"new_configuration": 869, "current_configuration": 870}


class Clone(DeclaredInstance):
    """The clone that is to be created: an instance of its name.

    It is not known whether the ticket is for the clone or for its source, so the name decides.
    """

    def __init__(
        self, task: Task, search: InstanceSearch, params: Params, source: JsonObject, body: JsonObject
    ) -> None:
        super().__init__(task, search, params, body["CloneName"])
        self._source = source
        self._body = body

    def locked_instances(self) -> t.Sequence[int]:
        """Return the source."""
        return [self._source["id"]]

    def facts_before_create(self) -> JsonObject:
        """Return the instances of such names; the ticket may not tell which one is new."""
        return {"alike": [one["id"] for one in self.search.find_alike(str(self.name))]}

    def create_request(self, values: JsonMapping) -> t.Callable[[], Ticket]:
        """Return what creates the clone."""
        del values
        return lambda: self.search.api.clone_instance(self._source["id"], self._body)

    def is_ready(self, record: JsonObject) -> bool:
        """Return whether no operation is running on it, and it runs if it is to."""
        return running(record) if self.is_new and self._body.get("PowerOn") else is_idle(record)

    def clone_job(self) -> Job[Created]:
        """Return the job that creates the clone as soon as the source is free."""
        what = f"Cloning instance {self._source['name']!r} to {self.name!r}"
        if (yield from wait_until_free(self.context, self._source, what)) is None:
            raise no_longer_exists(what, "instance", self._source["id"])
        return (yield from create_resource(self, {"name": self.name}))


def clone(task: Task, params: Params) -> Result:
    """Create a clone of the instance."""
    name = params["clone_name"]
    check_instance_name(name, "clone_name")
    check_numbers(params)
    api = infrastructure(task)
    labels = Labels(api)
    search = InstanceSearch(api, labels)
    present = only_instance(name, search.by_names([name])[name])
    if name == params["name"] or (present is not None and present["id"] == params["id"]):
        raise InvalidInput(
            f"clone_name: {name!r} is the name of the source instance.",
            next_step="Give the clone another name.",
            option="clone_name",
        )
    if present is not None:
        instance_create_note(task, name).keep(present["id"])
        if is_busy(present) and params["wait"] and not task.check_mode:
            found = resource_of(task, search, params, present)
            what = f"Waiting for instance {name!r}"
            present = found.run_job(wait_for_new_object(found.context, present["id"], is_idle, what))
        return creation_result(None, present, None)
    source = require_instance(task, search, params)
    body = _clone_body(labels, params)
    if task.check_mode:
        power = POWERED_ON if params.get("power_on") else POWERED_OFF
        return creation_result("create", {"id": None, "name": name, "status": {"id": power, "label": None}}, None)
    copy = Clone(task, search, params, source, body)
    created = copy.run_job(copy.clone_job())
    return creation_result("create" if created.by_us else None, created.record, copy.ticket)


def _clone_body(labels: Labels, params: Params) -> JsonObject:
    body: JsonObject = {"CloneName": params["clone_name"], "CloneType": CLONE_TYPES[params["clone_type"]]}
    given = reference(params, "subregion")
    if given is not None:
        subregion = {"id": given} if isinstance(given, int) else labels.item("subregion", given)
        require_active(labels, subregion)
        body["SubregionId"] = subregion["id"]
    if params.get("power_on") is not None:
        body["PowerOn"] = params["power_on"]
    return body


def creation_result(action: str | None, record: JsonObject, ticket: int | None) -> Result:
    """Return the result of an act that creates an instance."""
    before = {} if action else record
    after = {**record, "id": LATER} if record["id"] is None else record
    return {
        "changed": action is not None,
        "action": action or "none",
        "instance": record,
        "ticket": ticket,
        "diff": {"before": before, "after": after},
    }


CLONE_OPTIONS: OptionSpecs = {
    **TARGET,
    "clone_name": {"type": "str", "required": True},
    "clone_type": {"type": "str", "choices": list(CLONE_TYPES), "required": True},
    "subregion": {"type": "str"},
    "subregion_id": {"type": "int"},
    "power_on": {"type": "bool"},
    **WAIT_AND_GRACE,
    **CREATE_OPTIONS,
}
CLONE_RULES: JsonObject = {
    **TARGET_RULES,
    "mutually_exclusive": [*TARGET_RULES["mutually_exclusive"], ("subregion", "subregion_id")],
}
INSTANCE_CLONE = Operation(
    "instance_clone",
    (REST,),
    CLONE_OPTIONS,
    clone,
    CLONE_RULES,
    members=tuple(instance_record({})),
    manages=ManagedObject("instance", "instance"),
)
