# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of the service's types by what we call them: their real names are only known from the WSDL.

Source: wire-facts 9.4 (hardly a member is known). An attribute that no member fits is left out of a record: it cannot
be read, and nothing is assumed about it.
"""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.text import did_you_mean, fold
from .._soap.contract import Contract, result_names

SEARCH_TEXT = ("search_text", "text", "search_phrase", "phrase")
"""What a search may call its text (seen: SearchText). What it is compared with is not known."""


class Members:
    """The members of one type. ``overrides`` is the option soap_member_map: ``{"Type.attribute": "Member"}``."""

    def __init__(self, contract: Contract, type_name: str, overrides: t.Mapping[str, str] | None = None) -> None:
        """Look the type up: a complex type, or else the input of an operation. Raises InvalidInput."""
        self.type_name = type_name
        self._keys = result_names(contract.fields(_type_key(contract, type_name)))
        self._overrides = {
            attribute: member
            for name, member in (overrides or {}).items()
            for type_part, _dot, attribute in (name.rpartition("."),)
            if fold(type_part) == fold(type_name)
        }

    def names(self) -> list[str]:
        """Return the members by their names in the schema."""
        return list(self._keys)

    def find(self, attribute: str, *candidates: str) -> str:
        """Return the key that results have for ``attribute``; requests take it too.

        It is the member that soap_member_map says, else the first of ``attribute`` and ``candidates``, in any
        spelling, that is one. Raises InvalidInput naming the members of the type when nothing fits.
        """
        found = self.find_if_any(attribute, *candidates)
        if found is not None:
            return found
        raise InvalidInput(
            f"The service's type {self.type_name} has no member that could be {attribute}: "
            f"it has {', '.join(self._keys) or 'none'}.",
            next_step=f'Name the member in soap_member_map: {{"{self.type_name}.{attribute}": ...}}.',
            type=self.type_name,
            attribute=attribute,
        )

    def find_if_any(self, attribute: str, *candidates: str) -> str | None:
        """Return the same as ``find``, or None when no member fits."""
        if attribute in self._overrides:
            return self._overridden(attribute)
        for candidate in (attribute, *candidates):
            fitting = [name for name in self._keys if fold(name) == fold(candidate)]
            if candidate in self._keys or len(fitting) == 1:
                return self._keys[candidate if candidate in self._keys else fitting[0]]
        return None

    def _overridden(self, attribute: str) -> str:
        wanted = self._overrides[attribute]
        for name in (wanted, *(name for name in self._keys if fold(name) == fold(wanted))):
            if name in self._keys:
                return self._keys[name]
        raise InvalidInput(
            f"soap_member_map: the service's type {self.type_name} has no member {wanted!r}.",
            next_step=did_you_mean(wanted, self._keys),
            type=self.type_name,
            attribute=attribute,
        )


def _type_key(contract: Contract, name: str) -> str:
    for key in contract.keys(name):
        if contract.simple(key) is None:
            return key
    if any(fold(name) == fold(operation) for operation in contract.operations()):
        return contract.operation(name).input[1]
    raise InvalidInput(
        f"The WSDL {contract.source} has no type {name!r}.", next_step=did_you_mean(name, contract.type_names())
    )


def member_advice(type_name: str, attribute: str) -> str:
    """Return how to say which member of a type holds an attribute."""
    return f'soap_member_map ({{"{type_name}.{attribute}": ...}})'


def not_compared(type_name: str, names: t.Sequence[str], attribute: str) -> str:
    """Return the warning that these cannot be compared; ``attribute`` is the first of them."""
    return (
        f"These cannot be compared, since the service's type {type_name} has no member for them: {', '.join(names)}. "
        f"If it has, name it in {member_advice(type_name, attribute)}."
    )


def would_be_lost(missing: t.Sequence[str], advice: str) -> InvalidInput:
    """Return the error that an update would replace what is neither given nor readable."""
    return InvalidInput(
        "The service replaces these together with what changes, and does not tell what they are now: "
        f"{', '.join(missing)}.",
        next_step=f"Give {', '.join(missing)}, or name the member in {advice}.",
        missing=list(missing),
    )


class Attribute(t.NamedTuple):
    """An attribute by the name of its option, and what its member may be called besides that, in any spelling.

    Where the member holds an object in place of a plain value, ``inner`` says what may hold the value in there.
    """

    name: str
    members: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()


class MemberReader:
    """Reads objects of one type."""

    def __init__(self, members: Members, attributes: t.Sequence[Attribute]) -> None:
        """Match the attributes with the members. Raises InvalidInput when soap_member_map names one wrongly."""
        self.type_name = members.type_name
        self._members = members
        self._inner = {item.name: item.inner for item in attributes}
        self._keys = {item.name: members.find_if_any(item.name, *item.members) for item in attributes}
        self._candidates = {item.name: item.members for item in attributes}

    def key(self, name: str) -> str | None:
        """Return the key that objects of this type have for the attribute, None when no member fits."""
        return self._keys[name]

    def needed(self, *names: str) -> None:
        """Raise InvalidInput, naming the members that there are, when one of these attributes has no member."""
        for name in names:
            if self._keys[name] is None:
                self._members.find(name, *self._candidates[name])

    def record(self, row: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
        """Return what can be read of an object, by the names of the attributes."""
        found: dict[str, t.Any] = {}
        for name, key in self._keys.items():
            if key is None or key not in row:
                continue
            value = row[key]
            if not isinstance(value, dict):
                found[name] = value
                continue
            inside = _inside(value, self._inner[name])
            if inside is not None:
                found[name] = value[inside]
        return found


def _inside(value: t.Mapping[str, t.Any], names: t.Sequence[str]) -> str | None:
    for name in names:
        for key, entry in value.items():
            if fold(key) == fold(name) and not isinstance(entry, (dict, list)):
                return key
    return None
