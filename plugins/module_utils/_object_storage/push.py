# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Syncs a folder, or another container, to a container."""

from __future__ import annotations

import os
import time
import typing as t

from .._core.errors import (
    CannotDetermine,
    FcdError,
    InvalidInput,
    NotFound,
    has_changed,
    mark_changed_on_error,
)
from .._core.type_aliases import JsonObject
from .._engine.scheduler import map_in_threads
from .api import Headers, ObjectPlace
from .archives import ArchiveUpload
from .checksum_cache import KnownDigests
from .content import check_bound, text_content
from .copies import CopySource, copy_object, copy_source
from .deletion import delete_objects
from .object_properties import object_headers, object_record
from .object_writes import lock_object, send_copy, update_object
from .properties import check_object
from .remote_listing import EMPTY_MD5, MARKER_TYPE, Remote, content_text, objects_below
from .segments import ObjectWriter, Segment, etag_in_segments, own_segments, size_of_segments
from .source_file import FileChanged
from .sync_mode import HEADERS_DIFFER, Comparison, Judgement, SyncItem, SyncMode, SyncRun, Verdict
from .sync_report import COPY, DELETE, UPDATE, UPLOAD, ItemResult, SyncReport
from .sync_spec import SIZE, DesiredHeaders
from .tree_merge import (
    EMPTY_FOLDER,
    KEPT,
    MTIME,
    Left,
    Local,
    Pairs,
    Problem,
    Stamp,
    check_root,
    merge_sorted,
    mtime_text,
    stamp_at,
    stamp_of,
)

FEW = 4  # names for which a listing does not pay


