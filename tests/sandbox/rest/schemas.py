# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON schemas made from the types of ``operations.yaml``, for one line of the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

INT32, INT64 = 2**31 - 1, 2**63 - 1
NAMES = ("Id", "Name")
"""Members that are never null in an answer."""
FURTHER = "AddedSince"
"""The member that the setting ``further_members`` adds to every object of an answer."""
TIME_GIVEN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$"
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$"

_REF: Schema = {"Id": {"type": "integer"}}
_NAMED: Schema = {**_REF, "Name": {"type": "string"}}
_LINK: Schema = {"Rel": {"const": "self"}, "Href": {"type": "string", "pattern": "^https?://.*/dictionaries/[0-9]+$"}}


def _whole(members: Schema) -> Schema:
    """An object that has these members and no other, but for the further one."""
    allowed = {**members, FURTHER: {}}
    return {"type": "object", "properties": allowed, "required": list(members), "additionalProperties": False}


_DICTIONARY = _whole({**_REF, "Links": {"type": "array", "items": _whole(_LINK)}})
SCALARS: dict[str, Schema] = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "int32": {"type": "integer", "minimum": -INT32 - 1, "maximum": INT32},
    "int64": {"type": "integer", "minimum": -INT64 - 1, "maximum": INT64},
    "double": {"type": "number"},
    "date_time": {"type": "string", "pattern": TIME},
    "ref": _whole(_REF),
    "named_ref": _whole(_NAMED),
    "dictionary_item": _whole({**_REF, "Label": {"type": "string"}, "Dictionary": _DICTIONARY}),
}
BOUNDS = {
    "min": "minimum",
    "max": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
}


def of_line(declared: Mapping[str, Mapping[str, Any]], line: str) -> dict[str, Mapping[str, Any]]:
    """The members or parameters that a line has."""
    return {name: one for name, one in declared.items() if line in one.get("in", [line])}


class Schemas:
    """Schemas of the types for requests and for answers of one line (D1 or D2)."""

    def __init__(self, types: Mapping[str, Mapping[str, Mapping[str, Any]]], line: str) -> None:
        self._types = types
        self._line = line

    def answer(self, kind: str) -> Schema:
        """What an answer of that type may be: every member of the line is there, and none that it does not have."""
        outer, _, inner = kind.partition(" of ")
        if outer == "page":
            rows = {"type": "array", "items": self.answer(inner)}
            return _whole({"Items": rows, "Meta": _whole({"Total": {"type": "integer", "minimum": 0}})})
        if outer == "list":
            return {"type": "array", "items": self.answer(inner)}
        if kind in SCALARS:
            return SCALARS[kind]
        members = of_line(self._types[kind], self._line)
        return _whole({name: self._shown(name, one) for name, one in members.items()})

    def _shown(self, name: str, declared: Mapping[str, Any]) -> Schema:
        found = self.answer(declared["type"])
        return found if name in NAMES else {"anyOf": [found, {"type": "null"}]}

    def body(self, kind: str) -> Schema:
        """What a request's body of that type may be, but for members that the line does not have."""
        members = of_line(self._types[kind], self._line)
        required = [name for name, one in members.items() if self._line in one.get("required", [])]
        properties = {name: self.given(one) for name, one in members.items()}
        return {"type": "object", "properties": properties, "required": required}

    def given(self, declared: Mapping[str, Any]) -> Schema:
        """What a value in a body or a query may be."""
        outer, _, inner = declared["type"].partition(" of ")
        if outer == "list":
            return {"type": "array", "items": self.given({"type": inner})}
        if outer not in SCALARS:
            return self.body(outer)
        if outer == "date_time":
            return {"type": "string", "pattern": TIME_GIVEN}
        bounds = {word: declared[name] for name, word in BOUNDS.items() if name in declared}
        allowed = declared.get("enum", declared.get("values"))
        return {**SCALARS[outer], **bounds, **({"enum": allowed} if allowed else {})}

    def unknown(self, kind: str, body: Mapping[str, Any]) -> list[str]:
        """The members of a body that the line does not have."""
        return [name for name in body if name not in of_line(self._types[kind], self._line)]
