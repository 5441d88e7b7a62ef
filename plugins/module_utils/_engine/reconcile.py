# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring one object to its desired state: read, plan and, outside check mode, apply."""

from __future__ import annotations

import typing as t

from .._core.errors import mark_changed_on_error
from .plan import CREATE, DELETE, LATER, REPLACE, UPDATE, Fields, Plan, Record, make_plan, shown


class Created(t.NamedTuple):
    """What a create returned; ``by_us`` is False if another job had created the object in the meantime.

    ``changed``: this create may have changed what the other job created.
    """

    record: dict[str, t.Any]
    by_us: bool = True
    changed: bool = False


class Resource(t.Protocol):
    """One kind of object; records use the names of the options, plus ``id`` and members that can only be read.

    It may also have ``verify(action, changes, current)``, which raises if the service would refuse what is planned (for
    example, a name that is taken). It only reads. It is called before an update or a delete, and in check mode also
    before a create; before a real create, the resource does this itself, under its lock (see create_once).

    With ``may_replace``, the object may be removed and created again if a field cannot be changed in place.

    If an update sends values that were read, the resource may have ``alone(current)``, a context in which no other task
    changes the object. It is entered if there is something to change, and the object is read and compared again there.
    """

    @property
    def kind(self) -> str:
        """What a person calls it, for messages."""

    @property
    def fields(self) -> Fields:
        """Its attributes."""

    def find(self, desired: Record) -> dict[str, t.Any] | None:
        """Return the current object, or None. Raises Ambiguous if several match."""

    def create(self, values: Record) -> Created:
        """Create it."""

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Change it and return it as it is then."""

    def delete(self, current: Record) -> None:
        """Remove it."""


class Outcome(t.NamedTuple):
    """What happened, or would happen in check mode. ``record`` is None if the object does not exist.

    ``forced_by`` names the fields that can only be changed by replacing the object.
    """

    action: str | None
    record: dict[str, t.Any] | None
    before: dict[str, t.Any]
    after: dict[str, t.Any]
    forced_by: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether something was, or would be, changed."""
        return self.action is not None

    @property
    def diff(self) -> dict[str, t.Any]:
        """Before and after, as Ansible shows them."""
        return {"before": self.before, "after": self.after}


def reconcile(
    resource: Resource, desired: Record, state: str, *, check_mode: bool, expects_new: bool = False
) -> Outcome:
    """Bring the object to ``state`` (``present`` or ``absent``) with the desired values.

    With ``expects_new``, only the create looks for it, under its lock, and then compares it.
    """
    current = None if expects_new else resource.find(desired)
    plan = _plan(resource, desired, current, state)
    if check_mode:
        _verify(resource, plan, current)
    if check_mode or not plan.changed:
        return _foreseen(resource.fields, plan, current)
    if plan.action == CREATE:
        return _create(resource, desired, state, plan)
    current = t.cast("dict[str, t.Any]", current)
    if plan.action == DELETE:
        _verify(resource, plan, current)
        resource.delete(current)
        return Outcome(DELETE, None, plan.before, {})
    if plan.action == REPLACE:
        return _replace(resource, current, plan)
    return _update(resource, desired, state, current, plan)


def _plan(resource: Resource, desired: Record, current: Record | None, state: str) -> Plan:
    may_replace = bool(getattr(resource, "may_replace", False))
    return make_plan(resource.fields, desired, current, state, kind=resource.kind, may_replace=may_replace)


def _replace(resource: Resource, current: dict[str, t.Any], plan: Plan) -> Outcome:
    """Remove the object and create another: if a run dies between the two, the next one creates it."""
    _verify(resource, plan, current)
    resource.delete(current)
    with mark_changed_on_error():
        record = resource.create(plan.values).record
    after = {**shown(resource.fields, record), **_hidden(resource.fields, plan)}
    return Outcome(REPLACE, record, plan.before, after, plan.forced_by)


def _create(resource: Resource, desired: Record, state: str, plan: Plan) -> Outcome:
    created = resource.create(plan.values)
    if created.by_us:
        after = {**shown(resource.fields, created.record), **_hidden(resource.fields, plan)}
        return Outcome(CREATE, created.record, {}, after)
    second = _plan(resource, desired, created.record, state)
    if second.changed:
        return _update(resource, desired, state, created.record, second)
    outcome = _foreseen(resource.fields, second, created.record)
    return outcome._replace(action=UPDATE, before={}) if created.changed else outcome


def _update(resource: Resource, desired: Record, state: str, current: dict[str, t.Any], plan: Plan) -> Outcome:
    alone = getattr(resource, "alone", None)
    if alone is None:
        return _updated(resource, current, plan)
    with alone(current):
        now = resource.find(desired)
        plan = _plan(resource, desired, now, state)
        if now is not None and plan.changed:
            return _updated(resource, now, plan)
    return _foreseen(resource.fields, plan, now) if now is not None else _create(resource, desired, state, plan)


def _updated(resource: Resource, current: dict[str, t.Any], plan: Plan) -> Outcome:
    _verify(resource, plan, current)
    record = resource.update(current, plan.values)
    return Outcome(
        plan.action, record, plan.before, {**shown(resource.fields, record), **_hidden(resource.fields, plan)}
    )


def _verify(resource: Resource, plan: Plan, current: Record | None) -> None:
    verify = getattr(resource, "verify", None)
    if verify is not None and plan.changed:
        verify(plan.action, plan.values, current)


def _hidden(fields: Fields, plan: Plan) -> dict[str, t.Any]:
    return {item.name: plan.after[item.name] for item in fields if item.secret and item.name in plan.after}


def _foreseen(fields: Fields, plan: Plan, current: dict[str, t.Any] | None) -> Outcome:
    """Return what a plan that is not applied says: the current object with the planned values."""
    record = current
    if plan.action == DELETE:
        record = None
    elif plan.action is not None:
        own = {item.name: item.secret for item in fields}
        planned = {name: value for name, value in plan.after.items() if not own.get(name)}
        later = [name for name, value in planned.items() if value == LATER and name not in own]
        record = {**(current or {}), **planned, **dict.fromkeys(later)}
    return Outcome(plan.action, record, plan.before, plan.after, plan.forced_by)
