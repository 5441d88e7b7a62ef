# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sockets on 127.0.0.1 and the HTTP server behind each."""

from __future__ import annotations

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
    """Gives each connection a number, and takes a failed handshake or a sudden end for the end of the connection."""

    wbufsize = 1 << 16

    def setup(self) -> None:
        super().setup()  # type: ignore[misc]
        self.number = next(SERIAL)

    def get_environ(self) -> Environ:
        environ: Environ = super().get_environ()  # type: ignore[misc]
        environ["sandbox.connection"] = self.number
        return environ

    def _read_request_line(self) -> Any:
        try:
            return super()._read_request_line()  # type: ignore[misc]
        except OSError:
            return b""


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


def serve(sock: socket.socket, app: App, context: ssl.SSLContext | None, storage: bool = False) -> None:
    """Serve an application from now on; with a context over TLS, each handshake in its own green thread."""
    if context:
        sock = context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
    protocol = StorageProtocol if storage else Protocol
    options: dict[str, Any] = {"capitalize_response_headers": False} if storage else {}
    pool = eventlet.GreenPool(4096)
    eventlet.spawn_n(wsgi.server, sock, app, NullLogger(), custom_pool=pool, protocol=protocol, **options)
