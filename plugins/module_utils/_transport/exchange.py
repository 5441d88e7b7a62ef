# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends requests and returns answers: the only file that knows requests and urllib3.

A call has one time limit for everything in it. Redirects are not followed, the credentials of ~/.netrc and the
authorities of REQUESTS_CA_BUNDLE do not come into it, and proxies are those of the environment.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import typing as t
from http.client import HTTPException
from urllib.parse import urlsplit

from .._core.clock import Clock, Deadline
from .._core.errors import FcdError, Unauthorized
from .._core.libraries import require
from .._core.redaction import Redactor
from .addresses import Sources, check_address, is_loopback
from .bodies import PIECE, Body, CutOff, Unfit
from .connections import CONNECT, Reaching, Watched
from .messages import MEBIBYTE, Credentials, Request, Response
from .outgoing import Outgoing, basic, outgoing
from .watchdog import Guard

if t.TYPE_CHECKING:
    from .retries import Repeater

__all__ = ["Credentials", "Exchange", "Request", "Response", "preload"]

KEPT = 100  # connections to one host that are kept open, as many as a task may use at once
MOST_OF_AN_ERROR = MEBIBYTE  # bytes of the body of an error that are read
REQUEST_ID_HEADERS = ("x-request-id", "x-trans-id", "x-openstack-request-id")


def preload() -> None:
    """Import what requests need, in a process whose forks will send some; not an error where it is missing."""
    with contextlib.suppress(ImportError):
        import requests  # noqa: F401 - it stays in sys.modules
        from urllib3.util.ssl_ import create_urllib3_context

        _TLS[:] = [create_urllib3_context()]  # takes 2 ms


class Exchange:
    """Sends requests for one task, from as many threads as there are.

    ``timeout`` is the time for one call in seconds, its repetitions included; ``deadline`` is that of the whole task.
    ``sources`` are the options that addresses come from, for errors to name.
    """

    def __init__(  # noqa: PLR0913 - all by name, and there is one place that calls it
        self,
        *,
        verify: bool | str,
        timeout: float,
        retries: int,
        deadline: Deadline,
        clock: Clock,
        user_agent: str,
        warn: t.Callable[[str], None],
        redactor: Redactor,
        allow_plain_http: bool,
        sources: Sources = (),
    ) -> None:
        self._verify = verify
        self._timeout = timeout
        self._retries = retries
        self._deadline = deadline
        self._clock = clock
        self._user_agent = user_agent
        self._warn = warn
        self._redactor = redactor
        self._allow_plain_http = allow_plain_http
        self._sources = sources
        self._repeater: Repeater | None = None

    def send(self, request: Request, credentials: Credentials | None = None) -> Response:
        """Send the request, again where that is safe, and return the answer.

        Raises InvalidInput before anything is sent; Unreachable (it certainly had no effect); Unclear; Unusable; or
        the kind of ServiceError that the status stands for.
        """
        check_address(request.url, "the address", allow_plain_http=self._allow_plain_http)
        seconds = self._timeout if request.timeout is None else request.timeout
        limit = self._deadline.within(None if math.isinf(seconds) else seconds, "call")
        repetitions, renewed = 0, False
        while True:
            limit.check(request.operation)
            proof = credentials.headers() if credentials is not None else {}  # may log in; its errors are final
            try:
                answer = self._judged(request, self._try(request, proof, limit))
            except Unauthorized as refused:
                if renewed or credentials is None or not credentials.renew():
                    refused.next_step = getattr(credentials, "advice", None) or refused.next_step
                    raise
                renewed = True
            except FcdError as error:
                repetitions += 1
                self._repeats().wait(request, error, repetitions, limit)
            else:
                if self._repeater is not None:
                    self._repeater.succeeded()
                return answer

    def _repeats(self) -> Repeater:
        from .retries import Repeater  # only when something fails

        with _MAKING:
            if self._repeater is None:
                self._repeater = Repeater(self._retries, self._warn)
            return self._repeater

    def _try(self, request: Request, proof: t.Mapping[str, str], limit: Deadline) -> Response:
        """Send it once and read the answer to its end."""
        library = require("requests", purpose="This task")
        there = outgoing(request, {**self._headers(request), **proof})
        proxy = _proxy(library, request.url)
        guard = Guard(limit.left())
        try:
            with guard:
                response = self._exchanged(library, request, there, proxy, guard)
        except _failures(library) as exc:
            from .failures import Way, no_answer

            way = Way(proxy, self._sources)
            raise no_answer(request, exc, guard, limit, way, self._redactor.text) from None
        except FcdError:
            if not guard.fired:
                raise
        if guard.fired:  # what looked like an answer was the end of the connection
            from .failures import too_late

            raise too_late(request, limit)
        return response

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {"User-Agent": self._user_agent}
        if request.basic is not None:
            headers["Authorization"] = basic(*request.basic)
            self._redactor.add(headers["Authorization"].partition(" ")[2])
        return headers

    def _exchanged(
        self, library: t.Any, request: Request, there: Outgoing, proxy: str | None, guard: Guard
    ) -> Response:
        left = guard.left()
        silence = self._timeout if left is None else left + 0.5  # the watchdog comes first
        answer = self._adapter(library).send(
            _prepared(library, request.method, there),
            stream=True,
            timeout=(min(CONNECT, silence), silence),
            verify=self._verify,
            proxies={"http": proxy, "https": proxy} if proxy else {},
        )
        try:
            return _received(library, request, answer)
        finally:
            answer.close()  # closes the connection if it was not read to its end

    def _adapter(self, library: t.Any) -> t.Any:
        """Return what keeps the connections of this process; those of a parent process are left alone."""
        key = (os.getpid(), self._verify)
        with _MAKING:
            if key not in _ADAPTERS:
                _ADAPTERS[key] = _new_adapter(library, checking=bool(self._verify))
                if not self._verify:
                    urllib3 = library.packages.urllib3
                    urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
            return _ADAPTERS[key]

    def _judged(self, request: Request, response: Response) -> Response:
        """Return a good answer. Raises the error that any other is."""
        if not 200 <= response.status < 300:
            if response.status in request.accept_statuses:
                return response
            from .answers import refusal

            raise refusal(request, response, self._redactor.text, self._clock.now(), self._sources)
        if request.json_answer and not _is_json(request, response):
            from .answers import no_json

            raise no_json(request, response, self._sources)
        return response


