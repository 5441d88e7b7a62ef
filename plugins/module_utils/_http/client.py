# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The HTTP client of all services: sends requests and returns answers, over one of two adapters.

``requests`` is for REST and SOAP and supports proxies; http.client of the standard library is for bulk transfer.

A call has one time limit for everything that belongs to it. Redirects are not followed.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import typing as t

from .._core.clock import Clock, Deadline
from .._core.errors import FcdError, Unauthorized, mark_changed_on_error, note_change, outcome_unknown
from .._core.text import Redactor
from .concurrency import ConcurrencyLimit
from .connection import BodyCollector, CutOffBody, Guard, InvalidBody
from .http_errors import Route, error_id, no_answer, not_json, refusal, too_late, unreadable_body
from .messages import (
    IDEMPOTENT,
    MEBIBYTE,
    READ,
    WRITE,
    AddressSources,
    Credentials,
    Incoming,
    Request,
    Response,
    basic,
    check_address,
    is_loopback,
    outgoing,
    start_of,
)
from .retries import Repeater, SharedRetries
from .standard_adapter import StandardAdapter

if t.TYPE_CHECKING:
    from .requests_adapter import RequestsAdapter

    Adapter = t.Union[RequestsAdapter, StandardAdapter]

__all__ = ["Credentials", "Exchange", "Request", "Response"]
CHANGING = (IDEMPOTENT, WRITE)  # kinds of requests
MAX_ERROR_BYTES = MEBIBYTE  # bytes of the body of an error that are read
REQUEST_ID_HEADERS = ("x-request-id", "x-trans-id", "x-openstack-request-id")


class ExchangeOptions(t.NamedTuple):
    """How a task sends its requests.

    ``timeout`` is the time for one call in seconds, including its retries; ``deadline`` is that of the whole task.
    ``sources`` are the options that addresses come from, to be named in errors. ``direct`` uses http.client, which
    costs less and needs no library, unless there is a proxy. ``shared`` limits the retries of all tasks together.
    ``begin`` gets the name of each change before it is sent.
    """

    verify: bool | str
    timeout: float
    retries: int
    deadline: Deadline
    clock: Clock
    user_agent: str
    warn: t.Callable[[str], None]
    redactor: Redactor
    allow_plain_http: bool
    sources: AddressSources = ()
    direct: bool = False
    shared: SharedRetries | None = None
    begin: t.Callable[[str], object] = str


class Exchange:
    """Sends requests for one task, from any number of threads."""

    def __init__(self, options: ExchangeOptions) -> None:
        self.options = options
        self._adapters: dict[str, Adapter] = {}  # by scheme, host and port
        self._repeater: Repeater | None = None
        self._concurrency = ConcurrencyLimit()

    def send(self, request: Request, credentials: Credentials | None = None) -> Response:
        """Send the request, again if that is safe, and return the answer.

        Raises InvalidInput before anything is sent; Unreachable (certainly without effect); Unclear; Unusable; or the
        kind of ServiceError that the status stands for.
        """
        adapter = self._adapter(request.url)
        limit = self._limit(request)
        repetitions, renewed, doubtful = 0, False, False
        if request.kind in CHANGING:
            self.options.begin(request.operation)
        while True:
            with mark_changed_on_error(doubtful):  # by an attempt before this one, of which nothing is sent yet
                limit.check(request.operation)
                proof = credentials.headers() if credentials is not None else {}  # may log in; its errors are final
                left = limit.left()
                turn = self._concurrency.wait(request.operation, self.options.deadline)  # nothing is sent until then
                if turn.waited:  # for other requests of this task, which is not the time of this call
                    limit = self.options.deadline.within(left, "call")
            try:
                with turn:
                    answer = self._try(adapter, request, proof, limit)
                    doubtful = doubtful or answer.repeated
                    self._check(request, answer)
            except Unauthorized as refused:
                _note_doubt(request, refused, doubtful)
                _renew(credentials, refused, renewed)
                renewed = True
            except FcdError as error:
                doubtful = _note_doubt(request, error, doubtful)
                repetitions += 1
                self._repeats().wait(request, error, repetitions, limit)
            else:
                if self._repeater is not None:
                    self._repeater.succeeded(request.url, answer.status)
                return answer

    def spend_retry(self, url: str) -> str:
        """Take a retry that the caller makes from the budgets; return which one is spent, empty if none is."""
        return self._repeats().spend(url)

    def wait_to_repeat(self, request: Request, error: FcdError) -> None:
        """Wait until the caller may send again what failed with ``error``. Raises it if it may not be."""
        self._repeats().wait(request, error, 1, self._limit(request))

    def _limit(self, request: Request) -> Deadline:
        seconds = self.options.timeout if request.timeout is None else request.timeout
        return self.options.deadline.within(None if math.isinf(seconds) else seconds, "call")

    def _repeats(self) -> Repeater:
        with _LOCK:
            if self._repeater is None:
                options = self.options
                self._repeater = Repeater(options.retries, options.warn, options.shared, options.clock)
            return self._repeater

    def _try(self, adapter: Adapter, request: Request, proof: t.Mapping[str, str], limit: Deadline) -> Response:
        """Send it once and read the answer to its end."""
        headers = {"User-Agent": self.options.user_agent}
        if request.basic is not None:
            headers["Authorization"] = basic(*request.basic)
            self.options.redactor.add(headers["Authorization"].partition(" ")[2])
        there = outgoing(request, {**headers, **proof})
        guard = Guard(limit.left(), once=request.kind not in (READ, IDEMPOTENT))
        silence = self.options.timeout if guard.end is None else (guard.left() or 0.0) + 0.5  # the watchdog comes first
        try:
            with guard, adapter.exchange(request, there, guard, silence) as answer:
                response = _read(request, answer, adapter.failures)
        except adapter.failures as exc:
            route = Route(adapter.proxy(request.url), self.options.sources)
            raise no_answer(request, exc, guard, limit, route, self.options.redactor.text) from None
        except FcdError:
            if not guard.fired:
                raise
        if guard.fired:  # the answer ended because the connection was shut down
            raise too_late(request, limit)
        return response

    def _adapter(self, url: str) -> Adapter:
        """Return the adapter for an address. Raises InvalidInput, MissingLibrary."""
        start, options = start_of(url), self.options
        adapter = self._adapters.get(start)
        if adapter is None or not (url.isascii() and url.isprintable()) or " " in url:
            parts = check_address(url, "the address", allow_plain_http=options.allow_plain_http)
            adapter = self._adapters[start] = self._choose_adapter(parts.hostname or "")
            if options.shared is not None and os.path.exists(options.shared.file(url)):
                self._repeats()  # another task has retried: successful answers of this one refill the budget
        return adapter

    def _choose_adapter(self, host: str) -> Adapter:
        if self.options.direct and not _may_have_proxy(host):
            return StandardAdapter(self.options.verify)
        from .requests_adapter import RequestsAdapter

        return RequestsAdapter(self.options.verify)

    def _check(self, request: Request, response: Response) -> None:
        """Raise the error that an answer stands for, unless it is a good one."""
        if response.status in request.accept_statuses:
            return
        options = self.options
        if not 200 <= response.status < 300:
            raise refusal(request, response, options.redactor.text, options.clock.now(), options.sources)
        if request.json_answer and not _is_json(request, response):
            raise not_json(request, response, options.sources)


