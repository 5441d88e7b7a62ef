# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOAP messages: a request and its envelope, and an answer as a tree of nodes.

The headers of a request have no ``mustUnderstand``: peers without WS-Addressing answer it with a fault. The XML of an
answer becomes a tree of small nodes, read with the standard library's parser: importing lxml would double the cost of a
small call. Refused: a DTD (so there are no entities), more than 60 levels, more than a million elements (as objects
they are many times as large as ``<a/>``), more than a thousand prefixes of namespaces (what each of them costs grows
with their number), a tag or comment that never ends, text that is not well-formed or is cut off. The size in bytes is
bounded where the answer is received.
"""

from __future__ import annotations

import os
import typing as t
from xml.parsers import expat

from .._core.text import join_names
from .contract import (
    ADDRESSING,
    ADDRESSING_2004,
    MAX_MESSAGE_DEPTH,
    NIL,
    SOAP_11,
    SOAP_12,
    TYPE,
    Malformed,
    SoapOperation,
    local,
)

SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/"
ID = f"{{{SERIALIZATION}}}Id"
_RELATES_TO = tuple(f"{{{namespace}}}RelatesTo" for namespace in (ADDRESSING, ADDRESSING_2004))
MAX_ELEMENTS = 1_000_000
MAX_PREFIXES = 1000  # distinct ones: a serializer declares the same few again and again
MAX_NAMED_ELEMENTS = 3  # elements in an error
MAX_TAG = 1 << 20  # bytes of a tag with its attributes, or of a comment
_LONGEST = 80  # characters of a name that is shown
_PIECE = 1 << 18
_BLANKS = b" \t\r\n"  # some servers send an empty line before the XML declaration
_NO_ATTRIBUTES: dict[str, str] = {}
_NO_CHILDREN: t.Any = ()  # most nodes have none, and a list for each would take as much memory as the node


class Service(t.NamedTuple):
    """Where requests go and who sends them. ``to`` is the address under which the service knows itself."""

    endpoint: str
    to: str
    user: str
    password: str

    def __repr__(self) -> str:
        """Return it without the password."""
        return f"Service({self.endpoint!r}, {self.to!r}, {self.user!r})"


class SoapMessage(t.NamedTuple):
    """A request that was checked and can be sent: the content of its body, and the namespaces to declare there.

    ``kind`` says how it may be repeated: a read always, a log-in and a write never once they were sent. ``version`` is
    that of SOAP.
    """

    operation: SoapOperation
    kind: str
    text: str
    prefixes: t.Mapping[str, str]
    version: str


def escape(text: str) -> str:
    """Return ``text`` for the inside of an element or of an attribute in double quotes."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("\r", "&#13;")


def write_envelope(
    namespace: str, action: str, to: str, message: str, prefixes: t.Mapping[str, str], addressing: str = ADDRESSING
) -> tuple[dict[str, str], bytes, str]:
    """Return headers and body of the request that carries ``message``, and the ID that its answer must relate to.

    ``namespace`` is that of the envelope; ``prefixes`` are the namespaces to declare, by address; ``addressing`` is the
    namespace of WS-Addressing, whose version of 2004 has no answer without a ReplyTo.
    """
    # a random UUID; importing ``uuid`` would cost more than the whole call
    number = int.from_bytes(os.urandom(16), "big") & ~(0xF << 76) | 4 << 76
    digits = f"{number & ~(3 << 62) | 2 << 62:032x}"
    message_id = f"urn:uuid:{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    reply_to = f"<a:ReplyTo><a:Address>{addressing}/role/anonymous</a:Address></a:ReplyTo>"
    text = (
        f'<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="{namespace}" xmlns:a="{addressing}"'
        f"{declare(prefixes)}>"
        f"<s:Header><a:Action>{escape(action)}</a:Action><a:MessageID>{message_id}</a:MessageID>"
        f"{reply_to if addressing == ADDRESSING_2004 else ''}<a:To>{escape(to)}</a:To></s:Header>"
        f"<s:Body>{message}</s:Body></s:Envelope>"
    )
    headers = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": f'"{action}"'}
    if namespace == SOAP_12:
        headers = {"Content-Type": f'application/soap+xml; charset=utf-8; action="{action}"'}
    return headers, text.encode("utf-8"), message_id


def declare(prefixes: t.Mapping[str, str]) -> str:
    """Return the attributes that declare namespaces; ``prefixes`` are by address."""
    return "".join(f' xmlns:{prefix}="{escape(address)}"' for address, prefix in prefixes.items())


