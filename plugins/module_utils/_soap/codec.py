# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Encodes plain data as the XML of a request, and decodes the tree of an answer, according to the contract.

Requests: a missing key leaves its element out; None is ``xsi:nil``, an error if that is not allowed. Lists
are plain lists. Keys count in any spelling (``warehouse_name``, ``WarehouseName``); two keys for one member are an
error, and so is a key that fits no member. ``_type`` names a derived type. Errors name the path:
``GetUsers.searchParams.PageSize``.

Templates may spell values as text: ``'5'`` is a whole number, ``'no'`` is false. A value that makes no sense is an
error with the path of the member; plain texts are never shown in one because they may be secret. Results: int,
bool and float are native; decimal, dateTime, duration, guid and base64 stay exact text.

Results have keys in snake_case and every declared member, None if it is missing in the answer (a repeated member: an
empty list). Members count in any order and, in case a service is careless, in any namespace and spelling, as long as
the exact element is absent. An object with parts that the contract lacks (members, or a derived type) names them in
``_unknown``, and has no key for a member that is missing: that may be one of those parts. It cannot be sent back,
because that would remove them. A list with other items than the declared ones, an object without any known member, and
an answer without its result are NotUnderstood: none of them is empty. Elements instead of text, text instead of
elements, and a single value that occurs twice are Malformed: each would be a wrong value that nobody notices. A stated
derived type is named in ``_type``. References (``z:Ref``) are resolved; a reference to an element that is still open is
the cycle ``{"_ref": id}``. What was read can be sent: cycles, and nulls of members that cannot be null, are left out.

