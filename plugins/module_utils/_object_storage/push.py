# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a folder to a container."""

from __future__ import annotations

import os
import time
import typing as t

from .._core.errors import FcdError, OperationFailed
from .._session.task import Task
from .api import Headers, ObjectStorage
from .checksum_cache import NOTHING, Checksums, Known
from .comparison import Found, at_once, by_reading, remember
from .content import Changed, Content, of_file, of_text
from .entries import EMPTY, KEPT, MARKER_TYPE, Local, Problem, Remote, Warn, merged
from .features import Features
from .local_tree import Tree, check_root, stamp_at
from .mtime import MTIME, mtime_text
from .names import check_object
from .planning import IGNORED, SAME, SURPLUS, Item, Verdict
from .remote_listing import taking_part
from .report import UPLOAD, Done, Report, described, described_object
from .small_files import Reading, only_md5_tells
from .sync_options import SIZE, Wish
from .to_container import HEADERS, ToContainer
from .upload import upload

if t.TYPE_CHECKING:
    from .segments import Segment


class Push(ToContainer):
    """Makes objects of files."""

    def __init__(
        self, task: Task, wish: Wish, storage: ObjectStorage, features: Features, cache: Checksums, warn: Warn
    ) -> None:
        super().__init__(task, wish, storage, features)
        self._cache = cache
        self._warn = warn
        self._start = os.path.join(wish.root, "")
        self._kept_below: str | None = None
        check_root(wish.root)

    def pairs(self, problem: Problem) -> t.Iterator[tuple[str, t.Any, t.Any]]:
        """Yield each name with what has it on either side."""
        wish = self.wish
        tree = Tree(
            wish.root,
            wish.names,
            symlinks=wish.params["symlinks"],
            warn=self._warn,
            problem=problem,
            empty=wish.params["empty_directories"],
        )
        return merged(tree, taking_part(self.task, self.storage, wish, (wish.container, wish.prefix)))

    def judge(self, name: str, local: Local | None, remote: Remote | None) -> Verdict:
        """Return what is to be done about a name, as far as listing and cache tell."""
        if local is None:
            return self._without_file(t.cast(Remote, remote))
        if local.kind == KEPT:
            self._kept_below = name if name.endswith("/") else self._kept_below
            return IGNORED
        if remote is None:
            return self._new(local)
        if local.kind == EMPTY:
            return SAME if remote.is_folder else Verdict(Item(name, local, remote, "content"))
        return self._both(local, remote)

    def _without_file(self, remote: Remote) -> Verdict:
        if self._kept_below is not None and remote.name.startswith(self._kept_below):
            return IGNORED
        if remote.is_folder and os.path.isdir(self._path(remote.name)):
            return IGNORED
        return SURPLUS

    def _new(self, local: Local) -> Verdict:
        try:
            check_object(self.wish.prefix + local.name, self.limits)
        except FcdError as error:
            return Verdict(problem=error)
        return Verdict(Item(local.name, local, None, "new"))

    def _both(self, local: Local, remote: Remote) -> Verdict:
        stamp = local.stamp
        if stamp is None:
            raise AssertionError(local)
        known = self._cache.find(self._path(local.name), stamp)
        same = at_once(stamp, remote, known, by_size=self.wish.params["compare"] == SIZE)
        if same:
            return self.same(Item(local.name, local, remote))
        return Verdict(Item(local.name, local, remote, "content" if same is False else "", known))

    def reading(self, item: Item) -> Reading | None:
        """Return what there is to read, where that alone tells whether there is anything to do."""
        if item.reason or item.source.stamp is None or not only_md5_tells(item.source.stamp, item.target):
            return None
        return Reading(self._path(item.name), item.source.stamp, item.target)

    def work(self, item: Item) -> Done:
        """Bring one object in sync, in a thread. Raises FcdError."""
        if item.source.kind == EMPTY:
            return self._marker(item)
        if item.reason == HEADERS:
            return self.update(item)
        found = None
        if not item.reason:
            path, wanted = self._path(item.name), self.cutting.wanted
            found = by_reading(self.storage, self.place(item.name), path, item.target, item.known, wanted)
            if found.same:
                return self.update(item, found.headers)._replace(known=found.known, read_at=found.read_at)
        return self._send(item, found)

    def learn(self, item: Item, done: Done) -> None:
        """Remember what the work has found out."""
        if done.known != NOTHING and item.source.stamp is not None:
            remember(self._cache, self._path(item.name), item.source.stamp, done.known, done.read_at)

    def remove(self, surplus: t.Sequence[Remote], report: Report) -> None:
        """Delete what has no file; one that has been made since then, another task may have sent already."""
        gone = [entry for entry in surplus if not os.path.isfile(self._path(entry.name))]
        if len(gone) < len(surplus):
            self.task.warn(f"{len(surplus) - len(gone)} files appeared meanwhile; their objects were not deleted.")
        super().remove(gone, report)

    def _send(self, item: Item, found: Found | None) -> Done:
        stamp, reason = item.source.stamp, item.reason or "content"
        before = None if item.target is None else described_object(item.target)
        if self.task.check_mode:
            etag = item.known.md5 if found is None else found.known.md5
            return Done(UPLOAD, reason, stamp.size, before, described(stamp.size, etag))
        done = self._sent(item, found) or self._sent(item, None)
        if done is None:
            raise OperationFailed(
                f"path: {self._path(item.name)} changes while it is sent; what is stored is older.",
                next_step="Run the task again when nothing writes to the file.",
                changed=True,
            )
        return done._replace(reason=reason, before=before)

    def _sent(self, item: Item, found: Found | None) -> Done | None:
        """Send the file; None when it has changed until the service had it."""
        path = self._path(item.name)
        stamp, read_at = (stamp_at(path), time.time_ns()) if found is None else (found.stamp, found.read_at)
        headers = self.new_headers(item.name)
        if self.wish.params["preserve_mtime"] and stamp is not None:
            headers[MTIME] = mtime_text(stamp.mtime)
        old = self.old_segments(item, None if found is None else found.headers)
        try:
            content = of_file(path, "path") if found is None else found.content
            etag, known = self._store(item.name, content, headers, old)
        except Changed:
            return None
        if stamp_at(path) != stamp:
            return None
        return Done(UPLOAD, size=content.size, after=described(content.size, etag), known=known, read_at=read_at)

    def _store(self, name: str, content: Content, headers: Headers, old: list[Segment]) -> tuple[str, Known]:
        each = self.cutting.each(content.size)
        if each is None:
            etag = upload(self.storage, self.place(name), headers, content, self.limits)
            self.remove_segments(old)
            return etag, Known(etag)
        from .large_upload import upload_segments

        with self.one_large:
            etag = upload_segments(
                self.storage,
                self.place(name),
                headers,
                content,
                segment_size=each,
                segment_container=self.wish.segment_container,
                deadline=self.task.deadline,
                tell=self.task.tell,
                warn=self.task.warn,
                replaced=old,
            )
        return etag, Known(content.known_etag, etag)

    def _marker(self, item: Item) -> Done:
        before = None if item.target is None else described_object(item.target)
        if not self.task.check_mode:
            upload(self.storage, self.place(item.name), {"Content-Type": MARKER_TYPE}, of_text(""), self.limits)
        return Done(UPLOAD, item.reason, 0, before, "empty folder")

    def _path(self, name: str) -> str:
        return self._start + name
