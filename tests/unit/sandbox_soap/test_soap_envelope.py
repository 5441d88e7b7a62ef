# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Transport, envelope, WS-Addressing, schema and faults: what is accepted, what is refused, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sandbox.service import OPERATION, VIOLATIONS, WRITE
from sandbox.soap.envelope import ADDRESSING, SOAP
from sandbox.soap.in_process import PATH, Answer, InProcess, basic, message
from sandbox.soap.service import SoapService


def codes(answer: Answer) -> list[str]:
    """The local parts of a fault's code and subcode."""
    assert answer.headers["Content-Type"] == "application/soap+xml; charset=utf-8"
    return [value.split(":")[1] for value in answer.texts("Value")]


def test_an_answer_names_its_action_and_its_request(client: InProcess) -> None:
    answer = client.call("GetTimeZones")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/soap+xml; charset=utf-8"
    assert answer.root.tag == f"{{{SOAP}}}Envelope"
    assert answer.text("Action") == "http://schemas.example.com/fcd/ICommonFcd/GetTimeZonesResponse"
    assert answer.text("RelatesTo") == "urn:uuid:1"
    assert answer.environ[OPERATION] == "GetTimeZones"


@pytest.mark.parametrize(
    ("operation", "inputs", "writes"),
    [
        ("WarehouseExists", "", False),
        ("VerifyDoesRecommendingExist", "", False),
        ("HasClientUsers", "", False),
        ("IsPhoneNumberExists", "", False),
        ("ValidateToken", "", False),
        ("GetUsers", "", False),
        ("CreateWarehouse", "", True),
        ("LogonUser", "", True),
        ("ImpersonateUser", "", True),
    ],
)
def test_reads_and_writes(client: InProcess, service: SoapService, operation: str, inputs: str, writes: bool) -> None:
    assert client.call(operation, inputs).environ[WRITE] is writes
    environ: dict[str, Any] = {"REQUEST_METHOD": "POST", OPERATION: operation}
    service.preview(environ)
    assert environ[WRITE] is writes


@pytest.mark.parametrize(
    ("login", "password"),
    [
        ("API\\panel.owner@example.com", "wrong"),
        ("panel.owner@example.com", "pässword:ż"),
        ("API\\nobody", "pässword:ż"),
        ("API\\second.user", ""),
    ],
)
def test_a_wrong_login(client: InProcess, login: str, password: str) -> None:
    client.authorization = basic(login, password)
    answer = client.call("GetTimeZones")
    assert (answer.status, answer.body) == (401, b"")
    assert answer.headers["WWW-Authenticate"] == 'Basic realm="fcd"'


@pytest.mark.parametrize("value", ["", "Bearer abc", "Basic", "Basic !", "Basic 4Pk=", "Basic QVBJ"])
def test_an_unreadable_authorization(client: InProcess, value: str) -> None:
    client.authorization = value
    assert client.call("GetTimeZones").status == 401


def test_a_changed_prefix(client: InProcess, service: SoapService) -> None:
    service.settings["login_prefix"] = ""
    client.authorization = basic("panel.owner@example.com", "pässword:ż")
    assert client.call("GetTimeZones").status == 200


@pytest.mark.parametrize("content_type", ["", "text/xml; charset=utf-8", "application/json", "application/soap+xmlx"])
def test_another_content_type(client: InProcess, content_type: str) -> None:
    assert client.post(message("GetTimeZones"), content_type).status == 415


def test_an_action_in_the_content_type_must_agree(client: InProcess) -> None:
    action = "http://schemas.example.com/fcd/ICommonFcd/"
    good = client.post(message("GetTimeZones"), f'application/soap+xml; action="{action}GetTimeZones"')
    assert good.status == 200
    bad = client.post(message("GetTimeZones"), f'application/soap+xml; action="{action}GetServices"')
    assert (bad.status, codes(bad)) == (500, ["Sender", "ActionNotSupported"])


def test_other_methods_and_paths(client: InProcess) -> None:
    assert client.request("PUT", PATH).status == 405
    assert client.request("POST", "/CommonFcd.svc/other").status == 404