Services of this kind leave out numbers and booleans that are 0 or false. ``with_zeros`` shows them to users; what is
compared has None there. But an answer may also just lack a member, so such an object is Incomplete, and cannot be sent
back: only what is known is written. A member that is optional and cannot be nil is null where it is left out.
"""

from __future__ import annotations

import base64
import contextlib
import re
import typing as t
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation

from .._core.errors import InvalidInput
from .._core.text import did_you_mean, fold, join_names, names_a_secret, plain, snake
from .contract import (
    ANY,
    MAX_MESSAGE_DEPTH,
    OWN_CONTENT,
    ROW_COUNTS,
    TYPE,
    XSD,
    XSI,
    Contract,
    Malformed,
    NotUnderstood,
    SchemaField,
    local,
    result_names,
)
from .messages import SERIALIZATION, Node, XmlTree, escape

TYPE_KEY, UNKNOWN_KEY, CYCLE_KEY = MARKS = ("_type", "_unknown", "_ref")
MAX_RESULT_VALUES = 2_000_000  # members and items of a result, including null ones: small elements become large rows
MAX_NOTED = 100
MAX_LISTED = 5  # elements in an error
MAX_NAME = 80  # characters of their names
REF = f"{{{SERIALIZATION}}}Ref"
_FOREIGN_REFERENCES = ("href", "ref")  # attributes by which other encodings refer to an element elsewhere

_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
_UNSIGNED = {"unsignedByte": 8, "unsignedShort": 16, "unsignedInt": 32, "unsignedLong": 64}
INTEGER_RANGES: dict[str, tuple[int | None, int | None]] = {
    **{name: (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) for name, bits in _BITS.items()},
    **{name: (0, (1 << bits) - 1) for name, bits in _UNSIGNED.items()},
    "integer": (None, None),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "negativeInteger": (None, -1),
    "nonPositiveInteger": (None, 0),
}
"""The types of whole numbers, with the least and the largest value of each."""
ZEROS: dict[str, object] = {
    **dict.fromkeys((*_BITS, *_UNSIGNED), 0),
    "boolean": False,
    "decimal": "0",
    "float": 0.0,
    "double": 0.0,
}
"""The value of a number or a boolean that cannot be null and was left out, in the form of results."""
NO_NULL = {
    *ZEROS,
    *INTEGER_RANGES,
    "dateTime",
    "date",
    "time",
    "duration",
    "list",
}  # a list is an enumeration with flags
TRUE, FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}
MAX_DECIMAL_DIGITS = 400
_PLAIN = frozenset({"string", "normalizedString", "anyType", "anySimpleType"})
_DATE = r"\d{4}-\d\d-\d\d\Z"  # not compiled: few messages have one
_NOT_IN_XML = "[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_DATE_TIME = r"(?a)-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?\Z"

ElementContent = t.Tuple[str, str]  # attributes, each preceded by a space, and the content of the element


class Incomplete(t.Dict[str, t.Any]):
    """An object whose answer lacks members, by their keys in ``missing``; they are None in it."""

    __slots__ = ("missing",)  # an answer may have many

    def __init__(self, values: Mapping[str, t.Any], missing: t.AbstractSet[str]) -> None:
        super().__init__(values)
        self.missing = missing


def missing_in(value: object) -> t.AbstractSet[str]:
    """Return the keys of the members that the answer with this object lacks."""
    return value.missing if isinstance(value, Incomplete) else frozenset()


class Encoder:
    """Encodes one message; ``prefixes`` maps the namespaces that its envelope must declare to their prefixes.

    There is never a default namespace, so an element without a prefix is in none. ``secrets`` collects the texts that
    must not be shown: the service may repeat them in its messages. ``left_out`` collects the members, with their paths,
    of which nothing was said: they arrive as null, or as the default of their type.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.prefixes: dict[str, str] = {XSI: "i"}
        self.secrets: list[str] = []
        self.left_out: list[tuple[str, SchemaField]] = []

    def message(self, element: str, key: str, values: Mapping[str, t.Any]) -> str:
        """Return the element of a message with ``values`` in it. Raises InvalidInput."""
        return self._element(element, self._members(key, values, local(element), 0))

    def _element(self, name: str, content: ElementContent) -> str:
        tag = self._prefixed(name)
        attributes, inside = content
        return f"<{tag}{attributes}>{inside}</{tag}>" if inside else f"<{tag}{attributes}/>"

    def _prefixed(self, name: str) -> str:
        if name[:1] != "{":
            return name
        namespace, _brace, word = name[1:].rpartition("}")
        prefix = self.prefixes.setdefault(namespace, f"n{len(self.prefixes)}")
        return f"{prefix}:{word}"

    def _field(self, field: SchemaField, value: object, path: str, depth: int) -> str:
        if value is not None:
            return self._element(field.element, self._content(field.type, value, path, depth + 1))
        if not field.nillable:
            raise wrong_value(path, "may not be null", "Omit it instead.")
        return self._element(field.element, (' i:nil="true"', ""))

    def _content(self, key: str, value: object, path: str, depth: int) -> ElementContent:
        if depth > MAX_MESSAGE_DEPTH:
            raise wrong_value(path, f"is nested deeper than {MAX_MESSAGE_DEPTH} levels")
        if key == ANY:
            return self._untyped(value, path, depth)
        simple = self._contract.simple(key)
        if simple is not None:
            return "", escape(to_text(simple, value, path))
        item = self._contract.item(key)
        if item is not None:
            return "", self._items(item, unwrap_list(item, value), path, depth)
        if not isinstance(value, Mapping):
            raise wrong_value(path, f"must be a dictionary ({local(key)}), not {kind(value)}")
        return self._members(key, value, path, depth)

    def _items(self, item: SchemaField, values: object, path: str, depth: int) -> str:
        if not isinstance(values, (list, tuple)):
            raise wrong_value(path, f"must be a list, not {kind(values)}")
        entries = [entry for entry in values if not is_cycle(entry)]
        return "".join(self._field(item, entry, f"{path}[{index}]", depth) for index, entry in enumerate(entries))

    def _members(self, key: str, values: Mapping[str, t.Any], path: str, depth: int) -> ElementContent:
        attributes = ""
        named = values.get(TYPE_KEY)
        if named is not None:
            derived = self._contract.kind_of(key, str(named))
            if derived is None:
                raise wrong_value(f"{path}.{TYPE_KEY}", f"{str(named)!r} is not a kind of {local(key)}")
            attributes = "" if derived == key else self._stated(derived)
            key = derived
        unknown = values.get(UNKNOWN_KEY)
        if unknown:
            raise wrong_value(
                path,
                f"sending it back would remove what the WSDL does not describe: {join_names(unknown, MAX_LISTED)}",
                "Set soap_wsdl to a WSDL of the service that describes it.",
            )
        missing = sorted(missing_in(values))
        if missing:
            problem = f"sending it back would empty what the answer does not show: {join_names(missing, MAX_LISTED)}"
            raise wrong_value(path, problem, "Give these, too.")
        fields = self._contract.fields(key)
        given = match_members(fields, values, path)
        if fields and fields[0].element == OWN_CONTENT:
            return self._bare(fields[0], given.get(fields[0].name), path)
        parts = [self._member(field, given, f"{path}.{field.name}", depth) for field in fields]
        return attributes, "".join(parts)

    def _bare(self, field: SchemaField, value: object, path: str) -> ElementContent:
        """Encode a value that is the whole message; open data may be empty."""
        if value is not None:
            return self._content(field.type, value, path, 1)
        if field.type != ANY:
            raise wrong_value(f"{path}.{field.name}", "is required")
        return "", ""

    def _member(self, field: SchemaField, given: Mapping[str, t.Any], path: str, depth: int) -> str:
        value = given.get(field.name)
        as_read = depth and (is_cycle(value) or (value is None and not field.nillable)) and not field.required
        if field.name in given and not as_read:
            if isinstance(value, (str, int)) and not isinstance(value, bool) and names_a_secret(field.name):
                self.secrets.append(str(value))
            return self._items(field, value, path, depth) if field.repeated else self._field(field, value, path, depth)
        if field.name not in given and (field.nillable or field.repeated or field.defaulted):  # not one of a choice
            self.left_out.append((path, field))
        if not field.required:
            return ""
        if field.nillable:
            return self._field(field, None, path, depth)
        raise wrong_value(path, "is required")

    def _stated(self, key: str) -> str:
        name = key if key[:3] != "xs:" else f"{{{XSD}}}{key[3:]}"
        return f' i:type="{self._prefixed(name)}"'

    def _untyped(self, value: object, path: str, depth: int) -> ElementContent:
        """Encode a value whose type the schema leaves open: it must state its type."""
        if isinstance(value, Mapping):
            keys = [key for key in self._contract.keys(str(value.get(TYPE_KEY))) if not self._contract.simple(key)]
            if not keys:
                raise wrong_value(path, f"must state its type in {TYPE_KEY}: the contract leaves it open")
            return self._stated(keys[0]), self._members(keys[0], {**value, TYPE_KEY: None}, path, depth)[1]
        for types, name in _OPEN:
            if isinstance(value, types):
                word = "long" if name == "int" and not -(1 << 31) <= value < 1 << 31 else name
                return self._stated(f"xs:{word}"), escape(to_text({"simple": word}, value, path))
        raise wrong_value(path, f"cannot be {kind(value)}: the contract leaves the type open")


