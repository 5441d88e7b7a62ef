# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring an object to its desired state.

A field says how one attribute is compared, and when it may be sent. ``make_plan`` compares and returns, without I/O,
what has to happen so that the current object becomes the desired one. ``reconcile`` reads, plans and, outside check
mode, applies. ``carry_out`` is the job that applies a plan; a scheduler may run many of them. ``RemovalLimit`` is how
many objects may be removed only because they are no longer declared.
"""

from __future__ import annotations

import contextlib
import re
import typing as t

from .._core.errors import FcdError, ImmutableChange, InvalidInput, OperationFailed, next_step_of, note_change
from .._core.later import LATER
from .._core.text import HIDDEN, HIDDEN_CHANGED, quoted
from .._core.type_aliases import JsonMapping, JsonObject

if t.TYPE_CHECKING:
    from .scheduler import Job

Value = t.TypeVar("Value")
Compare = t.Callable[[t.Any, t.Any], bool]


def same(desired: object, current: object) -> bool:
    """Return whether both values are equal; True is not 1 here."""
    return isinstance(desired, bool) == isinstance(current, bool) and bool(desired == current)


def same_text(desired: object, current: object) -> bool:
    """Return whether both texts are equal; null equals an empty one."""
    return bool((desired or "") == (current or ""))


def same_elements(desired: t.Any, current: t.Any) -> bool:
    """Return whether both lists hold the same elements, in any order."""
    return set(desired or ()) == set(current or ())


def write_only(desired: object, current: object) -> bool:
    """Return True: this value cannot be read back, so it never counts as different."""
    del desired, current
    return True


def always_sent(desired: object, current: object) -> bool:
    """Return False: this value cannot be read back, and is sent each time."""
    del desired, current
    return False


class Field(t.NamedTuple):
    """One attribute of a resource, by the name of its option.

    ``compare`` says whether a desired value is already there. ``on_create`` says whether it may be sent with a create.
    ``on_update`` says whether it can be changed in place, perhaps for some values only (it is called with the desired
    and the current one; ``why`` is the reason why the others cannot). What cannot be changed in place is changed by
    replacing the object, or never. ``secret`` values never show in a diff. ``merge`` makes the value after an update
    from the current and the desired one (for merged metadata). ``follows`` are other members of the record that may
    change together with it, in a way that only the service knows. ``may_be_unknown``: null means that the service
    does not return it, so it is not compared then; ``sent_if_unknown``: it is sent then, which does no harm.
    """

    name: str
    compare: Compare = same
    on_create: bool = True
    on_update: bool | Compare = True
    secret: bool = False
    merge: t.Callable[[t.Any, t.Any], t.Any] | None = None
    why: str = ""
    follows: tuple[str, ...] = ()
    may_be_unknown: bool = False
    sent_if_unknown: bool = False

    @property
    def only_new(self) -> bool:
        """Whether it only matters when the object is created: it cannot be read back."""
        return self.compare is write_only

    def differs(self, desired: object, current: object) -> bool:
        """Return whether the desired value is not there yet."""
        return self.sent_if_unknown if self.is_unknown(current) else not self.compare(desired, current)

    def is_unknown(self, current: object) -> bool:
        """Return whether the service does not return the current value."""
        return self.may_be_unknown and current is None

    def in_place(self, desired: object, current: object) -> bool:
        """Return whether the current value can become the desired one on an existing object."""
        return self.on_update if isinstance(self.on_update, bool) else self.on_update(desired, current)


Fields = t.Sequence[Field]
CREATE, UPDATE, REPLACE, DELETE = "create", "update", "replace", "delete"
NO_VALUES: JsonObject = {}  # never changed in place


class Plan(t.NamedTuple):
    """``action`` is create, update, replace, delete or None; ``values`` is what it needs.

    ``before`` and ``after`` are for the diff. ``forced_by`` names the fields that can only be changed by replacing the
    object, that is, by removing and creating it.
    """

    action: str | None
    values: JsonObject = NO_VALUES
    before: JsonObject = NO_VALUES
    after: JsonObject = NO_VALUES
    forced_by: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything has to be done."""
        return self.action is not None


