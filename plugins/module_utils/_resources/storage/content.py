# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object is filled with: a text, a file, or another object."""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
import typing as t

from ..._core.errors import InvalidInput

BLOCK = 1 << 20  # bytes read at a time: a file is never held as a whole


class Content(t.NamedTuple):
    """Bytes by their MD5 (hex), their length, and a function that opens them from the start."""

    etag: str
    size: int
    open: t.Callable[[], t.BinaryIO]


def of_text(value: t.Any) -> Content:
    """Return the UTF-8 bytes of a text; lists, dictionaries and truth values are written as JSON."""
    text = json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (dict, list, bool)) else str(value)
    data = text.encode("utf-8")
    return Content(_md5(data).hexdigest(), len(data), lambda: io.BytesIO(data))


def of_file(path: str) -> Content:
    """Read a file once, block by block, for its MD5. Raises InvalidInput when it cannot be read."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "no ordinary file"
            raise InvalidInput(f"src: {path} is {what}; one object is made of one file.", option="src")
        with open(path, "rb") as handle:
            size, etag = _digest(handle, None)
    except OSError as exc:
        raise InvalidInput(f"src: {path} cannot be read: {exc.strerror}.", option="src") from exc
    return Content(etag, size, lambda: t.cast(t.BinaryIO, open(path, "rb")))


def digests(content: Content, lengths: t.Iterable[int]) -> t.Iterator[str]:
    """Yield the MD5 of each part of the content, for parts of these lengths."""
    with content.open() as handle:
        for length in lengths:
            yield _digest(handle, length)[1]


def _digest(handle: t.BinaryIO, length: int | None) -> tuple[int, str]:
    """Read ``length`` bytes, or up to the end, and return how many there were with their MD5."""
    done, md5 = 0, _md5()
    while length is None or done < length:
        block = handle.read(BLOCK if length is None else min(BLOCK, length - done))
        if not block:
            break
        done += len(block)
        md5.update(block)
    return done, md5.hexdigest()


def _md5(data: bytes = b"") -> hashlib._Hash:
    """MD5 is what the service compares contents by; it protects nothing here."""
    return hashlib.md5(data, usedforsecurity=False)
