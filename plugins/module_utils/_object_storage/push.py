# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a folder, or from another container, to a container."""

from __future__ import annotations

import os
import time
import typing as t

from .._core.errors import CannotDetermine, FcdError, InvalidInput, NotFound, OperationFailed
from .api import Headers, Place
from .checksum_cache import KnownDigests
from .content import Changed, ObjectContent, of_file, of_text
from .deletion import delete_objects
from .limits import Limits, Segmentation, check_object
from .local_tree import EMPTY, KEPT, Local, LocalTree, Problem, check_root, stamp_at
from .march import (
    EMPTY_MD5,
    IGNORED,
    MARKER_TYPE,
    SAME,
    SURPLUS,
    Comparison,
    FileComparer,
    FileToRead,
    Remote,
    SyncItem,
    SyncRun,
    Verdict,
    filtered_objects,
    listed_digest,
    march,
)
from .metadata import MTIME, mtime_text
from .records import object_headers, object_record
from .segments import Segment, own_segments
from .sync_report import COPY, DELETE, UPDATE, UPLOAD, ItemResult, SyncReport, content_text, object_text
from .sync_spec import SIZE, DesiredHeaders
from .upload import CopySource, ObjectWriter, copy_source

HEADERS = "headers"  # why an object is updated


class ToContainer:
    """The objects below the prefix, as target."""

    surplus_is = "objects"

    def __init__(self, run: SyncRun) -> None:
        self.run = run
        self.task, self.spec, self.storage = run.task, run.spec, run.storage
        self.limits = Limits(run.features.limits)
        self.writer = ObjectWriter(run.task, run.storage, run.spec.segment_container)
        self.target = f"{run.spec.container}/{run.spec.prefix}"

    def place(self, name: str) -> Place:
        """Return container and object for a relative name."""
        return self.spec.container, self.spec.prefix + name

    def judge_new(self, name: str, source: Local | Remote, *names: str) -> Verdict:
        """Return what is to be done about a source without target; the object and what ``names`` have to be valid."""
        try:
            for one in (*names, self.spec.prefix + name):
                check_object(one, self.limits)
        except FcdError as error:
            return Verdict(problem=error)
        return Verdict(SyncItem(name, source, None, "new"))

    def same(self, item: SyncItem) -> Verdict:
        """Return what is to be done about an object whose content is as desired."""
        desired = self.spec.rules.of(item.name)
        if desired is not None and self._may_differ(desired, item.target):
            return Verdict(item._replace(reason=HEADERS))
        return SAME

    def update(self, item: SyncItem, headers: Headers | None = None) -> ItemResult:
        """Have the headers of an object as desired; ``headers`` are those it has, where they are known.

        All others that it has are sent again, for the service would drop them. Raises CannotDetermine when the object
        has gone.
        """
        desired, place = self.spec.rules.of(item.name), self.place(item.name)
        if desired is None or not self._may_differ(desired, item.target):
            return ItemResult(None)
        headers = self.storage.object_metadata(*place) if headers is None else headers
        if headers is None:
            raise CannotDetermine(f"{'/'.join(place)} has gone meanwhile.", next_step="Run the task again.")
        record = object_record(*place, headers)
        names = desired.differing(record)
        if not names:
            return ItemResult(None)
        after = desired.over(record)
        if not self.task.check_mode:
            sent = object_headers(after, headers, desired.expires_in)
            if headers.get("x-object-manifest"):
                sent["x-object-manifest"] = headers["x-object-manifest"]  # without it the object would become empty
            self.storage.update_object_metadata(*place, sent)
        before, then = (", ".join(f"{name}: {side.get(name)}" for name in names) for side in (record, after))
        return ItemResult(UPDATE, HEADERS, 0, before, then)

    def _may_differ(self, desired: DesiredHeaders, remote: Remote) -> bool:
        return bool(self.spec.params["verify_headers"]) or desired.other_type(remote.content_type)

    def new_headers(self, name: str) -> Headers:
        """Return what the rules say of an object that is written."""
        desired = self.spec.rules.of(name)
        return {} if desired is None else desired.headers()

    def old_segments(self, item: SyncItem, headers: Headers | None = None) -> list[Segment]:
        """Return the segments that are to go when the object is replaced."""
        if item.target is None or not (item.target.large or headers is not None):
            return []
        place = self.place(item.name)
        headers = self.storage.object_metadata(*place) if headers is None else headers
        record = None if headers is None else object_record(*place, headers)
        return own_segments(self.storage, record, headers or {}, self.task.warn)

    def remove(self, surplus: t.Sequence[Remote], report: SyncReport) -> None:
        """Delete what has no source any more."""
        entries = {entry.name: entry for entry in surplus}

        def ended(name: str, error: FcdError | None) -> None:
            if error is None:
                report.add(name, ItemResult(DELETE, "surplus", entries[name].size, object_text(entries[name])))
            else:
                report.fail(name, error)
            report.progress(len(surplus))

        if self.task.check_mode:
            for name in entries:
                ended(name, None)
            return
        place, most = (self.spec.container, self.spec.prefix), self.spec.params["connections"]
        delete_objects(self.task, self.storage, place, surplus, most=most, ended=ended)


