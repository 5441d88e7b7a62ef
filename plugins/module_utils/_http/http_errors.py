# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions of four libraries as our own errors, without any secret in their words.

Also the errors that answers stand for, with the service's own words and the ID of the request.
"""

from __future__ import annotations

import html
import json
import re
import socket
import ssl
import typing as t
from http import HTTPStatus
from http.client import BadStatusLine, HTTPException, IncompleteRead, LineTooLong, RemoteDisconnected
from urllib.parse import urljoin, urlsplit

from .._core.clock import Deadline
from .._core.errors import (
    DOUBT,
    GATEWAY,
    Conflict,
    DeadlinePassed,
    FcdError,
    Forbidden,
    InvalidInput,
    NotFound,
    NotOffered,
    RateLimited,
    Rejected,
    ServiceError,
    Unauthorized,
    Unclear,
    Unreachable,
    Unusable,
)
from .._core.text import shortened, visible
from .connection import TOO_LONG, BodyCollector, CutOffBody, Guard, InvalidBody, NotHttp, TookTooLong
from .messages import WRITE, AddressSources, Request, Response, TooDeep, named_option, origin, source_of
from .retries import retry_after_seconds

UNREACHED = "Check host and port in {address}, and that this host can reach them."
BEHIND_PROXY = "Check the proxy variables in the environment, and {address}."
SPEAKS_HTTPS = "If the server of {address} speaks https, write https://."
_NEVER_SENT = ("InvalidProxyURL", "InvalidSchema", "InvalidURL")  # of requests: the proxy settings are wrong


class Route(t.NamedTuple):
    """How a request was sent: the proxy, if there was one, and the options that addresses come from."""

    proxy: str | None = None
    sources: AddressSources = ()

    def advice(self, url: str, cause: Cause) -> str:
        """Return what to do about a connection that was not made."""
        return (cause.next_step or (BEHIND_PROXY if self.proxy else UNREACHED)).format(
            address=named_option(url, self.sources)
        )


def no_answer(
    request: Request,
    exc: Exception,
    guard: Guard,
    limit: Deadline,
    route: Route,
    redact: t.Callable[[str], str],
) -> FcdError:
    """Return the error for an attempt that ended with an exception of a library."""
    if type(exc).__name__ in _NEVER_SENT:
        return InvalidInput(
            f"{request.operation}: the proxy {origin(route.proxy or '')} cannot be used ({type(exc).__name__}).",
            next_step="Check the proxy variables in the environment; SOCKS needs the Python library PySocks.",
        )
    if guard.sent and (guard.fired or limit.over):
        return too_late(request, limit)
    cause, where = cause_of(exc), origin(request.url)
    details: dict[str, t.Any] = {"operation": request.operation, **cause.details}
    if guard.sent:
        next_step = None
        if request.kind != WRITE and request.url.startswith("http:") and isinstance(_root(exc), _LEFT):
            next_step = SPEAKS_HTTPS.format(address=named_option(request.url, route.sources))
        words = f"{request.operation}: {where} gave no usable answer: {redact(cause.words)}."
        return Unclear(words, next_step=next_step, **details)
    through = f" through the proxy {origin(route.proxy)}" if route.proxy else ""
    words = f"it took longer than {_in_words(limit)}" if guard.fired else cause.words
    return Unreachable(
        f"{request.operation}: cannot connect to {where}{through}: {redact(words)}.",
        next_step=route.advice(request.url, cause),
        **details,
    )


def too_late(request: Request, limit: Deadline) -> FcdError:
    """Return the error for an answer that was not complete in time."""
    option = "timeout" if limit.what == "call" else "task_timeout"
    return DeadlinePassed(
        f"{request.operation}: {origin(request.url)} did not answer completely within {_in_words(limit)}.",
        next_step=f"If the service is only slow, raise {option}.",
        operation=request.operation,
    )


def _in_words(limit: Deadline) -> str:
    return f"the {limit.seconds or 0:g} s of this {limit.what}"


NO_DETAILS: t.Mapping[str, object] = {}
LASTING: t.Mapping[str, object] = {"repeatable": False}
OUT_OF_DATE = (9, 10)
"""What OpenSSL calls a certificate that is not valid yet, or no longer: X509_V_ERR_CERT_NOT_YET_VALID, _HAS_EXPIRED."""
TIMED_OUT: t.Mapping[str, t.Any] = {"timed_out": True}


class Cause(t.NamedTuple):
    """``words`` for the message, and what to do, with {address} for the option that holds the address.

    ``details`` are those of the error, which retries depend on.
    """

    words: str
    next_step: str | None = None
    details: t.Mapping[str, t.Any] = NO_DETAILS


def cause_of(exc: BaseException) -> Cause:
    """Return the cause of an exception of requests or urllib3."""
    root = _root(exc)
    if type(root).__name__ == "CertificateError":  # urllib3 1 has its own
        return _certificate(root)
    for kind, tell in _CAUSES:
        if isinstance(root, kind):
            return tell(root)
    if isinstance(root, OSError):
        return Cause((root.strerror or str(root))[:200])
    return Cause(f"the connection failed ({type(root).__name__})")


def _root(exc: BaseException) -> BaseException:
    """Return the innermost exception that does not belong to requests or urllib3, else the innermost one."""
    found, seen, left = exc, set(), [exc]
    while left:
        here = left.pop(0)
        if id(here) in seen:
            continue
        seen.add(id(here))
        if type(here).__module__.partition(".")[0] not in ("requests", "urllib3"):
            return here
        found = here
        inner = (*here.args, getattr(here, "reason", None), here.__cause__, here.__context__)
        left.extend(item for item in inner if isinstance(item, BaseException))
    return found


def _certificate(exc: object) -> Cause:
    reason = getattr(exc, "verify_message", "") or str(exc)
    advice = "Check the host in {address}, and that ca_path names a file with the authority that signed it."
    if getattr(exc, "verify_code", None) in OUT_OF_DATE:
        advice = "Check the clock of this host. If it is right, whoever runs the service has to renew the certificate."
    return Cause(f"its certificate was refused ({reason})", advice, LASTING)


def _tls(exc: object) -> Cause:
    reason = (getattr(exc, "reason", None) or "").replace("_", " ").lower() or "connection closed"
    return Cause(f"TLS failed ({reason})", "Check that the port in {address} speaks https.")


def _too_many(exc: Exception) -> str:
    """Return what http.client says about the head of a proxy's answer, which it reads by itself."""
    found = re.fullmatch("got more than ([0-9]+) headers", str(exc))
    return f" (it has more than {found.group(1)} headers)" if found else ""