_OPEN: tuple[tuple[t.Any, str], ...] = (
    (bool, "boolean"),
    (int, "int"),
    (float, "double"),
    (str, "string"),
    ((bytes, bytearray), "base64Binary"),
)


def is_cycle(value: object) -> bool:
    """Return whether a value that was read stands for an object around it."""
    return isinstance(value, Mapping) and CYCLE_KEY in value


def unwrap_list(item: SchemaField, value: object) -> object:
    """Return the list, even if it is given the way XML has it: ``{"int": [1, 2]}``."""
    if isinstance(value, Mapping) and [fold(str(key)) for key in value] == [fold(item.name)]:
        return next(iter(value.values()))
    return value


def match_members(fields: t.Sequence[SchemaField], values: Mapping[str, object], path: str) -> dict[str, object]:
    """Return the values by the names of the schema."""
    names = {field.name for field in fields}
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(fold(name), []).append(name)
    given: dict[str, t.Any] = {}
    for key, value in values.items():
        if key in MARKS:
            continue
        found = [key] if key in names else folded.get(fold(str(key)), [])
        if len(found) > 1:
            problem = f"may stand for {' or '.join(sorted(found))}"
            raise wrong_value(f"{path}.{key}", problem, "Write it exactly as one of these.")
        if not found:
            near = did_you_mean(str(key), [snake(field.name) for field in fields])
            raise wrong_value(f"{path}.{key}", "there is no such member", near)
        if found[0] in given:
            raise wrong_value(f"{path}.{key}", f"sets {found[0]} a second time")
        given[found[0]] = value
    return given


