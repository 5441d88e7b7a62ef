# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the smaller REST resources: how one is found by name, ID or note, and brought to its declared state.

What only a change needs is imported by the functions that change.
"""

from __future__ import annotations

import abc
import contextlib
import typing as t
from functools import cached_property

from .._connection.options import REST, OptionSpecs
from .._connection.task import Operation, Params, Result, Task, result_of
from .._core.errors import ChangeTracker, FcdError, InvalidInput, OperationFailed
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import ChangeContext, run_to_end, wait_for_object
from .._engine.create_once import has_create_note, identity_of
from .._engine.plan import Created, Fields, reconcile
from .api import Infrastructure, infrastructure
from .rest_records import RestSearch, check_not_empty, check_numbers

if t.TYPE_CHECKING:
    from .._core.type_aliases import JsonObject
    from .._engine.change import Change, Ticket
    from .._engine.create_once import CreateSettings
    from .._engine.scheduler import Job
    from .rest_creation import CreateTrace, RequestedObject

_Value = t.TypeVar("_Value")


class RestResource(abc.ABC):
    """One declared object. ``params`` has ``state``, ``id`` and the key of the search.

    ``set_after_create`` are the fields that a create does not take. ``object_type`` is the item of dictionary 42 in the
    ticket of a create, zero if no number is known for the kind, None if a create is done at once. ``source_ids`` are
    what it is made from, besides instances: a ticket may name that instead.
    """

    fields: Fields
    set_after_create: t.Sequence[str] = ()
    object_type: int | None = None
    source_ids: t.Sequence[int] = ()
    may_replace = False

    def __init__(self, task: Task, search: RestSearch, params: Params) -> None:
        self.task = task
        self.search = search
        self.params = params
        self.kind = search.kind
        self.name: str | None = params.get(search.key)
        self.ticket: int | None = None
        self.ticket_in_progress: Ticket | None = None
        self.desired: JsonObject = {}
        self._current: JsonObject | None = None
        self.is_new = False  # this task has sent the create
        self.create_seconds = 0.0  # that its request took
        self.may_wait = bool(params.get("wait", True)) and not task.check_mode

    # ---------------------------------------------------------------- what a kind defines

    @abc.abstractmethod
    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values. Raises InvalidInput for what a create lacks."""

    @abc.abstractmethod
    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what sends the create with these values, and returns the ticket or what was created at once."""

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the requests that change the object; none for a kind that is only replaced."""
        del current, changes
        return []

    @abc.abstractmethod
    def removals(self, current: JsonObject) -> list[Change]:
        """Return the requests that remove the object, in order."""

    def locked_instances(self) -> t.Sequence[int]:
        """Return the instances that a create locks."""
        return ()

    def scope(self) -> tuple[object, ...]:
        """Return what a name is unique within, as far as this module is concerned."""
        return ()

    def title(self, record: JsonMapping) -> str:
        """Return the name of an existing object in messages."""
        return f"{self.kind} {self.name_of(record)!r}"

    # ---------------------------------------------------------------- what a kind defines for its creates

    def alone(self, settings: CreateSettings) -> t.ContextManager[object]:
        """Return a context in which no other one is created that could be mistaken for this one. May raise Busy."""
        del settings
        return contextlib.nullcontext()

    def facts_before_create(self) -> dict[str, object]:
        """Return what is noted before a create is sent, to find the new object by: here, which ones are not new."""
        return {} if self.search.alike is None else {"alike": self.search.alike}

    def find_duplicates(self, record: JsonObject, listed: t.Sequence[JsonObject]) -> dict[int, str]:
        """Return possible duplicates of what this task has created, as a mapping of IDs to descriptions."""
        found = self.search.match(self.name_of(record), listed)
        return {one["id"]: "" for one in found if one["id"] != record["id"]}

    def require_no_duplicate(self, record: JsonObject, lead: t.Mapping[str, object]) -> None:
        """Raise Ambiguous if there still is a duplicate of what an earlier task has created, according to its note."""
        del record, lead

    def complete(self, record: JsonObject, values: JsonMapping) -> JsonObject:
        """Return what was created at once, after the requests that complete it."""
        del values
        return record

    def is_ready(self, record: JsonObject) -> bool:
        """Return whether nothing is running on it, not even its creation. Raises OperationFailed if that has failed."""
        return not record.get("is_locked")

    def compare_new(self, record: JsonObject) -> tuple[JsonObject, JsonObject]:
        """Return what was created, with everything that is compared then, and the desired values to compare."""
        return record, self.desired

    def find_leftover(self, facts: t.Mapping[str, object], values: JsonMapping) -> RequestedObject | None:
        """Return what an earlier create may have created, although no list, note or ticket shows it."""
        del facts, values
        return None

    # ---------------------------------------------------------------- for the engine

    def find(self, desired: JsonMapping) -> JsonObject | None:
        """Return the object as it was found."""
        del desired
        return self._current

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that creates it exactly once; what the create does not take is changed afterwards."""
        from .rest_creation import create_resource

        return create_resource(self, values)

    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject | None]:
        """Return the job that changes it, and returns it as it is then, None if the last change is only started."""
        from .rest_changes import update_resource

        return update_resource(self, dict(current), changes)

    def delete(self, current: JsonMapping) -> Job[None]:
        """Return the job that removes it."""
        from .rest_changes import remove_resource

        return remove_resource(self, dict(current))

    # ---------------------------------------------------------------- for the kinds

    @cached_property
    def context(self) -> ChangeContext:
        """The context of the work; the time to wait begins with the first use."""
        deadline = self.task.deadline.within(self.params.get("wait_timeout"), "wait")
        grace = self.params.get("create_grace") or 0.0
        wait = bool(self.params.get("wait", True))
        return ChangeContext(self.task, self.search, deadline, wait, grace, ChangeTracker())

    def run_job(self, job: Job[_Value]) -> _Value:
        """Run a job to its end."""
        return run_to_end(self.context, job)

    def note_ticket(self, ticket: Ticket) -> None:
        """Name the ticket in the result."""
        self.ticket = ticket["Id"]

    def trace(self, name: str) -> CreateTrace:
        """Return where the note of a create leads."""
        from .rest_creation import CreateTrace

        return CreateTrace(self.task, self.search, self._note_key(name), name)

    def _note_key(self, name: str) -> tuple[object, ...]:
        return identity_of(self.task, self.kind, *self.scope(), name)

    def name_of(self, record: JsonMapping) -> str:
        """Return the name of an existing object."""
        return str(record[self.search.key])

    # ---------------------------------------------------------------- finding

    def find_current(self) -> JsonObject | None:
        """Find the object; an operation that is running on it is waited for, unless waiting is not allowed."""
        self._current = current = self.locate()
        if current is not None and self.may_wait and not self.is_ready(current):
            waiting = f"Waiting for {self.kind} {self.name or self.params.get('id')!r}"
            self._current = self.run_job(wait_for_object(self.context, current["id"], self._is_gone_or_ready, waiting))
        return self._current

    def _is_gone_or_ready(self, record: JsonObject | None) -> bool:
        return record is None or self.is_ready(record)

    def locate(self) -> JsonObject | None:
        """Return the object that the options mean, or None."""
        number = self.params.get("id")
        if number is None:
            return self._find_by_name(str(self.name))
        record = self.search.by_id(number)
        if record is None and self.params["state"] == "present":
            raise InvalidInput(
                f"There is no {self.kind} with the ID {number}.",
                next_step="Check the ID; omit it to have a new one created.",
                option="id",
            )
        return record

    def has_note(self) -> bool:
        """Return whether a create of this object has left a note."""
        return has_create_note(self.task, self._note_key(str(self.name)))

    def _find_by_name(self, name: str) -> JsonObject | None:
        record = self.search.by_name(name)
        if not self.has_note():
            return record
        from .rest_creation import find_by_note

        return find_by_note(self, name, record)

    def warn_of_unknown(self, current: JsonObject | None, values: JsonMapping) -> None:
        """Warn of those values that cannot be compared because the service does not return them for the object."""
        compared = [field for field in self.fields if field.name in values]
        unknown = [field.name for field in compared if current and field.is_unknown(current.get(field.name))]
        if current and unknown:
            title = f"{self.kind} {self.name_of(current)!r}"
            self.task.warn(f"The service does not return {', '.join(unknown)} of {title}: not compared.")


class WholeUpdates(RestResource):
    """A resource whose update sends all values.

    The service has no versions, so this is only safe between the tasks of one user on one host.
    """

    @contextlib.contextmanager
    def lock(self, current: JsonMapping) -> t.Iterator[None]:
        """Let no other task change the object while the block runs, and read it again. Raises Busy, OperationFailed."""
        number, (service, _user) = current["id"], self.task.account("base_url")
        what = f"{self.kind} {number}"
        with self.task.change_lock(what, service, self.kind, number):
            self._current = self.search.by_id(number)
            if self._current is None:
                raise OperationFailed(
                    f"Changing {what}: it no longer exists.",
                    next_step="Something else removed it; run the task again.",
                    id=number,
                )
            self.search.name_references(self._current)
            yield


def reconcile_resource(resource: RestResource, key: str) -> Result:
    """Bring the resource to its state; ``key`` is its name in the result."""
    check_numbers(resource.params)
    state, search, desired = resource.params["state"], resource.search, resource.desired
    current = resource.find_current()
    search.name_references(current)
    if state == "present":
        resource.desired = desired = resource.desired_values(current)
        resource.warn_of_unknown(current, desired)
    if resource.ticket_in_progress is not None and (resource.task.check_mode or state == "absent"):
        from .rest_creation import result_in_progress

        return result_in_progress(resource, key, resource.ticket_in_progress)
    outcome = reconcile(resource, desired, state, check_mode=resource.task.check_mode)
    with contextlib.suppress(FcdError):  # the work is done, with or without these names
        search.name_references(outcome.record, outcome.before, outcome.after)
    return {**result_of(key, outcome), "ticket": resource.ticket}


# ---------------------------------------------------------------- readers


def rest_reader(
    name: str,
    key: str,
    search: t.Callable[[Infrastructure, Params], RestSearch],
    options: OptionSpecs,
    rules: t.Mapping[str, object],
    filters: t.Callable[[Params], JsonObject] = lambda _params: {},
) -> Operation:
    """Return the operation of a module that reads objects of one kind; ``key`` is the name of the list in the result.

    The service selects by the options ``instance`` and ``query``, if there are any, and by the result of ``filters``.
    """
    own = {"id": {"type": "int"}, **options}

    def run(task: Task, params: Params) -> Result:
        from .rest_reading import select_records

        check_not_empty(params, *(option for option in params if option in own))
        check_numbers(params)
        finder = search(infrastructure(task), params)
        found = select_records(finder, params, filters(params))
        finder.name_references(*found)
        result: Result = {"changed": False, key: found}
        number = params.get("id")
        return result if number is None else {**result, "missing": [] if found else [number]}

    return Operation(name, (REST,), own, run, rules)
