# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files below a folder, in the order in which a listing has the objects made of them."""

from __future__ import annotations

import errno
import os
import re
import stat
import typing as t

from .._core.errors import FcdError, InvalidInput
from .._core.text import quoted
from .limits import is_utf8
from .part_file import NAMES
from .patterns import Filter

Warn = t.Callable[[str], None]
Problem = t.Callable[[str, FcdError], None]
FILE = "file"
EMPTY = "empty folder"
KEPT = "kept"  # is there and takes no part: a link, a pipe, what cannot be read; it counts as present
FOLLOW, SKIP, REFUSE = "follow", "skip", "refuse"
LEADS_NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # gone, or a link to nothing, through a file, or to itself


class Stamp(t.NamedTuple):
    """What changes whenever the content of a file does, in nanoseconds where it is time."""

    size: int
    mtime: int
    ctime: int
    inode: int
    device: int


class Local(t.NamedTuple):
    """A file or folder. A name with a slash at its end stands for everything in that folder."""

    name: str
    kind: str
    stamp: Stamp | None = None
    why: str = ""  # it takes no part


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file."""
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)


def stamp_at(path: str) -> Stamp | None:
    """Return the stamp of the file at a path, None when it cannot be had."""
    try:
        return stamp_of(os.stat(path))
    except OSError:
        return None


class LocalTree:
    """Everything below ``root`` that the filter takes.

    ``symlinks``: FOLLOW them, SKIP them (they take no part, and count as present), or REFUSE them: the whole task.
    ``empty``: folders with nothing in them take part. What cannot be read is a ``problem`` of its own name.
    """

    def __init__(
        self, root: str, filter_: Filter, *, symlinks: str, warn: Warn, problem: Problem, empty: bool = False
    ) -> None:
        self._start = os.path.join(root, "")
        self._filter = filter_
        self._symlinks = symlinks
        self._warn = warn
        self._problem = problem
        self._empty = empty
        self._entered: list[tuple[int, int]] = []  # from the root to where the walk is: a link may lead back there

    def __iter__(self) -> t.Iterator[Local]:
        """Yield what is there; every folder is read when its turn comes."""
        open_folders = [iter(self._names("") or ())]
        while open_folders:
            name = next(open_folders[-1], None)
            if name is None:
                open_folders.pop()
                if self._entered:
                    self._entered.pop()
            elif name.endswith("/"):
                names = self._enter(name)
                if names is None:
                    yield Local(name, KEPT, why="it is a link, or cannot be read")
                else:
                    open_folders.append(iter(names))
            else:
                found = self._file(name)
                if found is not None:
                    yield found

    def _names(self, folder: str) -> list[str] | None:
        """Return the relative names in a folder in their order, those of folders with a slash; None: cannot be read."""
        path, names = self._start + folder, []
        try:
            status = os.stat(path)
            with os.scandir(path) as entries:
                for entry in entries:
                    if _is_usual(entry):
                        names.append(folder + entry.name)
                    else:
                        names.extend(self._names_of(folder, entry))
        except OSError as exc:
            self._problem(folder, _unreadable(path, exc))
            return None
        self._entered.append((status.st_dev, status.st_ino))
        names.sort()  # a folder's name with its slash stands where the names of its files do
        return names

    def _names_of(self, folder: str, entry: os.DirEntry[str]) -> list[str]:
        """Return the names of an entry: that of a folder with a slash, both where it may be either."""
        name = f"{folder}{entry.name}"
        if NAMES.fullmatch(entry.name):  # what a download is at, or was when it was killed
            return []
        if not is_utf8(entry.name):
            self._tell_not_text(name, entry)
            return []
        if entry.is_symlink() and not (self._symlinks == FOLLOW and _leads_on(entry)):
            return [name, f"{name}/"]  # what it led to may have been a file or a folder
        if not entry.is_dir():
            return [name]
        if not self._filter.enters(name):
            return []
        return [f"{name}/", name] if self._takes_empty(name, entry.path) else [f"{name}/"]

    def _tell_not_text(self, name: str, entry: os.DirEntry[str]) -> None:
        inside = entry.is_dir(follow_symlinks=False) and self._filter.enters(name)
        if inside or self._filter.takes(name):
            shown = quoted(os.fsencode(name).decode("latin-1"))
            text = f"{shown}: the name of an object is UTF-8, and this name is not."
            self._problem(name, InvalidInput(text, next_step="Rename the file, or exclude it."))

    def _takes_empty(self, name: str, path: str) -> bool:
        return self._empty and self._filter.takes(name) and _is_empty(path)

    def _enter(self, name: str) -> list[str] | None:
        """Return the names in a folder; None when it takes no part."""
        path = self._start + name[:-1]
        if self._symlinks == FOLLOW:
            try:
                status = os.stat(path)
            except OSError as exc:
                if not os.path.islink(path):  # else it is told by its name without the slash
                    self._problem(name, _unreadable(path, exc))
                return None
            if (status.st_dev, status.st_ino) in self._entered:
                self._warn(f"{path} leads back to a folder that it is in; it is left out.")
                return None
        elif os.path.islink(path):
            return None
        return self._names(name)

    def _file(self, name: str) -> Local | None:
        if not self._filter.takes(name):
            return None
        path = self._start + name
        try:
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                if self._symlinks != FOLLOW:
                    return self._link(name, path)
                status = os.stat(path)
        except OSError as exc:
            if exc.errno in LEADS_NOWHERE:
                return self._missing(name, path)
            self._problem(name, _unreadable(path, exc))
            return Local(name, KEPT, why="it cannot be read")
        return self._entry(name, path, status)

    def _entry(self, name: str, path: str, status: os.stat_result) -> Local:
        if stat.S_ISREG(status.st_mode):
            return Local(name, FILE, stamp_of(status))
        if stat.S_ISDIR(status.st_mode):
            return Local(name, EMPTY)
        self._warn(f"{path} is no ordinary file; it is left out.")
        return Local(name, KEPT, why="it is not a regular file")

    def _link(self, name: str, path: str) -> Local:
        if self._symlinks == REFUSE:
            raise InvalidInput(
                f"path: {path} is a symbolic link, and symlinks is refuse. Nothing was done.",
                next_step="Exclude it, or set symlinks to follow or skip.",
                option="symlinks",
            )
        return Local(name, KEPT, why="it is a symbolic link")

    def _missing(self, name: str, path: str) -> Local | None:
        if not os.path.islink(path):
            return None  # it has gone since the folder was read
        self._warn(f"{path} is a broken symbolic link; it is left out.")
        return Local(name, KEPT, why="it is a broken symbolic link")


def check_root(path: str, option: str = "path") -> None:
    """Raise InvalidInput unless ``path`` is a folder that can be read."""
    try:
        if not stat.S_ISDIR(os.stat(path).st_mode):
            raise InvalidInput(
                f"{option}: {path} is not a folder.",
                next_step="Give a folder. For single files, use fcd.cloud.storage_object and storage_object_download.",
                option=option,
            )
        os.scandir(path).close()
    except OSError as exc:
        raise InvalidInput(f"{option}: {path} cannot be read: {exc.strerror}.", option=option) from None


def _is_usual(entry: os.DirEntry[str]) -> bool:
    """Return whether nothing else has to be looked at, as for nearly all files."""
    name = entry.name
    return name[0] != "." and name.isascii() and entry.is_file(follow_symlinks=False)


def _leads_on(link: os.DirEntry[str]) -> bool:
    try:
        link.stat()
    except OSError:
        return False
    return True


def _is_empty(path: str) -> bool:
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is None
    except OSError:
        return False


def _unreadable(path: str, exc: OSError) -> FcdError:
    return InvalidInput(f"{path} cannot be read: {exc.strerror}.")


# The time at which a file was changed, as an item of its object. The name and form are those that other clients of the
# interface use: seconds since 1970 with a fraction. Some compare the text, and write six digits, so that whole
# microseconds have six here too.

MTIME = "x-object-meta-mtime"
_SECONDS = re.compile(r"([0-9]{1,11})(?:\.([0-9]{1,9})[0-9]*)?")


def mtime_text(nanoseconds: int) -> str:
    """Return the text for nanoseconds since 1970."""
    seconds, fraction = divmod(nanoseconds, 10**9)
    return f"{seconds}.{fraction:09d}" if fraction % 1000 else f"{seconds}.{fraction // 1000:06d}"


def mtime_in(headers: t.Mapping[str, str]) -> int | None:
    """Return the time among the headers of an object in nanoseconds since 1970, None when there is none."""
    found = _SECONDS.fullmatch(headers.get(MTIME, "").strip())
    return None if found is None else int(found[1]) * 10**9 + int((found[2] or "").ljust(9, "0"))
