# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contracts for the tests: from a few lines of schema, and that of the sandbox's WSDL."""

from __future__ import annotations

import functools
import os
import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import Decoder, Encoder
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import XmlTree
from ansible_collections.fcd.cloud.plugins.module_utils._soap.wsdl import WsdlDocuments, read_wsdl

ADDRESS = "https://soap.example.com/CommonFcd.svc?wsdl"
WSDL_FOLDER = os.path.join(os.path.dirname(__file__), *[os.pardir] * 4, "sandbox", "soap", "wsdl")
SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/"

_WSDL = """<d:definitions xmlns:d="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:t="urn:t" xmlns:s="http://schemas.xmlsoap.org/wsdl/{kind}/" targetNamespace="urn:t">
 <d:types><xs:schema targetNamespace="urn:t" elementFormDefault="{form}">{schema}</xs:schema></d:types>
 <d:message name="in"><d:part name="p" element="t:In"/></d:message>
 <d:portType name="P"><d:operation name="Op"><d:input message="t:in"/></d:operation></d:portType>
 <d:binding name="B" type="t:P"><s:binding style="{style}" transport="http://schemas.xmlsoap.org/soap/http"/>
  <d:operation name="Op"><s:operation soapAction="urn:t/Op"/><d:input><s:body use="{use}"/></d:input></d:operation>
 </d:binding>
 <d:service name="S"><d:port name="p" binding="t:B"><s:address location="https://inner.example.net/x"/></d:port></d:service>
</d:definitions>"""


def wsdl(
    schema: str, form: str = "qualified", kind: str = "soap12", style: str = "document", use: str = "literal"
) -> str:
    """A WSDL with the operation ``Op``, whose input is the element ``In`` of the schema (namespace urn:t)."""
    return _WSDL.format(schema=schema, form=form, kind=kind, style=style, use=use)


def compiled(text: str) -> dict[str, t.Any]:
    return read_wsdl(WsdlDocuments(ADDRESS, lambda _address: text.encode()), 1000.0)


def contract(members: str, *, more: str = "", form: str = "qualified") -> Contract:
    """A contract whose element ``In`` has these members."""
    element = (
        f'<xs:element name="In"><xs:complexType><xs:sequence>{members}</xs:sequence></xs:complexType></xs:element>'
    )
    return Contract(compiled(wsdl(element + more, form)))


@functools.lru_cache(maxsize=1)
def sandbox_data() -> dict[str, t.Any]:
    path = os.path.join(WSDL_FOLDER, "CommonFcd.wsdl")
    return read_wsdl(WsdlDocuments(path, lambda address: b""), 1000.0)


def sandbox() -> Contract:
    return Contract(sandbox_data())


def sent(about: Contract, values: t.Mapping[str, t.Any], operation: str = "Op") -> bytes:
    """The element that stands for a request, with its namespaces declared."""
    encoder = Encoder(about)
    text = encoder.message(*about.operation(operation).input, values)
    declared = "".join(f' xmlns:{prefix}="{address}"' for address, prefix in encoder.prefixes.items())
    start = text.index(">") if ">" in text else 0
    end = start - 1 if text[start - 1] == "/" else start
    return (text[:end] + declared + text[end:]).encode()


def received(about: Contract, xml: str | bytes, operation: str = "Op", side: str = "input") -> t.Any:
    """The members of a message element, with the decoder that read them."""
    tree = XmlTree(xml if isinstance(xml, bytes) else xml.encode())
    decoder = Decoder(about, tree)
    found = about.operation(operation)
    key = (found.input if side == "input" else found.output or ("", ""))[1]
    return decoder.message(tree.root, key), decoder


def round_trip(about: Contract, values: t.Mapping[str, t.Any]) -> t.Any:
    return received(about, sent(about, values))[0]
