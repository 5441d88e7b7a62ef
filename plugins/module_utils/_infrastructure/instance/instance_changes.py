# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The requests that change or remove an instance, and what has to be waited for before and after them.

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
)
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.change import (
    Change,
    Send,
    Ticket,
    TolerantReader,
    is_locked,
    is_unlocked,
    make_changes,
    still_there,
    wait_for_new_object,
    wait_for_object,
    wait_for_ticket,
)
from ..._engine.plan import DELETE, REPLACE, Plan
from ..._engine.scheduler import Job, Progress
from ..rest_changes import same_value, update_resource
from ..rest_creation import RestCreation, wait_until_created
from .desired_instance import DesiredInstance
from .instance_records import (
    BELONGINGS,
    DISK_FIELDS,
    IN_LISTS,
    POWERED_OFF,
    POWERED_ON,
    BelongingsReader,
    is_busy,
    is_idle,
    item_ids,
    status_of,
    stops_for,
    with_belongings,
)

_Value = t.TypeVar("_Value")
LISTED = "still listed"
TITLES = {"private_networks": "private network", "ip_addresses": "address"}
NOT_OF_THE_GUEST = (Forbidden, Unauthorized, RateLimited)
HINT = "With force_stop: true, the instance is turned off then, like pulling the plug."


# ---------------------------------------------------------------- before a change


def wait_before_changes(instance: DesiredInstance, current: JsonObject | None, plan: Plan) -> Job[JsonObject | None]:
    """Wait until nothing stands in the way of the plan; return the instance as it is then, None if it is gone."""
    if current is None:
        return (yield from _wait_for_creation(instance))
    context, number = instance.context, current["id"]
    if plan.action in (DELETE, REPLACE):
        if number in instance.search.ignored or not is_locked(current):
            return current
        now = yield from wait_for_object(context, number, is_unlocked, f"Removing instance {instance.name!r}")
        if now is None and plan.action == REPLACE:  # the operation that was running was its removal
            instance.search.ignored.add(number)
            return current
        return now
    now = _reread(instance, plan, current)
    if is_busy(now):
        bare = plan.changed and not context.wait and "status" not in plan.values
        what, test = f"Waiting for instance {instance.name!r}", is_unlocked if bare else is_idle
        now = yield from wait_for_new_object(context, number, test, what)
    return now


def _reread(instance: DesiredInstance, plan: Plan, current: JsonObject) -> JsonObject:
    """Return the instance as its ID shows it, if a list showed other values of what is to be changed."""
    by_number = is_busy(current) or instance.params.get("id") is not None  # or is about to be read so
    if by_number or not instance.search.list_shows(plan.values):
        return current
    now = instance.search.by_id(current["id"])
    same = now is None or all(same_value(now[name], current[name]) for name in (*IN_LISTS, "is_locked"))
    return current if now is None or same else now


def _wait_for_creation(instance: DesiredInstance) -> Job[JsonObject | None]:
    """Wait for an instance that another task is creating; return None if that has come to nothing."""
    creation = RestCreation(instance, {"name": instance.name})
    found = creation.trace.find() or creation.find_in_tickets(instance.task.clock.now())
    if found is None:
        return None
    what = f"Waiting for the creation of instance {instance.name!r}"
    _number, record = yield from wait_until_created(instance.context, creation, found, what)
    return record


# ---------------------------------------------------------------- the requests that change an instance


def update_instance(instance: DesiredInstance, current: JsonObject, changes: JsonMapping) -> Job[JsonObject | None]:
    """Change it and return it as it is then, with all that was read before; None if the last change is only started."""
    try:
        record = yield from update_resource(instance, current, changes)
    except (OperationFailed, Rejected):
        if stops_for(current, changes):
            yield from _start_again(instance, current)
        raise
    if record is None:
        return None
    known = [name for name in (*BELONGINGS, "system_disk_id") if name in current]
    if any(name in changes for name in known):
        return with_belongings(instance.search.api, known, record)
    return {**record, **{name: current[name] for name in known}}


def changes_of(instance: DesiredInstance, current: JsonObject, changes: JsonMapping) -> t.Iterator[Change]:
    """Return the requests for these values, in their order.

    An instance that is to be stopped is stopped first, and one that is to run is started last; its name changes
    late, so that the old name leads to it as long as possible.
    """
    api, number, name = instance.search.api, current["id"], changes.get("name")
    power, shows_power = (changes.get("status") or {}).get("id"), current["status"] is not None
    pauses = stops_for(current, changes)
    if power == POWERED_OFF or pauses:
        yield Shutdown(instance, number, strict=shows_power)
    yield from _size_changes(instance, current, changes)
    yield from _network_changes(instance, current, changes)
    if name is not None:
        rename = partial(api.change_name, number, name)
        yield _change(instance, number, "Changing name of", rename, lambda record: bool(record["name"] == name))
    if power == POWERED_ON or pauses:
        yield _start(instance, current)


