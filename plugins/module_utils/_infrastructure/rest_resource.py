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
from functools import cached_property, partial

from .._connection.options import REST, OptionSpecs
from .._connection.task import Operation, Params, Result, Task, result_of
from .._core.errors import Busy, FcdError, InvalidInput, OperationFailed
from .._core.text import number_in
from .._engine.create_once import identity_of
from .._engine.plan import DELETE, Created, Fields, Record, make_plan, reconcile
from .api import Infrastructure, infrastructure
from .rest_client import Item
from .rest_records import (
    INSTANCE,
    CreateTrace,
    RequestedObject,
    RestSearch,
    Row,
    check_not_empty,
    check_numbers,
    is_pattern,
    no_instance,
)

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

    ``set_after_create`` are the fields that a create does not take. ``object_type`` is the item of dictionary 42 in the
    ticket of a create, zero if no number is known for the kind, None if a create is done at once.
    """

    fields: Fields
    set_after_create: t.Sequence[str] = ()
    object_type: int | None = None
    may_replace = False

    def __init__(self, task: Task, search: RestSearch, params: Params) -> None:
        self.task = task
        self.search = search
        self.params = params
        self.kind = search.kind
        self.name: str | None = params.get(search.key)
        self.ticket: int | None = None
        self.ticket_in_progress: Ticket | None = None
        self.desired: Row = {}
        self._current: Row | None = None
        self._created = False
        self._may_wait = bool(params.get("wait", True)) and not task.check_mode

    # ---------------------------------------------------------------- what a kind defines

    @abc.abstractmethod
    def desired_values(self, current: Row | None) -> Row:
        """Return the desired values. Raises InvalidInput for what a create lacks."""

    @abc.abstractmethod
    def create_request(self, values: Record) -> t.Callable[[], Item]:
        """Return what sends the create with these values, and returns the ticket or what was created at once."""

    def updates(self, current: Row, changes: Record) -> list[Change]:
        """Return the requests that change the object; none for a kind that is only replaced."""
        del current, changes
        return []

    @abc.abstractmethod
    def removals(self, current: Row) -> list[Change]:
        """Return the requests that remove the object, in order."""

    def locked_instances(self) -> t.Sequence[int]:
        """Return the instances that a create locks."""
        return ()

    def scope(self) -> tuple[object, ...]:
        """Return what a name is unique within, as far as this module is concerned."""
        return ()

    def title(self, record: Record) -> str:
        """Return the name of an existing object in messages."""
        return f"{self.kind} {self.name_of(record)!r}"

    # ---------------------------------------------------------------- what a kind defines for its creates

    def facts_before_create(self) -> dict[str, object]:
        """Return what is noted before a create is sent, to find the new object by."""
        return {}

    def find_duplicates(self, record: Row, listed: t.Sequence[Item]) -> dict[int, str]:
        """Return possible duplicates of what this task has created, as a mapping of IDs to descriptions."""
        found = self.search.match(self.name_of(record), listed)
        return {one["id"]: "" for one in found if one["id"] != record["id"]}

    def require_no_duplicate(self, record: Row, lead: t.Mapping[str, object]) -> None:
        """Raise Ambiguous if there still is a duplicate of what an earlier task has created, according to its note."""
        del record, lead

    def complete(self, record: Row, values: Record) -> Row:
        """Return what was created at once, after the requests that complete it."""
        del values
        return record

    def find_leftover(self, facts: t.Mapping[str, object], values: Record) -> RequestedObject | None:
        """Return what an earlier create may have created, although no list, note or ticket shows it."""
        del facts, values
        return None

    # ---------------------------------------------------------------- for the engine

    def find(self, desired: Record) -> Row | None:
        """Return the object as it was found."""
        del desired
        return self._current

    def create(self, values: Record) -> Created:
        """Create it exactly once; what the create does not take is changed afterwards."""
        from .rest_creation import RestCreation, create_and_wait

        more = any(values.get(name) for name in self.set_after_create)
        context = self.context._replace(wait=True) if more else self.context
        created = self.run_job(create_and_wait(context, RestCreation(self, values)))
        record = created.record["record"]
        if record is None:
            return Created({**values, "id": created.record["id"]}, created.by_us)
        if created.by_us:
            self._created = True
            plan = make_plan(self.fields, self.desired, record, "present", kind=self.kind)
            record = self.update(record, plan.values) if plan.changed else self._wait_for_list(record, (), "Creating")
        return Created(record, created.by_us)

    def update(self, current: Record, changes: Record) -> Row:
        """Change it and return it as it is then."""
        present = dict(current)
        record = self._make(self.updates(present, changes))
        return {**present, **changes} if record is None else self._wait_for_list(record, changes, "Changing")

    def delete(self, current: Record) -> None:
        """Remove it."""
        present = dict(current)
        self._make(self.removals(present))
        self.search.removed.add(present["id"])
        self.trace(self.name_of(present)).note.clear_lead()

    # ---------------------------------------------------------------- for the kinds

    @cached_property
    def context(self) -> ChangeContext:
        """The context of the work; the time to wait begins with the first use."""
        from .._core.errors import ChangeTracker
        from .._engine.change import ChangeContext

        deadline = self.task.deadline.within(self.params.get("wait_timeout"), "wait")
        grace = self.params.get("create_grace") or 0.0
        wait = bool(self.params.get("wait", True))
        return ChangeContext(self.task, self.search, deadline, wait, grace, ChangeTracker())

    def run_job(self, job: Job[Value]) -> Value:
        """Run a job to its end."""
        from .._engine.change import run_to_end

        return run_to_end(self.context, job)

    def change(
        self,
        current: Record,
        what: str,
        send: Send,
        is_done: Test,
        instances: t.Sequence[int] = (),
        *,
        removes: bool = False,
    ) -> Change:
        """Return one request that changes the object; ``instances`` are locked in the meantime.

        ``is_done`` tells whether the object, None if it is gone, has the new value.
        """
        from .._engine.change import Change
        from .rest_creation import WithInstances

        context = self.context._replace(reader=WithInstances(self.search, instances)) if instances else self.context
        return Change(context, current["id"], what, send, is_done, kind=self.kind, removes=removes)

    def removal(
        self,
        current: Record,
        remove: t.Callable[[int], t.Optional[Ticket]],
        instances: t.Sequence[int] = (),
        doing: str = "Removing",
    ) -> Change:
        """Return the request that removes the object; ``remove`` takes its ID."""
        what = f"{doing} {self.title(current)}"
        return self.change(
            current, what, lambda: remove(current["id"]), lambda record: record is None, instances, removes=True
        )

    def attachment(self, current: Record, attach: t.Callable[[int, int], Ticket], owner: int) -> Change:
        """Return the request that attaches the object to an instance; ``attach`` takes both IDs."""
        return self.change(
            current,
            f"Attaching {self.title(current)} to instance {owner}",
            lambda: attach(current["id"], owner),
            lambda record: record is not None and owner in owners(record),
            [owner],
        )

    def detachment(
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

    def trace(self, name: str) -> CreateTrace:
        """Return the note that a create has left."""
        return CreateTrace(self.task, self.search, identity_of(self.task, self.kind, *self.scope(), name), name)

    def name_of(self, record: Record) -> str:
        """Return the name of an existing object."""
        return str(record[self.search.key])

    # ---------------------------------------------------------------- finding

    def find_current(self) -> Row | None:
        """Find the object; an operation that is running on it is waited for, unless waiting is not allowed."""
        self._current = current = self.locate()
        if current is not None and current.get("is_locked") and self._may_wait:
            from .._engine.change import is_unlocked, wait_for_object

            waiting = f"Waiting for {self.kind} {self.name or self.params.get('id')!r}"
            self._current = self.run_job(wait_for_object(self.context, current["id"], is_unlocked, waiting))
        return self._current

    def locate(self) -> Row | None:
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

    def _find_by_name(self, name: str) -> Row | None:
        record, trace = self.search.by_name(name), self.trace(name)
        if record is not None:
            self.require_no_duplicate(record, trace.note.lead() or {})
            trace.note.remove()
            return record
        found = trace.find()
        if found is None:
            return None
        if found.record is not None:
            # the create takes up one that was left unfinished, under its lock: another task may still be creating it
            half = self.params["state"] == "present" and self.name_of(found.record) != self.name
            return None if half else found.record
        if not self._may_wait:
            self.ticket_in_progress = found.ticket
            return None
        from .._engine.change import wait_for_ticket

        ticket = t.cast("Ticket", found.ticket)
        ended = self.run_job(wait_for_ticket(self.context, ticket, f"Creating {self.kind} {name!r}"))
        created = None if ended is None else trace.find_by_ticket(ended)
        return self.search.by_name(name) if created is None else created.record

    def busy_error(self, ticket: Ticket, done: str) -> Busy:
        """Return the error that the object, which an earlier task is creating, was not ``done`` yet."""
        return Busy(
            f"The {self.kind} {self.name!r} is still being created (ticket {ticket['Id']}) and was not {done} yet.",
            next_step="Run the task again later, or with wait: true.",
            ticket=ticket["Id"],
        )

    def warn_of_unknown(self, current: Row | None) -> None:
        """Warn of what cannot be compared because the service does not return it for the object."""
        compared = [field.name for field in self.fields if field.may_be_unknown and field.name in self.desired]
        unknown = [name for name in compared if current and current.get(name) is None]
        if current and unknown:
            title = f"{self.kind} {self.name_of(current)!r}"
            self.task.warn(f"The service does not return {', '.join(unknown)} of {title}: not compared.")

    # ---------------------------------------------------------------- changing

    def _make(self, changes: t.Sequence[Change]) -> Row | None:
        from .._engine.change import make_changes

        return self.run_job(make_changes(changes, self.note_ticket))

    def _wait_for_list(self, record: Row, names: t.Collection[str], what: str) -> Row:
        """Return the record once a list shows these values of it: other tasks find the object there.

        Raises Ambiguous if it shows a duplicate of what this task has created.
        """
        from .._engine.change import wait_and_check_duplicates, wait_for_list
        from .rest_creation import read_listing

        read = partial(read_listing, self, record, names)
        what = f"{what} {self.kind} {self.name_of(record)!r}"
        if not self._created:
            self.run_job(wait_for_list(self.context, lambda: read().is_current, what))
        elif self.run_job(wait_and_check_duplicates(self.context, read, record["id"], what)):
            self.trace(self.name_of(record)).note.remove()
        return record


class WholeUpdates(RestResource):
    """A resource whose update sends all values.

    The service has no versions, so this is only safe between the tasks of one user on one host.
    """

    @contextlib.contextmanager
    def lock(self, current: Record) -> t.Iterator[None]:
        """Let no other task change the object while the block runs, and read it again. Raises Busy, OperationFailed."""
        number, service = current["id"], self.task.settings["base_url"].rstrip("/")
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
        resource.warn_of_unknown(current)
    if resource.ticket_in_progress is not None and (resource.task.check_mode or state == "absent"):
        return _result_in_progress(resource, key, resource.ticket_in_progress)
    outcome = reconcile(resource, desired, state, check_mode=resource.task.check_mode)
    with contextlib.suppress(FcdError):  # the work is done, with or without these names
        search.name_references(outcome.record, outcome.before, outcome.after)
    return {**result_of(key, outcome), "ticket": resource.ticket}


def _result_in_progress(resource: RestResource, key: str, ticket: Ticket) -> Result:
    """Return the result for what an earlier task is creating. Raises Busy for a removal that cannot wait."""
    known = {"id": None, resource.search.key: resource.name, **resource.desired}
    removes = resource.params["state"] == "absent"
    if removes and not resource.params.get("wait", True):
        raise resource.busy_error(ticket, "removed")
    after = {} if removes else known
    return {
        "changed": removes,
        key: after or None,
        "action": DELETE if removes else "none",
        "diff": {"before": known, "after": after},
        "ticket": resource.ticket,
    }


# ---------------------------------------------------------------- instances, by ID or name


def instance_of(search: RestSearch, given: object, present: t.Sequence[Row] = ()) -> Row:
    """Return ``{id, label}`` for what the option instance gives, an ID or name; one of ``present`` costs no request.

    Raises InvalidInput if there is none, Ambiguous if several have the name.
    """
    text = str(given).strip()
    for one in present:
        if text in (str(one["id"]), one["label"]):
            return one
    record = required_instance(search, text, "instance")
    return {"id": record["id"], "label": record["name"]}


def required_instance(search: RestSearch, text: str, option: str) -> Row:
    """Return the record of an instance, given by ID or name; a new one may be missing from the list.

    Raises InvalidInput if there is none or it is still being created, Ambiguous if several have the name.
    """
    record = instance_if_any(search, text)
    if record is None:
        raise no_instance(text, option, search.instance_names)
    return record


def instance_if_any(search: RestSearch, text: str) -> Row | None:
    """Return the same, None if there is none."""
    from .instance.instance_records import InstanceSearch, only_instance

    instances, number, record = InstanceSearch(search.api), number_in(text), None
    if number is not None:
        record = instances.by_id(number)
    elif text:
        record = only_instance(text, instances.by_names([text])[text])
        search.instance_names = instances.listed
        if record is None:
            from .instance.instance_creation import unlisted

            record = unlisted(instances, text)
    if record is not None:
        search.names.know(INSTANCE, [{"Id": record["id"], "Name": record["name"]}])
    return record


# ---------------------------------------------------------------- readers


def rest_reader(
    name: str,
    key: str,
    search: t.Callable[[Infrastructure, Params], RestSearch],
    options: OptionSpecs,
    rules: t.Mapping[str, object],
    filters: t.Callable[[Params], Row] = lambda _params: {},
) -> Operation:
    """Return the operation of a module that reads objects of one kind; ``key`` is the name of the list in the result.

    The service selects by the options ``instance`` and ``query``, if there are any, and by the result of ``filters``.
    """
    own = {"id": {"type": "int"}, **options}

    def run(task: Task, params: Params) -> Result:
        check_not_empty(params, *(option for option in params if option in own))
        check_numbers(params)
        finder = search(infrastructure(task), params)
        found = _select(finder, params, filters(params))
        finder.name_references(*found)
        result: Result = {"changed": False, key: found}
        number = params.get("id")
        return result if number is None else {**result, "missing": [] if found else [number]}

    return Operation(name, (REST,), own, run, rules)


def _select(search: RestSearch, params: Params, filters: Row) -> list[Row]:
    """Return the records that the options of a reader select: ``id``, ``instance``, ``query``, and the name."""
    if params.get("id") is not None:
        record = search.by_id(params["id"])
        return [] if record is None else [record]
    if params.get("instance") is not None:
        filters["instance_id"] = instance_of(search, params["instance"])["id"]
    if params.get("query") is not None:
        filters["query"] = params["query"]
    name = params.get(search.key)
    if name is None:
        return [search.describe(item) for item in search.list_items(**filters)]
    wild = is_pattern(name)  # the service does not support wildcards
    queried = search.queries and not wild
    found = search.match(name, search.list_items(**filters, query=name)) if queried else []
    return found or search.match(name, search.list_items(**filters), wild=wild)
