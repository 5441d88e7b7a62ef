# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changing and removing a REST resource: its requests, and the waits for what they lock, change and list."""

from __future__ import annotations

import contextlib
import typing as t
from functools import partial

from .._core.errors import FcdError
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import (
    Change,
    ChangeContext,
    Listing,
    Send,
    Test,
    Ticket,
    is_locked,
    make_changes,
    not_made,
    wait_and_check_duplicates,
    wait_for_list,
)
from .._engine.scheduler import Job
from .declared_object import DeclaredObject
from .instance.instance_records import InstanceSearch
from .rest_records import RestSearch


def update_resource(resource: DeclaredObject, current: JsonObject, changes: JsonMapping) -> Job[JsonObject | None]:
    """Change it and return it as it is then, None if the last change is only started."""
    resource.search.api.confirm(current["id"], changes)
    record = yield from make_changes(resource.updates(current, changes), resource.note_ticket)
    if record is not None:
        resource.warn_of_unknown(record, changes)
        yield from wait_until_listed(resource, record, changes)
    return record


def remove_resource(resource: DeclaredObject, current: JsonObject) -> Job[None]:
    """Remove it unless that was done before, and forget what its create has left."""
    number = current["id"]
    if number not in resource.search.ignored:
        resource.search.api.confirm(number)
        yield from make_changes(resource.removals(current), resource.note_ticket)
        resource.search.ignored.add(number)
    resource.may_replace = False  # or two tasks would remove each other's object
    resource.trace(resource.name_of(current)).forget(number, is_named=bool(resource.object_type))


def wait_until_listed(resource: DeclaredObject, record: JsonObject, names: t.Collection[str] = ()) -> Job[None]:
    """Wait until a list shows these values of an object, as far as lists show them: other tasks find it there.

    Raises Ambiguous if it shows a duplicate of what this task has created, OperationFailed if that is nowhere.
    """
    names = {*names, resource.search.key} if resource.is_new else names  # a new row may come before its name
    read = partial(_read_listing, resource, record, names)
    what = f"{'Creating' if resource.is_new else 'Changing'} {resource.kind} {resource.name_of(record)!r}"
    context = resource.context
    if not resource.is_new:
        if resource.search.list_shows(names):
            yield from wait_for_list(context, lambda: read().is_current, what)
        return
    if (yield from wait_and_check_duplicates(context, read, record["id"], what, resource.create_seconds)):
        resource.trace(resource.name_of(record)).note.keep(record["id"])
        return
    seen: JsonObject | None = record
    with contextlib.suppress(FcdError):  # perhaps only lists may be read
        seen = resource.search.by_id(record["id"])
    if seen is None:
        raise not_made(what, resource.kind, record["id"])


def _read_listing(resource: DeclaredObject, record: JsonObject, names: t.Collection[str]) -> Listing:
    """Return whether a list shows these values of an object, and possible duplicates that were created with it.

    The whole list is only read if a filter does not find the object.
    """
    search, seen = resource.search, Listing(is_current=False, duplicates={})
    for items in search.listings(record[search.key]):
        found = [search.describe(item) for item in items if item.get("Id") == record["id"]]
        shown = [name for name in names if found and name in found[0]]
        shows = any(all(same_value(one[name], record.get(name)) for name in shown) for one in found)
        seen = Listing(shows, resource.find_duplicates(record, items))
        if shows:
            break
    return seen


def same_value(one: t.Any, other: t.Any) -> bool:
    """Return whether two values are the same; one of two items may have no label."""
    if isinstance(one, dict) and isinstance(other, dict) and "id" in one:
        return bool(one["id"] == other.get("id"))
    return bool(one == other)


# ---------------------------------------------------------------- requests


def change_of(
    resource: DeclaredObject,
    current: JsonMapping,
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
    context: ChangeContext = resource.context
    if instances:
        context = context._replace(reader=WithInstances(resource.search, instances))
    return Change(context, current["id"], what, send, is_done, kind=resource.kind, removes=removes)


def removal_of(
    resource: DeclaredObject,
    current: JsonMapping,
    remove: t.Callable[[int], t.Optional[Ticket]],
    instances: t.Sequence[int] = (),
    doing: str = "Removing",
) -> Change:
    """Return the request that removes the object; ``remove`` takes its ID."""
    what = f"{doing} {resource.title(current)}"
    return change_of(
        resource, current, what, lambda: remove(current["id"]), lambda record: record is None, instances, removes=True
    )


def attachment_of(
    resource: DeclaredObject, current: JsonMapping, attach: t.Callable[[int, int], Ticket], owner: int
) -> Change:
    """Return the request that attaches the object to an instance; ``attach`` takes both IDs."""
    return change_of(
        resource,
        current,
        f"Attaching {resource.title(current)} to instance {owner}",
        lambda: attach(current["id"], owner),
        lambda record: record is not None and owner in owners(record),
        [owner],
    )


def detachment_of(
    resource: DeclaredObject,
    current: JsonMapping,
    detach: t.Callable[[int, int], Ticket],
    owner: int,
    *,
    may_go: bool = False,
) -> Change:
    """Return the request that detaches the object from an instance; with ``may_go``, this may remove it."""
    return change_of(
        resource,
        current,
        f"Detaching {resource.title(current)} from instance {owner}",
        lambda: detach(current["id"], owner),
        lambda record: may_go if record is None else owner not in owners(record),
        [owner],
    )


def owners(record: JsonMapping) -> set[int]:
    """Return the IDs of the instances that, according to the record, it is attached to."""
    instances = record["instances"] if "instances" in record else [record["instance"]]
    return {one["id"] for one in instances if one is not None and one["id"] is not None}


class WithInstances:
    """Reads an object together with instances: it counts as locked while one of them is."""

    def __init__(self, search: RestSearch, instances: t.Sequence[int]) -> None:
        self.api = search.api
        self._search = search
        self._numbers = instances
        self._instances = instances_of(search)

    def by_id(self, number: int) -> JsonObject | None:
        """Return the object, or None."""
        record = self._search.by_id(number)
        if record is None:
            return None
        busy = any(is_locked(self._instances.by_id(one)) for one in self._numbers)
        return {**record, "is_locked": True} if busy else record


def instances_of(search: RestSearch) -> InstanceSearch:
    """Return what finds instances."""
    return InstanceSearch(search.api)