@pytest.mark.parametrize("action", ["", "http://schemas.example.com/fcd/ICommonFcd/GetServices", "GetTimeZones"])
def test_a_wrong_action(client: InProcess, service: SoapService, action: str) -> None:
    answer = client.post(message("GetTimeZones", action=action))
    assert (answer.status, codes(answer)) == (500, ["Sender", "ActionNotSupported"])
    assert answer.text("Action") == f"{ADDRESSING}/fault"
    assert service.violations == []


def test_addressing_may_be_waived(client: InProcess, service: SoapService) -> None:
    envelope = message("GetTimeZones").replace(b"<a:MessageID>", b"<!-- none --><a:MessageID>")
    without = envelope[: envelope.index(b"<a:Action>")] + envelope[envelope.index(b"</a:Action>") + 11 :]
    assert codes(client.post(without)) == ["Sender", "ActionNotSupported"]
    service.settings["require_addressing"] = False
    assert client.post(without).status == 200


def test_a_header_twice(client: InProcess) -> None:
    answer = client.call("GetTimeZones", headers="<a:MessageID>urn:uuid:2</a:MessageID>")
    assert (answer.status, codes(answer)) == (500, ["Sender", "InvalidAddressingHeader"])


def test_a_header_that_must_be_understood(client: InProcess) -> None:
    header = '<x:Y xmlns:x="urn:x" s:mustUnderstand="1"/>'
    assert codes(client.call("GetTimeZones", headers=header)) == ["MustUnderstand"]
    assert client.call("GetTimeZones", headers=header.replace('"1"', '"0"')).status == 200


def test_the_to_header_can_be_filtered(client: InProcess, service: SoapService) -> None:
    service.settings["to"] = "https://node1.internal.example/CommonFcd.svc"
    assert codes(client.call("GetTimeZones")) == ["Sender", "DestinationUnreachable"]
    header = f"<a:To>{service.settings['to']}</a:To>"
    assert client.call("GetTimeZones", headers=header).status == 200


def with_dtd(envelope: bytes) -> bytes:
    return b'<!DOCTYPE x [<!ENTITY e "boom">]>' + envelope.replace(b"urn:uuid:1", b"&e;")


def other_envelope(envelope: bytes) -> bytes:
    return envelope.replace(SOAP.encode(), b"http://schemas.xmlsoap.org/soap/envelope/")


def two_bodies(envelope: bytes) -> bytes:
    return envelope.replace(b"</s:Body>", b"<x/></s:Body>")


@pytest.mark.parametrize(
    ("change", "status", "expected"),
    [
        (with_dtd, 400, ["Sender"]),
        (lambda _: b"", 400, ["Sender"]),
        (lambda envelope: envelope[:-3], 400, ["Sender"]),
        (other_envelope, 500, ["VersionMismatch"]),
        (two_bodies, 500, ["Sender"]),
        (lambda envelope: envelope.replace(b"GetTimeZones xmlns", b"GetTime xmlns"), 400, ["Sender"]),
        (lambda envelope: envelope.replace(b"s:Body", b"s:Boby"), 500, ["Sender"]),
    ],
)
def test_what_is_no_envelope(
    client: InProcess, change: Callable[[bytes], bytes], status: int, expected: list[str]
) -> None:
    answer = client.post(change(message("GetTimeZones")))
    assert (answer.status, codes(answer)) == (status, expected)
    assert b"boom" not in answer.body


def test_an_unknown_operation(client: InProcess) -> None:
    assert codes(client.call("FormatDisk")) == ["Sender", "ActionNotSupported"]


@pytest.mark.parametrize(
    ("operation", "inputs"),
    [
        ("GetUser", "<userId>one</userId>"),
        ("GetUser", "<userId>2147483648</userId>"),
        ("GetUser", '<userId i:nil="true"/>'),
        ("GetUser", "<userId>1</userId><other>1</other>"),
        ("GetUser", "<UserId>1</UserId>"),
        ("WarehouseExists", "<templateId>1</templateId><partnerId>1</partnerId>"),
        ("GetDictionaryItems", "<dictionary>Cheeses</dictionary>"),
        ("GetUsers", "<searchParams><m:PageSize>1</m:PageSize><m:PageNumber>1</m:PageNumber></searchParams>"),
        ("GetUsers", "<searchParams><m:ClientId>1</m:ClientId><m:PageSize>1</m:PageSize></searchParams>"),
        ("DeleteUsers", "<userIds><int>1</int></userIds>"),
    ],
)
def test_a_request_that_breaks_the_schema(client: InProcess, service: SoapService, operation: str, inputs: str) -> None:
    before = service.snapshot()
    answer = client.call(operation, inputs)
    assert (answer.status, codes(answer)) == (500, ["Sender", "DeserializationFailed"])
    assert service.snapshot() == before
    (violation,) = service.violations
    assert (violation["side"], violation["operation"]) == ("request", operation)
    assert "Element" in violation["text"]


