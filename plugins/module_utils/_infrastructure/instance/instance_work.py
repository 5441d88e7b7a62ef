# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The work that brings one instance to its state: it is created, changed, replaced or removed.

The requests and their order: wire-facts section 5.4.
"""

from __future__ import annotations

import typing as t

from ..._core.clock import Deadline
from ..._core.errors import (
    FcdError,
    Forbidden,
    NotFound,
    OperationFailed,
    RateLimited,
    Rejected,
    Unauthorized,
    WaitTimeout,
    next_step_of,
)
from ..._core.text import HIDDEN
from ..._engine.change import (
    Change,
    Send,
    Test,
    Ticket,
    TolerantReader,
    is_locked,
    is_unlocked,
    make_changes,
    wait_for_list,
    wait_for_new_object,
    wait_for_object,
    wait_for_ticket,
)
from ..._engine.plan import CREATE, DELETE, REPLACE, UPDATE, Created, Outcome, Plan, in_words, make_plan, mask_secrets
from ..._engine.scheduler import Job, Progress
from ..rest_records import Row
from .instance_creation import InstanceCreation, is_settled, made_instance
from .instance_options import LISTS
from .instance_planning import KIND, NOT_READABLE, InstancePlanner
from .instance_records import (
    BELONGINGS,
    DISK_FIELDS,
    POWERED_OFF,
    POWERED_ON,
    InstanceContext,
    InstanceSearch,
    WithBelongings,
    asked_of,
    note_of_instance,
    numbers_of_items,
    powered_off,
    running,
    status_of,
    unsettled,
    with_belongings,
    without_later,
)

if t.TYPE_CHECKING:
    from .instance_planning import DeclaredInstance


IN_LISTS = ("name", "type", "status")
LISTED = "still listed"
AFTER_CREATION = ("status", *LISTS)  # what a create only takes in part


class InstanceWork:
    """The work that brings one instance to its state.

    ``planner`` plans for what turns up late, or raises what is in the way. A job that ended with too many requests may
    be started again: what was done is not done twice.
    """

    def __init__(self, context: InstanceContext, instance: DeclaredInstance, planner: InstancePlanner) -> None:
        self.context = context
        self.instance = instance
        self.name = instance.name
        self._made = False
        self._made_room = False
        self._planner = planner
        self._in_place_of: tuple[Plan, Row] | None = None

    def job(self) -> Job[Outcome]:
        """Return the job that carries out the plan."""
        plan, current = self.instance.plan, self.instance.current
        if self._in_place_of is not None:
            return self._made_anew(*self._in_place_of)
        if plan.action == CREATE:
            return self._created(plan)
        if current is None:
            return self._removed_when_made(plan)
        if plan.action == DELETE:
            return self._removed(plan, current)
        return self._made_anew(plan, current) if plan.action == REPLACE else self._brought(plan, current)

    # ---------------------------------------------------------------- create

    def _created(self, plan: Plan, gone: int | None = None) -> Job[Outcome]:
        creation = InstanceCreation(self.context, plan.values, () if gone is None else (gone,))
        created = creation.once()
        self._made = self._made or created.by_us
        created = created._replace(by_us=self._made)
        found = created.record
        self._note(found["ticket"])
        if not self.context.change.wait:
            return (yield from self._started(plan, created))
        yield Progress(f"Creating instance {self.name!r}")
        record = yield from self._ready(created)
        if not created.by_us:
            return (yield from self._compared(record))
        record = yield from self._completed(plan, record)
        yield from creation.seen_once(record["id"], f"Creating instance {self.name!r}")
        return Outcome(CREATE, record, {}, {**record, **_hidden(plan)})

    def _started(self, plan: Plan, created: Created) -> Job[Outcome]:
        """Return what is known of an instance that is still being created."""
        found = created.record
        if found["record"] and not created.by_us:
            return (yield from self._compared(found["record"]))
        foreseen = {name: value for name, value in plan.values.items() if name not in AFTER_CREATION}
        record = _told(plan, found["record"] or {**foreseen, "id": found["id"]})
        return (
            Outcome(CREATE, record, {}, {**record, **_hidden(plan)})
            if created.by_us
            else Outcome(None, record, record, record)
        )

    def _ready(self, created: Created) -> Job[Row]:
        """Wait until the instance runs and is free. One that another job has created may be meant to be powered off."""
        found = created.record
        test = running if created.by_us else is_settled
        what = f"Creating instance {self.name!r}"
        return (yield from made_instance(self.context, self.name, found["ticket"], found["id"], test, what))

    def _completed(self, plan: Plan, record: Row) -> Job[Row]:
        """Do what a create does not take, and add what the service does not return in the instance itself."""
        desired = self.instance.desired
        record = with_belongings(self.context.api, asked_of(desired), record)
        late = {name: desired[name] for name in AFTER_CREATION if name in desired}
        further = make_plan(self._planner.fields, late, record, "present", kind=KIND)
        if further.changed:
            record = t.cast("Row", (yield from self._carried_out(further, record)))
        self._require_network(record)
        return _told(plan, record)

    def _require_network(self, record: Row) -> None:
        """Raise OperationFailed if the new instance does not have the network that was wanted.

        The service may ignore what it does not know, and these members of a create are younger than the rest.
        """
        networks = self.instance.desired.get("private_networks") or ()
        there = numbers_of_items(record.get("private_networks"))
        missing = [one for one in networks if one["id"] not in there]
        if missing:
            listed = ", ".join(map(in_words, missing))
            raise OperationFailed(
                f"Instance {self.name!r} ({record['id']}) was created, but is not in the private networks {listed}.",
                next_step="Run the task again: it attaches the instance to them.",
                id=record["id"],
            )
        if self.instance.desired.get("without_public_ip"):
            found = with_belongings(self.context.api, ("ip_addresses",), record)["ip_addresses"]
            if found:
                raise OperationFailed(
                    f"Instance {self.name!r} ({record['id']}) was created with the public address {in_words(found)} "
                    "despite without_public_ip.",
                    next_step="Detach it with ip_addresses: [] and purge_ip_addresses: true, or remove the instance.",
                    id=record["id"],
                )

    # ---------------------------------------------------------------- change

    def _brought(self, plan: Plan, current: Row) -> Job[Outcome]:
        """Change the instance; if another operation is running on it, wait for its end and compare again."""
        now = self._as_it_is(plan, current)
        if unsettled(now):
            bare = plan.changed and not self.context.change.wait and "status" not in plan.values
            what, test = f"Waiting for instance {self.name!r}", is_unlocked if bare else is_settled
            now = yield from wait_for_new_object(self.context.change, current["id"], test, what)
        return (yield from (self._changed(plan, current) if now is current else self._compared(now)))

    def _as_it_is(self, plan: Plan, current: Row) -> Row:
        """Return the instance as its ID shows it, if a list showed other values of what is to be changed."""
        by_number = unsettled(current) or self.context.params.get("id") is not None  # or is about to be read so
        if by_number or not any(name in plan.values for name in IN_LISTS):
            return current
        now = self.context.search.by_id(current["id"])
        if now is None or all(_key(now[name]) == _key(current[name]) for name in (*IN_LISTS, "is_locked")):
            return current
        return now

    def _compared(self, record: Row) -> Job[Outcome]:
        record = with_belongings(self.context.api, asked_of(self.instance.desired), record)
        desired = self._planner.want(self.instance.desired["name"], record)
        may_replace = not self._made_room  # or two tasks would remove each other's instance
        plan = self._planner.compare(desired, record, may_replace=may_replace)
        if plan.action == REPLACE:  # no list showed this when it was planned
            self.instance.desired, plan = self._planner.of_replacement(self.name, record, plan)
            self._in_place_of = (plan, record)
            return (yield from self._made_anew(plan, record))
        return (yield from self._changed(plan, record))

    def _changed(self, plan: Plan, current: Row) -> Job[Outcome]:
        if not plan.changed:
            return Outcome(None, current, plan.before, plan.after)
        record = yield from self._carried_out(plan, current)
        if record is None:
            return Outcome(UPDATE, without_later(plan.after), plan.before, plan.after)
        return Outcome(UPDATE, record, plan.before, record)

    def _carried_out(self, plan: Plan, current: Row) -> Job[Row | None]:
        """Make the changes and return the instance as it is then; None if the last one is only started."""
        record = yield from make_changes(changes_of(self.context, self.name, plan, current, self._note), self._note)
        if record is None:
            return None
        shown_in_lists = [name for name in IN_LISTS if name in plan.values]
        if shown_in_lists:
            yield from wait_for_list(
                self.context.change,
                lambda: self._shows(record, shown_in_lists),
                f"Changing instance {self.name!r}",
            )
        known = [name for name in (*BELONGINGS, "system_disk_id") if name in current]
        if any(name in plan.values for name in known):
            return with_belongings(self.context.api, known, record)
        return {**record, **{name: current[name] for name in known}}

    # ---------------------------------------------------------------- remove, re-create

    def _removed(self, plan: Plan, current: Row, *, replacing: bool = False) -> Job[Outcome]:
        """Remove it, and forget its create; ``replacing`` waits until it is gone, even if the user does not want to.

        A replacement leaves the note alone: it may already be that of another task, which creates the new instance.
        """
        what, number = f"Removing instance {self.name!r}", current["id"]
        if is_locked(current) and (yield from wait_for_object(self.context.change, number, is_unlocked, what)) is None:
            return Outcome(None, None, {}, {})  # the running operation was its removal

        def send() -> Ticket | None:
            return self.context.api.delete_instance(number, deep=bool(self.context.params["delete_disks"]))

        ticket = yield from Change(self.context.change, number, what, send, _is_gone).submit()
        self._note(ticket)
        if replacing or self.context.change.wait:
            ended = None if ticket is None else (yield from wait_for_ticket(self.context.change, ticket, what))
            yield from vanished(self.context, number, current["name"], what, ended=ended is not None)
        self._forget_create(number)
        return Outcome(DELETE, None, plan.before, {})

    def _forget_create(self, number: int) -> None:
        """Clear the note of the create that made the removed instance; that of a newer one of the name stays.

        Another task that replaces the same instance may have created it by now, and lists may not show it yet.
        """
        note = note_of_instance(self.context.change.task, self.name)
        lead = note.lead()
        if lead is None or "ticket" not in lead:
            return
        try:
            ticket = self.context.api.get_ticket(lead["ticket"])
        except FcdError:
            return  # the next create will follow the note again
        if ticket.get("ObjectId") == number:
            note.clear_lead(lead)

    def _removed_when_made(self, plan: Plan) -> Job[Outcome]:
        """Remove an instance that another task is creating, as soon as it exists."""
        creation = InstanceCreation(self.context, {"name": self.name})
        found = creation.noted() or creation.ticketed()
        if found is None:
            return Outcome(None, None, {}, {})
        what = f"Waiting for the creation of instance {self.name!r}"
        record = yield from made_instance(self.context, self.name, found["ticket"], found["id"], is_settled, what)
        return (yield from self._removed(plan._replace(before=mask_secrets(self._planner.fields, record)), record))

    def _made_anew(self, plan: Plan, current: Row) -> Job[Outcome]:
        """Remove the instance, wait until it is gone, and create one of that name.

        If this is interrupted in between, the next run finds no instance and creates it.
        """
        if not self._made_room:
            yield from self._removed(plan, current, replacing=True)
            self._made_room = True
        try:
            made = yield from self._created(plan, current["id"])
        except FcdError as error:
            error.message = f"Instance {self.name!r} ({current['id']}) was removed, but not re-created: {error.message}"
            error.next_step = next_step_of(error, "Fix the cause and run the task again: it creates the instance.")
            raise
        return made._replace(action=REPLACE, before=plan.before, forced_by=plan.forced_by)

    # ---------------------------------------------------------------- shared

    def _shows(self, record: Row, names: t.Collection[str]) -> bool:
        """Return whether a list shows these values of the instance."""
        listed = self.context.search.as_listed(record["name"]).get(record["id"])
        return listed is not None and all(_key(listed[name]) == _key(record[name]) for name in names)

    def _note(self, ticket: Ticket | None) -> None:
        if ticket is not None:
            self.instance.ticket = ticket["Id"]


def _told(plan: Plan, record: Row) -> Row:
    """Add what was only sent, except for the script, which may be secret."""
    sent = {name: plan.values[name] for name in NOT_READABLE if name in plan.values and name != "init_script"}
    return {**{name: value for name, value in record.items() if name != "init_script"}, **sent}


def _hidden(plan: Plan) -> Row:
    """Return what a diff says about the script."""
    return {"init_script": HIDDEN} if "init_script" in plan.values else {}


def _key(value: t.Any) -> t.Any:
    """Return what identifies a value: the number of an item, else the value itself."""
    return value["id"] if isinstance(value, dict) else value


def _is_gone(record: Row | None) -> bool:
    return record is None


def vanished(context: InstanceContext, number: int, name: str, what: str, *, ended: bool) -> Job[None]:
    """Wait until a removed instance is no longer shown, so that no later task mistakes it for an existing one.

    A list may show it for the grace time. ``ended`` says that its removal is known to have succeeded, else it is read
    too. Raises Forbidden if it is still listed without that: a right may be missing.
    """
    clock, tolerant, since = context.change.task.clock, TolerantReader(context.change.task), 0.0
    while True:
        left = tolerant.read(lambda: _left(context.search, number, name, ended), "cannot be read now")
        since = since or clock.monotonic() if left == LISTED else 0.0
        if left == LISTED and clock.monotonic() >= since + context.change.grace:
            left = "" if ended or context.search.by_id(number) is None else left
        if not left:
            return
        yield Progress(what, left)


def _left(search: InstanceSearch, number: int, name: str, ended: bool) -> str:
    """Return in which way a removed instance still shows, empty if it does not."""
    if ended:
        return LISTED if number in search.as_listed(name) else ""
    try:
        return "" if search.by_id(number) is None else "there"
    except (Forbidden, NotFound):
        return LISTED


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

    def submit(self) -> Job[Ticket | None]:
        """Send it; after a refusal (there may be no guest tools), the instance is turned off if that is allowed."""
        try:
            return (yield from super().submit())
        except Rejected as refusal:
            if isinstance(refusal, NOT_OF_THE_GUEST):
                raise
            return (yield from self._turned_off(refusal))

    def wait(self, ticket: Ticket | None) -> Job[Row | None]:
        """Wait for the guest as long as the user allows."""
        if self._forced:
            return (yield from self._hard.wait(ticket))
        granted = Deadline(self.context.task.clock, self._params["stop_timeout"], "shutdown")
        try:
            return (yield from limited(super().wait(ticket), granted, self.what))
        except (OperationFailed, WaitTimeout) as problem:
            if problem.details.get("id") == self.number:
                raise
            hard = yield from self._turned_off(problem)
        return (yield from self._hard.wait(hard))

    def _turned_off(self, problem: FcdError) -> Job[Ticket | None]:
        if not self._params["force_stop"]:
            problem.next_step = HINT
            raise problem
        self._forced = True
        self.context.task.warn(f"{problem.message} Because of force_stop, it is turned off.")
        ticket = yield from self._hard.submit()
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
