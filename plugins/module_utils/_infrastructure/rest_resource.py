# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the smaller REST resources: how one is found by name, ID or note, and brought to its declared state."""

from __future__ import annotations

import contextlib
import typing as t

from .._connection.options import REST, OptionSpecs
from .._connection.task import Operation, Params, Result, Task, non_null_options, result_of
from .._core.errors import FcdError, InvalidInput, OperationFailed
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import wait_for_object
from .._engine.create_once import has_create_note
from .._engine.plan import Created, Field, no_such_id, other_name, reconcile
from .._engine.scheduler import Job
from .api import Infrastructure, infrastructure
from .declared_object import DeclaredObject
from .rest_changes import remove_resource, update_resource
from .rest_creation import create_resource, find_by_note, result_in_progress
from .rest_reading import select_records
from .rest_records import RestSearch, check_not_empty, check_numbers


class RestResource(DeclaredObject):
    """One declared object, as the engine brings it to its state."""

    # ---------------------------------------------------------------- for the engine

    def find(self, desired: JsonMapping) -> JsonObject | None:
        """Return the object as it was found."""
        del desired
        return self._current

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that creates it exactly once; what the create does not take is changed afterwards."""
        return create_resource(self, values)

    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject | None]:
        """Return the job that changes it, and returns it as it is then, None if the last change is only started."""
        return update_resource(self, dict(current), changes)

    def delete(self, current: JsonMapping) -> Job[None]:
        """Return the job that removes it."""
        return remove_resource(self, dict(current))

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
            record = self.search.by_name(str(self.name))
            return find_by_note(self, str(self.name), record) if self.has_note() else record
        record = self.search.by_id(number)
        if record is None and self.params["state"] == "present":
            raise InvalidInput(
                f"There is no {self.kind} with the ID {number}.",
                next_step="Check the ID; omit it to have a new one created.",
                option="id",
            )
        if self.params["state"] == "absent":
            self.require_same(record)
        return record

    def identity(self) -> JsonObject:
        """Return what the options say, besides an ID, of which object is meant, by attribute."""
        return non_null_options(self.params, [self.search.key])

    def by_identity(self) -> JsonObject | None:
        """Return the object that this means without an ID, as lists show it, or None."""
        name = self.params.get(self.search.key)
        return None if name is None else self.search.by_name(name)

    def is_called(self, record: JsonMapping, option: str, given: object) -> bool:
        """Return whether an object has what identifies it; what the service does not return counts as equal."""
        field = next((one for one in self.fields if one.name == option), Field(option))
        return not field.differs(given, record.get(option))

    def require_same(self, record: JsonObject | None, by: str = "id") -> None:
        """Raise InvalidInput unless the object that ``by`` leads to, or its lack, is what the other options name."""
        number = self.params[by]
        if record is None:
            other = self.by_identity()
            if other is not None and other["id"] != number:
                raise no_such_id(self.kind, number, self.identity(), other["id"], by)
            return
        for option, given in self.identity().items():
            if not self.is_called(record, option, given):
                self.search.name_references(record)
                raise other_name(self.kind, number, option, given, record.get(option), by)

    def has_note(self) -> bool:
        """Return whether a create of this object has left a note."""
        return has_create_note(self.task, self._note_key(str(self.name)))


class WholeUpdates(RestResource):
    """A resource whose update sends all values.

    The service has no versions, so this is only safe between the tasks of one user on one host. ``merges`` says that
    the desired values depend on the current ones.
    """

    merges = False

    @contextlib.contextmanager
    def lock(self, current: JsonMapping) -> t.Iterator[JsonObject | None]:
        """Let no other task change the object while the block runs, and read it again. Raises Busy, OperationFailed.

        It gives the desired values if they depend on what was read.
        """
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
            yield self.desired_values(self._current) if self.merges else None


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
        check_not_empty(params, *(option for option in params if option in own))
        check_numbers(params)
        finder = search(infrastructure(task), params)
        found = select_records(finder, params, filters(params))
        finder.name_references(*found)
        result: Result = {"changed": False, key: found}
        number = params.get("id")
        return result if number is None else {**result, "missing": [] if found else [number]}

    return Operation(name, (REST,), own, run, rules)
