# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One call: what is sent, what comes back, what is sent again, and how failures are told."""

from __future__ import annotations

import logging
import re
import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Response
from ansible_collections.fcd.cloud.plugins.module_utils._soap.client import ANSWER_STATUSES, is_read
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract

from .contracts import compiled, sandbox, wsdl
from .stand_in import PASSWORD, Bench, answer, body_of, enveloped, fault, header_of, plain

TRUE = answer("WarehouseExists", "<f:WarehouseExistsResult>true</f:WarehouseExistsResult>")
DONE = answer("CreateWarehouse", "")
HTML = b"<!DOCTYPE html><html><body>canary-body</body></html>"
CHECK = (
    "Check username, password and soap_user_prefix; if they are right, check soap_url: it must be the address of the "
    "SOAP service itself."
)
KEY = {"partner_id": 1, "template_id": 2, "data_store_number": "3"}
NEW = {"warehouse_name": "w", "queue_capacity": 1, **KEY}


def test_request_of_one_call() -> None:
    bench = Bench(TRUE)
    assert bench.call("warehouse_exists", **KEY) is True
    (request,) = bench.sent
    assert (request.operation, request.method, request.kind) == ("WarehouseExists", "POST", "read")
    assert request.url == "https://soap.example.com/CommonFcd.svc"
    assert request.basic == ("API\\user", PASSWORD)
    assert request.headers == {
        "Content-Type": "application/soap+xml; charset=utf-8; "
        'action="http://schemas.example.com/fcd/ICommonFcd/WarehouseExists"'
    }
    assert header_of(request, "To") == "https://inner.example.net/x"
    assert header_of(request, "Action") == "http://schemas.example.com/fcd/ICommonFcd/WarehouseExists"
    assert [node.text for node in body_of(request).children] == ["1", "2", "3"]
    assert request.timeout is None


def test_reads_writes_and_the_login_are_told_apart() -> None:
    names = sandbox().operations()
    writes = [name for name in names if not is_read(name)]
    assert (len(names) - len(writes), len(writes)) == (70, 38)
    verbs = re.compile(
        r"(Create|Update|Delete|Set|Send|Change|Save|Block|Unblock|Reset|Request|Clean|Accept|Impersonate|Logon)"
    )
    assert all(verbs.match(name) for name in writes)
    kinds = {}
    for name in ("GetUsers", "CreateWarehouse", "LogonUser", "WarehouseExists", "ImpersonateUser"):
        bench = Bench(TRUE if name == "WarehouseExists" else answer(name, ""))
        bench.call(name)
        kinds[name] = bench.sent[0].kind
    assert kinds == {
        "GetUsers": "read",
        "CreateWarehouse": "write",
        "LogonUser": "login",
        "WarehouseExists": "read",
        "ImpersonateUser": "write",
    }


def test_answers_that_only_this_client_understands_are_let_through_and_no_others() -> None:
    assert {400, 401, 403, 404, 415, 500} <= ANSWER_STATUSES
    assert not {301, 302, 307, 408, 429, 502, 503, 504} & ANSWER_STATUSES


RESULTS: list[tuple[t.Any, ...]] = [
    ("CreateWarehouse", "", None),
    ("GetWarehouse", '<f:GetWarehouseResult i:nil="true"/>', None),
    ("GetWarehouse", "", None),
    ("GetPrivileges", '<f:GetPrivilegesResult i:nil="true"/>', []),
    ("GetPrivileges", "", []),
    ("GetPrivileges", "<f:GetPrivilegesResult/>", []),
    ("GetReferrerPeriods", "<f:GetReferrerPeriodsResult/>", []),
    ("GetClientSalesmanName", "<f:GetClientSalesmanNameResult> ż </f:GetClientSalesmanNameResult>", " ż "),
    ("CreateUserWithPrivileges", "<f:CreateUserWithPrivilegesResult>7</f:CreateUserWithPrivilegesResult>", 7),
    (
        "DeleteClient",
        "<f:DeleteClientResult><m:IsDeleted>1</m:IsDeleted></f:DeleteClientResult>",
        {"is_deleted": True},
    ),
]


