# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections that know which attempt they belong to, so that it ends in time and tells what was sent.

They are mix-ins for the connections of http.client and of urllib3, which is not imported here. What they read is
checked and limited: the head of an answer, and its body.

An attempt ends in time, whatever its connection does: silence, a byte per second, a handshake that hangs. Socket
timeouts apply to each read separately, and the header lines of an answer are read in a loop that nothing else can end.
So a thread, one per process and nearly always asleep, shuts the connection down when the time is up.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import typing as t
import zlib
from http.client import HTTPException, HTTPMessage, HTTPResponse, IncompleteRead

from .._core.errors import InvalidInput
from .._core.text import number_in

MAX_IDLE = 100  # connections to one host that are kept open, as many as a task may use at the same time
CONNECT = 10.0  # seconds for all addresses of a host together
MAX_HEADER_LINE = 1 << 16  # bytes
MAX_HEADERS = 1000
TOO_LONG = f"a line of its head is longer than {MAX_HEADER_LINE:,} bytes"
BODILESS = (204, 304)
HEX = frozenset(b"0123456789abcdefABCDEF")
GZIP = b"\x1f"  # what a member begins with


class TookTooLong(OSError):
    """A step before the request took longer than it may; the text says which."""


def reach(host: str, port: int, seconds: float, options: t.Iterable[t.Any] = ()) -> socket.socket:
    """Return a connection to the first address of the host that accepts one. Raises OSError (also socket.gaierror)."""
    end = time.monotonic() + seconds
    addresses = _addresses(host, port, seconds)
    failure: OSError = OSError(f"{host} has no address")
    for number, (family, kind, protocol, _name, address) in enumerate(addresses):
        left = end - time.monotonic()
        if left <= 0:
            raise TookTooLong(f"no connection within {seconds:g} s")
        connection = socket.socket(family, kind, protocol)
        try:
            for option in options:
                connection.setsockopt(*option)
            connection.settimeout(left / (len(addresses) - number))  # one dead address must not use up all the time
            connection.connect(address)
        except OSError as exc:
            connection.close()
            failure = exc
        else:
            return connection
    raise failure


def _addresses(host: str, port: int, seconds: float) -> list[t.Any]:
    """Return what the name resolves to; the resolver of the system has no time limit."""
    if host == "localhost" or ":" in host or host.replace(".", "").isdigit():
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found: list[t.Any] = []
    problem: list[OSError] = []

    def search() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except OSError as exc:
            problem.append(exc)
        except UnicodeError:
            problem.append(socket.gaierror(socket.EAI_NONAME, "not a valid host name"))

    thread = threading.Thread(target=search, name="fcd-cloud-name", daemon=True)
    thread.start()
    thread.join(seconds)
    if problem:
        raise problem[0]
    if not found:
        raise TookTooLong(f"resolving {host} took longer than {seconds:g} s")
    return found


if t.TYPE_CHECKING:
    from http.client import HTTPConnection as Base  # that of urllib3 is derived from it
else:
    Base = object


class NotHttp(HTTPException):
    """The answer is not HTTP; the text says what is wrong."""


class StrictResponse(HTTPResponse):
    """An answer of http.client whose head must be complete and unambiguous.

    The library itself takes the end of the connection for the end of a head, refuses more than 100 headers (an object
    with much metadata has more), guesses if the length of a body is unclear, and of the answers that may precede the
    final one (1xx), it knows only 100.
    """

    _method: str | None  # http.client has these two, but its types do not say so
    _read_status: t.Callable[[], tuple[str, int, str]]

    def begin(self) -> None:
        """Read status line and headers. Raises OSError, IncompleteRead, and NotHttp and its kind."""
        guard = current()
        if guard is not None:
            guard.reading = True
        version, status, reason = self._read_status()
        while 100 <= status < 200:
            _head(self.fp)
            version, status, reason = self._read_status()
        if not version.startswith("HTTP/1."):
            raise NotHttp("it does not start with a status line")
        self.status = self.code = status
        self.reason, self.version = reason.strip(), 10 if version == "HTTP/1.0" else 11
        self.headers = self.msg = _head(self.fp)
        tokens = [word.strip() for word in self._all("connection").lower().split(",")]
        self.will_close = "close" in tokens if self.version == 11 else "keep-alive" not in tokens
        self._declare()

    def _declare(self) -> None:
        """Note where the body ends."""
        self.chunked, self.chunk_left, self.length = False, None, 0
        if self.status in BODILESS:
            return
        encoding = self._all("transfer-encoding").lower()
        length = None if encoding else self._declared_length()
        if self._method == "HEAD":
            return
        if encoding and encoding != "chunked":
            raise NotHttp("its body uses a transfer encoding that was not requested")
        self.chunked, self.length = bool(encoding), length
        if not encoding and length is None:
            self.will_close = True

    def _declared_length(self) -> int | None:
        """Return what the headers say of the length, None if they say nothing."""
        lengths = {value.strip() for value in self._all("content-length").split(",")} - {""}
        length = number_in(min(lengths, default=""))
        if len(lengths) > (length is not None):
            raise NotHttp("the length of its body is ambiguous")
        return length

    def _all(self, name: str) -> str:
        return ",".join(self.headers.get_all(name, ()))

    def _read_next_chunk_size(self) -> int:
        """Return the size of the next chunk: the library would also accept signs, underscores and 0x."""
        line = self.fp.readline(MAX_HEADER_LINE)
        size = line.partition(b";")[0].strip()
        if not line.endswith(b"\n"):
            raise IncompleteRead(line)
        if not size or len(size) > 16 or not HEX.issuperset(size):
            raise NotHttp("a chunk has no size")
        return int(size, 16)

    def _read_and_discard_trailer(self) -> None:
        """Read and ignore what follows the last chunk."""
        _head(self.fp)


