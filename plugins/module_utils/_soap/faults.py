# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOAP faults, of version 1.2 and 1.1 whatever the request was, as errors for the user.

Source: docs/service/contract.md, "Faults". ``AuthorizationErrorDescription`` is Forbidden, error code 133 is Conflict
(locked by a running operation), other error codes are Rejected. A fault that blames the receiver or nobody and has no
error code is a ServiceError: the service broke down while it was working, and it is not known how far it got. So is
InternalServiceFault anywhere among the codes: services of this kind use it for errors that their own code did not
catch.

It also describes answers that should have been an envelope or a WSDL, and envelopes that cannot be used: the client
imports this file when something fails.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping

from .._core.errors import (
    DOUBT,
    GATEWAY,
    Conflict,
    FcdError,
    Forbidden,
    Rejected,
    ServiceError,
    Unauthorized,
    Unclear,
    Unusable,
)
from .._core.text import MASK, fold, leaf_texts, names_a_secret, quoted, snake
from .._http.client import Response
from .._http.messages import READ, WRITE
from .codec import Decoder, decode_untyped
from .contract import SOAP_12, Malformed, local
from .messages import Node, Service, SoapMessage

NO_ENTRY = (401, 403)  # these may be caused by the login, whatever the answer looks like
UNSUPPORTED = 415  # what services answer to another version of SOAP
LOCKED = 133
DENIED = "AuthorizationErrorDescription"
BAD_LOGIN = ("FailedAuthentication", "InvalidSecurity")
BROKEN, UNCAUGHT = ("Receiver", "Server"), "InternalServiceFault"
# SOAP 1.1, 4.4.1: Server.Database is a kind of Server
DOTTED = ("Client", "Server", "VersionMismatch", "MustUnderstand")
CODE, WORDS = ("errorcode",), ("errormsg", "errormessage")

OTHER_VERSION = (
    "It was sent as SOAP {version}, because the WSDL has a port for it. If the service takes another version, name a "
    "WSDL in soap_wsdl that only has a port for that."
)
FAULT_ADVICE = {
    "DestinationUnreachable": (
        "It was sent to {to}. If the service knows itself under another address, set soap_to to that address."
    ),
    "VersionMismatch": OTHER_VERSION,
    "ActionNotSupported": "The WSDL may have changed: set soap_contract_ttl to 1 once to read it again.",
}

_LANGUAGE = "http://www.w3.org/XML/1998/namespace}lang"
_LONGEST = 300  # characters of the service's own words that are shown
_MAX_NAME = 80  # the same of a name
_MAX_WORDS = 2000
_MAX_CODES = 10
_MAX_ELEMENTS = 200  # of a detail that is shown
_NUMBER = re.compile(r"-?[0-9]{1,18}")

Hide = t.Callable[[str], str]
OTHER_LOGINS = ("Bearer", "Digest", "Kerberos", "Negotiate", "NTLM")
NEWER_WSDL = "If the service has a WSDL that describes this answer, name it in soap_wsdl."
TEXT_ENCODING = "Its binding must answer in plain text: text/xml or application/soap+xml, without attachments."
OWN_ADDRESS = "Check soap_url: it must be the address of the SOAP service itself."
CHECK_LOGIN = (
    "Check username, password and soap_user_prefix; if they are right, check soap_url: it must be the address of the "
    "SOAP service itself."
)
PRIVILEGES = (
    "Check the privileges of the user: fcd.cloud.client_user_info with include: [privileges] reads them, "
    "fcd.cloud.client_user with user_name and privileges sets them."
)
_ATTACHED, _BINARY = "a multipart message (MTOM or SOAP with attachments)", "the binary encoding of SOAP"
_PACKED_UP = (("multipart/", _ATTACHED), ("application/soap+msbin", _BINARY), ("application/fastinfoset", _BINARY))


class Fault(t.NamedTuple):
    """What a fault says.

    ``codes`` are the local names of the code and its subcodes, ``reason`` is its text, ``words`` are those of the
    error in the detail, if there are any; ``detail`` has the elements there.
    """

    codes: tuple[str, ...]
    reason: str
    words: str
    detail: tuple[Node, ...]
    error_code: int | None


