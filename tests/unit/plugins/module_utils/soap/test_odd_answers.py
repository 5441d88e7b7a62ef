# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers that are odd, over a real socket, to a read and to a write: each is understood, or named as what it is.

What is bounded (size, depth, number, packing) is in test_hostile_answers, what ends in time in
transport/test_time_limits and transport/test_connections, what pages a search may have in test_search_pages, the codes
and details of faults in test_faults, references and derived types in test_decoder, odd WSDL documents in
test_wsdl_oddities and test_hostile_wsdl.
"""

from __future__ import annotations

import gzip
import os
import pathlib
import typing as t

import pytest

pytest.importorskip("zeep")
pytest.importorskip("requests")

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor
from ansible_collections.fcd.cloud.plugins.module_utils._engine.create_once import (
    CreateNote,
    CreateSettings,
    create_once,
)
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, ExchangeOptions
from ansible_collections.fcd.cloud.plugins.module_utils._soap import codec, messages
from ansible_collections.fcd.cloud.plugins.module_utils._soap.client import Patience, SoapClient
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import Service
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.http.raw_server import RawServer, Visit

from .contracts import sandbox
from .stand_in import FAULTS, FCD, MODELS, PASSWORD, S12, WSA, XSI, Bench, answer, plain

S11 = "http://schemas.xmlsoap.org/soap/envelope/"
READ, WRITE = "GetClientsCurrencyCode", "CreateUserWithPrivileges"
SOAP_TYPE = "Content-Type: application/soap+xml; charset=utf-8"

Make = t.Callable[[str], bytes]
"""Makes the bytes of an answer to an operation."""


class Ends(t.NamedTuple):
    """How a write and a read have to end: an error's class, or else its result; and words that have to be told."""

    write: t.Any
    read: t.Any
    words: tuple[str, ...] = ()


def unclear(*words: str, read: type[Exception] = errors.Unusable) -> Ends:
    """Nobody knows whether a write had an effect."""
    return Ends(errors.Unclear, read, words)


def gone(*words: str) -> Ends:
    """The exchange failed after the request was sent."""
    return unclear(*words, read=errors.Unclear)


def told(kind: type[Exception], *words: str) -> Ends:
    return Ends(kind, kind, words)


RIGHT = Ends(7, "7")


def body(inside: str, namespace: str = S12, before: str = "") -> str:
    return (
        f'<s:Envelope xmlns:s="{namespace}" xmlns:f="{FCD}" xmlns:m="{MODELS}" xmlns:d="{FAULTS}" xmlns:i="{XSI}">'
        f"{before}<s:Body>{inside}</s:Body></s:Envelope>"
    )


def valued(value: str = "7") -> t.Callable[[str], str]:
    """The envelope of an answer with this result, for an operation."""
    return lambda operation: body(result(value).replace("{}", operation))


def result(value: str = "7") -> str:
    return f"<f:{{}}Response><f:{{}}Result>{value}</f:{{}}Result></f:{{}}Response>"


def http(content: bytes, *headers: str, status: str = "200 OK", length: bool = True) -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers, *([f"Content-Length: {len(content)}"] if length else [])]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def raw(head: str, change: t.Callable[[bytes], bytes] = lambda content: content) -> Make:
    """A right envelope with a head, and a framing, of its own; {} is the length of the envelope."""

    def make(operation: str) -> bytes:
        content = valued()(operation).encode()
        lines = head.replace("{}", str(len(content))).split("\n")
        return "\r\n".join([*lines, "", ""]).encode() + change(content)

    return make


def chunked(size: str, end: str = "0\r\n\r\n") -> Make:
    """The envelope in one chunk; {} stands for its size."""

    def change(content: bytes) -> bytes:
        return f"{size.replace('{}', f'{len(content):x}')}\r\n".encode() + content + f"\r\n{end}".encode()

    return raw(f"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n{SOAP_TYPE}", change)


