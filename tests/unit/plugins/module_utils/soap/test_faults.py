# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults: both versions, the codes of the service, and what may not be shown."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._transport.soap import faults
from ansible_collections.fcd.cloud.plugins.module_utils._transport.soap.answer_tree import Tree

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
    return faults.read(Tree(xml.encode()).root)


def old(code: str, words: str, detail: str = "") -> faults.Fault:
    xml = (
        f'<s:Fault xmlns:s="{SOAP_11}"><faultcode>s:{code}</faultcode><faultstring>{words}</faultstring>'
        f"{detail and f'<detail>{detail}</detail>'}</s:Fault>"
    )
    return faults.read(Tree(xml.encode()).root)


def business(code: object, words: str, name: str = "ErrorDescription") -> str:
    return f"<d:{name}><d:ErrorCode>{code}</d:ErrorCode><d:ErrorMsg>{words}</d:ErrorMsg></d:{name}>"


def error(fault: faults.Fault, **details: t.Any) -> errors.ServiceError:
    return faults.as_error("GetClient", fault, lambda text: text.replace("secret", "********"), **details)


SUBCODE = "<s:Subcode><s:Value>a:FailedAuthentication</s:Value></s:Subcode>"
NESTED = "<s:Subcode><s:Value>a:Other</s:Value>" + SUBCODE + "</s:Subcode>"


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
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
    ],
)
def test_faults_become_errors(fault: faults.Fault, kind: type[errors.ServiceError], message: str) -> None:
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
        "fault": "ErrorDescription",
    }


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        (new("Sender", SUBCODE), "Check username, password and soap_user_prefix."),
        (new("Sender", SUBCODE.replace("FailedAuthentication", "DestinationUnreachable")), "set soap_to to it."),
        (
            new("Sender", SUBCODE.replace("FailedAuthentication", "ActionNotSupported")),
            "set soap_contract_ttl to 1 once",
        ),
        (new("Sender", detail=business(7, "no", "AuthorizationErrorDescription")), "Check the privileges of the user."),
    ],
)
def test_the_next_step_fits_the_fault(fault: faults.Fault, advice: str) -> None:
    assert advice in (error(fault).next_step or "")


def test_codes_are_local_names() -> None:
    assert new("Sender", NESTED).codes == ("Sender", "Other", "FailedAuthentication")
    assert old("Client", "x").codes == ("Client",)


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
