# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOAP 1.2 envelopes with WS-Addressing 1.0 headers: reading requests, writing answers and faults.

Source: docs/service/contract.md, "Transport" and "Faults".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from sandbox.soap.codec import XSI
from sandbox.soap.faults import Fault

SOAP = "http://www.w3.org/2003/05/soap-envelope"
ADDRESSING = "http://www.w3.org/2005/08/addressing"
CONTENT_TYPE = "application/soap+xml"
FAULT_ACTION = f"{ADDRESSING}/fault"

_UNDERSTOOD = {"1", "true"}
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_DATA = "http://schemas.datacontract.org/2004/07/Example.Common"
_PREFIXES = {
    "s": SOAP,
    "a": ADDRESSING,
    "i": XSI,
    "b": f"{_DATA}.Models",
    "c": f"{_DATA}.Search",
    "d": f"{_DATA}.Communication.Models",
    "e": "http://schemas.microsoft.com/2003/10/Serialization/Arrays",
}


@dataclass
class Request:
    """A request's WS-Addressing headers by local name, and the one child of its body."""

    body: Any
    headers: dict[str, str] = field(default_factory=dict)


def parse(raw: bytes) -> Any:
    """The root of a document without a DTD.

    Raises:
        Fault: the text is not well-formed XML, or has a DTD.
    """
    # lxml's parser keeps state between calls, and a parser for each call costs 10 microseconds.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(raw, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Fault(f"the message is not well-formed: {error}", status=400) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise Fault("a document type definition is not allowed", status=400)
    return root


def read(raw: bytes) -> Request:
    """Read a request.

    Raises:
        Fault: no XML, not SOAP 1.2, no single body child, a header twice, or one that must be understood and is not.
    """
    root = parse(raw)
    if root.tag != f"{{{SOAP}}}Envelope":
        raise Fault("the message is no SOAP 1.2 envelope", code="VersionMismatch")
    body = root.find(f"{{{SOAP}}}Body")
    children = [] if body is None else list(body.iterchildren(tag=etree.Element))
    if len(children) != 1:
        raise Fault(f"one element is expected in the body, not {len(children)}")
    return Request(children[0], _headers(root.find(f"{{{SOAP}}}Header")))


def _headers(header: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in () if header is None else header.iterchildren(tag=etree.Element):
        name = etree.QName(node)
        if name.namespace != ADDRESSING:
            if node.get(f"{{{SOAP}}}mustUnderstand") in _UNDERSTOOD:
                raise Fault(f"header {node.tag} is not understood", code="MustUnderstand")
            continue
        if name.localname in found:
            raise Fault(
                f"header {name.localname} is there more than once", subcode=(ADDRESSING, "InvalidAddressingHeader")
            )
        found[name.localname] = _address(node)
    return found


def _address(node: Any) -> str:
    return "".join(node.itertext()).strip()


def open_answer(action: str, relates_to: str, payload: str) -> tuple[Any, Any]:
    """A new answer: the envelope, and the empty payload element (``{namespace}name``) in its body."""
    root = etree.Element(f"{{{SOAP}}}Envelope", nsmap=_PREFIXES)
    header = etree.SubElement(root, f"{{{SOAP}}}Header")
    line = etree.SubElement(header, f"{{{ADDRESSING}}}Action")
    line.set(f"{{{SOAP}}}mustUnderstand", "1")
    line.text = action
    if relates_to:
        etree.SubElement(header, f"{{{ADDRESSING}}}RelatesTo").text = relates_to
    body = etree.SubElement(root, f"{{{SOAP}}}Body")
    name = etree.QName(payload)
    own = {} if name.namespace == SOAP else {"t": name.namespace}
    return root, etree.SubElement(body, payload, nsmap=own)


def fault_answer(fault: Fault, action: str, relates_to: str) -> tuple[Any, Any]:
    """A new answer with a fault: the envelope, and the fault's detail element (None when it has none)."""
    root, node = open_answer(action, relates_to, f"{{{SOAP}}}Fault")
    code = etree.SubElement(node, f"{{{SOAP}}}Code")
    etree.SubElement(code, f"{{{SOAP}}}Value").text = f"s:{fault.code}"
    if fault.subcode:
        space, local = fault.subcode
        sub = etree.SubElement(code, f"{{{SOAP}}}Subcode")
        etree.SubElement(sub, f"{{{SOAP}}}Value", nsmap={"sub": space}).text = f"sub:{local}"
    reason = etree.SubElement(etree.SubElement(node, f"{{{SOAP}}}Reason"), f"{{{SOAP}}}Text")
    reason.set(_LANG, "en-US")
    reason.text = fault.reason
    return root, etree.SubElement(node, f"{{{SOAP}}}Detail") if fault.element else None


def add(parent: Any, name: str) -> Any:
    """A new empty element (``{namespace}name``) in a parent."""
    return etree.SubElement(parent, name)


def render(root: Any) -> bytes:
    """The bytes of an answer."""
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))