def bare(content: bytes | str, status: str = "200 OK", *headers: str) -> Make:
    """Anything, for every operation."""
    return lambda _operation: http(content.encode() if isinstance(content, str) else content, *headers, status=status)


def refused(status: str, content: bytes | str, *headers: str) -> Make:
    return bare(content, status, *headers)


def xml(text: str | t.Callable[[str], str], status: str = "200 OK", encoding: str = "utf-8") -> Make:
    """An answer of XML; {} stands for the operation."""

    def make(operation: str) -> bytes:
        content = text(operation) if callable(text) else text.replace("{}", operation)
        return http(content.encode(encoding), SOAP_TYPE, status=status)

    return make


def packed(change: t.Callable[[bytes], bytes], encoding: str = "gzip") -> Make:
    return lambda operation: http(change(valued()(operation).encode()), SOAP_TYPE, f"Content-Encoding: {encoding}")


def halves(content: bytes) -> bytes:
    return gzip.compress(content[:100]) + gzip.compress(content[100:])


def declared(encoding: str, value: str = "7") -> Make:
    return xml(
        lambda operation: f'<?xml version="1.0" encoding="{encoding}"?>{valued(value)(operation)}', encoding=encoding
    )


def typed(kind: str, content: bytes | None = None) -> Make:
    return lambda operation: http(valued()(operation).encode() if content is None else content, f"Content-Type: {kind}")


def old(code: str, more: str = "", envelope: str = S11) -> str:
    """A fault of SOAP 1.1."""
    fault = (
        f'<x:Fault xmlns:x="{S11}" xmlns:a="urn:a"><faultcode>{code}</faultcode><faultstring>why</faultstring>{more}'
    )
    return body(f"{fault}</x:Fault>", envelope)


def new(code: str, subcode: str = "", detail: str = "", reason: str = "why") -> str:
    """A fault of SOAP 1.2."""
    inner = f"<s:Subcode><s:Value>a:{subcode}</s:Value></s:Subcode>" if subcode else ""
    return body(
        f'<s:Fault xmlns:a="urn:a"><s:Code><s:Value>{code}</s:Value>{inner}</s:Code><s:Reason><s:Text>{reason}</s:Text>'
        f"</s:Reason>{f'<s:Detail>{detail}</s:Detail>' if detail else ''}</s:Fault>"
    )


def business(code: int, name: str = "ErrorDescription") -> str:
    return f"<d:{name}><d:ErrorCode>{code}</d:ErrorCode><d:ErrorMsg>why</d:ErrorMsg></d:{name}>"


HTML = "<!DOCTYPE html><html><body>Server Error in '/' Application.</body></html>"
UNCAUGHT = '<a:ExceptionDetail xmlns:a="urn:a"><a:Message>x</a:Message><a:Type>System.X</a:Type></a:ExceptionDetail>'
BREAKS = told(errors.ServiceError, "the service failed: why")
MIME = b'--uuid:1\r\nContent-Type: application/xop+xml\r\n\r\n<s:Envelope xmlns:s="urn:x"/>\r\n--uuid:1--\r\n'
AGAIN = '<a xmlns:p="u"/>'
NOT_XML = "it is not well-formed XML"

