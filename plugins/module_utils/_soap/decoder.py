# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of an answer to plain data, driven by the contract.

Results have keys in snake_case and every declared member, None where the answer has nothing (a repeated member: an
empty list). But a number or a boolean that has no null is 0 or false where an object of a result lacks it, for that is
what services of this kind leave out; dates, durations, guids and words have no zero and stay None. Members count in any
order and, where a service is careless with them, in any namespace and spelling; what the contract does not know is left
out and noted. Elements where a text belongs, a text where elements belong, and one value twice are Malformed: each
would be a wrong value that nobody sees. A stated derived type is named in ``_type``. References (``z:Ref``) are
resolved; a reference to an element that is still open is the cycle ``{"_ref": id}``.
"""

from __future__ import annotations

import typing as t

from .._core.text import fold, plain
from .contract import ANY, DEEPEST, TOTALS, XSD, Contract, Malformed, SchemaField, local, result_names
from .envelope import REF, TYPE, Node, XmlTree
from .simple_values import ZEROS, from_text

MOST_VALUES = 2_000_000  # members and items of a result, with those that are null: small elements become large rows
MOST_NOTED = 100


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


def _plain_kind(contract: Contract, field: SchemaField) -> str:
    """Return the built-in type of a member that is one simple value, else an empty text."""
    simple = None if field.repeated or field.type == ANY else contract.simple(field.type)
    return simple["simple"] if simple else ""


def _left_out(contract: Contract, field: SchemaField) -> t.Any:
    """Return what a member of an object is that an answer does not have; a total that is left out is not known."""
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
        """Return the members of a message element: a result that is not there is None. Raises Malformed."""
        return self._members(node, key, local(node.tag))

    def fault_type(self, element: str) -> str | None:
        """Return the type key of an element that the WSDL names for the detail of a fault."""
        return self._contract.faults.get(element)

    def value(self, node: Node, key: str) -> t.Any:
        """Return an element in the detail of a fault, whose type is known: what it lacks is None. Raises Malformed."""
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
                raise Malformed(f"{path} holds elements where a text belongs")
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
        out = dict(shape.zeros if self._zeros and self._open else shape.blank)  # a message itself is not open
        for name in shape.repeated:
            out[name] = []
        _check_text(node, path)
        _check_once(node, shape, path)
        for child in node.children:
            found = shape.by_element.get(child.tag) or shape.by_spelling.get(fold(local(child.tag)))
            if found is None:
                self._not_known(path, child)
                continue
            field, name, simple = found
            if simple and not child.attributes and not child.children:  # nearly all there is in a large answer
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
            raise Malformed("it repeats itself without end")

    def _shape(self, key: str) -> _Shape:
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = _Shape(self._contract, key)
        return shape

    def _stated(self, node: Node, key: str) -> str | None:
        """Return the type that the element states, where the contract knows it and it fits the declared one."""
        stated = node.attributes.get(TYPE)
        if not stated:
            return None
        builtin = stated.startswith(f"{{{XSD}}}")
        other = f"xs:{local(stated)}" if builtin else stated
        if key == ANY:
            return other if builtin or self._contract.has_type(other) else None
        return other if not builtin and self._contract.has_type(other) and self._contract.is_a(other, key) else None


def _check_text(node: Node, path: str) -> None:
    """Raise Malformed for a text where only elements belong."""
    if node.text and not node.text.isspace():
        raise Malformed(f"{path} holds a text where elements belong")


def _check_once(node: Node, shape: _Shape, path: str) -> None:
    """Raise Malformed when a member that is one value is there twice."""
    tags = [child.tag for child in node.children]
    if len(set(tags)) == len(tags):
        return
    for tag, (field, _name, _simple) in shape.by_element.items():
        if not field.repeated and tags.count(tag) > 1:
            raise Malformed(f"{path} holds {field.name} {tags.count(tag)} times where one belongs")


def generic(node: Node, counted: t.Callable[[int], None] = lambda _values: None) -> t.Any:
    """Return an element that the contract does not describe as plain data: text, or a dictionary of what is in it.

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
