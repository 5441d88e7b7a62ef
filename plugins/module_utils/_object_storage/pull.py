# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Syncs a container to a folder."""

from __future__ import annotations

import os
import stat
import threading
import typing as t

from .._core.errors import Busy, FcdError, InvalidInput, NotFound, OperationFailed
from .download import ObjectVersion, download
from .file_places import (
    FolderChecks,
    NameClashes,
    check_file_name,
    check_writable,
    folder_of,
    longest_part,
    prepare_root,
    remove_file,
    set_mode,
    usual_mode,
)
from .remote_listing import EMPTY_MD5, Remote, content_text
from .replacement import Stage, plan_replacements, stage_beside
from .sync_mode import BlockedItem, Judgement, Replacement, SyncItem, SyncMode, SyncPlan, SyncRun, Verdict
from .sync_report import DELETE, DOWNLOAD, UPDATE, ItemResult, SyncReport
from .tree_merge import (
    EMPTY_FOLDER,
    FILE,
    KEPT,
    SKIP,
    Local,
    Pairs,
    Problem,
    check_root,
    merge_sorted,
    mtime_in,
    stamp_at,
)

PATIENCE, PAUSE = 300.0, 0.1  # seconds to wait for another task that writes the same file, and between checks


class Pull(SyncMode[Remote, Local]):
    """Downloads objects to files."""

    surplus_is = "files"

    def __init__(self, run: SyncRun) -> None:
        super().__init__(run)
        spec = self.spec
        self._clashes = NameClashes()
        self._equivalent_names: set[str] = set()
        self._markers: set[str] = set()
        self._one_at_a_time = threading.Lock()
        self._folders = FolderChecks(spec.root)
        self._longest = longest_part(spec.root)
        self._new_mode = usual_mode() if spec.file_mode is None else spec.file_mode
        self.target = spec.root
        if os.path.lexists(spec.root):
            check_root(spec.root)

    def pairs(self, problem: Problem) -> Pairs[Remote, Local]:
        """Yield each name with its entry on either side."""
        del problem  # anything unreadable here only matters if it is in the way
        spec = self.spec
        files = self.files(SKIP, lambda _name, error: self.warn(str(error))) if os.path.isdir(spec.root) else ()
        return merge_sorted(self.objects_at(spec.source), files)

    def judge(self, name: str, source: Remote | None, target: Local | None) -> Judgement:
        """Return what is to be done about a name, according to listing, cache and folder."""
        if source is None:
            return Verdict.IGNORED if target is None or target.kind == KEPT else Verdict.SURPLUS
        if source.is_folder:
            return self._folder(source, target)
        problem = check_file_name(name, self._longest) or self._in_the_way(source, target)
        if problem is not None:
            return problem
        other = self._clashes.find_equivalent(name)
        if other is not None:
            self._equivalent_names.update((name, other))
            self.task.warn(f"The objects {other!r} and {name!r} differ only in case or in how characters are composed.")
        if target is None or target.stamp is None:
            return SyncItem(name, source, None, "new")
        return self.judge_contents(SyncItem(name, source, target), target.stamp, source)

    def _folder(self, remote: Remote, local: Local | None) -> Judgement:
        name = remote.name.rstrip("/")
        if not self.spec.params["empty_directories"]:
            return Verdict.IGNORED
        problem = check_file_name(name, self._longest)
        if problem is not None:
            return problem
        item = SyncItem(name, remote, None, "new")
        found = self._folders.check(f"{name}/")
        if found is not None:
            return BlockedItem(item, *found, local)
        self._markers.add(name)
        return Verdict.SAME if os.path.lexists(self.path(name)) else item

    def _in_the_way(self, remote: Remote, local: Local | None) -> BlockedItem | FcdError | None:
        """Return why the file cannot be stored there."""
        name = remote.name
        above = self._clashes.find_object_above(name)
        if above is not None:
            return InvalidInput(f"The object {above!r} has the name of the folder that this one needs.")
        if local is not None and local.kind == FILE:
            return None
        item = SyncItem(name, remote, None, "new")
        found = self._folders.check(name) if local is None else None
        if found is not None:
            return BlockedItem(item, *found)
        if local is None and not os.path.isdir(self.path(name)):
            return self._find_unlisted(name)
        why = f": {local.why}" if local is not None and local.why else ", a folder"
        return BlockedItem(item, name, InvalidInput(f"{self.path(name)} is in the way{why}.", option="path"))

    def _find_unlisted(self, name: str) -> FcdError | None:
        """Return an obstacle although no file of this name was seen; one created since then does not count."""
        path = self.path(name)
        if not os.path.lexists(path):
            return None
        folder, last = os.path.split(path)
        if last in os.listdir(folder):  # another task works on the same folder
            return None
        return InvalidInput(f"{path} exists under another name, which this file system treats as the same.")

    def settle(self, plan: SyncPlan, blocked: t.Sequence[BlockedItem], problem: Problem) -> None:
        """Keep empty folders that objects stand for or are in; find out what is replaced as a whole."""
        if any(local.kind == EMPTY_FOLDER for local in plan.surplus):
            needed = set(self._markers)
            for item in plan.items:
                needed.update(_folders_above(item.name))
            plan.surplus[:] = [
                local for local in plan.surplus if local.kind != EMPTY_FOLDER or local.name not in needed
            ]
        if blocked:
            plan.replacements.extend(plan_replacements(self.spec, blocked, plan.surplus, problem))
            gone = {local.name for job in plan.replacements for local in job.surplus}
            plan.surplus[:] = [local for local in plan.surplus if local.name not in gone]

    def replace(self, job: Replacement) -> list[tuple[str, ItemResult | FcdError]]:
        """Return the result of each name, in a thread; after an error, only that, and nothing was replaced."""
        done: list[tuple[str, ItemResult]] = []
        name, replaced = job.items[0].name, False
        try:
            if self.task.check_mode:
                check_writable(self.path(job.place), "path")
                return [*((item.name, _downloaded(item)) for item in job.items), *map(_removed, job.surplus)]
            with stage_beside(self.spec.root, job.place) as stage:
                for item in job.items:
                    name = item.name
                    done.append((name, self.work(item, stage)))
                if all(result.action is None for _name, result in done):
                    return [*done]
                stage.exchange(job.tree)
                replaced = True
        except FcdError as error:
            return [(name, error)]
        except OSError as exc:
            what = "was replaced, but what was there cannot be removed" if replaced else "cannot be replaced"
            text = f"path: {self.path(job.place)} {what}: {exc.strerror}."
            return [(name, InvalidInput(text, option="path", changed=replaced or None))]
        return [*done, *map(_removed, job.surplus)]

    def same(self, item: SyncItem) -> Judgement:
        """Return what is to be done about a file whose content is as desired."""
        return Verdict.SAME if self._differing_mode(item.name) is None else item._replace(reason="mode")

    def prepare(self, items: t.Sequence[SyncItem]) -> None:
        """Create the folder. Raises InvalidInput if no item can be written, before any is downloaded."""
        sure = all(item.reason in ("new", "content") for item in items)
        names = [item.name for item in items] if sure else None
        prepare_root(self.spec.root, names, self.spec.directory_mode, check_mode=self.task.check_mode)

    def work(self, item: SyncItem, stage: Stage | None = None) -> ItemResult:
        """Sync one file, in a thread; with a stage, inside it. Raises FcdError."""
        try:
            return self._work(item, stage)
        except NotFound:
            container, name = self.place(item.name)
            self.task.warn(f"{container}/{name} is listed but does not exist: it has expired or was just deleted.")
            return ItemResult(None)
        except OSError as exc:
            raise InvalidInput(f"path: {self.path(item.name)}: {exc.strerror}.", option="path") from None

    def _work(self, item: SyncItem, stage: Stage | None) -> ItemResult:
        remote = item.source
        if remote.is_folder:
            if not self.task.check_mode:
                with self._folder_of(f"{item.name}/", stage):
                    pass
            return _downloaded(item)
        if item.reason == "mode":
            return self._set_mode(item.name)
        if not item.reason:
            comparison = self.compare_contents(item, remote)
            if comparison.same:
                return self._set_mode(item.name)._replace(known=comparison.known, read_at=comparison.read_at)
        if item.name not in self._equivalent_names or stage is not None:
            return self._receive(item, stage)
        with self._one_at_a_time:
            problem = self._find_unlisted(item.name) if item.target is None else None
            if problem is not None:
                raise problem
            return self._receive(item, None)

    def _receive(self, item: SyncItem, stage: Stage | None) -> ItemResult:
        remote: Remote = item.source
        done = _downloaded(item)
        if self.task.check_mode:
            check_writable(self.path(item.name), "path")
            return done
        with self._folder_of(item.name, stage) as folder:
            version = self._download(item, folder)
        if remote.size or remote.hash != EMPTY_MD5:
            return done._replace(size=version.size)
        return done._replace(size=version.size, after=content_text(version.size, version.etag))  # it may be a large one

    def _folder_of(self, name: str, stage: Stage | None) -> t.ContextManager[int]:
        """Provide a descriptor of the folder for a name, which is created if it is missing."""
        mode = self.spec.directory_mode
        return folder_of(self.spec.root, name, make=True, mode=mode) if stage is None else stage.folder_of(name, mode)

    def _download(self, item: SyncItem, folder: int) -> ObjectVersion:
        """Download one object as soon as no other task writes the same file."""
        remote: Remote = item.source
        patience = self.task.deadline.within(PATIENCE, "wait")
        while True:
            try:
                return download(
                    self.storage,
                    self.place(item.name),
                    self.path(item.name),
                    ObjectVersion(remote.size, remote.digest, bool(remote.large)),
                    mode=self._new_mode if item.target is None else self.spec.file_mode,
                    time_of=mtime_in if self.spec.params["preserve_mtime"] else None,
                    durable=False,  # the next run notices what a crash of the machine loses
                    option="path",
                    folder=folder,
                )
            except Busy:
                if patience.over:
                    raise
                patience.sleep(PAUSE)

    def _set_mode(self, name: str) -> ItemResult:
        other = self._differing_mode(name)
        if other is None:
            return ItemResult(None)
        if not self.task.check_mode:
            with folder_of(self.spec.root, name) as folder:
                set_mode(folder, os.path.basename(name), t.cast("int", self.spec.file_mode))
        return ItemResult(UPDATE, "mode", 0, f"mode {other:04o}", f"mode {self.spec.file_mode:04o}")

    def _differing_mode(self, name: str) -> int | None:
        """Return the mode of the file if it differs from the desired one."""
        if self.spec.file_mode is None:
            return None
        mode = stat.S_IMODE(os.lstat(self.path(name)).st_mode)
        return None if mode == self.spec.file_mode else mode

    def remove(self, surplus: t.Sequence[Local], report: SyncReport) -> None:
        """Delete the files without an object, and the folders that become empty."""
        for local in surplus:
            path = self.path(local.name)
            try:
                if local.stamp is not None and os.path.lexists(path) and stamp_at(path) != local.stamp:
                    raise OperationFailed(
                        f"path: {path} has changed since it was compared, and is kept.",
                        next_step="Run the task again.",
                    )
                if not self.task.check_mode:
                    remove_file(self.spec.root, local.name)
            except FcdError as error:
                report.fail(local.name, error)
            else:
                report.add(*_removed(local))
            report.progress()


def _folders_above(name: str) -> t.Iterator[str]:
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name


def _downloaded(item: SyncItem) -> ItemResult:
    """Return the expected result of a download."""
    remote: Remote = item.source
    after = "empty folder" if remote.is_folder else str(remote)
    before = None if item.target is None else content_text(item.target.stamp.size, item.known.md5)
    return ItemResult(DOWNLOAD, item.reason or "content", remote.size, before, after)


def _removed(local: Local) -> tuple[str, ItemResult]:
    size = 0 if local.stamp is None else local.stamp.size
    what = {EMPTY_FOLDER: "empty folder", KEPT: "symbolic link"}.get(local.kind) or content_text(size, None)
    return local.name, ItemResult(DELETE, "surplus", size, what)
