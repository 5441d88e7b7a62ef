# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOAP envelopes with WS-Addressing 1.0 headers: written for a request, opened for an answer.

Source: wire-facts 9.1. The headers have no ``mustUnderstand``: peers without WS-Addressing answer it with a fault.

The XML of an answer becomes a tree of small nodes, read with the standard library's parser. Refused: a DTD (so there
are no entities), more than 60 levels, more than a million elements (as objects they are many times as large as
``<a/>``), more than a thousand prefixes of namespaces (what each of them costs grows with their number), a tag or
comment that never ends, text that is not well-formed or is cut off. The size in bytes is bounded where the answer is
received, and the time by whoever is asked after each piece. lxml is not used: importing it would double the cost of a
small call.
"""

from __future__ import annotations

import os
import typing as t
from xml.parsers import expat

from .._core.text import join_names
from .contract import DEEPEST, XSI, Malformed, local

NIL, TYPE = f"{{{XSI}}}nil", f"{{{XSI}}}type"
_SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/"
ID, REF = f"{{{_SERIALIZATION}}}Id", f"{{{_SERIALIZATION}}}Ref"

MOST_ELEMENTS = 1_000_000
MOST_PREFIXES = 1000  # distinct ones: a serializer declares a few again and again
LONGEST_TAG = 1 << 20  # bytes of a tag with its attributes, or of a comment
_PIECE = 1 << 18
_NO_ATTRIBUTES: dict[str, str] = {}
_NO_CHILDREN: t.Any = ()  # most nodes have none: a list for each would take as much room as the node
SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
FAULTS = tuple(f"{{{namespace}}}Fault" for namespace in (SOAP_12, SOAP_11))
ADDRESSING = "http://www.w3.org/2005/08/addressing"
MOST_NAMED = 3  # elements in an error
_RELATES_TO = f"{{{ADDRESSING}}}RelatesTo"


def escape(text: str) -> str:
    """Return ``text`` for the inside of an element or of an attribute in double quotes."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("\r", "&#13;")


class Node:
    """One element. ``tag`` and the names of attributes are ``{namespace}name``, and so is the value of an xsi:type.

    ``text`` is empty if the element contains other elements.
    """

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.attributes = _NO_ATTRIBUTES
        self.text = ""
        self.children: list[Node] = _NO_CHILDREN

    @property
    def nil(self) -> bool:
        """Return whether the element says that it is null."""
        return self.attributes.get(NIL, "") in ("true", "1")


def unlimited() -> None:
    """Set no limit."""


class XmlTree:
    """A parsed document: its ``root``, the nodes that others refer to by ``ids``, and the ``size`` in nodes."""

    def __init__(self, body: bytes, alive: t.Callable[[], None] = unlimited) -> None:
        """Parse ``body``; ``alive`` is called after each piece and may raise. Raises Malformed."""
        self.ids: dict[str, Node] = {}
        self.size = 0
        self._prefixes: dict[str, list[str]] = {}
        above = Node("")
        parser = self._parser(above)
        try:
            self._feed(parser, memoryview(body), alive)
        except (expat.ExpatError, ValueError, LookupError) as exc:
            raise Malformed(f"it is not well-formed XML ({exc})") from None
        self.root = above.children[0]

    def _feed(self, parser: t.Any, body: memoryview, alive: t.Callable[[], None]) -> None:
        for start in range(0, len(body), _PIECE):
            parser.Parse(body[start : start + _PIECE], False)  # noqa: FBT003 - it takes no keywords
            alive()
            if start + _PIECE - parser.CurrentByteIndex > LONGEST_TAG + _PIECE:
                raise Malformed(f"it has a tag or a comment larger than {LONGEST_TAG >> 20} MiB")
        parser.Parse(b"", True)  # noqa: FBT003

    def _parser(self, above: Node) -> t.Any:
        """Return a parser that puts the root below ``above``.

        Its two busiest handlers are functions with local variables, and each name is joined once: with a page of
        10,000 rows that is a third of the time.
        """
        parser = expat.ParserCreate(namespace_separator="}")
        parent, open_nodes = above, [above]
        tags: dict[str, str] = {}
        pieces: list[str] = []

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal parent
            node = Node(tags.get(name) or tags.setdefault(name, "{" + name if "}" in name else name))
            if attributes:
                self._note(node, attributes)
            if parent.children:
                parent.children.append(node)
            else:
                parent.children = [node]
            parent = node
            open_nodes.append(node)
            pieces.clear()
            self.size += 1
            if len(open_nodes) > DEEPEST + 1 or self.size > MOST_ELEMENTS:
                self._too_much()

        def end(_name: str) -> None:
            nonlocal parent
            if pieces:
                if not parent.children:
                    parent.text = "".join(pieces)
                pieces.clear()
            open_nodes.pop()
            parent = open_nodes[-1]

        parser.buffer_text = True
        parser.buffer_size = _PIECE
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = pieces.append
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartNamespaceDeclHandler = self._declare
        parser.EndNamespaceDeclHandler = self._undeclare
        return parser

    def _too_much(self) -> None:
        if self.size > MOST_ELEMENTS:
            raise Malformed(f"it has more than {MOST_ELEMENTS} elements")
        raise Malformed(f"it is nested deeper than {DEEPEST} levels")

    def _note(self, node: Node, attributes: dict[str, str]) -> None:
        node.attributes = {"{" + key if "}" in key else key: value for key, value in attributes.items()}
        named = node.attributes.get(TYPE)
        if named:
            prefix, _colon, word = named.strip().rpartition(":")
            scope = self._prefixes.get(prefix) or [""]
            node.attributes[TYPE] = f"{{{scope[-1]}}}{word}" if scope[-1] else word
        if ID in node.attributes:
            self.ids[node.attributes[ID]] = node

    def _doctype(self, *declaration: t.Any) -> None:
        del declaration
        raise Malformed("it has a DTD, which SOAP forbids")

    def _declare(self, prefix: str | None, namespace: str | None) -> None:
        self._prefixes.setdefault(prefix or "", []).append(namespace or "")
        if len(self._prefixes) > MOST_PREFIXES:
            raise Malformed(f"it declares more than {MOST_PREFIXES} namespace prefixes")

    def _undeclare(self, prefix: str | None) -> None:
        self._prefixes[prefix or ""].pop()


