# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers on a bare socket, which do what no HTTP server would."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
import typing as t

Handler = t.Callable[["Visit"], None]


class Visit:
    """One connection: ``number`` counts from 1, ``requests`` are those that were read so far, head and body."""

    def __init__(self, server: RawServer, connection: socket.socket, number: int) -> None:
        self.server = server
        self.connection = connection
        self.number = number

    def read(self) -> bytes:
        """Read one request to its end; empty when the client has gone."""
        data = b""
        while b"\r\n\r\n" not in data:
            piece = self.connection.recv(65536)
            if not piece:
                return b""
            data += piece
        head, _gap, body = data.partition(b"\r\n\r\n")
        length = next(
            (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
        )
        while len(body) < length:
            piece = self.connection.recv(65536)
            if not piece:
                return b""
            body += piece
        self.server.requests.append(head + b"\r\n\r\n" + body)
        return self.server.requests[-1]

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.connection.sendall(piece)

    def answer(self, body: bytes = b"{}", status: str = "200 OK", *headers: str) -> None:
        """Send a whole answer with a length."""
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def drip(self, data: bytes) -> None:
        """Send a byte at a time until the client goes."""
        for number in range(len(data)):
            self.send(data[number : number + 1])
            if self.server.stopped.wait(0.05):
                return

    def silence(self) -> None:
        """Say nothing until the test ends."""
        self.server.stopped.wait(300)

    def reset(self) -> None:
        """Break the connection off."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


class RawServer:
    """Listens on 127.0.0.1 until it is closed; each connection has a thread that runs the handler."""

    def __init__(self, handler: Handler, context: ssl.SSLContext | None = None) -> None:
        self.handler = handler
        self.context = context
        self.stopped = threading.Event()
        self.requests: list[bytes] = []
        self.connections = 0
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self.stopped.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def _accept(self) -> None:
        while True:
            try:
                connection, _address = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection, self.connections), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        with contextlib.suppress(OSError), connection:
            if self.context is not None:
                connection = self.context.wrap_socket(connection, server_side=True)
            with connection:
                self.handler(Visit(self, connection, number))


def forever(visit: Visit) -> None:
    """Answer every request of a connection with an empty object."""
    while visit.read():
        visit.answer()
