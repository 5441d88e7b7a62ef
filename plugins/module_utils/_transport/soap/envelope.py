# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOAP envelopes with WS-Addressing 1.0 headers: written for a request, opened for an answer.

Source: wire-facts 9.1. The headers carry no ``mustUnderstand``: peers without WS-Addressing answer it with a fault.
"""

from __future__ import annotations

import os
import typing as t

from .answer_tree import Node, Tree, unlimited
from .contract import Malformed, local
from .encoder import escape

SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
FAULTS = tuple(f"{{{namespace}}}Fault" for namespace in (SOAP_12, SOAP_11))
ADDRESSING = "http://www.w3.org/2005/08/addressing"
MOST_NAMED = 3  # elements in an error


def write(
    namespace: str, action: str, to: str, message: str, prefixes: t.Mapping[str, str]
) -> tuple[dict[str, str], bytes, str]:
    """Return headers and body of the request that carries ``message``, and the id that its answer has to relate to.

    ``namespace`` is that of the envelope; ``prefixes`` are the namespaces to declare, by address.
    """
    message_id = f"urn:uuid:{_random_uuid()}"
    declared = "".join(f' xmlns:{prefix}="{escape(address)}"' for address, prefix in prefixes.items())
    text = (
        f'<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="{namespace}" xmlns:a="{ADDRESSING}"{declared}>'
        f"<s:Header><a:Action>{escape(action)}</a:Action><a:MessageID>{message_id}</a:MessageID>"
        f"<a:To>{escape(to)}</a:To></s:Header><s:Body>{message}</s:Body></s:Envelope>"
    )
    return _headers(namespace, action), text.encode("utf-8"), message_id


class Answer:
    """An answer: the namespace of its envelope, and what it relates to."""

    def __init__(self, body: bytes, alive: t.Callable[[], None] = unlimited) -> None:
        """Open the envelope; ``alive`` is called now and then and may raise. Raises Malformed when there is none."""
        self.tree = Tree(body, alive)
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
        """The one element of the body, if any. Raises Malformed when there are more, a fault among them perhaps."""
        if len(self._contents) > 1:
            raise Malformed(f"its body holds {_listed(self._contents)} where one element belongs")
        return self._contents[0] if self._contents else None

    def _part(self, name: str) -> Node | None:
        found = [node for node in self.tree.root.children if node.tag == f"{{{self.namespace}}}{name}"]
        if len(found) > 1:
            raise Malformed(f"its envelope has {len(found)} elements {name} where one belongs")
        return found[0] if found else None


def _listed(nodes: t.Sequence[Node]) -> str:
    """Return the names of elements that should have been one."""
    more = f" and {len(nodes) - MOST_NAMED} more" if len(nodes) > MOST_NAMED else ""
    return ", ".join(local(node.tag)[:80] for node in nodes[:MOST_NAMED]) + more


_RELATES_TO = f"{{{ADDRESSING}}}RelatesTo"


def _headers(namespace: str, action: str) -> dict[str, str]:
    if namespace == SOAP_12:
        return {"Content-Type": f'application/soap+xml; charset=utf-8; action="{action}"'}
    return {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": f'"{action}"'}


def _random_uuid() -> str:
    """Return a random UUID; importing ``uuid`` would cost more than the whole call."""
    number = int.from_bytes(os.urandom(16), "big") & ~(0xF << 76) | 4 << 76
    text = f"{number & ~(3 << 62) | 2 << 62:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