def _head(stream: t.BinaryIO) -> HTTPMessage:
    """Read the headers up to the empty line."""
    pairs: list[tuple[str, str]] = []
    for line in _lines_of_head(stream):
        name, colon, value = line.partition(":")
        if line[0] in " \t" and pairs:  # a continued value
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {line.strip()}")
        elif not colon or not name or name[-1].isspace() or name[0].isspace():
            raise NotHttp("a line of its head is not a header")
        else:
            pairs.append((name, value.strip(" \t")))
    message = HTTPMessage()
    for name, value in pairs:
        message[name] = value
    return message


def _lines_of_head(stream: t.BinaryIO) -> t.Iterator[str]:
    """Yield the lines up to the empty one. Raises NotHttp, or IncompleteRead if one is cut off."""
    for _number in range(MAX_HEADERS + 1):
        data = stream.readline(MAX_HEADER_LINE)
        if data[-1:] != b"\n":
            raise NotHttp(TOO_LONG) if len(data) == MAX_HEADER_LINE else IncompleteRead(data)
        line = data.decode("latin-1").rstrip("\r\n")
        if not line:
            return
        yield line
    raise NotHttp(f"it has more than {MAX_HEADERS} headers")


class CutOffBody(Exception):
    """The body ends too early."""


class InvalidBody(Exception):
    """The body is too large, or encoded in a way that cannot be decoded; the text says which."""


class BodyCollector:
    """Collects the pieces of a body within ``limit`` bytes, or passes them to ``sink`` as they came.

    Neither an endless body nor a small one that expands without end fills the memory.
    """

    def __init__(self, limit: int, sink: t.Callable[[bytes], None] | None = None) -> None:
        self._limit = limit
        self._sink = sink
        self._pieces: list[bytes] = []
        self._size = 0
        self._member: t.Any = None  # the decompressor of one member of gzip
        self.received = 0

    def unpack(self, encoding: str) -> None:
        """Say how the pieces are compressed (Content-Encoding); for a sink they stay compressed. Raises InvalidBody."""
        word = encoding.strip().lower()
        if self._sink is not None or word in ("", "identity"):
            return
        if word not in ("gzip", "x-gzip"):
            raise InvalidBody("it is compressed in a way that was not requested")
        self._member = _new_member()

    def take(self, piece: bytes) -> None:
        """Take the next piece. Raises InvalidBody."""
        self.received += len(piece)
        if self._sink is not None:
            try:
                self._sink(piece)
            except OSError as exc:
                raise InvalidInput(f"The content received cannot be written: {exc.strerror}.") from exc
            return
        if self._member is not None:
            piece = self._unpack(piece)
        self._size += len(piece)
        self._pieces.append(piece)
        if self._size > self._limit:
            raise InvalidBody(f"it is larger than {self._limit / (1 << 20):g} MiB")

    def end(self, declared: str | None) -> bytes:
        """Return the whole; ``declared`` is the header Content-Length. Raises CutOffBody."""
        if number_in(declared or "") not in (None, self.received):
            raise CutOffBody
        if self._member is not None and self.received and not self._member.eof:
            raise CutOffBody
        return self.part()

    def part(self) -> bytes:
        """Return what has come so far, within the limit."""
        return b"".join(self._pieces)[: self._limit]

    def _unpack(self, piece: bytes) -> bytes:
        """Return the decompressed piece: members may follow one another (RFC 1952, section 2.2), or padding."""
        parts: list[bytes] = []
        room = self._limit - self._size + 1
        try:
            while piece and room > 0:
                if self._member.eof:
                    if piece[:1] != GZIP:
                        break
                    self._member = _new_member()
                parts.append(self._member.decompress(piece, room))
                room -= len(parts[-1])
                piece = self._member.unused_data
        except zlib.error:
            raise InvalidBody("it cannot be decompressed") from None
        return b"".join(parts)


def _new_member() -> object:
    return zlib.decompressobj(16 + zlib.MAX_WBITS)