FRAMING: dict[str, tuple[Make, Ends]] = {
    "chunks of right size, with an extension and a trailer": (chunked("{};a=b", "0\r\nX: y\r\n\r\n"), RIGHT),
    "a chunk of negative size": (
        chunked("-5"),
        gone("gave no usable answer", "is not HTTP (a length in it cannot be right)"),
    ),
    "a chunk whose size is no number": (chunked("zz"), gone("gave no usable answer")),
    "a chunk without a size": (chunked(""), gone("gave no usable answer")),
    "a chunk that is longer than it says": (chunked("5"), gone("gave no usable answer")),
    "no last chunk": (chunked("{}", ""), gone("gave no usable answer")),
    "a length that is too large": (raw("HTTP/1.1 200 OK\nContent-Length: 99999"), gone("its answer was cut off")),
    "a length that is too small": (raw("HTTP/1.1 200 OK\nContent-Length: 50"), unclear(NOT_XML)),
    "a negative length": (raw("HTTP/1.1 200 OK\nContent-Length: -5"), gone("the length of its body is ambiguous")),
    "a length that is no number": (
        raw("HTTP/1.1 200 OK\nContent-Length: many"),
        gone("the length of its body is ambiguous"),
    ),
    "two lengths that agree": (raw("HTTP/1.1 200 OK\nContent-Length: {}\nContent-Length: {}"), RIGHT),
    "two lengths that do not": (
        raw("HTTP/1.1 200 OK\nContent-Length: {}\nContent-Length: 7"),
        gone("gave no usable answer"),
    ),
    "no length": (raw("HTTP/1.1 200 OK"), RIGHT),
    "no length, and cut off": (raw("HTTP/1.1 200 OK", lambda content: content[:-9]), unclear(NOT_XML)),
    "HTTP/1.0": (raw("HTTP/1.0 200 OK"), RIGHT),
    "100 before it": (raw("HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: {}"), RIGHT),
    "103 before it": (raw("HTTP/1.1 103 Early Hints\nLink: </x>\n\nHTTP/1.1 200 OK\nContent-Length: {}"), RIGHT),
    "no reason": (raw("HTTP/1.1 200\nContent-Length: {}"), RIGHT),
    "a status of five digits": (raw("HTTP/1.1 20000 OK"), gone("is not HTTP")),
    "no HTTP": (lambda _operation: b"SSH-2.0-server\r\n", gone("is not HTTP")),
    "nothing at all": (lambda _operation: b"", gone("closed the connection without an answer")),
    "half a head": (lambda _operation: b"HTTP/1.1 200 OK\r\nContent-Le", gone("gave no usable answer")),
    "many headers": (raw("HTTP/1.1 200 OK\n" + "\n".join(["X: y"] * 200)), RIGHT),
    "too many headers": (raw("HTTP/1.1 200 OK\n" + "\n".join(["X: y"] * 1001)), gone("more than 1000 headers")),
    "a header of 70 kB": (
        raw(f"HTTP/1.1 200 OK\nX: {'y' * 70_000}"),
        gone("a line of its head is longer than 65,536 b"),
    ),
    "a reason of 70 kB": (raw(f"HTTP/1.1 200 {'y' * 70_000}"), gone("a line of its head is longer than 65,536 bytes")),
    "something behind it": (raw("HTTP/1.1 200 OK\nContent-Length: {}", lambda content: content + b"HTTP/1.1"), RIGHT),
}

LOGIN = "the service refused the login (HTTP "
AS = "it was sent as 'API\\user'"
CHECK = "Check username, password and soap_user_prefix; if they are right, check soap_url"
ADDRESS = "Check soap_url: it must be the address of the SOAP service itself."

