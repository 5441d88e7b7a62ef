# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The requests that change an instance, in their order (wire-facts section 5.4).

An instance that is to be stopped is stopped first, and one that is to run is started last; its name changes late, so
that the old name leads to it as long as possible.
"""

from __future__ import annotations

import typing as t

from ..._core.clock import Deadline
from ..._core.errors import FcdError, Forbidden, OperationFailed, RateLimited, Rejected, Unauthorized, WaitTimeout
from ..._engine.change import Change, Send, Test, Ticket
from ..._engine.plan import Plan
from ..._engine.scheduler import Job
from ..rest_records import Row
from .instance_records import (
    DISK_FIELDS,
    POWERED_OFF,
    POWERED_ON,
    InstanceContext,
    WithBelongings,
    numbers_of_items,
    powered_off,
    status_of,
)

Note = t.Callable[[Ticket], None]
Value = t.TypeVar("Value")
CALLED = {"private_networks": "private network", "ip_addresses": "address"}
NOT_OF_THE_GUEST = (Forbidden, Unauthorized, RateLimited)
HINT = "With force_stop: true, the instance is turned off then, like pulling the plug."


def changes_of(context: InstanceContext, name: str, plan: Plan, current: Row, note: Note) -> list[Change]:
    """Return the changes of a plan for an existing instance; ``note`` gets tickets that are not reported otherwise."""
    return list(_Changes(context, name, plan, current, note).in_order())


class _Changes:
    def __init__(self, context: InstanceContext, name: str, plan: Plan, current: Row, note: Note) -> None:
        self._context = context
        self._name = name
        self._plan = plan
        self._current = current
        self._note = note
        self._number: int = current["id"]

    def in_order(self) -> t.Iterator[Change]:
        power = (self._plan.values.get("status") or {}).get("id")
        if power == POWERED_OFF:
            yield Shutdown(self._context, self._number, self._name, self._note)
        yield from self._of_size()
        yield from self._of_network()
        if "name" in self._plan.values:
            yield self._rename(self._plan.values["name"])
        if power == POWERED_ON:
            yield self._start()

    def _of_size(self) -> t.Iterator[Change]:
        values, api = self._plan.values, self._context.api
        if "type" in values:
            type_id = values["type"]["id"]
            yield self._step("Changing type", lambda: api.change_type(self._number, type_id), _item_is("type", type_id))
        disk: int = self._current.get("system_disk_id") or 0
        if "disk_class" in values:
            tier = values["disk_class"]["id"]
            arrived = _item_is("disk_class", tier)
            yield self._step("Changing disk_class", lambda: api.change_disk_tier(disk, tier), arrived, DISK_FIELDS)
        if "init_disk_size" in values:
            size = values["init_disk_size"]
            grown = _at_least("init_disk_size", size)
            yield self._step("Growing the system disk", lambda: api.extend_disk(disk, size), grown, DISK_FIELDS)

    def _of_network(self) -> t.Iterator[Change]:
        api = self._context.api
        yield from self._linked("private_networks", api.attach_network, attach=True)
        yield from self._linked("ip_addresses", api.attach_ip_address, attach=True)
        yield from self._linked("private_networks", api.detach_network, attach=False)
        yield from self._linked("ip_addresses", api.detach_ip_address, attach=False)

    def _linked(self, option: str, act: t.Callable[[int, int], Ticket], *, attach: bool) -> t.Iterator[Change]:
        """Attach what is missing from the list, or detach what is no longer to be in it."""
        if option not in self._plan.values:
            return
        now, then = self._current.get(option) or (), self._plan.after.get(option) or ()
        side, have = (then, numbers_of_items(now)) if attach else (now, numbers_of_items(then))
        doing, link = ("Attaching", "to") if attach else ("Detaching", "from")
        for one in side:
            if one["id"] not in have:
                called = f"{CALLED[option]} {one['id'] if one['label'] is None else one['label']}"
                send, arrived = _bound(act, one["id"], self._number), _in_list(option, one["id"], attach)
                yield self._step(f"{doing} {called}", send, arrived, (option,), link)

    def _rename(self, name: str) -> Change:
        api = self._context.api

        def arrived(record: Row | None) -> bool:
            return record is not None and record["name"] == name

        return self._step("Changing name", lambda: api.change_name(self._number, name), arrived)

    def _start(self) -> Change:
        api, what = self._context.api, f"Starting instance {self._name!r}"
        return Change(self._context.change, self._number, what, lambda: api.power_on(self._number), _is_on, strict=True)

    def _step(self, doing: str, send: Send, arrived: Test, asked: t.Sequence[str] = (), link: str = "of") -> Change:
        context = self._context.change
        if asked:
            context = context._replace(reader=WithBelongings(self._context.search, asked))
        return Change(context, self._number, f"{doing} {link} instance {self._name!r}", send, arrived)


def _bound(act: t.Callable[[int, int], Ticket], number: int, instance_id: int) -> Send:
    return lambda: act(number, instance_id)


def _item_is(name: str, number: int) -> Test:
    return lambda record: record is not None and (record.get(name) or {}).get("id") == number


def _at_least(name: str, size: int) -> Test:
    return lambda record: record is not None and (record.get(name) or 0) >= size


def _in_list(name: str, number: int, desired: bool) -> Test:
    return lambda record: record is not None and (number in numbers_of_items(record.get(name))) is desired


def _is_on(record: Row | None) -> bool:
    return record is not None and status_of(record) == POWERED_ON


class Shutdown(Change):
    """Let the guest shut down; with ``force_stop``, turn it off if that is refused, fails or takes long."""

    def __init__(self, context: InstanceContext, number: int, name: str, note: Note) -> None:
        api = context.api
        super().__init__(
            context.change,
            number,
            f"Shutting down instance {name!r}",
            lambda: api.shutdown(number),
            _is_off,
            strict=True,
        )
        self._hard = Change(
            context.change,
            number,
            f"Turning off instance {name!r}",
            lambda: api.power_off(number),
            _is_off,
            strict=True,
        )
        self._params = context.params
        self._note = note
        self._forced = False

    def sent(self) -> Job[Ticket | None]:
        """Send it; after a refusal (there may be no guest tools), the instance is turned off if that is allowed."""
        try:
            return (yield from super().sent())
        except Rejected as refusal:
            if isinstance(refusal, NOT_OF_THE_GUEST):
                raise
            return (yield from self._turned_off(refusal))

    def ended(self, ticket: Ticket | None) -> Job[Row | None]:
        """Wait for the guest as long as the user allows."""
        if self._forced:
            return (yield from self._hard.ended(ticket))
        granted = Deadline(self.context.task.clock, self._params["stop_timeout"], "shutdown")
        try:
            return (yield from limited(super().ended(ticket), granted, self.what))
        except (OperationFailed, WaitTimeout) as problem:
            if problem.details.get("id") == self.number:
                raise
            hard = yield from self._turned_off(problem)
        return (yield from self._hard.ended(hard))

    def _turned_off(self, problem: FcdError) -> Job[Ticket | None]:
        if not self._params["force_stop"]:
            problem.next_step = HINT
            raise problem
        self._forced = True
        self.context.task.warn(f"{problem.message} Because of force_stop, it is turned off.")
        ticket = yield from self._hard.sent()
        if ticket is not None:
            self._note(ticket)
        return ticket


def limited(job: Job[Value], limit: Deadline, what: str) -> Job[Value]:
    """Continue a job until it ends or the time is up. Raises WaitTimeout."""
    while True:
        try:
            seen = next(job)
        except StopIteration as stop:
            return t.cast("Value", stop.value)
        if limit.over:
            job.close()
            raise WaitTimeout(f"{what} did not finish within {limit.seconds:g} s (last seen: {seen.progress}).")
        yield seen


def _is_off(record: Row | None) -> bool:
    return record is not None and powered_off({**record, "is_locked": False})
