# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps by which a part is made, changed and removed, each of which may have to wait."""

from __future__ import annotations

import typing as t

from ..._core.errors import CannotDetermine, Conflict, OperationFailed, Rejected
from ..._engine.converge import Created
from ..._engine.scheduler import Job, Progress
from ..instance.search import Search
from ..instance.steps import (
    ATTEMPTS,
    Change,
    Patient,
    Site,
    Ticket,
    begun,
    locked,
    lost,
    patience,
    reached,
    shown,
    ticket_ended,
    unlocked,
)
from .creation import PartCreation
from .search import PartSearch, Record

Test = t.Callable[[t.Optional[Record]], bool]
Note = t.Callable[[Ticket], None]


class Step(t.NamedTuple):
    """One request that changes a part, so that a second one of the kind would be harmless.

    ``arrived`` tells whether the part, None when it is gone, has what it brings. ``holders`` are instances that are
    locked meanwhile, and that must not be locked. ``removes`` says that afterwards the part is gone.
    """

    what: str
    send: t.Callable[[], t.Optional[Ticket]]
    arrived: Test
    holders: t.Sequence[int] = ()
    removes: bool = False


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


def part_search(site: Site) -> PartSearch:
    """Return what finds the parts; a site knows it as a search, which it is for all that the steps need."""
    return t.cast("PartSearch", site.search)


def carried_out(site: Site, number: int, steps: t.Sequence[Step], note: Note) -> Job[Record | None]:
    """Carry out the steps one after the other and return the part as it is then.

    Without waiting, the last one is only started, and None is returned. Raises OperationFailed.
    """
    record = None
    for place, step in enumerate(steps):
        here = _at(site, step.holders)
        ticket = yield from _sent(here, number, step)
        if ticket is not None:
            note(ticket)
            if not site.wait and place == len(steps) - 1:
                return None
        record = yield from _ended(here, number, step, ticket)
    return record


def relisted(site: Site, record: Record, names: t.Collection[str], what: str) -> Job[None]:
    """Wait until a list shows these values of a new or changed part, so that no later task misses them.

    A list may lag behind for the grace time.
    """
    clock, patient = site.task.clock, Patient(site)
    end = clock.now() + patience(site)
    while clock.now() < end:
        if patient.read(lambda: _listed(part_search(site), record, names), None):
            return
        yield Progress(what, "the list shows the old state")


def _listed(search: PartSearch, record: Record, names: t.Collection[str]) -> bool:
    """Return whether a list shows these values of a part; the whole list only where a filter does not find it."""
    filters = [{"query": record[search.key]}, {}] if search.queries else [{}]
    for filtered in filters:
        found = [search.described(item) for item in search.listed(**filtered) if item.get("Id") == record["id"]]
        if any(all(one.get(name) == record.get(name) for name in names) for one in found):
            return True
    return False


def made(site: Site, creation: PartCreation, note: Note, holders: t.Sequence[int] = ()) -> Job[Created]:
    """Create a part exactly once, and wait for it; the record is None when it is only started."""
    what = f"Creating {creation.search.kind} {creation.name!r}"
    created = yield from _requested(site, creation, what, holders)
    number, ticket, record = (created.record[name] for name in ("id", "ticket", "record"))
    if created.by_us:
        begun(site, ticket)
    if ticket is not None:
        note(ticket)
    if site.wait and (ticket is not None or record is None):
        yield Progress(what)
        ended = None if ticket is None else (yield from ticket_ended(site, ticket, what))
        number = creation.number_of(ended) or creation.number_of({"ObjectId": number})
        record = yield from _seen(site, creation, number, what, holders)
    elif site.wait and locked(record):
        record = yield from _there(site, number, what)
    return Created({"id": number, "record": record}, created.by_us)


def free(site: Site, number: int, what: str) -> Job[Record | None]:
    """Wait until no operation runs on a part; None when it is gone then."""
    return (yield from reached(site, number, unlocked, what))


def _at(site: Site, holders: t.Sequence[int]) -> Site:
    if not holders:
        return site
    return site._replace(search=t.cast("Search", Watched(part_search(site), holders)))


def _sent(site: Site, number: int, step: Step) -> Job[Ticket | None]:
    try:
        return (yield from Change(site, number, step.send, step.arrived, step.what).sent())
    except Rejected as refusal:
        if site.search.by_id(number) is None:
            if step.removes:
                return None
            raise _gone(step.what, number) from refusal
        raise


def _ended(site: Site, number: int, step: Step, ticket: Ticket | None) -> Job[Record | None]:
    """Wait until the step is done. What the part shows may come later than the end of the ticket, by the grace time.

    A ticket that vanishes is replaced by what the part shows.
    """
    ended = None if ticket is None else (yield from ticket_ended(site, ticket, step.what))
    vanished = ticket if ended is None else None
    if step.removes and vanished is None:
        return None
    clock = site.task.clock
    end = clock.now() + site.grace

    def over(seen: Record | None) -> bool:
        return seen is None or (unlocked(seen) and (step.arrived(seen) or clock.now() >= end))

    record = yield from reached(site, number, over, step.what)
    if record is None and not step.arrived(None):
        raise _gone(step.what, number)
    if vanished is not None and not step.arrived(record):
        raise lost(site, step.what, vanished)
    return record


def _requested(site: Site, creation: PartCreation, what: str, holders: t.Sequence[int]) -> Job[Created]:
    """Send the create once; a refusal because an instance is locked did nothing, so the lock is waited for."""
    refusals = 0
    while True:
        try:
            return creation.once(site.grace)
        except Conflict:
            refusals += 1
            if not holders or refusals > ATTEMPTS:
                raise
            yield Progress(what, "waits for another operation")
            if (yield from _unlocked(site, holders, what)):
                refusals = 1


def _unlocked(site: Site, holders: t.Sequence[int], what: str) -> Job[bool]:
    """Wait until the instances are free; return whether one of them was not."""
    instances = Search(site.api)
    here, waited = site._replace(search=instances), False
    for number in holders:
        if locked(instances.by_id(number)):
            waited = True
            yield from reached(here, number, unlocked, what)
    return waited


def _seen(site: Site, creation: PartCreation, number: int | None, what: str, holders: t.Sequence[int]) -> Job[Record]:
    """Return the new part; where its ticket names no object, it is looked for in every way, for the grace time."""
    if number is not None:
        creation.trace.write(id=number)
        return (yield from _there(site, number, what))
    yield from _unlocked(site, holders, what)
    clock = site.task.clock
    end = clock.now() + site.grace
    while True:
        record = (creation.find() or {}).get("record")
        if record is not None:
            return (yield from _there(site, record["id"], what)) if locked(record) else record
        if clock.now() >= end:
            raise CannotDetermine(
                f"{what}: the service tells no number for it, and none of that name is listed.",
                next_step="Run the task again later; it looks for it before it creates anything.",
            )
        yield Progress(what, "looking for it by name")


def _there(site: Site, number: int, what: str) -> Job[Record]:
    """Wait until the new part can be read and no operation runs on it; it may be missing for the grace time."""
    record = yield from shown(site, number, unlocked, what)
    if record is None:
        raise _gone(what, number)
    return record


def _gone(what: str, number: int) -> OperationFailed:
    return OperationFailed(
        f"{what}: number {number} is not there any more.",
        next_step="Something else removed it; run the task again.",
        id=number,
    )
