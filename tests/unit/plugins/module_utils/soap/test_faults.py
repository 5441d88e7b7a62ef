# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults: both versions, the codes of the service, and what may not be shown."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._soap import faults
from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import Decoder
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import XmlTree

from .contracts import compiled, sandbox_data, wsdl

SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
DATA = "http://schemas.datacontract.org/2004/07/Example.Common.Communication.Models"


def new(
    code: str, subcodes: str = "", detail: str = "", reasons: str = '<s:Text xml:lang="en">said so</s:Text>'
) -> faults.Fault:
    xml = (
        f'<s:Fault xmlns:s="{SOAP_12}" xmlns:d="{DATA}"><s:Code><s:Value>s:{code}</s:Value>{subcodes}</s:Code>'
        f"<s:Reason>{reasons}</s:Reason>{detail and f'<s:Detail>{detail}</s:Detail>'}</s:Fault>"
    )
    return faults.read_fault(XmlTree(xml.encode()).root)


def old(code: str, words: str, detail: str = "") -> faults.Fault:
    xml = (
        f'<s:Fault xmlns:s="{SOAP_11}"><faultcode>s:{code}</faultcode><faultstring>{words}</faultstring>'
        f"{detail and f'<detail>{detail}</detail>'}</s:Fault>"
    )
    return faults.read_fault(XmlTree(xml.encode()).root)


def business(code: object, words: str, name: str = "ErrorDescription") -> str:
    return f"<d:{name}><d:ErrorCode>{code}</d:ErrorCode><d:ErrorMsg>{words}</d:ErrorMsg></d:{name}>"


def error(fault: faults.Fault, known: t.Mapping[str, str] | None = None, **details: t.Any) -> errors.ServiceError:
    """Return the error; ``known`` are the types of elements in details, as the WSDL has them."""
    contract = Contract({**sandbox_data(), "faults": known or {}})
    decoder = Decoder(contract, XmlTree(b"<x/>"))
    return faults.fault_error("GetClient", fault, decoder, lambda text: text.replace("secret", "********"), **details)


def told(fault: faults.Fault, known: t.Mapping[str, str] | None = None) -> dict[str, t.Any]:
    """Return what the error has for machines."""
    found: dict[str, t.Any] = error(fault, known).details["fault"]
    return found


SUBCODE = "<s:Subcode><s:Value>a:FailedAuthentication</s:Value></s:Subcode>"
INTERNAL = "<s:Subcode><s:Value>a:InternalServiceFault</s:Value></s:Subcode>"
NESTED = "<s:Subcode><s:Value>a:Other</s:Value>" + SUBCODE + "</s:Subcode>"


FAULTS: list[tuple[t.Any, ...]] = [
    (new("Sender"), errors.Rejected, "GetClient: the service refused it: said so."),
    (new("Sender", reasons=""), errors.Rejected, "GetClient: the service refused it: no reason given."),
    (
        new("Sender", detail=business(1001, "nie  ma")),
        errors.Rejected,
        "GetClient: the service refused it: nie ma (error code 1001).",
    ),
    (
        new("Receiver", detail=business(1001, "x")),
        errors.Rejected,
        "GetClient: the service refused it: x (error code 1001).",
    ),
    (
        new("Sender", detail=business(133, "locked")),
        errors.Conflict,
        "GetClient: the object is locked by a running operation: locked (error code 133).",
    ),
    (
        new("Sender", detail=business(7, "no", "AuthorizationErrorDescription")),
        errors.Forbidden,
        "GetClient: not allowed: no (error code 7).",
    ),
    (
        new("Sender", detail=f"<d:Other/>{business('', 'no', 'AuthorizationErrorDescription')}"),
        errors.Forbidden,
        "GetClient: not allowed: no.",
    ),
    (new("Sender", SUBCODE), errors.Unauthorized, "GetClient: the service refused the login: said so."),
    (new("Sender", NESTED), errors.Unauthorized, "GetClient: the service refused the login: said so."),
    (new("Receiver"), errors.ServiceError, "GetClient: the service failed: said so."),
    (old("Server", "broke"), errors.ServiceError, "GetClient: the service failed: broke."),
    (old("Server.Database", "broke"), errors.ServiceError, "GetClient: the service failed: broke."),
    (old("Client.Input", "bad"), errors.Rejected, "GetClient: the service refused it: bad."),
    (old("InternalServiceFault", "broke"), errors.ServiceError, "GetClient: the service failed: broke."),
    (new("InternalServiceFault"), errors.ServiceError, "GetClient: the service failed: said so."),
    (new("Sender", INTERNAL), errors.ServiceError, "GetClient: the service failed: said so."),
    (
        new("Sender", INTERNAL, business(133, "locked")),
        errors.ServiceError,
        "GetClient: the service failed: locked (error code 133).",
    ),
    (old("Client", "bad"), errors.Rejected, "GetClient: the service refused it: bad."),
    (
        old("Client", "bad", "<E><errorCode>9</errorCode><errorMessage>worse</errorMessage></E>"),
        errors.Rejected,
        "GetClient: the service refused it: worse (error code 9).",
    ),
    (
        old("Client", "bad", "<E><ErrorMsg><deep/></ErrorMsg></E>"),
        errors.Rejected,
        "GetClient: the service refused it: bad.",
    ),
    (old("Client", "bad", "text<E>x</E>"), errors.Rejected, "GetClient: the service refused it: bad."),
]


