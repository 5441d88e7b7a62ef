# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of an answer, limited in size, and the response built from status, headers and pieces.

Neither an endless body nor a small one that expands without end fills the memory.
"""

from __future__ import annotations

import typing as t

from .._core.errors import FcdError, InvalidInput, Unclear
from .messages import MEBIBYTE, Request, Response, origin

PIECE = 65536  # bytes
GZIP = b"\x1f"  # what a member begins with
MOST_OF_AN_ERROR = MEBIBYTE  # bytes of the body of an error that are read
REQUEST_ID_HEADERS = ("x-request-id", "x-trans-id", "x-openstack-request-id")


class CutOffBody(Exception):
    """The body ends too early."""


class UnfitBody(Exception):
    """The body is too large, or encoded in a way that cannot be decoded; the text says which."""


class Body:
    """Collects the pieces of a body, or passes them to ``sink`` as they came."""

    def __init__(self, limit: int, sink: t.Callable[[bytes], None] | None = None) -> None:
        self._limit = limit
        self._sink = sink
        self._pieces: list[bytes] = []
        self._size = 0
        self._unpack: t.Any = None
        self.received = 0

    def unpack(self, encoding: str) -> None:
        """Say how the pieces are compressed (Content-Encoding); for a sink they stay compressed. Raises UnfitBody."""
        word = encoding.strip().lower()
        if self._sink is not None or word in ("", "identity"):
            return
        if word not in ("gzip", "x-gzip"):
            raise UnfitBody("it is compressed in a way that was not requested")
        self._unpack = _member()

    def take(self, piece: bytes) -> None:
        """Take the next piece. Raises UnfitBody."""
        self.received += len(piece)
        if self._sink is not None:
            self._hand_over(self._sink, piece)
            return
        if self._unpack is not None:
            piece = self._unpacked(piece)
        self._size += len(piece)
        self._pieces.append(piece)
        if self._size > self._limit:
            raise UnfitBody(f"it is larger than {self._limit / (1 << 20):g} MiB")

    def end(self, declared: str | None) -> bytes:
        """Return the whole; ``declared`` is the header Content-Length. Raises CutOffBody."""
        if declared is not None and declared.isdigit() and int(declared) != self.received:
            raise CutOffBody
        if self._unpack is not None and self.received and not self._unpack.eof:
            raise CutOffBody
        return self.part()

    def part(self) -> bytes:
        """Return what has come so far, within the limit."""
        return b"".join(self._pieces)[: self._limit]

    def _hand_over(self, sink: t.Callable[[bytes], None], piece: bytes) -> None:
        try:
            sink(piece)
        except OSError as exc:
            raise InvalidInput(f"The content received cannot be written: {exc.strerror}.") from exc

    def _unpacked(self, piece: bytes) -> bytes:
        """Return the decompressed piece: members may follow one another (RFC 1952, section 2.2), or padding."""
        import zlib

        parts: list[bytes] = []
        room = self._limit - self._size + 1
        try:
            while piece and room > 0:
                if self._unpack.eof:
                    if piece[:1] != GZIP:
                        break
                    self._unpack = _member()
                parts.append(self._unpack.decompress(piece, room))
                room -= len(parts[-1])
                piece = self._unpack.unused_data
        except zlib.error:
            raise UnfitBody("it cannot be decompressed") from None
        return b"".join(parts)


def _member() -> t.Any:
    """Return a decompressor for one member of gzip."""
    import zlib

    return zlib.decompressobj(16 + zlib.MAX_WBITS)


class Arriving(t.NamedTuple):
    """An answer whose body is still to be read: ``pieces`` raises one of ``failures`` if that goes wrong."""

    status: int
    headers: t.Iterable[tuple[str, str]]
    pieces: t.Iterable[bytes]
    failures: tuple[t.Any, ...]


def received(request: Request, answer: Arriving) -> Response:
    """Read the body. Raises Unclear if it is cut off, and for an unfit one Unclear (a write) or Unusable."""
    headers, status = _readable_headers(answer.headers), answer.status
    good = status in request.accept_statuses or 200 <= status < 300
    measured = request.method != "HEAD" and status not in (204, 304) and "transfer-encoding" not in headers
    body = Body(request.limit if good else MOST_OF_AN_ERROR, _sink(request, status, headers))
    try:
        body.unpack(headers.get("content-encoding", ""))
        for piece in answer.pieces:
            body.take(piece)
        content = body.end(headers.get("content-length") if measured else None)
    except (CutOffBody, UnfitBody, *answer.failures) as problem:
        if good:
            raise _unreadable(request, _response(status, headers, b""), problem, body) from None
        content = body.part()  # a part of an error is enough
    return _response(status, headers, content)


def _sink(request: Request, status: int, headers: t.Mapping[str, str]) -> t.Callable[[bytes], None] | None:
    """Return what gets the body in pieces: only that of a good answer with all its marks is passed on."""
    marked = 200 <= status < 300 and all(name in headers for name in request.stream_marks)
    return request.stream_to if marked else None


def _unreadable(request: Request, response: Response, problem: Exception, body: Body) -> FcdError:
    """Return the error for a success status with a body that broke off or that cannot be used."""
    if isinstance(problem, UnfitBody):
        from .http_errors import not_what_was_asked

        return not_what_was_asked(request, response, str(problem), repeatable=False)
    from .http_errors import Cause, cause_of

    cause = Cause("its answer was cut off") if isinstance(problem, CutOffBody) else cause_of(problem)
    streamed: dict[str, t.Any] = {"repeatable": False} if request.stream_to is not None and body.received else {}
    return Unclear(
        f"{request.operation}: {origin(request.url)} gave no usable answer: {cause.words}.",
        operation=request.operation,
        status=response.status,
        **{**cause.details, **streamed},
    )


def _response(status: int, headers: t.Mapping[str, str], body: bytes) -> Response:
    found = next((headers[name] for name in REQUEST_ID_HEADERS if headers.get(name)), None)
    if found is None and status >= 400:
        from .http_errors import error_id

        found = error_id(body)
    return Response(status, headers, body, found[:100] if found else None)


def _readable_headers(pairs: t.Iterable[tuple[str, str]]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in pairs:
        key, text = name.lower(), _readable(value)
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _readable(value: str) -> str:
    """Return the value of a header whose bytes of UTF-8 were read as characters."""
    if value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
