# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain data to XML text, driven by the contract.

A key that is missing leaves its element out; None is ``xsi:nil``, an error where that is not allowed. Lists are plain
lists. Keys count in any spelling (``warehouse_name``, ``WarehouseName``); two keys for one member are an error, and so
is a key that fits no member. ``_type`` names a derived type. Errors name the path: ``GetUsers.searchParams.PageSize``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from .._core.errors import InvalidInput
from .._core.text import did_you_mean, fold, names_a_secret, snake
from .contract import ANY, DEEPEST, XSD, XSI, Contract, SchemaField, local
from .simple_values import is_value, kind, to_text, wrong_value

TYPE_KEY = "_type"

Content = t.Tuple[str, str]  # attributes with a blank before each, and what stands inside the element


def escape(text: str) -> str:
    """Return ``text`` for the inside of an element or of an attribute in double quotes."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("\r", "&#13;")


class Encoder:
    """Encodes one message; ``prefixes`` has the namespaces that its envelope must declare, by address.

    There is never a default namespace, so an element without a prefix is in none. ``secrets`` collects the texts that
    nobody may see again: the service may repeat them in its words. ``defaulted`` collects the members, each with its
    path, that are left out and have no null: the service fills in the default of their type.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.prefixes: dict[str, str] = {XSI: "i"}
        self.secrets: list[str] = []
        self.defaulted: list[tuple[str, SchemaField]] = []

    def message(self, element: str, key: str, values: Mapping[str, t.Any]) -> str:
        """Return the element of a message with ``values`` in it. Raises InvalidInput."""
        return self._element(element, self._members(key, values, local(element), 0))

    def _element(self, name: str, content: Content) -> str:
        tag = self._qualified(name)
        attributes, inside = content
        return f"<{tag}{attributes}>{inside}</{tag}>" if inside else f"<{tag}{attributes}/>"

    def _qualified(self, name: str) -> str:
        if name[:1] != "{":
            return name
        namespace, _brace, word = name[1:].rpartition("}")
        prefix = self.prefixes.setdefault(namespace, f"n{len(self.prefixes)}")
        return f"{prefix}:{word}"

    def _field(self, field: SchemaField, value: t.Any, path: str, depth: int) -> str:
        if value is not None:
            return self._element(field.element, self._content(field.type, value, path, depth + 1))
        if not field.nillable:
            raise wrong_value(path, "may not be null", "Leave it out instead.")
        return self._element(field.element, (' i:nil="true"', ""))

    def _content(self, key: str, value: t.Any, path: str, depth: int) -> Content:
        if depth > DEEPEST:
            raise wrong_value(path, f"is nested deeper than {DEEPEST} levels")
        if key == ANY:
            return self._anything(value, path, depth)
        simple = self._contract.simple(key)
        if simple is not None:
            return "", escape(to_text(simple, value, path))
        item = self._contract.item(key)
        if item is not None:
            return "", self._items(item, unwrapped(item, value), path, depth)
        if not isinstance(value, Mapping):
            raise wrong_value(path, f"must be a dictionary ({local(key)}), not {kind(value)}")
        return self._members(key, value, path, depth)

    def _items(self, item: SchemaField, values: t.Any, path: str, depth: int) -> str:
        if not isinstance(values, (list, tuple)):
            raise wrong_value(path, f"must be a list, not {kind(values)}")
        return "".join(self._field(item, entry, f"{path}[{index}]", depth) for index, entry in enumerate(values))

    def _members(self, key: str, values: Mapping[str, t.Any], path: str, depth: int) -> Content:
        attributes = ""
        named = values.get(TYPE_KEY)
        if named is not None:
            derived = self._derived(key, str(named), path)
            attributes = "" if derived == key else self._stated(derived)
            key = derived
        fields = self._contract.fields(key)
        given = matched(fields, values, path)
        parts = [self._member(field, given, f"{path}.{field.name}", depth) for field in fields]
        return attributes, "".join(parts)

    def _member(self, field: SchemaField, given: Mapping[str, t.Any], path: str, depth: int) -> str:
        if field.name in given:
            value = given[field.name]
            if isinstance(value, (str, int)) and not isinstance(value, bool) and names_a_secret(field.name):
                self.secrets.append(str(value))
            return self._items(field, value, path, depth) if field.repeated else self._field(field, value, path, depth)
        if not field.required:
            if field.defaulted and self._is_value(field.type):
                self.defaulted.append((path, field))
            return ""
        if field.nillable:
            return self._field(field, None, path, depth)
        raise wrong_value(path, "is required")

    def _is_value(self, key: str) -> bool:
        simple = self._contract.simple(key)
        return simple is not None and is_value(simple, key)

    def _derived(self, key: str, named: str, path: str) -> str:
        for other in self._contract.keys(named):
            if self._contract.is_a(other, key):
                return other
        raise wrong_value(f"{path}.{TYPE_KEY}", f"{named!r} is not a kind of {local(key)}")

    def _stated(self, key: str) -> str:
        name = key if key[:3] != "xs:" else f"{{{XSD}}}{key[3:]}"
        return f' i:type="{self._qualified(name)}"'

    def _anything(self, value: t.Any, path: str, depth: int) -> Content:
        """Encode a value whose type the schema leaves open: it has to say what it is."""
        if isinstance(value, Mapping):
            return self._any_structure(value, path, depth)
        for types, name in _OPEN:
            if isinstance(value, types):
                word = "long" if name == "int" and not -(1 << 31) <= value < 1 << 31 else name
                return self._stated(f"xs:{word}"), escape(to_text({"simple": word}, value, path))
        raise wrong_value(path, f"cannot be {kind(value)}: the contract leaves the type open")

    def _any_structure(self, value: Mapping[str, t.Any], path: str, depth: int) -> Content:
        keys = [key for key in self._contract.keys(str(value.get(TYPE_KEY))) if not self._contract.simple(key)]
        if not keys:
            raise wrong_value(path, f"must say its type in {TYPE_KEY}: the contract leaves it open")
        attributes = self._stated(keys[0])
        return attributes, self._members(keys[0], {**value, TYPE_KEY: None}, path, depth)[1]