def _is_always_told(contract: Contract, field: SchemaField) -> bool:
    """Return whether a whole object says something of a member; one that may be left out for null says nothing."""
    return not field.repeated and (field.nillable or field.required or (field.defaulted and is_value(contract, field)))


class _Shape:
    """How a complex type decodes; computed once for each type of a contract.

    A member has its schema, its key in results and, if it is a single simple value, the built-in type of that.
    ``zeros`` has all members, 0 or false for those that mean it where they are left out: identifiers do not, nor do the
    totals of a page. ``told`` are those of which a complete object says something.
    """

    def __init__(self, contract: Contract, key: str) -> None:
        fields = contract.fields(key)
        names = result_names(fields)
        self.item = contract.item(key)
        self.blank: dict[str, t.Any] = dict.fromkeys(names.values())
        self.repeated = [names[field.name] for field in fields if field.repeated]
        self.by_element: dict[str, tuple[SchemaField, str, str]] = {}
        self.by_spelling: dict[str, tuple[SchemaField, str, str] | None] = {}
        is_page = any(field.repeated or contract.item(field.type) for field in fields)
        self.zeros: dict[str, t.Any] = {}
        told = []
        for field in fields:
            name, simple = names[field.name], contract.simple(field.type) or {}
            built_in, spelling = simple.get("simple", ""), fold(field.name)
            has_zero = field.defaulted and not simple.get("enum") and not is_identifier(field.name)
            has_zero = has_zero and not (is_page and spelling in ROW_COUNTS)
            self.zeros[name] = ZEROS.get(built_in) if has_zero else None
            if _is_always_told(contract, field):
                told.append(name)
            member = (field, name, "" if field.repeated or field.type == ANY else built_in)
            self.by_element[field.element] = member
            self.by_spelling[spelling] = None if spelling in self.by_spelling else member
        self.told = frozenset(told)

    def empty(self) -> dict[str, t.Any]:
        """Return all members, empty."""
        return {**self.blank, **{name: [] for name in self.repeated}} if self.repeated else dict(self.blank)


def shape_of(contract: Contract, key: str) -> _Shape:
    """Return how a type decodes."""
    shape: _Shape | None = contract.shapes.get(key)
    if shape is None:
        shape = contract.shapes[key] = _Shape(contract, key)
    return shape


def is_identifier(name: str) -> bool:
    """Return whether a member of this name identifies something: ``ClientId``, ``AddressTypeDictId``."""
    return snake(name).rpartition("_")[2] == "id"


def with_zeros(contract: Contract, key: str, value: t.Any) -> t.Any:
    """Return a value of a type as users are shown it: with all members, and with zeros for what was left out.

    An object of which nothing is known has none.
    """
    if not isinstance(value, (dict, list)) or key == ANY or contract.simple(key):
        return value
    if isinstance(value, dict):
        return value if is_cycle(value) else _object_with_zeros(contract, key, value)
    item = contract.item(key)
    return value if item is None else [with_zeros(contract, item.type, one) for one in value]