def read_fault(node: Node) -> Fault:
    """Read a ``Fault`` element."""
    twelve = node.tag[1:].rpartition("}")[0] == SOAP_12
    codes, reasons = _of_version_12(node) if twelve else _of_version_11(node)
    content = tuple(child for detail in _children(node, "Detail" if twelve else "detail") for child in detail.children)
    error_code, error_words = _find_error(content)
    reason = _start(reasons[0].text if reasons else "")
    return Fault(tuple(codes), reason, _start(error_words) or reason, content, error_code)


def _of_version_12(node: Node) -> tuple[list[str], list[Node]]:
    """Return codes and reasons; those in English if there are any."""
    codes = [_code(value) for code in _children(node, "Code") for value in _find_below(code, "Value")]
    reasons = [text for reason in _children(node, "Reason") for text in _children(reason, "Text")]
    english = [text for text in reasons if text.attributes.get("{" + _LANGUAGE, "").startswith("en")]
    return codes, english or reasons


def _of_version_11(node: Node) -> tuple[list[str], list[Node]]:
    codes: list[str] = []
    for code in map(_code, _children(node, "faultcode")):
        parts = code.split(".")
        codes += parts if parts[0] in DOTTED else [code]
    return codes, _children(node, "faultstring")


def fault_error(
    operation: str, fault: Fault, decoder: Decoder, hide: Hide, *, to: str = "", version: str = "", **details: object
) -> ServiceError:
    """Return the error for a fault; ``hide`` removes secrets from the service's words.

    ``to`` and ``version`` (of SOAP) are those of the request.
    """
    shown = _Display(decoder, hide)
    words = shown.text(fault.words) or "no reason given"
    code = "" if fault.error_code is None else f" (error code {fault.error_code})"
    detail = shown.detail(fault.detail)
    kind, what, next_step = _meaning(fault)
    missing = _missing_privilege(detail) if kind is Forbidden else ""
    if next_step is None and details.get("status") in NO_ENTRY:
        next_step = CHECK_LOGIN
    advised = next((FAULT_ADVICE[name] for name in fault.codes if name in FAULT_ADVICE), None)
    next_step = advised.format(to=to, version=version) if advised else next_step
    codes = [shown.text(name) for name in fault.codes[:_MAX_CODES]]
    details.update(
        operation=operation,
        service_message=words,
        error_code=fault.error_code,
        fault={
            "operation": operation,
            "code": codes[0] if codes else None,
            "subcodes": codes[1:],
            "reason": shown.text(fault.reason),
            "error_code": fault.error_code,
            "detail": detail,
        },
    )
    return kind(f"{operation}: {what}: {words.rstrip('.')}{code}{missing}.", next_step=next_step, **details)


def _meaning(fault: Fault) -> tuple[type[ServiceError], str, str | None]:
    if UNCAUGHT in fault.codes:
        return ServiceError, "the service failed", None
    if any(local(node.tag) == DENIED for node in fault.detail):
        return Forbidden, "not allowed", PRIVILEGES
    if any(name in BAD_LOGIN for name in fault.codes):
        return Unauthorized, "the service refused the login", "Check username, password and soap_user_prefix."
    if fault.error_code == LOCKED:
        return Conflict, "the object is locked by a running operation", "Run the task again when that has finished."
    if fault.error_code is None and (not fault.codes or fault.codes[0] in BROKEN):
        return ServiceError, "the service failed", None
    return Rejected, "the service refused it", None