def test_results() -> None:
    for operation, inside, result in RESULTS:
        assert Bench(answer(operation, inside)).call(operation) == result


def test_an_operation_without_an_answer_message() -> None:
    about = Contract(
        compiled(wsdl('<xs:element name="In"><xs:complexType><xs:sequence/></xs:complexType></xs:element>'))
    )
    assert Bench(Response(202, {}, enveloped("")), contract=about).call("Op") is None
    assert Bench(Response(202, {}, b""), contract=about).call("Op") is None
    with pytest.raises(
        errors.Unclear, match=r"Op: the answer \(HTTP 500\) cannot be used: it is nothing\. It is not known"
    ):
        Bench(Response(500, {}, b""), contract=about).call("Op")


def test_a_result_with_several_members() -> None:
    schema = (
        '<xs:element name="In"><xs:complexType><xs:sequence/></xs:complexType></xs:element><xs:element name="Out">'
        '<xs:complexType><xs:sequence><xs:element name="A" type="xs:int"/>'
        '<xs:element name="B" type="xs:int"/></xs:sequence>'
        "</xs:complexType></xs:element>"
    )
    text = wsdl(schema).replace(
        "<d:portType", '<d:message name="out"><d:part name="p" element="t:Out"/></d:message><d:portType'
    )
    text = text.replace('<d:input message="t:in"/>', '<d:input message="t:in"/><d:output message="t:out"/>')
    text = text.replace(
        'use="literal"/></d:input>', 'use="literal"/></d:input><d:output><s:body use="literal"/></d:output>'
    )
    bench = Bench(
        Response(200, {}, enveloped('<Out xmlns="urn:t"><A>1</A><B>2</B></Out>')), contract=Contract(compiled(text))
    )
    assert bench.call("Op") == {"a": 1, "b": 2}


def test_bad_input_is_told_before_anything_is_sent() -> None:
    bench = Bench(TRUE)
    with pytest.raises(errors.InvalidInput, match=r"WarehouseExists\.partnerId: must be a whole number"):
        bench.call("WarehouseExists", partner_id="x")
    with pytest.raises(errors.InvalidInput, match="has no operation 'WarehouseExist'"):
        bench.call("WarehouseExist")
    assert bench.sent == []


UNUSABLE = [
    (plain(200, HTML), "it is an HTML page"),
    (plain(200, b'{"a": 1}', "application/json"), "it is JSON"),
    (plain(200, b""), "it is nothing"),
    (plain(200, b"canary-body"), "it is plain text"),
    (plain(500, HTML), "it is an HTML page"),
    (plain(200, enveloped("<f:X/>")[:-30]), "it is not well-formed XML"),
    (plain(200, b"<a/>"), "it is XML, but no SOAP envelope"),
    (plain(200, b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), "it has a DTD, which SOAP forbids"),
    (plain(200, b"<a>" * 99), "it is nested deeper than 60 levels"),
    (plain(200, enveloped("")), "it contains nothing instead of {}Response"),
    (plain(200, enveloped("<f:GetUserResponse/>")), "it contains GetUserResponse instead of {}Response"),
    (plain(200, enveloped("<f:X/>", "urn:uuid:another")), "it belongs to another request"),
    (plain(500, enveloped("<f:X/>")), "it has an error status, but contains no fault"),
]


def test_an_unusable_answer_leaves_a_write_unclear_and_is_not_sent_again() -> None:
    for response, problem in UNUSABLE:
        bench = Bench(response)
        with pytest.raises(errors.Unclear) as caught:
            bench.call("CreateWarehouse", **NEW)
        message = caught.value.message
        start = f"CreateWarehouse: the answer (HTTP {response.status}) cannot be used: "
        assert message.startswith(start + problem.format("CreateWarehouse"))
        assert (caught.value.next_step or "").startswith("It is not known whether it was done.")
        told = {"operation": "CreateWarehouse", "status": response.status, "request_id": "r-8", "changed": True}
        assert caught.value.details == told
        assert "canary" not in str(caught.value.as_result())
        assert len(bench.sent) == 1
        assert bench.clock.slept == []


