# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changing and removing a REST resource: its requests, and the waits for what they lock, change and list."""

from __future__ import annotations

import typing as t
from functools import partial

from .._engine.change import (
    Change,
    ChangeContext,
    Listing,
    Send,
    Test,
    Ticket,
    is_locked,
    make_changes,
    wait_and_check_duplicates,
    wait_for_list,
)
from .._engine.plan import Record

if t.TYPE_CHECKING:
    from .instance.instance_records import InstanceSearch
    from .rest_records import RestSearch, Row
    from .rest_resource import RestResource


def update_resource(resource: RestResource, current: Row, changes: Record) -> Row:
    """Change it and return it as it is then."""
    record = _make(resource, resource.updates(current, changes))
    return {**current, **changes} if record is None else wait_until_listed(resource, record, changes, "Changing")


def remove_resource(resource: RestResource, current: Row) -> None:
    """Remove it, and forget what its create has left."""
    _make(resource, resource.removals(current))
    resource.search.removed.add(current["id"])
    resource.trace(resource.name_of(current)).note.clear_lead()


def _make(resource: RestResource, changes: t.Sequence[Change]) -> Row | None:
    return resource.run_job(make_changes(changes, resource.note_ticket))


def wait_until_listed(resource: RestResource, record: Row, names: t.Collection[str], what: str) -> Row:
    """Return the record once a list shows these values of it: other tasks find the object there.

    Raises Ambiguous if it shows a duplicate of what this task has created.
    """
    read = partial(_read_listing, resource, record, names)
    what = f"{what} {resource.kind} {resource.name_of(record)!r}"
    if not resource.is_new:
        resource.run_job(wait_for_list(resource.context, lambda: read().is_current, what))
    elif resource.run_job(wait_and_check_duplicates(resource.context, read, record["id"], what)):
        resource.trace(resource.name_of(record)).note.remove()
    return record


def _read_listing(resource: RestResource, record: Row, names: t.Collection[str]) -> Listing:
    """Return whether a list shows these values of an object, and possible duplicates that were created with it.

    The whole list is only read if a filter does not find the object.
    """
    search, seen = resource.search, Listing(is_current=False, duplicates={})
    for filtered in [{"query": record[search.key]}, {}] if search.queries else [{}]:
        items = search.list_items(**filtered)
        found = [search.describe(item) for item in items if item.get("Id") == record["id"]]
        shows = any(all(one.get(name) == record.get(name) for name in names) for one in found)
        seen = Listing(shows, resource.find_duplicates(record, items))
        if shows:
            break
    return seen


# ---------------------------------------------------------------- requests


def change_of(
    resource: RestResource,
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
    context: ChangeContext = resource.context
    if instances:
        context = context._replace(reader=WithInstances(resource.search, instances))
    return Change(context, current["id"], what, send, is_done, kind=resource.kind, removes=removes)


def removal_of(
    resource: RestResource,
    current: Record,
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
    resource: RestResource, current: Record, attach: t.Callable[[int, int], Ticket], owner: int
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
    resource: RestResource,
    current: Record,
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


def owners(record: Record) -> set[int]:
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

    def by_id(self, number: int) -> Row | None:
        """Return the object, or None."""
        record = self._search.by_id(number)
        if record is None:
            return None
        busy = any(is_locked(self._instances.by_id(one)) for one in self._numbers)
        return {**record, "is_locked": True} if busy else record


def instances_of(search: RestSearch) -> InstanceSearch:
    """Return what finds instances."""
    from .instance.instance_records import InstanceSearch  # most kinds have nothing to do with instances

    return InstanceSearch(search.api)
