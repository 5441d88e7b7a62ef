# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small files that belong to one user: folders 0700, files 0600, replaced in one step."""

from __future__ import annotations

import json
import os
import stat
import tempfile
import typing as t

from .errors import InvalidInput


def readable_by_others(path: str) -> bool:
    """Return whether a user other than the owner, and root, may read a file.

    They may not where a folder above it is closed to them, nor may the group root, to which nobody else belongs: job
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
    return not os.stat(folder).st_mode & 0o011


def private_folder(path: str) -> str:
    """Make ``path`` with mode 0700 where it is missing and return it.

    Raises InvalidInput for one that belongs to somebody else or cannot be written to.
    """
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
    """Return the content of a private JSON file; None when it is missing, broken, or open to other users."""
    try:
        with open(path, "rb") as handle:
            status = os.fstat(handle.fileno())
            if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
                return None
            return json.load(handle)
    except (OSError, ValueError, RecursionError):
        return None


def write_json(path: str, value: t.Any) -> None:
    """Replace ``path`` in one step by ``value`` as JSON, mode 0600, synced to disk before it counts.

    Raises InvalidInput when that is not possible.
    """
    folder = private_folder(os.path.dirname(path))
    try:
        _replace(path, folder, value)
    except OSError as exc:  # the disk is full, most likely
        raise unusable(folder, exc.strerror) from None


def _replace(path: str, folder: str, value: t.Any) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
            json.dump(value, handle, separators=(",", ":"), sort_keys=True)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(temporary, path)
    except BaseException:
        remove(temporary)
        raise


def remove(path: str) -> None:
    """Remove a file that may be gone already. Raises InvalidInput when it cannot be removed."""
    try:
        os.remove(path)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as exc:
        raise unusable(os.path.dirname(path), exc.strerror) from None
