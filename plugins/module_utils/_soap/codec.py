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
empty list). But a number or a boolean that cannot be null is 0 or false if an object of a result lacks it, because
services of this kind leave such values out; dates, durations, guids and enumerations have no zero and stay None.
Members count in any order and, in case a service is careless, in any namespace and spelling; unknown members are left
out and noted. Elements instead of text, text instead of elements, and a single value that occurs twice are Malformed:
each would be a wrong value that nobody notices. A stated derived type is named in ``_type``. References (``z:Ref``) are
resolved; a reference to an element that is still open is the cycle ``{"_ref": id}``.
"""

from __future__ import annotations

import contextlib
import re
import typing as t
from collections.abc import Mapping

from .._core.errors import InvalidInput
from .._core.text import did_you_mean, fold, names_a_secret, plain, snake
from .contract import (
    ANY,
    MAX_MESSAGE_DEPTH,
    TOTALS,
    TYPE,
    XSD,
    XSI,
    Contract,
    Malformed,
    SchemaField,
    local,
    result_names,
)

if t.TYPE_CHECKING:
    from .client import Node, XmlTree

TYPE_KEY = "_type"
MAX_RESULT_VALUES = 2_000_000  # members and items of a result, including null ones: small elements become large rows
MAX_NOTED = 100
SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/"
REF = f"{{{SERIALIZATION}}}Ref"

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
        return "".join(self._field(item, entry, f"{path}[{index}]", depth) for index, entry in enumerate(values))

    def _members(self, key: str, values: Mapping[str, t.Any], path: str, depth: int) -> ElementContent:
        attributes = ""
        named = values.get(TYPE_KEY)
        if named is not None:
            derived = self._contract.kind_of(key, str(named))
            if derived is None:
                raise wrong_value(f"{path}.{TYPE_KEY}", f"{str(named)!r} is not a kind of {local(key)}")
            attributes = "" if derived == key else self._stated(derived)
            key = derived
        fields = self._contract.fields(key)
        given = match_members(fields, values, path)
        parts = [self._member(field, given, f"{path}.{field.name}", depth) for field in fields]
        return attributes, "".join(parts)

    def _member(self, field: SchemaField, given: Mapping[str, t.Any], path: str, depth: int) -> str:
        if field.name in given:
            value = given[field.name]
            if isinstance(value, (str, int)) and not isinstance(value, bool) and names_a_secret(field.name):
                self.secrets.append(str(value))
            return self._items(field, value, path, depth) if field.repeated else self._field(field, value, path, depth)
        if not field.required:
            if field.defaulted and has_no_null(self._contract.simple(field.type), field.type):
                self.defaulted.append((path, field))
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
        if key == TYPE_KEY:
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


class _Shape:
    """How a complex type decodes; computed once for each type of a contract.

    A member has its schema, its key in results and, if it is a single simple value, the built-in type of that.
    """

    def __init__(self, contract: Contract, key: str) -> None:
        fields = contract.fields(key)
        names = result_names(fields)
        self.item = contract.item(key)
        self.blank: dict[str, t.Any] = {}
        self.zeros: dict[str, t.Any] = {}
        self.repeated: list[str] = []
        self.by_element: dict[str, tuple[SchemaField, str, str]] = {}
        self.by_spelling: dict[str, tuple[SchemaField, str, str]] = {}
        for field in fields:
            name, simple = names[field.name], contract.simple(field.type) or {}
            built_in = simple.get("simple", "")
            has_zero = field.defaulted and not simple.get("enum")
            has_zero = has_zero and fold(field.name) not in TOTALS  # a total that is left out is unknown
            self.blank[name] = None
            self.zeros[name] = ZEROS.get(built_in) if has_zero else None
            if field.repeated:
                self.repeated.append(name)
            member = (field, name, "" if field.repeated or field.type == ANY else built_in)
            self.by_element[field.element] = self.by_spelling[fold(field.name)] = member

    def empty(self, *, zeros: bool) -> dict[str, t.Any]:
        """Return all members, empty."""
        return {**(self.zeros if zeros else self.blank), **{name: [] for name in self.repeated}}


class Decoder:
    """Decodes one answer; ``unknown`` collects the first members that the contract does not have."""

    def __init__(self, contract: Contract, tree: XmlTree) -> None:
        self._contract = contract
        self._ids = tree.ids
        self._left = MAX_RESULT_VALUES
        self._shapes: dict[str, _Shape] = contract.shapes
        self._open_nodes: list[Node] = []
        self._zeros = True
        self.fault_types = contract.faults  # type keys of the elements in details of faults
        self.unknown: list[str] = []

    def message(self, node: Node, key: str) -> dict[str, t.Any]:
        """Return the members of a message element: a missing result is None. Raises Malformed."""
        return self._members(node, key, local(node.tag))

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
            if target is None or target in self._open_nodes:
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
            return decode_untyped(node, self._spend)
        simple = self._contract.simple(key)
        if simple is not None:
            if node.children:
                raise Malformed(f"{path} contains elements instead of text")
            return from_text(simple["simple"], node.text, path)
        item = self._shape(key).item
        self._open_nodes.append(node)
        value = self._members(node, key, path) if item is None else self._items(node, item, path)
        self._open_nodes.pop()
        return value

    def _items(self, node: Node, item: SchemaField, path: str) -> list[t.Any]:
        values: list[t.Any] = []
        self._spend(len(node.children))
        _check_text(node, path)
        for child in node.children:
            if child.tag == item.element or fold(local(child.tag)) == fold(item.name):
                values.append(self._value(child, item.type, f"{path}[{len(values)}]"))
            else:
                self._note_unknown(path, child)
        return values

    def _members(self, node: Node, key: str, path: str) -> dict[str, t.Any]:
        shape = self._shape(key)
        self._spend(max(len(node.children), len(shape.blank)))
        _check_text(node, path)
        _check_once(node, shape, path)
        out = shape.empty(zeros=self._zeros and bool(self._open_nodes))  # a message itself is no open type
        for child in node.children:
            found = shape.by_element.get(child.tag) or shape.by_spelling.get(fold(local(child.tag)))
            if found is None:
                self._note_unknown(path, child)
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

    def _note_unknown(self, path: str, node: Node) -> None:
        if len(self.unknown) < MAX_NOTED:
            self.unknown.append(f"{path}.{local(node.tag)}")

    def _spend(self, values: int) -> None:
        self._left -= values
        if self._left < 0:
            raise Malformed(f"it has more than {MAX_RESULT_VALUES} values")
        if len(self._open_nodes) > MAX_MESSAGE_DEPTH:
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
            return other if builtin or other in self._contract.types else None
        return other if not builtin and other in self._contract.types and self._contract.is_a(other, key) else None


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


def escape(text: str) -> str:
    """Return ``text`` for the inside of an element or of an attribute in double quotes."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("\r", "&#13;")


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
    if isinstance(value, (list, tuple)) and name == "list":
        return " ".join(_text(word, path) for word in value)
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
    from decimal import Decimal, InvalidOperation  # few messages have one, and the import takes time

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
        from datetime import datetime

        clock = text[:19].replace("T24:00:00", "T00:00:00")  # the end of a day in XML Schema
        try:
            datetime.fromisoformat(clock)
        except ValueError:
            good = False
    if not good:
        raise wrong_value(path, f"must be a date and time such as 2026-05-06T07:08:09Z, not {shown_value(value)}")
    return text


def _binary(_name: str, value: object, path: str) -> str:
    import base64

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