_RESET = (ConnectionResetError, BrokenPipeError)
_LEFT = (RemoteDisconnected, *_RESET)
_CAUSES: tuple[tuple[t.Any, t.Callable[[t.Any], Cause]], ...] = (
    (ssl.CertificateError, _certificate),
    (ssl.SSLError, _tls),
    (
        socket.gaierror,
        lambda exc: Cause(f"the host name cannot be resolved ({exc.strerror})", "Check the host in {address}."),
    ),
    (TookTooLong, lambda exc: Cause(str(exc), details=TIMED_OUT)),
    ((socket.timeout, TimeoutError), lambda _exc: Cause("no answer in time", details=TIMED_OUT)),
    (RemoteDisconnected, lambda _exc: Cause("it closed the connection without an answer")),
    (_RESET, lambda _exc: Cause("it reset the connection")),
    (IncompleteRead, lambda _exc: Cause("its answer was cut off")),
    (BadStatusLine, lambda _exc: Cause("what it sent is not HTTP (it does not start with a status line)")),
    (NotHttp, lambda exc: Cause(f"what it sent is not HTTP ({exc})")),
    (LineTooLong, lambda _exc: Cause(f"what it sent is not HTTP ({TOO_LONG})")),
    (HTTPException, lambda exc: Cause(f"what it sent is not HTTP{_too_many(exc)}")),
    (ValueError, lambda _exc: Cause("what it sent is not HTTP (a length in it cannot be right)")),
)


NO_SUCH_PATH = (404, 405)
TOO_MANY_REQUESTS = (429, 498)  # 498: Swift
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_MESSAGE_LENGTH = 300  # characters of the service's own words
MAX_READ = 1 << 16  # characters of an error that are looked at for them
MAX_SECRET = 1 << 14  # characters
_TAG = re.compile(r"<(/?[A-Za-z]*)(?![A-Za-z])[^<>]*>")
_HIDDEN_PARTS = ("script", "style", "head")
_SOAP_FAULT = (
    re.compile(rb"http://(www\.w3\.org/2003/05/soap-envelope|schemas\.xmlsoap\.org/soap/envelope/)"),
    re.compile(rb"<([\w.-]+:)?Fault[\s>]"),
)

