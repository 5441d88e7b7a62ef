# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan: what has to happen so that the current object becomes the wanted one. No I/O."""

from __future__ import annotations

import typing as t

from .._core.errors import ImmutableChange
from .._core.names import quoted
from .fields import Field, Fields, Record

CREATE, UPDATE, REPLACE, DELETE = "create", "update", "replace", "delete"
LATER = "(known after apply)"
HIDDEN = "(hidden)"
HIDDEN_CHANGED = "(hidden, changed)"


NOTHING: dict[str, t.Any] = {}  # never changed in place


class Plan(t.NamedTuple):
    """``action`` is create, update, replace, delete or None; ``values`` is what it needs.

    ``before`` and ``after`` are for the diff. ``forced_by`` names the fields that cannot be changed without a
    replacement, which is a removal and a creation.
    """

    action: str | None
    values: dict[str, t.Any] = NOTHING
    before: dict[str, t.Any] = NOTHING
    after: dict[str, t.Any] = NOTHING
    forced_by: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything has to be done."""
        return self.action is not None


def make_plan(
    fields: Fields,
    wanted: Record,
    current: Record | None,
    state: str,
    *,
    kind: str = "object",
    may_replace: bool = False,
) -> Plan:
    """Compare the wanted values with the current object.

    ``wanted`` holds only what the user gave: a key that is missing is left alone, a key with None is wanted as null.
    Raises ImmutableChange when a field differs that cannot be changed in place, unless the user wants a replacement.
    """
    if state == "absent":
        return Plan(None) if current is None else Plan(DELETE, before=shown(fields, current))
    given = [item for item in fields if item.name in wanted]
    if current is None:
        return _creation(fields, {item.name: wanted[item.name] for item in given})
    different = [item for item in given if not item.compare(wanted[item.name], current.get(item.name))]
    return _difference(fields, different, wanted, current, kind if not may_replace else None)


def _difference(fields: Fields, different: Fields, wanted: Record, current: Record, kind: str | None) -> Plan:
    """Return the plan that mends what differs; with a ``kind``, for the error, nothing may be replaced."""
    before = shown(fields, current)
    if not different:
        return Plan(None, before=before, after=before)
    changes = {item.name: wanted[item.name] for item in different}
    after = _after(fields, before, changes, current)
    fixed = [item for item in different if not item.in_place(changes[item.name], current.get(item.name))]
    if not fixed:
        return Plan(UPDATE, changes, before, after)
    if kind is not None:
        raise _immutable(fixed, changes, current, kind)
    return _replacement(fields, changes, current, fixed)._replace(before=before, after={**after, "id": LATER})


def _replacement(fields: Fields, changes: Record, current: Record, fixed: Fields) -> Plan:
    """Return the plan with all values that a create needs: those of today, and the changes."""
    values = {item.name: current[item.name] for item in fields if item.on_create and item.name in current}
    return Plan(REPLACE, {**values, **changes}, forced_by=tuple(item.name for item in fixed))


def shown(fields: Fields, record: Record) -> dict[str, t.Any]:
    """Return ``record`` as a diff may show it."""
    secret = {item.name for item in fields if item.secret}
    return {name: HIDDEN if name in secret and value is not None else value for name, value in record.items()}


def in_words(value: t.Any) -> str:
    """Return a value for a message: an item of a dictionary as ``label (number)``, the rest as YAML has it."""
    if isinstance(value, t.Mapping) and {"id", "label"} <= set(value):
        return str(value["id"]) if value["label"] is None else f"{value['label']} ({value['id']})"
    if isinstance(value, t.Mapping):
        return ", ".join(f"{name}: {in_words(entry)}" for name, entry in value.items()) or "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(in_words(entry) for entry in value) or "nothing"
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _creation(fields: Fields, given: Record) -> Plan:
    values = {item.name: given[item.name] for item in fields if item.name in given and item.on_create}
    return Plan(CREATE, values, {}, {"id": LATER, **shown(fields, values)})


def _after(fields: Fields, before: Record, changes: Record, current: Record) -> dict[str, t.Any]:
    after = dict(before)
    for item in fields:
        if item.name not in changes:
            continue
        if item.secret:
            after[item.name] = None if changes[item.name] is None else HIDDEN_CHANGED
        else:
            after[item.name] = merged_value(item, current.get(item.name), changes[item.name])
    return after


def merged_value(item: Field, current: t.Any, wanted: t.Any) -> t.Any:
    """Return what the field holds after the update."""
    return item.merge(current, wanted) if item.merge else wanted


def _immutable(fixed: Fields, changes: Record, current: Record, kind: str) -> ImmutableChange:
    listed = ", ".join(
        item.name
        if item.secret
        else f"{item.name} is {in_words(current.get(item.name))}, wanted {in_words(changes[item.name])}"
        f"{', and ' if item.why else ''}{item.why}"
        for item in fixed
    )
    return ImmutableChange(
        f"This cannot be changed on an existing {kind}: {listed}.",
        next_step=f"Take the present value, or remove the {kind} and let it be made again.",
        fields=[item.name for item in fixed],
    )