def test_violations_go_to_the_list_of_the_platform(client: InProcess, service: SoapService) -> None:
    told: list[Any] = []

    def platform(environ: dict[str, Any], start_response: Any) -> Any:
        environ[VIOLATIONS] = told
        return service(environ, start_response)

    client.app = platform
    client.call("GetUser", "<userId>one</userId>")
    assert len(told) == 1
    assert service.violations == []


def test_an_answer_that_breaks_the_schema(client: InProcess, service: SoapService) -> None:
    client.call("CreateWarehouse", "<warehouseName>w</warehouseName>")
    service._state.warehouses[1001]["CreationDate"] = "yesterday"
    answer = client.call("GetWarehouse", "<warehouseId>1001</warehouseId>")
    assert (answer.status, codes(answer)) == (500, ["Receiver"])
    service._state.warehouses[1001] = {"Colour": "red"}
    assert client.call("GetWarehouse", "<warehouseId>1001</warehouseId>").status == 500
    assert [(entry["side"], entry["operation"]) for entry in service.violations] == [("answer", "GetWarehouse")] * 2
    assert "'yesterday'" in service.violations[0]["text"]
    assert "Colour" in service.violations[1]["text"]


def test_a_business_fault(client: InProcess) -> None:
    answer = client.call("DeleteWarehouse", "<warehouseId>7</warehouseId>")
    assert (answer.status, codes(answer)) == (500, ["Sender"])
    assert answer.text("Action").endswith("/ICommonFcd/DeleteWarehouseErrorDescriptionFault")
    assert answer.text("RelatesTo") == "urn:uuid:1"
    assert answer.text("ErrorCode") == "1001"
    assert answer.text("ErrorMsg") == answer.text("Text") == "warehouse 7 does not exist"


def test_planned_faults(client: InProcess, service: SoapService) -> None:
    locked = {"operation": "^CreateWarehouse$", "error_code": 133, "message": "zajęte", "skip": 1, "times": 2}
    service.settings["faults"] = [locked]
    answers = [client.call("CreateWarehouse") for _ in range(4)]
    assert [answer.status for answer in answers] == [200, 500, 500, 200]
    assert (answers[1].text("ErrorCode"), answers[1].text("Text")) == ("133", "zajęte")
    assert len(service.snapshot()["warehouses"]) == 2
    assert client.call("WarehouseExists").status == 200


def test_a_planned_fault_after_the_work(client: InProcess, service: SoapService) -> None:
    service.settings["faults"] = [{"operation": "CreateWarehouse", "after": True, "element": "", "times": 0}]
    answers = [client.call("CreateWarehouse"), client.call("CreateWarehouse")]
    assert [answer.status for answer in answers] == [500, 500]
    assert answers[0].texts("Detail") == []
    assert len(service.snapshot()["warehouses"]) == 2


def test_a_planned_refusal(client: InProcess, service: SoapService) -> None:
    service.settings["faults"] = [{"operation": "^Get", "element": "AuthorizationErrorDescription", "message": "no"}]
    answer = client.call("GetServices")
    assert answer.root.find(".//{*}AuthorizationErrorDescription/{*}ErrorMsg").text == "no"
    assert answer.text("Action").endswith("GetServicesAuthorizationErrorDescriptionFault")


def test_a_fault_that_breaks_the_schema(client: InProcess, service: SoapService) -> None:
    service.settings["faults"] = [{"operation": "GetServices", "error_code": 2**40}]
    answer = client.call("GetServices")
    assert (answer.status, codes(answer), answer.texts("Detail")) == (500, ["Receiver"], [])
    assert [violation["side"] for violation in service.violations] == ["answer"]


def test_a_body_of_unknown_length(client: InProcess, service: SoapService) -> None:
    def chunked(environ: dict[str, Any], start_response: Any) -> Any:
        del environ["CONTENT_LENGTH"]
        return service(environ, start_response)

    client.app = chunked
    assert client.call("GetTimeZones").status == 200