def _start(instance: DesiredInstance, current: JsonObject) -> Change:
    start, test = partial(instance.search.api.power_on, current["id"]), partial(_has_value, "status", POWERED_ON)
    return _change(instance, current["id"], "Starting", start, test, strict=current["status"] is not None)


def _start_again(instance: DesiredInstance, current: JsonObject) -> Job[None]:
    """Start an instance that was stopped for a change which has failed."""
    try:
        yield from make_changes([_start(instance, current)], instance.note_ticket)
    except FcdError as error:
        instance.task.warn(f"The change has failed, and the instance may be off now: {error.message}")


def _size_changes(instance: DesiredInstance, current: JsonObject, values: JsonMapping) -> t.Iterator[Change]:
    api, number = instance.search.api, current["id"]
    disk: int = current.get("system_disk_id") or 0
    for name, request in (
        ("subregion", api.change_subregion),
        ("type", api.change_type),
        ("scsi_controller_type", api.change_controller),
    ):
        if name in values:
            desired = values[name]["id"]
            test = partial(_has_value, name, desired)
            yield _change(instance, number, f"Changing {name} of", partial(request, number, desired), test)
    if "is_hot_plug_enabled" in values:
        enabled = values["is_hot_plug_enabled"]
        send = partial(api.change_hot_plug, number, enabled=enabled)
        yield _change(
            instance, number, "Changing hot plug of", send, lambda record: record["is_hot_plug_enabled"] is enabled
        )
    if "disk_class" in values:
        tier = values["disk_class"]["id"]
        send, test = partial(api.change_disk_tier, disk, tier), partial(_has_value, "disk_class", tier)
        yield _change(instance, number, "Changing disk_class of", send, test, DISK_FIELDS)
    if "init_disk_size" in values:
        size = values["init_disk_size"]
        extend = partial(api.extend_disk, disk, size)
        yield _change(
            instance,
            number,
            "Growing the system disk of",
            extend,
            lambda record: (record.get("init_disk_size") or 0) >= size,
            DISK_FIELDS,
        )


def _network_changes(instance: DesiredInstance, current: JsonObject, values: JsonMapping) -> t.Iterator[Change]:
    """Attach what is missing from the lists, then detach what is no longer to be in them."""
    api, number = instance.search.api, current["id"]
    merges = {field.name: field.merge for field in instance.fields if field.merge and field.name in values}
    desired = {option: merge(current.get(option), values[option]) for option, merge in merges.items()}

    def text_of(one: JsonObject) -> str | None:
        text: str | None = one["label"] or instance.labels.item_by_id("ip_addresses", one["id"])["label"]
        return text

    requests: dict[tuple[str, bool], t.Callable[[JsonObject], Ticket]] = {
        ("private_networks", True): lambda one: api.attach_network(one["id"], number),
        ("ip_addresses", True): lambda one: api.attach_ip_address(one["id"], number, text_of(one)),
        ("private_networks", False): lambda one: api.detach_network(one["id"], number),
        ("ip_addresses", False): lambda one: api.detach_ip_address(one["id"], number, text_of(one)),
    }
    for (option, attach), send in requests.items():
        now, then = current.get(option) or (), desired.get(option) or ()
        more, less = (then, item_ids(now)) if attach else (now, item_ids(then))
        for one in more if option in desired else ():
            if one["id"] not in less:
                title = f"{TITLES[option]} {one['id'] if one['label'] is None else one['label']}"
                doing = f"Attaching {title} to" if attach else f"Detaching {title} from"
                test = partial(_is_linked, option, one["id"], attach)
                yield _change(instance, number, doing, partial(send, one), test, (option,))


def _change(
    instance: DesiredInstance,
    number: int,
    doing: str,
    send: Send,
    test: t.Callable[[JsonObject], bool],
    asked: t.Sequence[str] = (),
    *,
    strict: bool = False,
) -> Change:
    """Return a change; ``test`` says whether the record, with the belongings ``asked``, shows its result."""
    context = instance.context
    if asked:
        context = context._replace(reader=BelongingsReader(instance.search, asked))
    what = f"{doing} instance {instance.name!r}"
    return Change(context, number, what, send, lambda record: record is not None and test(record), strict=strict)


def _has_value(name: str, number: int, record: JsonObject) -> bool:
    return bool((record.get(name) or {}).get("id") == number)


def _is_linked(name: str, number: int, desired: bool, record: JsonObject) -> bool:
    return (number in item_ids(record.get(name))) is desired


def _is_off(record: JsonObject | None) -> bool:
    return record is not None and status_of(record) == POWERED_OFF


