# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Between XML and plain values, by the types of the schema.

Shapes: a complex type is a dictionary by member name, an array type a list, ``int``/``long``/``short`` an int,
``boolean`` a bool; every other simple value stays text as it was written. A nil element is None.
"""

from __future__ import annotations

from typing import Any

from lxml import etree

from sandbox.soap.schema import Contract, Type

XSI = "http://www.w3.org/2001/XMLSchema-instance"
NIL = f"{{{XSI}}}nil"
TYPE = f"{{{XSI}}}type"
DERIVED = "_type"
"""Key of a dictionary that names the derived type it is to be written as."""

_WHOLE = {"int", "long", "short"}
_ZERO: dict[str, Any] = {
    "int": 0,
    "long": 0,
    "short": 0,
    "boolean": False,
    "decimal": "0",
    "double": "0",
    "dateTime": "0001-01-01T00:00:00",
    "duration": "PT0S",
}


def decode(contract: Contract, declared: Type, node: Any) -> Any:
    """The value of an element that is valid against the schema.

    Members that were left out have the value that a service of this kind sees: numbers are 0, booleans false,
    enumerations their first value, and everything that may be null is None.
    """
    if node.get(NIL) in {"true", "1"}:
        return None
    actual = _actual(contract, declared, node)
    if actual.simple:
        return _plain(actual, node.text or "")
    if actual.item:
        kind = contract.type(actual.item.type)
        return [decode(contract, kind, child) for child in node.iterchildren(tag=etree.Element)]
    types = {member.tag: member for member in actual.members}
    value = {member.name: _absent(contract, member.type, nillable=member.nillable) for member in actual.members}
    for child in node.iterchildren(tag=etree.Element):
        member = types[child.tag]
        value[member.name] = decode(contract, contract.type(member.type), child)
    return value


def encode(contract: Contract, parent: Any, tag: str, declared: Type, value: Any, *, nillable: bool = True) -> None:
    """Append an element for a value, with every member of its type: those that the value lacks are nil or zero.

    An empty list is written as nil, as the provider does.
    """
    node = etree.SubElement(parent, tag)
    if nillable and value in (None, []):
        node.set(NIL, "true")
    elif declared.simple:
        node.text = _text(value)
    elif declared.item:
        kind = contract.type(declared.item.type)
        for entry in value:
            encode(contract, node, declared.item.tag, kind, entry, nillable=declared.item.nillable)
    else:
        fill(contract, node, _named(contract, declared, node, value), value)


def fill(contract: Contract, node: Any, declared: Type, value: dict[str, Any]) -> None:
    """Write the members of a dictionary below an element that exists.

    Raises:
        KeyError: the dictionary has a key that is no member of the type.
    """
    unknown = set(value) - {member.name for member in declared.members} - {DERIVED}
    if unknown:
        raise KeyError(f"{declared.name} has no member {', '.join(sorted(unknown))}")
    for member in declared.members:
        kind = contract.type(member.type)
        entry = value.get(member.name)
        if entry is None and not member.nillable:
            entry = _absent(contract, member.type, nillable=False)
        encode(contract, node, member.tag, kind, entry, nillable=member.nillable)


def _actual(contract: Contract, declared: Type, node: Any) -> Type:
    """The type that xsi:type names, else the declared one."""
    name = node.get(TYPE)
    if not name:
        return declared
    prefix, _, local = name.rpartition(":")
    return contract.type(f"{{{node.nsmap[prefix or None]}}}{local}")


def _named(contract: Contract, declared: Type, node: Any, value: dict[str, Any]) -> Type:
    """The type that a dictionary asks to be written as; names it in xsi:type."""
    if DERIVED not in value:
        return declared
    actual = contract.local(value[DERIVED])
    name = etree.QName(actual.name)
    prefix = next(key for key, space in node.nsmap.items() if key and space == name.namespace)
    node.set(TYPE, f"{prefix}:{name.localname}")
    return actual


def _absent(contract: Contract, name: str, *, nillable: bool) -> Any:
    declared = contract.type(name)
    if nillable or not declared.simple:
        return None
    if declared.numbers:
        return next(iter(declared.numbers))
    if name.endswith("}guid"):
        return "00000000-0000-0000-0000-000000000000"
    return _ZERO[declared.simple]


def _plain(declared: Type, text: str) -> Any:
    if declared.simple in _WHOLE:
        return int(text)
    if declared.simple == "boolean":
        return text.strip() in {"true", "1"}
    return text


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
