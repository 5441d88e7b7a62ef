# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends small files together, in archives that the service unpacks into objects, where it offers that.

Only what a listing shows as sent counts as stored, whatever the service has answered. Everything else is left to be
sent on its own, so that each failure is that of one object.

Remote operation: docs/service/storage.md, "Archives".
"""

from __future__ import annotations

import functools
import os
import threading
import time
import typing as t

from .._core.clock import SharedReading
from .._core.errors import GATEWAY, DeadlinePassed, FcdError, NotFound, Rejected, Unreachable
from .._core.type_aliases import JsonObject
from .._engine.scheduler import run_in_threads
from .._http.messages import WRITE
from .api import Headers, ObjectStorage, shows
from .checksum_cache import KnownDigests
from .content import Bytes, check_bound
from .remote_listing import Remote, content_text, objects_below
from .source_file import FileChanged
from .sync_mode import HEADERS_DIFFER, SyncItem, SyncMode
from .sync_report import UPLOAD, ItemResult, SyncReport
from .sync_spec import plain_type
from .tree_merge import Stamp, stamp_at, stamp_of

FEATURE = "bulk_upload"
MIN_FILES = 32  # for fewer, the question for features and the archives do not pay
MAX_FILES, MAX_BYTES = 400, 8 << 20  # in one archive
MAX_SMALL_FILE = 1 << 17  # bytes; with larger files, requests take little of the time
MAX_REQUESTS = 5  # at a time; the service unpacks each archive one file after the other
CONTENT_TYPE, METADATA = "content-type", "x-object-meta-"
PAX_TYPE, PAX_METADATA = "SCHILY.xattr.user.mime_type", "SCHILY.xattr.user.meta."
SLOWEST_FILE = 0.5  # seconds that storing a file of an archive takes at most
BLOCK = 512  # bytes; the unit of a tar archive
WRITE_SIZE = 1 << 16  # bytes that are sent at a time


_TURNS = threading.BoundedSemaphore(MAX_REQUESTS)
"""For all syncs of a process: the entries of a site run side by side, and no archive ends in time if all are sent."""


class Sent(t.NamedTuple):
    """A file that was read into an archive: its MD5 (hex), and when its reading began, in ns since 1970."""

    md5: str
    read_at: int


class ArchiveUpload:
    """Sends files of one sync in archives. ``headers_of`` returns the headers of what a file with a stamp becomes."""

    def __init__(
        self, mode: SyncMode[t.Any, t.Any], report: SyncReport, headers_of: t.Callable[[str, Stamp], Headers]
    ) -> None:
        self._mode = mode
        self._report = report
        self._headers_of = headers_of
        self._most = min(MAX_REQUESTS, mode.spec.params["connections"])
        self._sent: dict[str, Sent] = {}
        look = functools.partial(mode.storage.container_metadata, mode.spec.container)
        self._container = SharedReading(look, mode.task.clock)
        self._problem = ""  # why the first of those archives that were not taken was not

    def send(self, items: t.Sequence[SyncItem]) -> list[SyncItem]:
        """Send what fits into archives and report what is stored; return the items that are left.

        Raises DeadlinePassed.
        """
        chosen = [item for item in items if self._fits(item)]
        if len(chosen) < MIN_FILES or FEATURE not in self._mode.features.info:
            return list(items)
        parts, deadline = list(split(chosen, self._most)), self._mode.task.deadline
        run_in_threads(parts, self._send, most=self._most, deadline=deadline, ended=self._ended)
        stored = self._stored(chosen)
        for item in stored:
            self._note(item)
        left = len(chosen) - len(stored)
        if left:
            self._mode.task.warn(
                f"{left} of {len(chosen)} objects that were sent in archives are not stored as sent{self._problem}. "
                "They are sent one by one."
            )
        self._report.begin("other objects", self._report.counts["not_tried"])
        names = {item.name for item in stored}
        return [item for item in items if item.name not in names]

    def _headers(self, item: SyncItem) -> Headers:
        return self._headers_of(item.name, item.source.stamp)

    def _fits(self, item: SyncItem) -> bool:
        """Return whether an archive can hold the file, with all that its object gets."""
        if item.reason in ("", HEADERS_DIFFER):  # whether its content is sent is not known, or it is not
            return False
        least = self._mode.spec.params["segment_threshold"] or MAX_SMALL_FILE
        if item.source.stamp is None or item.source.stamp.size > min(MAX_SMALL_FILE, least):
            return False
        replaces_large = item.target is not None and bool(item.target.large)  # its segments have to go
        return not replaces_large and pax_headers(self._headers(item)) is not None

    def _send(self, items: t.Sequence[SyncItem]) -> JsonObject:
        """Send one archive, in a thread; return the report of the service. Raises NotFound, DeadlinePassed."""
        deadline = self._mode.task.deadline
        while not _TURNS.acquire(timeout=deadline.left()):
            deadline.check("Send archive")
        try:
            return self._send_now(items)
        finally:
            _TURNS.release()

    def _send_now(self, items: t.Sequence[SyncItem]) -> JsonObject:
        self._require_container()
        members = [
            ArchivedFile(
                member_header(
                    self._mode.place(item.name)[1], item.source.stamp.size, pax_headers(self._headers(item)) or {}
                ),
                item.source.stamp.size,
                functools.partial(self._read, item),
            )
            for item in items
        ]
        return send_archive(self._mode.storage, self._mode.spec.container, members)

    def _require_container(self) -> None:
        """Raise NotFound for a container that was removed since it was listed.

        The service would create it again, with none of its settings. Archives that begin together share one look.
        """
        if self._container.recent(0.0) is None:
            container = self._mode.spec.container
            raise NotFound(f"There is no container {container!r} any more.", container=container)

    def _read(self, item: SyncItem) -> bytes:
        """Return the content of a file. Raises FileChanged unless it is as the folder listed it, InvalidInput."""
        read_at, content, stamp = time.time_ns(), self._mode.content(item.name), item.source.stamp
        same = (
            isinstance(content, Bytes)
            and isinstance(content.status, os.stat_result)
            and stamp_of(content.status) == stamp
        )
        if not same or content.size != stamp.size:  # some files have contents, and a size of 0
            raise FileChanged(f"path: {self._mode.path(item.name)} changed before it was sent.")
        check_bound(self._mode.task, self._mode.place(item.name), content)
        self._sent[item.name] = Sent(content.etag, read_at)
        return t.cast("Bytes", content).data

    def _ended(self, items: t.Sequence[SyncItem], value: JsonObject | FcdError) -> None:
        """Note whether an archive may have changed something, and why it was not taken as a whole."""
        if isinstance(value, FcdError):
            created, problem = None, value.message
            refused = isinstance(value, (Rejected, Unreachable)) and GATEWAY not in value.details
        else:
            created, problem = value.get("Number Files Created"), str(value.get("Response Status"))
            refused = created == 0
        if created != len(items):
            self._problem = self._problem or f" ({problem.rstrip('.')})"
        if not refused and any(item.name in self._sent for item in items):
            self._report.note_change()
        self._report.progress(len(items))

    def _stored(self, items: t.Sequence[SyncItem]) -> list[SyncItem]:
        """Return the items whose objects are as sent. Raises DeadlinePassed."""
        if not self._sent:
            return []
        mode, names = self._mode, sorted(self._sent)
        try:
            found = objects_below(mode.storage, mode.spec.container, mode.spec.prefix, names[0], names[-1])
            listed = {one.name: one for one in found if one.name in self._sent}
            return self._with_metadata([item for item in items if self._is_as_sent(item, listed.get(item.name))])
        except DeadlinePassed:
            raise
        except FcdError as error:  # nothing is known of them
            self._problem = self._problem or f" ({error.message.rstrip('.')})"
            return []

    def _is_as_sent(self, item: SyncItem, there: Remote | None) -> bool:
        """Return whether a listing shows the object as sent, and its file has not changed since."""
        sent = self._sent.get(item.name)
        if sent is None or there is None or there == item.target or there.large or there.hash != sent.md5:
            return False
        desired = self._headers(item).get(CONTENT_TYPE)
        has_type = desired is None or plain_type(desired) == plain_type(there.content_type)
        return has_type and stamp_at(self._mode.path(item.name)) == item.source.stamp

    def _with_metadata(self, items: list[SyncItem]) -> list[SyncItem]:
        """Return the items that have the metadata which was sent.

        A listing shows none, and a service older than Swift 2.4 drops all of it, so one object is looked at.
        """
        metadata = {item.name: dict(self._headers(item)) for item in items}
        for headers in metadata.values():
            headers.pop(CONTENT_TYPE, None)
        witness = next((name for name, headers in metadata.items() if headers), None)
        if witness is None:
            return items
        there = self._mode.storage.object_metadata(*self._mode.place(witness))
        return items if shows(there, metadata[witness]) else [item for item in items if not metadata[item.name]]

    def _note(self, item: SyncItem) -> None:
        """Report an object that is stored."""
        sent, size = self._sent[item.name], item.source.stamp.size
        before = None if item.target is None else str(item.target)
        after = content_text(size, sent.md5)
        done = ItemResult(UPLOAD, item.reason, size, before, after, KnownDigests(sent.md5), sent.read_at)
        self._mode.remember(item, done)
        self._report.add(item.name, done, confirmed=True)
        self._report.counts["not_tried"] -= 1


class ArchivedFile(t.NamedTuple):
    """One file of an archive: its header, its size in bytes, and what reads exactly that many."""

    header: bytes
    size: int
    read: t.Callable[[], bytes]

    @property
    def padding(self) -> int:
        return -self.size % BLOCK


def split(items: t.Sequence[SyncItem], most: int) -> t.Iterator[list[SyncItem]]:
    """Yield the items of each archive; there are at least ``most`` of them if there are enough items."""
    each, size = min(MAX_FILES, max(MIN_FILES, -(-len(items) // most))), 0
    part: list[SyncItem] = []
    for item in items:
        if part and (len(part) == each or size + item.source.stamp.size > MAX_BYTES):
            yield part
            part, size = [], 0
        part.append(item)
        size += item.source.stamp.size
    if part:
        yield part


def pax_headers(headers: Headers) -> dict[str, str] | None:
    """Return the headers of an object as its file in an archive carries them, None if it cannot carry all of them."""
    found = {}
    for name, value in headers.items():
        if not value or not (name == CONTENT_TYPE or name.startswith(METADATA)):
            return None
        found[PAX_TYPE if name == CONTENT_TYPE else PAX_METADATA + name[len(METADATA) :]] = value
    return found


def member_header(name: str, size: int, headers: dict[str, str]) -> bytes:
    """Return what stands before the content of a file in an archive."""
    import tarfile

    info = tarfile.TarInfo(name)
    info.size, info.pax_headers = size, headers
    return info.tobuf(tarfile.PAX_FORMAT, "utf-8")


def send_archive(storage: ObjectStorage, container: str, members: t.Sequence[ArchivedFile]) -> JsonObject:
    """Send an archive that the service unpacks, and return its report; its HTTP status is always 200.

    The address is that of the container, never one of an object: a service that does not know archives would store it
    there, and for an existing container this request sets nothing. It is sent once, whatever becomes of it. Until all
    files are stored, the service may be silent.
    """

    def opened() -> t.Iterator[bytes]:
        waiting: list[bytes] = []
        for member in members:
            waiting += (member.header, member.read(), bytes(member.padding))
            if sum(map(len, waiting)) >= WRITE_SIZE:
                yield b"".join(waiting)
                waiting.clear()
        yield b"".join((*waiting, bytes(2 * BLOCK)))

    answer = storage.send(
        "Send archive",
        "PUT",
        storage.address(container),
        kind=WRITE,
        headers={"Accept": "application/json"},
        params={"extract-archive": "tar"},
        body=opened,
        length=sum(len(member.header) + member.size + member.padding for member in members) + 2 * BLOCK,
        timeout=storage.timeout + len(members) * SLOWEST_FILE,
        json_answer=True,
    )
    report = answer.json()
    return report if isinstance(report, dict) else {}
