# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files as the content of objects: they are read and hashed while they are sent."""

from __future__ import annotations

import os
import queue
import stat
import threading
import typing as t

from .._core.errors import FcdError, InvalidInput
from .content import READ_BLOCK, Bytes, ObjectContent, OpenContent, md5

MAX_BUFFERED_BYTES = 1 << 20  # bytes; a file up to this size is read once, and hashed and sent from memory
MUCH = 8 << 20  # bytes; from this size on, a separate thread hashes while others send or receive
BACKLOG = 4  # pieces that may wait for that thread
Opener = t.Callable[[str, int], int]  # opens a path with flags, as os.open does


class FileChanged(FcdError):
    """A file changed while it was read. What was sent is incomplete, so nothing was stored unless the error says so."""


def check_path(path: str, option: str) -> str:
    """Return ``path`` if it can be the name of a file on this system. Raises InvalidInput."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise InvalidInput(
            f"{option}: the encoding of this system has not all characters of {path!r}.", option=option
        ) from None
    if b"\0" in encoded:
        raise InvalidInput(f"{option}: {path!r} holds a zero byte.", option=option)
    return path


def file_content(path: str, option: str = "src", opener: Opener = os.open) -> ObjectContent:
    """Return the current content of a file: a small one is read and hashed, a large one is only opened.

    ``opener`` is as for ``open``. Raises InvalidInput, naming the option, if it is not a readable file.
    """
    descriptor = _open_file(check_path(path, option), option, opener)
    try:
        status = os.fstat(descriptor)
        if status.st_size > MAX_BUFFERED_BYTES:
            return File(path, status, option, opener)
        with open(descriptor, "rb", closefd=False) as handle:
            data = handle.read((status.st_size or MAX_BUFFERED_BYTES) + 1)  # sizes in /proc are 0
            after = os.fstat(descriptor)
    except OSError as exc:
        raise _unreadable(path, option, exc) from exc
    finally:
        os.close(descriptor)
    if len(data) > MAX_BUFFERED_BYTES or (status.st_size and _file_state(after) != _file_state(status)):
        raise FileChanged(
            f"{option}: {path} changed while it was being read; nothing was sent.",
            next_step="Run the task again when nothing writes to the file.",
            option=option,
        )
    content = Bytes(data)
    content.status = status
    return content


class File(ObjectContent):
    """A large file in its state when this was created: after a change, reading it raises FileChanged."""

    def __init__(self, path: str, status: os.stat_result, option: str, opener: Opener) -> None:
        self.status = status
        self.size = status.st_size
        self.version = f"{status.st_mtime_ns // 10**9}.{status.st_mtime_ns % 10**9:09d}"
        self._path = path
        self._option = option
        self._opener = opener
        self._state = _file_state(status)

    def open(self, start: int = 0, length: int | None = None) -> OpenContent:
        """Open a part of it. The last bytes are only returned if the file is still unchanged."""
        descriptor = _open_file(self._path, self._option, self._opener)
        part = _Part(descriptor, start, self.size - start if length is None else length, self._check)
        try:
            self._check(descriptor)
        except FileChanged:
            part.close()
            raise
        return part

    def _check(self, descriptor: int) -> None:
        if _file_state(os.fstat(descriptor)) != self._state:
            raise FileChanged(
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
        if not self._left and self._at < self._end:
            block = os.pread(self._descriptor, min(READ_BLOCK, self._end - self._at), self._at)
            self._at += len(block)
            if not block or self._at == self._end:
                self._check(self._descriptor)  # the last block is only returned if all blocks were of the same file
            if not block:
                raise OSError("it is shorter than its length says")  # a file of /proc, say
            self._left = memoryview(block)
        piece = self._left if size < 0 or size >= len(self._left) else self._left[:size]
        self._left = self._left[len(piece) :]
        return bytes(piece)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1


def _open_file(path: str, option: str, opener: Opener) -> int:
    try:
        descriptor = opener(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe must not block
    except OSError as exc:
        raise _unreadable(path, option, exc) from exc
    try:
        check_kind(os.fstat(descriptor).st_mode, path, option)
    except InvalidInput:
        os.close(descriptor)
        raise
    return descriptor


def check_kind(mode: int, path: str, option: str) -> None:
    """Raise InvalidInput, naming the option, if the mode is not that of an ordinary file."""
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "no ordinary file"
        raise InvalidInput(f"{option}: {path} is {what}; an object is created from a single file.", option=option)


def _unreadable(path: str, option: str, error: OSError) -> InvalidInput:
    return InvalidInput(f"{option}: {path} cannot be read: {error.strerror or error}.", option=option)


def _file_state(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class Digester:
    """The MD5 of ``expected`` bytes that pass through. If they are many, a separate thread hashes them."""

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
        if self._thread is None:
            self._md5.update(piece)
            return
        self._pieces.append(piece)
        self._waiting += len(piece)
        if self._waiting >= READ_BLOCK:
            self._queue_block()

    def hexdigest(self) -> str:
        """Return the MD5 of all pieces; no more may follow."""
        self.close()
        return self._md5.hexdigest()

    def close(self) -> None:
        """End the thread once it has finished its work."""
        if self._thread is not None:
            self._queue_block()
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _queue_block(self) -> None:
        block = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces, self._waiting = [], 0
        self._queue.put(block)

    def _run(self) -> None:
        while True:
            block = self._queue.get()
            if block is None:
                return
            self._md5.update(block)
