# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The XML of an answer as a tree of small nodes, read with the standard library's parser.

Refused: a DTD (so there are no entities), more than 60 levels, text that is not well-formed or is cut off. The size is
bounded where the answer is received. lxml is not used here: importing it would double the cost of a small call.
"""

from __future__ import annotations

import typing as t
from xml.parsers import expat

from .contract import DEEPEST, XSI, Malformed

NIL, TYPE = f"{{{XSI}}}nil", f"{{{XSI}}}type"
_SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/"
ID, REF = f"{{{_SERIALIZATION}}}Id", f"{{{_SERIALIZATION}}}Ref"


class Node:
    """One element. ``tag`` and the names of attributes are ``{namespace}name``, and so is the value of an xsi:type."""

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.text = ""
        self.children: list[Node] = []

    @property
    def nil(self) -> bool:
        """Whether the element says that it is null."""
        return self.attributes.get(NIL, "") in ("true", "1")


class Tree:
    """A parsed document: its ``root``, the nodes that others refer to by ``ids``, and the ``size`` in nodes."""

    def __init__(self, body: bytes) -> None:
        """Parse ``body``. Raises Malformed."""
        self.ids: dict[str, Node] = {}
        self.size = 0
        self._open: list[Node] = [Node("", {})]
        self._prefixes: dict[str, list[str]] = {}
        self._parse(body)
        self.root = self._open[0].children[0]

    def _parse(self, body: bytes) -> None:
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.buffer_size = 1 << 18
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartNamespaceDeclHandler = self._declare
        parser.EndNamespaceDeclHandler = self._undeclare
        try:
            parser.Parse(body, True)  # noqa: FBT003 - it takes no keywords
        except (expat.ExpatError, ValueError, LookupError) as exc:
            raise Malformed(f"it is not well-formed XML ({exc})") from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        node = Node("{" + name if "}" in name else name, {})
        if attributes:
            node.attributes = {"{" + key if "}" in key else key: value for key, value in attributes.items()}
            self._note(node)
        self._open[-1].children.append(node)
        self._open.append(node)
        self.size += 1
        if len(self._open) > DEEPEST + 1:
            raise Malformed(f"it is nested deeper than {DEEPEST} levels")

    def _note(self, node: Node) -> None:
        named = node.attributes.get(TYPE)
        if named:
            prefix, _colon, word = named.strip().rpartition(":")
            scope = self._prefixes.get(prefix) or [""]
            node.attributes[TYPE] = f"{{{scope[-1]}}}{word}" if scope[-1] else word
        if ID in node.attributes:
            self.ids[node.attributes[ID]] = node

    def _end(self, name: str) -> None:
        del name
        self._open.pop()

    def _characters(self, text: str) -> None:
        self._open[-1].text += text

    def _doctype(self, *declaration: t.Any) -> None:
        del declaration
        raise Malformed("it has a DTD, which SOAP forbids")

    def _declare(self, prefix: str | None, namespace: str | None) -> None:
        self._prefixes.setdefault(prefix or "", []).append(namespace or "")

    def _undeclare(self, prefix: str | None) -> None:
        self._prefixes[prefix or ""].pop()
