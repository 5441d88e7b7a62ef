# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The content of the documents: the operations of the WSDL, the types of the schemas, and libxml2's verdicts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lxml import etree

from sandbox.soap import documents

XS = "http://www.w3.org/2001/XMLSchema"
_WSDL = "http://schemas.xmlsoap.org/wsdl/"
_SOAP12 = "http://schemas.xmlsoap.org/wsdl/soap12/"
_NUMBER = "{http://schemas.microsoft.com/2003/10/Serialization/}EnumerationValue"
_READS = re.compile(r"(?:Get|Is|Has|Verify|Validate)[A-Z]|\w+Exists$")


@dataclass(frozen=True)
class Member:
    """One element in the sequence of a complex type; ``tag`` and ``type`` are ``{namespace}name``."""

    name: str
    tag: str
    type: str
    nillable: bool
    many: bool


@dataclass(frozen=True)
class Type:
    """A complex type with the members of its bases first, or a simple type with its XML Schema base (``simple``).

    ``numbers`` has the values of an enumeration, in order, each with its number.
    """

    name: str
    members: tuple[Member, ...] = ()
    simple: str = ""
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def item(self) -> Member | None:
        """The repeated member of an array type."""
        return self.members[0] if len(self.members) == 1 and self.members[0].many else None


@dataclass(frozen=True)
class Operation:
    """One operation; ``input`` and ``output`` are the names of the message elements, ``action`` the request's."""

    name: str
    action: str
    input: str
    output: str

    @property
    def writes(self) -> bool:
        """Whether it changes something, judged by its name."""
        return not _READS.match(self.name)


class Contract:
    """The compiled documents; build it once (:func:`contract`)."""

    def __init__(self) -> None:
        roots = [etree.fromstring(path.read_bytes()) for path in documents.schema_files()]
        self.namespace = ""
        self._declared = {_tag(root, node.get("name")): node for root in roots for node in root if _is_type(node)}
        self._elements = {_tag(root, node.get("name")): node for root in roots for node in root if _is_element(node)}
        self._types: dict[str, Type] = {}
        self._validator = _validator(roots)
        self.operations = self._operations(etree.fromstring(documents.text(documents.WSDL_FILE).encode()))
        self.by_input = {operation.input: operation for operation in self.operations.values()}

    def breach(self, node: Any) -> str:
        """libxml2's words about an element (a child of the body or of a fault's detail) that breaks the schema.

        Empty when the element is valid. It may stand in a greater tree.
        """
        return "" if self._validator.validate(node) else str(self._validator.error_log.last_error.message)

    def element(self, tag: str) -> Type:
        """The type of a global element."""
        node = self._elements[tag]
        return self.type(_qname(node, node.get("type"))) if node.get("type") else self._complex(tag, node[0])

    def type(self, name: str) -> Type:
        """A type by ``{namespace}name``.

        Raises:
            KeyError: there is no such type.
        """
        if name not in self._types:
            self._types[name] = self._compile(name)
        return self._types[name]

    def local(self, name: str) -> Type:
        """A type by its name alone (no two namespaces share one)."""
        return self.type(next(tag for tag in self._declared if tag.endswith("}" + name)))

    def _operations(self, wsdl: Any) -> dict[str, Operation]:
        self.namespace = wsdl.get("targetNamespace")
        parts = {m.get("name"): _qname(m[0], m[0].get("element")) for m in wsdl.iterfind(f"{{{_WSDL}}}message")}
        actions = {
            node.get("name"): node.find(f"{{{_SOAP12}}}operation").get("soapAction")
            for node in wsdl.iterfind(f"{{{_WSDL}}}binding/{{{_WSDL}}}operation")
        }
        found = {}
        for node in wsdl.iterfind(f"{{{_WSDL}}}portType/{{{_WSDL}}}operation"):
            name = node.get("name")
            ends = [parts[node.find(f"{{{_WSDL}}}{end}").get("message").split(":")[1]] for end in ("input", "output")]
            found[name] = Operation(name, actions[name], *ends)
        return found

    def _compile(self, name: str) -> Type:
        space, local = name[1:].split("}")
        if space == XS:
            return Type(name, simple=local)
        node = self._declared[name]
        return self._complex(name, node) if node.tag == f"{{{XS}}}complexType" else self._simple(name, node)

    def _simple(self, name: str, node: Any) -> Type:
        restriction = node.find(f"{{{XS}}}restriction")
        values = restriction.findall(f"{{{XS}}}enumeration")
        numbers = {v.get("value"): int(v.findtext(f".//{_NUMBER}") or place) for place, v in enumerate(values)}
        return Type(name, simple=restriction.get("base").split(":")[1], numbers=numbers)

    def _complex(self, name: str, node: Any) -> Type:
        extension = node.find(f"{{{XS}}}complexContent/{{{XS}}}extension")
        base = () if extension is None else self.type(_qname(extension, extension.get("base"))).members
        sequence = (node if extension is None else extension).find(f"{{{XS}}}sequence")
        return Type(name, base + tuple(_member(child) for child in sequence))


@lru_cache(maxsize=None)
def contract() -> Contract:
    """The one compiled contract of the process."""
    return Contract()


def _validator(roots: list[Any]) -> Any:
    lines = (
        f'<xs:import namespace="{root.get("targetNamespace")}" schemaLocation="{path.name}"/>'
        for root, path in zip(roots, documents.schema_files())
    )
    shell = f'<xs:schema xmlns:xs="{XS}">{"".join(lines)}</xs:schema>'
    return etree.XMLSchema(etree.fromstring(shell, base_url=str(documents.FOLDER / "all.xsd")))


def _member(node: Any) -> Member:
    return Member(
        name=node.get("name"),
        tag=_tag(node.getroottree().getroot(), node.get("name")),
        type=_qname(node, node.get("type")),
        nillable=node.get("nillable") == "true",
        many=node.get("maxOccurs") == "unbounded",
    )


def _is_type(node: Any) -> bool:
    return node.tag in {f"{{{XS}}}complexType", f"{{{XS}}}simpleType"}


def _is_element(node: Any) -> bool:
    return bool(node.tag == f"{{{XS}}}element")


def _tag(root: Any, name: str) -> str:
    return f"{{{root.get('targetNamespace')}}}{name}"


def _qname(node: Any, text: str) -> str:
    prefix, local = text.split(":")
    return f"{{{node.nsmap[prefix]}}}{local}"