def test_a_read_with_an_unusable_answer_is_sent_again() -> None:
    for response, _problem in UNUSABLE:
        bench = Bench(response, response, TRUE)
        assert bench.call("WarehouseExists", **KEY) is True
        assert len(bench.sent) == 3
        assert [request.timeout for request in bench.sent] == [
            None,
            *[60.0 - sum(bench.clock.slept[: n + 1]) for n in (0, 1)],
        ]
        assert len({header_of(request, "MessageID") for request in bench.sent}) == 3
        assert len(bench.said) == 2
        assert bench.said[0].startswith("WarehouseExists: the answer (HTTP ")
        assert re.search(r"Trying again in \d\.\d s\.$", bench.said[0])


def test_a_read_ends_when_its_answers_stay_unusable() -> None:
    for response, problem in UNUSABLE:
        bench = Bench(response, retries=2)
        with pytest.raises(errors.Unusable) as caught:
            bench.call("WarehouseExists", **KEY)
        assert problem.format("WarehouseExists") in caught.value.message
        assert len(bench.sent) == 3


def test_a_read_whose_answer_would_be_the_same_is_not_sent_again() -> None:
    """As one larger than all that is read, of which the transport says so."""
    bench = Bench(errors.Unusable("WarehouseExists: it is larger than 64 MiB.", repeatable=False))
    with pytest.raises(errors.Unusable, match="larger than 64 MiB"):
        bench.call("WarehouseExists", **KEY)
    assert len(bench.sent) == 1
    assert bench.said == []


def test_a_read_is_not_sent_again_when_the_budget_is_spent() -> None:
    """A service that is down may answer with pages, and is not flooded either."""
    bench = Bench(plain(500, HTML))
    bench.exchange.spent = "the retry budget is spent"
    with pytest.raises(errors.Unusable, match=r"It was not sent again: the retry budget is spent\.$"):
        bench.call("WarehouseExists", **KEY)
    assert len(bench.sent) == 1
    assert bench.said == []


def test_a_value_of_the_wrong_type_is_named_by_its_path() -> None:
    bench = Bench(
        answer("CreateUserWithPrivileges", "<f:CreateUserWithPrivilegesResult>x</f:CreateUserWithPrivilegesResult>")
    )
    with pytest.raises(
        errors.Unclear, match=r"CreateUserWithPrivilegesResult contains text that is not a whole number \(int\)"
    ):
        bench.call("CreateUserWithPrivileges")


@pytest.mark.parametrize(
    ("status", "body", "operation"),
    [
        (401, b"", "WarehouseExists"),
        (403, HTML, "WarehouseExists"),
        (401, HTML, "CreateWarehouse"),
        (403, b"", "CreateWarehouse"),
        (401, HTML, "LogonUser"),
    ],
)
def test_a_refused_login_says_what_was_sent(status: int, body: bytes, operation: str) -> None:
    bench = Bench(plain(status, body, www_authenticate='Negotiate, Basic realm="fcd"'))
    with pytest.raises(errors.Unauthorized) as caught:
        bench.call(operation)
    came = ", with an HTML page" if body else ""
    assert caught.value.message == (
        f"{operation}: the service refused the login (HTTP {status}{came}); it was sent as 'API\\user'."
    )
    assert caught.value.next_step == CHECK
    assert len(bench.sent) == 1


