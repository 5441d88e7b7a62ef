# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that users name: who else can write or read them, and writing them in one step.

A file is written in one step, and only if it differs. Users and groups
of this host are given by name or number, as in Ansible's own modules.
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import re
import stat
import struct
import typing as t

from .errors import InvalidInput
from .private_files import PRIVATE_MODE, foreign_link, open_regular, replace_file


def reason_for_distrust(path: str, descriptor: int | None = None) -> str | None:
    """Return why another user may have written what the path leads to; None if only this user or root can have done so.

    Like ssh, this checks the owner and permissions of the file and of the folders above it: whoever can write to a
    folder can replace its contents. Others cannot reach anything below a folder that is closed to them. ``descriptor``
    is that of the file if it is open already.
    """
    link = foreign_link(path)
    if link is not None:
        return f"the link {link} belongs to another user"
    file = path if descriptor is None else descriptor
    owner = os.stat(file).st_uid
    if owner not in (0, os.geteuid()):
        return f"it belongs to another user (uid {owner})"
    for folder in [*_folders_above(os.path.realpath(path))][::-1]:
        if _closed(folder):
            return None
        if _others_may_write(folder):
            return f"other users can change the folder {folder}"
    return "other users can change it" if _others_may_write(file) else None


MAY_WRITE = 2  # in three bits of a mode


def _others_may_write(place: str | int) -> bool:
    """Return whether users other than the owner, and root, may change a file, or replace what is in a folder.

    The user's own group does not matter if nobody else belongs to it. In a sticky folder such as /tmp, only the owner
    of a file can replace it.
    """
    status = os.stat(place)
    if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX:
        return False
    group, others = _rights_beside_owner(place, status)
    return bool((others if _has_no_others(status.st_gid) else group | others) & MAY_WRITE)


def _rights_beside_owner(place: str | int, status: os.stat_result) -> tuple[int, int]:
    """Return the permissions of the group and of any other user, including those of an access-control list.

    With such a list, the group bits of the mode are its mask: the most that it grants to anybody.
    """
    most, others = status.st_mode >> 3 & 7, status.st_mode & 7
    group = most
    for tag, rights, number in _access_control_list(place):
        if tag == OF_GROUP:
            group = rights & most
        elif (tag == OF_A_USER and number not in (0, os.geteuid())) or (
            tag == OF_A_GROUP and not _has_no_others(number)
        ):
            others |= rights & most
    return group, others


ACCESS_CONTROL_LIST = "system.posix_acl_access"  # 4 bytes of version, then entries of tag, permissions, and number
OF_A_USER, OF_GROUP, OF_A_GROUP = 0x02, 0x04, 0x08


def _access_control_list(place: str | int) -> t.Iterable[tuple[int, ...]]:
    """Return tag, permissions and number of the entries; none where there is no list, or the system has none."""
    if not hasattr(os, "getxattr"):
        return ()
    try:
        return struct.iter_unpack("<HHI", os.getxattr(place, ACCESS_CONTROL_LIST)[4:])
    except OSError:
        return ()


def _has_no_others(group: int) -> bool:
    """Return whether nobody else is in a group: root's, or the one with the user's own name."""
    if group == 0 or group != os.getegid():
        return group == 0
    try:
        user, own = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return own.gr_name == user and set(own.gr_mem) <= {user}


def readable_by_others(path: str) -> bool:
    """Return whether a user other than the owner and root may read a file.

    Nobody else can if a folder above it is closed to them, nor can the group root, to which nobody else belongs: job
    systems write injected files with mode 0660, for that group or into a closed folder.
    """
    status = os.stat(path)
    group, others = _rights_beside_owner(path, status)
    open_to = others if status.st_gid == 0 else group | others
    return bool(open_to) and not any(_closed(folder) for folder in _folders_above(os.path.realpath(path)))


def _folders_above(path: str) -> t.Iterator[str]:
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        yield path


def _closed(folder: str) -> bool:
    status = os.stat(folder)
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o011


MAX_PLAIN_MODE = 0o777
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
        current, current_mode = _present(real, len(content))
        if current == content and mode in (None, current_mode):
            return False
        folder = os.path.dirname(real)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise _unwritable(option, path, f"its folder {folder} cannot be written to")
        if write:
            replace_file(real, content, PRIVATE_MODE if mode is None else mode)
    except OSError as exc:
        raise _unwritable(option, path, exc.strerror or type(exc).__name__) from None
    return True


def mode_of(value: object, option: str) -> int:
    """Return the permissions that a text in octal, or the number that YAML makes of it, stands for."""
    text = str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= MAX_PLAIN_MODE and text not in MEANT_OCTAL:
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


def _present(real: str, most: int) -> tuple[bytes | None, int]:
    """Return content, up to a byte more than ``most``, and permissions of the file; None if there is none."""
    try:
        with open_regular(real) as handle:
            return handle.read(most + 1), stat.S_IMODE(os.fstat(handle.fileno()).st_mode)
    except FileNotFoundError:
        return None, 0


def _unwritable(option: str, path: str, why: str) -> InvalidInput:
    return InvalidInput(f"{option}: {path} cannot be written: {why}.", option=option)


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
