# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object is filled with: a text or a file, and its MD5. A file is read while it is sent, and not held."""

from __future__ import annotations

import abc
import hashlib
import io
import json
import os
import queue
import stat
import threading
import typing as t

from .._core.errors import FcdError, InvalidInput
from .limits import check_path

if t.TYPE_CHECKING:
    from .._connection.task import Task

BLOCK = 1 << 20  # bytes read at a time
MUCH = 8 << 20  # bytes; from here on a thread of its own hashes while others are sent or received
BACKLOG = 4  # pieces that may wait for that thread


def md5(data: bytes = b"") -> hashlib._Hash:
    """Return an MD5 object."""
    return hashlib.md5(data, usedforsecurity=False)


def large_etag(etags: t.Iterable[str]) -> str:
    """Return the ETag (hex) of a large object whose segments have these. Source: wire-facts 10.7."""
    return md5("".join(etags).encode("ascii")).hexdigest()


class Digester:
    """The MD5 of ``expected`` bytes that pass by. Much of it is hashed in a thread of its own."""

    def __init__(self, expected: int) -> None:
        self._md5 = md5()
        self._pieces: list[bytes] = []
        self._waiting = 0
        self._thread: threading.Thread | None = None
        if expected >= MUCH:
            self._queue: queue.Queue[bytes | None] = queue.Queue(BACKLOG)
            self._thread = threading.Thread(target=self._run, name="fcd-cloud-md5", daemon=True)
            self._thread.start()

    def update(self, piece: bytes) -> None:
        """Take the next piece."""
        if self._thread is None:
            self._md5.update(piece)
            return
        self._pieces.append(piece)
        self._waiting += len(piece)
        if self._waiting >= BLOCK:
            self._hand_over()

    def hexdigest(self) -> str:
        """Return the MD5 of all that came; nothing may come after that."""
        self.close()
        return self._md5.hexdigest()

    def close(self) -> None:
        """End the thread when it has done its work."""
        if self._thread is not None:
            self._hand_over()
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _hand_over(self) -> None:
        block = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces, self._waiting = [], 0
        self._queue.put(block)

    def _run(self) -> None:
        while True:
            block = self._queue.get()
            if block is None:
                return
            self._md5.update(block)


SMALL = 1 << 20  # bytes; a file up to here is read once, and that is what is hashed and sent


class Changed(FcdError):
    """A file changed while it was read. What was sent of it until then is incomplete, so that nothing was stored."""


class OpenContent(t.Protocol):
    """An open content."""

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, none at the end. Raises Changed."""

    def close(self) -> None:
        """End reading."""


class ObjectContent(abc.ABC):
    """Bytes of a length that is known, which can be opened any number of times.

    ``size`` is in bytes. ``known_etag`` is the MD5 (hex) where it is known already, else None. ``version`` names the
    state of the content without reading it: what has the same version and size is taken for the same, in names of
    segments only.
    """

    size: int
    version: str
    known_etag: str | None = None
    _sha256: str | None = None

    @abc.abstractmethod
    def open(self, start: int = 0, length: int | None = None) -> OpenContent:
        """Open ``length`` bytes from ``start`` on, without a length all. Raises Changed, InvalidInput."""

    @property
    def etag(self) -> str:
        """The MD5 in hex. The first time, a large file is read for it. Raises Changed, InvalidInput."""
        if self.known_etag is None:
            (self.known_etag,) = md5s_of_parts(self, [self.size])
        return self.known_etag

    @property
    def sha256(self) -> str:
        """The SHA-256 in hex. The first time, a large file is read for it. Raises as ``etag`` does."""
        if self._sha256 is None:
            self.with_sha256()
        return str(self._sha256)

    def with_sha256(self) -> ObjectContent:
        """Return it with both digests known."""
        found = hashlib.sha256()
        self.known_etag = md5_of_part(self, 0, self.size, found)
        self._sha256 = found.hexdigest()
        return self


class Bytes(ObjectContent):
    """A content that is held in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)
        self.known_etag = self.version = md5(data).hexdigest()

    def open(self, start: int = 0, length: int | None = None) -> OpenContent:
        """Open a part of it."""
        return io.BytesIO(self.data[start : None if length is None else start + length])