_ADAPTERS: dict[tuple[int, bool | str], t.Any] = {}
_MAKING = threading.Lock()
_TLS: list[t.Any] = []  # a context made beforehand, for one adapter: it keeps the authorities


def _new_adapter(library: t.Any, *, checking: bool) -> t.Any:
    """Return an adapter of requests whose connections end in time; it never repeats anything by itself."""

    class Adapter(library.adapters.HTTPAdapter):
        def init_poolmanager(self, *args: t.Any, **kwargs: t.Any) -> None:
            ready = {"ssl_context": _TLS.pop()} if _TLS and checking else {}
            super().init_poolmanager(*args, **kwargs, **ready)
            _watch_all(self.poolmanager)

        def proxy_manager_for(self, *args: t.Any, **kwargs: t.Any) -> t.Any:
            return _watch_all(super().proxy_manager_for(*args, **kwargs))

    return Adapter(max_retries=0, pool_maxsize=KEPT)


def _watch_all(manager: t.Any) -> t.Any:
    """Make the pools of this manager open connections of ours; SOCKS proxies have their own way to connect."""
    ours: dict[str, t.Any] = {}
    for scheme, pool in manager.pool_classes_by_scheme.items():
        if issubclass(pool.ConnectionCls, Watched):
            return manager
        mixin = Watched if "socks" in pool.ConnectionCls.__module__ else Reaching
        connection = type(pool.ConnectionCls.__name__, (mixin, pool.ConnectionCls), {})
        ours[scheme] = type(pool.__name__, (pool,), {"ConnectionCls": connection})
    manager.pool_classes_by_scheme = ours
    return manager


def _prepared(library: t.Any, method: str, there: Outgoing) -> t.Any:
    """Return the request as requests takes it, made by hand: the address and the headers must stay as they are."""
    prepared = library.models.PreparedRequest()
    prepared.method = method
    prepared.url = there.url
    prepared.headers = library.structures.CaseInsensitiveDict(there.headers)
    prepared.body = there.body
    return prepared


def _proxy(library: t.Any, url: str) -> str | None:
    """Return the proxy that the environment names for the address; what is for this machine never leaves it."""
    if is_loopback(urlsplit(url).hostname or ""):
        return None
    return t.cast("t.Optional[str]", library.utils.select_proxy(url, library.utils.get_environ_proxies(url)))


def _failures(library: t.Any) -> tuple[t.Any, ...]:
    return (library.RequestException, library.packages.urllib3.exceptions.HTTPError, HTTPException, OSError)


def _received(library: t.Any, request: Request, answer: t.Any) -> Response:
    """Read the body. Raises Unclear when it is cut off, and for an unfit one Unclear (a write) or Unusable."""
    headers = {name.lower(): _readable(value) for name, value in answer.headers.items()}
    status = answer.status_code
    good = status in request.accept_statuses or 200 <= status < 300
    measured = request.method != "HEAD" and status not in (204, 304) and "transfer-encoding" not in headers
    body = Body(request.limit if good else MOST_OF_AN_ERROR, request.stream_to if 200 <= status < 300 else None)
    try:
        body.unpack(headers.get("content-encoding", ""))
        for piece in answer.raw.stream(PIECE, decode_content=False):
            body.take(piece)
        content = body.end(headers.get("content-length") if measured else None)
    except (CutOff, Unfit, *_failures(library)) as problem:
        if good:
            from .failures import unreadable

            raise unreadable(request, _response(status, headers, b""), problem, body) from None
        content = body.part()  # a part of an error says enough
    return _response(status, headers, content)


def _response(status: int, headers: t.Mapping[str, str], body: bytes) -> Response:
    found = next((headers[name] for name in REQUEST_ID_HEADERS if headers.get(name)), None)
    if found is None and status >= 400:
        from .answers import error_id

        found = error_id(body)
    return Response(status, headers, body, found[:100] if found else None)


def _is_json(request: Request, response: Response) -> bool:
    try:
        return response.json() is not None or request.empty_ok or response.body.strip() == b"null"
    except ValueError:
        return False


def _readable(value: str) -> str:
    """Return the value of a header in which bytes of UTF-8 came as characters."""
    if value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
