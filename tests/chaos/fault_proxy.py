# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A proxy of one's own in front of the sandbox, over TLS: it does what gateways, networks and clocks do to an exchange.

What the sandbox can do itself (lists that lag, tickets that fail) is a setting there; the proxy does the rest, with the
bytes. It forwards every request until a fault is armed whose selection fits.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import re
import socket
import ssl
import struct
import threading
import time
import typing as t
from pathlib import Path
from urllib.parse import urlsplit

import trustme
from sandbox.process import SandboxProcess

Headers = t.List[t.Tuple[str, str]]
Selection = t.Mapping[str, t.Any]
LOG_IN = ("/core/connect/token", "/auth/v1.0")
HOP_BY_HOP = ("transfer-encoding", "content-length", "connection", "keep-alive")
PATIENCE = 90.0
"""Seconds after which a connection to the sandbox is given up."""


class Answer(t.NamedTuple):
    """What the service said, or what the proxy makes it say."""

    status: int
    headers: Headers
    body: bytes
    reason: str = ""

    def bytes(self, *, version: str = "1.1", length: bool = True) -> bytes:
        """Return the answer as it goes over the wire; without a length the connection's end is its end."""
        reason = self.reason or http.client.responses.get(self.status, "Odd")
        lines = [f"HTTP/{version} {self.status} {reason}", *(f"{name}: {value}" for name, value in self.headers)]
        bodiless = self.status in (204, 304)
        lines += [f"Content-Length: {len(self.body)}"] if length and not bodiless else ["Connection: close"]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (b"" if bodiless else self.body)

    def header(self, name: str) -> str | None:
        """Return the value of a header."""
        return next((value for own, value in self.headers if own.lower() == name.lower()), None)


class Exchange:
    """One request of the client that a fault has struck. An effect forwards it as often as it likes, and answers."""

    def __init__(
        self, proxy: FaultProxy, service: str, connection: ssl.SSLSocket, head: bytes, body: bytes, *, kept: bool
    ) -> None:
        """``kept``: the connection has carried a request before."""
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _version = lines[0].split(" ", 2)
        self.headers = [(name, value.strip()) for name, _colon, value in (one.partition(":") for one in lines[1:])]
        self.proxy = proxy
        self.service = service
        self.connection = connection
        self.body = body
        self.kept = kept
        self.ended = False

    def header(self, name: str) -> str:
        """Return a header of the request; empty without it."""
        return next((value for own, value in self.headers if own.lower() == name.lower()), "")

    @property
    def operation(self) -> str:
        """The operation of SOAP; empty for the others."""
        found = re.search(rb"<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)", self.body)
        return found.group(1).decode("ascii") if found and self.service == "soap" else ""

    @property
    def shape(self) -> str:
        """The method and the target, whatever the numbers in it."""
        return f"{self.method} {re.sub(r'[0-9]+', 'N', self.target)}"

    @property
    def reads(self) -> bool:
        """Whether it changes nothing."""
        if self.service == "soap":
            return bool(re.match(r"Get|Is|Has|Verify|Validate|Logon|.*Exists$", self.operation)) or self.method == "GET"
        return self.method in ("GET", "HEAD")

    @property
    def logs_in(self) -> bool:
        """Whether it asks for a token."""
        return urlsplit(self.target).path in LOG_IN

    def fits(self, selection: Selection) -> bool:
        """Return whether it is meant: by service, method, path, operation, ``body_has``, ``reads`` and ``logs_in``."""
        texts = {"path": self.target, "operation": self.operation, "body_has": self.body.decode("utf-8", "replace")}
        desired = {"logs_in": False, **selection}
        return all(
            bool(re.search(value, texts[name])) if name in texts else getattr(self, name) == value
            for name, value in desired.items()
        )

    def forward(self) -> Answer:
        """Have the service do it, and return what it says."""
        upstream = http.client.HTTPSConnection(
            "localhost", self.proxy.targets[self.service], timeout=PATIENCE, context=self.proxy.towards_the_service
        )
        self.proxy.note(self)
        with contextlib.closing(upstream):
            own = {name: value for name, value in self.headers if name.lower() not in (*HOP_BY_HOP, "expect", "host")}
            own["Host"] = f"localhost:{upstream.port}"
            if self.body or self.method in ("POST", "PUT"):
                own["Content-Length"] = str(len(self.body))
            upstream.request(self.method, self.target, body=self.body or None, headers=own)
            found = upstream.getresponse()
            headers = [
                (name, self.proxy.renamed(value))
                for name, value in found.getheaders()
                if name.lower() not in HOP_BY_HOP
            ]
            if self.method == "HEAD" and found.getheader("Content-Length") is not None:
                headers.append(("Content-Length", str(found.getheader("Content-Length"))))
            answer = Answer(found.status, headers, found.read(), found.reason)
        if self.reads:
            self.proxy.answers[self.target] = answer
        else:
            self.proxy.written[self.shape] = answer
        return answer

    def answer(self, answer: Answer, **how: t.Any) -> None:
        """Send an answer; of a HEAD its head alone."""
        if self.method == "HEAD":
            how = {**how, "length": answer.header("Content-Length") is None}
            answer = answer._replace(body=b"")
        self.send(answer.bytes(**how))
        self.ended = self.ended or how.get("length") is False

    def send(self, data: bytes) -> None:
        """Send these bytes."""
        self.connection.sendall(data)

    def close(self) -> None:
        """End the connection with TLS's own good-bye."""
        self.ended = True
        with contextlib.suppress(OSError, ValueError):
            self.connection.unwrap().close()

    def reset(self) -> None:
        """End the connection by a TCP reset."""
        self.ended = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def wait(self, seconds: float) -> bool:
        """Wait; return whether the proxy was stopped meanwhile."""
        return self.proxy.stopped.wait(seconds)