def _object_with_zeros(contract: Contract, key: str, value: dict[str, t.Any]) -> dict[str, t.Any]:
    if TYPE_KEY in value:
        key = contract.kind_of(key, str(value[TYPE_KEY])) or key
    shape, known = shape_of(contract, key), {name: entry for name, entry in value.items() if entry is not None}
    nothing = all(entry == [] for entry in known.values())
    shown = {**(shape.blank if nothing else shape.zeros), **{name: [] for name in shape.repeated}, **known}
    for field, name, simple in shape.by_element.values():
        entry = shown[name]
        if field.repeated and isinstance(entry, list):
            shown[name] = [with_zeros(contract, field.type, one) for one in entry]
        elif not simple:
            shown[name] = with_zeros(contract, field.type, entry)
    return shown


class Decoder:
    """Decodes one answer; ``unknown`` collects the first members that the contract does not have."""

    def __init__(self, contract: Contract, tree: XmlTree) -> None:
        self._contract = contract
        self._tree = tree
        self._ids = tree.ids
        self._left = MAX_RESULT_VALUES
        self._open_nodes: list[Node] = []
        self._missing: dict[frozenset[str], frozenset[str]] = {}  # objects that lack the same members share the set
        self._marks = True
        self.fault_types = contract.faults  # type keys of the elements in details of faults
        self.unknown: list[str] = []

    def by(self, contract: Contract) -> Decoder:
        """Return a decoder of the same answer by another contract."""
        return Decoder(contract, self._tree)

    def message(self, node: Node, key: str) -> dict[str, t.Any]:
        """Return the members of a message element: a missing result is None. Raises Malformed."""
        bare = next((field for field in self._contract.fields(key) if field.element == OWN_CONTENT), None)
        if bare is not None:
            return {next(iter(self._contract.members(key))): self._value(node, bare.type, bare.name)}
        members = self._members(node, key, local(node.tag))
        members.pop(UNKNOWN_KEY, None)
        return {**shape_of(self._contract, key).empty(), **members}

    def value(self, node: Node, key: str) -> t.Any:
        """Return an element of known type in the detail of a fault: missing members are None. Raises Malformed."""
        self._marks = False
        return self._value(node, key, local(node.tag))

    def _value(self, node: Node, key: str, path: str) -> t.Any:
        if not node.attributes:
            return self._content(node, key, path)
        reference = node.attributes.get(REF)
        if reference is not None:  # before null: one kind of serializer marks references as null too
            if reference not in self._ids:
                raise Malformed(f"{path} refers to an element that is not there")
            node = self._ids[reference]
            if node in self._open_nodes:
                return {CYCLE_KEY: reference}
        elif node.nil:
            return None
        elif any(local(name) in _FOREIGN_REFERENCES for name in node.attributes) and not (node.children or node.text):
            raise Malformed(f"{path} refers to another element in a way that is not understood")
        stated = self._stated(node, key)
        value = self._content(node, stated or key, path)
        if isinstance(value, dict):
            self._mark_type(value, node, key, stated, path)
        return value

    def _mark_type(self, value: dict[str, t.Any], node: Node, key: str, stated: str | None, path: str) -> None:
        """Name the type that an object states, in the object: one that derives from its own, or one not understood."""
        if stated and stated != key:
            value[TYPE_KEY] = local(stated)
        named = local(node.attributes.get(TYPE, ""))
        if self._marks and named and not stated and key != ANY and fold(named) != fold(local(key)):
            self._note_unknown(path, [named])
            value.setdefault(UNKNOWN_KEY, []).append(f"the type {plain(named)[:MAX_NAME]}")

    def _content(self, node: Node, key: str, path: str) -> t.Any:
        if key == ANY:
            return decode_untyped(node, self._spend)
        simple = self._contract.simple(key)
        if simple is not None:
            if node.children:
                raise Malformed(f"{path} contains elements instead of text")
            return from_text(simple["simple"], node.text, path)
        item = shape_of(self._contract, key).item
        self._open_nodes.append(node)
        value = self._members(node, key, path) if item is None else self._items(node, key, item, path)
        self._open_nodes.pop()
        return value

    def _items(self, node: Node, key: str, item: SchemaField, path: str) -> list[t.Any]:
        self._spend(len(node.children))
        _check_text(node, path)
        unknown = _unknown_children(node, shape_of(self._contract, key))
        if unknown:
            self._note_unknown(path, unknown)
            raise NotUnderstood(f"{path} contains {join_names(unknown, MAX_LISTED)} instead of {item.name}")
        return [self._value(child, item.type, f"{path}[{index}]") for index, child in enumerate(node.children)]

    def _members(self, node: Node, key: str, path: str) -> dict[str, t.Any]:
        shape = shape_of(self._contract, key)
        self._spend(max(len(node.children), len(shape.blank)))
        _check_text(node, path)
        unknown = _unknown_children(node, shape)
        _check_once(node, shape, path)
        out = shape.empty()
        for child in node.children:
            found = shape.by_element.get(child.tag)
            if found is None:
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
        if unknown:
            return self._marked(out, node, shape, unknown, path)
        if len(node.children) == len(shape.blank) and not shape.repeated:
            return out
        missing = shape.told.difference(shape.by_element[child.tag][1] for child in node.children)
        return Incomplete(out, self._missing.setdefault(missing, missing)) if missing else out

    def _marked(
        self, out: dict[str, t.Any], node: Node, shape: _Shape, unknown: list[str], path: str
    ) -> dict[str, t.Any]:
        """Return an object with the parts that are not understood named in it, without the members that it lacks."""
        self._note_unknown(path, unknown)
        if not self._marks:
            return out
        present = [shape.by_element[child.tag][1] for child in node.children if child.tag in shape.by_element]
        if shape.blank and not present:
            raise NotUnderstood(f"{path} contains {join_names(unknown, MAX_LISTED)}, and no member that the WSDL has")
        return {**{name: value for name, value in out.items() if name in present}, UNKNOWN_KEY: unknown[:MAX_NOTED]}

    def _note_unknown(self, path: str, names: t.Iterable[str]) -> None:
        self.unknown += [f"{path}.{name}" for name in names][: MAX_NOTED - len(self.unknown)]

    def _spend(self, values: int) -> None:
        self._left -= values
        if self._left < 0:
            raise Malformed(f"it has more than {MAX_RESULT_VALUES} values")
        if len(self._open_nodes) > MAX_MESSAGE_DEPTH:
            raise Malformed("it refers to itself without end")

    def _stated(self, node: Node, key: str) -> str | None:
        """Return the type that the element states, if the contract knows it and it fits the declared one."""
        stated = node.attributes.get(TYPE)
        if not stated:
            return None
        builtin = stated.startswith(f"{{{XSD}}}")
        other = f"xs:{local(stated)}" if builtin else stated
        if key == ANY:
            return other if builtin or other in self._contract.types else None
        return other if not builtin and other in self._contract.types and self._contract.is_a(other, key) else None