def write_envelope(
    namespace: str, action: str, to: str, message: str, prefixes: t.Mapping[str, str]
) -> tuple[dict[str, str], bytes, str]:
    """Return headers and body of the request that carries ``message``, and the ID that its answer must relate to.

    ``namespace`` is that of the envelope; ``prefixes`` are the namespaces to declare, by address.
    """
    message_id = f"urn:uuid:{_random_uuid()}"
    declared = "".join(f' xmlns:{prefix}="{escape(address)}"' for address, prefix in prefixes.items())
    text = (
        f'<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="{namespace}" xmlns:a="{ADDRESSING}"{declared}>'
        f"<s:Header><a:Action>{escape(action)}</a:Action><a:MessageID>{message_id}</a:MessageID>"
        f"<a:To>{escape(to)}</a:To></s:Header><s:Body>{message}</s:Body></s:Envelope>"
    )
    headers = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": f'"{action}"'}
    if namespace == SOAP_12:
        headers = {"Content-Type": f'application/soap+xml; charset=utf-8; action="{action}"'}
    return headers, text.encode("utf-8"), message_id


class AnswerEnvelope:
    """An answer: the namespace of its envelope, and what it relates to."""

    def __init__(self, body: bytes, alive: t.Callable[[], None] = unlimited) -> None:
        """Open the envelope; ``alive`` is called now and then and may raise. Raises Malformed if there is none."""
        self.tree = XmlTree(body, alive)
        root = self.tree.root
        self.namespace = root.tag[1:].rpartition("}")[0]
        if root.tag != f"{{{self.namespace}}}Envelope" or self.namespace not in (SOAP_11, SOAP_12):
            raise Malformed("it is XML, but no SOAP envelope")
        body_node = self._part("Body")
        if body_node is None:
            raise Malformed("its envelope has no body")
        self._contents = body_node.children
        header = self._part("Header")
        relates = [node.text.strip() for node in (header.children if header else ()) if node.tag == _RELATES_TO]
        self.relates_to = relates[0] if relates else ""

    @property
    def content(self) -> Node | None:
        """Return the one element of the body, if any. Raises Malformed if there are more, which may include a fault."""
        nodes = self._contents
        if len(nodes) > 1:
            names = join_names([local(node.tag)[:80] for node in nodes], MOST_NAMED)
            raise Malformed(f"its body contains {names} instead of one element")
        return nodes[0] if nodes else None

    def _part(self, name: str) -> Node | None:
        found = [node for node in self.tree.root.children if node.tag == f"{{{self.namespace}}}{name}"]
        if len(found) > 1:
            raise Malformed(f"its envelope contains {len(found)} elements {name} instead of one")
        return found[0] if found else None


def _random_uuid() -> str:
    """Return a random UUID; importing ``uuid`` would cost more than the whole call."""
    number = int.from_bytes(os.urandom(16), "big") & ~(0xF << 76) | 4 << 76
    text = f"{number & ~(3 << 62) | 2 << 62:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
