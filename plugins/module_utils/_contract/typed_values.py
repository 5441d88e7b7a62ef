# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared values of the contract's types: checked, compared with the service's, and merged.

Only the WSDL says which members a type has. A declared dictionary is about the members in it, in any spelling, and no
others. Values have the form of answers: keys in snake_case, decimals and times as text. Simple values are compared by
meaning: ``10.00`` is ``10``, and noon UTC is 14:00+02:00.
"""

from __future__ import annotations

import itertools
import re
import typing as t
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from .._core.text import fold
from .._soap.codec import (
    MARKS,
    TYPE_KEY,
    UNKNOWN_KEY,
    Incomplete,
    from_text,
    is_cycle,
    kind,
    match_members,
    missing_in,
    to_text,
    unwrap_list,
    wrong_value,
)
from .._soap.contract import ANY, MAX_MESSAGE_DEPTH, Contract, SchemaField, local

Member = SchemaField  # under this name for the resources, which do not know SOAP
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:(Z)|([+-])(\d\d):(\d\d))?\Z", re.ASCII)
_NUMBERS = {"decimal", "float", "double"}


class TypedValues:
    """Checks, compares and merges values of one contract's types."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._operations: set[str] = set()

    def inputs(self, operation: str) -> list[SchemaField]:
        """Return the inputs of an operation. Raises InvalidInput when the WSDL does not have it."""
        return self._contract.inputs(operation)

    def offers(self, operation: str) -> bool:
        """Whether the WSDL has the operation."""
        if not self._operations:
            self._operations = {fold(name) for name in self._contract.operations()}
        return fold(operation) in self._operations

    def members(self, key: str) -> dict[str, SchemaField]:
        """Return the members of a complex type by their keys in results."""
        return self._contract.members(key)

    def item(self, field: SchemaField) -> SchemaField | None:
        """Return the member for the entries of a list; None if the field is not a list."""
        found = field if field.repeated else self._contract.item(field.type)
        return found._replace(repeated=False) if found is not None and found.repeated else None

    def identity(self, key: str) -> str | None:
        """Return the member of a complex type that holds the ID of its objects: ``Id``, or ``UserId`` of User."""
        word = fold(local(key))
        fitting = [name for name in self.members(key) if fold(name)[-2:] == "id" and word.startswith(fold(name)[:-2])]
        return max(fitting, key=len) if fitting else None

    def check(self, field: SchemaField, value: object, path: str, depth: int = 0) -> t.Any:
        """Return the value in the form of answers. Raises InvalidInput with the path of a mistake."""
        if value is None:
            if not (field.nillable or field.repeated):
                raise wrong_value(path, "may not be null", "Leave it out instead.")
            return None
        if depth > MAX_MESSAGE_DEPTH:
            raise wrong_value(path, f"is nested deeper than {MAX_MESSAGE_DEPTH} levels")
        item = self.item(field)
        if item is not None:
            values = unwrap_list(item, value)
            if not isinstance(values, (list, tuple)):
                raise wrong_value(path, f"must be a list, not {kind(values)}")
            return [self.check(item, entry, f"{path}[{index}]", depth + 1) for index, entry in enumerate(values)]
        if field.type == ANY:
            return value
        simple = self._contract.simple(field.type)
        if simple is not None:
            return from_text(simple["simple"], to_text(simple, value, path), path)
        return self._check_members(field.type, value, path, depth)

    def holds(self, field: SchemaField, desired: t.Any, current: t.Any) -> bool:
        """Return whether the service has the desired value; members that a declared dictionary lacks are ignored."""
        if desired is None or current is None:
            return self._is_empty(field, desired) and self._is_empty(field, current)
        if field.type == ANY or (isinstance(desired, (dict, list)) and _shape(desired) is not _shape(current)):
            return bool(desired == current)
        item = self.item(field)
        if item is not None:
            return len(desired) == len(current) and all(map(self.holds, itertools.repeat(item), desired, current))
        simple = self._contract.simple(field.type)
        if simple is not None:
            return same_simple_value(simple, desired, current)
        members = self.members(self._actual_type(field.type, desired))
        return all(self.holds(members[name], value, current.get(name)) for name, value in _entries(desired))

    def merge(self, field: SchemaField, current: t.Any, desired: t.Any) -> t.Any:
        """Return the value to send: the desired one merged into the current one.

        An object with another ID is another object: nothing of the current one is kept then.
        """
        if not isinstance(desired, (dict, list)) or _shape(desired) is not _shape(current) or field.type == ANY:
            return desired
        item = self.item(field)
        if item is not None:
            if len(desired) != len(current):
                return desired
            return [self.merge(item, old, new) for old, new in zip(current, desired)]
        if not isinstance(desired, dict) or self.is_another(field.type, current, desired):
            return desired
        members = self.members(self._actual_type(field.type, desired))
        laid = {name: self.merge(members[name], current.get(name), value) for name, value in _entries(desired)}
        return Incomplete({**current, **laid}, missing_in(current) - laid.keys())

    def is_another(self, key: str, current: t.Mapping[str, object], desired: t.Mapping[str, object]) -> bool:
        """Whether the desired object is another one than the current, by its ID or its type."""
        number = self.identity(key)
        if TYPE_KEY in desired and desired[TYPE_KEY] != current.get(TYPE_KEY, local(key)):
            return True
        return number is not None and number in desired and desired[number] != current.get(number)

    def _check_members(self, key: str, value: object, path: str, depth: int) -> dict[str, object]:
        if not isinstance(value, t.Mapping):
            raise wrong_value(path, f"must be a dictionary ({local(key)}), not {kind(value)}")
        stated = self._actual_type(key, value)
        if value.get(TYPE_KEY) is not None and fold(local(stated)) != fold(str(value[TYPE_KEY])):
            raise wrong_value(f"{path}.{TYPE_KEY}", f"{value[TYPE_KEY]!r} is not a kind of {local(key)}")
        given = match_members(self._contract.fields(stated), value, path)
        members = self.members(stated)
        checked = {
            name: self.check(field, given[field.name], f"{path}.{name}", depth + 1)
            for name, field in members.items()
            if field.name in given
        }
        return checked if stated == key else {**checked, TYPE_KEY: local(stated)}

    def _actual_type(self, key: str, value: t.Mapping[str, object]) -> str:
        """Return the key of the type that a value states, if it is derived from the declared one."""
        named = value.get(TYPE_KEY)
        return (None if named is None else self._contract.kind_of(key, str(named))) or key

    def _is_empty(self, field: SchemaField, value: object) -> bool:
        """Whether a value counts as none; a number that cannot be null is 0 if it was left out."""
        if value in (None, "", [], {}):
            return True
        if isinstance(value, dict):
            members = self.members(self._actual_type(field.type, value))
            empty = all(name in members and self._is_empty(members[name], entry) for name, entry in _entries(value))
            return empty and UNKNOWN_KEY not in value
        return not field.nillable and value in (0, False, "0")