def _check_text(node: Node, path: str) -> None:
    """Raise Malformed for text where only elements are allowed."""
    if node.text and not node.text.isspace():
        raise Malformed(f"{path} contains text instead of elements")


def _unknown_children(node: Node, shape: _Shape) -> list[str]:
    """Return the names of the children that the type does not have.

    Where the exact element of a member is absent, one of another namespace or spelling becomes it.
    """
    tags = {child.tag for child in node.children}
    if tags <= shape.by_element.keys():
        return []
    unknown: dict[str, None] = {}
    for child in node.children:
        if child.tag not in shape.by_element:
            found = shape.by_spelling.get(fold(local(child.tag)))
            if found is None or found[0].element in tags:
                unknown[plain(local(child.tag))[:MAX_NAME]] = None
            else:
                child.tag = found[0].element
    return list(unknown)


def _check_once(node: Node, shape: _Shape, path: str) -> None:
    """Raise Malformed if a member with a single value occurs twice."""
    tags = [child.tag for child in node.children]
    if len(set(tags)) == len(tags):
        return
    for tag, (field, _name, _simple) in shape.by_element.items():
        if not field.repeated and tags.count(tag) > 1:
            raise Malformed(f"{path} contains {field.name} {tags.count(tag)} times instead of once")


def decode_untyped(node: Node, spend: t.Callable[[int], None] = lambda _values: None) -> object:
    """Return an element that the contract does not describe as plain data: text, or a dictionary of its content.

    ``spend`` is called with the number of values in each element that has some.
    """
    if node.nil:
        return None
    if not node.children:
        return node.text
    spend(len(node.children))
    out: dict[str, t.Any] = {}
    for child in node.children:
        name, value = plain(local(child.tag)), decode_untyped(child, spend)
        if name not in out:
            out[name] = value
        elif isinstance(out[name], list):
            out[name].append(value)
        else:
            out[name] = [out[name], value]
    return out


