# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Safe destinations below a folder: no symbolic link leads elsewhere, and no two names mean the same file."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import typing as t
import unicodedata

from .._core.errors import FcdError, InvalidInput

LEFTOVER_NAME = re.compile(r"\.fcd-[0-9a-f]{16}(-[0-9a-f]{16})?\.part")  # left beside its files by a killed run


def check_file_place(path: str, option: str, name: str | None = None, folder: int | None = None) -> None:
    """Raise InvalidInput if no file can be put at the path, or at ``name`` in the folder of the descriptor."""
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


def nearest_existing(path: str) -> str:
    """Return the path, or the nearest existing folder above it."""
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return path


def check_writable(path: str, option: str) -> None:
    """Raise InvalidInput if permissions do not allow to create a file at the path."""
    folder = nearest_existing(os.path.dirname(path) or ".")
    if not os.access(folder, os.W_OK | os.X_OK):
        text = f"{option}: {path} cannot be written: its folder {folder} cannot be written to."
        raise InvalidInput(text, option=option)


def ordinary_file(path: str, folder: int | None = None) -> os.stat_result | None:
    """Return the status of the regular file there, None if there is none; a link is none."""
    try:
        found = os.lstat(path, dir_fd=folder)
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def usual_mode() -> int:
    """Return the mode that new files get by the umask."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


FOLDER_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC  # O_PATH needs no right to list it


@contextlib.contextmanager
def folder_of(
    root: str, name: str, *, make: bool = False, mode: int | None = None, above: int | None = None
) -> t.Iterator[int]:
    """Provide a descriptor of the folder above ``name``; no link below ``root`` is followed.

    Operations with it stay in that folder, whatever happens to its path. With ``make``, missing folders are created
    with ``mode`` (None: by the umask). With ``above``, ``root`` is relative to the folder of this descriptor. Raises
    InvalidInput if one is a link or not a folder, FileNotFoundError.
    """
    place = root
    descriptor = _open_root(root, make=make, mode=mode) if above is None else os.open(root, FOLDER_FLAGS, dir_fd=above)
    try:
        for part in name.split("/")[:-1]:
            place = os.path.join(place, part)
            before, descriptor = descriptor, _open_below(descriptor, part, place, make=make, mode=mode)
            os.close(before)
        yield descriptor
    finally:
        os.close(descriptor)


def open_below(root: str, name: str, flags: int) -> int:
    """Open a file below ``root``; no link on the way or in its place is followed. Raises InvalidInput, OSError."""
    with folder_of(root, name) as folder:
        try:
            return os.open(os.path.basename(name), flags | os.O_NOFOLLOW, dir_fd=folder)
        except OSError as exc:
            if exc.errno in LINK:
                raise _is_link(os.path.join(root, name)) from None
            raise


def make_folders(root: str, name: str, mode: int | None) -> None:
    """Make the missing folders above ``name``, and ``root``. Raises InvalidInput as ``folder_of``."""
    with folder_of(root, name, make=True, mode=mode):
        pass


def _open_root(root: str, *, make: bool, mode: int | None) -> int:
    try:
        if make and not os.path.isdir(root):
            os.makedirs(root, exist_ok=True)
            if mode is not None:
                os.chmod(root, mode)
        return os.open(root, FOLDER_FLAGS)
    except FileNotFoundError:
        raise
    except OSError as exc:
        raise _cannot_create(root, exc) from None


def _open_below(above: int, part: str, place: str, *, make: bool, mode: int | None) -> int:
    try:
        try:
            return os.open(part, FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=above)
        except FileNotFoundError:
            if not make:
                raise
            _make_folder(above, part, mode)
            return os.open(part, FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=above)
    except FileNotFoundError:
        raise
    except OSError as exc:
        problem = None
        with contextlib.suppress(OSError):
            problem = _not_a_folder(place, os.lstat(part, dir_fd=above).st_mode)
        raise problem or _cannot_create(place, exc) from None


def _make_folder(above: int, part: str, mode: int | None) -> None:
    try:
        os.mkdir(part, dir_fd=above)
    except FileExistsError:  # another thread has just created it
        return
    if mode is not None:
        set_mode(above, part, mode)


def prepare_root(root: str, names: t.Sequence[str] | None, mode: int | None, *, check_mode: bool) -> None:
    """Create the folder to be filled or, in check mode, check it. ``names`` will be written; None: perhaps none.

    Raises InvalidInput if it cannot be created, or if no name can be written there, so that one cause is reported once.
    """
    above = nearest_existing(root)
    hopeless = names is not None and all(_needs_root(root, name) for name in names)
    if hopeless and not os.access(above, os.W_OK | os.X_OK):
        problem = "written to" if above == root else f"created: {above} cannot be written to"
        raise InvalidInput(f"path: the folder {root} cannot be {problem}.", option="path")
    if check_mode or above == root:
        return
    try:
        make_folders(root, "", mode)
    except OSError as exc:
        raise _cannot_create(root, exc) from None


def _needs_root(root: str, name: str) -> bool:
    first, below, _rest = name.partition("/")
    return not below or not os.path.isdir(os.path.join(root, first))


class FolderChecks:
    """Finds obstacles to files before anything is created. Call it with the names in order."""

    def __init__(self, root: str) -> None:
        self._open_root = root
        self._good = ""

    def check(self, name: str) -> tuple[str, InvalidInput] | None:
        """Return which folder above ``name`` cannot be created, and why; None if all exist or can be."""
        folder = name.rpartition("/")[0]
        if folder == self._good:
            return None
        parts = folder.split("/")
        for number in range(len(parts)):
            part = "/".join(parts[: number + 1])
            place = os.path.join(self._open_root, part)
            try:
                problem = _not_a_folder(place, os.lstat(place).st_mode)
            except FileNotFoundError:
                break
            except OSError as exc:
                problem = _cannot_create(place, exc)
            if problem is not None:
                return part, problem
        self._good = folder
        return None


def _not_a_folder(place: str, mode: int) -> InvalidInput | None:
    if stat.S_ISLNK(mode):
        return _is_link(place)
    if not stat.S_ISDIR(mode):
        return InvalidInput(f"path: {place} is a file, and a folder is needed there.", option="path")
    return None


def _is_link(place: str) -> InvalidInput:
    return InvalidInput(
        f"path: {place} is a symbolic link, which is not followed.",
        next_step="Remove it, or exclude it with what is below it.",
        option="path",
    )


def _cannot_create(place: str, error: OSError) -> InvalidInput:
    return InvalidInput(f"path: the folder {place} cannot be created: {error.strerror}.", option="path")


def set_mode(folder: int, name: str, mode: int) -> None:
    """Give a file in a folder its mode. Raises OSError, also for a link."""
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def remove_file(root: str, name: str) -> None:
    """Remove a file, and the folders above it that are empty then. Raises InvalidInput."""
    try:
        with folder_of(root, name) as folder:
            last = os.path.basename(name)
            remove = os.rmdir if stat.S_ISDIR(os.lstat(last, dir_fd=folder).st_mode) else os.unlink
            remove(last, dir_fd=folder)
    except FileNotFoundError:
        pass
    except OSError as exc:
        raise InvalidInput(
            f"path: {os.path.join(root, name)} cannot be removed: {exc.strerror}.", option="path"
        ) from None
    above = os.path.dirname(name)
    with contextlib.suppress(OSError, InvalidInput):  # the first one that is not empty
        while above:
            with folder_of(root, above) as folder:
                os.rmdir(os.path.basename(above), dir_fd=folder)
            above = os.path.dirname(above)


LINK = (errno.ELOOP, errno.EMLINK)  # errors of O_NOFOLLOW at a link; EMLINK on BSD
USUAL_LONGEST = 255  # bytes


def longest_part(path: str) -> int:
    """Return how many bytes a name may have in a folder, which may be missing."""
    try:
        return os.pathconf(nearest_existing(path), "PC_NAME_MAX")
    except (OSError, ValueError):
        return USUAL_LONGEST


def check_file_name(name: str, longest: int = USUAL_LONGEST) -> FcdError | None:
    """Return why no file below the folder can have this relative name, None if one can.

    ``longest`` is how many bytes each part of it may have.
    """
    why = _bad_shape(name) or _unencodable(name, longest)
    if why is None:
        return None
    return InvalidInput(f"It cannot be the name of a file: {why}.", next_step="Rename the object, or exclude it.")


def _bad_shape(name: str) -> str | None:
    parts = name.split("/")
    if not parts[0]:
        return "it begins with a slash"
    if not parts[-1]:
        return "it ends with a slash"
    if {"", ".", ".."} & set(parts):
        return "a part of it between two slashes is empty, a dot or two dots"
    if LEFTOVER_NAME.fullmatch(parts[-1]):
        return "files of this name are unfinished downloads"
    return None


def _unencodable(name: str, longest: int) -> str | None:
    if "\0" in name:
        return "it holds a zero byte"
    try:
        encoded = os.fsencode(name)
    except UnicodeEncodeError:
        return "the encoding of this system lacks some of its characters"
    if len(encoded) > longest and max(map(len, encoded.split(b"/"))) > longest:
        return f"a part of it is longer than {longest} bytes"
    return None


class NameClashes:
    """Finds names that cannot coexist as files. Call it with the names in order."""

    def __init__(self) -> None:
        self._above: list[str] = []  # objects that later names may be below
        self._folded: dict[int, str] = {}

    def find_object_above(self, name: str) -> str | None:
        """Return the object whose name is also a folder above this one."""
        while self._above and not name.startswith(self._above[-1]):
            self._above.pop()
        found = next((other for other in self._above if name.startswith(f"{other}/")), None)
        self._above.append(name)
        return found

    def find_equivalent(self, name: str) -> str | None:
        """Return another name that differs only in case or in how its characters are composed."""
        key = hash(name.lower() if name.isascii() else _folded(name))
        other = self._folded.setdefault(key, name)
        return None if other is name else other


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


Tree = t.Dict[str, t.Tuple[int, ...]]
LISTABLE = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def tree_at(name: str, folder: int | None = None) -> Tree:
    """Return the tree at a place, by relative names; "" is the place itself. Links are not followed.

    Each entry is described by its kind and by values that change with its content, except folders, whose contents are
    entries themselves. Moving the tree changes none of that. Raises OSError, also if something is unreadable.
    """
    status = os.lstat(name, dir_fd=folder)
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFDIR:
        return {"": (kind, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)}
    found: Tree = {"": (kind, status.st_dev, status.st_ino)}
    descriptor = os.open(name, LISTABLE, dir_fd=folder)
    try:
        for inner in sorted(os.listdir(descriptor)):
            found.update((f"{inner}/{rest}".rstrip("/"), one) for rest, one in tree_at(inner, descriptor).items())
    finally:
        os.close(descriptor)
    return found
