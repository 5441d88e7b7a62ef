# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating parts, and waiting for what the service makes of them."""

from __future__ import annotations

import typing as t

from ..._core.errors import CannotDetermine, Conflict
from ..._engine.change import (
    ATTEMPTS,
    ChangeContext,
    Ticket,
    appeared,
    locked,
    looked_for,
    reached,
    ticket_ended,
    unlocked,
)
from ..._engine.converge import Created
from ..._engine.scheduler import Job, Progress
from ..instance.search import Search
from .creation import PartCreation
from .search import PartSearch, Record

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

Note = t.Callable[[Ticket], None]


class Watched:
    """Reads a part together with instances: it counts as locked while one of them is."""

    def __init__(self, search: PartSearch, holders: t.Sequence[int]) -> None:
        self.api = search.api
        self._search = search
        self._holders = holders
        self._instances = Search(search.api)

    def by_id(self, number: int) -> Record | None:
        """Return the part, or None."""
        record = self._search.by_id(number)
        if record is None:
            return None
        busy = any(locked(self._instances.by_id(one)) for one in self._holders)
        return {**record, "is_locked": True} if busy else record


def is_listed(search: PartSearch, record: Record, names: t.Collection[str]) -> bool:
    """Return whether a list shows these values of a part; the whole list only where a filter does not find it."""
    filters = [{"query": record[search.key]}, {}] if search.queries else [{}]
    for filtered in filters:
        found = [search.described(item) for item in search.listed(**filtered) if item.get("Id") == record["id"]]
        if any(all(one.get(name) == record.get(name) for name in names) for one in found):
            return True
    return False


def made(context: ChangeContext, creation: PartCreation, note: Note, holders: t.Sequence[int] = ()) -> Job[Created]:
    """Create a part exactly once, and wait for it; the record is None when it is only started."""
    what = f"Creating {creation.search.kind} {creation.name!r}"
    created = yield from _requested(context, creation, what, holders)
    number, ticket, record = (created.record[name] for name in ("id", "ticket", "record"))
    if created.by_us:
        context.begun(ticket)
    if ticket is not None:
        note(ticket)
    if context.wait and (ticket is not None or record is None):
        yield Progress(what)
        ended = None if ticket is None else (yield from ticket_ended(context, ticket, what))
        number = creation.number_of(ended) or creation.number_of({"ObjectId": number})
        record = yield from _seen(context, creation, number, what, holders)
    elif context.wait and locked(record):
        record = yield from appeared(context, number, unlocked, what, creation.search.kind)
    return Created({"id": number, "record": record}, created.by_us)


def _requested(context: ChangeContext, creation: PartCreation, what: str, holders: t.Sequence[int]) -> Job[Created]:
    """Send the create once; a refusal because an instance is locked did nothing, so the lock is waited for."""
    refusals = 0
    while True:
        try:
            return creation.once(context.grace)
        except Conflict:
            refusals += 1
            if not holders or refusals > ATTEMPTS:
                raise
            yield Progress(what, "waits for another operation")
            if (yield from _unlocked(context, creation.search.api, holders, what)):
                refusals = 1


def _unlocked(context: ChangeContext, api: Infrastructure, holders: t.Sequence[int], what: str) -> Job[bool]:
    """Wait until the instances are free; return whether one of them was not."""
    instances = Search(api)
    here, waited = context._replace(reader=instances), False
    for number in holders:
        if locked(instances.by_id(number)):
            waited = True
            yield from reached(here, number, unlocked, what)
    return waited


def _seen(
    context: ChangeContext, creation: PartCreation, number: int | None, what: str, holders: t.Sequence[int]
) -> Job[Record]:
    """Return the new part; where its ticket names no object, it is looked for in every way, for the grace time."""
    kind = creation.search.kind
    if number is not None:
        creation.trace.write(id=number)
        return (yield from appeared(context, number, unlocked, what, kind))
    yield from _unlocked(context, creation.search.api, holders, what)

    def find() -> Record | None:
        return (creation.find() or {}).get("record")

    def missing() -> CannotDetermine:
        return CannotDetermine(
            f"{what}: the service tells no number for it, and none of that name is listed.",
            next_step="Run the task again later; it looks for it before it creates anything.",
        )

    record = yield from looked_for(context, find, missing, what)
    return (yield from appeared(context, record["id"], unlocked, what, kind)) if locked(record) else record
