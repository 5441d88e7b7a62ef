# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a WSDL: ports, bindings, actions, and what cannot be called."""

from __future__ import annotations

import sys
import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, MissingLibrary
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import CACHE_FORMAT, Contract

from .contracts import compiled, sandbox, sandbox_data, wsdl

PLAIN = '<xs:element name="In"><xs:complexType><xs:sequence/></xs:complexType></xs:element>'
WSA = "http://www.w3.org/2005/08/addressing"
S12, S11 = "http://www.w3.org/2003/05/soap-envelope", "http://schemas.xmlsoap.org/soap/envelope/"


def test_the_sandbox_contract() -> None:
    data = sandbox_data()
    assert (data["format"], data["envelope"], data["left_out"]) == (CACHE_FORMAT, S12, {})
    assert data["endpoint"] == "https://node1.internal.example/CommonFcd.svc"
    assert len(data["operations"]) == 108
    operation = sandbox().operation("GetWarehouse")
    assert operation.action == "http://schemas.example.com/fcd/ICommonFcd/GetWarehouse"
    assert operation.input[0] == "{http://schemas.example.com/fcd}GetWarehouse"
    assert operation.output is not None
    assert operation.output[0] == "{http://schemas.example.com/fcd}GetWarehouseResponse"


@pytest.mark.parametrize(("kind", "envelope"), [("soap12", S12), ("soap", S11)])
def test_both_versions_of_soap(kind: str, envelope: str) -> None:
    data = compiled(wsdl(PLAIN, kind=kind))
    assert data["envelope"] == envelope
    assert data["operations"]["Op"] == "{urn:t}In #1 - - urn:t/Op"


def test_soap_1_2_is_preferred() -> None:
    soap12 = 'xmlns:z="http://schemas.xmlsoap.org/wsdl/soap12/"'
    binding = (
        f'<d:binding {soap12} name="C" type="t:P"><z:binding transport="http://schemas.xmlsoap.org/soap/http"/>'
        '<d:operation name="Op"><z:operation soapAction="new"/><d:input><z:body use="literal"/></d:input></d:operation>'
        "</d:binding>"
    )
    port = f'<d:port {soap12} name="q" binding="t:C"><z:address location="https://b.example.net"/></d:port>'
    text = wsdl(PLAIN, kind="soap").replace("<d:service", f"{binding}<d:service")
    data = compiled(text.replace("</d:service>", f"{port}</d:service>"))
    assert (data["envelope"], data["endpoint"]) == (S12, "https://b.example.net")
    assert Contract(data).operation("Op").action == "new"


WSA_2004 = "http://schemas.xmlsoap.org/ws/2004/08/addressing"
USED_2004 = f'<w:UsingAddressing xmlns:w="{WSA_2004}/policy"/>'
USED_2005 = '<w:UsingAddressing xmlns:w="http://www.w3.org/2006/05/addressing/wsdl"/>'
POLICY = (
    '<p:Policy xmlns:p="http://schemas.xmlsoap.org/ws/2004/09/policy" xmlns:u="http://docs.oasis-open.org/wss/2004/01/'
    'oasis-200401-wss-wssecurity-utility-1.0.xsd" u:Id="{}"><p:ExactlyOne><p:All>'
    + USED_2004
    + "</p:All></p:ExactlyOne>"
    "</p:Policy>"
)
REFERENCE = '<p:PolicyReference xmlns:p="http://schemas.xmlsoap.org/ws/2004/09/policy" URI="#mine"/>'
POLICIES: dict[str, tuple[str, str, str]] = {
    "none": ("", "", WSA),
    "that of 2005": ("", USED_2005, WSA),
    "that of 2004": ("", USED_2004, WSA_2004),
    "that of 2004, referred to": (POLICY.format("mine"), REFERENCE, WSA_2004),
    "of another binding": (POLICY.format("other"), REFERENCE, WSA),
}


@pytest.mark.parametrize("case", POLICIES)
def test_the_policy_of_the_binding_says_which_addressing_is_used(case: str) -> None:
    policy, in_binding, namespace = POLICIES[case]
    text = wsdl(PLAIN).replace("<d:types>", f"{policy}<d:types>").replace("</d:binding>", f"{in_binding}</d:binding>")
    assert Contract(compiled(text)).addressing == namespace
    assert sandbox().addressing == WSA


def test_the_address_action_wins_over_the_http_one() -> None:
    text = wsdl(PLAIN).replace(
        '<d:input message="t:in"/>',
        '<d:input xmlns:w="http://www.w3.org/2007/05/addressing/metadata" w:Action="urn:w" message="t:in"/>',
    )
    assert Contract(compiled(text)).operation("Op").action == "urn:w"


@pytest.mark.parametrize("odd", [{"style": "rpc"}, {"use": "encoded"}])
def test_another_style_cannot_be_called(odd: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="has no operation that can be called"):
        compiled(wsdl(PLAIN, **odd))


def two_operations(second_message: str) -> dict[str, t.Any]:
    text = wsdl(PLAIN)
    text = text.replace("<d:portType", f"{second_message}<d:portType", 1)
    text = text.replace(
        "</d:portType>", '<d:operation name="Two"><d:input message="t:two"/></d:operation></d:portType>'
    )
    bound = (
        '<d:operation name="Two"><s:operation soapAction="2"/><d:input><s:body use="literal"/></d:input></d:operation>'
    )
    return compiled(text.replace("</d:binding>", f"{bound}</d:binding>"))


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ('<d:message name="two"><d:part name="p" type="xs:int"/></d:message>', "its input is not one element"),
        ('<d:message name="two"/>', "its input is not one element"),
        (
            '<d:message name="two"><d:part name="p" element="t:Gone"/></d:message>',
            "the WSDL does not define its messages",
        ),
        ("", "the WSDL does not define its messages"),
    ],
)
def test_what_cannot_be_called_is_said_when_it_is_called(message: str, why: str) -> None:
    data = two_operations(message)
    assert data["left_out"] == {"Two": why}
    with pytest.raises(InvalidInput) as caught:
        Contract(data).operation("Two")
    assert why in caught.value.message
    assert "soap_wsdl" in (caught.value.next_step or "")


def test_a_wsdl_without_a_soap_port() -> None:
    text = wsdl(PLAIN).replace("schemas.xmlsoap.org/wsdl/soap12/", "schemas.example.net/other/")
    with pytest.raises(InvalidInput, match="has no SOAP port"):
        compiled(text)


def test_a_wsdl_that_zeep_cannot_understand() -> None:
    text = wsdl(
        '<xs:element name="In"><xs:complexType><xs:sequence><xs:nonsense/></xs:sequence></xs:complexType></xs:element>'
    )
    with pytest.raises(InvalidInput) as caught:
        compiled(text)
    assert "cannot be understood: " in caught.value.message
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("module", "package"), [("zeep", "zeep"), ("lxml.etree", "lxml")])
def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, module: str, package: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingLibrary, match=f"needs the Python library {package}, which ") as caught:
        compiled(wsdl(PLAIN))
    assert f"pip install {package}" in (caught.value.next_step or "")


def test_all_missing_libraries_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("zeep", "lxml.etree", "requests"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingLibrary, match=r"pip install requests lxml zeep$"):
        compiled(wsdl(PLAIN))


def test_names_of_operations_count_in_any_spelling_and_wrong_ones_are_answered() -> None:
    about = sandbox()
    assert about.operation("warehouse_exists").name == "WarehouseExists"
    with pytest.raises(InvalidInput, match=r"has no operation 'WarehouseExist'\. Did you mean 'WarehouseExists'"):
        about.operation("WarehouseExist")
