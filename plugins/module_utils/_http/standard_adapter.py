# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exchanges requests with http.client of the standard library, for bulk traffic.

It does less work per request than requests, sends larger blocks, and needs nothing to be installed, but does not
support proxies.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import ssl
import threading
import typing as t
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from urllib.parse import SplitResult, urlsplit

from .connection import CONNECT, MAX_IDLE, Guard, ReachingConnection
from .messages import IDEMPOTENT, PORTS, READ, Incoming, Outgoing, Request, start_of

_LOCK = threading.Lock()
WIRE_BLOCK = 1 << 18  # bytes that are sent or read at a time
CLOSED: tuple[type[OSError], ...] = (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError)
FAILURES = (OSError, HTTPException)


class StandardConnection(ReachingConnection, HTTPConnection):
    """A connection of http.client that starts TLS by itself if it has a ``context``."""

    socket_options = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)

    def __init__(self, parts: SplitResult, context: ssl.SSLContext | None, silence: float) -> None:
        super().__init__(parts.hostname or "", parts.port or PORTS[parts.scheme], timeout=min(CONNECT, silence))
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._netloc = parts.netloc
        self._context = context
        self._head = b""
        self._accepts = True

    def connect(self) -> None:
        """Connect and begin TLS. Raises OSError."""
        self.sock = self._new_conn()
        if self._context is not None:
            self.sock.settimeout(self.timeout)
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host.rstrip("."))

    def is_open(self) -> bool:
        """Return whether the other side has neither closed it nor sent anything unasked."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return not poll.poll(0)

    def is_reusable(self, answer: HTTPResponse) -> bool:
        """Return whether the answer has ended and another request may follow."""
        return self._accepts and answer.isclosed() and not answer.will_close

    def send(self, data: t.Any) -> None:
        """Hold back the head, which is all that the library sends: it is sent together with the body."""
        self._head = data

    def start(self, method: str, there: Outgoing, silence: float) -> HTTPResponse:
        """Send a request and read the head of its answer. Raises FAILURES; FcdError of what is sent."""
        try:
            if self.sock is None:
                self.connect()
            self.sock.settimeout(silence)
            problem = self._send_all(method, there)
            self._accepts = problem is None
            try:
                return self.getresponse()
            except FAILURES:  # a service that refuses a large body closes while it is still being sent
                if problem is not None:
                    raise problem from None
                raise
        except BaseException:
            self.close()
            raise

    def _send_all(self, method: str, there: Outgoing) -> OSError | None:
        """Send it all, or return why the other side accepts no more."""
        target = there.url[len(self._origin) :].partition("#")[0]
        self.putrequest(
            method, target if target[:1] == "/" else f"/{target}", skip_host=True, skip_accept_encoding=True
        )
        self.putheader("Host", self._netloc)
        for name, value in there.headers.items():
            self.putheader(name, value)
        self.endheaders()
        try:
            for piece in _writes(self._head, (there.body,) if isinstance(there.body, bytes) else there.body or ()):
                super().send(piece)
        except CLOSED as exc:
            return exc
        return None


def _pieces(answer: HTTPResponse) -> t.Iterator[bytes]:
    """Yield the body. Raises FAILURES."""
    yield from iter(lambda: answer.read(WIRE_BLOCK), b"")
    if answer.length:
        raise IncompleteRead(b"", answer.length)


def _writes(head: bytes, pieces: t.Iterable[bytes]) -> t.Iterator[bytes | memoryview]:
    """Yield what is sent at once: the head with a small first piece, and never so much that it takes long.

    The time limit of a socket applies to each of them as a whole.
    """
    for piece in pieces:
        if head and len(piece) <= WIRE_BLOCK:
            yield head + piece
        else:
            yield from (head, *_blocks(piece)) if head else _blocks(piece)
        head = b""
    if head:
        yield head


def _blocks(piece: bytes) -> t.Sequence[bytes | memoryview]:
    if len(piece) <= WIRE_BLOCK:
        return (piece,)
    view = memoryview(piece)
    return [view[start : start + WIRE_BLOCK] for start in range(0, len(piece), WIRE_BLOCK)]


class StandardAdapter:
    """Exchanges requests over connections that are kept for the process.

    ``verify`` is False or a file of authorities, or True for those that are trusted in general.
    """

    failures: tuple[t.Any, ...] = FAILURES

    def __init__(self, verify: bool | str) -> None:
        self._verify = verify

    def proxy(self, _url: str) -> None:
        """Return None: there is no proxy."""

    @contextlib.contextmanager
    def exchange(self, request: Request, there: Outgoing, guard: Guard, silence: float) -> t.Iterator[Incoming]:
        """Send it; in the context, the answer is read. ``silence`` is how long the other side may send nothing.

        A kept connection that turns out to be closed is replaced at once if the request may be repeated. Raises one of
        ``failures`` unless an answer begins.
        """
        idle = _IDLE.setdefault((os.getpid(), self._verify, start_of(there.url)), [])
        connection, repeated = _take_open(idle), False
        if connection is not None:
            try:
                answer = connection.start(request.method, there, silence)
            except CLOSED:
                if guard.fired or request.kind not in (READ, IDEMPOTENT):
                    raise
                connection, repeated = None, request.kind != READ
        if connection is None:
            parts = urlsplit(there.url)
            context = _trusting(self._verify) if parts.scheme == "https" else None
            connection = StandardConnection(parts, context, silence)
            answer = connection.start(request.method, there, silence)
        reusable = False
        try:
            yield Incoming(answer.status, answer.headers.items(), _pieces(answer), repeated)
            reusable = connection.is_reusable(answer) and len(idle) < MAX_IDLE
        finally:
            if reusable:
                idle.append(connection)
            else:
                connection.close()


def _take_open(idle: list[StandardConnection]) -> StandardConnection | None:
    """Return a kept connection that the other side has not closed; threads do this without a lock."""
    with contextlib.suppress(IndexError):
        while True:
            connection = idle.pop()
            if connection.is_open():
                return connection
            connection.close()
    return None


def _trusting(verify: bool | str) -> ssl.SSLContext:
    """Return the TLS context; it holds the authorities, which take time to read."""
    with _LOCK:
        if verify not in _CONTEXTS:
            _CONTEXTS[verify] = _new_context(verify)
        return _CONTEXTS[verify]


def _new_context(verify: bool | str) -> ssl.SSLContext:
    authorities = verify if isinstance(verify, str) else None
    if verify is True:  # those that requests trusts, so that both adapters trust the same
        try:
            import certifi

            authorities = certifi.where()
        except ImportError:
            pass  # then those of the system
    context = ssl.create_default_context(cafile=authorities)
    context.minimum_version = max(context.minimum_version, ssl.TLSVersion.TLSv1_2)
    context.set_alpn_protocols(["http/1.1"])
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


_IDLE: dict[tuple[object, ...], list[StandardConnection]] = {}  # a fork does not touch the connections of its parent
_CONTEXTS: dict[bool | str, ssl.SSLContext] = {}