def test_faults_become_errors() -> None:
    for fault, kind, message in FAULTS:
        found = error(fault)
        assert type(found) is kind
        assert found.message == message


def test_details_are_for_machines() -> None:
    found = error(new("Sender", detail=business(1001, "gone")), status=500, request_id="r-1")
    assert found.details == {
        "operation": "GetClient",
        "status": 500,
        "request_id": "r-1",
        "service_message": "gone",
        "error_code": 1001,
        "fault": {
            "operation": "GetClient",
            "code": "Sender",
            "subcodes": [],
            "reason": "said so",
            "error_code": 1001,
            "detail": {"error_description": {"error_code": "1001", "error_msg": "gone"}},
        },
    }


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        (new("Sender", SUBCODE), "Check username, password and soap_user_prefix."),
        (
            new("Sender", SUBCODE.replace("FailedAuthentication", "DestinationUnreachable")),
            "set soap_to to that address.",
        ),
        (
            new("Sender", SUBCODE.replace("FailedAuthentication", "ActionNotSupported")),
            "set soap_contract_ttl to 1 once",
        ),
        (
            new("Sender", detail=business(7, "no", "AuthorizationErrorDescription")),
            (
                "Check the privileges of the user: fcd.cloud.client_user_info with include: [privileges] reads them, "
                "fcd.cloud.client_user with user_name and privileges sets them."
            ),
        ),
    ],
)
def test_the_next_step_fits_the_fault(fault: faults.Fault, advice: str) -> None:
    assert advice in (error(fault).next_step or "")


def test_the_number_of_an_error_is_found_and_shown_wherever_it_is() -> None:
    inner = new("Sender", detail=f"<d:Wrap><d:Inner>{business(133, 'busy')}</d:Inner></d:Wrap>")
    assert (inner.error_code, type(error(inner))) == (133, errors.Conflict)
    detail = told(
        new("Sender", detail="<d:Problem><d:Code>133</d:Code><d:VerificationCode>1234</d:VerificationCode></d:Problem>")
    )["detail"]
    assert detail == {"problem": {"code": "133", "verification_code": "********"}}
    secret = told(new("Sender", detail="<d:Problem><d:Code>x133y</d:Code></d:Problem>"))["detail"]
    assert secret == {"problem": {"code": "********"}}


def test_codes_are_local_names() -> None:
    assert new("Sender", NESTED).codes == ("Sender", "Other", "FailedAuthentication")
    assert old("Client", "x").codes == ("Client",)
    assert old("Server.Database", "x").codes == ("Server", "Database")
    assert old("net.example.Odd", "x").codes == ("net.example.Odd",)


def test_english_is_preferred() -> None:
    both = '<s:Text xml:lang="pl">nie</s:Text><s:Text xml:lang="en-GB">no</s:Text>'
    assert new("Sender", reasons=both).words == "no"
    assert new("Sender", reasons='<s:Text xml:lang="pl">nie</s:Text>').words == "nie"


def test_secrets_are_hidden_and_long_words_cut() -> None:
    assert error(new("Sender", detail=business(5, "secret was wrong"))).message.endswith(
        "******** was wrong (error code 5)."
    )
    assert len(error(new("Sender", detail=business(5, "x" * 9999))).details["service_message"]) == 300
    cut = error(new("Sender", detail=business(5, "x" * 296 + "secret"))).message
    assert "secr" not in cut
    blanks = error(new("Sender", detail=business(5, "x " + " " * 19_996 + "secret"))).message
    assert "secr" not in blanks


TYPED = {f"{{{DATA}}}{name}": f"{{{DATA}}}{name}" for name in ("ErrorDescription", "AuthorizationErrorDescription")}