def make_plan(
    fields: Fields,
    desired: JsonMapping,
    current: JsonMapping | None,
    state: str,
    *,
    kind: str = "object",
    may_replace: bool = False,
) -> Plan:
    """Compare the desired values with the current object.

    ``desired`` holds only what the user gave: a missing key is left alone, a key with None is to become null. Raises
    ImmutableChange if a field that differs cannot be changed in place, unless the user allows a replacement.
    """
    if state == "absent":
        return Plan(None) if current is None else Plan(DELETE, before=mask_secrets(fields, current))
    given = [item for item in fields if item.name in desired]
    if current is None:
        values = {item.name: desired[item.name] for item in given if item.on_create}
        return Plan(CREATE, values, {}, {"id": LATER, **mask_secrets(given, values)})
    different = [item for item in given if item.differs(desired[item.name], current.get(item.name))]
    return _difference(fields, different, desired, current, kind if not may_replace else None)


def _difference(
    fields: Fields, different: Fields, desired: JsonMapping, current: JsonMapping, kind: str | None
) -> Plan:
    """Return the plan that changes what differs; with a ``kind``, for the error, nothing may be replaced."""
    before = mask_secrets(fields, current)
    if not different:
        return Plan(None, before=before, after=before)
    changes = {item.name: desired[item.name] for item in different}
    after = _after(fields, before, changes, current)
    fixed = [item for item in different if not item.in_place(changes[item.name], current.get(item.name))]
    if not fixed:
        return Plan(UPDATE, changes, before, after)
    if kind is not None:
        error = _immutable(fixed, changes, current, kind)
        error.difference = before, after
        raise error
    computed = dict.fromkeys(before.keys() - {item.name for item in fields}, LATER)
    kept = {item.name: current[item.name] for item in fields if item.on_create and item.name in current}
    unknown = [item.name for item in fields if item.name in desired and item.is_unknown(current.get(item.name))]
    values = {**kept, **{name: desired[name] for name in unknown}, **changes}
    return Plan(REPLACE, values, before, {**after, **computed, "id": LATER}, tuple(item.name for item in fixed))


@contextlib.contextmanager
def telling_difference(plan: Plan) -> t.Iterator[None]:
    """Have an error that refuses this change of an object tell how it differs."""
    try:
        yield
    except InvalidInput as error:
        if plan.action in (UPDATE, REPLACE):
            error.difference = plan.before, plan.after
        raise


def mask_secrets(fields: Fields, record: JsonMapping) -> dict[str, object]:
    """Return ``record`` as a diff may show it."""
    secret = {item.name for item in fields if item.secret}
    return {name: HIDDEN if name in secret and value is not None else value for name, value in record.items()}


def in_words(value: object) -> str:
    """Return a value for a message: an item of a dictionary as ``label (ID)``, anything else as in YAML."""
    if isinstance(value, t.Mapping) and {"id", "label"} <= set(value):
        return str(value["id"]) if value["label"] is None else f"{value['label']} ({value['id']})"
    if isinstance(value, t.Mapping):
        parts = [f"{name}: {in_words(entry)}" for name, entry in value.items()]
    elif isinstance(value, (list, tuple)):
        parts = [in_words(entry) for entry in value]
    else:
        return _scalar_in_words(value)
    return ", ".join(parts) or "nothing"


def _scalar_in_words(value: object) -> str:
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _after(fields: Fields, before: JsonMapping, changes: JsonMapping, current: JsonMapping) -> dict[str, object]:
    changed = [item for item in fields if item.name in changes]
    after = {**before, **{name: LATER for item in changed for name in item.follows}}
    for item in changed:
        if item.secret:
            after[item.name] = None if changes[item.name] is None else HIDDEN_CHANGED
        else:
            desired = changes[item.name]
            after[item.name] = item.merge(current.get(item.name), desired) if item.merge else desired
    return after


