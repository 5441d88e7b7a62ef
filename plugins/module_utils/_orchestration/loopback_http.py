# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server on 127.0.0.1 for one program that we start ourselves, and that alone knows the password."""

from __future__ import annotations

import base64
import hmac
import http.server
import secrets
import threading
import typing as t

Answer = t.Callable[[str, bytes], t.Tuple[int, bytes]]
USER = "state"
METHODS = ("GET", "POST", "DELETE", "LOCK", "UNLOCK")
UNAUTHORIZED = 401
MOST = 256 << 20  # bytes of a request


class LoopbackServer:
    """Serves while the block runs; ``answer`` gets method and body and returns status and body."""

    def __init__(self, answer: Answer) -> None:
        self.user, self.password = USER, secrets.token_urlsafe(24)
        wanted = base64.b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer, f"Basic {wanted}"))

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> LoopbackServer:  # noqa: PYI034 - typing.Self is newer than Python 3.9
        """Serve."""
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        """End."""
        self._server.shutdown()
        self._server.server_close()


def _handler(answer: Answer, wanted: str) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(min(length, MOST))
            if hmac.compare_digest(self.headers.get("Authorization", ""), wanted):
                status, told = answer(self.command, body)
            else:
                status, told = UNAUTHORIZED, b""
            self.send_response(status)
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_words: t.Any) -> None:
            """Say nothing."""

    for method in METHODS:
        setattr(Handler, f"do_{method}", Handler.handle_any)
    return Handler
