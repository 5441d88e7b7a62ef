# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Downloads an object into a file beside its destination, which is moved there once it is complete and checked."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import typing as t

from .._connection.options import OptionSpecs
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import Busy, FcdError, InvalidInput, NotFound, OperationFailed, Unclear, Unusable
from .._core.files import group_id, mode_of, user_id
from .._core.private_files import PRIVATE_MODE
from .._core.text import digest
from .._core.type_aliases import JsonObject
from .api import Headers, ObjectPlace, ObjectStorage
from .connection import features_of, object_storage
from .content import READ_BLOCK
from .copies import read_version
from .file_places import LEFTOVER_NAME, check_file_place, check_writable, ordinary_file, usual_mode
from .object_properties import object_record
from .properties import check_container, check_object
from .segments import readable_segments, same_content
from .source_file import Digester, check_path, file_content

RESUMABLE = 8 << 20  # bytes; anything smaller is read again rather than kept
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)  # a file system without locks


class ExcessData(FcdError):
    """More bytes arrived than the object has."""


@t.final
class PartFile:
    """The partial file for ``path``, of ``size`` bytes in the end: opened and locked inside ``with``.

    After an error, a large part is kept for the next run.

    ``parts`` are length and MD5 (None: unknown) of the parts of the content in order. ``identity`` names the version of
    the content: only a part of the same version is resumed. ``folder`` is a descriptor of the folder that the file is
    in; with it, the path above only appears in messages and is not followed.
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
        self.is_resumed = False
        self.mtime_ns: int | None = None

    def __enter__(self) -> PartFile:
        """Open and lock it, and read its content so far. Raises InvalidInput, Busy."""
        check_file_place(self.path, self._option, self._to_file, self._at)
        try:
            self._descriptor = self._open()
            if self._resumable:
                self._remove_others()
            self._checker = PartChecker(self._parts)
            size = os.fstat(self._descriptor).st_size
            if size and (not self._resumable or size > self._whole):
                self.restart()
                size = 0
            while self.size < size:
                block = os.read(self._descriptor, READ_BLOCK)
                self._checker.write(block)
                self.size += len(block)
            self.is_resumed = size > 0
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise self._unwritable(error) from None
            raise
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Close it; after an error, remove it unless the next run may profit from it."""
        hopeless = isinstance(error, (InvalidInput, NotFound, OperationFailed))
        if error is None or (self._resumable and self.size and not hopeless):
            self.close()
        else:
            self.discard()

    def write(self, piece: bytes) -> None:
        """Add what was received. Raises InvalidInput when it cannot be written, ExcessData."""
        if self.size + len(piece) > self._whole:
            raise ExcessData(f"More than the {self._whole} bytes of the object arrived.")
        try:
            left = memoryview(piece)
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as exc:
            raise self._unwritable(exc) from None
        self._checker.write(piece)
        self.size += len(piece)

    def restart(self) -> None:
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        self._checker.close()
        self._checker = PartChecker(self._parts)
        self.size, self.is_resumed = 0, False

    @property
    def is_complete(self) -> bool:
        return self.size == self._whole

    def is_intact(self) -> bool:
        """Whether the bytes are those of the object, as far as their MD5s are known."""
        return self._checker.is_intact()

    def put_in_place(self, mode: int | None, *, durable: bool) -> None:
        """Move it to its place. Raises InvalidInput."""
        try:
            present = ordinary_file(self._to_file, self._at)
            if present is not None and (present.st_uid, present.st_gid) != (os.geteuid(), os.getegid()):
                with contextlib.suppress(PermissionError):
                    os.fchown(self._descriptor, present.st_uid, present.st_gid)
            if mode is None:
                mode = PRIVATE_MODE if present is None else stat.S_IMODE(present.st_mode)
            os.fchmod(self._descriptor, mode)
            if self.mtime_ns is not None:
                os.utime(self._descriptor, ns=(self.mtime_ns, self.mtime_ns))
            if durable:
                os.fsync(self._descriptor)
            os.replace(self._to_part, self._to_file, src_dir_fd=self._at, dst_dir_fd=self._at)
        except OSError as exc:
            raise self._unwritable(exc) from None
        self.close()

    def discard(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._to_part, dir_fd=self._at)
        self.close()

    def close(self) -> None:
        self._checker.close()
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    def _open(self) -> int:
        """Return the part, locked, and certainly still under its name."""
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(self._to_part, flags, PRIVATE_MODE, dir_fd=self._at)
            try:
                self._lock(descriptor)
                mine = os.fstat(descriptor)
                self._check_owner(mine)
                with contextlib.suppress(FileNotFoundError):
                    if os.lstat(self._to_part, dir_fd=self._at).st_ino == mine.st_ino:
                        os.fchmod(descriptor, PRIVATE_MODE)
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

    def _check_owner(self, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_nlink != 1:
            raise InvalidInput(
                f"{self._option}: {self._part} is in the way: it is not a file of this user alone.",
                next_step="Find out who created it, and remove it.",
                option=self._option,
            )

    def _remove_others(self) -> None:
        """Remove parts of other versions of the object."""
        names: list[str] = []
        with contextlib.suppress(OSError):  # something else may be at this path by now
            names = os.listdir(self._folder or ".")
        for name in names:
            if name.startswith(f".fcd-{self._id}-") and LEFTOVER_NAME.fullmatch(name) and name != self._name:
                with contextlib.suppress(OSError):
                    os.unlink(name if self._at is not None else os.path.join(self._folder, name), dir_fd=self._at)

    def _unwritable(self, error: OSError) -> InvalidInput:
        return InvalidInput(
            f"{self._option}: {self.path} cannot be written: {error.strerror or error}.", option=self._option
        )


class PartChecker:
    """Compares the MD5s of the parts of a content as they pass through."""

    def __init__(self, parts: t.Sequence[tuple[int, str | None]]) -> None:
        self._parts = iter(parts)
        self._wrong = False
        self._digester: Digester | None = None
        self._etag: str | None = None
        self._left = 0
        self._next()

    def write(self, piece: bytes) -> None:
        view = memoryview(piece)
        while view and self._digester is not None:
            mine = view[: self._left]
            self._digester.update(piece if len(mine) == len(piece) else bytes(mine))
            self._left -= len(mine)
            view = view[len(mine) :]
            self._next()

    def is_intact(self) -> bool:
        """Whether all parts were complete and correct."""
        return not self._wrong and self._digester is None

    def close(self) -> None:
        """End the thread that hashes."""
        if self._digester is not None:
            self._digester.close()

    def _next(self) -> None:
        """Check the completed part, and begin the next one that has bytes."""
        while not self._left:
            if self._digester is not None:
                self._wrong |= self._etag not in (None, self._digester.hexdigest())
                self._digester = None
            part = next(self._parts, None)
            if part is None:
                return
            self._left, self._etag = part
            self._digester = Digester(self._left)


MAX_IDLE_TRIES = 4  # requests in a row without any data before giving up
TimeOf = t.Callable[[Headers], t.Optional[int]]
CHANGES = 1  # restarts because the object has changed


class ObjectVersion(t.NamedTuple):
    """One state of an object: its length in bytes, its ETag without quotes, and whether it is made of segments.

    ``parts`` are the length and MD5 of each of its segments, in order. A plain object needs none; without them, the
    content of a large one can only be checked by its length.
    """

    size: int
    etag: str
    large: bool = False
    parts: tuple[tuple[int, str], ...] = ()


class Stale(FcdError):
    """The object is no longer the version that was to be read."""


def download(  # noqa: PLR0913 - all by name
    storage: ObjectStorage,
    place: ObjectPlace,
    path: str,
    version: ObjectVersion,
    *,
    mode: int | None = None,
    time_of: TimeOf | None = None,
    durable: bool = True,
    option: str = "dest",
    folder: int | None = None,
) -> ObjectVersion:
    """Write the content of the object to the file at ``path``, and return the version that is in it.

    It is written to a file beside it (mode 0600), checked by its MD5, given ``mode`` (None: that of the file it
    replaces, else 0600) and the time that ``time_of`` returns for the headers of the object (nanoseconds since 1970),
    and then moved to its place. A symlink there is replaced, not followed. A large part that a killed run has left is
    resumed if it is of the same version. If the object changes meanwhile, the download restarts once. ``durable``: the
    content is synced to disk before it is moved. ``folder`` is a descriptor of the destination's folder, for paths that
    others may change. Raises NotFound, InvalidInput if the file cannot be written (its part is removed), Busy, Unclear,
    Unusable, OperationFailed if the object keeps changing or arrives damaged.
    """
    for left in reversed(range(1 + CHANGES)):
        if version.large and not version.parts:
            version = current_version(storage, place)
        parts: list[tuple[int, str | None]] = [(version.size, None if version.large else version.etag)]
        identity = f"{'/'.join(place)} {version.etag} {version.size}" if version.etag else ""
        with PartFile(path, version.size, version.parts or parts, identity, option, folder) as part:
            try:
                _fill(storage, place, version, part, time_of)
            except Stale:
                part.discard()
            else:
                part.put_in_place(mode, durable=durable)
                return version
        if left:
            version = current_version(storage, place)
    raise OperationFailed(
        f"{'/'.join(place)} changed while it was being read; {path} was left as it was.",
        next_step="Run the task again when nothing writes to the object.",
    )


def current_version(storage: ObjectStorage, place: ObjectPlace) -> ObjectVersion:
    """Return the version that the object has now. Raises NotFound."""
    headers = storage.object_metadata(*place)
    if headers is None:
        raise missing_object(place)
    return version_of(storage, object_record(*place, headers), headers)


def version_of(storage: ObjectStorage, record: t.Mapping[str, t.Any], headers: Headers) -> ObjectVersion:
    """Return the version that a record (of ``object_record``) and its headers describe; reads segments, if any.

    Raises Unusable if neither the service nor the segments of a large object state the size.
    """
    size, etag = record["size"], record["etag"] or ""
    if not record["large_object"] and size is not None:
        return ObjectVersion(size, etag)

    segments = (readable_segments(storage, record, headers) or []) if record["large_object"] else []
    if size is None and not segments:
        raise Unusable(f"{record['container']}/{record['name']}: neither the object nor its segments report its size.")
    whole = sum(one.size for one in segments)
    size = whole if size is None else size
    parts = tuple((one.size, one.etag) for one in segments) if whole == size else ()
    return ObjectVersion(size, etag, large=True, parts=parts)


def missing_object(place: ObjectPlace) -> NotFound:
    """Return the error for a missing object."""
    return NotFound(f"There is no object {place[1]!r} in a container {place[0]!r}.", next_step="Check both names.")


def _fill(
    storage: ObjectStorage, place: ObjectPlace, version: ObjectVersion, part: PartFile, time_of: TimeOf | None
) -> None:
    """Read what the part lacks, and check the whole. Raises Stale."""
    while True:
        is_resumed = part.is_resumed
        if not (is_resumed and part.is_complete):
            _read_all(storage, place, version, part, time_of)
        if part.is_intact():
            return
        if not is_resumed:
            raise OperationFailed(
                f"{'/'.join(place)}: the received content has another MD5 than the service reports; {part.path} was "
                "left as it was.",
                next_step="Something in between changes the content, or the object is damaged. Run the task again.",
            )
        part.restart()  # not all that the killed run left was on disk


def _read_all(
    storage: ObjectStorage, place: ObjectPlace, version: ObjectVersion, part: PartFile, time_of: TimeOf | None
) -> None:
    failures = 0
    while True:
        before = part.size
        try:
            headers = _read_rest(storage, place, version, part)
        except (Unclear, Unusable, ExcessData):
            failures = 0 if part.size > before else failures + 1
            if failures >= MAX_IDLE_TRIES:
                raise
        else:
            if not part.is_complete:
                raise Stale(f"{'/'.join(place)} has become shorter.")
            part.mtime_ns = None if time_of is None else time_of(headers)
            return


def _read_rest(storage: ObjectStorage, place: ObjectPlace, version: ObjectVersion, part: PartFile) -> Headers:
    """Read the rest, and return its headers. Raises Stale if it is of another version."""
    start = part.size
    headers = {"If-Match": f'"{version.etag}"'} if version.etag else {}
    if start:
        headers["Range"] = f"bytes={start}-"
    try:
        answer = storage.read_object(*place, part.write, headers, version.size - start)
    except ExcessData:
        part.restart()  # the whole object came instead of the rest, or it has grown
        if start:
            raise
        raise Stale(f"{'/'.join(place)} has become longer.") from None
    if answer.status == 404:
        raise missing_object(place)
    if answer.status in (412, 416):
        raise Stale(f"{'/'.join(place)} has changed.")
    if start and answer.status != 206:
        part.restart()
        raise Unusable(f"{'/'.join(place)}: the service answered the request for a range with the whole object.")
    return dict(answer.headers)


FILE_ARGUMENTS = ("owner", "group", "seuser", "serole", "selevel", "setype", "attributes")  # for AnsibleModule to apply
DOWNLOAD_OPTIONS: OptionSpecs = {
    "container": {"type": "str", "required": True},
    "name": {"type": "str", "required": True, "aliases": ["object"]},
    "version_id": {"type": "str"},
    "dest": {"type": "path", "required": True},
    "follow": {"type": "bool", "default": False},
    "mode": {"type": "raw"},
    **{name: {"type": "str"} for name in FILE_ARGUMENTS},
}
DOWNLOAD_OPTIONS["attributes"]["aliases"] = ["attr"]


def run(task: Task, params: Params) -> Result:
    """Run the module's operation; FILE_ARGUMENTS and a symbolic mode are left to the module."""
    features = features_of(task)
    place = check_container(params["container"], features, "container"), check_object(params["name"], features)
    path, mode = _dest_path(params), _numeric_mode(params)
    storage, headers = _find(object_storage(task), place, params["version_id"])
    record = object_record(*place, headers)
    present, before = ordinary_file(path), {}
    kept = usual_mode() if present is None else stat.S_IMODE(present.st_mode)
    new_mode = kept if mode is None else mode
    if present is not None:
        before = {"file": path, "size": present.st_size, "mode": f"{kept:04o}"}
        if _has_content(storage, path, present, record, headers):
            if new_mode != kept and not task.check_mode:
                os.chmod(path, new_mode)
            return _download_result(path, record, before, {**before, "mode": f"{new_mode:04o}"})
    if task.check_mode:
        check_writable(path, "dest")
    else:
        version = version_of(storage, record, headers)
        task.begun.add("download")
        if download(storage, place, path, version, mode=new_mode) != version:  # it has changed in the meantime
            record = object_record(*place, storage.object_metadata(*place) or headers)
    after = {"file": path, "size": record["size"], "mode": f"{new_mode:04o}", "etag": record["etag"]}
    return _download_result(path, record, before, after)


def _find(storage: ObjectStorage, place: ObjectPlace, version: str | None) -> tuple[ObjectStorage, Headers]:
    """Return the client that reads the object, or the version of it, and its headers. Raises NotFound, InvalidInput."""
    if version:
        return read_version(storage, place, version, "version_id")
    headers = storage.object_metadata(*place)
    if headers is None:
        raise missing_object(place)
    return storage, headers


def is_symbolic(mode: object) -> bool:
    """Return whether a mode is one such as ``u=rw``, which only the module applies."""
    return isinstance(mode, str) and any(letter in mode for letter in "=+-")


def _numeric_mode(params: Params) -> int | None:
    """Return the mode, None if there is none to set here. Raises InvalidInput, also for unknown owners."""
    if params["owner"] is not None:
        user_id(params["owner"])
    if params["group"] is not None:
        group_id(params["group"])
    mode = params["mode"]
    return None if mode is None or is_symbolic(mode) else mode_of(mode, "mode")


def _dest_path(params: Params) -> str:
    """Return the path of the file: ``dest`` or, in this folder, the last part of the object's name."""
    path = check_path(params["dest"], "dest")
    if not path:
        raise InvalidInput("dest is empty.", next_step="Give the file to write, or a folder for it.", option="dest")
    if path.endswith("/") or os.path.isdir(path):
        last = params["name"].rpartition("/")[2]
        if not last:
            raise InvalidInput(
                f"dest: {path} is a folder, and a file cannot be named after {params['name']!r}.", option="dest"
            )
        path = os.path.join(path, last)
    if params["follow"]:
        path = os.path.realpath(path)
    check_file_place(path, "dest")
    return path


def _has_content(
    storage: ObjectStorage, path: str, present: os.stat_result, record: JsonObject, headers: Headers
) -> bool:
    if record["size"] not in (None, present.st_size) or not os.access(path, os.R_OK):
        return False

    content = file_content(path, "dest")
    if not record["large_object"]:
        return bool(content.etag == record["etag"])

    return same_content(storage, record, headers, content, None)


def _download_result(path: str, record: JsonObject, before: JsonObject, after: JsonObject) -> Result:
    return {
        "changed": before != after,
        "file": path,  # AnsibleModule adds to "dest" and "path"
        "mode": after["mode"],
        "object": record,
        "diff": {"before": before, "after": after},
    }


OPERATION = Operation(name="storage_object_download", services=("storage",), options=DOWNLOAD_OPTIONS, run=run)
