# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain data to the XML of a request, and the tree of an answer to plain data, according to the contract.

Requests: a missing key leaves its element out; None is ``xsi:nil``, an error if that is not allowed. Lists
are plain lists. Keys count in any spelling (``warehouse_name``, ``WarehouseName``); two keys for one member are an
error, and so is a key that fits no member. ``_type`` names a derived type. Errors name the path:
``GetUsers.searchParams.PageSize``.

Results have keys in snake_case and every declared member, None if it is missing in the answer (a repeated member: an
empty list). But a number or a boolean that cannot be null is 0 or false if an object of a result lacks it, because
services of this kind leave such values out; dates, durations, guids and enumerations have no zero and stay None.
Members count in any order and, in case a service is careless, in any namespace and spelling; unknown members are left
out and noted. Elements instead of text, text instead of elements, and a single value that occurs twice are Malformed:
each would be a wrong value that nobody notices. A stated derived type is named in ``_type``. References (``z:Ref``) are
resolved; a reference to an element that is still open is the cycle ``{"_ref": id}``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from .._core.errors import InvalidInput
from .._core.text import did_you_mean, fold, names_a_secret, plain, snake
from .contract import ANY, DEEPEST, TOTALS, XSD, XSI, Contract, Malformed, SchemaField, local, result_names
from .envelope import REF, TYPE, Node, XmlTree, escape
from .simple_values import ZEROS, from_text, is_value, kind, to_text, wrong_value

TYPE_KEY = "_type"
MOST_VALUES = 2_000_000  # members and items of a result, including null ones: small elements become large rows
MOST_NOTED = 100

Content = t.Tuple[str, str]  # attributes, each preceded by a space, and the content of the element