STATUSES: dict[str, tuple[Make, Ends]] = {
    **{
        f"{status} with {name}": (
            refused(status, *answer),
            Ends(of_write, errors.Unauthorized, (LOGIN, AS, CHECK, *words)),
        )
        for status in ("401 Unauthorized", "403 Forbidden")
        for name, answer, words in (
            ("nothing", ("",), ()),
            ("Basic", ("", 'WWW-Authenticate: Basic realm="x"'), ()),
            ("NTLM", ("", "WWW-Authenticate: NTLM"), ("by HTTP Basic, but the server asks for NTLM",)),
            (
                "Negotiate and NTLM",
                (HTML, "WWW-Authenticate: Negotiate", "WWW-Authenticate: NTLM"),
                ("with an HTML page", "but the server asks for Negotiate or NTLM"),
            ),
            ("Digest", ("", 'WWW-Authenticate: Digest realm="x", nonce="basi"'), ("but the server asks for Digest",)),
            ("a page of the web server", (HTML,), ("with an HTML page",)),
            (
                "JSON",
                ('{"Message": "No."}', "WWW-Authenticate: Bearer"),
                ("with JSON", "but the server asks for Bearer"),
            ),
            ("XML", ("<Error/>",), ()),
            ("an empty envelope", (body(""),), ()),
        )
        for of_write in (errors.Unauthorized if "WWW-Authenticate" in str(answer) else errors.Unclear,)
    },
    "403 with a fault": (xml(new("s:Sender"), "403 Forbidden"), told(errors.Rejected, "refused it: why", CHECK)),
    "400 with a page": (
        refused("400 Bad Request", HTML),
        unclear("HTTP 400 with an HTML page", ADDRESS, read=errors.Rejected),
    ),
    "404 with nothing": (refused("404 Not Found", ""), unclear("HTTP 404 with nothing", ADDRESS, read=errors.Rejected)),
    "409 with a page": (
        refused("409 Conflict", HTML),
        Ends(errors.Unclear, errors.Rejected, ("HTTP 409 with an HTML page", ADDRESS)),
    ),
    "415 with nothing": (
        refused("415 Unsupported Media Type", ""),
        unclear("does not take SOAP 1.2 (HTTP 415)", "soap_wsdl", read=errors.Rejected),
    ),
    "429": (refused("429 Too Many Requests", ""), told(errors.RateLimited, "HTTP 429")),
    "500 with a page": (refused("500 Internal Server Error", HTML), unclear("(HTTP 500)", "it is an HTML page")),
    "500 with nothing": (refused("500 Internal Server Error", ""), unclear("(HTTP 500)", "it is nothing")),
    "500 with a result": (
        xml(valued(), "500 Internal Server Error"),
        unclear("an error status, but contains no fault"),
    ),
    "500 with a chunk of negative size": (
        raw("HTTP/1.1 500 Oh\nTransfer-Encoding: chunked", lambda _content: b"-5\r\n"),
        gone("is not HTTP (a length in it cannot be right)"),
    ),
    "503 of a balancer": (refused("503 Service Unavailable", HTML), told(errors.ServiceError, "HTTP 503")),
    "302": (
        refused("302 Found", "", "Location: https://x.example.net/login"),
        told(errors.Unusable, "redirects to"),
    ),
    "304": (refused("304 Not Modified", ""), told(errors.Unusable, "HTTP 304")),
    "204": (lambda _operation: b"HTTP/1.1 204 No Content\r\n\r\n", unclear("it is nothing")),
    "202 with a result": (xml(valued(), "202 Accepted"), RIGHT),
    "200 with nothing": (bare(""), unclear("it is nothing")),
    "200 with a page": (bare(HTML), unclear("it is an HTML page")),
    "200 with JSON": (bare('{"d": 7}'), unclear("it is JSON")),
    "200 with words": (bare("OK"), unclear("it is plain text")),
}

TYPES: dict[str, tuple[Make, Ends]] = {
    "none": (raw("HTTP/1.1 200 OK\nContent-Length: {}"), RIGHT),
    "of a page": (typed("text/html"), RIGHT),
    "with a parameter without a value": (typed("text/xml; charset"), RIGHT),
    "MTOM": (
        typed('multipart/related; type="application/xop+xml"; boundary="uuid:1"', MIME),
        unclear("it is a multipart message (MTOM or SOAP with attachments)", "Its binding must answer in plain text"),
    ),
    "attachments": (
        typed("Multipart/Related; boundary=a", b"--a\r\n\r\n<x/>\r\n--a--"),
        unclear("a multipart message"),
    ),
    "binary SOAP": (typed("application/soap+msbin1", b"\x56\x02\x0b\x01s\x04"), unclear("the binary encoding of SOAP")),
    "binary, but named as text": (typed("text/xml", b"\x56\x02\x0b\x00s\x04"), unclear("it is binary data")),
}

