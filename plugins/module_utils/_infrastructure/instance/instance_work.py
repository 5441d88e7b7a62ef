# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The work that brings one instance to its state: it is created, changed, replaced or removed.

The requests and their order: docs/service/infrastructure.md, "Changing an instance".
"""

from __future__ import annotations

import typing as t
from functools import partial

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
from ..._engine.plan import CREATE, DELETE, REPLACE, UPDATE, Outcome, Plan, in_words, make_plan, mask_secrets
from ..._engine.scheduler import Job, Progress
from ..rest_records import Row
from .instance_change_plans import plan_replacement
from .instance_creation import InstanceContext, InstanceCreation, note_of_instance, wait_for_instance
from .instance_options import LISTS
from .instance_planning import NOT_READABLE, InstancePlanner
from .instance_records import (
    BELONGINGS,
    DISK_FIELDS,
    KIND,
    POWERED_OFF,
    POWERED_ON,
    BelongingsReader,
    belongings_in,
    instance_fields,
    is_busy,
    is_idle,
    item_ids,
    running,
    status_of,
    with_belongings,
    without_unknown_values,
)

if t.TYPE_CHECKING:
    from .instance_planning import DeclaredInstance


Value = t.TypeVar("Value")
IN_LISTS = ("name", "type", "status")
LISTED = "still listed"
AFTER_CREATION = ("status", *LISTS)  # what a create only takes in part
TITLES = {"private_networks": "private network", "ip_addresses": "address"}
NOT_OF_THE_GUEST = (Forbidden, Unauthorized, RateLimited)
HINT = "With force_stop: true, the instance is turned off then, like pulling the plug."


class InstanceWork:
    """The work that brings one instance to its state.

    ``planner`` plans for what turns up late, or raises what is in the way. A job that ended with too many requests may
    be started again: what was done is not done twice.
    """

    def __init__(self, context: InstanceContext, instance: DeclaredInstance, planner: InstancePlanner) -> None:
        self.context = context
        self.instance = instance
        self.name = instance.name
        self._fields = instance_fields(context.params)
        self._planner = planner
        self._created = False
        self._old_removed = False
        self._replacement: tuple[Plan, Row] | None = None

    def job(self) -> Job[Outcome]:
        """Return the job that carries out the plan."""
        plan, current = self.instance.plan, self.instance.current
        if self._replacement is not None:
            return self._replace(*self._replacement)
        if plan.action == CREATE:
            return self._create(plan)
        if current is None:
            return self._remove_when_created(plan)
        if plan.action == DELETE:
            return self._remove(plan, current)
        return self._replace(plan, current) if plan.action == REPLACE else self._update(plan, current)

    # ---------------------------------------------------------------- create

    def _create(self, plan: Plan, old: Row | None = None) -> Job[Outcome]:
        """Create the instance; ``old`` is the one that it replaces. What another job has created is compared."""
        creation = InstanceCreation(self.context, plan.values, () if old is None else (old["id"],))
        created = creation.once()
        self._created = self._created or created.by_us
        found, what = created.record, f"Creating instance {self.name!r}"
        self._note(found["ticket"])
        if not self.context.change.wait:
            return (yield from self._report_started(plan, found))
        yield Progress(what)
        test = running if self._created else is_idle  # that of another job may be meant to be powered off
        record = yield from wait_for_instance(self.context, self.name, found, test, what)
        if not self._created:
            return (yield from self._compare_and_change(record))
        record = yield from self._complete(plan, record)
        yield from creation.wait_until_listed(record["id"], what)
        return Outcome(CREATE, record, {}, {**record, **_hidden(plan)})

    def _report_started(self, plan: Plan, found: Row) -> Job[Outcome]:
        """Return what is known of an instance that is still being created."""
        if found["record"] and not self._created:
            return (yield from self._compare_and_change(found["record"]))
        foreseen = {name: value for name, value in plan.values.items() if name not in AFTER_CREATION}
        record = _with_sent_values(plan, found["record"] or {**foreseen, "id": found["id"]})
        if self._created:
            return Outcome(CREATE, record, {}, {**record, **_hidden(plan)})
        return Outcome(None, record, record, record)

    def _complete(self, plan: Plan, record: Row) -> Job[Row]:
        """Do what a create does not take, and add what the service does not return in the instance itself."""
        desired = self.instance.desired
        record = with_belongings(self.context.api, belongings_in(desired), record)
        late = {name: desired[name] for name in AFTER_CREATION if name in desired}
        further = make_plan(self._fields, late, record, "present", kind=KIND)
        if further.changed:
            record = t.cast("Row", (yield from self._apply(further, record)))
        self._require_network(record)
        return _with_sent_values(plan, record)

    def _require_network(self, record: Row) -> None:
        """Raise OperationFailed if the new instance does not have the network that was wanted.

        The service may ignore what it does not know, and these members of a create are younger than the rest.
        """
        desired, number = self.instance.desired, record["id"]
        present = item_ids(record.get("private_networks"))
        missing = [in_words(one) for one in desired.get("private_networks") or () if one["id"] not in present]
        if missing:
            raise OperationFailed(
                f"Instance {self.name!r} ({number}) was created, but is not in the private networks "
                f"{', '.join(missing)}.",
                next_step="Run the task again: it attaches the instance to them.",
                id=number,
            )
        if desired.get("without_public_ip"):
            found = with_belongings(self.context.api, ("ip_addresses",), record)["ip_addresses"]
            if found:
                raise OperationFailed(
                    f"Instance {self.name!r} ({number}) was created with the public address {in_words(found)} "
                    "despite without_public_ip.",
                    next_step="Detach it with ip_addresses: [] and purge_ip_addresses: true, or remove the instance.",
                    id=number,
                )

    # ---------------------------------------------------------------- update

    def _update(self, plan: Plan, current: Row) -> Job[Outcome]:
        """Change the instance; if another operation is running on it, wait for its end and compare again."""
        now = self._reread(plan, current)
        if is_busy(now):
            bare = plan.changed and not self.context.change.wait and "status" not in plan.values
            what, test = f"Waiting for instance {self.name!r}", is_unlocked if bare else is_idle
            now = yield from wait_for_new_object(self.context.change, current["id"], test, what)
        return (yield from (self._change(plan, current) if now is current else self._compare_and_change(now)))

    def _reread(self, plan: Plan, current: Row) -> Row:
        """Return the instance as its ID shows it, if a list showed other values of what is to be changed."""
        by_number = is_busy(current) or self.context.params.get("id") is not None  # or is about to be read so
        if by_number or not any(name in plan.values for name in IN_LISTS):
            return current
        now = self.context.search.by_id(current["id"])
        return current if now is None or _agree(now, current, (*IN_LISTS, "is_locked")) else now

    def _compare_and_change(self, record: Row) -> Job[Outcome]:
        params = self.context.params
        record = with_belongings(self.context.api, belongings_in(self.instance.desired), record)
        desired = self._planner.desired_of_existing(params, self.instance.desired["name"], record)
        may_replace = not self._old_removed  # or two tasks would remove each other's instance
        plan = self._planner.compare(params, desired, record, may_replace=may_replace)
        if plan.action == REPLACE:  # no list showed this when it was planned
            self.instance.desired, plan = plan_replacement(self._planner, params, self.name, record, plan)
            self._replacement = (plan, record)
            return (yield from self._replace(plan, record))
        return (yield from self._change(plan, record))

    def _change(self, plan: Plan, current: Row) -> Job[Outcome]:
        if not plan.changed:
            return Outcome(None, current, plan.before, plan.after)
        record = yield from self._apply(plan, current)
        if record is None:
            return Outcome(UPDATE, without_unknown_values(plan.after), plan.before, plan.after)
        return Outcome(UPDATE, record, plan.before, record)

    def _apply(self, plan: Plan, current: Row) -> Job[Row | None]:
        """Make the changes and return the instance as it is then; None if the last one is only started."""
        record = yield from make_changes(list(self._changes(plan, current)), self._note)
        if record is None:
            return None
        in_lists = [name for name in IN_LISTS if name in plan.values]
        if in_lists:
            what = f"Changing instance {self.name!r}"
            yield from wait_for_list(self.context.change, lambda: self._is_listed(record, in_lists), what)
        known = [name for name in (*BELONGINGS, "system_disk_id") if name in current]
        if any(name in plan.values for name in known):
            return with_belongings(self.context.api, known, record)
        return {**record, **{name: current[name] for name in known}}

    def _is_listed(self, record: Row, names: t.Collection[str]) -> bool:
        """Return whether a list shows these values of the instance."""
        listed = self.context.search.listed_by_name(record["name"]).get(record["id"])
        return listed is not None and _agree(listed, record, names)

    # ---------------------------------------------------------------- remove, replace

    def _remove(self, plan: Plan, current: Row, *, replacing: bool = False) -> Job[Outcome]:
        """Remove it, and forget its create; ``replacing`` waits until it is gone, even if the user does not want to.

        A replacement leaves the note alone: it may already be that of another task, which creates the new instance.
        """
        what, number = f"Removing instance {self.name!r}", current["id"]
        if is_locked(current) and (yield from wait_for_object(self.context.change, number, is_unlocked, what)) is None:
            return Outcome(None, None, {}, {})  # the running operation was its removal
        send = partial(self.context.api.delete_instance, number, deep=bool(self.context.params["delete_disks"]))
        ticket = yield from Change(self.context.change, number, what, send, lambda record: record is None).submit()
        self._note(ticket)
        if replacing or self.context.change.wait:
            ended = None if ticket is None else (yield from wait_for_ticket(self.context.change, ticket, what))
            yield from self._wait_until_gone(number, current["name"], what, confirmed=ended is not None)
        self._forget_create(number)
        return Outcome(DELETE, None, plan.before, {})

    def _wait_until_gone(self, number: int, name: str, what: str, *, confirmed: bool) -> Job[None]:
        """Wait until a removed instance is no longer shown, so that no later task mistakes it for an existing one.

        A list may show it for the grace time. ``confirmed`` says that its removal is known to have succeeded, else it
        is read too. Raises Forbidden if it is still listed without that: a right may be missing.
        """
        clock, tolerant, since = self.context.change.task.clock, TolerantReader(self.context.change.task), 0.0
        while True:
            left = tolerant.read(lambda: self._left(number, name, confirmed), "cannot be read now")
            since = since or clock.monotonic() if left == LISTED else 0.0
            if left == LISTED and clock.monotonic() >= since + self.context.change.grace:
                left = "" if confirmed or self.context.search.by_id(number) is None else left
            if not left:
                return
            yield Progress(what, left)

    def _left(self, number: int, name: str, confirmed: bool) -> str:
        """Return in which way a removed instance still shows, empty if it does not."""
        if confirmed:
            return LISTED if number in self.context.search.listed_by_name(name) else ""
        try:
            return "" if self.context.search.by_id(number) is None else "there"
        except (Forbidden, NotFound):
            return LISTED

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

    def _remove_when_created(self, plan: Plan) -> Job[Outcome]:
        """Remove an instance that another task is creating, as soon as it exists."""
        creation = InstanceCreation(self.context, {"name": self.name})
        found = creation.find_by_note() or creation.find_by_tickets()
        if found is None:
            return Outcome(None, None, {}, {})
        what = f"Waiting for the creation of instance {self.name!r}"
        record = yield from wait_for_instance(self.context, self.name, found, is_idle, what)
        return (yield from self._remove(plan._replace(before=mask_secrets(self._fields, record)), record))

    def _replace(self, plan: Plan, current: Row) -> Job[Outcome]:
        """Remove the instance, wait until it is gone, and create one of that name.

        If this is interrupted in between, the next run finds no instance and creates it.
        """
        if not self._old_removed:
            yield from self._remove(plan, current, replacing=True)
            self._old_removed = True
        try:
            outcome = yield from self._create(plan, current)
        except FcdError as error:
            error.message = f"Instance {self.name!r} ({current['id']}) was removed, but not re-created: {error.message}"
            error.next_step = next_step_of(error, "Fix the cause and run the task again: it creates the instance.")
            raise
        return outcome._replace(action=REPLACE, before=plan.before, forced_by=plan.forced_by)

    # ---------------------------------------------------------------- the requests that change an instance

    def _changes(self, plan: Plan, current: Row) -> t.Iterator[Change]:
        """Return the changes of a plan for an existing instance, in their order.

        An instance that is to be stopped is stopped first, and one that is to run is started last; its name changes
        late, so that the old name leads to it as long as possible.
        """
        api, number, name = self.context.api, current["id"], plan.values.get("name")
        power = _key(plan.values.get("status"))
        if power == POWERED_OFF:
            yield Shutdown(self.context, number, self.name, self._note)
        yield from self._size_changes(plan, current)
        yield from self._network_changes(plan, current)
        if name is not None:
            rename = partial(api.change_name, number, name)
            yield self._request(number, "Changing name of", rename, lambda record: bool(record["name"] == name))
        if power == POWERED_ON:
            start, test = partial(api.power_on, number), partial(_has_value, "status", POWERED_ON)
            yield self._request(number, "Starting", start, test, strict=True)

    def _size_changes(self, plan: Plan, current: Row) -> t.Iterator[Change]:
        values, api, number = plan.values, self.context.api, current["id"]
        disk: int = current.get("system_disk_id") or 0
        if "type" in values:
            type_id = values["type"]["id"]
            test = partial(_has_value, "type", type_id)
            yield self._request(number, "Changing type of", partial(api.change_type, number, type_id), test)
        if "disk_class" in values:
            tier = values["disk_class"]["id"]
            send, test = partial(api.change_disk_tier, disk, tier), partial(_has_value, "disk_class", tier)
            yield self._request(number, "Changing disk_class of", send, test, DISK_FIELDS)
        if "init_disk_size" in values:
            size = values["init_disk_size"]
            extend = partial(api.extend_disk, disk, size)
            yield self._request(
                number,
                "Growing the system disk of",
                extend,
                lambda record: (record.get("init_disk_size") or 0) >= size,
                DISK_FIELDS,
            )

    def _network_changes(self, plan: Plan, current: Row) -> t.Iterator[Change]:
        """Attach what is missing from the lists, then detach what is no longer to be in them."""
        api, number = self.context.api, current["id"]
        requests = {
            ("private_networks", True): api.attach_network,
            ("ip_addresses", True): api.attach_ip_address,
            ("private_networks", False): api.detach_network,
            ("ip_addresses", False): api.detach_ip_address,
        }
        for (option, attach), send in requests.items():
            now, then = current.get(option) or (), plan.after.get(option) or ()
            more, less = (then, item_ids(now)) if attach else (now, item_ids(then))
            for one in more if option in plan.values else ():
                if one["id"] not in less:
                    title = f"{TITLES[option]} {one['id'] if one['label'] is None else one['label']}"
                    doing = f"Attaching {title} to" if attach else f"Detaching {title} from"
                    test = partial(_is_linked, option, one["id"], attach)
                    yield self._request(number, doing, partial(send, one["id"], number), test, (option,))

    def _request(
        self,
        number: int,
        doing: str,
        send: Send,
        test: t.Callable[[Row], bool],
        asked: t.Sequence[str] = (),
        *,
        strict: bool = False,
    ) -> Change:
        """Return a change; ``test`` says whether the record, with the belongings ``asked``, shows its result."""
        context = self.context.change
        if asked:
            context = context._replace(reader=BelongingsReader(self.context.search, asked))
        what = f"{doing} instance {self.name!r}"
        return Change(context, number, what, send, lambda record: record is not None and test(record), strict=strict)

    def _note(self, ticket: Ticket | None) -> None:
        if ticket is not None:
            self.instance.ticket = ticket["Id"]


def _with_sent_values(plan: Plan, record: Row) -> Row:
    """Add what was only sent, except for the script, which may be secret."""
    sent = {name: plan.values[name] for name in NOT_READABLE if name in plan.values and name != "init_script"}
    return {**{name: value for name, value in record.items() if name != "init_script"}, **sent}


def _hidden(plan: Plan) -> Row:
    """Return what a diff says about the script."""
    return {"init_script": HIDDEN} if "init_script" in plan.values else {}


def _key(value: object) -> t.Any:
    """Return what identifies a value: the number of an item, else the value itself."""
    return value["id"] if isinstance(value, dict) else value


def _agree(one: Row, other: Row, names: t.Iterable[str]) -> bool:
    return all(_key(one[name]) == _key(other[name]) for name in names)


def _has_value(name: str, number: int, record: Row) -> bool:
    return bool(_key(record.get(name)) == number)


def _is_linked(name: str, number: int, desired: bool, record: Row) -> bool:
    return (number in item_ids(record.get(name))) is desired


def _is_off(record: Row | None) -> bool:
    return record is not None and status_of(record) == POWERED_OFF


class Shutdown(Change):
    """Let the guest shut down; with ``force_stop``, turn it off if that is refused, fails or takes long."""

    def __init__(
        self, context: InstanceContext, number: int, name: str, note: t.Callable[[Ticket | None], None]
    ) -> None:
        change, api, title = context.change, context.api, f"instance {name!r}"
        shutdown, power_off = partial(api.shutdown, number), partial(api.power_off, number)
        super().__init__(change, number, f"Shutting down {title}", shutdown, _is_off, strict=True)
        self._hard = Change(change, number, f"Turning off {title}", power_off, _is_off, strict=True)
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
            return (yield from self._turn_off(refusal))

    def wait(self, ticket: Ticket | None) -> Job[Row | None]:
        """Wait for the guest as long as the user allows."""
        if self._forced:
            return (yield from self._hard.wait(ticket))
        limit = Deadline(self.context.task.clock, self._params["stop_timeout"], "shutdown")
        try:
            return (yield from limit_job(super().wait(ticket), limit, self.what))
        except (OperationFailed, WaitTimeout) as problem:
            if problem.details.get("id") == self.number:
                raise
            hard = yield from self._turn_off(problem)
        return (yield from self._hard.wait(hard))

    def _turn_off(self, problem: FcdError) -> Job[Ticket | None]:
        if not self._params["force_stop"]:
            problem.next_step = HINT
            raise problem
        self._forced = True
        self.context.task.warn(f"{problem.message} Because of force_stop, it is turned off.")
        ticket = yield from self._hard.submit()
        self._note(ticket)
        return ticket


def limit_job(job: Job[Value], limit: Deadline, what: str) -> Job[Value]:
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