def _immutable(fixed: Fields, changes: JsonMapping, current: JsonMapping, kind: str) -> ImmutableChange:
    listed = ", ".join(
        item.name
        if item.secret
        else f"{item.name} is {in_words(current.get(item.name))}, wanted {in_words(changes[item.name])}"
        f"{', and ' if item.why else ''}{item.why}"
        for item in fixed
    )
    return ImmutableChange(
        f"This cannot be changed on an existing {kind}: {listed}.",
        next_step=f"Keep the current value, or remove the {kind} and create it again.",
        fields=[item.name for item in fixed],
    )


def other_name(kind: str, number: object, option: str, given: object, shown: object, by: str = "id") -> InvalidInput:
    """Return the error for an object that ``by`` identifies and that has ``shown`` as its name instead of ``given``."""
    return InvalidInput(
        f"{by}: {kind} {number} has the {option} {in_words(shown)}, not {in_words(given)}. Nothing was changed.",
        next_step=f"If that one is meant, omit {option}; otherwise, omit or correct {by}.",
        option=by,
    )


def no_such_id(kind: str, number: object, names: t.Iterable[str], other: object, by: str = "id") -> InvalidInput:
    """Return the error for an ID that does not exist, although ``other`` has the names that are given beside it."""
    options = " and ".join(names)
    return InvalidInput(
        f"{by}: there is no {kind} {number}, but {options} stands for {other}. Nothing was changed.",
        next_step=f"If that one is meant, omit or correct {by}; otherwise, omit {options}.",
        option=by,
    )


class Created(t.NamedTuple):
    """What a create returned; ``by_us`` is False if another job had created the object in the meantime.

    ``changed``: this create may have changed what the other job created.
    """

    record: JsonObject
    by_us: bool = True
    changed: bool = False


class Described(t.Protocol):
    """What one kind of object is called, and its attributes."""

    @property
    def kind(self) -> str:
        """What a person calls it, for messages."""

    @property
    def fields(self) -> Fields:
        """Its attributes."""


class Resource(Described, t.Protocol):
    """One kind of object; records use the names of the options, plus ``id`` and members that can only be read.

    What waits while it creates, updates or deletes returns a job, and has ``run_job(job)``, which runs one to its end.

    It may also have ``verify(action, changes, current)``, which raises if the service would refuse what is planned (for
    example, a name that is taken). It only reads. It is called before an update or a delete, and in check mode also
    before a create; before a real create, the resource does this itself, under its lock (see create_once).

    With ``may_replace``, the object may be removed and created again if a field cannot be changed in place.

    If an update sends values that were read, the resource may have ``lock(current)``, a context in which no other task
    changes the object. It is entered if there is something to change, and the object is read and compared again there,
    with the desired values that the context gives, if they depend on what was read.

    If another operation may be running on an object that was found, or is still creating it, the resource may have
    ``wait_until_free(current, plan)``, a job that returns the object as it is when nothing stands in the way of the
    plan, None if it is gone. Unless this is ``current`` itself, it is compared again.

    If it has to read more to compare, the resource may have ``compare(current)``, which does this, and returns the
    desired values, the current object and the plan.
    """

    def find(self, desired: JsonMapping) -> JsonObject | None:
        """Return the current object, or None. Raises Ambiguous if several match."""

    def create(self, values: JsonMapping) -> Created | Job[Created]:
        """Create it."""

    def update(self, current: JsonMapping, changes: JsonMapping) -> JsonObject | Job[JsonObject | None] | None:
        """Change it and return it as it is then, None if the change was only started."""

    def delete(self, current: JsonMapping) -> Job[None] | None:
        """Remove it."""