ENCODINGS: dict[str, tuple[Make, Ends]] = {
    "a mark of UTF-8": (xml(lambda operation: f"\ufeff{valued()(operation)}"), RIGHT),
    "UTF-16": (declared("utf-16"), RIGHT),
    "Latin-1": (declared("iso-8859-1", "é"), Ends(errors.Unclear, "é")),
    "Windows-1250": (declared("windows-1250", "ż"), Ends(errors.Unclear, "ż")),
    "UTF-7": (
        xml(lambda operation: f'<?xml version="1.0" encoding="utf-7"?>{valued()(operation)}'),
        unclear(NOT_XML),
    ),
    "an encoding that nobody knows": (
        xml(lambda operation: f'<?xml version="1.0" encoding="x-y"?>{valued()(operation)}'),
        unclear(NOT_XML),
    ),
    "Latin-1 without a word of it": (xml(valued("é"), encoding="latin-1"), unclear(NOT_XML)),
    "gzip": (packed(gzip.compress), RIGHT),
    "gzip of two members": (packed(halves), RIGHT),
    "gzip with zeros behind it": (packed(lambda content: gzip.compress(content) + bytes(512)), RIGHT),
    "gzip, cut off": (packed(lambda content: gzip.compress(content)[:-9]), gone("its answer was cut off")),
    "gzip, cut off in its second member": (
        packed(lambda content: halves(content)[:-9]),
        gone("its answer was cut off"),
    ),
    "gzip by its name alone": (packed(lambda content: content), unclear("it cannot be decompressed")),
    "brotli": (packed(lambda content: content, "br"), unclear("compressed in a way that was not requested")),
}

DOCUMENTS: dict[str, tuple[Make, Ends]] = {
    "cut off": (xml(lambda operation: valued()(operation)[:-20]), unclear(NOT_XML)),
    "two roots": (xml(lambda operation: valued()(operation) * 2), unclear(NOT_XML)),
    "text behind it": (xml(lambda operation: f"{valued()(operation)}x"), unclear(NOT_XML)),
    "a blank before its declaration": (
        xml(lambda operation: f'\r\n <?xml version="1.0"?>{valued()(operation)}'),
        RIGHT,
    ),
    "a prefix that is not declared": (xml(body("<q:{}Response/>")), unclear(NOT_XML)),
    "an attribute twice": (xml(body('<f:{}Response a="1" a="2"/>')), unclear(NOT_XML)),
    "a character that XML cannot carry": (xml(valued("&#0;")), unclear(NOT_XML)),
    "an entity": (xml(valued("&e;")), unclear(NOT_XML)),
    "a DTD": (xml(lambda operation: f"<!DOCTYPE x>{valued()(operation)}"), unclear("it has a DTD, which SOAP forbids")),
    "61 levels": (xml(body("<a>" * 60 + "</a>" * 60)), unclear("it is nested deeper than 60 levels")),
    "a thousand prefixes": (
        xml(body("".join(f'<a xmlns:p{number}="u"/>' for number in range(1001)))),
        unclear("it declares more than 1000 namespace prefixes"),
    ),
    "a prefix declared again and again": (
        xml(body(result().replace("<f:{}Result>", AGAIN * 2000 + "<f:{}Result>"))),
        RIGHT,
    ),
    "comments and instructions": (
        xml(
            lambda operation: f'<?xml version="1.0"?><!-- a --><?b c?>{valued("<!-- d -->7<?e?>")(operation)}<!-- f -->'
        ),
        RIGHT,
    ),
    "CDATA": (xml(valued("<![CDATA[7]]>")), RIGHT),
    "characters by number": (xml(valued("&#x37;")), RIGHT),
}

