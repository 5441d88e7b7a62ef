# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object is filled with: a text or a file, its MD5, and how it is sent. A file is read while it is sent."""

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

from .._connection.task import Task
from .._core.errors import FcdError, InvalidInput, NotFound, OperationFailed, Rejected, confirm_write
from .api import Headers, ObjectStorage, Place, missing_container
from .connection import Features

if t.TYPE_CHECKING:
    from .api import Body


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


ASK_FROM = 1 << 20  # bytes; a larger body cannot be refused cleanly while it is sent, so the limit is read before
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
            self._queue_block()

    def hexdigest(self) -> str:
        """Return the MD5 of all that came; nothing may come after that."""
        self.close()
        return self._md5.hexdigest()

    def close(self) -> None:
        """End the thread when it has done its work."""
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


SMALL = 1 << 20  # bytes; a file up to here is read once, and that is what is hashed and sent


class FileChanged(FcdError):
    """A file changed while it was read. What had been sent of it is incomplete, so nothing was stored."""


class OpenContent(t.Protocol):
    """An open content."""

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, none at the end. Raises FileChanged."""

    def close(self) -> None:
        """End reading."""


class ObjectContent(abc.ABC):
    """Bytes of a known length, which can be opened any number of times.

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
    """A large file in its state when this was created: once it has changed, reading it raises FileChanged."""

    def __init__(self, path: str, status: os.stat_result, option: str) -> None:
        self.size = status.st_size
        self.version = f"{status.st_mtime_ns // 10**9}.{status.st_mtime_ns % 10**9:09d}"
        self._path = path
        self._option = option
        self._state = _file_state(status)

    def open(self, start: int = 0, length: int | None = None) -> OpenContent:
        """Open a part of it. The last bytes are handed out only when the file is still the same by then."""
        descriptor = _open_file(self._path, self._option)
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
            block = os.pread(self._descriptor, min(BLOCK, self._end - self._at), self._at)
            self._at += len(block)
            if not block or self._at == self._end:
                self._check(self._descriptor)  # the last block is returned only when all were of the same file
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


def file_content(path: str, option: str = "src") -> ObjectContent:
    """Return the content of a file as it is now: a small one is read and hashed, a large one is only looked at.

    Raises InvalidInput, naming the option, when it is no file that can be read.
    """
    descriptor = _open_file(check_path(path, option), option)
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
        raise FileChanged(
            f"{option}: {path} changed while it was being read; nothing was sent.",
            next_step="Run the task again when nothing writes to the file.",
            option=option,
        )
    return Bytes(data)


def check_bound(task: Task, place: tuple[str, str], content: ObjectContent) -> None:
    """In check mode, note what is going to be sent; otherwise, raise InvalidInput unless it is what was noted."""
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
        for block in iter(lambda: handle.read(BLOCK), b""):
            found.update(block)
            if other is not None:
                other.update(block)
    except OSError as exc:
        raise InvalidInput(f"What is to be stored cannot be read: {exc.strerror or exc}.") from exc
    finally:
        handle.close()
    return found.hexdigest()


def _open_file(path: str, option: str) -> int:
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


ONLY_NEW = {"If-None-Match": "*"}  # a header that makes the service refuse to replace an object (412)