class Push(ToContainer):
    """Makes objects of files."""

    def __init__(self, run: SyncRun) -> None:
        super().__init__(run)
        params = run.spec.params
        self._segmentation = Segmentation(run.features, params["segment_threshold"], params["segment_size"])
        self._files = FileComparer(run.spec, run.cache)
        self._kept_below: str | None = None
        check_root(run.spec.root)

    def pairs(self, problem: Problem) -> t.Iterator[tuple[str, t.Any, t.Any]]:
        """Yield each name with what has it on either side."""
        spec = self.spec
        tree = LocalTree(
            spec.root,
            spec.names,
            symlinks=spec.params["symlinks"],
            warn=self.run.warn,
            problem=problem,
            empty=spec.params["empty_directories"],
        )
        return march(tree, filtered_objects(self.run, (spec.container, spec.prefix)))

    def judge(self, name: str, local: Local | None, remote: Remote | None) -> Verdict:
        """Return what is to be done about a name, as far as listing and cache tell."""
        if local is None:
            return self._without_file(t.cast(Remote, remote))
        if local.kind == KEPT:
            self._kept_below = name if name.endswith("/") else self._kept_below
            return IGNORED
        if remote is None:
            return self.judge_new(name, local)
        item = SyncItem(name, local, remote)
        if local.kind == EMPTY:
            return SAME if remote.is_folder else Verdict(item._replace(reason="content"))
        return self._files.judge(item, local, remote, self.same)

    def _without_file(self, remote: Remote) -> Verdict:
        if self._kept_below is not None and remote.name.startswith(self._kept_below):
            return IGNORED
        if remote.is_folder and os.path.isdir(self._files.path(remote.name)):
            return IGNORED
        return SURPLUS

    def file_to_read(self, item: SyncItem) -> FileToRead | None:
        """Return what there is to read, where that alone tells whether there is anything to do."""
        return self._files.file_to_read(item, item.source, item.target)

    def work(self, item: SyncItem) -> ItemResult:
        """Bring one object in sync, in a thread. Raises FcdError."""
        if item.source.kind == EMPTY:
            return self._marker(item)
        if item.reason == HEADERS:
            return self.update(item)
        comparison = None
        if not item.reason:
            place, segment_size = self.place(item.name), self._segmentation.segment_size
            comparison = self._files.read(self.storage, place, item, item.target, segment_size)
            if comparison.same:
                done = self.update(item, comparison.headers)
                return done._replace(known=comparison.known, read_at=comparison.read_at)
        return self._send(item, comparison)

    def learn(self, item: SyncItem, done: ItemResult) -> None:
        """Remember what the work has found out."""
        self._files.remember(item.source, done.known, done.read_at)

    def remove(self, surplus: t.Sequence[Remote], report: SyncReport) -> None:
        """Delete what has no file; one that has been made since then, another task may have sent already."""
        still = [entry for entry in surplus if not os.path.isfile(self._files.path(entry.name))]
        if len(still) < len(surplus):
            self.task.warn(f"{len(surplus) - len(still)} files appeared meanwhile; their objects were not deleted.")
        super().remove(still, report)

    def _send(self, item: SyncItem, comparison: Comparison | None) -> ItemResult:
        stamp, reason = item.source.stamp, item.reason or "content"
        before = None if item.target is None else object_text(item.target)
        if self.task.check_mode:
            etag = item.known.md5 if comparison is None else comparison.known.md5
            return ItemResult(UPLOAD, reason, stamp.size, before, content_text(stamp.size, etag))
        done = self._sent(item, comparison) or self._sent(item, None)
        if done is None:
            raise OperationFailed(
                f"path: {self._files.path(item.name)} changes while it is sent; what is stored is older.",
                next_step="Run the task again when nothing writes to the file.",
                changed=True,
            )
        return done._replace(reason=reason, before=before)

    def _sent(self, item: SyncItem, comparison: Comparison | None) -> ItemResult | None:
        """Send the file; None when it has changed until the service had it."""
        path, old_headers = self._files.path(item.name), None
        if comparison is None:
            stamp, read_at = stamp_at(path), time.time_ns()
        else:
            stamp, read_at, old_headers = comparison.stamp, comparison.read_at, comparison.headers
        headers = self.new_headers(item.name)
        if self.spec.params["preserve_mtime"] and stamp is not None:
            headers[MTIME] = mtime_text(stamp.mtime)
        old = self.old_segments(item, old_headers)
        try:
            content = of_file(path, "path") if comparison is None else comparison.content
            etag, known = self._store(item.name, content, headers, old)
        except Changed:
            return None
        if stamp_at(path) != stamp:
            return None
        after = content_text(content.size, etag)
        return ItemResult(UPLOAD, size=content.size, after=after, known=known, read_at=read_at)

    def _store(
        self, name: str, content: ObjectContent, headers: Headers, old: list[Segment]
    ) -> tuple[str, KnownDigests]:
        each = self._segmentation.each(content.size)
        etag = self.writer.store(self.place(name), content, headers, old, each, self.limits)
        return etag, KnownDigests(etag) if each is None else KnownDigests(content.known_etag, etag)

    def _marker(self, item: SyncItem) -> ItemResult:
        before = None if item.target is None else object_text(item.target)
        if not self.task.check_mode:
            headers = {"Content-Type": MARKER_TYPE}
            self.writer.store(self.place(item.name), of_text(""), headers, [], None, self.limits)
        return ItemResult(UPLOAD, item.reason, 0, before, "empty folder")