_LOCK = threading.Lock()


def _renew(credentials: Credentials | None, refused: Unauthorized, renewed: bool) -> None:
    """Get other credentials for one more attempt. Raises the refusal, with what to do, if there are none."""
    if renewed or credentials is None or not credentials.renew():
        refused.next_step = getattr(credentials, "advice", None) or refused.next_step
        raise refused


def _note_doubt(request: Request, error: FcdError, before: bool) -> bool:
    """Note in the error whether this attempt or one ``before`` it may have changed something, and return that."""
    if before or (request.kind in CHANGING and outcome_unknown(error)):
        note_change(error)
        return True
    return False


def _may_have_proxy(host: str) -> bool:
    """Return whether a proxy might be set for the host; requests to this host itself never use one."""
    settings_of_its_own = sys.platform == "darwin"
    named = any(value and name.lower().endswith("_proxy") for name, value in os.environ.items())
    return (settings_of_its_own or named) and not is_loopback(host)


def _is_json(request: Request, response: Response) -> bool:
    try:
        return response.json() is not None or request.empty_ok or response.body.strip() == b"null"
    except ValueError:
        return False


def _read(request: Request, answer: Incoming, failures: tuple[t.Any, ...]) -> Response:
    """Read the body. Raises Unclear if it is cut off, and for an unfit one Unclear (a write) or Unusable."""
    headers, status = _decode_headers(answer.headers), answer.status
    good = status in request.accept_statuses or 200 <= status < 300
    has_length = request.method != "HEAD" and status not in (204, 304) and "transfer-encoding" not in headers
    body = BodyCollector(request.limit if good else MAX_ERROR_BYTES, _sink(request, status, headers))
    try:
        body.unpack(headers.get("content-encoding", ""))
        for piece in answer.pieces:
            body.take(piece)
        content = body.end(headers.get("content-length") if has_length else None)
    except (CutOffBody, InvalidBody, *failures) as problem:
        if good:
            response = Response(status, headers, b"", _request_id(status, headers, b""))
            raise unreadable_body(request, response, problem, body) from None
        content = body.part()  # a part of an error is enough
    return Response(status, headers, content, _request_id(status, headers, content), repeated=answer.repeated)


def _sink(request: Request, status: int, headers: t.Mapping[str, str]) -> t.Callable[[bytes], None] | None:
    """Return what gets the body in pieces: only that of a good answer with all its marks is passed on."""
    marked = 200 <= status < 300 and all(name in headers for name in request.stream_marks)
    return request.stream_to if marked else None


def _request_id(status: int, headers: t.Mapping[str, str], body: bytes) -> str | None:
    found = next((headers[name] for name in REQUEST_ID_HEADERS if headers.get(name)), None)
    if found is None and status >= 400:
        found = error_id(body)
    return found[:100] if found else None


def _decode_headers(pairs: t.Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the headers by name in lower case; bytes of UTF-8 that were read as characters are decoded."""
    headers: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower()
        try:
            text = value if value.isascii() else value.encode("latin-1").decode("utf-8")
        except UnicodeError:
            text = value
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers
