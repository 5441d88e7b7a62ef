# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the smaller REST resources: how one is found by name or ID and brought to its declared state.

What only a change needs is imported by the functions that change.
"""

from __future__ import annotations

import abc
import contextlib
import os
import typing as t

from .._connection.task import Params, Result, Task, result_of
from .._core.errors import Busy, FcdError, InvalidInput, OperationFailed
from .._core.files import file_lock
from .._core.text import digest
from .._engine.create_once import identity_of
from .._engine.plan import DELETE, Created, Fields, Record, make_plan, reconcile
from .rest_client import Item
from .rest_records import Row, check_numbers
from .rest_search import CreateTrace, RequestedObject, RestSearch

if t.TYPE_CHECKING:
    from .._engine.change import Change, ChangeContext, Send, Test, Ticket
    from .._engine.scheduler import Job

Value = t.TypeVar("Value")


def owners(record: Record) -> set[int]:
    """Return the IDs of the instances that, according to the record, it is attached to."""
    instances = record["instances"] if "instances" in record else [record["instance"]]
    return {one["id"] for one in instances if one is not None and one["id"] is not None}


class RestResource(abc.ABC):
    """One declared object. ``params`` has ``state``, ``id`` and the key of the search.

    ``afterwards`` are the fields that a create does not take, so that they are changed after it. ``told`` are those
    that every object has: null means that the service does not return them, and they are not compared. ``object_type``
    is the item of dictionary 42 in the ticket of a create, zero if no number is known for the kind, None if a create
    is done at once.
    """

    fields: Fields
    afterwards: t.Sequence[str] = ()
    told: t.Sequence[str] = ()
    object_type: int | None = None
    may_replace = False

    def __init__(self, task: Task, search: RestSearch, params: Params) -> None:
        self.task = task
        self.search = search
        self.params = params
        self.ticket: int | None = None
        self.under_way: Ticket | None = None
        self.desired: Row = {}
        self._current: Row | None = None
        self._made = False
        self._begun: ChangeContext | None = None

    # ---------------------------------------------------------------- what a kind defines

    def name(self) -> str | None:
        """Return the name that the object is found by, None if only its ID is given."""
        name: str | None = self.params.get(self.search.key)
        return name

    @abc.abstractmethod
    def want(self, current: Row | None) -> Row:
        """Return the desired values. Raises InvalidInput for what a create lacks."""

    @abc.abstractmethod
    def creating(self, values: Record) -> t.Callable[[], Item]:
        """Return what sends the create with these values, and returns the ticket or what was created at once."""

    def updates(self, current: Row, changes: Record) -> list[Change]:
        """Return the requests that change the object; none for a kind that is only replaced."""
        del current, changes
        return []

    @abc.abstractmethod
    def removal(self, current: Row) -> list[Change]:
        """Return the requests that remove the object."""

    def holders(self) -> t.Sequence[int]:
        """Return the instances that a create locks."""
        return ()

    def among(self) -> tuple[object, ...]:
        """Return what a name is unique within, as far as this module is concerned."""
        return ()

    def title(self, record: Record) -> str:
        """Return the name of an existing object in messages."""
        return f"{self.kind} {self.called(record)!r}"

    # ---------------------------------------------------------------- what a kind defines for its creates

    def known_before(self) -> dict[str, t.Any]:
        """Return what is noted before a create is sent, to find the new object by."""
        return {}

    def seconds(self, record: Row, listed: t.Sequence[Item]) -> dict[int, str]:
        """Return possible duplicates of what this task has created, as a mapping of IDs to descriptions."""
        found = self.search.exactly(self.called(record), listed)
        return {one["id"]: "" for one in found if one["id"] != record["id"]}

    def require_alone(self, record: Row, lead: t.Mapping[str, t.Any]) -> None:
        """Raise Ambiguous if there still is a duplicate of what an earlier task has created, according to its note."""
        del record, lead

    def completed(self, record: Row, values: Record) -> Row:
        """Return what a create has made at once, completed by what takes another request."""
        del values
        return record

    def left_behind(self, facts: t.Mapping[str, t.Any], values: Record) -> RequestedObject | None:
        """Return what an earlier create may have made, although no list, note or ticket shows it."""
        del facts, values
        return None

    # ---------------------------------------------------------------- for the engine

    @property
    def kind(self) -> str:
        """What a person calls it."""
        return self.search.kind

    def find(self, desired: Record) -> Row | None:
        """Return the object as it was found."""
        del desired
        return self._current

    def create(self, values: Record) -> Created:
        """Create it exactly once; what the create does not take is changed afterwards."""
        from .rest_creation import RestCreation, create_and_wait

        more = any(values.get(name) for name in self.afterwards)
        context = self.context._replace(wait=True) if more else self.context
        created = self.finished(create_and_wait(context, RestCreation(self, values)))
        record = created.record["record"]
        if record is None:
            return Created({**values, "id": created.record["id"]}, created.by_us)
        if created.by_us:
            self._made = True
            plan = make_plan(self.fields, self.desired, record, "present", kind=self.kind)
            record = self.update(record, plan.values) if plan.changed else self._relisted(record, (), "Creating")
        return Created(record, created.by_us)

    def update(self, current: Record, changes: Record) -> Row:
        """Change it and return it as it is then."""
        present = dict(current)
        record = self._carried_out(self.updates(present, changes))
        return {**present, **changes} if record is None else self._relisted(record, changes, "Changing")

    def delete(self, current: Record) -> None:
        """Remove it."""
        present = dict(current)
        self._carried_out(self.removal(present))
        self.search.removed.add(present["id"])
        self.trace(self.called(present)).note.clear_lead()

    # ---------------------------------------------------------------- for the kinds

    @property
    def context(self) -> ChangeContext:
        """The context of the work; the time to wait begins with the first use."""
        if self._begun is None:
            from .._core.errors import ChangeTracker
            from .._engine.change import ChangeContext

            deadline = self.task.deadline.within(self.params.get("wait_timeout"), "wait")
            wait = bool(self.params.get("wait", True))
            grace = self.params.get("create_grace") or 0.0
            self._begun = ChangeContext(self.task, self.search, deadline, wait, grace, ChangeTracker())
        return self._begun

    def finished(self, job: Job[Value]) -> Value:
        """Run a job to its end."""
        from .._engine.change import run_to_end

        return run_to_end(self.context, job)

    def change(
        self,
        current: Record,
        what: str,
        send: Send,
        arrived: Test,
        holders: t.Sequence[int] = (),
        *,
        removes: bool = False,
    ) -> Change:
        """Return one request that changes the object; ``holders`` are instances that are locked in the meantime.

        ``arrived`` tells whether the object, None if it is gone, has the new value.
        """
        from .._engine.change import Change
        from .rest_creation import WithHolders

        context = self.context._replace(reader=WithHolders(self.search, holders)) if holders else self.context
        return Change(context, current["id"], what, send, arrived, kind=self.kind, removes=removes)

    def removing(
        self,
        current: Record,
        remove: t.Callable[[int], t.Optional[Ticket]],
        holders: t.Sequence[int] = (),
        doing: str = "Removing",
    ) -> Change:
        """Return the request that removes the object; ``remove`` takes its ID."""
        what = f"{doing} {self.title(current)}"
        return self.change(
            current, what, lambda: remove(current["id"]), lambda record: record is None, holders, removes=True
        )

    def attaching(self, current: Record, attach: t.Callable[[int, int], Ticket], owner: int) -> Change:
        """Return the request that attaches the object to an instance; ``attach`` takes both IDs."""
        return self.change(
            current,
            f"Attaching {self.title(current)} to instance {owner}",
            lambda: attach(current["id"], owner),
            lambda record: record is not None and owner in owners(record),
            [owner],
        )

    def detaching(
        self, current: Record, detach: t.Callable[[int, int], Ticket], owner: int, *, may_go: bool = False
    ) -> Change:
        """Return the request that detaches the object from an instance; with ``may_go``, this may remove it."""
        return self.change(
            current,
            f"Detaching {self.title(current)} from instance {owner}",
            lambda: detach(current["id"], owner),
            lambda record: may_go if record is None else owner not in owners(record),
            [owner],
        )

    def note_ticket(self, ticket: Ticket) -> None:
        """Name the ticket in the result."""
        self.ticket = ticket["Id"]

    def identity(self, name: str) -> tuple[object, ...]:
        """Return what identifies the object in locks and notes: service, account, kind and name."""
        return identity_of(self.task, self.kind, *self.among(), name)

    def trace(self, name: str) -> CreateTrace:
        """Return the note that a create has left."""
        return CreateTrace(self.task, self.search, self.identity(name), name)

    def called(self, record: Record) -> str:
        """Return the name of an existing object."""
        return str(record[self.search.key])

    def look(self) -> Row | None:
        """Find the object; an operation that is running on it is waited for, unless waiting is not allowed."""
        self._current = current = self.located()
        if current is not None and current.get("is_locked") and self._may_wait():
            from .._engine.change import is_unlocked, wait_for_object

            waiting = f"Waiting for {self.kind} {self.name() or self.params.get('id')!r}"
            self._current = self.finished(wait_for_object(self.context, current["id"], is_unlocked, waiting))
        return self._current

    def located(self) -> Row | None:
        """Return the object that the options mean, or None."""
        number = self.params.get("id")
        return self._numbered(number) if number is not None else self._named(str(self.name()))

    def warn_of_untold(self, current: Row | None) -> None:
        """Warn of what cannot be compared because the service does not return it for the object."""
        untold = [name for name in self.told if current and name in self.desired and current.get(name) is None]
        if current and untold:
            called = f"{self.kind} {self.called(current)!r}"
            self.task.warn(f"The service does not return {', '.join(untold)} of {called}: not compared.")

    def _may_wait(self) -> bool:
        return bool(self.params.get("wait", True)) and not self.task.check_mode

    def _numbered(self, number: int) -> Row | None:
        record = self.search.by_id(number)
        if record is None and self.params["state"] == "present":
            raise InvalidInput(
                f"There is no {self.kind} with the ID {number}.",
                next_step="Check the ID; omit it to have a new one created.",
                option="id",
            )
        return record

    def _named(self, name: str) -> Row | None:
        record, trace = self.search.by_name(name), self.trace(name)
        if record is not None:
            self.require_alone(record, trace.note.lead() or {})
            trace.note.remove()
            return record
        found = trace.follow()
        if found is None:
            return None
        if found.record is not None:
            # the create takes up one that was left unfinished, under its lock: another task may still be creating it
            half = self.params["state"] == "present" and self.called(found.record) != self.name()
            return None if half else found.record
        if not self._may_wait():
            self.under_way = found.ticket
            return None
        from .._engine.change import wait_for_ticket

        ticket = t.cast("Ticket", found.ticket)
        ended = self.finished(wait_for_ticket(self.context, ticket, f"Creating {self.kind} {name!r}"))
        made = None if ended is None else trace.of_ticket(ended)
        return self.search.by_name(name) if made is None else made.record

    def _carried_out(self, changes: t.Sequence[Change]) -> Row | None:
        from .._engine.change import make_changes

        return self.finished(make_changes(changes, self.note_ticket))

    def _relisted(self, record: Row, names: t.Collection[str], what: str) -> Row:
        """Return the record once a list shows these values of it: other tasks find the object there.

        Raises Ambiguous if it shows a duplicate of what this task has created.
        """
        from .._engine.change import wait_and_check_duplicates, wait_for_list
        from .rest_creation import read_listing

        what = f"{what} {self.kind} {self.called(record)!r}"
        if not self._made:
            self.finished(wait_for_list(self.context, lambda: read_listing(self, record, names).shows, what))
        elif self.finished(
            wait_and_check_duplicates(self.context, lambda: read_listing(self, record, names), record["id"], what)
        ):
            self.trace(self.called(record)).note.remove()
        return record


def _result_under_way(resource: RestResource, key: str, state: str, ticket: Ticket) -> Result:
    """Return the result for what an earlier task is creating. Raises Busy for a removal that cannot wait."""
    known = {"id": None, resource.search.key: resource.name(), **resource.desired}
    told: Result = {"changed": False, key: known, "action": "none", "diff": {"before": known, "after": known}}
    if state == "absent":
        if not resource.params.get("wait", True):
            raise Busy(
                f"The {resource.kind} {resource.name()!r} is still being created (ticket {ticket['Id']}) "
                "and was not removed yet.",
                next_step="Run the task again later, or with wait: true.",
                ticket=ticket["Id"],
            )
        told = {"changed": True, key: None, "action": DELETE, "diff": {"before": known, "after": {}}}
    return {**told, "ticket": resource.ticket}


def reconcile_resource(resource: RestResource, key: str) -> Result:
    """Bring the resource to its state; ``key`` is its name in the result."""
    check_numbers(resource.params)
    state = resource.params["state"]
    current = resource.look()
    resource.search.name_references(current)
    resource.desired = resource.want(current) if state == "present" else {}
    resource.warn_of_untold(current)
    if resource.under_way is not None and (resource.task.check_mode or state == "absent"):
        return _result_under_way(resource, key, state, resource.under_way)
    outcome = reconcile(resource, resource.desired, state, check_mode=resource.task.check_mode)
    with contextlib.suppress(FcdError):  # the work is done, with or without these names
        resource.search.name_references(outcome.record, outcome.before, outcome.after)
    return {**result_of(key, outcome), "ticket": resource.ticket}


LOCK_WAIT = 600.0  # seconds for which another task may hold the lock


class WholeUpdates(RestResource):
    """A resource whose update sends all values.

    The service has no versions, so this is only safe between the tasks of one user on one host.
    """

    @contextlib.contextmanager
    def alone(self, current: Record) -> t.Iterator[None]:
        """Let no other task change the object while the block runs, and read it again. Raises Busy, OperationFailed."""
        number, task = current["id"], self.task
        what = f"{self.kind} {number}"
        wait = task.deadline.within(LOCK_WAIT, "wait for the lock")
        key = digest(task.settings["base_url"].rstrip("/"), self.kind, number)
        with file_lock(os.path.join(task.state_dir, "changes"), key, wait, what=what):
            self._current = self.search.by_id(number)
            if self._current is None:
                raise OperationFailed(
                    f"Changing {what}: it no longer exists.",
                    next_step="Something else removed it; run the task again.",
                    id=number,
                )
            self.search.name_references(self._current)
            yield