class Outcome(t.NamedTuple):
    """What happened, or would happen in check mode. ``record`` is None if the object does not exist.

    ``forced_by`` names the fields that can only be changed by replacing the object.
    """

    action: str | None
    record: JsonObject | None
    before: JsonObject
    after: JsonObject
    forced_by: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether something was, or would be, changed."""
        return self.action is not None

    @property
    def diff(self) -> JsonObject:
        """Before and after, as Ansible shows them."""
        return {"before": self.before, "after": self.after}


def reconcile(
    resource: Resource, desired: JsonMapping, state: str, *, check_mode: bool, expects_new: bool = False
) -> Outcome:
    """Bring the object to ``state`` (``present`` or ``absent``) with the desired values.

    With ``expects_new``, only the create looks for it, under its lock, and then compares it.
    """
    current = None if expects_new else resource.find(desired)
    plan = _plan(resource, desired, current, state)
    if check_mode:
        _verify(resource, plan, current)
    if check_mode or not plan.changed:
        return predict(resource.fields, plan, current)
    run: t.Callable[[Job[Outcome]], Outcome] = getattr(resource, "run_job", _run_at_once)
    return run(carry_out(resource, desired, state, current, plan))


def carry_out(
    resource: Resource, desired: JsonMapping, state: str, current: JsonObject | None, plan: Plan
) -> Job[Outcome]:
    """Carry out the plan for the object that was found, as soon as nothing stands in the way of it."""
    wait_until_free = getattr(resource, "wait_until_free", None)
    if wait_until_free is not None and plan.action != CREATE:
        now = yield from wait_until_free(current, plan)
        if now is not current:
            desired, current, plan = _compare(resource, desired, state, now)
    return (yield from _apply(resource, desired, state, current, plan))


def _run_at_once(job: Job[Value]) -> Value:
    """Return what a job returns that has nothing to wait for."""
    try:
        seen = next(job)
    except StopIteration as stop:
        return t.cast("Value", stop.value)
    raise AssertionError(seen)


def _ended(result: Value | Job[Value]) -> Job[Value]:
    """Return the result of a method, which may be a job."""
    return (yield from result) if isinstance(result, t.Generator) else result


def _plan(resource: Resource, desired: JsonMapping, current: JsonMapping | None, state: str) -> Plan:
    may_replace = bool(getattr(resource, "may_replace", False))
    return make_plan(resource.fields, desired, current, state, kind=resource.kind, may_replace=may_replace)


def _compare(
    resource: Resource, desired: JsonMapping, state: str, current: JsonObject | None
) -> tuple[JsonMapping, JsonObject | None, Plan]:
    compare = getattr(resource, "compare", None)
    if compare is not None:
        return t.cast("tuple[JsonMapping, t.Optional[JsonObject], Plan]", compare(current))
    return desired, current, _plan(resource, desired, current, state)


def _apply(
    resource: Resource, desired: JsonMapping, state: str, current: JsonObject | None, plan: Plan
) -> Job[Outcome]:
    if plan.action == CREATE:
        return (yield from _create(resource, desired, state, plan))
    if current is None or plan.action is None:
        return predict(resource.fields, plan, current)
    if plan.action == UPDATE:
        return (yield from _update(resource, desired, state, current, plan))
    _verify(resource, plan, current)
    yield from _ended(resource.delete(current))
    if plan.action == DELETE:
        return predict(resource.fields, plan, current)
    try:
        created = yield from _create(resource, desired, state, plan)
    except FcdError as error:  # if a run dies between the two, the next one creates the object as well
        note_change(error)
        kind, name = resource.kind, current.get("name")
        error.message = (
            f"{kind[0].upper()}{kind[1:]} {name!r} ({current['id']}) was removed, but not re-created: {error.message}"
        )
        error.next_step = next_step_of(error, f"Fix the cause and run the task again: it creates the {kind}.")
        raise
    return created._replace(action=REPLACE, before=plan.before, forced_by=plan.forced_by)


def _create(resource: Resource, desired: JsonMapping, state: str, plan: Plan) -> Job[Outcome]:
    created = yield from _ended(resource.create(plan.values))
    if created.by_us:
        require_values(resource, plan.values, created.record, "creation")
        return _outcome(resource.fields, plan, created.record)
    desired, current, plan = _compare(resource, desired, state, created.record)
    if plan.changed:
        return (yield from _apply(resource, desired, state, current, plan))
    outcome = predict(resource.fields, plan, current)
    return outcome._replace(action=UPDATE, before={}) if created.changed else outcome


def _update(resource: Resource, desired: JsonMapping, state: str, current: JsonObject, plan: Plan) -> Job[Outcome]:
    lock = getattr(resource, "lock", None)
    with lock(current) if lock else contextlib.nullcontext() as again:
        now: JsonObject | None = current
        if lock:
            desired = desired if again is None else again
            now = resource.find(desired)
            plan = _plan(resource, desired, now, state)
        if now is not None and plan.action == UPDATE:
            _verify(resource, plan, now)
            record = yield from _ended(resource.update(now, plan.values))
            if record is None:
                return predict(resource.fields, plan, now)
            require_values(resource, plan.values, record)
            return _outcome(resource.fields, plan, record)
    return (yield from _apply(resource, desired, state, now, plan))


def require_values(resource: Described, values: JsonMapping, record: JsonMapping, what: str = "change") -> None:
    """Raise OperationFailed unless the object has the values that were sent; what it does not show is left out."""
    sent = {name: value for name, value in values.items() if value != LATER and name in record}
    shown = [field for field in resource.fields if field.name in sent and not field.is_unknown(record[field.name])]
    wrong = [
        field.name
        for field in shown
        if not field.compare(sent[field.name], record[field.name])
        and field.compare(sent[field.name], sent[field.name])  # else it counts as different whatever the object shows
    ]
    if wrong:
        error = OperationFailed(
            f"The service has accepted the {what} of {resource.kind} {record.get('name') or record.get('id')!r}, but "
            f"does not show it in: {', '.join(wrong)}.",
            next_step="Check which values it has now before you run the task again.",
            id=record.get("id"),
            fields=wrong,
        )
        note_change(error)
        raise error


def _verify(resource: Resource, plan: Plan, current: JsonMapping | None) -> None:
    verify = getattr(resource, "verify", None)
    if verify is not None and plan.changed:
        with telling_difference(plan):
            verify(plan.action, plan.values, current)


def _outcome(fields: Fields, plan: Plan, record: JsonObject) -> Outcome:
    """Return what happened: the object as it is then, with secrets as the plan shows them."""
    secrets = {item.name: plan.after[item.name] for item in fields if item.secret and item.name in plan.after}
    return Outcome(plan.action, record, plan.before, {**mask_secrets(fields, record), **secrets}, plan.forced_by)


def predict(fields: Fields, plan: Plan, current: dict[str, object] | None) -> Outcome:
    """Return what a plan that is not applied says: the object as it would be, None for what is not known yet."""
    record = current
    if plan.action == DELETE:
        record = None
    elif plan.action is not None:
        own = {item.name: item.secret for item in fields}
        planned = {name: value for name, value in plan.after.items() if not own.get(name)}
        later = [name for name, value in planned.items() if value == LATER and name not in own]
        record = {**(current or {} if plan.action == UPDATE else {}), **planned, **dict.fromkeys(later)}
    return Outcome(plan.action, record, plan.before, plan.after, plan.forced_by)


MOST, MAX_PERCENT = 5, 20  # may be removed without permission: the smaller, at least one, but never the last
_LIMIT = re.compile(r"\s*(\d{1,9})\s*(%?)\s*")


class RemovalLimit:
    """A number (``10``), a share (``30%``), or None: 20 %, at least 1 and at most 5, and never all."""

    def __init__(self, given: str | None, option: str) -> None:
        self._given = None if given is None else _LIMIT.fullmatch(given)
        if given is not None and self._given is None:
            raise InvalidInput(
                f"{option}: {given!r} is neither a whole number, such as 10, nor a whole percentage, such as 30%.",
                option=option.partition(".")[0],
            )

    def of(self, whole: int) -> int:
        """Return how many of ``whole`` objects may be removed."""
        if self._given is None:
            return max(0, min(MOST, max(1, whole * MAX_PERCENT // 100), whole - 1))
        number, percent = t.cast("tuple[str, str]", self._given.groups())
        return whole * int(number) // 100 if percent else int(number)
