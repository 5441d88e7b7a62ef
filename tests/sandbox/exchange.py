# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One request on its way through a service."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from email.utils import formatdate
from http import HTTPStatus
from itertools import chain
from typing import Any

from eventlet import wsgi

from sandbox import sockets
from sandbox.recorder import Entry, Recorder
from sandbox.service import VIOLATIONS, Environ, Headers, Service, StartResponse


class Answer:
    """An answer of a service, held back from the client."""

    def __init__(self, status: str, headers: Headers, body: Iterable[bytes]) -> None:
        self.status = status
        self.headers = headers
        self._body = body

    @property
    def length(self) -> int | None:
        """Declared length of the body."""
        found = [value for name, value in self.headers if name.lower() == "content-length"]
        return int(found[0]) if found else None

    def head(self, *extra: tuple[str, str], drop: str = "") -> bytes:
        """Status line and headers as bytes, without the header named ``drop``."""
        headers = [item for item in self.headers if item[0].lower() != drop] + list(extra)
        if not any(name.lower() == "date" for name, _ in headers):
            headers.append(("Date", formatdate(usegmt=True)))
        lines = [f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in headers), "", ""]
        return "\r\n".join(lines).encode("latin-1")

    def parts(self) -> Iterator[bytes]:
        """Body piece by piece; the service's iterable is closed after the last one."""
        try:
            yield from self._body
        finally:
            close = getattr(self._body, "close", None)
            if close:
                close()

    def drain(self) -> None:
        """Throw the body away."""
        for _part in self.parts():
            pass


class Exchange:
    """A request, the service that is to answer it, and its line in the log."""

    def __init__(self, service: Service, environ: Environ, start: StartResponse, recorder: Recorder) -> None:
        """Write the request into the log."""
        self.environ = environ
        self._service = service
        self._start = start
        self._recorder = recorder
        self._resets = recorder.resets
        self.entry: Entry = recorder.begin(service.name, environ)

    @property
    def socket(self) -> Any:
        """The client's connection."""
        return self.environ["eventlet.input"].get_socket()

    @property
    def head_only(self) -> bool:
        """Whether the answer may have no body."""
        return bool(self.environ["REQUEST_METHOD"] == "HEAD")

    @property
    def outdated(self) -> bool:
        """Whether the sandbox was reset since the request came: it must not touch the new state."""
        return self._resets != self._recorder.resets

    def serve(self) -> Iterable[bytes]:
        return self._call(self._note)

    def perform(self) -> Answer:
        """Let the service do its work and hold its answer back."""
        heads: list[tuple[str, Headers]] = []
        body = self._call(lambda status, headers, _error=None: heads.append((status, headers)))
        pieces = iter(body)
        first = next(pieces, b"")  # a generator sets its status only then
        status, headers = heads[-1]
        return Answer(status, headers, _Rest(body, first, pieces))

    def answer(self, status: int, headers: Headers, body: bytes) -> Iterable[bytes]:
        """Answer in the service's place."""
        self._note(f"{status} {_reason(status)}", [*headers, ("Content-Length", str(len(body)))])
        return [] if self.head_only else [body]

    def stream(self, status: int, headers: Headers, parts: Iterable[bytes]) -> Iterable[bytes]:
        """Answer in the service's place with a body of any length."""
        self._note(f"{status} {_reason(status)}", headers)
        return [] if self.head_only else parts

    def end(self, reset: bool = True) -> Iterable[bytes]:
        """End the connection; the server is to write nothing more."""
        (sockets.reset if reset else sockets.close)(self.socket)
        wsgi.WSGI_LOCAL.already_handled = True
        return []

    def _note(self, status: str, headers: Headers, error: Any = None) -> Any:
        self.entry["status"] = int(status.split(" ", 1)[0])
        return self._start(status, headers, error) if error else self._start(status, headers)

    def _call(self, start: StartResponse) -> Iterable[bytes]:
        found: list[dict[str, Any]] = []
        self.environ[VIOLATIONS] = found
        try:
            return self._service(self.environ, start)
        except Exception:
            text = traceback.format_exc()
            found.append({"side": "service", "text": text})
            self.environ["wsgi.errors"].write(text)
            body = b"the sandbox itself failed; see /sandbox/violations\n"
            start("500 Internal Server Error", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
            return [body]
        finally:
            self._recorder.describe(self.entry, self.environ)
            if found:
                self._recorder.breach(self.entry, found)


class _Rest:
    """An iterable of which the first piece was taken already; closes the original."""

    def __init__(self, body: Iterable[bytes], first: bytes, pieces: Iterator[bytes]) -> None:
        self._pieces = chain([first], pieces)
        self.close = getattr(body, "close", lambda: None)

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Injected"