_OPEN: tuple[tuple[t.Any, str], ...] = (
    (bool, "boolean"),
    (int, "int"),
    (float, "double"),
    (str, "string"),
    ((bytes, bytearray), "base64Binary"),
)


def unwrapped(item: SchemaField, value: t.Any) -> t.Any:
    """Return the list also when it is given as ``{"int": [1, 2]}``, the way it is written in XML."""
    if isinstance(value, Mapping) and [fold(str(key)) for key in value] == [fold(item.name)]:
        return next(iter(value.values()))
    return value


def matched(fields: t.Sequence[SchemaField], values: Mapping[str, t.Any], path: str) -> dict[str, t.Any]:
    """Return the values by the names of the schema."""
    names = {field.name for field in fields}
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(fold(name), []).append(name)
    given: dict[str, t.Any] = {}
    for key, value in values.items():
        if key == TYPE_KEY:
            continue
        found = [key] if key in names else folded.get(fold(str(key)), [])
        if len(found) != 1 or found[0] in given:
            raise _mismatch(f"{path}.{key}", found, str(key), fields)
        given[found[0]] = value
    return given


def _mismatch(path: str, found: t.Sequence[str], key: str, fields: t.Sequence[SchemaField]) -> InvalidInput:
    if len(found) > 1:
        return wrong_value(path, f"may stand for {' or '.join(sorted(found))}", "Write it exactly as one of them.")
    if found:
        return wrong_value(path, f"gives {found[0]} a second time")
    return wrong_value(path, "there is no such member", did_you_mean(key, [snake(field.name) for field in fields]))