class WatchedConnection(Base):
    """Tells the attempt of its thread about the socket and about the first byte of the request."""

    response_class = StrictResponse
    _watched_for: object = None
    _connecting = False

    def connect(self) -> None:
        """Connect; what is sent to a proxy at this point is not the request."""
        self._connecting = True
        try:
            super().connect()
        finally:
            self._connecting = False

    def _new_conn(self) -> socket.socket:
        return self._watched(super()._new_conn())  # type: ignore[misc]  # the connection of urllib3 has it

    def send(self, data: t.Any) -> None:
        """Send a part of the request.

        A connection that an earlier attempt has kept open may be closed by the other side at any moment. What must not
        be sent twice gets a new one: nobody could tell whether it had arrived.
        """
        guard = current()
        if self.sock is not None and guard is not self._watched_for:
            if guard is None or not guard.once:
                self._watched(self.sock)
            else:
                seconds = self.sock.gettimeout()
                self.sock.close()
                self.connect()
                self.sock.settimeout(seconds)
        if self.sock is None:
            self.connect()
        if guard is not None and not self._connecting:
            guard.sent = True
        super().send(data)

    def _watched(self, connection: socket.socket) -> socket.socket:
        self._watched_for = current()
        if self._watched_for is not None:
            self._watched_for.watch(connection)
        return connection


class ReachingConnection(WatchedConnection):
    """Connects by itself, so that resolving the name and trying all addresses share one limit."""

    def _new_conn(self) -> socket.socket:
        guard = current()
        limits = (CONNECT, self.timeout, None if guard is None else guard.left())
        seconds = min(limit for limit in limits if isinstance(limit, (int, float)))
        host = getattr(self, "_dns_host", self.host).strip("[]")
        return self._watched(reach(host, self.port, seconds, getattr(self, "socket_options", None) or ()))


class Guard:
    """One attempt. ``sent`` says whether a byte of the request has left; ``fired`` that the time was up.

    ``once``: if it fails, the request must not be sent again.
    ``reading`` says that libraries are reading the answer: whatever they raise from then on is caused by it.
    """

    def __init__(self, seconds: float | None, *, once: bool = False) -> None:
        self.once = once
        self.end = None if seconds is None else time.monotonic() + seconds
        self.sent = False
        self.reading = False
        self.fired = False
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []

    def left(self) -> float | None:
        """Seconds that are left; None if there is no end."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def watch(self, connection: t.Any) -> None:
        """Shut this socket down, too, when the time is up.

        A duplicate is kept: TLS takes the original away from its socket object.
        """
        duplicate = socket.socket(fileno=os.dup(connection.fileno()))
        with self._lock:
            self._sockets.append(duplicate)
            if self.fired:
                _shut(duplicate)

    def fire(self) -> None:
        """End the attempt."""
        with self._lock:
            self.fired = True
            for duplicate in self._sockets:
                _shut(duplicate)

    def release(self) -> None:
        """Release the sockets; the connections stay as they are."""
        with self._lock:
            while self._sockets:
                self._sockets.pop().close()

    def __enter__(self) -> Guard:  # noqa: PYI034 - there are no subclasses
        """Begin the attempt: connections of this thread are watched from here on."""
        _HERE.guard = self
        if self.end is not None:
            _watchdog().add(self, self.end)
        return self

    def __exit__(self, *exc: object) -> None:
        """End it."""
        _HERE.guard = None
        if self.end is not None:
            _watchdog().remove(self)
        self.release()


class Watchdog:
    """The thread and the attempts that it watches."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._guards: set[Guard] = set()
        self._thread: threading.Thread | None = None
        self._wakes = 0.0

    def add(self, guard: Guard, end: float) -> None:
        """Watch an attempt until its end."""
        with self._condition:
            self._guards.add(guard)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="fcd-cloud-watchdog", daemon=True)
                self._wakes = end
                self._thread.start()
            elif end < self._wakes:
                self._condition.notify()

    def remove(self, guard: Guard) -> None:
        """Stop watching it; the thread is not woken for that."""
        with self._condition:
            self._guards.discard(guard)

    def _run(self) -> None:
        with self._condition:
            while True:
                now = time.monotonic()
                for guard in [guard for guard in self._guards if guard.end is not None and guard.end <= now]:
                    self._guards.discard(guard)
                    guard.fire()
                self._wakes = min((guard.end or 0.0 for guard in self._guards), default=now + threading.TIMEOUT_MAX / 2)
                self._condition.wait(self._wakes - now)


def current() -> Guard | None:
    """Return the attempt that this thread is making."""
    return getattr(_HERE, "guard", None)


def _shut(duplicate: socket.socket) -> None:
    try:
        duplicate.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # not connected, or gone already


def _watchdog() -> Watchdog:
    """Return the watchdog of this process: a fork has the memory of its parent, but not its threads."""
    return _WATCHDOGS.get(os.getpid()) or _WATCHDOGS.setdefault(os.getpid(), Watchdog())


_HERE = threading.local()
_WATCHDOGS: dict[int, Watchdog] = {}
