# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOAP envelopes with WS-Addressing 1.0 headers: written for a request, opened for an answer.

Source: wire-facts 9.1. The headers carry no ``mustUnderstand``: peers without WS-Addressing answer it with a fault.
"""

from __future__ import annotations

import os
import typing as t

from .answer_tree import Node, Tree
from .encoder import escape
from .malformed import Malformed

SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
ADDRESSING = "http://www.w3.org/2005/08/addressing"


class Sent(t.NamedTuple):
    """A request: its headers, its bytes and the id that the answer has to relate to."""

    headers: dict[str, str]
    body: bytes
    message_id: str


class Opened(t.NamedTuple):
    """An answer: the namespace of its envelope, what it relates to, and the one element of its body, if any."""

    namespace: str
    relates_to: str
    content: Node | None
    tree: Tree


def write(namespace: str, action: str, to: str, message: str, prefixes: t.Mapping[str, str]) -> Sent:
    """Return the request that carries ``message``; ``namespace`` is that of the envelope."""
    message_id = f"urn:uuid:{_random_uuid()}"
    declared = "".join(f' xmlns:{prefix}="{escape(address)}"' for address, prefix in prefixes.items())
    text = (
        f'<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="{namespace}" xmlns:a="{ADDRESSING}"{declared}>'
        f"<s:Header><a:Action>{escape(action)}</a:Action><a:MessageID>{message_id}</a:MessageID>"
        f"<a:To>{escape(to)}</a:To></s:Header><s:Body>{message}</s:Body></s:Envelope>"
    )
    return Sent(_headers(namespace, action), text.encode("utf-8"), message_id)


def open_answer(body: bytes) -> Opened:
    """Open the envelope of an answer. Raises Malformed when there is none."""
    tree = Tree(body)
    namespace = tree.root.tag[1:].rpartition("}")[0]
    if tree.root.tag != f"{{{namespace}}}Envelope" or namespace not in (SOAP_11, SOAP_12):
        raise Malformed("it is XML, but no SOAP envelope")
    parts = {node.tag: node for node in tree.root.children}
    body_node = parts.get(f"{{{namespace}}}Body")
    if body_node is None:
        raise Malformed("its envelope has no body")
    header = parts.get(f"{{{namespace}}}Header")
    relates = [node.text.strip() for node in (header.children if header else ()) if node.tag == _RELATES_TO]
    first = body_node.children[0] if body_node.children else None
    return Opened(namespace, relates[0] if relates else "", first, tree)


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
