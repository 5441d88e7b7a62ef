# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding REST objects: by name or ID, by the note and the ticket of a create that no list shows yet, and in lists.

What only a create needs is imported by the functions that create.
"""

from __future__ import annotations

import abc
import typing as t
from fnmatch import fnmatchcase

from .._connection.options import REST
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import Forbidden, NotFound
from .._core.text import number_in
from .._engine.create_once import note_of_create
from .api import Infrastructure, infrastructure
from .rest_client import Item
from .rest_records import (
    INSTANCE,
    Api,
    ReferenceNames,
    Row,
    check_not_empty,
    check_numbers,
    is_pattern,
    no_instance,
    single,
)

if t.TYPE_CHECKING:
    from .._engine.change import Ticket


class RestSearch(abc.ABC):
    """Finds objects of one kind by their name, which is not unique, or by their ID.

    ``kind`` is what a person calls one. ``describe`` makes the record of one. ``key`` is the attribute that serves as
    the name, and ``member`` is that of the service. ``queries`` says that the list takes a free-text filter.
    ``references`` are the attributes of a record that refer to something whose name the service does not include.
    """

    kind: str
    describe: t.Callable[[Api], Row]
    key = "name"
    member = "Name"
    queries = False
    references: t.Sequence[str] = ()

    def __init__(self, api: Infrastructure) -> None:
        self.api = api
        self.names = ReferenceNames(api)
        self.removed: set[int] = set()  # by this task; a list may show them for a while
        self.instance_names: t.Collection[str | None] = ()  # as far as they were listed when one was looked for

    @abc.abstractmethod
    def list_items(self, **filters: t.Any) -> list[Item]:
        """Return them as the service lists them."""

    @abc.abstractmethod
    def read(self, number: int) -> Item:
        """Return one as the service has it. Raises Forbidden or NotFound."""

    def name_references(self, *records: Row | None) -> None:
        """Set the labels of what these records refer to, in place; what cannot be named keeps None."""
        self.names.fill([record for record in records if record], *self.references)

    def by_name(self, name: str) -> Row | None:
        """Return the one with exactly this name, or None. Raises Ambiguous.

        The filter is described as free text and no more, so what it does not find only counts as missing after the
        whole list was read.
        """
        found = self.match(name, self.list_items(query=name)) if self.queries else []
        return single(self.kind, self.key, name, found or self.match(name, self.list_items()))

    def by_id(self, number: int) -> Row | None:
        """Return the one with this ID, or None.

        The answer is 403 for missing objects and for missing rights (wire-facts section 2.1); the list tells these
        apart. Raises Forbidden.
        """
        try:
            return self.describe(self.read(number))
        except (Forbidden, NotFound):
            if any(item.get("Id") == number for item in self.list_items()):
                raise
            return None

    def has_name(self, record: Row, name: str) -> bool:
        """Return whether a record that a create has left is still the one of that name."""
        return bool(record[self.key] == name)

    def match(self, name: str, items: t.Iterable[Item], *, wild: bool = False) -> list[Row]:
        """Return the records of those with exactly this name; with ``wild``, also of those that match the pattern."""
        names = ((item, item.get(self.member)) for item in items)
        found = [item for item, own in names if own == name or (wild and fnmatchcase(str(own), name))]
        return [record for record in map(self.describe, found) if record["id"] not in self.removed]

    def select(self, params: Params, **filters: t.Any) -> list[Row]:
        """Return the records that the options of a reader select: ``id``, ``instance``, ``query``, and the name."""
        if params.get("id") is not None:
            record = self.by_id(params["id"])
            return [] if record is None else [record]
        if params.get("instance") is not None:
            filters["instance_id"] = instance_of(self, params["instance"], "instance")["id"]
        if params.get("query") is not None:
            filters["query"] = params["query"]
        name = params.get(self.key)
        if name is None:
            return [self.describe(item) for item in self.list_items(**filters)]
        wild = is_pattern(name)  # the service does not support wildcards
        queried = self.queries and not wild
        found = self.match(name, self.list_items(**filters, query=name)) if queried else []
        return found or self.match(name, self.list_items(**filters), wild=wild)


# ---------------------------------------------------------------- instances, by ID or name


def instance_of(search: RestSearch, given: object, option: str, present: t.Sequence[Row] = ()) -> Row:
    """Return ``{id, label}`` for an instance, given by ID or name; one of ``present`` costs no request.

    Raises InvalidInput if there is none, Ambiguous if several have the name.
    """
    text = str(given).strip()
    for one in present:
        if text in (str(one["id"]), one["label"]):
            return one
    record = required_instance(search, text, option)
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


# ---------------------------------------------------------------- what a create has left


class RequestedObject(t.NamedTuple):
    """What is known of an object that was requested: its ID, the ticket that creates it, and its current state."""

    id: int | None = None
    ticket: Ticket | None = None
    record: Row | None = None


class CreateTrace:
    """Where the note of one create leads. ``identity`` (service, account, kind, name) identifies the object."""

    def __init__(self, task: Task, search: RestSearch, identity: t.Sequence[object], name: str) -> None:
        self.identity = identity
        self.note = note_of_create(task, identity)
        self._search = search
        self._name = name

    def find(self) -> RequestedObject | None:
        """Return what the note leads to, if that still exists or is still being created."""
        facts = self.note.lead()
        if facts is None:
            return None
        found = self.find_by_facts(facts)
        if found is None and "id" in facts:  # it was created, and is gone; a ticket says less: lists may lag behind it
            self.note.clear_lead(facts)
        return found

    def find_by_facts(self, facts: t.Mapping[str, t.Any]) -> RequestedObject | None:
        """Return what a note with these facts leads to."""
        if "id" in facts:
            return self._find_by_id(facts["id"], None)
        ticket = self.read_ticket(facts)
        return None if ticket is None else self.find_by_ticket(ticket)

    def read_ticket(self, facts: t.Mapping[str, t.Any]) -> Ticket | None:
        """Return the ticket that a note names, if the service has it."""
        if "ticket" not in facts:
            return None
        try:
            return self._search.api.get_ticket(facts["ticket"])
        except NotFound:
            return None

    def find_by_ticket(self, ticket: Ticket) -> RequestedObject | None:
        """Return what a ticket creates or has created.

        At the start of a create it names no object (wire-facts 5.3), at its end perhaps the source of the object.
        """
        from .._engine.change import FAILED, SUCCEEDED, status_of_ticket

        status, number = status_of_ticket(ticket), ticket.get("ObjectId")
        if status == FAILED:
            return None
        found = None if number is None else self._find_by_id(number, ticket)
        return found or (None if status == SUCCEEDED else RequestedObject(ticket=ticket))

    def _find_by_id(self, number: int, ticket: Ticket | None) -> RequestedObject | None:
        record = self._search.by_id(number)
        if record is None or not self._search.has_name(record, self._name):
            return None
        return RequestedObject(number, ticket, record)


# ---------------------------------------------------------------- readers


def rest_reader(
    name: str,
    key: str,
    search: t.Callable[[Infrastructure, Params], RestSearch],
    options: t.Mapping[str, dict[str, t.Any]],
    rules: t.Mapping[str, object],
    filters: t.Callable[[Params], dict[str, t.Any]] = lambda _params: {},
) -> Operation:
    """Return the operation of a module that reads objects of one kind; ``key`` is the name of the list in the result.

    The service selects by the options ``instance`` and ``query``, if there are any, and by the result of ``filters``.
    """
    own = {"id": {"type": "int"}, **options}

    def run(task: Task, params: Params) -> Result:
        check_not_empty(params, *(option for option in params if option in own))
        check_numbers(params)
        finder = search(infrastructure(task), params)
        found = finder.select(params, **filters(params))
        finder.name_references(*found)
        result: Result = {"changed": False, key: found}
        number = params.get("id")
        return result if number is None else {**result, "missing": [] if found else [number]}

    return Operation(name, (REST,), own, run, rules)
