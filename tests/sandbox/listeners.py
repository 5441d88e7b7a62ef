# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sockets on 127.0.0.1 and the HTTP server behind each."""

from __future__ import annotations

import contextlib
import itertools
import socket
import ssl
from typing import Any

import eventlet
from eventlet import wsgi
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.utils import NullLogger

from sandbox.service import App, Environ

HOST = "127.0.0.1"
SERIAL = itertools.count(1)


class _Numbered:
    """Numbers the connections; failed handshakes and clients that have gone are not reported as errors."""

    wbufsize = 1 << 16
    connection: socket.socket

    def setup(self) -> None:
        super().setup()  # type: ignore[misc]
        self.number = next(SERIAL)

    def get_environ(self) -> Environ:
        environ: Environ = super().get_environ()  # type: ignore[misc]
        environ["sandbox.connection"] = self.number
        return environ

    def log_message(self, *_words: Any) -> None:
        pass

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            super().handle()  # type: ignore[misc]

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            super().finish()  # type: ignore[misc]
        with contextlib.suppress(OSError):
            self.connection.close()


class Protocol(_Numbered, wsgi.HttpProtocol):
    """HTTP/1.1 as usual."""


class StorageProtocol(_Numbered, SwiftHttpProtocol):
    """HTTP/1.1 as Swift wants it."""


def bind(port: int) -> socket.socket:
    """Open a listening socket; 0 takes a free port.

    Raises:
        OSError: the port is taken.
    """
    sock = eventlet.green.socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        sock.bind((HOST, port))
    except OSError as error:
        raise OSError(error.errno, f"cannot listen on {HOST}:{port}: {error.strerror}") from error
    sock.listen(1024)
    return sock  # type: ignore[no-any-return]


class _Listener:
    """A listening socket whose accept() never fails and leaves the TLS handshake to the first read.

    The HTTP server would stop for ever when a client resets its connection before it is accepted.
    """

    def __init__(self, sock: socket.socket, context: ssl.SSLContext | None) -> None:
        self._sock = sock
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def accept(self) -> tuple[socket.socket, Any]:
        while True:
            with contextlib.suppress(OSError):
                client, address = self._sock.accept()
                return self._secured(client), address
            eventlet.sleep(0.01)

    def _secured(self, client: socket.socket) -> socket.socket:
        if self._context is None:
            return client
        return self._context.wrap_socket(client, server_side=True, do_handshake_on_connect=False)


def serve(sock: socket.socket, app: App, context: ssl.SSLContext | None, storage: bool = False) -> None:
    """Serve an application from now on; with a context over TLS, each handshake in its own green thread."""
    options: dict[str, Any] = {"custom_pool": eventlet.GreenPool(4096), "protocol": Protocol}
    if storage:
        options |= {"protocol": StorageProtocol, "capitalize_response_headers": False}
    if context:
        options["environ"] = {"wsgi.url_scheme": "https", "HTTPS": "on"}
    eventlet.spawn_n(wsgi.server, _Listener(sock, context), app, NullLogger(), **options)