def known_members(value: t.Mapping[str, object]) -> dict[str, object]:
    """Return the members of an object that was read as far as they are known: none of one that is around it."""
    return {} if is_cycle(value) else {name: entry for name, entry in value.items() if name != UNKNOWN_KEY}


def _shape(value: object) -> type:
    return dict if isinstance(value, dict) else type(value)


def _entries(value: t.Mapping[str, object]) -> list[tuple[str, object]]:
    return [(name, entry) for name, entry in value.items() if name not in MARKS]


def same_simple_value(simple: t.Mapping[str, object], desired: object, current: object) -> bool:
    """Return whether both values of a simple type (as Contract.simple describes it) mean the same."""
    name = simple["simple"]
    if simple.get("enum"):
        return fold(str(desired)) == fold(str(current))
    if name in _NUMBERS:
        return bool(_number(desired) == _number(current))
    if name == "dateTime":
        return same_time(str(desired), str(current))
    if name == "base64Binary":
        return "".join(str(desired).split()) == "".join(str(current).split())
    return isinstance(desired, bool) == isinstance(current, bool) and bool(desired == current)


def same_time(one: str, other: str) -> bool:
    """Return whether both are the same moment or, if one of them has no time zone, the same clock time."""
    first, second = _moment(one), _moment(other)
    if first is None or second is None:
        return one == other
    clock, fraction, offset = first
    other_clock, other_fraction, other_offset = second
    if offset is not None and other_offset is not None:
        clock, other_clock = clock - offset, other_clock - other_offset
    return (clock, fraction) == (other_clock, other_fraction)


def _number(value: object) -> object:
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return value


def _moment(text: str) -> tuple[datetime, str, timedelta | None] | None:
    """Return clock time, fraction of a second and offset from UTC; None for an impossible date."""
    found = _TIME.match(text)
    if found is None:
        return None
    clock, fraction, utc, sign, hours, minutes = found.groups()
    offset = timedelta(0) if utc else None
    try:
        if sign:
            offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
        return datetime.fromisoformat(clock), (fraction or "").rstrip("0"), offset
    except (OverflowError, ValueError):
        return None