@pytest.mark.parametrize(
    ("operation", "status", "headers", "body", "came", "asked"),
    [
        ("WarehouseExists", 401, {}, b"", "", ""),
        ("LogonUser", 401, {"www_authenticate": "Bearer"}, b'{"Message": "No."}', ", with JSON", "Bearer"),
        ("WarehouseExists", 401, {"www_authenticate": "Swift realm='x'"}, HTML, ", with an HTML page", ""),
        ("LogonUser", 401, {"www_authenticate": "Negotiate, NTLM"}, b"", "", "Negotiate or NTLM"),
        ("WarehouseExists", 403, {}, b"no", ", with plain text", ""),
    ],
)
def test_a_refusal_names_the_login_first_and_then_the_address(
    status: int, headers: dict[str, str], body: bytes, came: str, asked: str, operation: str
) -> None:
    """A service may refuse a wrong password with nothing but the status; another service may stand there, too."""
    bench = Bench(plain(status, body, **headers))
    with pytest.raises(errors.Unauthorized) as caught:
        bench.call(operation)
    other = f" by HTTP Basic, but the server asks for {asked}" if asked else ""
    assert str(caught.value) == (
        f"{operation}: the service refused the login (HTTP {status}{came}); it was sent as 'API\\user'{other}. {CHECK}"
    )
    assert len(bench.sent) == 1


def test_a_refusal_in_xml_can_be_of_the_login() -> None:
    with pytest.raises(errors.Unauthorized, match="refused the login"):
        Bench(plain(401, b"<Error/>")).call("WarehouseExists")


@pytest.mark.parametrize(
    ("status", "body", "found"),
    [(400, HTML, "an HTML page"), (404, b'{"Message": "No."}', "JSON"), (405, HTML, "an HTML page")],
)
def test_a_refusal_of_a_write_without_a_fault_is_unclear(status: int, body: bytes, found: str) -> None:
    bench = Bench(plain(status, body))
    with pytest.raises(errors.Unclear) as caught:
        bench.call("CreateWarehouse", **NEW)
    assert str(caught.value).startswith(
        f"CreateWarehouse: https://soap.example.com/CommonFcd.svc answered HTTP {status} with {found}; "
        "this is not the answer of a SOAP service. It is not known whether it was done. Check soap_url: "
    )
    assert errors.has_changed(caught.value)


@pytest.mark.parametrize("status", [400, 404, 405, 415])
def test_a_read_that_is_refused_without_a_fault(status: int) -> None:
    with pytest.raises(errors.Rejected) as caught:
        Bench(plain(status, HTML)).call("WarehouseExists")
    assert type(caught.value) is errors.Rejected  # not NotFound: that would say that an object is absent


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        (fault(1001, "gone"), errors.Rejected),
        (fault(7, kind="AuthorizationErrorDescription"), errors.Forbidden),
        (fault(), errors.Rejected),
        (fault(blamed="Receiver"), errors.ServiceError),
    ],
)
@pytest.mark.parametrize("operation", ["GetWarehouse", "CreateWarehouse"])
def test_a_fault_is_told_once(response: Response, kind: type[Exception], operation: str) -> None:
    bench = Bench(response)
    with pytest.raises(errors.ServiceError) as caught:
        bench.call(operation)
    assert type(caught.value) is kind
    assert (caught.value.status, caught.value.details["request_id"]) == (500, "r-7")
    assert len(bench.sent) == 1


STATUSES: list[t.Any] = [200, 400, 401, 403, 500]


def test_the_status_of_a_fault_does_not_matter() -> None:
    for status in STATUSES:
        response = fault(1001, "gone")
        bench = Bench(Response(status, {}, response.body))
        with pytest.raises(errors.Rejected, match="GetUser: the service refused it: gone"):
            bench.call("GetUser")


def test_a_fault_of_the_other_soap_version_is_understood() -> None:
    body = (
        b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode>'
        b"<faultstring>version</faultstring></s:Fault></s:Body></s:Envelope>"
    )
    with pytest.raises(errors.Rejected, match="GetUser: the service refused it: version"):
        Bench(plain(500, body, "text/xml")).call("GetUser")


def test_a_locked_object_is_waited_for_in_steps_of_five_seconds() -> None:
    bench = Bench(fault(133, "locked"), fault(133, "locked"), DONE)
    assert bench.call("CreateWarehouse", **NEW) is None
    assert bench.clock.slept == [5.0, 5.0]
    assert [request.timeout for request in bench.sent] == [None, 55.0, 50.0]
    locked = "CreateWarehouse: the object is locked by a running operation: locked (error code 133)."
    assert bench.said == [f"{locked} Trying again in 5.0 s."] * 2


