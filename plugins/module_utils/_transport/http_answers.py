# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of HTTP/1 as they come out of a connection (RFC 9112, sections 2 to 7).

The library's own reader costs more than the rest of a small request together, refuses more than 100 headers, which an
object with much metadata has, and takes a head that was cut off for a whole one.
"""

from __future__ import annotations

import io
import typing as t

BLOCK = 1 << 18  # bytes of a body that are read at a time
LONGEST_LINE = 1 << 16  # bytes
MOST_HEADERS = 1000
HEX = frozenset(b"0123456789abcdefABCDEF")


class CutShort(Exception):
    """The connection was closed in the middle of an answer."""


class Unanswered(ConnectionError):
    """The connection was closed before an answer began."""


class NotHttp(Exception):
    """What came is no answer of HTTP; the text says what is wrong."""


class HttpAnswer:
    """One answer, whose body is not read yet.

    ``headers`` are names in lower case with their values, bytes as characters of Latin-1. ``ended`` says that the body
    was read to its end, ``stays_open`` that another request may follow then.
    """

    def __init__(self, stream: io.BufferedReader, method: str) -> None:
        """Read the head. Raises OSError, CutShort, Unanswered, NotHttp."""
        self._stream = stream
        self.ended = False
        version, self.status = self._status()
        while 100 <= self.status < 200:
            self._headers()
            version, self.status = self._status()
        self.headers = self._headers()
        tokens = [word.strip() for word in self._all("connection").lower().split(",")]
        self.stays_open = "close" not in tokens if version == b"HTTP/1.1" else "keep-alive" in tokens
        self._length = self._declared(method)

    def pieces(self) -> t.Iterator[bytes]:
        """Yield the body. Raises OSError, CutShort, NotHttp."""
        if self._length is None:
            yield from iter(lambda: self._stream.read(BLOCK), b"")
            self.stays_open = False
        elif self._length < 0:
            yield from self._chunks()
        else:
            yield from self._exactly(self._length)
        self.ended = True

    def _status(self) -> tuple[bytes, int]:
        line = self._stream.readline(LONGEST_LINE)
        if not line:
            raise Unanswered("without an answer")
        version, _blank, rest = line.partition(b" ")
        status = rest[:3]
        if version[:7] != b"HTTP/1." or not status.isdigit() or rest[3:4] not in (b" ", b"\r", b"\n"):
            if b"HTTP/1.".startswith(version[:7]) and not line.endswith(b"\n"):
                raise CutShort
            raise NotHttp("its first line is none")
        return version, int(status)

    def _headers(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for line in self._head():
            name, colon, value = line.partition(":")
            if line[0] in " \t" and found:  # a value that goes on
                found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
            elif not colon or not name or name[-1].isspace() or name[0].isspace():
                raise NotHttp("a line of its head is no header")
            else:
                found.append((name.lower(), value.strip(" \t")))
        return found

    def _head(self) -> t.Iterator[str]:
        """Yield the lines up to the empty one: at a stroke where all of them are there, as nearly always."""
        ready = self._stream.peek()
        end = ready.find(b"\r\n\r\n")
        breaks = [ready.count(one, 0, end) for one in (b"\r\n", b"\r", b"\n")]
        if end > 0 and ready[:2] != b"\r\n" and len(set(breaks)) == 1 and breaks[0] < MOST_HEADERS:
            yield from self._stream.read(end + 4)[:-4].decode("latin-1").split("\r\n")
            return
        for _number in range(MOST_HEADERS + 1):
            line = self._line()
            if not line:
                return
            yield line.decode("latin-1")
        raise NotHttp(f"it has more than {MOST_HEADERS} headers")

    def _line(self) -> bytes:
        line = self._stream.readline(LONGEST_LINE)
        if line[-1:] != b"\n":
            raise NotHttp("a line is too long") if len(line) == LONGEST_LINE else CutShort
        return line.rstrip(b"\r\n")

    def _all(self, name: str) -> str:
        return ",".join([value for key, value in self.headers if key == name])

    def _declared(self, method: str) -> int | None:
        """Return how long the body is, -1 when it comes in chunks, None when it ends with the connection."""
        if method == "HEAD" or self.status in (204, 304):
            return 0
        encoding = self._all("transfer-encoding").lower()
        if encoding:
            if encoding != "chunked":
                raise NotHttp("its body comes in a way that was not asked for")
            return -1
        lengths = {value.strip() for value in self._all("content-length").split(",")} - {""}
        if not lengths:
            return None
        length = lengths.pop()
        if lengths or not (length.isascii() and length.isdigit()):
            raise NotHttp("it has no clear length")
        return int(length)

    def _exactly(self, length: int) -> t.Iterator[bytes]:
        while length:
            piece = self._stream.read(min(BLOCK, length))
            if not piece:
                raise CutShort
            length -= len(piece)
            yield piece

    def _chunks(self) -> t.Iterator[bytes]:
        while True:
            size = self._line().partition(b";")[0].strip()
            if not size or len(size) > 16 or not HEX.issuperset(size):
                raise NotHttp("a chunk has no size")
            length = int(size, 16)
            if not length:
                break
            yield from self._exactly(length)
            if self._line():
                raise NotHttp("a chunk is longer than it says")
        while self._line():
            pass  # what follows the last chunk tells nothing that is needed
