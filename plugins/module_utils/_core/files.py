# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small files that belong to one user: folders 0700, files 0600, replaced in one step.

Files of the user that are written as a whole: replaced in one step, and only if they differ.

Files that users name, read without waiting: opening a pipe would wait for a writer for ever.

Users and groups of this host, by name or number as in Ansible's own modules.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import grp
import json
import os
import pwd
import re
import stat
import tempfile
import typing as t

from .clock import Deadline
from .errors import Busy, InvalidInput

MOST_STEPS = 400  # parts of a path with all its links; more means that they form a circle


def reason_for_distrust(path: str, status: os.stat_result) -> str | None:
    """Return why another user may have written what the path leads to; None if only this user or root can have done so.

    Like ssh, this goes by owner and permissions, also of the folders above: who can write to one of them can replace
    what is in it. What is below a folder that is closed to others is out of their reach.
    """
    link = foreign_link(path)
    if link is not None:
        return f"the link {link} belongs to another user"
    if status.st_uid not in (0, os.geteuid()):
        return f"it belongs to another user (uid {status.st_uid})"
    for folder in [*_folders_above(os.path.realpath(path))][::-1]:
        if _closed(folder):
            return None
        if _others_may_write(os.stat(folder)):
            return f"other users can change the folder {folder}"
    return "other users can change it" if _others_may_write(status) else None


def _others_may_write(status: os.stat_result) -> bool:
    """Return whether users other than the owner, and root, may change a file, or replace what is in a folder.

    The own group does no harm where nobody else belongs to it. In a sticky folder, as /tmp is, what somebody has made
    stays that user's.
    """
    sticky = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    return not sticky and bool(status.st_mode & (0o002 if _has_no_others(status.st_gid) else 0o022))


def _has_no_others(group: int) -> bool:
    """Return whether this user is alone in a group: that of root, or the own one of the same name."""
    if group == 0 or group != os.getegid():
        return group == 0
    try:
        user, own = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return own.gr_name == user and set(own.gr_mem) <= {user}


def foreign_link(path: str) -> str | None:
    """Return the first symbolic link on the way to the path that belongs to another user than this one and root."""
    place, ahead = "/" if os.path.isabs(path) else os.getcwd(), path.split("/")[::-1]
    for _step in range(MOST_STEPS):
        if not ahead:
            break
        here = os.path.normpath(os.path.join(place, ahead.pop()))  # the place is without links
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


def readable_by_others(path: str) -> bool:
    """Return whether a user other than the owner and root may read a file.

    Nobody else can if a folder above it is closed to them, nor can the group root, to which nobody else belongs: job
    systems write injected files with mode 0660, for that group or into a closed folder.
    """
    status = os.stat(path)
    open_to = status.st_mode & (0o007 if status.st_gid == 0 else 0o077)
    return bool(open_to) and not any(_closed(folder) for folder in _folders_above(os.path.realpath(path)))


def _folders_above(path: str) -> t.Iterator[str]:
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        yield path


def _closed(folder: str) -> bool:
    status = os.stat(folder)
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o011


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
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass


def read_json(path: str) -> t.Any:
    """Return the content of a private JSON file; None if it is missing, broken, or open to other users."""
    try:
        with open(path, "rb") as handle:
            status = os.fstat(handle.fileno())
            if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
                return None
            return json.load(handle)
    except (OSError, ValueError, RecursionError):
        return None


def write_json(path: str, value: object, *, room: int = 0) -> None:
    """Replace ``path`` by ``value`` as JSON in one step, mode 0600, synced to disk before it counts.

    The file takes up at least ``room`` bytes, for overwrite_json. Raises InvalidInput if that is not possible.
    """
    folder = private_folder(os.path.dirname(path))
    try:
        _replace(path, _json_bytes(value).ljust(room), PRIVATE)
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


PRIVATE = 0o600
MOST_PLAIN = 0o777
MEANT_OCTAL = ("400", "440", "444", "500")  # YAML reads 440 as decimal, which would be 0670


