# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Places for files below a folder, in which no symbolic link leads elsewhere."""

from __future__ import annotations

import contextlib
import os
import stat

from ..._core.errors import InvalidInput


def make_folders(root: str, name: str, mode: int | None) -> None:
    """Make the missing folders above ``name``, and ``root``; new ones get ``mode``, None: by the umask.

    Raises InvalidInput when one is a link or no folder.
    """
    if not os.path.isdir(root):
        _make(os.path.dirname(root), "", None)
    _make(root, name, mode)


def check_writable(root: str, name: str) -> None:
    """Raise InvalidInput where no file of this name could be made, as far as rights tell."""
    folder = os.path.dirname(os.path.join(root, name))
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidInput(
            f"path: {os.path.join(root, name)} cannot be written: its folder {folder} cannot be written to.",
            option="path",
        )


class Folders:
    """Tells what stands in the way of files, before anything is made. Their names have to come in their order."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._good = ""

    def check(self, name: str) -> InvalidInput | None:
        """Return why the folders above ``name`` cannot be made, None when they can or are there."""
        folder = name.rpartition("/")[0]
        if folder == self._good:
            return None
        place = self._root
        for part in folder.split("/"):
            place = os.path.join(place, part)
            try:
                found = os.lstat(place).st_mode
            except FileNotFoundError:
                break
            except OSError as exc:
                return _not_made(place, exc)
            problem = _no_folder(place, found)
            if problem is not None:
                return problem
        self._good = folder
        return None


def _make(root: str, name: str, mode: int | None) -> None:
    parts = name.split("/")[:-1]
    places = [root, *(os.path.join(root, *parts[: number + 1]) for number in range(len(parts)))]
    for number, place in enumerate(places):
        try:
            _have(place, mode, follow=number == 0)
        except OSError as exc:
            raise _not_made(place, exc) from None


def _have(place: str, mode: int | None, *, follow: bool) -> None:
    try:
        found = os.stat(place, follow_symlinks=follow).st_mode
    except FileNotFoundError:
        if follow:
            os.makedirs(place, exist_ok=True)
        else:
            with contextlib.suppress(FileExistsError):  # made by another thread just now
                os.mkdir(place)
        if mode is not None:
            os.chmod(place, mode)
        found = os.stat(place, follow_symlinks=follow).st_mode
    problem = _no_folder(place, found)
    if problem is not None:
        raise problem


def _no_folder(place: str, mode: int) -> InvalidInput | None:
    if stat.S_ISLNK(mode):
        return InvalidInput(
            f"path: {place} is a symbolic link, and nothing is written through one.",
            next_step="Remove it, or exclude what is below it.",
            option="path",
        )
    if not stat.S_ISDIR(mode):
        return InvalidInput(f"path: {place} is a file, and a folder is needed there.", option="path")
    return None


def _not_made(place: str, error: OSError) -> InvalidInput:
    return InvalidInput(f"path: the folder {place} cannot be made: {error.strerror}.", option="path")


def remove_file(root: str, name: str) -> None:
    """Remove a file, and the folders above it that are empty then. Raises InvalidInput."""
    path = os.path.join(root, name)
    if os.path.realpath(os.path.dirname(path)) != os.path.join(os.path.realpath(root), os.path.dirname(name)).rstrip(
        "/"
    ):
        raise InvalidInput(f"path: {path} is behind a symbolic link by now.", option="path")
    try:
        if os.path.isdir(path):
            os.rmdir(path)
        else:
            os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as exc:
        raise InvalidInput(f"path: {path} cannot be removed: {exc.strerror}.", option="path") from None
    folder = os.path.dirname(name)
    with contextlib.suppress(OSError):  # the first one that is not empty
        while folder:
            os.rmdir(os.path.join(root, folder))
            folder = os.path.dirname(folder)