def test_the_codes_the_reason_and_nothing_else() -> None:
    assert told(new("Sender", NESTED)) == {
        "operation": "GetClient",
        "code": "Sender",
        "subcodes": ["Other", "FailedAuthentication"],
        "reason": "said so",
        "error_code": None,
        "detail": None,
    }
    assert told(old("Client", "it  was\nso"))["reason"] == "it was so"
    nothing = faults.read_fault(XmlTree(f'<s:Fault xmlns:s="{SOAP_11}"/>'.encode()).root)
    assert (told(nothing)["code"], told(nothing)["subcodes"], told(nothing)["reason"]) == (None, [], "")


def test_the_wsdl_names_the_types_of_details() -> None:
    assert sandbox_data()["faults"] == TYPED


def test_a_detail_is_decoded_by_its_type() -> None:
    fault = new("Sender", detail=business(1001, "gone"))
    assert told(fault, TYPED)["detail"] == {"error_description": {"error_code": 1001, "error_msg": "gone"}}
    less = new("Sender", detail="<d:ErrorDescription><d:ErrorMsg>gone</d:ErrorMsg></d:ErrorDescription>")
    assert told(less, TYPED)["detail"] == {"error_description": {"error_code": None, "error_msg": "gone"}}


def test_a_detail_unlike_its_type_is_told_as_it_is() -> None:
    odd = new("Sender", detail=business("E-7", "gone"))
    assert told(odd, TYPED)["detail"] == {"error_description": {"error_code": "E-7", "error_msg": "gone"}}
    more = business(7, "gone").replace("</d:ErrorDesc", "<d:ObjectId>12</d:ObjectId></d:ErrorDesc")
    assert told(new("Sender", detail=more), TYPED)["detail"] == {
        "error_description": {"error_code": 7, "error_msg": "gone", "object_id": "12"}
    }


def test_any_detail_is_told() -> None:
    assert told(old("Client", "x", "<One>a</One><Two/><One><Deep><X>1</X><X>2</X></Deep></One>"))["detail"] == {
        "one": ["a", {"deep": {"x": ["1", "2"]}}],
        "two": "",
    }


@pytest.mark.parametrize(
    ("part", "found"), [("", {}), ('<d:part name="detail" element="t:Odd"/>', {"{urn:t}Odd": "xs:int"})]
)
def test_faults_of_a_wsdl(part: str, found: dict[str, str]) -> None:
    structure = '<xs:element name="In"><xs:complexType><xs:sequence/></xs:complexType></xs:element>'
    text = wsdl(f'{structure}<xs:element name="Odd" type="xs:int"/>')
    text = text.replace("<d:portType", f'<d:message name="odd">{part}</d:message><d:portType')
    text = text.replace("</d:operation></d:portType>", '<d:fault name="f" message="t:odd"/></d:operation></d:portType>')
    assert compiled(text)["faults"] == found


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ("<d:Privilege>ManageUsers</d:Privilege>", "; the service names privilege ManageUsers"),
        (
            "<d:Rights><d:Right>A</d:Right><d:Right>B</d:Right></d:Rights><d:UserId>7</d:UserId><d:None/>",
            "; the service names rights A, B; user_id 7",
        ),
        ("<d:Token>12345</d:Token>", "; the service names token ********"),
        ("<d:Right>the secret one</d:Right>", "; the service names right the ******** one"),
    ],
)
@pytest.mark.parametrize("known", [{}, TYPED])
def test_the_missing_right_is_told(members: str, said: str, known: dict[str, str]) -> None:
    detail = business(7, "no", "AuthorizationErrorDescription").replace("</d:Auth", f"{members}</d:Auth")
    found = error(new("Sender", detail=detail), known)
    assert type(found) is errors.Forbidden
    assert found.message == f"GetClient: not allowed: no (error code 7){said}."


@pytest.mark.parametrize("code", ["9" * 5000, "--5", "5.0", "\u0665"])
def test_an_error_code_that_is_no_number(code: str) -> None:
    assert error(new("Sender", detail=business(code, "no"))).details.get("error_code") is None


def test_what_is_told_of_a_detail_is_bounded() -> None:
    many = told(old("Client", "x", f"<Many>{'<X/>' * 500}</Many>"))["detail"]
    assert many == {"left_out": "more than 200 elements"}
    long = told(old("Client", "x", f"<One>{'y' * 9999}</One>"))["detail"]
    assert len(long["one"]) == 300
    deep = told(old("Client", "x", "<A>" * 40 + "</A>" * 40))["detail"]
    assert str(deep).count("a") == 40


def test_secrets_in_a_detail_are_hidden() -> None:
    text = "<E><Password>12345678</Password><Said>my secret</Said><Pesel>1</Pesel><IsToken>true</IsToken></E>"
    assert told(old("Client", "x", text))["detail"] == {
        "e": {"password": "********", "said": "my ********", "pesel": "********", "is_token": "********"}
    }
