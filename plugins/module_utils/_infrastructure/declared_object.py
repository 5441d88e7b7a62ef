# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One declared REST object: what a kind defines, and what its changes and its create need of it."""

from __future__ import annotations

import abc
import contextlib
import typing as t
from functools import cached_property

from .._connection.check_mode_state import is_planned
from .._connection.task import Params, Task, non_null_options
from .._core.errors import ChangeTracker, IncompleteList, InvalidInput, Rejected
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import Change, ChangeContext, Ticket, run_to_end
from .._engine.create_once import CreateSettings, identity_of
from .._engine.plan import REPLACE, UPDATE, Fields
from .._engine.scheduler import Job
from .create_trace import CreateTrace, RequestedObject
from .rest_records import RestSearch

if t.TYPE_CHECKING:
    from .api import Infrastructure

_Value = t.TypeVar("_Value")


class DeclaredObject(abc.ABC):
    """One declared object. ``params`` has ``state``, ``id`` and the key of the search.

    ``set_after_create`` are the fields that a create does not take. ``object_type`` is the item of dictionary 42 in the
    ticket of a create, zero if no number is known for the kind, None if a create is done at once. ``source_ids`` are
    what it is made from, besides instances: a ticket may name that instead. ``refers_to`` are the attributes whose
    objects a change sends along by their IDs, with what finds these.
    """

    fields: Fields
    set_after_create: t.Sequence[str] = ()
    object_type: int | None = None
    source_ids: t.Sequence[int] = ()
    refers_to: t.Sequence[t.Tuple[str, t.Callable[[Infrastructure], RestSearch]]] = ()
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
    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject | None]:
        """Return the job that changes it, and returns it as it is then, None if the last change is only started."""

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

    # ---------------------------------------------------------------- for the kinds

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return the members of the service, by our options, that these changes send as they are."""
        del current, changes
        return {}

    def whole(self, current: JsonMapping, changes: JsonMapping) -> JsonObject:
        """Return all values for a request that sends them along; what the service does not return is as declared."""
        known = {name: value for name, value in current.items() if value is not None}
        return {**current, **self.desired, **known, **changes}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise for a change that would lose a value, and for what the service would refuse. Nothing is sent."""
        if current is None or action not in (UPDATE, REPLACE):
            return
        self.require_free_name(current, changes)
        members = self.sent_along(current, changes) if action == UPDATE else {}
        self.require_known(current, members)
        self.require_existing(current, {**{name: current.get(name) for name in members}, **changes})

    def require_free_name(self, current: JsonMapping, changes: JsonMapping) -> None:
        """Raise InvalidInput for a new name that another object has. A site checks this itself: some swap names."""
        if changes.get("name") and self.search.key == "name" and not self.task.knows_last_apply:
            self.search.require_free(str(changes["name"]), current)

    def require_existing(self, current: JsonMapping, sent: JsonMapping) -> None:
        """Raise InvalidInput if an object that a change would send along is gone."""
        for option, search in self.refers_to:
            value = sent.get(option)
            for one in value if isinstance(value, list) else [value]:
                finder = search(self.search.api)
                if isinstance(one, dict) and is_gone(finder, one):
                    raise InvalidInput(
                        f"A change of {self.title(current)} has to send along {finder.kind} {one['id']}, which no "
                        "longer exists.",
                        next_step=f"Give {option} too.",
                        options=[option],
                    )

    def require_known(self, current: JsonMapping, members: t.Mapping[str, str]) -> None:
        """Raise InvalidInput if the service left out what a change has to send along as it is.

        ``members`` are those of the service by our names. What the options give instead is not needed. Of what check
        mode has planned, the service will return more.
        """
        if is_planned(current["id"]):
            return
        shown = self.search.members.get(current["id"])
        left_out = {name for name in members if shown is not None and members[name] not in shown}
        left_out.update(field.name for field in self.fields if field.is_unknown(current.get(field.name)))
        given = self.desired.keys() | non_null_options(self.params, members)
        missing = [name for name in members if name in left_out - given]
        if missing:
            raise self.not_returned(current, missing)

    def not_returned(self, current: JsonMapping, missing: t.Sequence[str]) -> InvalidInput:
        """Return the error for options that a change has to send, and that nobody has given."""
        return InvalidInput(
            f"The service does not return {', '.join(missing)} of {self.title(current)}, and a change has to send "
            "all of it.",
            next_step=f"Give {' and '.join(missing)} too.",
            options=[*missing],
        )

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
        return CreateTrace(self.task, self.search, self._note_key(name), name)

    def _note_key(self, name: str) -> tuple[object, ...]:
        return identity_of(self.task, self.kind, *self.scope(), name)

    def name_of(self, record: JsonMapping) -> str:
        """Return the name of an existing object."""
        return str(record[self.search.key])

    def warn_of_unknown(self, current: JsonObject | None, values: JsonMapping) -> None:
        """Warn of those values that cannot be compared because the service does not return them for the object."""
        compared = [field for field in self.fields if field.name in values]
        unknown = [field.name for field in compared if current and field.is_unknown(current.get(field.name))]
        if current and unknown:
            title = f"{self.kind} {self.name_of(current)!r}"
            self.task.warn(f"The service does not return {', '.join(unknown)} of {title}: not compared.")


def is_gone(search: RestSearch, reference: JsonMapping) -> bool:
    """Return whether what ``{id, label}`` refers to is certainly gone; what has a name, or is planned, is not."""
    if reference["label"] is not None or is_planned(reference["id"]):
        return False
    try:
        return search.by_id(reference["id"]) is None
    except (Rejected, IncompleteList):
        return False
