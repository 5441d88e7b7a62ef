# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces a folder by a file, or the other way round: the new one is built beside it, and then exchanged."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import typing as t

from .._core.errors import Busy, OperationFailed
from .._core.text import digest
from .download import NO_LOCKS
from .file_places import LEFTOVER_NAME, LISTABLE, Tree, folder_of, tree_at
from .sync_mode import BlockedItem, Replacement, SyncItem
from .sync_spec import SyncSpec
from .tree_merge import EMPTY_FOLDER, KEPT, Local, Problem

PRIVATE_FOLDER_MODE = 0o700
NEW, OLD = "new", "old"  # in the staging folder
REMOVE = "Remove it, or exclude the object."


def plan_replacements(
    spec: SyncSpec, blocked: t.Sequence[BlockedItem], surplus: t.Sequence[Local], problem: Problem
) -> list[Replacement]:
    """Return the replacements; all other items are a problem.

    With ``delete``, trees with only surplus and links are replaced; otherwise, only folders without files.
    """
    there = {local.name: local for local in surplus}
    there.update((one.file.name, one.file) for one in blocked if one.file is not None)
    by_place: dict[str, list[BlockedItem]] = {}
    for one in blocked:
        by_place.setdefault(one.place, []).append(one)
    found = []
    for place, group in by_place.items():
        job = _replacement(spec, place, [one.item for one in group], there)
        if isinstance(job, Replacement):
            found.append(job)
            continue
        for one in group:
            one.error.next_step = job
            problem(one.item.name, one.error)
    return found


def _replacement(
    spec: SyncSpec, place: str, items: list[SyncItem], surplus: t.Mapping[str, Local]
) -> Replacement | str:
    """Return the replacement of a place; if it must stay, an advice to the user."""
    try:
        tree = tree_at(os.path.join(spec.root, place))
    except OSError as exc:
        return f"It cannot be read ({exc.strerror}). {REMOVE}"
    gone = []
    for inner, (kind, *_stamp) in tree.items():
        name = f"{place}/{inner}" if inner else place
        if name in surplus:
            gone.append(surplus[name])
        elif kind == stat.S_IFLNK and spec.names.selects(name):
            gone.append(Local(name, KEPT))
        elif not (kind == stat.S_IFDIR and spec.names.enters(name)) and not LEFTOVER_NAME.fullmatch(
            os.path.basename(name)
        ):
            return f"It holds {name!r}, which is not to be deleted. {REMOVE}" if inner else REMOVE
    if spec.params["delete"]:
        return Replacement(place, items, tree, gone)
    if all(local.kind == EMPTY_FOLDER for local in gone):
        return Replacement(place, items, tree, [])
    return "Set delete to replace it, remove it, or exclude the object."


class Stage:
    """A folder beside a place in which its replacement is built; ``place`` is relative to the root."""

    def __init__(self, root: str, place: str, above: int, name: str) -> None:
        self._path = os.path.join(root, place)
        self._start = len(place) - len(os.path.basename(place))
        self._name = os.path.basename(place)
        self._above = above
        self._stage = name

    def folder_of(self, name: str, mode: int | None) -> t.ContextManager[int]:
        """Provide the folder for a file of this name before the exchange, as ``file_places.folder_of`` does."""
        return folder_of(f"{self._stage}/{NEW}", name[self._start :], make=True, mode=mode, above=self._above)

    def exchange(self, expected: Tree) -> None:
        """Exchange the place with what was built, and remove the old content.

        Raises OperationFailed, with nothing changed, if the place is not as expected. Raises OSError, with nothing
        changed if the old content is still in place, otherwise after the change.
        """
        stage = os.open(self._stage, LISTABLE, dir_fd=self._above)
        try:
            os.rename(self._name, OLD, src_dir_fd=self._above, dst_dir_fd=stage)  # out of sight
            try:
                self._check(tree_at(OLD, stage), expected)
                os.rename(f"{NEW}/{self._name}", self._name, src_dir_fd=stage, dst_dir_fd=self._above)
            except BaseException:
                os.rename(OLD, self._name, src_dir_fd=stage, dst_dir_fd=self._above)
                raise
        finally:
            os.close(stage)

    def _check(self, tree: Tree, expected: Tree) -> None:
        if tree != expected:
            text = f"path: {self._path} has changed since it was compared, and is kept."
            raise OperationFailed(text, next_step="Run the task again.")


@contextlib.contextmanager
def stage_beside(root: str, place: str) -> t.Iterator[Stage]:
    """Provide an empty folder beside a place below ``root``; at the end, it is removed with its contents.

    Remains of a killed run are removed first. Raises Busy if another task works on the same place, OSError.
    """
    name = f".fcd-{digest('stage', os.fsencode(os.path.basename(place)).hex())[:16]}.part"
    with folder_of(root, place) as above:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, PRIVATE_FOLDER_MODE, dir_fd=above)
        descriptor = os.open(name, LISTABLE, dir_fd=above)
        try:
            _lock(descriptor, os.path.join(root, place))
            if not os.path.samestat(os.fstat(descriptor), os.lstat(name, dir_fd=above)):
                raise FileNotFoundError(errno.ENOENT, "another task has removed its folder", name)
            if os.fstat(descriptor).st_uid != os.geteuid():
                raise PermissionError(errno.EPERM, f"{name} beside it belongs to another user", name)
            _clear(descriptor)
            os.mkdir(NEW, dir_fd=descriptor)
            try:
                yield Stage(root, place, above, name)
            finally:
                _remove(descriptor, name, above)
        finally:
            os.close(descriptor)


def _lock(descriptor: int, path: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Busy(f"path: another task is writing {path}.", next_step="Run this one when it has ended.") from None
    except OSError as exc:
        if exc.errno not in NO_LOCKS:
            raise


def _remove(folder: int, name: str, above: int) -> None:
    try:
        _clear(folder)
        os.rmdir(name, dir_fd=above)
    except OSError as exc:
        raise OSError(exc.errno, f"{exc.strerror}; it is in {name} beside it") from None


def _clear(folder: int) -> None:
    """Remove everything in a folder. Raises OSError."""
    for name in os.listdir(folder):
        if not stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
            os.unlink(name, dir_fd=folder)
            continue
        inner = os.open(name, LISTABLE, dir_fd=folder)
        try:
            _clear(inner)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=folder)
