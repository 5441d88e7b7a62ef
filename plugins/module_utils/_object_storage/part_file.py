# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The file beside its place in which a download grows: private, locked, checked on the way, moved when it is whole."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import stat
import typing as t

from .._core.errors import Busy, FcdError, InvalidInput, NotFound, OperationFailed
from .._core.text import digest
from .content import BLOCK, Digester

RESUMABLE = 8 << 20  # bytes; what is smaller is rather read again than kept
NAMES = re.compile(r"\.fcd-[0-9a-f]{16}(-[0-9a-f]{16})?\.part")  # what a killed run may leave beside its files
PRIVATE = 0o600
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)  # a file system without them


class TooMuch(FcdError):
    """More bytes arrived than the object has."""


@t.final
class PartFile:
    """The growing file for ``path``, of ``size`` bytes at last: opened and locked inside ``with``.

    When that ends with an error, what is worth it is kept for the next run.

    ``parts`` are length and MD5 (None: not known) of the parts of the content in order. ``identity`` names the version
    of the content: only a part of the same is gone on with. ``folder`` is a descriptor of the folder that it is in;
    with it, the path above is only told, not gone along.
    """

    def __init__(
        self,
        path: str,
        size: int,
        parts: t.Sequence[tuple[int, str | None]],
        identity: str,
        option: str,
        folder: int | None = None,
    ) -> None:
        self.path = path
        self._at = folder
        self._whole = size
        self._parts = parts
        self._option = option
        self._folder, name = os.path.split(path)
        self._id = digest(os.fsencode(name).hex())[:16]
        self._resumable = size >= RESUMABLE and bool(identity)
        self._name = f".fcd-{self._id}{f'-{digest(identity)[:16]}' if self._resumable else ''}.part"
        self._part = os.path.join(self._folder, self._name)
        self._to_part, self._to_file = (self._part, path) if folder is None else (self._name, name)
        self._descriptor = -1
        self._checker = PartChecker(())
        self.size = 0
        self.resumed = False
        self.mtime_ns: int | None = None

    def __enter__(self) -> PartFile:
        """Open and lock it, and read what is in it already. Raises InvalidInput, Busy."""
        check_file_place(self.path, self._option, self._to_file, self._at)
        try:
            self._descriptor = self._opened()
            if self._resumable:
                self._remove_others()
            self._take_up()
        except OSError as exc:
            self.close()
            raise self._unusable(exc) from None
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Close it; after an error remove it, unless keeping it for the next run is worth it and may help."""
        hopeless = isinstance(error, (InvalidInput, NotFound, OperationFailed))
        if error is None or (self._resumable and self.size and not hopeless):
            self.close()
        else:
            self.discard()

    def take(self, piece: bytes) -> None:
        """Add what was received. Raises InvalidInput when it cannot be written, TooMuch."""
        if self.size + len(piece) > self._whole:
            raise TooMuch(f"More than the {self._whole} bytes of the object arrived.")
        try:
            left = memoryview(piece)
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as exc:
            raise self._unusable(exc) from None
        self._checker.take(piece)
        self.size += len(piece)

    def restart(self) -> None:
        """Begin again."""
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        self._checker.close()
        self._checker = PartChecker(self._parts)
        self.size, self.resumed = 0, False

    @property
    def complete(self) -> bool:
        """Whether all bytes are there."""
        return self.size == self._whole

    def genuine(self) -> bool:
        """Whether the bytes are those of the object, as far as their MD5s are known."""
        return self._checker.good()

    def put_in_place(self, mode: int | None, *, durable: bool) -> None:
        """Move it to its place. Raises InvalidInput."""
        try:
            present = ordinary_file(self._to_file, self._at)
            if present is not None and (present.st_uid, present.st_gid) != (os.geteuid(), os.getegid()):
                with contextlib.suppress(PermissionError):
                    os.fchown(self._descriptor, present.st_uid, present.st_gid)
            if mode is None:
                mode = PRIVATE if present is None else stat.S_IMODE(present.st_mode)
            os.fchmod(self._descriptor, mode)
            if self.mtime_ns is not None:
                os.utime(self._descriptor, ns=(self.mtime_ns, self.mtime_ns))
            if durable:
                os.fsync(self._descriptor)
            os.replace(self._to_part, self._to_file, src_dir_fd=self._at, dst_dir_fd=self._at)
        except OSError as exc:
            raise self._unusable(exc) from None
        self.close()

    def discard(self) -> None:
        """Remove it."""
        with contextlib.suppress(OSError):
            os.unlink(self._to_part, dir_fd=self._at)
        self.close()

    def close(self) -> None:
        """Close it, if it is open."""
        self._checker.close()
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    def _opened(self) -> int:
        """Return the part, locked, and surely the one that has the name."""
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(self._to_part, flags, PRIVATE, dir_fd=self._at)
            try:
                self._lock(descriptor)
                mine = os.fstat(descriptor)
                self._check_owner(mine)
                with contextlib.suppress(FileNotFoundError):
                    if os.lstat(self._to_part, dir_fd=self._at).st_ino == mine.st_ino:
                        os.fchmod(descriptor, PRIVATE)
                        return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def _lock(self, descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(
                f"{self._option}: another task is writing {self.path}.", next_step="Run this one when it has ended."
            ) from None
        except OSError as exc:
            if exc.errno not in NO_LOCKS:
                raise

    def _remove_others(self) -> None:
        """Remove parts of other versions of the object."""
        for name in os.listdir(self._folder or "."):
            if name.startswith(f".fcd-{self._id}-") and NAMES.fullmatch(name) and name != self._name:
                with contextlib.suppress(OSError):
                    os.unlink(name if self._at is not None else os.path.join(self._folder, name), dir_fd=self._at)

    def _take_up(self) -> None:
        self._checker = PartChecker(self._parts)
        size = os.fstat(self._descriptor).st_size
        if size and (not self._resumable or size > self._whole):
            self.restart()
            return
        while self.size < size:
            block = os.read(self._descriptor, BLOCK)
            self._checker.take(block)
            self.size += len(block)
        self.resumed = size > 0

    def _unusable(self, error: OSError) -> InvalidInput:
        return InvalidInput(
            f"{self._option}: {self.path} cannot be written: {error.strerror or error}.", option=self._option
        )

    def _check_owner(self, status: os.stat_result) -> None:
        if stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and status.st_nlink == 1:
            return
        raise InvalidInput(
            f"{self._option}: {self._part} is in the way: it is not a file of this user alone.",
            next_step="Find out who created it, and remove it.",
            option=self._option,
        )


class PartChecker:
    """Compares the MD5 of the parts of a content as they pass by."""

    def __init__(self, parts: t.Sequence[tuple[int, str | None]]) -> None:
        self._parts = iter(parts)
        self._wrong = False
        self._digester: Digester | None = None
        self._etag: str | None = None
        self._left = 0
        self._next()

    def take(self, piece: bytes) -> None:
        """Take the next piece."""
        view = memoryview(piece)
        while view and self._digester is not None:
            mine = view[: self._left]
            self._digester.update(piece if len(mine) == len(piece) else bytes(mine))
            self._left -= len(mine)
            view = view[len(mine) :]
            if not self._left:
                self._judge()
                self._next()

    def good(self) -> bool:
        """Whether nothing was wrong and nothing is missing."""
        return not self._wrong and self._digester is None

    def close(self) -> None:
        """End the thread that hashes."""
        if self._digester is not None:
            self._digester.close()

    def _judge(self) -> None:
        if self._digester is not None and self._etag is not None:
            self._wrong = self._wrong or self._digester.hexdigest() != self._etag

    def _next(self) -> None:
        while True:
            self._left, self._etag = next(self._parts, (-1, None))
            if self._left < 0:
                self._digester = None
                return
            self._digester = Digester(self._left)
            if self._left:
                return
            self._judge()  # a part without bytes


def check_file_place(path: str, option: str, name: str | None = None, folder: int | None = None) -> None:
    """Raise InvalidInput where no file can be put: at the path, or for ``name`` in the folder of the descriptor."""
    there = path if name is None else name
    try:
        why = _why_not(there, os.path.dirname(path) or ".", folder)
    except OSError as exc:
        why = exc.strerror
    if why is not None:
        raise InvalidInput(f"{option}: {path} cannot be written: {why}.", option=option)


def _why_not(there: str, above: str, folder: int | None) -> str | None:
    try:
        mode = os.lstat(there, dir_fd=folder).st_mode
    except FileNotFoundError:
        return None if folder is not None or os.path.isdir(above) else f"there is no folder {above}"
    if stat.S_ISDIR(mode):
        return "it is a folder; name a file in it"
    return None if stat.S_ISREG(mode) or stat.S_ISLNK(mode) else "it is not a regular file"


def existing_above(path: str) -> str:
    """Return the path, or the nearest folder above it that is there."""
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return path


def check_writable(path: str, option: str) -> None:
    """Raise InvalidInput where no file could be made at the path, as far as rights tell."""
    folder = existing_above(os.path.dirname(path) or ".")
    if not os.access(folder, os.W_OK | os.X_OK):
        text = f"{option}: {path} cannot be written: its folder {folder} cannot be written to."
        raise InvalidInput(text, option=option)


def ordinary_file(path: str, folder: int | None = None) -> os.stat_result | None:
    """Return what is known of the ordinary file there, None where there is none; a link is none."""
    try:
        found = os.lstat(path, dir_fd=folder)
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def usual_mode() -> int:
    """Return the mode that programs give to new files here: by the umask."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