class ToContainer(SyncMode[Left, Remote]):
    """The objects below the prefix, as target."""

    surplus_is = "objects"

    def __init__(self, run: SyncRun) -> None:
        super().__init__(run)
        self.writer = ObjectWriter(self.task, self.storage, self.features, self.spec.segment_container)
        self.target = f"{self.spec.container}/{self.spec.prefix}"

    def judge_new(self, name: str, source: Local | Remote, *names: str) -> Judgement:
        """Return what is to be done about a source without target; its name and ``names`` must be valid."""
        try:
            for one in (*names, self.spec.prefix + name):
                check_object(one, self.features)
        except FcdError as error:
            return error
        return SyncItem(name, source, None, "new")

    def _has_own_type(self, name: str) -> bool:
        """Return whether the options set the content type of an object, even of one that stands for an empty folder."""
        return "content_type" in self.spec.rules.for_name(name).texts

    def same(self, item: SyncItem) -> Judgement:
        """Return what is to be done about an object whose content is as desired."""
        may_differ = self._may_differ(self.spec.rules.for_name(item.name), item.target)
        return item._replace(reason=HEADERS_DIFFER) if may_differ else Verdict.SAME

    def _may_differ(self, desired: DesiredHeaders, remote: Remote) -> bool:
        """Return whether the headers of an object may differ from the desired ones, according to the listing."""
        verify = self.spec.params["verify_headers"] and desired.more_than_type
        return verify or desired.has_other_type(remote.content_type)

    def update(self, item: SyncItem, headers: Headers | None = None) -> ItemResult:
        """Set the headers of an object; ``headers`` are the current ones, if known.

        All of its other headers are sent again, because the service would drop them, so they are read again under the
        lock. Raises CannotDetermine if the object has gone.
        """
        desired, place = self.spec.rules.for_name(item.name), self.place(item.name)
        if not self._may_differ(desired, item.target):
            return ItemResult(None)
        headers = self._headers_of(place) if headers is None else headers
        if self.task.check_mode or not desired.find_differences(object_record(*place, headers)):
            return self._update_from(item, headers)
        with lock_object(self.task, self.storage, place):
            return self._update_from(item, self._headers_of(place))

    def _headers_of(self, place: ObjectPlace) -> Headers:
        headers = self.storage.object_metadata(*place)
        if headers is None:
            raise CannotDetermine(f"{'/'.join(place)} was deleted in the meantime.", next_step="Run the task again.")
        return headers

    def _update_from(self, item: SyncItem, headers: Headers) -> ItemResult:
        """Send the differences from these headers, except in check mode."""
        desired, place = self.spec.rules.for_name(item.name), self.place(item.name)
        record = object_record(*place, headers)
        names, after = desired.find_differences(record), desired.apply_to(record)
        if not names:
            return ItemResult(None)
        if not self.task.check_mode:
            update_object(self.storage, place, after, headers, desired.expires_in)
        self.record_planned(item.name, after)
        before, then = (", ".join(f"{name}: {side.get(name)}" for name in names) for side in (record, after))
        return ItemResult(UPDATE, HEADERS_DIFFER, 0, before, then)

    def record_planned(self, name: str, record: JsonObject | None) -> None:
        """Tell later tasks of a run in check mode what would be at a name; None: nothing any more."""
        if self.task.planned_objects is None:
            return
        container, whole = self.place(name)
        if record is not None:
            record = {**self.spec.rules.for_name(name).apply_to(record), "container": container, "name": whole}
        self.task.planned_objects.add(self.task, "object", [container, whole], record)

    def old_segments(self, item: SyncItem, headers: Headers | None = None) -> list[Segment]:
        """Return the segments to delete when the object is replaced."""
        if item.target is None or not (item.target.large or headers is not None):
            return []
        place = self.place(item.name)
        headers = self.storage.object_metadata(*place) if headers is None else headers
        record = None if headers is None else object_record(*place, headers)
        return own_segments(self.storage, record, headers or {}, self.task.warn)

    def undone(self, written: t.Mapping[str, ItemResult]) -> list[str]:
        """Return the names that are as they were before, although the service has accepted the writes.

        Of many, only those are asked for that a listing, which may lag behind, shows as they were.
        """
        before = {name: done.before for name, done in written.items() if done.before != done.after}
        names = sorted(before)
        if len(names) > FEW:
            place, ends = (self.spec.container, self.spec.prefix), (names[0], names[-1])
            listed = {one.name: str(one) for one in objects_below(self.storage, *place, *ends) if one.name in before}
            names = [name for name in names if listed.get(name) == before[name]]

        def content_of(name: str) -> str | None:
            headers = self.storage.newest(*self.place(name))
            record = None if headers is None else object_record(*self.place(name), headers)
            return None if record is None else content_text(record["size"], record["etag"])

        found = map_in_threads(names, content_of, deadline=self.task.deadline, most=self.spec.params["connections"])
        return [name for name, now in zip(names, found) if now == before[name]]

    def remove(self, surplus: t.Sequence[Remote], report: SyncReport) -> None:
        entries = {entry.name: entry for entry in surplus}

        def ended(name: str, error: FcdError | None) -> None:
            if error is None:
                report.add(name, ItemResult(DELETE, "surplus", entries[name].size, str(entries[name])))
            else:
                report.fail(name, error)
            report.progress()

        if self.task.check_mode:
            for name in entries:
                self.record_planned(name, None)
                ended(name, None)
            return
        place, most = (self.spec.container, self.spec.prefix), self.spec.params["connections"]
        delete_objects(self.task, self.storage, place, surplus, most=most, ended=ended)