ENVELOPES: dict[str, tuple[Make, Ends]] = {
    "no envelope": (xml(result().replace("f:{}Response", "{}Response").replace("f:", "")), unclear("no SOAP envelope")),
    "an envelope of nobody": (xml(body(result(), "urn:x")), unclear("it is XML, but no SOAP envelope")),
    "no body": (xml(f'<s:Envelope xmlns:s="{S12}"/>'), unclear("its envelope has no body")),
    "an empty body": (xml(body("")), unclear("it contains nothing instead of ")),
    "two bodies": (
        xml(body(result()).replace("</s:Body>", "</s:Body><s:Body/>")),
        unclear("its envelope contains 2 elements Body instead of one"),
    ),
    "a result and a fault": (
        xml(body(f"{result()}<s:Fault/>")),
        unclear("its body contains ", "Response, Fault instead of one element"),
    ),
    "a fault and a result": (xml(body(f"<s:Fault/>{result()}"), "500 Oh"), unclear("instead of one element")),
    "two results": (xml(body(result() + result("8"))), unclear("instead of one element")),
    "another response": (xml(body("<f:GetUserResponse/>")), unclear("it contains GetUserResponse instead of ")),
    "a response of another namespace": (
        xml(body(result()).replace(FCD, "urn:other")),
        unclear("of the namespace 'urn:other' instead of ", f"of the namespace '{FCD}'", "soap_contract_ttl"),
    ),
    "a response of no namespace": (xml(body("<{}Response/>")), unclear("of the namespace '' instead of ")),
    "another request's": (
        xml(body(result(), before=f'<s:Header><RelatesTo xmlns="{WSA}">urn:x</RelatesTo></s:Header>')),
        unclear("it belongs to another request"),
    ),
    "SOAP 1.1": (xml(body(result(), S11)), RIGHT),
    "a header that must be understood": (
        xml(body(result(), before='<s:Header><x s:mustUnderstand="1"/></s:Header>')),
        RIGHT,
    ),
    "a fault without an envelope": (xml("<Fault><Code/></Fault>", "500 Oh"), unclear("no SOAP envelope")),
}

FAULTY: dict[str, tuple[Make, Ends]] = {
    "1.1, the client's": (xml(old("x:Client"), "500 Oh"), told(errors.Rejected, "the service refused it: why")),
    "1.1, the server's": (xml(old("x:Server"), "500 Oh"), BREAKS),
    "1.1, a kind of the server's": (xml(old("x:Server.userException"), "500 Oh"), BREAKS),
    "1.1, internal": (xml(old("a:InternalServiceFault"), "500 Oh"), BREAKS),
    "1.1, internal, with its exception": (
        xml(old("a:InternalServiceFault", f"<detail>{UNCAUGHT}</detail>"), "500 Oh"),
        BREAKS,
    ),
    "1.1 in an envelope of 1.2": (
        xml(old("x:Client", envelope=S12), "500 Oh"),
        told(errors.Rejected, "refused it: why"),
    ),
    "1.2, the sender's": (xml(new("s:Sender"), "500 Oh"), told(errors.Rejected, "the service refused it: why")),
    "1.2, the receiver's": (xml(new("s:Receiver"), "500 Oh"), BREAKS),
    "1.2, internal": (xml(new("s:Receiver", "InternalServiceFault", UNCAUGHT), "500 Oh"), BREAKS),
    "1.2, internal alone": (xml(new("a:InternalServiceFault"), "500 Oh"), BREAKS),
    "1.2, internal, but the sender's": (xml(new("s:Sender", "InternalServiceFault"), "500 Oh"), BREAKS),
    "1.2, internal, with an error code": (
        xml(new("s:Receiver", "InternalServiceFault", business(7)), "500 Oh"),
        told(errors.ServiceError, "the service failed: why (error code 7)"),
    ),
    "1.2, the receiver's, with an error code": (
        xml(new("s:Receiver", detail=business(7)), "500 Oh"),
        told(errors.Rejected, "the service refused it: why (error code 7)"),
    ),
    "with 200": (xml(new("s:Sender")), told(errors.Rejected, "the service refused it: why")),
    "with 400": (xml(new("s:Receiver"), "400 Bad Request"), BREAKS),
    "that says nothing": (xml(body("<s:Fault/>"), "500 Oh"), told(errors.ServiceError, "no reason given")),
    "of the login": (
        xml(new("s:Sender", "FailedAuthentication"), "500 Oh"),
        told(errors.Unauthorized, "the service refused the login: why", "Check username"),
    ),
    "of a right": (
        xml(new("s:Sender", detail=business(7, "AuthorizationErrorDescription")), "500 Oh"),
        told(errors.Forbidden, "not allowed: why"),
    ),
    "of the address": (xml(new("s:Sender", "DestinationUnreachable"), "500 Oh"), told(errors.Rejected, "set soap_to")),
    "of the version": (
        xml(old("s:VersionMismatch"), "500 Oh"),
        told(errors.Rejected, "sent as SOAP 1.2, because the WSDL", "soap_wsdl"),
    ),
    "of nobody's namespace": (xml(body("<Fault/>"), "500 Oh"), unclear("an error status, but contains no fault")),
    "of many words": (
        xml(new("s:Sender", reason="why " * 9999), "500 Oh"),
        told(errors.Rejected, "refused it: why why"),
    ),
}

