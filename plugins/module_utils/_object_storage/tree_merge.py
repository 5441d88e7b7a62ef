# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the files of a folder in the order of names, and merges them with the objects below a prefix for a sync."""

from __future__ import annotations

import errno
import itertools
import os
import re
import stat
import typing as t

from .._core.errors import FcdError, InvalidInput
from .._core.type_aliases import Warn
from .file_places import LEFTOVER_NAME
from .properties import is_utf8
from .remote_listing import Remote

_NEVER = re.compile(r"(?!)")
_GROUPS = itertools.count()  # patterns are joined, so each group needs a unique name


class Filter:
    """``include`` (empty: everything) and ``exclude``, which wins. Names are relative to the root, with slashes."""

    def __init__(self, include: t.Sequence[str] = (), exclude: t.Sequence[str] = ()) -> None:
        self._everything = not include and not exclude
        self._include = compile_patterns(include, "include") if include else None
        self._exclude = compile_patterns(exclude, "exclude")
        self._excluded_folders = _any_of([_expression(glob, below_only=False) for glob in exclude])

    def selects(self, name: str) -> bool:
        """Return whether the file or object of this name is selected."""
        return self._everything or (
            not self._exclude.fullmatch(name) and (self._include is None or bool(self._include.fullmatch(name)))
        )

    def enters(self, folder: str) -> bool:
        """Return whether anything in this folder may be selected."""
        return not self._excluded_folders.fullmatch(folder)


def compile_patterns(globs: t.Sequence[str], option: str) -> re.Pattern[str]:
    """Return an expression that fully matches the names that match one of the patterns. Raises InvalidInput.

    ``*``, ``?`` and ``[a-z]`` stand for anything but a slash, ``**`` for slashes too. A pattern without a slash matches
    at any depth, one with a slash from the root; a slash at its end means only folders. A pattern that matches a folder
    matches everything in it.
    """
    for glob in globs:
        if not glob.strip("/"):
            raise InvalidInput(
                f"{option}: {glob!r} is not a pattern.",
                next_step="Write names with * and ?, such as *.html or docs/**/*.md.",
                option=option,
            )
    return _any_of([_expression(glob, below_only=glob.endswith("/")) for glob in globs])


def _any_of(expressions: t.Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(expressions), re.DOTALL) if expressions else _NEVER


def _expression(glob: str, *, below_only: bool) -> str:
    body = glob.strip("/")
    start = "" if "/" in glob.rstrip("/") else "(?:.*/)?"
    return f"{start}{_joined(_TOKEN.findall(body))}{'/.+' if below_only else '(?:/.*)?'}"


def _joined(tokens: t.Sequence[str]) -> str:
    """Return the expression for the tokens of a pattern.

    A star is atomic if the next star could match whatever it would give back. Otherwise the time for a long name such
    as ``aaaa...`` would be exponential in the number of stars.
    """
    whole, star, between = "", "", ""
    for part in tokens:
        if part[0] != "*":
            between += _piece(part)
            continue
        if star and (star == "*" or part != "*"):
            group = f"g{next(_GROUPS)}"
            whole += f"(?=(?P<{group}>{_piece(star)}?{between}))(?P={group})"
        else:
            whole += (star and _piece(star)) + between
        star, between = part, ""
    return whole + (star and _piece(star)) + between


_TOKEN = re.compile(r"(?:(?<=/)|^)\*\*/|\*+|\?|\[!?\]?[^]/]*\]|[^*?[]+|\[", re.DOTALL)


def _piece(token: str) -> str:
    if token == "**/":  # noqa: S105 - any number of folders, none too
        return "(?:[^/]*/)*"
    if token[0] == "*":
        return "[^/]*" if len(token) == 1 else ".*"
    if token == "?":  # noqa: S105
        return "[^/]"
    if token[0] == "[" and len(token) > 1:
        return _set(token[1:-1])
    return re.escape(token)


def _set(inside: str) -> str:
    negated = inside.startswith("!")
    chars = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside[1:] if negated else inside)
    expression = f"[^/{chars}]" if negated else f"(?!/)[{chars}]"
    try:
        re.compile(expression)
    except re.error:  # such as a range that ends before it begins: it matches nothing
        return "(?!)"
    return expression


Problem = t.Callable[[str, FcdError], None]
FILE = "file"
EMPTY_FOLDER = "empty folder"
KEPT = "kept"  # exists but is not selected: a link, a pipe, something unreadable; it counts as present
FOLLOW, SKIP, REFUSE = "follow", "skip", "refuse"
BROKEN_LINK = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # gone, or a link to nothing, through a file, or to itself


class Stamp(t.NamedTuple):
    """Values that change whenever the content of a file does; times are in nanoseconds."""

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
    why: str = ""  # why it is not selected


def stamp_of(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)


def stamp_at(path: str) -> Stamp | None:
    """Return the stamp of the file at a path, None if it cannot be read."""
    try:
        return stamp_of(os.stat(path))
    except OSError:
        return None