class Push(ToContainer[Local]):
    """Uploads files as objects."""

    _kept_below: str | None = None

    def pairs(self, problem: Problem) -> Pairs[Local, Remote]:
        """Yield each name with what has it on either side."""
        spec = self.spec
        check_root(spec.root)
        return merge_sorted(
            self.files(spec.params["symlinks"], problem), self.objects_at((spec.container, spec.prefix))
        )

    def judge(self, name: str, source: Local | None, target: Remote | None) -> Judgement:
        """Return what is to be done about a name, according to listing and cache."""
        if source is None:
            return Verdict.IGNORED if target is None else self._judge_without_file(target)
        if source.kind == KEPT:
            self._kept_below = name if name.endswith("/") else self._kept_below
            return Verdict.IGNORED
        if target is None:
            return self.judge_new(name, source)
        item = SyncItem(name, source, target)
        if source.stamp is None:  # an empty folder
            return Verdict.SAME if target.is_folder else item._replace(reason="content")
        if target.is_folder and not source.stamp.size and not self._has_own_type(name):
            return item._replace(reason="content")
        return self.judge_contents(item, source.stamp, target)

    def _judge_without_file(self, remote: Remote) -> Judgement:
        kept = self._kept_below is not None and remote.name.startswith(self._kept_below)
        if kept or (remote.is_folder and os.path.isdir(self.path(remote.name))):
            return Verdict.IGNORED
        return Verdict.SURPLUS

    def send_together(self, items: t.Sequence[SyncItem], report: SyncReport) -> t.Sequence[SyncItem]:
        """Send small files in archives, if the service unpacks these; return what is left."""
        if self.task.check_mode:
            return items
        return ArchiveUpload(self, report, self._headers_for).send(items)

    def work(self, item: SyncItem) -> ItemResult:
        """Bring one object in sync, in a thread. Raises FcdError."""
        if item.reason == HEADERS_DIFFER:
            return self.update(item)
        before = None if item.target is None else str(item.target)
        if item.source.kind == EMPTY_FOLDER:  # stored as the empty object that stands for a folder
            self.record_planned(item.name, {"etag": EMPTY_MD5, "size": 0, "content_type": MARKER_TYPE})
            if not self.task.check_mode:
                self.writer.store(self.place(item.name), text_content(""), {"Content-Type": MARKER_TYPE}, [], None)
            done = ItemResult(UPLOAD, after="empty folder")
        else:
            done = self._bring_in_sync(item)
        return done if done.action != UPLOAD else done._replace(reason=item.reason or "content", before=before)

    def _bring_in_sync(self, item: SyncItem) -> ItemResult:
        comparison = None
        if not item.reason:
            comparison = self.compare_contents(item, item.target)
            if comparison.same:
                done = self.update(item, comparison.headers)
                return done._replace(known=comparison.known, read_at=comparison.read_at)
        if self.task.check_mode:
            self._bind(item, comparison)
            if self.task.planned_objects is not None:
                self.record_planned(item.name, self._foresee(item, comparison))
            size, known = item.source.stamp.size, item.known if comparison is None else comparison.known
            return ItemResult(UPLOAD, size=size, after=content_text(size, known.md5))
        try:
            return self._send(item, comparison)
        except FileChanged as error:
            with mark_changed_on_error(has_changed(error)):
                return self._send(item, None)

    def remove(self, surplus: t.Sequence[Remote], report: SyncReport) -> None:
        """Delete objects without a file; another task may already have sent one that was created since."""
        still = [entry for entry in surplus if not os.path.isfile(self.path(entry.name))]
        if len(still) < len(surplus):
            self.task.warn(
                f"{len(surplus) - len(still)} files appeared in the meantime; their objects were not deleted."
            )
        super().remove(still, report)

    def _bind(self, item: SyncItem, comparison: Comparison | None) -> None:
        """Note what will be sent, if contents are bound."""
        if self.task.sends is not None and item.sha256 is not None:
            self.task.sends["/".join(self.place(item.name))] = item.sha256
        elif self.task.sends is not None:
            content = self.content(item.name) if comparison is None else comparison.content
            check_bound(self.task, self.place(item.name), content)

    def _foresee(self, item: SyncItem, comparison: Comparison | None) -> JsonObject:
        """Return the expected object of a file. The file is read, because later tasks may compare it."""
        content = self.content(item.name) if comparison is None else comparison.content
        each = size_of_segments(self.features, self.spec.params, content.size)
        return {
            "etag": content.etag if each is None else etag_in_segments(content, each),
            "size": content.size,
            "metadata": {"mtime": mtime_text(item.source.stamp.mtime)} if self.spec.params["preserve_mtime"] else {},
            "large_object": None if each is None else "static",
        }

    def _headers_for(self, name: str, stamp: Stamp) -> Headers:
        """Return the headers of the object that a file becomes."""
        headers = self.spec.rules.for_name(name).headers()
        if self.spec.params["preserve_mtime"]:
            headers[MTIME] = mtime_text(stamp.mtime)
        return headers

    def _send(self, item: SyncItem, comparison: Comparison | None) -> ItemResult:
        """Send the file. Raises FileChanged if it changed before the service had all of it."""
        if comparison is None:
            read_at, old_headers, content = time.time_ns(), None, self.content(item.name)
        else:
            read_at, old_headers, content = comparison.read_at, comparison.headers, comparison.content
        path, stamp = self.path(item.name), stamp_of(t.cast("os.stat_result", content.status))
        headers = self._headers_for(item.name, stamp)
        old = self.old_segments(item, old_headers)
        check_bound(self.task, self.place(item.name), content)
        each = size_of_segments(self.features, self.spec.params, content.size)
        etag = self.writer.store(self.place(item.name), content, headers, old, each)
        if stamp_at(path) != stamp:
            raise FileChanged(
                f"path: {path} changed while it was being sent; the stored content is older.",
                next_step="Run the task again when nothing writes to the file.",
                changed=True,
            )
        known = KnownDigests(etag) if each is None else KnownDigests(content.known_etag, etag)
        known, after = self.to_remember(item, content, known), content_text(content.size, etag)
        return ItemResult(UPLOAD, size=content.size, after=after, known=known, read_at=read_at)


