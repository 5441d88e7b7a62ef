# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of SOAP types by the names of our options, whatever the service calls its members.

Which members a type has is only known from the WSDL (wire-facts 9.4), so an attribute that no member fits is left out
of the record: it cannot be read, and nothing is assumed about it.
"""

from __future__ import annotations

import typing as t

from .._core.names import fold
from .members import Members

SEARCH_TEXT = ("search_text", "text", "search_phrase", "phrase")
"""What a search may call its text (seen: SearchText). What it is compared with is not known."""


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