class ContainerCopy(ToContainer):
    """Makes objects of objects: the service copies."""

    def pairs(self, problem: Problem) -> t.Iterator[tuple[str, t.Any, t.Any]]:
        """Yield each name with what has it on either side."""
        del problem
        spec = self.spec
        sides = (spec.source, (spec.container, spec.prefix))
        return march(*(filtered_objects(self.run, side) for side in sides))

    def judge(self, name: str, source: Remote | None, target: Remote | None) -> Verdict:
        """Return what is to be done about a name, as far as the listings tell."""
        if source is None:
            return SURPLUS
        if source.is_folder and not self.spec.params["empty_directories"]:
            return IGNORED
        if target is None:
            return self.judge_new(name, source, self.spec.source[1] + name)
        item = SyncItem(name, source, target)
        alike = self.spec.params["compare"] == SIZE or listed_digest(source) == listed_digest(target)
        if source.size == target.size and alike:
            return self.same(item)
        return Verdict(item if _may_be_dynamic(source) else item._replace(reason="content"))

    def file_to_read(self, item: SyncItem) -> None:
        """There is nothing to read."""

    def work(self, item: SyncItem) -> ItemResult:
        """Bring one object in sync, in a thread. Raises FcdError."""
        if item.reason == HEADERS:
            return self.update(item)
        container, prefix = self.spec.source
        place = (container, prefix + item.name)
        try:
            return self._copied(item, place)
        except (NotFound, InvalidInput):
            if self.storage.object_metadata(*place) is not None:
                raise
            self.task.warn(f"{'/'.join(place)} is listed and not there: it has expired, or was deleted just now.")
            return ItemResult(None)

    def _copied(self, item: SyncItem, place: Place) -> ItemResult:
        large = None
        if item.source.large or _may_be_dynamic(item.source):
            large = copy_source(self.storage, place, "source_container")
            if not item.reason and item.target.large and large.etag == item.target.large:
                return self.update(item)
        size = item.source.size if large is None else large.size
        if not self.task.check_mode:
            self._copy(item, place, large)
        before = None if item.target is None else object_text(item.target)
        return ItemResult(COPY, item.reason or "content", size, before, object_text(item.source))

    def _copy(self, item: SyncItem, place: Place, large: CopySource | None) -> None:
        old, target = self.old_segments(item), self.place(item.name)
        if large is None or not large.segments:
            self.storage.copy_object(place, target, self.new_headers(item.name), item.source.size)
            self.writer.remove_segments(target, old)
            return
        desired = self.spec.rules.of(item.name)
        record = large.record if desired is None else desired.over(large.record)
        headers = object_headers(record, large.headers, None if desired is None else desired.expires_in)
        self.writer.copy(large, target, headers, old)

    def learn(self, item: SyncItem, done: ItemResult) -> None:
        """There is nothing to remember."""


def _may_be_dynamic(source: Remote) -> bool:
    """Return whether it may be a dynamic large object, which listings show as empty."""
    return source.size == 0 and source.hash == EMPTY_MD5 and not source.is_folder