Effect = t.Callable[[Exchange], None]


class Armed:
    """An effect that waits for its requests: ``skip`` of them pass, then ``times`` are struck (0: all)."""

    def __init__(self, selection: Selection, effect: Effect, *, skip: int = 0, times: int = 1) -> None:
        self.selection = dict(selection)
        self.effect = effect
        self.struck = 0
        self.last = 0.0
        """Monotonic time of the last strike."""
        self._skip = skip
        self._times = times

    def takes(self, exchange: Exchange) -> bool:
        """Count the request; return whether it is struck. To be called under the proxy's lock."""
        if not exchange.fits(self.selection) or (self._times and self.struck >= self._times):
            return False
        if self._skip:
            self._skip -= 1
            return False
        self.struck += 1
        self.last = time.monotonic()
        return True


class FaultProxy:
    """Listens for the infrastructure, SOAP and the storage; ``environment`` points a client at it."""

    def __init__(self, sandbox: SandboxProcess, folder: Path) -> None:
        self.sandbox = sandbox
        environment = sandbox.environment
        own, places = dict(environment), {"rest": "FCD_BASE_URL", "soap": "FCD_SOAP_URL", "storage": "FCD_STORAGE_BASE"}
        self.targets = {service: int(urlsplit(own[name]).port or 0) for service, name in places.items()}
        self.towards_the_service = ssl.create_default_context(cafile=own["FCD_CA_PATH"])
        authority = trustme.CA()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost", "127.0.0.1").configure_cert(self._context)
        self._strange = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("elsewhere.example.com").configure_cert(self._strange)
        own["FCD_CA_PATH"] = str(folder / "proxy-ca.pem")
        authority.cert_pem.write_to_path(own["FCD_CA_PATH"])
        self.stopped = threading.Event()
        self.lock = threading.Lock()
        self.previous: dict[str, Answer] = {}
        self.answers: dict[str, Answer] = {}
        self.before: dict[str, Answer] = {}
        """The last answers to reads, by target, and what they were before the last write."""
        self.written: dict[str, Answer] = {}
        """The last answers to writes, by the shape of the request."""
        self.others: dict[str, Answer] = {}
        """Those that somebody else had, before the task began."""
        self.known: frozenset[int] = frozenset()
        """The numbers of what there was in the infrastructure before the task began."""
        self.name = self.kept_name = ""
        """The name of what the task makes, and how the service keeps it."""
        self.turns = itertools.count()
        """What an effect counts that strikes every other time."""
        self.writes = 0
        self.last_write = 0.0
        """How many requests that write were sent on, and the monotonic time of the last."""
        self.strangers: dict[str, int] = {}
        """How many connections of a service meet another host from now on."""
        self._armed: list[Armed] = []
        self._listeners: list[socket.socket] = []
        self.ports: dict[int, int] = {}
        for service, port in self.targets.items():
            there = self.ports[port] = self._listen(service)
            own = {name: value.replace(f"localhost:{port}", f"localhost:{there}") for name, value in own.items()}
        self.environment = own

    def __enter__(self) -> FaultProxy:  # noqa: PYI034 (typing.Self is newer than the style)
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Listen no more, and let go what an effect holds back."""
        self.stopped.set()
        for listener in self._listeners:
            listener.close()

    def arm(self, selection: Selection, effect: Effect, *, skip: int = 0, times: int = 1) -> Armed:
        """Have the effect done to the next requests that are meant."""
        armed = Armed(selection, effect, skip=skip, times=times)
        with self.lock:
            self._armed.append(armed)
        return armed

    def note(self, exchange: Exchange) -> None:
        """Count what writes."""
        with self.lock:
            if not exchange.reads and not exchange.logs_in:
                self.writes += 1
                self.last_write = time.monotonic()
                self.before = dict(self.answers)

    def forget(self) -> None:
        """Know no answer any more: another test begins."""
        self.disarm()
        with self.lock:
            self.answers, self.before, self.written, self.last_write = {}, {}, {}, 0.0
            self.turns = itertools.count()
            self.previous.clear()

    def begin(self, name: str, kept_name: str, known: frozenset[int]) -> None:
        """Know what the task is about, and that all that was written before was somebody else's."""
        with self.lock:
            self.name, self.kept_name, self.known = name, kept_name, known
            self.others, self.written = self.written, {}

    def renamed(self, value: str) -> str:
        """Return a header in which an address of the service is that of the proxy."""
        for port, own in self.ports.items():
            value = value.replace(f"localhost:{port}", f"localhost:{own}")
        return value

    def disarm(self) -> None:
        """Forward everything from now on, and let go what is held back."""
        with self.lock:
            self._armed.clear()
            self.strangers.clear()
        self.stopped.set()
        self.stopped = threading.Event()

    def _listen(self, service: str) -> int:
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._listeners.append(listener)
        threading.Thread(target=self._accept, args=(service, listener), daemon=True).start()
        return int(listener.getsockname()[1])

    def _accept(self, service: str, listener: socket.socket) -> None:
        while True:
            try:
                client, _address = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(service, client), daemon=True).start()

    def _serve(self, service: str, client: socket.socket) -> None:
        client.settimeout(PATIENCE)
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
            connection = self._context_for(service).wrap_socket(client, server_side=True)
            with connection:
                rest = b""
                for number in itertools.count():
                    head, rest = _until(connection, rest, b"\r\n\r\n")
                    if not head:
                        return
                    if b"100-continue" in head.lower():
                        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                    body, rest = _body(connection, head, rest)
                    exchange = Exchange(self, service, connection, head, body, kept=number > 0)
                    self._carry_out(exchange)
                    if exchange.ended:
                        return

    def _context_for(self, service: str) -> ssl.SSLContext:
        with self.lock:
            left = self.strangers.get(service, 0)
            self.strangers[service] = max(0, left - 1)
        return self._strange if left else self._context

    def _carry_out(self, exchange: Exchange) -> None:
        with self.lock:
            armed = next((one for one in self._armed if one.takes(exchange)), None)
        if armed is not None:
            armed.effect(exchange)
            return
        answer = exchange.forward()
        exchange.answer(answer)
        if not exchange.logs_in:
            self.previous[exchange.service] = answer