class HashingReader:
    """Opens a content for each try to send it, and knows its MD5 once a try has read all of it."""

    def __init__(self, content: ObjectContent, start: int = 0, length: int | None = None) -> None:
        self._content = content
        self._start = start
        self.length = content.size - start if length is None else length
        self._whole = self.length == content.size
        self._reading: OpenContent | None = None
        self._digester = Digester(0)
        self._read = 0

    @property
    def body(self) -> bytes | t.Callable[[], OpenContent]:
        """What to send: bytes that are held in memory anyway, or the function that opens them anew."""
        return self._content.data if self._whole and isinstance(self._content, Bytes) else self.open

    def open(self) -> OpenContent:
        """Open it for the next try."""
        reading = self._content.open(self._start, self.length)
        if self._whole and self._content.known_etag is not None:
            return reading
        self._digester.close()
        self._reading, self._digester, self._read = reading, Digester(self.length), 0
        return self

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes for this try, none at the end. Raises FileChanged."""
        piece = b"" if self._reading is None else self._reading.read(size)
        self._read += len(piece)
        self._digester.update(piece)
        return piece

    def close(self) -> None:
        """End this try."""
        if self._reading is not None:
            self._reading.close()
        if self._read != self.length:
            self._digester.close()

    @property
    def etag(self) -> str | None:
        """The MD5 in hex; None when it is not known, for not all was read."""
        if self._whole and self._content.known_etag is not None:
            return self._content.known_etag
        if self._reading is None or self._read != self.length:
            return None
        found = self._digester.hexdigest()
        if self._whole:
            self._content.known_etag = found
        return found


class ObjectExists(Rejected):
    """There is an object already, and it was not to be replaced."""


def upload(storage: ObjectStorage, place: Place, headers: Headers, content: ObjectContent, features: Features) -> str:
    """Stream the content into the object and return its ETag, which is the MD5 of the content.

    When that is known before, the service gets it first and checks what arrives; else it is computed on the way and
    compared with the answer's. Without an answer the object is looked at: when it holds the content by then, all is
    well. Raises NotFound when the container is missing, FileChanged when a file is another than before (nothing was
    stored then), ObjectExists with the header ONLY_NEW, Rejected, OperationFailed when the bytes arrive damaged.
    """
    if content.size > ASK_FROM:
        features.check_limit("max_file_size", content.size, "The content", ask=True)
    etag = send_part(storage, place, headers, HashingReader(content))
    if etag is not None:
        return etag
    try:
        etag = send_part(storage, place, headers, HashingReader(content))  # its MD5 is known now, and goes with it
    except Rejected as exc:
        if exc.status != 422:
            raise
    if etag is None:
        raise damaged_upload(place)
    return etag


def send_part(storage: ObjectStorage, place: Place, headers: Headers, sending: HashingReader) -> str | None:
    """Send the part of a content that ``sending`` stands for once; return its ETag, None when it arrived damaged."""
    if sending.etag is not None:
        headers = {**headers, "ETag": sending.etag}

    def send() -> Headers:
        return storage.create_object(*place, headers, t.cast("Body", sending.body), sending.length)

    try:
        etag = store_and_confirm(storage, place, send, lambda: sending.etag)
    except Rejected as exc:
        if exc.status != 422:
            raise
        raise Rejected(
            f"The service received other content for {'/'.join(place)} than was sent (its MD5 check failed).",
            next_step="Nothing was stored. Something in between changes the content; run the task again when it no "
            "longer does.",
            **exc.details,
        ) from None
    return etag if etag == sending.etag else None


def store_and_confirm(
    storage: ObjectStorage, place: Place, send: t.Callable[[], Headers], etag: t.Callable[[], str | None]
) -> str | None:
    """Send what makes an object, and return the ETag of it. ``etag`` returns the desired one, once all was sent.

    Without an answer the object is looked at, and also when one is in the way of a request that was sent again: it may
    be what the first try has made. Raises ObjectExists.
    """
    answer: Headers = {}
    try:
        confirm_write(lambda: answer.update(send()), lambda: _is_stored(storage, place, etag()))
    except NotFound as exc:
        raise missing_container(place[0], exc) from None
    except Rejected as exc:
        if exc.status != 412:
            raise
        raise ObjectExists(f"There is an object {'/'.join(place)} already.", **exc.details) from None
    return answer["etag"].strip('"') if answer else etag()


def _is_stored(storage: ObjectStorage, place: Place, etag: str | None) -> bool:
    """Return whether the object has this ETag; False if that is unknown."""
    try:
        found = storage.object_metadata(*place)
    except FcdError:
        return False
    return found is not None and etag is not None and found["etag"].strip('"') == etag


def damaged_upload(place: Place) -> OperationFailed:
    """Return the error for bytes that were sent twice, and arrived damaged both times."""
    return OperationFailed(
        f"{'/'.join(place)}: the service stored other content than was sent (the ETag differs), twice.",
        next_step="The object is damaged. Something in between changes the content; run the task again when it no "
        "longer does.",
        changed=True,
    )