class Encoder:
    """Encodes one message; ``prefixes`` maps the namespaces that its envelope must declare to their prefixes.

    There is never a default namespace, so an element without a prefix is in none. ``secrets`` collects the texts that
    must not be shown: the service may repeat them in its messages. ``defaulted`` collects the members, with their
    paths, that are left out and cannot be null: the service fills in the default of their type.
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
            raise wrong_value(path, "may not be null", "Omit it instead.")
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
            if field.defaulted and is_value(self._contract.simple(field.type), field.type):
                self.defaulted.append((path, field))
            return ""
        if field.nillable:
            return self._field(field, None, path, depth)
        raise wrong_value(path, "is required")

    def _derived(self, key: str, named: str, path: str) -> str:
        for other in self._contract.keys(named):
            if self._contract.is_a(other, key):
                return other
        raise wrong_value(f"{path}.{TYPE_KEY}", f"{named!r} is not a kind of {local(key)}")

    def _stated(self, key: str) -> str:
        name = key if key[:3] != "xs:" else f"{{{XSD}}}{key[3:]}"
        return f' i:type="{self._qualified(name)}"'

    def _anything(self, value: t.Any, path: str, depth: int) -> Content:
        """Encode a value whose type the schema leaves open: it must state its type."""
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
            raise wrong_value(path, f"must state its type in {TYPE_KEY}: the contract leaves it open")
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
    """Return the list, also if it is given as ``{"int": [1, 2]}``, the way it is written in XML."""
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
        return wrong_value(path, f"may stand for {' or '.join(sorted(found))}", "Write it exactly as one of these.")
    if found:
        return wrong_value(path, f"sets {found[0]} a second time")
    return wrong_value(path, "there is no such member", did_you_mean(key, [snake(field.name) for field in fields]))


class _Shape:
    """How a complex type decodes; worked out once for each type of a contract."""

    def __init__(self, contract: Contract, key: str) -> None:
        fields = contract.fields(key)
        names = result_names(fields)
        self.item = contract.item(key)
        self.blank: dict[str, t.Any] = {names[field.name]: None for field in fields}
        self.zeros: dict[str, t.Any] = {names[field.name]: _left_out(contract, field) for field in fields}
        self.repeated = [names[field.name] for field in fields if field.repeated]
        found = [(field, names[field.name], _plain_kind(contract, field)) for field in fields]
        self.by_element = {each[0].element: each for each in found}
        self.by_spelling = {fold(each[0].name): each for each in found}

    def empty(self, *, zeros: bool) -> dict[str, t.Any]:
        """Return all members, empty."""
        return {**(self.zeros if zeros else self.blank), **{name: [] for name in self.repeated}}


def _plain_kind(contract: Contract, field: SchemaField) -> str:
    """Return the built-in type of a member that is a single simple value, else an empty text."""
    simple = None if field.repeated or field.type == ANY else contract.simple(field.type)
    return simple["simple"] if simple else ""


def _left_out(contract: Contract, field: SchemaField) -> t.Any:
    """Return the value of a member that an answer leaves out; a total that is left out is unknown."""
    simple = contract.simple(field.type) if field.defaulted and fold(field.name) not in TOTALS else None
    return None if simple is None or simple.get("enum") else ZEROS.get(simple["simple"])


class Decoder:
    """Decodes one answer; ``unknown`` collects the first members that the contract does not have."""

    def __init__(self, contract: Contract, tree: XmlTree) -> None:
        self._contract = contract
        self._ids = tree.ids
        self._left = MOST_VALUES
        self._shapes: dict[str, _Shape] = contract.shapes
        self._open: list[Node] = []
        self._zeros = True
        self.unknown: list[str] = []

    def message(self, node: Node, key: str) -> dict[str, t.Any]:
        """Return the members of a message element: a missing result is None. Raises Malformed."""
        return self._members(node, key, local(node.tag))

    def fault_type(self, element: str) -> str | None:
        """Return the type key of an element that the WSDL defines for the detail of a fault."""
        return self._contract.faults.get(element)

    def value(self, node: Node, key: str) -> t.Any:
        """Return an element of known type in the detail of a fault: missing members are None. Raises Malformed."""
        self._zeros = False
        return self._value(node, key, local(node.tag))

    def _value(self, node: Node, key: str, path: str) -> t.Any:
        if not node.attributes:
            return self._content(node, key, path)
        reference = node.attributes.get(REF)
        if reference is not None:  # before null: one kind of serializer marks references as null too
            target = self._ids.get(reference)
            if target is None or target in self._open:
                return {"_ref": reference}
            node = target
        elif node.nil:
            return None
        stated = self._stated(node, key)
        value = self._content(node, stated or key, path)
        if stated and stated != key and isinstance(value, dict):
            value["_type"] = local(stated)
        return value

    def _content(self, node: Node, key: str, path: str) -> t.Any:
        if key == ANY:
            return generic(node, self._spend)
        simple = self._contract.simple(key)
        if simple is not None:
            if node.children:
                raise Malformed(f"{path} contains elements instead of text")
            return from_text(simple["simple"], node.text, path)
        item = self._shape(key).item
        self._open.append(node)
        value = self._members(node, key, path) if item is None else self._items(node, item, path)
        self._open.pop()
        return value

    def _items(self, node: Node, item: SchemaField, path: str) -> list[t.Any]:
        values: list[t.Any] = []
        self._spend(len(node.children))
        _check_text(node, path)
        for child in node.children:
            if child.tag == item.element or fold(local(child.tag)) == fold(item.name):
                values.append(self._value(child, item.type, f"{path}[{len(values)}]"))
            else:
                self._not_known(path, child)
        return values

    def _members(self, node: Node, key: str, path: str) -> dict[str, t.Any]:
        shape = self._shape(key)
        self._spend(max(len(node.children), len(shape.blank)))
        _check_text(node, path)
        _check_once(node, shape, path)
        out = shape.empty(zeros=self._zeros and bool(self._open))  # a message itself is not open
        for child in node.children:
            found = shape.by_element.get(child.tag) or shape.by_spelling.get(fold(local(child.tag)))
            if found is None:
                self._not_known(path, child)
                continue
            field, name, simple = found
            if simple and not child.attributes and not child.children:  # most of a large answer
                text = child.text
                out[name] = text if simple == "string" else from_text(simple, text, f"{path}.{field.name}")
                continue
            value = self._value(child, field.type, f"{path}.{field.name}")
            if field.repeated:
                out[name].append(value)
            else:
                out[name] = value
        return out

    def _not_known(self, path: str, node: Node) -> None:
        if len(self.unknown) < MOST_NOTED:
            self.unknown.append(f"{path}.{local(node.tag)}")

    def _spend(self, values: int) -> None:
        self._left -= values
        if self._left < 0:
            raise Malformed(f"it has more than {MOST_VALUES} values")
        if len(self._open) > DEEPEST:
            raise Malformed("it refers to itself without end")

    def _shape(self, key: str) -> _Shape:
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = _Shape(self._contract, key)
        return shape

    def _stated(self, node: Node, key: str) -> str | None:
        """Return the type that the element states, if the contract knows it and it fits the declared one."""
        stated = node.attributes.get(TYPE)
        if not stated:
            return None
        builtin = stated.startswith(f"{{{XSD}}}")
        other = f"xs:{local(stated)}" if builtin else stated
        if key == ANY:
            return other if builtin or self._contract.has_type(other) else None
        return other if not builtin and self._contract.has_type(other) and self._contract.is_a(other, key) else None


def _check_text(node: Node, path: str) -> None:
    """Raise Malformed for text where only elements are allowed."""
    if node.text and not node.text.isspace():
        raise Malformed(f"{path} contains text instead of elements")


def _check_once(node: Node, shape: _Shape, path: str) -> None:
    """Raise Malformed if a member with a single value occurs twice."""
    tags = [child.tag for child in node.children]
    if len(set(tags)) == len(tags):
        return
    for tag, (field, _name, _simple) in shape.by_element.items():
        if not field.repeated and tags.count(tag) > 1:
            raise Malformed(f"{path} contains {field.name} {tags.count(tag)} times instead of once")


def generic(node: Node, counted: t.Callable[[int], None] = lambda _values: None) -> t.Any:
    """Return an element that the contract does not describe as plain data: text, or a dictionary of its content.

    ``counted`` is told the number of values in each element that has some.
    """
    if node.nil:
        return None
    if not node.children:
        return node.text
    counted(len(node.children))
    out: dict[str, t.Any] = {}
    for child in node.children:
        name, value = plain(local(child.tag)), generic(child, counted)
        if name not in out:
            out[name] = value
        elif isinstance(out[name], list):
            out[name].append(value)
        else:
            out[name] = [out[name], value]
    return out