def wrong_value(path: str, problem: str, next_step: str | None = None) -> InvalidInput:
    """Return the error for a value that does not fit the contract."""
    return InvalidInput(f"{path}: {problem}.", next_step=next_step, path=path)


def kind(value: object) -> str:
    """Return what a person calls this kind of value."""
    kinds = ((bool, "a boolean"), (str, "text"), ((int, float), "a number"), (t.Mapping, "a dictionary"))
    for types, name in (*kinds, ((list, tuple, set, frozenset), "a list")):
        if isinstance(value, types):
            return name
    return "null" if value is None else type(value).__name__


def to_text(simple: t.Mapping[str, t.Any], value: t.Any, path: str) -> str:
    """Return the text that stands for ``value``. Raises InvalidInput with the path."""
    name = simple["simple"]
    if name == "list" and not isinstance(value, (set, frozenset, dict)):
        words = value if isinstance(value, (list, tuple)) else str(value).split()
        one = {**simple, "simple": "string"}
        return " ".join(to_text(one, word, path) for word in words)
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        raise wrong_value(path, f"must be {desired_type(name)}, not {kind(value)}")
    if simple.get("enum"):
        for word in simple["enum"]:
            if fold(word) == fold(str(value)):
                return str(word)
        raise wrong_value(path, f"must be one of {', '.join(simple['enum'])}, not {shown_value(value)}")
    write = _WRITE.get(name)
    return _text(value, path) if write is None else write(name, value, path)


def has_no_null(simple: t.Mapping[str, object] | None, key: str) -> bool:
    """Return whether a type, whose key is ``key``, is a simple one that cannot be null in services of this kind.

    These are numbers, booleans, times, guids and enumerations: if a message leaves one out, it arrives as 0, false, the
    first moment or the first word. Text and binary data arrive as null.
    """
    if simple is None:
        return False
    return bool(simple.get("enum")) or simple["simple"] in NO_NULL or local(key) == "guid"


def is_value(contract: Contract, field: SchemaField) -> bool:
    """Return whether a member has one simple value that cannot be null."""
    return not (field.nillable or field.repeated) and has_no_null(contract.simple(field.type), field.type)


def from_text(name: str, text: str, path: str) -> object:
    """Return the plain value of an element's text. Raises Malformed with the path."""
    if name in _PLAIN:
        return text
    word = text.strip()
    try:
        return _READ.get(name, str)(word)
    except (KeyError, ValueError):
        raise Malformed(f"{path} contains text that is not {desired_type(name)}") from None


def desired_type(name: str) -> str:
    """Return what a type of XML Schema requires, in words."""
    if name in INTEGER_RANGES:
        return f"a whole number ({name})"
    if name in ("decimal", "float", "double"):
        return f"a number ({name})"
    return "a list of words" if name == "list" else f"a {name}"


def shown_value(value: object) -> str:
    """Return a wrong value for a message, shortened if it is long."""
    text = repr(str(value) if isinstance(value, str) else value)
    return text if len(text) <= 60 else text[:56] + " ..."