class _Display:
    """The part of a fault that is shown: short, and without secrets."""

    def __init__(self, decoder: Decoder, hide: Hide) -> None:
        self._decoder = decoder
        self._hide = hide

    def text(self, text: str) -> str:
        """Return the text without secrets; it is cut last, because half a secret would not be recognized."""
        return self._hide(text)[:_LONGEST]

    def detail(self, nodes: t.Sequence[Node]) -> dict[str, object] | None:
        """Return the elements of the detail by name; several with the same name become a list."""
        if sum(_size(node) for node in nodes) > _MAX_ELEMENTS:
            return {"left_out": f"more than {_MAX_ELEMENTS} elements"}
        named: dict[str, list[t.Any]] = {}
        for node in nodes:
            named.setdefault(snake(local(node.tag)), []).append(self._value("", self._decode(node)))
        return {name: values[0] if len(values) == 1 else values for name, values in named.items()} or None

    def _decode(self, node: Node) -> object:
        """Return an element by its type in the WSDL, if it has one and the element conforms to it, with all members."""
        key, plain = self._decoder.fault_types.get(node.tag), decode_untyped(node)
        try:
            value = plain if key is None else self._decoder.value(node, key)
        except Malformed:
            return plain
        if not isinstance(value, dict) or not isinstance(plain, dict):
            return value
        known = {fold(name) for name in value}
        return {**value, **{name: entry for name, entry in plain.items() if fold(name) not in known}}

    def _value(self, name: str, value: object) -> t.Any:
        if isinstance(value, dict):
            return {snake(key)[:_LONGEST]: self._value(key, entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [self._value(name, entry) for entry in value]
        if value is None or isinstance(value, bool):
            return value
        if name and names_a_secret(name) and not self._is_code(name, str(value)):
            return MASK
        return self.text(_start(value)) if isinstance(value, str) else value

    def _is_code(self, name: str, text: str) -> bool:
        """Return whether it is the number of an error, whose usual name is Code, and not one that the request had."""
        return fold(name) == "code" and _NUMBER.fullmatch(text) is not None and self._hide(text) == text


def _missing_privilege(detail: dict[str, object] | None) -> str:
    """Return what the service says about the missing privilege, besides its words."""
    described = next((value for name, value in (detail or {}).items() if fold(name) == fold(DENIED)), None)
    members = described.items() if isinstance(described, dict) else ()
    named = {name: list(leaf_texts(value)) for name, value in members if fold(name) not in (*CODE, *WORDS)}
    said = [f"{name} {', '.join(values)}" for name, values in named.items() if values]
    return f"; the service names {'; '.join(said)[:_LONGEST]}" if said else ""


def _size(node: Node) -> int:
    """Return the number of elements, or any number above the limit."""
    left, size = [node], 0
    while left and size <= _MAX_ELEMENTS:
        size += 1
        left.extend(left.pop().children)
    return size + len(left)


def _start(text: str) -> str:
    """Return the first words in one line: more than is shown, so that no half of a secret is left in that part."""
    return " ".join(text.split(None, _MAX_WORDS)[:_MAX_WORDS])


def _children(node: Node, name: str) -> list[Node]:
    return [child for child in node.children if local(child.tag) == name]


def _find_below(node: Node, name: str) -> t.Iterator[Node]:
    for child in node.children:
        if local(child.tag) == name:
            yield child
        else:
            yield from _find_below(child, name)


def _code(node: Node) -> str:
    return node.text.strip().rpartition(":")[2]


def _find_error(content: t.Sequence[Node]) -> tuple[int | None, str]:
    """Return error code and words of the first detail element that has one of these, at any depth."""
    waiting = list(content)[:_MAX_ELEMENTS]
    for element in waiting:
        waiting += element.children[: _MAX_ELEMENTS - len(waiting)]
        members = {fold(local(child.tag)): child.text.strip() for child in element.children}
        code, words = (next(filter(None, map(members.get, names)), "") for names in (CODE, WORDS))
        if code or words:
            return (int(code) if _NUMBER.fullmatch(code) else None), words
    return None, ""


def response_details(response: Response) -> dict[str, object]:
    """Return what identifies the answer, for the details of an error."""
    return {"status": response.status, "request_id": response.request_id}


def _details(message: SoapMessage, response: Response) -> dict[str, t.Any]:
    return {"operation": message.operation.name, **response_details(response)}


def malformed_answer(message: SoapMessage, response: Response, problem: str, next_step: str | None = None) -> FcdError:
    """Return the error for an answer that cannot be used; unless it was a read, the outcome is unknown."""
    text = f"{message.operation.name}: the answer (HTTP {response.status}) cannot be used: {problem}."
    unclear = message.kind != READ
    kind = Unclear if unclear else Unusable
    return kind(text, next_step=_step(next_step, unclear), **_details(message, response))


def wrong_element(message: SoapMessage, response: Response, tag: str, desired_tag: str, hide: Hide) -> FcdError:
    """Return the error for an envelope that contains ``tag`` in place of the element that belongs there."""
    found, desired, next_step = local(tag)[:_MAX_NAME] or "nothing", local(desired_tag), None
    if found == desired:
        spaces = [hide(name.rpartition("}")[0][1:])[:_MAX_NAME] for name in (tag, desired_tag)]
        found, desired = (f"{desired} of the namespace {quoted(space)}" for space in spaces)
        next_step = FAULT_ADVICE["ActionNotSupported"]
    return malformed_answer(message, response, f"it contains {found} instead of {desired}", next_step)


def no_fault(message: SoapMessage, response: Response, service: Service, hide: Hide) -> FcdError:
    """Return the error for an envelope that comes with an error status and contains no fault."""
    problem = Malformed("it has an error status, but contains no fault")
    if response.status in NO_ENTRY:
        return no_envelope(message, response, problem, service, hide)
    return malformed_answer(message, response, str(problem))


def no_envelope(message: SoapMessage, response: Response, problem: Malformed, service: Service, hide: Hide) -> FcdError:
    """Return the error for an answer that is not an envelope; a plain refusal is recognized by its status."""
    status, headers = response.status, response.headers
    found = describe(response.body, headers)
    if not 400 <= status < 500:
        words = str(problem) if found.startswith("XML") else f"it is {found}"
        return malformed_answer(message, response, words, advice(headers, response.body))
    kind: type[FcdError] = Rejected
    words = f"{service.endpoint} answered HTTP {status} with {found}; this is not the answer of a SOAP service."
    next_step, gateway = OWN_ADDRESS, True
    if status == UNSUPPORTED:
        words = f"{service.endpoint} does not take SOAP {message.version} (HTTP {status})."
        next_step = OTHER_VERSION.format(version=message.version)
    if status in NO_ENTRY:
        kind, next_step = Unauthorized, CHECK_LOGIN
        words = refused_login(status, headers, response.body, hide(service.user))
        # a log-in asks for credentials before it looks at the request
        gateway = "www-authenticate" not in headers
    unclear = gateway and message.kind == WRITE
    details = {**_details(message, response), GATEWAY: gateway or None}
    return (Unclear if unclear else kind)(
        f"{message.operation.name}: {words}", next_step=_step(next_step, unclear), **details
    )


def _step(advised: str | None, unclear: bool) -> str | None:
    """Return the next step, after the doubt if it is not known whether the operation was carried out."""
    return " ".join(filter(None, [DOUBT, advised])) if unclear else advised


def refused_login(status: int, headers: Mapping[str, str], body: bytes, user: str) -> str:
    """Return words for an answer 401 or 403 without a fault, whatever its form.

    A service may refuse a wrong password with nothing but the status, and something else at a wrong address may ask for
    a login of another kind: nobody can tell which of the two it is.
    """
    found, challenge = describe(body, headers), headers.get("www-authenticate", "").lower()
    other = [] if "basic" in challenge else [name for name in OTHER_LOGINS if name.lower() in challenge]
    came = "" if found.startswith(("nothing", "XML")) else f", with {found}"
    asked = f" by HTTP Basic, but the server asks for {' or '.join(other)}" if other else ""
    return f"the service refused the login (HTTP {status}{came}); it was sent as {quoted(user)}{asked}."


def advice(headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the next step if the form of an answer shows it."""
    return TEXT_ENCODING if describe(body, headers) in (_ATTACHED, _BINARY) else None


def describe(body: bytes, headers: Mapping[str, str] | None = None) -> str:
    """Return words such as ``an HTML page`` for an error message; the content itself is never shown."""
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        return "nothing"
    content_type = (headers or {}).get("content-type", "").strip().lower()
    for kind, words in _PACKED_UP:
        if content_type.startswith(kind):
            return words
    if start.startswith((b"<!doctype html", b"<html")) or (start.startswith(b"<?xml") and b"<html" in start):
        return "an HTML page"
    kinds = {b"{": "JSON", b"[": "JSON", b"<": "XML that is broken or cut off"}
    return kinds.get(start[:1]) or ("plain text" if b"\x00" not in start else "binary data")
