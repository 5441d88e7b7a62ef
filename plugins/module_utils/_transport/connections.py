# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections that know the try they belong to, so that it can end in time and it is known what was sent.

These are mix-ins for the connections of urllib3, which is not imported here.
"""

from __future__ import annotations

import socket
import typing as t
from http.client import HTTPResponse, IncompleteRead

from .reaching import CONNECT, reach
from .watchdog import current

if t.TYPE_CHECKING:
    from http.client import HTTPConnection as Base  # the one of urllib3 is made from it
else:
    Base = object


LONGEST_LINE = 1 << 16  # bytes


class WholeHead(HTTPResponse):
    """An answer whose headers have to end with an empty line: the library takes the end of the connection as well.

    Of what may come before it (1xx) the library knows 100 alone.
    """

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]  # of http.client
            if not 100 < status < 200:
                return version, status, reason
            while self.fp.readline(LONGEST_LINE).strip():
                pass

    def begin(self) -> None:
        """Read status line and headers. Raises IncompleteRead."""
        guard = current()
        if guard is not None:
            guard.reading = True
        lines = _Lines(self.fp)
        self.fp = t.cast("t.Any", lines)
        super().begin()
        self.fp = lines.stream
        if lines.last.strip():
            self.close()
            raise IncompleteRead(lines.last)


class _Lines:
    """Remembers the last line that was read."""

    def __init__(self, stream: t.Any) -> None:
        self.stream = stream
        self.last = b""

    def readline(self, limit: int) -> bytes:
        line: bytes = self.stream.readline(limit)
        self.last = line or self.last
        return line

    def __getattr__(self, name: str) -> t.Any:
        return getattr(self.stream, name)


class Watched(Base):
    """Tells the try of its thread about the socket and about the first byte of the request."""

    response_class = WholeHead
    _watched_for: t.Any = None
    _connecting = False

    def connect(self) -> None:
        """Connect; what is said to a proxy meanwhile is not the request."""
        self._connecting = True
        try:
            super().connect()
        finally:
            self._connecting = False

    def _new_conn(self) -> socket.socket:
        return t.cast("socket.socket", self._watched(super()._new_conn()))  # type: ignore[misc]  # of urllib3

    def send(self, data: t.Any) -> None:
        """Send a part of the request."""
        if self.sock is None:
            self.connect()
        guard = current()
        if guard is not self._watched_for:
            self._watched(self.sock)  # a connection that was kept open by an earlier try
        if guard is not None and not self._connecting:
            guard.sent = True
        super().send(data)

    def _watched(self, connection: t.Any) -> t.Any:
        self._watched_for = current()
        if self._watched_for is not None:
            self._watched_for.watch(connection)
        return connection


class Reaching(Watched):
    """Connects by itself: names and all addresses of a host have one limit together."""

    def _new_conn(self) -> socket.socket:
        guard = current()
        left = guard.left() if guard is not None else None
        seconds = CONNECT if left is None else min(CONNECT, left)
        host = getattr(self, "_dns_host", self.host).strip("[]")
        return t.cast(
            "socket.socket", self._watched(reach(host, self.port, seconds, getattr(self, "socket_options", None) or ()))
        )
