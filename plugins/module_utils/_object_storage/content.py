# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The content of an object, with its digests and those of its parts. Files are in ``source_file.py``."""

from __future__ import annotations

import abc
import hashlib
import io
import json
import os
import typing as t

from .._connection.task import Task
from .._core.errors import InvalidInput

ASK_FROM = 1 << 20  # bytes; a larger body cannot be refused cleanly while it is sent, so limits are read before
READ_BLOCK = 1 << 20  # bytes read at a time


def md5(data: bytes = b"") -> hashlib._Hash:
    """Return an MD5 object."""
    return hashlib.md5(data, usedforsecurity=False)


def large_etag(etags: t.Iterable[str]) -> str:
    """Return the ETag (hex) of a large object whose segments have these."""
    return md5("".join(etags).encode("ascii")).hexdigest()


class OpenContent(t.Protocol):
    """An open content."""

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, none at the end. Raises FileChanged."""

    def close(self) -> None:
        """End reading."""


class ObjectContent(abc.ABC):
    """Bytes of a known length, which can be opened any number of times.

    ``size`` is in bytes. ``known_etag`` is the MD5 (hex) if it is known already, else None. ``version`` identifies the
    state of the content without reading it; only the names of segments rely on it, together with the size. ``status``
    is that of the file, if it is one, when it was first opened.
    """

    size: int
    version: str
    known_etag: str | None = None
    status: os.stat_result | None = None
    _sha256: str | None = None

    @abc.abstractmethod
    def open(self, start: int = 0, length: int | None = None) -> OpenContent:
        """Open ``length`` bytes from ``start`` on, without a length all. Raises FileChanged, InvalidInput."""

    @property
    def etag(self) -> str:
        """The MD5 in hex. The first time, a large file is read for it. Raises FileChanged, InvalidInput."""
        if self.known_etag is None:
            (self.known_etag,) = md5s_of_parts(self, [self.size])
        return self.known_etag

    @property
    def sha256(self) -> str:
        """The SHA-256 in hex. The first time, a large file is read for it. Raises as ``etag`` does."""
        if self._sha256 is None:
            self.read_digests()
        return str(self._sha256)

    def read_digests(self) -> ObjectContent:
        """Return this content with both digests known."""
        found = hashlib.sha256()
        self.known_etag = md5_of_part(self, 0, self.size, found)
        self._sha256 = found.hexdigest()
        return self


class Bytes(ObjectContent):
    """A content in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)
        self.known_etag = self.version = md5(data).hexdigest()

    def open(self, start: int = 0, length: int | None = None) -> OpenContent:
        """Open a part of it."""
        return io.BytesIO(self.data[start : None if length is None else start + length])


def text_content(value: object) -> ObjectContent:
    """Return the UTF-8 bytes of a text; lists, dictionaries and truth values become JSON. Raises InvalidInput."""
    text = json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (dict, list, bool)) else str(value)
    try:
        return Bytes(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise InvalidInput(
            "content: it cannot be written as UTF-8, so it is not text.",
            next_step="Give its file in src, which takes any bytes.",
            option="content",
        ) from None


def check_bound(task: Task, place: tuple[str, str], content: ObjectContent) -> None:
    """In check mode, note what would be sent; otherwise, raise InvalidInput if it differs from what was noted."""
    if task.sends is None:
        return
    name = "/".join(place)
    if task.check_mode:
        task.sends[name] = content.sha256
    elif task.sends.get(name) != content.sha256:
        raise InvalidInput(
            f"{name} is not sent: its content has changed since it was compared with the plan.",
            next_step="Make a new plan, look at it, and apply that.",
        )


def md5s_of_parts(content: ObjectContent, lengths: t.Iterable[int]) -> t.Iterator[str]:
    """Yield the MD5 of each part of the content, for parts of these lengths. Raises FileChanged, InvalidInput."""
    start = 0
    for length in lengths:
        yield md5_of_part(content, start, length)
        start += length


def md5_of_part(content: ObjectContent, start: int, length: int, other: hashlib._Hash | None = None) -> str:
    """Return the MD5 (hex) of a part of the content; ``other`` gets its bytes too. Raises FileChanged, InvalidInput."""
    found = md5()
    handle = content.open(start, length)
    try:
        for block in iter(lambda: handle.read(READ_BLOCK), b""):
            found.update(block)
            if other is not None:
                other.update(block)
    except OSError as exc:
        raise InvalidInput(f"What is to be stored cannot be read: {exc.strerror or exc}.") from exc
    finally:
        handle.close()
    return found.hexdigest()
