# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection's own small files: folders 0700, files 0600, replaced in one step; and the locks between processes."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import stat
import tempfile
import typing as t

from .clock import Deadline
from .errors import Busy, InvalidInput

PRIVATE_MODE = 0o600
MAX_FILE_BYTES = 64 << 20  # of a file that is read as a whole
MAX_STEPS = 400  # parts of a path with all its links; more means that they form a circle


def foreign_link(path: str) -> str | None:
    """Return the first symbolic link on the way to the path that belongs to another user than this one and root."""
    place, ahead = "/" if os.path.isabs(path) else os.getcwd(), path.split("/")[::-1]
    for _step in range(MAX_STEPS):
        if not ahead:
            break
        here = os.path.normpath(os.path.join(place, ahead.pop()))  # free of links so far
        try:
            target, owner = os.readlink(here), os.lstat(here).st_uid
        except FileNotFoundError:
            break
        except OSError:  # not a link
            place = here
            continue
        if owner not in (0, os.geteuid()):
            return here
        place = "/" if os.path.isabs(target) else place
        ahead += target.split("/")[::-1]
    return None


def private_folder(path: str) -> str:
    """Make ``path`` with mode 0700 where it is missing and return it.

    Raises InvalidInput if it belongs to another user or cannot be written to.
    """
    link = foreign_link(path)
    if link is not None:
        raise unusable(path, f"the link {link} belongs to another user")
    try:
        _make(path)
        status = os.stat(path)
    except OSError as exc:
        raise unusable(path, exc.strerror) from None
    if status.st_uid != os.geteuid():
        raise InvalidInput(
            f"The folder {path} belongs to another user (uid {status.st_uid}).",
            next_step="Set state_dir to one of your own.",
        )
    if stat.S_IMODE(status.st_mode) & 0o077:
        os.chmod(path, 0o700)
    if not os.access(path, os.W_OK | os.X_OK):
        raise unusable(path, "it cannot be written to")
    return path


def unusable(path: str, why: str | None) -> InvalidInput:
    """Return the error for a folder that cannot hold what has to be kept."""
    return InvalidInput(
        f"The folder {path} cannot be used: {why}.", next_step="Set state_dir to a folder that this user can write to."
    )


def _make(path: str) -> None:
    """Make the folder and the missing ones above it, all with mode 0700; os.makedirs does so for the last one only."""
    if not path or os.path.isdir(path):
        return
    above = os.path.dirname(path)
    if above != path:
        _make(above)
    try:
        make_private(path)
    except FileExistsError:
        pass


def make_private(folder: str) -> None:
    """Make one folder with mode 0700, whatever the umask. Raises OSError."""
    os.mkdir(folder, 0o700)
    os.chmod(folder, 0o700)


def open_regular(path: str, flags: int = 0) -> t.BinaryIO:
    """Open a file for reading. Raises OSError, also for what is not a regular file: a pipe would be waited for."""
    return open(path, "rb", opener=lambda name, usual: _regular(name, usual | flags | os.O_NONBLOCK))


def _regular(path: str, flags: int) -> int:
    descriptor = os.open(path, flags)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, "it is not a regular file", path)


def read_regular(
    path: str, most: int = MAX_FILE_BYTES, *, judge: t.Callable[[int], None] | None = None, flags: int = 0
) -> bytes:
    """Return the content of a file; ``judge`` gets its descriptor first, and may raise.

    Raises OSError, also for what is not a regular file, and for one with more than ``most`` bytes.
    """
    with open_regular(path, flags) as handle:
        if judge is not None:
            judge(handle.fileno())
        content = handle.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most} bytes", path)
    return content


def read_json(path: str, most: int = MAX_FILE_BYTES) -> t.Any:
    """Return the content of a private JSON file.

    None if it is missing, broken, too large, no regular file, or open to other users.
    """
    try:
        return load_json(path, most)
    except (OSError, ValueError):
        return None


def load_json(path: str, most: int = MAX_FILE_BYTES) -> t.Any:
    """Return the content of a private JSON file. Raises OSError, for a missing one as well, and ValueError."""
    try:
        return json.loads(read_regular(path, most, judge=_require_private))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _require_private(descriptor: int) -> None:
    status = os.fstat(descriptor)
    if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
        raise PermissionError(errno.EPERM, "other users can read or change it")


def write_json(path: str, value: object, *, room: int = 0) -> None:
    """Replace ``path`` by ``value`` as JSON in one step, mode 0600, synced to disk before it counts.

    The file takes up at least ``room`` bytes, for overwrite_json. Raises InvalidInput if that is not possible.
    """
    folder = private_folder(os.path.dirname(path))
    try:
        replace_file(path, _json_bytes(value).ljust(room), PRIVATE_MODE)
    except OSError as exc:  # most likely, the disk is full
        raise unusable(folder, exc.strerror) from None


def overwrite_json(path: str, value: object) -> None:
    """Write ``value`` over the content of the file: this needs no more room on the disk than the file already takes.

    Raises InvalidInput if that is not enough, or the file cannot be written.
    """
    content = _json_bytes(value)
    try:
        with open(path, "r+b") as handle:
            room = os.fstat(handle.fileno()).st_size
            if len(content) <= room:
                handle.write(content.ljust(room))
                handle.flush()
                os.fsync(handle.fileno())
    except OSError as exc:
        raise unusable(os.path.dirname(path), exc.strerror) from None
    if len(content) > room:
        raise unusable(os.path.dirname(path), f"{len(content)} bytes do not fit into the {room} of {path}")


def _json_bytes(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode("utf-8")


def replace_file(path: str, content: bytes, mode: int) -> None:
    """Replace a file, which is no link, in one step, synced to disk. Raises OSError."""
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".new-")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(content)
            handle.flush()
            os.fchmod(descriptor, mode)  # by its name it might be another's by now
            os.fsync(descriptor)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def remove(path: str) -> None:
    """Remove a file; one that is gone already is fine. Raises InvalidInput if it cannot be removed."""
    try:
        os.remove(path)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as exc:
        raise unusable(os.path.dirname(path), exc.strerror) from None


def remove_older(folder: str, moment: float, keep: str = "") -> None:
    """Remove the files in a folder that were last changed before the moment (seconds since the epoch)."""
    for entry in os.scandir(folder):
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            if entry.path != keep and entry.stat(follow_symlinks=False).st_mtime < moment:
                os.unlink(entry.path)


LOCK_POLL_PAUSE = 0.05  # seconds between two attempts to get a lock


@contextlib.contextmanager
def file_lock(folder: str, key: str, deadline: Deadline, *, what: str) -> t.Iterator[None]:
    """Hold the lock ``key`` while the block runs.

    Raises Busy if the deadline comes first, InvalidInput if the folder cannot hold locks.

    The kernel releases the lock when the process dies, however it dies. The file stays: if it were removed, two
    processes could hold locks on two files of the same name.
    """
    place = private_folder(os.path.join(folder, "locks"))
    try:
        descriptor = os.open(os.path.join(place, key), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as exc:
        raise unusable(place, exc.strerror) from None
    try:
        _take(descriptor, deadline, what, place)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, deadline: Deadline, what: str, place: str) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if deadline.over:
                raise Busy(
                    f"Another task on this host is working on {what} and did not finish within {deadline.seconds:g} s.",
                    next_step="Wait until that task has finished, then run this one again.",
                ) from None
            deadline.sleep(LOCK_POLL_PAUSE)
        except OSError as exc:  # a file system without locks
            raise unusable(place, exc.strerror) from None
        else:
            return