def write_if_changed(path: str, content: bytes, mode: int | None, *, option: str, write: bool) -> bool:
    """Make ``content`` the content of the file at ``path``, and return whether that changes anything.

    A new or replaced file gets ``mode``, or 0600 without one. A file that already has the content keeps its mode,
    unless one is given. Links are followed, because they say where the file is to be, but not those of other users.
    Without ``write``, nothing is done. Raises InvalidInput, naming ``option``, if it is not possible.
    """
    if not path:
        raise InvalidInput(f"{option} is empty.", next_step="Name the file to write.", option=option)
    real = os.path.realpath(path)
    try:
        _check_place(real, path, option)
        current, current_mode = _present(real)
        if current == content and mode in (None, current_mode):
            return False
        folder = os.path.dirname(real)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise _unwritable(option, path, f"its folder {folder} cannot be written to")
        if write:
            _replace(real, content, PRIVATE if mode is None else mode)
    except OSError as exc:
        raise _unwritable(option, path, exc.strerror or type(exc).__name__) from None
    return True


def mode_of(value: object, option: str) -> int:
    """Return the permissions that a text in octal, or the number that YAML makes of it, stands for."""
    text = str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= MOST_PLAIN and text not in MEANT_OCTAL:
            return value
        raise _no_mode(f"{option}: it is unclear whether the number {text} is meant as octal permissions", text, option)
    try:
        number = int(text, 8)
    except ValueError:
        number = -1
    if 0 <= number <= 0o7777:
        return number
    raise _no_mode(f"{option}: {text!r} is not an octal number", "", option)


def _no_mode(what: str, digits: str, option: str) -> InvalidInput:
    """Return the error, with what was meant if these digits are octal permissions."""
    meant = digits.zfill(4) if re.fullmatch("[0-7]{3,4}", digits) else "0640"
    return InvalidInput(f"{what}.", next_step=f"Give it in quotes, as '{meant}'.", option=option)


def _check_place(real: str, path: str, option: str) -> None:
    folder, link = os.path.dirname(real), foreign_link(path)
    if link is not None:
        raise _unwritable(option, path, f"the link {link} belongs to another user")
    if os.path.isdir(real):
        raise _unwritable(option, path, "it is a folder; name a file in it")
    if os.path.exists(real) and not os.path.isfile(real):  # a pipe would never end, and a device would be replaced
        raise _unwritable(option, path, "it is not a regular file")
    if not os.path.isdir(folder):
        raise _unwritable(option, path, f"there is no folder {folder}")


def _present(real: str) -> tuple[bytes | None, int]:
    """Return content and permissions of the file; None if there is none."""
    try:
        with open(real, "rb") as handle:
            return handle.read(), stat.S_IMODE(os.fstat(handle.fileno()).st_mode)
    except FileNotFoundError:
        return None, 0


def _replace(real: str, content: bytes, mode: int) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(real), prefix=".new-")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(content)
            handle.flush()
            os.fchmod(descriptor, mode)  # by its name it might be another's by now
            os.fsync(descriptor)
        os.replace(temporary, real)
    except BaseException:
        os.unlink(temporary)
        raise


def _unwritable(option: str, path: str, why: str) -> InvalidInput:
    return InvalidInput(f"{option}: {path} cannot be written: {why}.", option=option)


def read_regular(path: str, most: int = -1, judge: t.Callable[[os.stat_result], None] | None = None) -> bytes:
    """Return the content of a file, at most so many bytes; ``judge`` gets its status first, and may raise.

    Raises OSError, also for what is not a regular file.
    """
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as handle:
        status = os.fstat(handle.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", path)
        if judge is not None:
            judge(status)
        return handle.read(most)


def user_id(name: str, option: str = "owner") -> int:
    """Return the number of a user. Raises InvalidInput if there is none of this name."""
    return _number_of(name, lambda: pwd.getpwnam(name).pw_uid, "user", option)


def group_id(name: str, option: str = "group") -> int:
    """Return the number of a group. Raises InvalidInput if there is none of this name."""
    return _number_of(name, lambda: grp.getgrnam(name).gr_gid, "group", option)


def _number_of(name: str, known: t.Callable[[], int], what: str, option: str) -> int:
    with contextlib.suppress(ValueError):
        return int(name)
    try:
        return known()
    except KeyError:
        raise InvalidInput(f"{option}: there is no {what} {name!r} on this host.", option=option) from None


LOCK_PAUSE = 0.05  # seconds between two attempts to get a lock


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
            deadline.sleep(LOCK_PAUSE)
        except OSError as exc:  # a file system without locks
            raise unusable(place, exc.strerror) from None
        else:
            return