class ContainerCopy(ToContainer[Remote]):
    """Copies objects: the service does the copying."""

    def pairs(self, problem: Problem) -> Pairs[Remote, Remote]:
        """Yield each name with what has it on either side."""
        del problem
        return merge_sorted(self.objects_at(self.spec.source), self.objects_at((self.spec.container, self.spec.prefix)))

    def judge(self, name: str, source: Remote | None, target: Remote | None) -> Judgement:
        """Return what is to be done about a name, according to the listings."""
        if source is None:
            return Verdict.SURPLUS
        if source.is_folder and not self.spec.params["empty_directories"]:
            return Verdict.IGNORED
        if target is None:
            return self.judge_new(name, source, self.spec.source[1] + name)
        item = SyncItem(name, source, target)
        alike = self.spec.params["compare"] == SIZE or source.digest == target.digest
        alike = alike and (source.is_folder == target.is_folder or self._has_own_type(name))
        if source.size == target.size and alike:
            return self.same(item)
        return item if source.may_be_dynamic else item._replace(reason="content")

    def work(self, item: SyncItem) -> ItemResult:
        """Bring one object in sync, in a thread. Raises FcdError."""
        if item.reason == HEADERS_DIFFER:
            return self.update(item)
        container, prefix = self.spec.source
        place = (container, prefix + item.name)
        try:
            done = self._bring_in_sync(item, place)
        except (NotFound, InvalidInput):
            if self.storage.object_metadata(*place) is not None:
                raise
            self.task.warn(f"{'/'.join(place)} is listed but does not exist: it has expired or was just deleted.")
            return ItemResult(None)
        before = None if item.target is None else str(item.target)
        return done if done.action != COPY else done._replace(before=before, after=str(item.source))

    def _bring_in_sync(self, item: SyncItem, place: ObjectPlace) -> ItemResult:
        large = None
        if item.source.large or item.source.may_be_dynamic:
            large = copy_source(self.storage, place, "source_container")
            if not item.reason and item.target.large and large.etag == item.target.large:
                return self.update(item)
        if not self.task.check_mode:
            self._copy(item, place, large)
        elif self.task.planned_objects is not None:
            headers = self.storage.object_metadata(*place) if large is None else large.headers
            self.record_planned(item.name, object_record(*place, headers) if headers else None)
        return ItemResult(COPY, item.reason or "content", item.source.size if large is None else large.size)

    def _copy(self, item: SyncItem, place: ObjectPlace, large: CopySource | None) -> None:
        old, target, desired = self.old_segments(item), self.place(item.name), self.spec.rules.for_name(item.name)
        if large is None or not large.segments:
            send_copy(self.storage, place, target, desired.headers(), item.source.size)
            self.writer.remove_segments(target, old)
            return
        headers = object_headers(desired.apply_to(large.record), large.headers, desired.expires_in)
        copy_object(self.writer, large, target, headers, old)