class Shutdown(Change):
    """Let the guest shut down; with ``force_stop``, turn it off if that is refused, fails or takes long."""

    def __init__(self, instance: DesiredInstance, number: int, *, strict: bool) -> None:
        context, api, title = instance.context, instance.search.api, f"instance {instance.name!r}"
        shutdown, power_off = partial(api.shutdown, number), partial(api.power_off, number)
        super().__init__(context, number, f"Shutting down {title}", shutdown, _is_off, strict=strict)
        self._hard = Change(context, number, f"Turning off {title}", power_off, _is_off, strict=strict)
        self._instance = instance
        self._forced = False

    def submit(self) -> Job[Ticket | None]:
        """Send it; after a refusal (there may be no guest tools), the instance is turned off if that is allowed."""
        try:
            return (yield from super().submit())
        except Rejected as refusal:
            if isinstance(refusal, NOT_OF_THE_GUEST):
                raise
            return (yield from self._turn_off(refusal))

    def wait(self, ticket: Ticket | None) -> Job[JsonObject | None]:
        """Wait for the guest as long as the user allows."""
        if self._forced:
            return (yield from self._hard.wait(ticket))
        limit = Deadline(self.context.task.clock, self._instance.params["stop_timeout"], "shutdown")
        try:
            return (yield from limit_job(super().wait(ticket), limit, self.what))
        except (OperationFailed, WaitTimeout) as problem:
            if problem.details.get("id") == self.number:
                raise
            hard = yield from self._turn_off(problem)
        return (yield from self._hard.wait(hard))

    def _turn_off(self, problem: FcdError) -> Job[Ticket | None]:
        if not (self._instance.params["force_stop"] or self._instance.is_new):
            problem.next_step = HINT
            raise problem
        self._forced = True
        self.context.task.warn(f"{problem.message} Because of force_stop, it is turned off.")
        ticket = yield from self._hard.submit()
        if ticket is not None:
            self._instance.note_ticket(ticket)
        return ticket


class Removal(Change):
    """Remove the instance and wait until no list shows it, so that no later task mistakes it for an existing one.

    If another one is to take its place, that is waited for even if the user does not want to wait.
    """

    def __init__(self, instance: DesiredInstance, current: JsonObject) -> None:
        context, params = instance.context, instance.params
        if params["state"] != "absent":
            context = context._replace(wait=True)
        number, what = current["id"], f"Removing instance {instance.name!r}"
        send = partial(instance.search.api.delete_instance, number, deep=bool(params["delete_disks"]))
        super().__init__(context, number, what, send, lambda record: record is None)
        self._search = instance.search
        self._name: str = current["name"]

    def wait(self, ticket: Ticket | None) -> Job[JsonObject | None]:
        """Wait for the ticket and the list, which may show the instance for the grace time.

        What is listed for longer is read, and so is what no ticket confirms. Raises OperationFailed if it is still
        there, Forbidden if it only is in the list and a right may be missing.
        """
        ended = None if ticket is None else (yield from wait_for_ticket(self.context, ticket, self.what))
        clock, tolerant, since = self.context.task.clock, TolerantReader(self.context.task), 0.0
        while True:
            left = tolerant.read(lambda: self._left(confirmed=ended is not None), "cannot be read now")
            since = since or clock.monotonic() if left == LISTED else 0.0
            if left == LISTED and clock.monotonic() >= since + self.context.grace:
                left = "" if self._is_gone(confirmed=ended is not None) else left
            if not left:
                return None
            yield Progress(self.what, left)

    def _is_gone(self, *, confirmed: bool) -> bool:
        """Read an instance that is still listed. Raises OperationFailed, Forbidden."""
        try:
            record = self._search.by_id(self.number)
        except (Forbidden, NotFound):
            if not confirmed:
                raise
            return True
        if record is not None and confirmed and not is_locked(record):
            raise still_there(self.what, self.kind, self.number)
        return record is None

    def _left(self, *, confirmed: bool) -> str:
        """Return in which way the removed instance still shows, empty if it does not."""
        if confirmed:
            listed = (self._search.match(self._name, items) for items in self._search.listings(self._name))
            return LISTED if any(one["id"] == self.number for found in listed for one in found) else ""
        try:
            return "" if self._search.by_id(self.number) is None else "there"
        except (Forbidden, NotFound):
            return LISTED


def limit_job(job: Job[_Value], limit: Deadline, what: str) -> Job[_Value]:
    """Continue a job until it ends or the time is up. Raises WaitTimeout."""
    while True:
        try:
            seen = next(job)
        except StopIteration as stop:
            return t.cast("_Value", stop.value)
        if limit.over:
            job.close()
            raise WaitTimeout(f"{what} did not finish within {limit.seconds:g} s (last seen: {seen.progress}).")
        yield seen