class AnswerEnvelope:
    """An answer: the namespace of its envelope, and what it relates to."""

    def __init__(self, body: bytes, alive: t.Callable[[], None] = lambda: None) -> None:
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
        self.relates_to = [node.text.strip() for node in (header.children if header else ()) if node.tag in _RELATES_TO]

    @property
    def content(self) -> Node | None:
        """Return the one element of the body, if any. Raises Malformed if there are more, which may include a fault."""
        nodes = self._contents
        if len(nodes) > 1:
            names = join_names([local(node.tag)[:_LONGEST] for node in nodes], MAX_NAMED_ELEMENTS)
            raise Malformed(f"its body contains {names} instead of one element")
        return nodes[0] if nodes else None

    def _part(self, name: str) -> Node | None:
        found = [node for node in self.tree.root.children if node.tag == f"{{{self.namespace}}}{name}"]
        if len(found) > 1:
            raise Malformed(f"its envelope contains {len(found)} elements {name} instead of one")
        return found[0] if found else None


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
        return self.attributes.get(NIL, "").strip() in ("true", "1")


class XmlTree:
    """A parsed document: its ``root``, the nodes that others refer to by ``ids``, and the ``size`` in nodes."""

    def __init__(self, body: bytes, alive: t.Callable[[], None] = lambda: None) -> None:
        """Parse ``body``; ``alive`` is called after each piece and may raise. Raises Malformed."""
        self.ids: dict[str, Node] = {}
        self.size = 0
        self._prefixes: dict[str, list[str]] = {}
        parser, above = expat.ParserCreate(namespace_separator="}"), Node("")
        parser.buffer_text, parser.buffer_size = True, _PIECE
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartNamespaceDeclHandler = self._declare
        parser.EndNamespaceDeclHandler = lambda prefix: self._prefixes[prefix or ""].pop()
        self._handle_elements(parser, above)
        view = memoryview(body.lstrip(_BLANKS) if body[:1] in _BLANKS else body)
        size = len(view)
        try:
            for start in range(0, size, _PIECE):
                parser.Parse(view[start : start + _PIECE], False)  # noqa: FBT003 - it takes no keywords
                alive()
                if start + _PIECE - parser.CurrentByteIndex > MAX_TAG + _PIECE:
                    raise Malformed(f"it has a tag or a comment larger than {MAX_TAG >> 20} MiB")
            parser.Parse(b"", True)  # noqa: FBT003
        except (expat.ExpatError, ValueError, LookupError) as exc:
            raise Malformed(f"it is not well-formed XML ({exc})") from None
        self.root = above.children[0]

    def _handle_elements(self, parser: t.Any, above: Node) -> None:
        """Make the parser attach the root to ``above``.

        The two busiest handlers are functions with local variables, and each name is joined once: with a page of
        10,000 rows that is a third of the time.
        """
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
            if len(open_nodes) > MAX_MESSAGE_DEPTH + 1 or self.size > MAX_ELEMENTS:
                large = self.size > MAX_ELEMENTS
                problem = (
                    f"has more than {MAX_ELEMENTS} elements"
                    if large
                    else f"is nested deeper than {MAX_MESSAGE_DEPTH} levels"
                )
                raise Malformed(f"it {problem}")

        def end(_name: str) -> None:
            nonlocal parent
            if pieces:
                if not parent.children:
                    parent.text = "".join(pieces)
                pieces.clear()
            open_nodes.pop()
            parent = open_nodes[-1]

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = pieces.append

    def _note(self, node: Node, attributes: dict[str, str]) -> None:
        node.attributes = {"{" + key if "}" in key else key: value for key, value in attributes.items()}
        named = node.attributes.get(TYPE)
        if named:
            prefix, _colon, word = named.strip().rpartition(":")
            scope = self._prefixes.get(prefix) or [""]
            node.attributes[TYPE] = f"{{{scope[-1]}}}{word}" if scope[-1] else word
        if ID in node.attributes:
            self.ids[node.attributes[ID]] = node

    def _doctype(self, *declaration: object) -> None:
        del declaration
        raise Malformed("it has a DTD, which SOAP forbids")

    def _declare(self, prefix: str | None, namespace: str | None) -> None:
        self._prefixes.setdefault(prefix or "", []).append(namespace or "")
        if len(self._prefixes) > MAX_PREFIXES:
            raise Malformed(f"it declares more than {MAX_PREFIXES} namespace prefixes")
