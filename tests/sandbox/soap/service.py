# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The SOAP service as a WSGI application: documents on GET, operations on POST.

Source: docs/service/contract.md. libxml2 checks every request and every answer against the schema.
"""

from __future__ import annotations

import base64
import binascii
import copy
import re
from collections.abc import Iterable
from typing import Any
from wsgiref.util import request_uri

from sandbox.service import OPERATION, VIOLATIONS, WRITE, Environ, StartResponse
from sandbox.soap import documents, envelope
from sandbox.soap.codec import decode, fill
from sandbox.soap.families import handlers
from sandbox.soap.faults import BUSINESS, Fault
from sandbox.soap.logon import authenticate
from sandbox.soap.schema import Operation, contract
from sandbox.soap.seeding import Login, seeded
from sandbox.soap.state import DEFAULTS

PATH = "/CommonFcd.svc"

_DISPATCHER = "http://schemas.microsoft.com/net/2005/12/windowscommunicationfoundation/dispatcher"
_STATUS = {
    200: "200 OK",
    400: "400 Bad Request",
    401: "401 Unauthorized",
    404: "404 Not Found",
    405: "405 Method Not Allowed",
    415: "415 Unsupported Media Type",
    500: "500 Internal Server Error",
}


class SoapService:
    """The Service protocol of the sandbox for the CommonFcd interface; settings: sandbox.soap.state.DEFAULTS."""

    name = "soap"

    def __init__(self, credentials: Login) -> None:
        self.settings: dict[str, Any] = copy.deepcopy(DEFAULTS)
        self.violations: list[dict[str, Any]] = []
        self._credentials = credentials
        self._contract = contract()
        self._handlers = handlers()
        self._state = seeded(credentials, self.settings)

    def reset(self) -> None:
        self._state = seeded(self._credentials, self.settings)
        self.violations.clear()

    def snapshot(self) -> dict[str, Any]:
        """The objects; a user has ``password_sha256`` (hexadecimal, of the UTF-8 bytes; empty: nobody knows it)."""
        state = self._state
        return copy.deepcopy(
            {
                "warehouses": list(state.warehouses.values()),
                "users": [{**row, "password_sha256": state.passwords[number]} for number, row in state.users.items()],
                "clients": list(state.clients.values()),
                "client_history": state.client_history,
                "pit_data": {str(number): row for number, row in state.pit_data.items()},
                "phone_codes": list(state.phone_codes.values()),
                "reset_tokens": state.reset_tokens,
                "pricelists": list(state.pricelists.values()),
                "client_pricelists": {str(client): number for client, number in state.client_pricelists.items()},
                "fixed_amounts": list(state.fixed_amounts.values()),
                "cp_history": {str(number): text for number, text in state.cp_history.items()},
                "accepted_regulations": state.accepted_regulations,
            }
        )

    def preview(self, environ: Environ) -> None:
        """Say whether the operation that the platform has read from the action writes."""
        operation = self._contract.operations.get(environ.get(OPERATION, ""))
        environ[WRITE] = environ["REQUEST_METHOD"] == "POST" and (operation is None or operation.writes)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        if environ.get("PATH_INFO") != PATH:
            return _plain(start_response, 404, "there is nothing here")
        if method in {"GET", "HEAD"}:
            return self._document(environ, start_response)
        if method != "POST":
            return _plain(start_response, 405, "POST an envelope", [("Allow", "GET, POST")])
        return self._post(environ, start_response)

    def _document(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ[WRITE] = False
        imports = self.settings["import_address"] or request_uri(environ, include_query=False)
        text = documents.served(
            environ.get("QUERY_STRING", ""),
            self.settings["published_address"],
            imports,
            bare=self.settings["bare_imports"],
        )
        if text is None:
            return _plain(start_response, 404, "ask for ?wsdl")
        return _send(start_response, 200, text.encode(), "text/xml; charset=utf-8")

    def _post(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        raw = _body(environ)
        if not self._logged_in(environ):
            return _plain(start_response, 401, "", [("WWW-Authenticate", 'Basic realm="fcd"')])
        content_type = environ.get("CONTENT_TYPE", "")
        if content_type.split(";")[0].strip().lower() != envelope.CONTENT_TYPE:
            return _plain(start_response, 415, f"the content type must be {envelope.CONTENT_TYPE}")
        status, answer = self._answer(environ, raw)
        return _send(start_response, status, answer, f"{envelope.CONTENT_TYPE}; charset=utf-8")

    def _logged_in(self, environ: Environ) -> bool:
        scheme, _, value = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        try:
            login, _, password = base64.b64decode(value, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return False
        prefix = self.settings["login_prefix"]
        if scheme.lower() != "basic" or not login.startswith(prefix):
            return False
        row = authenticate(self._state, login[len(prefix) :], password)
        self._state.caller = row or {}
        return row is not None

    def _answer(self, environ: Environ, raw: bytes) -> tuple[int, bytes]:
        """Status and body of the answer to an envelope."""
        operation: Operation | None = None
        message_id = ""
        try:
            request = envelope.read(raw)
            message_id = request.headers.get("MessageID", "")
            operation = self._operation(request)
            environ[OPERATION], environ[WRITE] = operation.name, operation.writes
            self._check_headers(request, operation, environ.get("CONTENT_TYPE", ""))
            self._check_request(request, environ, operation)
            return 200, self._run(environ, operation, request, message_id)
        except Fault as fault:
            return fault.status, self._fault(environ, fault, operation, message_id)
        except Exception as error:  # a defect of the sandbox: reported like an answer that breaks the schema
            self._violation(environ, "answer", operation, f"{type(error).__name__}: {error}")
            return 500, self._fault(environ, Fault("internal error", code="Receiver"), operation, message_id)

    def _operation(self, request: envelope.Request) -> Operation:
        operation = self._contract.by_input.get(request.body.tag)
        if operation is None:
            raise Fault(f"no operation takes {request.body.tag}", subcode=(envelope.ADDRESSING, "ActionNotSupported"))
        return operation

    def _check_headers(self, request: envelope.Request, operation: Operation, content_type: str) -> None:
        action = request.headers.get("Action", "" if self.settings["require_addressing"] else operation.action)
        parameter = re.search(r'action="?([^";]*)', content_type)
        if action != operation.action or (parameter and parameter.group(1) != action):
            raise Fault(
                f"the action {action!r} does not belong to {operation.name}",
                subcode=(envelope.ADDRESSING, "ActionNotSupported"),
            )
        if self.settings["to"] not in {"", request.headers.get("To")}:
            raise Fault(
                f"the message with To {request.headers.get('To')!r} cannot be processed at the receiver",
                subcode=(envelope.ADDRESSING, "DestinationUnreachable"),
            )

    def _check_request(self, request: envelope.Request, environ: Environ, operation: Operation) -> None:
        breach = self._contract.breach(request.body)
        if breach:
            self._violation(environ, "request", operation, breach)
            raise Fault(f"the formatter refused the message: {breach}", subcode=(_DISPATCHER, "DeserializationFailed"))

    def _run(self, environ: Environ, operation: Operation, request: envelope.Request, message_id: str) -> bytes:
        planned = self._planned_fault(operation)
        if planned and not planned.get("after"):
            raise _as_fault(planned)
        given = decode(self._contract, self._contract.element(operation.input), request.body)
        vain = self.settings["accept_only"] and operation.writes
        result = self._handlers[operation.name](copy.deepcopy(self._state) if vain else self._state, given)
        if planned:
            raise _as_fault(planned)
        root, payload = envelope.open_answer(f"{operation.action}Response", message_id, operation.output)
        declared = self._contract.element(operation.output)
        fill(self._contract, payload, declared, {member.name: result for member in declared.members})
        breach = self._check_answer(environ, operation, payload)
        if breach:
            raise Fault(f"the answer breaks the schema: {breach}", code="Receiver")
        return envelope.render(root)

    def _planned_fault(self, operation: Operation) -> dict[str, Any] | None:
        """The first fault of the settings that is due for this operation; matches are counted in ``seen``."""
        for entry in self.settings["faults"]:
            if not re.search(entry.get("operation", ""), operation.name):
                continue
            entry["seen"] = entry.get("seen", 0) + 1
            place, times = entry["seen"] - entry.get("skip", 0), entry.get("times", 1)
            if place > 0 and (times == 0 or place <= times):
                return dict(entry)
        return None

    def _fault(self, environ: Environ, fault: Fault, operation: Operation | None, message_id: str) -> bytes:
        action = envelope.FAULT_ACTION
        if operation and fault.element:
            action = f"{operation.action}{fault.element}Fault"
        root, detail = envelope.fault_answer(fault, action, message_id)
        if detail is None:
            return envelope.render(root)
        declared = self._contract.local(fault.element)
        error = envelope.add(detail, declared.name)
        fill(self._contract, error, declared, {"ErrorCode": fault.error_code, "ErrorMsg": fault.reason})
        breach = self._check_answer(environ, operation, error)
        if breach:
            return self._fault(environ, Fault(breach, code="Receiver"), operation, message_id)
        return envelope.render(root)

    def _check_answer(self, environ: Environ, operation: Operation | None, payload: Any) -> str:
        breach = self._contract.breach(payload)
        if breach:
            self._violation(environ, "answer", operation, breach)
        return breach

    def _violation(self, environ: Environ, side: str, operation: Operation | None, text: str) -> None:
        target = environ.get(VIOLATIONS, self.violations)
        target.append({"side": side, "operation": operation.name if operation else "", "text": text})


def _as_fault(planned: dict[str, Any]) -> Fault:
    return Fault(
        planned.get("message", "the operation was refused"),
        element=planned.get("element", BUSINESS),
        error_code=planned.get("error_code", 0),
    )


def _body(environ: Environ) -> bytes:
    length = environ.get("CONTENT_LENGTH")
    stream = environ["wsgi.input"]
    return bytes(stream.read(int(length)) if length else stream.read())


def _plain(
    start_response: StartResponse, status: int, text: str, headers: list[tuple[str, str]] | None = None
) -> Iterable[bytes]:
    return _send(start_response, status, text.encode(), "text/plain; charset=utf-8", headers)


def _send(
    start_response: StartResponse,
    status: int,
    body: bytes,
    content_type: str,
    headers: list[tuple[str, str]] | None = None,
) -> Iterable[bytes]:
    fixed = [("Content-Type", content_type), ("Content-Length", str(len(body)))]
    start_response(_STATUS[status], fixed + (headers or []))
    return [body]