VALUES: dict[str, tuple[Make, Ends]] = {
    "with blanks": (xml(valued(" 7 ")), Ends(7, " 7 ")),
    "with a sign": (xml(valued("+7")), Ends(7, "+7")),
    "null": (xml(body('<f:{}Response><f:{}Result i:nil="true"/></f:{}Response>')), Ends(None, None)),
    "left out": (xml(body("<f:{}Response/>")), Ends(errors.Unclear, None)),
    "empty": (xml(valued("")), Ends(errors.Unclear, "")),
    "a word": (xml(valued("seven")), Ends(errors.Unclear, "seven")),
    "a fraction": (xml(valued("7.0")), Ends(errors.Unclear, "7.0")),
    "of another namespace": (xml(body("<f:{}Response><{}Result>7</{}Result></f:{}Response>")), RIGHT),
    "twice": (
        xml(body(result().replace("</f:{}Response>", "<f:{}Result>8</f:{}Result></f:{}Response>"))),
        unclear("Result 2 times instead of once"),
    ),
    "null, and then not": (
        xml(body(result().replace("<f:{}Result>7", '<f:{}Result i:nil="true"/><f:{}Result>7'))),
        unclear("Result 2 times instead of once"),
    ),
    "in an element": (xml(valued("<b>7</b>")), unclear("Result contains elements instead of text")),
    "without its element": (xml(body("<f:{}Response>7</f:{}Response>")), unclear("contains text instead of elements")),
    "with something that is new": (xml(body(result().replace("</f:{}Response>", "<New/></f:{}Response>"))), RIGHT),
}

GROUPS = {
    "framing": FRAMING,
    "status": STATUSES,
    "type": TYPES,
    "encoding": ENCODINGS,
    "document": DOCUMENTS,
    "envelope": ENVELOPES,
    "fault": FAULTY,
    "value": VALUES,
}


def client(url: str, timeout: float = 60.0, clock: Clock | None = None) -> SoapClient:
    clock = clock or Clock()
    redactor, deadline, warnings = Redactor([PASSWORD]), Deadline(clock, None), list[str]()
    exchange = Exchange(
        ExchangeOptions(
            verify=True,
            timeout=timeout,
            retries=0,
            deadline=deadline,
            clock=clock,
            user_agent="fcd.cloud/0 (test)",
            warn=warnings.append,
            redactor=redactor,
            allow_plain_http=False,
        )
    )
    service = Service(f"{url}/CommonFcd.svc", url, "API\\user", PASSWORD)
    return SoapClient(exchange, sandbox(), service, Patience(deadline, timeout, 0, warnings.append), redactor)


@pytest.fixture
def answered() -> t.Iterator[t.Callable[[bytes], str]]:
    """A server that answers every request with the same bytes, and closes."""
    servers = []

    def start(content: bytes) -> str:
        def serve(visit: Visit) -> None:
            visit.read()
            visit.send(content)

        servers.append(RawServer(serve))
        return servers[-1].url

    yield start
    for server in servers:
        server.close()


