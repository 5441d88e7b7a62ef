# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One connection of the way over sockets: requests go out as they are, in few and large writes."""

from __future__ import annotations

import io
import os
import select
import socket
import ssl
import typing as t
from urllib.parse import SplitResult

from .http_answers import BLOCK, CutShort, HttpAnswer, NotHttp
from .messages import Request, Response
from .outgoing import Outgoing
from .reaching import CONNECT, reach
from .receiving import Arriving, received
from .watchdog import Guard

PORTS = {"https": 443, "http": 80}
CLOSED = (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError)
FAILURES = (OSError, CutShort, NotHttp)
NO_DELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class OwnConnection:
    """``answered`` says that an answer has begun, ``reusable`` that the last one has ended and another may follow."""

    def __init__(self, parts: SplitResult, guard: Guard, silence: float) -> None:
        """Connect. Raises OSError."""
        left = guard.left()
        self._patience = min(CONNECT, silence)
        seconds = self._patience if left is None else min(self._patience, left)
        self._host = parts.hostname or ""
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._host_line = f"Host: {parts.netloc}"
        self._socket: t.Any = reach(self._host, parts.port or PORTS[parts.scheme], seconds, [NO_DELAY])
        self._twin = socket.socket(fileno=os.dup(self._socket.fileno()))
        self.answered = False
        self.reusable = False
        guard.watch_twin(self._twin)

    def secure(self, context: ssl.SSLContext) -> None:
        """Begin TLS. Raises OSError."""
        try:
            self._socket.settimeout(self._patience)
            self._socket = context.wrap_socket(self._socket, server_hostname=self._host.rstrip("."))
        except BaseException:
            self.close()
            raise

    def is_open(self) -> bool:
        """Return whether the other side has neither closed it nor said anything unasked."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """Close it."""
        self._socket.close()
        self._twin.close()

    def exchanged(self, request: Request, there: Outgoing, guard: Guard, silence: float) -> Response:
        """Send a request and read its answer to the end. Raises FAILURES; FcdError of what is sent."""
        self.answered = self.reusable = False
        guard.watch_twin(self._twin)
        self._socket.settimeout(silence)
        problem = self._sent(self._head(request.method, there), there.body, guard)
        with self._socket.makefile("rb") as stream:
            answer = self._begun(stream, request.method, problem)
            response = received(request, Arriving(answer.status, answer.headers, answer.pieces(), FAILURES))
        self.reusable = problem is None and answer.ended and answer.stays_open
        return response

    def _head(self, method: str, there: Outgoing) -> bytes:
        """Return the lines before the body; header values are text in ASCII, or bytes."""
        target = there.url[len(self._origin) :].partition("#")[0]
        lines = [f"{method} {target if target[:1] == '/' else f'/{target}'} HTTP/1.1", self._host_line]
        for name, value in there.headers.items():
            lines.append(f"{name}: {value.decode('latin-1') if isinstance(value, bytes) else value}")
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def _begun(self, stream: io.BufferedReader, method: str, problem: OSError | None) -> HttpAnswer:
        """Read the head of the answer; a service that refuses a large body closes while it is still being sent."""
        try:
            answer = HttpAnswer(stream, method)
        except FAILURES:
            if problem is not None:
                raise problem from None
            raise
        self.answered = True
        return answer

    def _sent(self, head: bytes, body: t.Any, guard: Guard) -> OSError | None:
        """Send it all, or return why the other side takes no more."""
        try:
            for piece in _writes(head, (body,) if isinstance(body, bytes) else body or ()):
                guard.sent = True
                self._socket.sendall(piece)
        except CLOSED as exc:
            return t.cast("OSError", exc)
        return None


def _writes(head: bytes, pieces: t.Iterable[bytes]) -> t.Iterator[bytes | memoryview]:
    """Yield what is sent at a time: the head together with a small first piece, and never so much that it takes long.

    The time limit of a socket counts for each of them as a whole.
    """
    for piece in pieces:
        if head and len(piece) <= BLOCK:
            yield head + piece
        else:
            yield from (head, *_blocks(piece)) if head else _blocks(piece)
        head = b""
    if head:
        yield head


def _blocks(piece: bytes) -> t.Sequence[bytes | memoryview]:
    if len(piece) <= BLOCK:
        return (piece,)
    view = memoryview(piece)
    return [view[start : start + BLOCK] for start in range(0, len(piece), BLOCK)]