_KINDS: dict[int, tuple[type[ServiceError], str | None]] = {
    401: (Unauthorized, "Check the credentials."),
    403: (Forbidden, "Check the rights of the user and the scope of the token."),
    404: (NotFound, None),
    408: (ServiceError, "Run the task again."),
    409: (Conflict, "Another operation may run on the object: run the task again when it has ended."),
    410: (NotFound, None),
    429: (RateLimited, "Run the task again later, or raise timeout and retries."),
}

Redact = t.Callable[[str], str]


def error_id(body: bytes) -> str | None:
    """Return the ID of an error of the infrastructure interface (docs/service/infrastructure.md, "Errors")."""
    found = (_document(body) or {}).get("ErrorId")
    return str(found) if isinstance(found, (str, int)) and found != "" else None


def own_words(body: bytes, redact: Redact) -> str | None:
    """Return what the service says about an error: members of JSON, or its text without any tags."""
    document = _document(body)
    if document is not None:
        words = [document.get(name) for name in ("Message", "error", "error_description")]
        text = ": ".join(word for word in words if isinstance(word, str) and word)
    else:
        # secrets are hidden before and after the tags are removed: a page may show one as it is, or escaped
        page = body[: 4 * (MAX_READ + 1)].decode("utf-8", "replace")  # four bytes make at least one character
        text = _without_tags(_beginning(page, lambda text: redact(html.unescape(redact(text)))))
    text = _beginning(text, redact)
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    plain = redact(plain)
    return (plain if len(plain) <= MAX_MESSAGE_LENGTH else plain[: MAX_MESSAGE_LENGTH - 3] + "...") or None


def _beginning(text: str, redact: Redact) -> str:
    """Return the text, or its beginning, without secrets; no half of one may be left where it is cut."""
    clean = redact(text[:MAX_READ])
    return clean if len(text) <= MAX_READ else clean[:-MAX_SECRET]


def _without_tags(page: str) -> str:
    """Return the text of a page in one pass: a hostile page may be a megabyte of nothing but ``<script``."""
    kept: list[str] = []
    hidden, at = "", 0
    for tag in _TAG.finditer(page):
        name = tag.group(1).lower()
        if not hidden:
            kept.append(page[at : tag.start()])
            hidden = name if name in _HIDDEN_PARTS else ""
        elif name == f"/{hidden}":
            hidden = ""
        at = tag.end()
    return " ".join(kept if hidden else (*kept, page[at:]))


def refusal(
    request: Request, response: Response, redact: Redact, now: float = 0.0, sources: AddressSources = ()
) -> FcdError:
    """Return the error for an answer with an error status; ``now`` is the time that Retry-After refers to."""
    status = response.status
    if status in REDIRECTS and response.headers.get("location"):
        return _redirect(request, response, redact, sources)
    words = own_words(response.body, redact)
    by_gateway, for_now = _is_of_a_gateway(request, response), _asks_to_wait(request, response)
    if by_gateway and not for_now:
        return unusable_answer(
            request, response, "the service does not refuse requests in this way", sources, service_message=words
        )
    kind, next_step = _KINDS[429] if for_now else _KINDS.get(status) or (_kind_of_status(status, request.method), None)
    if request.fixed and (status in NO_SUCH_PATH or (next_step is None and _is_of_another(request, response))):
        next_step = _other_address(request, sources)
    said = words or _phrase(status)
    number = f" (request {response.request_id})" if response.request_id else ""
    return kind(
        f"{request.operation}: HTTP {status}: {said.rstrip('.')}{number}.",
        next_step=next_step,
        service_message=words,
        retry_after=retry_after_seconds(response.headers, now),
        **_details(request, response),
        **({GATEWAY: True} if for_now and (by_gateway or status not in TOO_MANY_REQUESTS) else {}),
    )