@pytest.mark.parametrize("group", GROUPS)
def test_odd_answers(group: str, answered: t.Callable[[bytes], str], subtests: pytest.Subtests) -> None:
    for name, (make, ends) in GROUPS[group].items():
        for operation, expected in ((WRITE, ends.write), (READ, ends.read)):
            with subtests.test(name, operation=operation):
                judge(client(answered(make(operation))), operation, expected, ends.words)


def judge(called: SoapClient, operation: str, expected: t.Any, words: tuple[str, ...]) -> None:
    if not isinstance(expected, type):
        assert called.call(operation, {}) == expected
        return
    with pytest.raises(errors.FcdError) as caught:
        called.call(operation, {})
    assert type(caught.value) is expected
    assert all(word in str(caught.value) for word in words)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert PASSWORD not in str(caught.value.as_result())


@pytest.mark.parametrize("operation", [WRITE, READ])
def test_a_lock_that_stays_is_waited_for_as_long_as_there_is_time(
    operation: str, answered: t.Callable[[bytes], str], fake_clock: t.Any
) -> None:
    fault = new("s:Sender", detail=business(133)).encode()
    url = answered(http(fault, SOAP_TYPE, "Connection: close", status="500 Oh"))
    with pytest.raises(errors.Conflict, match="is locked"):
        client(url, timeout=6.0, clock=fake_clock).call(operation, {})
    assert fake_clock.pauses == [5.0]


class Making:
    """A create that goes over SOAP, of something that never shows up."""

    def __init__(self, answer: t.Any) -> None:
        self.bench = Bench(answer)

    def find(self) -> None:
        """It is not there."""

    def send(self, intent: CreateNote) -> dict[str, t.Any]:
        del intent
        return {"id": self.bench.call(WRITE)}

    def resume(self, facts: t.Mapping[str, t.Any]) -> None:
        """It is not there either."""


def test_a_create_that_broke_the_service_down_keeps_its_note(tmp_path: pathlib.Path) -> None:
    """Which faults say so is in the table above."""
    creation = Making(plain(500, FAULTY["1.2, internal"][0](WRITE).partition(b"\r\n\r\n")[2]))
    clock = creation.bench.clock
    once = CreateSettings(str(tmp_path), clock, Deadline(clock, None), grace=2.0)
    with pytest.raises(errors.CannotDetermine, match="the service failed"):
        create_once(once, ["user"], "user jan", creation)
    assert len(os.listdir(tmp_path / "intents")) == 1
    assert len(creation.bench.sent) == 1


class Counting:
    """A clock on which a second passes whenever it is looked at."""

    def __init__(self) -> None:
        self.asked = 0

    def monotonic(self) -> float:
        self.asked += 1
        return float(self.asked)


def test_the_time_is_asked_after_each_piece_and_for_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of ten pieces, read by a clock that moves whenever it is looked at."""
    clock = Counting()
    large = answer(READ, f"{AGAIN * (10 * messages._PIECE // len(AGAIN))}<f:{READ}Result>EUR</f:{READ}Result>")
    for timeout, task in ((1000.0, None), (5.0, None), (9.0, None), (1000.0, 5.0)):
        bench = Bench(large, timeout=timeout, task=task)
        monkeypatch.setattr(bench.clock, "monotonic", clock.monotonic)
        if timeout == 1000.0 and not task:
            assert bench.call(READ) == "EUR"
            assert clock.asked > 10
        else:
            limit = "of this task .5 s." if task else f"of this call .{timeout:g} s."
            with pytest.raises(errors.DeadlinePassed, match=f"{READ}: the time limit {limit} has passed"):
                bench.call(READ)


def test_a_result_that_is_ready_too_late_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(answer(WRITE, f"<f:{WRITE}Result>7</f:{WRITE}Result>"), timeout=5.0)
    decoded = codec.Decoder.message
    slow = lambda *given: bench.clock.sleep(6.0) or decoded(*given)  # noqa: E731
    monkeypatch.setattr(codec.Decoder, "message", slow)
    with pytest.raises(errors.DeadlinePassed, match=f"{WRITE}: the time limit of this call .5 s. has passed"):
        bench.call(WRITE)