def _until(connection: ssl.SSLSocket, data: bytes, end: bytes) -> tuple[bytes, bytes]:
    """Return what comes before ``end`` and what was read behind it; nothing when the client has gone."""
    while end not in data:
        piece = connection.recv(65536)
        if not piece:
            return b"", b""
        data += piece
    found, _end, rest = data.partition(end)
    return found, rest


def _exactly(connection: ssl.SSLSocket, data: bytes, length: int) -> tuple[bytes, bytes]:
    while len(data) < length:
        piece = connection.recv(65536)
        if not piece:
            raise OSError("the client has gone")
        data += piece
    return data[:length], data[length:]


def _body(connection: ssl.SSLSocket, head: bytes, rest: bytes) -> tuple[bytes, bytes]:
    """Return the body of a request, of which ``rest`` was read already, and what comes behind it."""
    length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
    if length:
        return _exactly(connection, rest, int(length.group(1)))
    if not re.search(rb"(?im)^transfer-encoding:\s*chunked", head):
        return b"", rest
    whole = b""
    while True:
        size, rest = _until(connection, rest, b"\r\n")
        piece, rest = _exactly(connection, rest, int(size.partition(b";")[0], 16) + 2)
        if len(piece) == 2:
            return whole, rest
        whole += piece[:-2]
