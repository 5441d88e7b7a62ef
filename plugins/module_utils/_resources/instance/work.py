# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What has to be done for one machine: create it, change it, remove it, or wait until it is ready."""

from __future__ import annotations

import typing as t

from ..._core.errors import CannotDetermine, OperationFailed
from ..._engine.converge import Outcome
from ..._engine.jobs_together import Job, Seen
from ..._engine.plan import CREATE, DELETE, UPDATE, Plan, make_plan
from .record import FIELDS, Record, foretold, running, unsettled, without_later
from .steps import Change, Patient, Site, Ticket, locked, reached, ticket_ended, unlocked
from .wanted import DISK_FIELDS, NOT_READABLE, Wanted, comparable, with_system_disk


class Work:
    """The way of one machine to its state; ``ticket`` is the number of the last operation that was started."""

    def __init__(self, site: Site, name: str, wanted: Wanted) -> None:
        self.site = site
        self.name = name
        self.wanted = wanted
        self.ticket: int | None = None

    def job(self, plan: Plan, current: Record | None) -> Job[Outcome]:
        """Return the steps for this plan."""
        if plan.action == CREATE:
            return self._created(plan)
        present = t.cast("Record", current)
        if plan.action == DELETE:
            return self._removed(plan, present)
        return self._brought(plan, present)

    # ---------------------------------------------------------------- create

    def _created(self, plan: Plan) -> Job[Outcome]:
        from .creation import InstanceCreation

        creation = InstanceCreation(self.site, plan.values)
        created = creation.once()
        found = created.record
        self._note(found["ticket"])
        if self.site.wait:
            yield Seen(f"Creating instance {self.name!r}")
            record = yield from self._ready(found)
            creation.forget()
        else:
            record = found["record"] or {**plan.values, "id": found["id"]}
        if created.by_us:
            record = self._told(plan, record)
            return Outcome(CREATE, record, {}, record)
        if found["record"] or self.site.wait:
            return (yield from self._compared(record))
        return Outcome(None, record, record, record)

    def _told(self, plan: Plan, record: Record) -> Record:
        """Add to a new machine what the service does not tell in it: the system disk, and what was only sent."""
        if self.site.wait:
            record = with_system_disk(self.site.api, self.wanted, record)
        return {**record, **{name: plan.values[name] for name in NOT_READABLE if name in plan.values}}

    def _ready(self, found: Record) -> Job[Record]:
        """Wait for the ticket, then until the machine runs and is not locked."""
        what, number = f"Creating instance {self.name!r}", found["id"]
        if found["ticket"]:
            ended = yield from ticket_ended(self.site, found["ticket"], what)
            number = (ended or {}).get("ObjectId") or number
        if number is None:
            number = (yield from self._listed(what))["id"]
        return (yield from self._there(number, running, what))

    def _listed(self, what: str) -> Job[Record]:
        """Look for a new machine by its name, since its ticket does not lead to it."""
        clock = self.site.task.clock
        end, patient = clock.now() + self.site.grace, Patient(self.site)
        while True:
            record = patient.read(lambda: self.site.search.by_name(self.name), None)
            if record is not None:
                return record
            if clock.now() >= end:
                raise CannotDetermine(
                    f"{what}: ticket {self.ticket} leads to no machine and none of that name is listed.",
                    next_step="Run the task again later; it looks for the machine before it creates anything.",
                    ticket=self.ticket,
                )
            yield Seen(what, "looking for it by name")

    # ---------------------------------------------------------------- change

    def _brought(self, plan: Plan, current: Record) -> Job[Outcome]:
        """Change the machine; where another operation runs on it, let that end and look again what differs."""
        if not unsettled(current):
            return (yield from self._changed(plan, current))
        ready = unlocked if plan.changed and not self.site.wait else settled
        record = yield from self._there(current["id"], ready, f"Waiting for instance {self.name!r}")
        return (yield from self._compared(record))

    def _compared(self, record: Record) -> Job[Outcome]:
        record = with_system_disk(self.site.api, self.wanted, record)
        wanted = comparable(self.wanted, record, self.site.task.warn)
        plan = make_plan(FIELDS, wanted, record, "present", kind="instance")
        return (yield from self._changed(plan, record))

    def _changed(self, plan: Plan, current: Record) -> Job[Outcome]:
        if not plan.changed:
            return Outcome(None, current, plan.before, plan.after)
        record, left = current, [name for name in ("type", "name") if name in plan.values]
        while left:
            name = left.pop(0)
            ticket = yield from self._sent_change(name, current["id"], plan.values[name])
            if not left and not self.site.wait:
                after = foretold(plan)
                return Outcome(UPDATE, without_later(after), plan.before, after)
            record = yield from self._change_done(ticket, current["id"], f"Changing {name} of instance {self.name!r}")
        kept = {name: current[name] for name in DISK_FIELDS if name in current}
        return Outcome(UPDATE, {**record, **kept}, plan.before, {**record, **kept})

    def _sent_change(self, name: str, number: int, value: t.Any) -> Job[Ticket | None]:
        api, what = self.site.api, f"Changing {name} of instance {self.name!r}"
        if name == "name":
            change = Change(self.site, number, lambda: api.change_name(number, value), _has("name", value), what)
        else:
            type_id = value["id"]
            has_type = _has_item("type", type_id)
            change = Change(self.site, number, lambda: api.change_type(number, type_id), has_type, what)
        ticket = yield from change.sent()
        self._note(ticket)
        return ticket

    def _change_done(self, ticket: Ticket | None, number: int, what: str) -> Job[Record]:
        if ticket is not None:
            yield from ticket_ended(self.site, ticket, what)
        return (yield from self._there(number, unlocked, what))

    # ---------------------------------------------------------------- remove

    def _removed(self, plan: Plan, current: Record) -> Job[Outcome]:
        what, number = f"Removing instance {self.name!r}", current["id"]
        if locked(current) and (yield from reached(self.site, number, unlocked, what)) is None:
            return Outcome(None, None, {}, {})  # what ran on it was its removal

        def send() -> Ticket | None:
            return self.site.api.delete_instance(number, deep=self.site.delete_disks)

        ticket = yield from Change(self.site, number, send, _gone, what).sent()
        self._note(ticket)
        if self.site.wait:
            ended = None if ticket is None else (yield from ticket_ended(self.site, ticket, what))
            if ended is None:
                yield from reached(self.site, number, _gone, what)
        return Outcome(DELETE, None, plan.before, {})

    # ---------------------------------------------------------------- shared

    def _there(self, number: int, test: t.Callable[[Record], bool], what: str) -> Job[Record]:
        """Wait until the machine passes the test. A new one may be missing for the grace time, not longer."""
        clock = self.site.task.clock
        end = clock.now() + self.site.grace

        def over(seen: Record | None) -> bool:
            return clock.now() >= end if seen is None else test(seen)

        record = yield from reached(self.site, number, over, what)
        if record is None:
            raise OperationFailed(
                f"{what}: instance {number} is not there any more.",
                next_step="Something else removed it; run the task again.",
                id=number,
            )
        return record

    def _note(self, ticket: Ticket | None) -> None:
        if ticket is not None:
            self.ticket = ticket["Id"]


def settled(record: Record) -> bool:
    """Return whether the machine is made and no operation runs on it."""
    return not unsettled(record)


def _gone(record: Record | None) -> bool:
    return record is None


def _has(name: str, value: t.Any) -> t.Callable[[Record | None], bool]:
    return lambda record: record is not None and record.get(name) == value


def _has_item(name: str, number: int) -> t.Callable[[Record | None], bool]:
    return lambda record: record is not None and (record.get(name) or {}).get("id") == number
