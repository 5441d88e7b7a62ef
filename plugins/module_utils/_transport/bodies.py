# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of answers, bounded: neither an endless one, nor a small one that unpacks to an endless one, fills memory."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput

PIECE = 65536  # bytes
GZIP = b"\x1f"  # what a member begins with


class CutOff(Exception):
    """The body ends too early."""


class Unfit(Exception):
    """The body is too large, or packed in a way that cannot be undone; the text says which."""


class Body:
    """Collects the pieces of a body, or hands them over to ``sink`` as they came."""

    def __init__(self, limit: int, sink: t.Callable[[bytes], None] | None = None) -> None:
        self._limit = limit
        self._sink = sink
        self._pieces: list[bytes] = []
        self._size = 0
        self._unpack: t.Any = None
        self.received = 0

    def unpack(self, encoding: str) -> None:
        """Say how the pieces are packed (Content-Encoding); what goes to a sink stays packed. Raises Unfit."""
        word = encoding.strip().lower()
        if self._sink is not None or word in ("", "identity"):
            return
        if word not in ("gzip", "x-gzip"):
            raise Unfit("it is packed in a way that was not asked for")
        self._unpack = _member()

    def take(self, piece: bytes) -> None:
        """Take the next piece. Raises Unfit."""
        self.received += len(piece)
        if self._sink is not None:
            self._hand_over(self._sink, piece)
            return
        if self._unpack is not None:
            piece = self._unpacked(piece)
        self._size += len(piece)
        self._pieces.append(piece)
        if self._size > self._limit:
            raise Unfit(f"it is larger than {self._limit / (1 << 20):g} MiB")

    def end(self, declared: str | None) -> bytes:
        """Return the whole; ``declared`` is the header Content-Length. Raises CutOff."""
        if declared is not None and declared.isdigit() and int(declared) != self.received:
            raise CutOff
        if self._unpack is not None and self.received and not self._unpack.eof:
            raise CutOff
        return self.part()

    def part(self) -> bytes:
        """Return what came so far, within the limit."""
        return b"".join(self._pieces)[: self._limit]

    def _hand_over(self, sink: t.Callable[[bytes], None], piece: bytes) -> None:
        try:
            sink(piece)
        except OSError as exc:
            raise InvalidInput(f"What was received cannot be written: {exc.strerror}.") from exc

    def _unpacked(self, piece: bytes) -> bytes:
        """Return what the piece unpacks to: members may follow one another (RFC 1952, section 2.2), or padding."""
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
            raise Unfit("it cannot be unpacked") from None
        return b"".join(parts)


def _member() -> t.Any:
    """Return what unpacks one member of gzip."""
    import zlib

    return zlib.decompressobj(16 + zlib.MAX_WBITS)