class File(ObjectContent):
    """A large file, in the state in which it was when this was made: once it is another, reading it raises Changed."""

    def __init__(self, path: str, status: os.stat_result, option: str) -> None:
        self.size = status.st_size
        self.version = f"{status.st_mtime_ns // 10**9}.{status.st_mtime_ns % 10**9:09d}"
        self._path = path
        self._option = option
        self._state = _file_state(status)

    def open(self, start: int = 0, length: int | None = None) -> OpenContent:
        """Open a part of it. The last bytes are handed out only when the file is still the same by then."""
        descriptor = _opened(self._path, self._option)
        part = _Part(descriptor, start, self.size - start if length is None else length, self._check)
        try:
            self._check(descriptor)
        except Changed:
            part.close()
            raise
        return part

    def _check(self, descriptor: int) -> None:
        if _file_state(os.fstat(descriptor)) != self._state:
            raise Changed(
                f"{self._option}: {self._path} changed while it was being read; nothing was stored.",
                next_step="Run the task again when nothing writes to the file.",
                option=self._option,
            )


class _Part:
    def __init__(self, descriptor: int, start: int, length: int, check: t.Callable[[int], None]) -> None:
        self._descriptor = descriptor
        self._at = start
        self._end = start + length
        self._check = check
        self._left = memoryview(b"")

    def read(self, size: int = -1) -> bytes:
        if not self._left:
            self._left = memoryview(self._block())
        piece = self._left if size < 0 or size >= len(self._left) else self._left[:size]
        self._left = self._left[len(piece) :]
        return bytes(piece)

    def _block(self) -> bytes:
        """Return the next block. The last one is returned only when all were of the same file."""
        if self._at == self._end:
            return b""
        block = os.pread(self._descriptor, min(BLOCK, self._end - self._at), self._at)
        self._at += len(block)
        if not block or self._at == self._end:
            self._check(self._descriptor)
        if not block:
            raise OSError("it is shorter than its length says")  # a file of /proc, say
        return block

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1


def of_text(value: t.Any) -> ObjectContent:
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


def of_file(path: str, option: str = "src") -> ObjectContent:
    """Return the content of a file as it is now: a small one is read and hashed, a large one is only looked at.

    Raises InvalidInput, naming the option, when it is no file that can be read.
    """
    descriptor = _opened(check_path(path, option), option)
    try:
        status = os.fstat(descriptor)
        if status.st_size > SMALL:
            return File(path, status, option)
        with open(descriptor, "rb", closefd=False) as handle:
            data = handle.read((status.st_size or SMALL) + 1)  # the size of some files, as in /proc, is told as 0
            after = os.fstat(descriptor)
    except OSError as exc:
        raise _unreadable(path, option, exc) from exc
    finally:
        os.close(descriptor)
    if len(data) > SMALL or (status.st_size and _file_state(after) != _file_state(status)):
        raise Changed(
            f"{option}: {path} changed while it was being read; nothing was sent.",
            next_step="Run the task again when nothing writes to the file.",
            option=option,
        )
    return Bytes(data)


def check_bound(task: Task, place: tuple[str, str], content: ObjectContent) -> None:
    """In check mode note what is going to be sent; else raise InvalidInput unless it is what was noted."""
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
    """Yield the MD5 of each part of the content, for parts of these lengths. Raises Changed, InvalidInput."""
    start = 0
    for length in lengths:
        yield md5_of_part(content, start, length)
        start += length


def md5_of_part(content: ObjectContent, start: int, length: int, other: hashlib._Hash | None = None) -> str:
    """Return the MD5 (hex) of a part of the content; ``other`` gets the same bytes. Raises Changed, InvalidInput."""
    found = md5()
    handle = content.open(start, length)
    try:
        for block in iter(lambda: handle.read(BLOCK), b""):
            found.update(block)
            if other is not None:
                other.update(block)
    except OSError as exc:
        raise InvalidInput(f"What is to be stored cannot be read: {exc.strerror or exc}.") from exc
    finally:
        handle.close()
    return found.hexdigest()


def _opened(path: str, option: str) -> int:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe must not keep it waiting
    except OSError as exc:
        raise _unreadable(path, option, exc) from exc
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    what = "a folder" if stat.S_ISDIR(mode) else "no ordinary file"
    raise InvalidInput(f"{option}: {path} is {what}; an object is created from a single file.", option=option)


def _unreadable(path: str, option: str, error: OSError) -> InvalidInput:
    return InvalidInput(f"{option}: {path} cannot be read: {error.strerror or error}.", option=option)


def _file_state(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