def _is_of_a_gateway(request: Request, response: Response) -> bool:
    """Return whether something that must not be done twice may have been done despite a refusal.

    The service's own errors have a Message where JSON was requested, else they are SOAP faults; and its log-in asks for
    credentials before it looks at the request.
    """
    if request.json_answer:
        own = bool((_document(response.body) or {}).get("Message"))
    else:
        own = all(part.search(response.body) for part in _SOAP_FAULT)
    own = own or "www-authenticate" in response.headers
    return _adds(request) and 400 <= response.status < 500 and not own


def _is_of_another(request: Request, response: Response) -> bool:
    """Return whether the answer is none of the service, whose refusals are JSON where JSON was requested."""
    return request.json_answer and 400 <= response.status < 500 and _document(response.body) is None


def _adds(request: Request) -> bool:
    """Return whether sending the request twice may do it twice."""
    return request.kind == WRITE and request.method == "POST" and not request.harmless


def _asks_to_wait(request: Request, response: Response) -> bool:
    """Return whether the answer says that nothing was done for now.

    Nobody says so with 503 and Retry-After after it was done, but where it would be done twice, it is looked for first.
    """
    later = response.status == HTTPStatus.SERVICE_UNAVAILABLE and "retry-after" in response.headers
    return response.status in TOO_MANY_REQUESTS or (later and _adds(request))


def _kind_of_status(status: int, method: str) -> type[ServiceError]:
    if status == 405 and method == "GET":
        return NotOffered
    if status < 400:
        return Unusable
    return Rejected if status < 500 else ServiceError


def unusable_answer(
    request: Request, response: Response, problem: str, sources: AddressSources = (), **details: object
) -> FcdError:
    """Return the error for a success status with a body that cannot be used.

    A write may have been done nevertheless.
    """
    text = f"{request.operation}: the answer (HTTP {response.status}) cannot be used: {problem}"
    merged = {**_details(request, response), **details}
    if request.kind == WRITE:
        return Unclear(f"{text}.", next_step=DOUBT, **merged)
    return Unusable(f"{text}.", next_step=_other_address(request, sources), **merged)


def unreadable_body(request: Request, response: Response, problem: Exception, body: BodyCollector) -> FcdError:
    """Return the error for a success status with a body that broke off or that cannot be used."""
    if isinstance(problem, InvalidBody):
        return unusable_answer(request, response, str(problem), repeatable=False)
    cause = Cause("its answer was cut off") if isinstance(problem, CutOffBody) else cause_of(problem)
    streamed = LASTING if request.stream_to is not None and body.received else NO_DETAILS
    return Unclear(
        f"{request.operation}: {origin(request.url)} gave no usable answer: {cause.words}.",
        operation=request.operation,
        status=response.status,
        **{**cause.details, **streamed},
    )


def not_json(request: Request, response: Response, sources: AddressSources = ()) -> FcdError:
    """Return the error for a body that should have been complete JSON."""
    return unusable_answer(request, response, f"it is {_looks_like(response)}", sources)


def _other_address(request: Request, sources: AddressSources) -> str:
    """Return the next step if something else answers at that address."""
    source = source_of(request.url, sources)
    return (
        f"Check {named_option(request.url, sources)}: it must be {source.meant if source else 'that of the service'}."
    )


def _redirect(request: Request, response: Response, redact: Redact, sources: AddressSources) -> FcdError:
    here, path = origin(request.url), ""
    try:
        target, path = origin(url := urljoin(request.url, response.headers["location"])), urlsplit(url).path
    except ValueError:
        target = "an unreadable address"
    if target == here:
        words = f"the path {shortened(redact(visible(path)))} on the same server; redirects are not followed"
    else:
        words = f"{target}; this was not followed, because the credentials would go there"
    return Unusable(
        f"{request.operation}: HTTP {response.status}: {here} redirects to {words}.",
        next_step=f"If the service has moved, replace {named_option(request.url, sources)} by its new address.",
        redirect=target,
        repeatable=False,
        **_details(request, response),
    )


def _details(request: Request, response: Response) -> dict[str, object]:
    return {"operation": request.operation, "status": response.status, "request_id": response.request_id}


def _document(body: bytes) -> dict[str, object] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "without a reason"


def _looks_like(response: Response) -> str:
    try:
        response.json()
    except TooDeep as problem:
        return str(problem)
    except ValueError:
        pass
    body = response.body
    if not body.strip():
        return "empty"
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    if start[:1] in (b"{", b"["):
        return "JSON that is cut off or broken"
    return "not JSON"