def test_a_lock_that_stays_is_a_conflict_within_the_time_for_a_call() -> None:
    bench = Bench(fault(133, "locked"), timeout=14.0)
    with pytest.raises(errors.Conflict):
        bench.call("CreateWarehouse", **NEW)
    assert bench.clock.slept == [5.0, 5.0]


@pytest.mark.parametrize(
    "cause",
    [
        errors.Unreachable("x"),
        errors.Unclear("x"),
        errors.RateLimited("x"),
        errors.ServiceError("x"),
        errors.Conflict("x"),
    ],
)
def test_what_the_exchange_raises_passes_through(cause: errors.FcdError) -> None:
    bench = Bench(cause)
    with pytest.raises(type(cause)):
        bench.call("GetUser")
    assert len(bench.sent) == 1


def test_secrets_of_the_request_are_hidden_in_the_words_of_the_service() -> None:
    values = {
        "ad_login": "jan",
        "adPassword": "canary-New-1",
        "user": {"pesel": "canary-44051401359", "email": "jan@example.com"},
        "privileges": [1],
    }
    bench = Bench(fault(1, f"jan with canary-New-1 and canary-44051401359 by {PASSWORD}"))
    with pytest.raises(errors.Rejected) as caught:
        bench.call("CreateUserWithPrivileges", **values)
    assert "canary" not in str(caught.value.as_result())
    assert "jan with ******** and ******** by ********" in caught.value.message


def test_a_national_id_that_is_written_as_a_number_is_hidden_too() -> None:
    with pytest.raises(errors.Rejected, match=r"IsPeselAlreadyTaken: the service refused it: \*{8} is wrong"):
        Bench(fault(1, "44051401359 is wrong")).call("IsPeselAlreadyTaken", pesel=44051401359)


def test_the_name_of_a_wrong_answer_is_cut_off() -> None:
    bench = Bench(plain(200, enveloped(f"<f:{'x' * 999}/>")), retries=0)
    with pytest.raises(errors.Unusable, match=f"it contains {'x' * 80} instead of GetUserResponse"):
        bench.call("GetUser")


def test_the_password_is_in_no_representation() -> None:
    assert "canary" not in repr(Bench(TRUE).client._service)


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    Bench(answer("SetUserPassword", "")).call("SetUserPassword", user_id=1, new_password="canary-New-1")
    assert caplog.records == []


def test_a_message_is_checked_before_it_is_sent() -> None:
    bench = Bench(TRUE)
    message = bench.client.message("warehouse_exists", KEY)
    assert (message.operation.name, message.kind, bench.sent) == ("WarehouseExists", "read", [])
    assert bench.client.send(message) is True
    with pytest.raises(errors.InvalidInput, match=r"WarehouseExists\.partnerId: must be a whole number"):
        bench.client.message("WarehouseExists", {"partner_id": "x"})
    assert len(bench.sent) == 1


@pytest.mark.parametrize(
    ("operation", "reads", "kind"),
    [
        ("WarehouseExists", False, "write"),
        ("CreateWarehouse", True, "read"),
        ("CreateWarehouse", False, "write"),
        ("LogonUser", True, "login"),
    ],
)
def test_who_knows_better_than_the_name_says_whether_it_reads(operation: str, reads: bool, kind: str) -> None:
    bench = Bench(plain(200, HTML), retries=0)
    message = bench.client.message(operation, {}, reads=reads)
    assert message.kind == kind
    with pytest.raises(errors.Unusable if kind == "read" else errors.Unclear):
        bench.client.send(message)


def test_members_that_the_contract_does_not_have_are_noted_once() -> None:
    row = "<m:Privilege><m:Name>x</m:Name><m:Colour>red</m:Colour></m:Privilege>"
    bench = Bench(answer("GetPrivileges", f"<f:GetPrivilegesResult>{row * 3}</f:GetPrivilegesResult>"))
    assert len(bench.call("GetPrivileges")) == 3
    assert list(bench.client.unknown) == ["GetPrivilegesResponse.GetPrivilegesResult.Colour"]