def _int(word: str) -> int:
    digits = word if word.isdigit() else word[1:] if word[:1] in ("+", "-") else ""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DECIMAL_DIGITS):
        raise ValueError  # int() alone would accept 1_000 and foreign digits, and take hours for a million of them
    return int(word)


def _number(word: str) -> object:
    number = float(word)
    return word if number - number else number  # infinity and not-a-number are not JSON


_READ: dict[str, t.Callable[[str], object]] = {
    **dict.fromkeys(INTEGER_RANGES, _int),
    "boolean": {"true": True, "1": True, "false": False, "0": False}.__getitem__,
    "float": _number,
    "double": _number,
    "list": str.split,
}


def _whole(name: str, value: object, path: str) -> str:
    word = str(value).strip()
    if len(word) > MAX_DECIMAL_DIGITS:
        raise wrong_value(path, f"must be a number with at most {MAX_DECIMAL_DIGITS} digits")
    try:
        number = _int("" if isinstance(value, bool) else word)
    except ValueError:
        raise wrong_value(path, f"must be {desired_type(name)}, not {shown_value(value)}") from None
    low, high = INTEGER_RANGES[name]
    if (low is not None and number < low) or (high is not None and number > high):
        words = [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
        raise wrong_value(path, f"must be {' and '.join(words)} ({name}), not {shown_value(value)}")
    return str(number)


def _boolean(_name: str, value: object, path: str) -> str:
    word = str(value).strip().lower()
    if word in TRUE or word in FALSE:
        return "true" if word in TRUE else "false"
    raise wrong_value(path, f"must be a boolean (yes or no), not {shown_value(value)}")


def _text(value: object, path: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    bad = None if text.isprintable() else re.search(_NOT_IN_XML, text)
    if bad:
        raise wrong_value(path, f"contains the character {bad[0]!a}, which is not allowed in XML")
    return text


def _fraction(name: str, value: object, path: str) -> str:
    number: Decimal | None = None
    with contextlib.suppress(InvalidOperation):
        number = None if isinstance(value, bool) else Decimal(str(value).strip())
    if number is None or (name == "decimal" and not number.is_finite()):
        raise wrong_value(path, f"must be {desired_type(name)} such as 12.50, not {shown_value(value)}")
    if number.is_nan():
        return "NaN"
    if not number.is_finite():
        return "INF" if number > 0 else "-INF"
    if name != "decimal":
        return str(number)
    if abs(number.adjusted()) > MAX_DECIMAL_DIGITS:  # '1e999999999' would become a text of a gigabyte
        raise wrong_value(path, f"must be a number with at most {MAX_DECIMAL_DIGITS} digits")
    return format(number, "f")


def _date_time(_name: str, value: object, path: str) -> str:
    text = value.isoformat() if hasattr(value, "isoformat") else str(value).strip().replace(" ", "T", 1)
    text += "T00:00:00" if re.match(_DATE, text) else ""
    good = re.match(_DATE_TIME, text) is not None
    if good and text[4] == "-" and text[:4] != "0000":  # other years are not checked: datetime does not support them
        clock = text[:19].replace("T24:00:00", "T00:00:00")  # the end of a day in XML Schema
        try:
            datetime.fromisoformat(clock)
        except ValueError:
            good = False
    if not good:
        raise wrong_value(path, f"must be a date and time such as 2026-05-06T07:08:09Z, not {shown_value(value)}")
    return text


def _binary(_name: str, value: object, path: str) -> str:
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode("ascii")
    text = "".join(str(value).split())
    try:
        base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        raise wrong_value(path, "must be base64 text") from None
    return text


_WRITE: dict[str, t.Callable[[str, t.Any, str], str]] = {
    **dict.fromkeys(INTEGER_RANGES, _whole),
    **dict.fromkeys(("decimal", "float", "double"), _fraction),
    "boolean": _boolean,
    "dateTime": _date_time,
    "base64Binary": _binary,
}
"""Functions that write the values of types that are not arbitrary text."""