class LocalTree:
    """Everything below ``root`` that the filter selects.

    ``symlinks``: FOLLOW them, SKIP them (they are not selected but count as present), or REFUSE the whole task because
    of them. ``empty``: empty folders are selected. Anything unreadable is a ``problem`` of its name.
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
        # the path from the root to here: a link may lead back to it
        self._folders_above: list[tuple[int, int]] = []

    def __iter__(self) -> t.Iterator[Local]:
        """Yield the entries; each folder is read when its turn comes."""
        open_folders = [iter(self._names("") or ())]
        while open_folders:
            name = next(open_folders[-1], None)
            if name is None:
                open_folders.pop()
                if self._folders_above:
                    self._folders_above.pop()
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
        """Return the relative names in a folder in order, folders with a slash; None if it is unreadable."""
        path, names = self._start + folder, []
        try:
            status = os.stat(path)
            with os.scandir(path) as entries:
                for entry in entries:
                    name = entry.name  # nearly all files need nothing but their name
                    if name[0] != "." and name.isascii() and entry.is_file(follow_symlinks=False):
                        names.append(folder + name)
                    else:
                        names.extend(self._names_of(folder, entry))
        except OSError as exc:
            self._problem(folder, _unreadable(path, exc))
            return None
        self._folders_above.append((status.st_dev, status.st_ino))
        names.sort()  # with its slash, a folder is sorted where its files belong
        return names

    def _names_of(self, folder: str, entry: os.DirEntry[str]) -> list[str]:
        """Return the names of an entry: with a slash for a folder, and both if it may be either."""
        name = f"{folder}{entry.name}"
        if LEFTOVER_NAME.fullmatch(entry.name):  # of a download that is in progress or was killed
            return []
        if entry.is_symlink() and not (self._symlinks == FOLLOW and os.path.exists(entry.path)):
            return [name, f"{name}/"]  # its target may have been a file or a folder
        if not is_utf8(entry.name):
            self._refuse_name(name, entry)
            return []
        if not entry.is_dir():
            return [name]
        if not self._filter.enters(name):
            return []
        return [f"{name}/", name] if self._takes_empty(name, entry.path) else [f"{name}/"]

    def _takes_empty(self, name: str, path: str) -> bool:
        """Return whether a folder is selected itself because it is empty."""
        if not self._empty or not self._filter.selects(name):
            return False
        try:
            with os.scandir(path) as entries:
                return next(entries, None) is None
        except OSError:
            return False

    def _refuse_name(self, name: str, entry: os.DirEntry[str]) -> None:
        inside = entry.is_dir(follow_symlinks=False) and self._filter.enters(name)
        if inside or self._filter.selects(name):
            text = "The name of an object is UTF-8, and this name is not."
            self._problem(name, InvalidInput(text, next_step="Rename the file, or exclude it."))

    def _enter(self, name: str) -> list[str] | None:
        """Return the names in a folder; None if it is not selected."""
        path = self._start + name[:-1]
        if self._symlinks == FOLLOW:
            try:
                status = os.stat(path)
            except OSError as exc:
                if not os.path.islink(path):  # otherwise it is reported by its name without the slash
                    self._problem(name, _unreadable(path, exc))
                return None
            if (status.st_dev, status.st_ino) in self._folders_above:
                self._warn(f"{path} leads back to a folder that it is in; it is left out.")
                return None
        elif os.path.islink(path):
            return None
        return self._names(name)

    def _file(self, name: str) -> Local | None:
        if not self._filter.selects(name):
            return None
        path = self._start + name
        try:
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                if self._symlinks == REFUSE:
                    raise InvalidInput(
                        f"path: {path} is a symbolic link, and symlinks is refuse. Nothing was done.",
                        next_step="Exclude it, or set symlinks to follow or skip.",
                        option="symlinks",
                    )
                if self._symlinks == SKIP:
                    return Local(name, KEPT, why="it is a symbolic link")
                status = os.stat(path)
        except OSError as exc:
            if exc.errno in BROKEN_LINK:
                if not os.path.islink(path):
                    return None  # it has gone since the folder was read
                self._warn(f"{path} is a broken symbolic link; it is left out.")
                return Local(name, KEPT, why="it is a broken symbolic link")
            self._problem(name, _unreadable(path, exc))
            return Local(name, KEPT, why="it cannot be read")
        return self._entry(name, path, status)

    def _entry(self, name: str, path: str, status: os.stat_result) -> Local:
        if stat.S_ISREG(status.st_mode):
            return Local(name, FILE, stamp_of(status))
        if stat.S_ISDIR(status.st_mode):
            return Local(name, EMPTY_FOLDER)
        self._warn(f"{path} is no ordinary file; it is left out.")
        return Local(name, KEPT, why="it is not a regular file")


def check_root(path: str) -> None:
    """Raise InvalidInput unless ``path`` is a folder that can be read."""
    try:
        if not stat.S_ISDIR(os.stat(path).st_mode):
            raise InvalidInput(
                f"path: {path} is not a folder.",
                next_step="Give a folder. For single files, use fcd.cloud.storage_object and storage_object_download.",
                option="path",
            )
        os.scandir(path).close()
    except OSError as exc:
        raise InvalidInput(f"path: {path} cannot be read: {exc.strerror}.", option="path") from None


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
    """Return the time in the headers of an object in nanoseconds since 1970, None if there is none."""
    found = _SECONDS.fullmatch(headers.get(MTIME, "").strip())
    return None if found is None else int(found[1]) * 10**9 + int((found[2] or "").ljust(9, "0"))


Left = t.TypeVar("Left", Local, Remote)
Right = t.TypeVar("Right", Local, Remote)
Pairs = t.Iterator[t.Tuple[str, t.Optional[Left], t.Optional[Right]]]


def merge_sorted(left: t.Iterable[Left], right: t.Iterable[Right]) -> Pairs[Left, Right]:
    """Yield each name once, in order, with its entry on either side. Both sides must be sorted by name."""
    lefts, rights = iter(left), iter(right)
    one, other = next(lefts, None), next(rights, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one.name < other.name):
            one = t.cast("Left", one)
            yield one.name, one, None
            one = next(lefts, None)
        elif one is None or other.name < one.name:
            yield other.name, None, other
            other = next(rights, None)
        else:
            yield one.name, one, other
            one, other = next(lefts, None), next(rights, None)
