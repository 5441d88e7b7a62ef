# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a sync does about each name, comparing contents."""

from __future__ import annotations

import abc
import collections
import enum
import hashlib
import os
import re
import time
import typing as t

from .._connection.task import Task
from .._core.errors import FcdError, InvalidInput
from .._core.type_aliases import JsonMapping, Warn
from .api import Headers, ObjectPlace
from .checksum_cache import NO_DIGESTS, ChecksumCache, KnownDigests
from .connection import object_storage
from .content import ObjectContent, md5
from .features import Features
from .file_places import Tree, open_below
from .object_properties import object_record
from .properties import check_object
from .remote_listing import Remote, objects_below
from .segments import same_content
from .source_file import Opener, file_content
from .sync_report import ItemResult, SyncReport
from .sync_spec import PUSH, SIZE, SyncSpec
from .tree_merge import FOLLOW, Left, Local, LocalTree, Pairs, Problem, Right, Stamp, stamp_of

HEADERS_DIFFER = "headers"  # why an object is updated
MAX_PLAIN_BYTES = 1 << 20  # bytes; objects that listings cannot distinguish from large ones are larger
MANY, MUCH = 64, 1 << 20  # files and bytes in one piece of work
SEGMENT = re.compile(r".+/slo/[^/]+/[0-9]+/[0-9]+/[0-9]{8}", re.DOTALL)  # as segments.Layout calls them


class SyncItem(t.NamedTuple):
    """A name to sync. ``reason``: why; empty if only reading the content shows whether it must be.

    ``sha256``: that of the file, if it has been read already.
    """

    name: str
    source: t.Any
    target: t.Any
    reason: str = ""
    known: KnownDigests = NO_DIGESTS
    sha256: str | None = None

    @property
    def file(self) -> Local | None:
        """The side that is a file."""
        if isinstance(self.source, Local):
            return self.source
        return self.target if isinstance(self.target, Local) else None

    def small_file(self) -> tuple[Stamp, Remote] | None:
        """Return the stamp of a file and its object, if the MD5 of the file alone shows whether they differ."""
        file = self.file
        remote = self.target if file is self.source else self.source
        if self.reason or file is None or file.stamp is None or remote is None or remote.large:
            return None
        return (file.stamp, remote) if file.stamp.size == remote.size <= MAX_PLAIN_BYTES else None


class Verdict(enum.Enum):
    """Why nothing is to be done about a name."""

    IGNORED = "takes no part"
    SAME = "is as desired"
    SURPLUS = "is on the target only"


class BlockedItem(t.NamedTuple):
    """An item that something of another kind at ``place`` blocks; ``error`` says so.

    ``file`` is what blocks it, if that is a file of the same name.
    """

    item: SyncItem
    place: str
    error: InvalidInput
    file: Local | None = None


class Replacement(t.NamedTuple):
    """Items that need the place of something of another kind: ``tree`` describes it, ``surplus`` is what goes."""

    place: str
    items: list[SyncItem]
    tree: Tree
    surplus: list[Local]


class SyncPlan(t.NamedTuple):
    """``whole`` counts what is on the target, ``surplus`` is what is only there and not on the source."""

    items: list[SyncItem]
    replacements: list[Replacement]
    surplus: list[t.Any]
    whole: int
    same: int


Judgement = t.Union[SyncItem, BlockedItem, FcdError, Verdict]


class SyncRun(t.NamedTuple):
    """The environment of a sync; ``warn`` is for warnings that may occur for each file."""

    task: Task
    spec: SyncSpec
    features: Features
    cache: ChecksumCache
    warn: Warn


class Comparison(t.NamedTuple):
    """The outcome of reading: the content, whether it is the same, what to cache, and when reading began.

    ``headers`` are the object's, if they had to be read.
    """

    content: ObjectContent
    same: bool
    known: KnownDigests
    read_at: int
    headers: Headers | None = None


class FileDigest(t.NamedTuple):
    """The MD5 (hex) of a file that is as the folder listed it, and when its reading began, in ns since 1970.

    ``sha256`` (hex) if contents are bound.
    """

    md5: str
    read_at: int
    sha256: str | None = None


class SyncMode(abc.ABC, t.Generic[Left, Right]):
    """One of push, pull and copy: reads both sides, decides what is to be done about each name, and does it."""

    target: str
    surplus_is: str

    def __init__(self, run: SyncRun) -> None:
        self.task, self.spec, self.features, self.cache, self.warn = run
        self.storage = object_storage(run.task)
        self._start = os.path.join(run.spec.root, "")
        self._follows_links = self.spec.mode == PUSH and self.spec.params["symlinks"] == FOLLOW

    def path(self, name: str) -> str:
        """Return the path of the file for a relative name."""
        return self._start + name

    def open(self, path: str, flags: int) -> int:
        """Open a file as ``os.open`` does; unless links are followed, those that have just appeared are not either."""
        if self._follows_links:
            return os.open(path, flags)
        return open_below(self.spec.root, path[len(self._start) :], flags)

    def content(self, name: str) -> ObjectContent:
        """Return the content of the file of this name. Raises InvalidInput, FileChanged."""
        return file_content(self.path(name), "path", self.open)

    def place(self, name: str) -> ObjectPlace:
        """Return container and object for a relative name."""
        return self.spec.container, self.spec.prefix + name

    def source_has(self, name: str) -> bool:
        """Return whether the source has an object of this relative name, whatever its listing shows."""
        container, prefix = self.spec.source
        if not container:
            return False
        try:
            check_object(prefix + name, self.features)
        except InvalidInput:  # a file may have a longer name
            return False
        return self.storage.object_metadata(container, prefix + name) is not None

    def objects_at(self, place: ObjectPlace) -> t.Iterator[Remote]:
        """Yield the objects at ``place`` (container, prefix) that the filter selects, never segments of large ones.

        A missing container counts as empty in check mode, because an earlier task may be about to create it.
        """
        spec, in_segments = self.spec, place[0] == self.spec.segment_container
        trust_count = place != spec.source  # what the target's listing lacks is sent once more
        try:
            for entry in objects_below(self.storage, *place, trust_count=trust_count):
                if spec.names.selects(entry.name.rstrip("/")) and not (in_segments and SEGMENT.fullmatch(entry.name)):
                    yield entry
        except InvalidInput as error:
            if place == spec.source:
                error.next_step = "Check its name, and the account of storage_user."
            self.task.refuse_missing(error)

    def files(self, symlinks: str, problem: Problem) -> LocalTree:
        """Return the files that the filter selects."""
        spec, empty = self.spec, self.spec.params["empty_directories"]
        return LocalTree(spec.root, spec.names, symlinks=symlinks, warn=self.warn, problem=problem, empty=empty)

    @abc.abstractmethod
    def pairs(self, problem: Problem) -> Pairs[Left, Right]:
        """Yield each name with what has it on source and target."""

    @abc.abstractmethod
    def judge(self, name: str, source: Left | None, target: Right | None) -> Judgement:
        """Return what is to be done about a name, as far as that is known without reading it."""

    @abc.abstractmethod
    def same(self, item: SyncItem) -> Judgement:
        """Return what is to be done about an item whose content is as desired."""

    def prepare(self, items: t.Sequence[SyncItem]) -> None:
        """Raise InvalidInput if no item can be written, before any is downloaded."""

    def send_together(self, items: t.Sequence[SyncItem], report: SyncReport) -> t.Sequence[SyncItem]:
        """Sync and report those items for which less than one request each does; return all others.

        Raises DeadlinePassed.
        """
        del report
        return items

    @abc.abstractmethod
    def work(self, item: SyncItem) -> ItemResult:
        """Sync one item, in a thread. Raises FcdError."""

    def settle(self, plan: SyncPlan, blocked: t.Sequence[BlockedItem], problem: Problem) -> None:
        """Complete the plan with decisions about whole trees; each item that stays blocked is a problem."""

    def replace(self, job: Replacement) -> list[tuple[str, ItemResult | FcdError]]:
        """Return the result of each name, in a thread; after an error, only that, and nothing was replaced."""
        raise NotImplementedError

    def undone(self, written: t.Mapping[str, ItemResult]) -> list[str]:
        """Return the names that are as they were before, although the service has accepted the writes."""
        del written
        return []

    @abc.abstractmethod
    def remove(self, surplus: t.Sequence[Right], report: SyncReport) -> None:
        """Delete what no longer has a source. Raises DeadlinePassed."""

    def judge_contents(self, item: SyncItem, stamp: Stamp, remote: Remote) -> Judgement:
        """Return what is to be done according to listing, stamp and cache; for equal contents, ``same`` decides.

        An item without a reason means that the file must be read.
        """
        known = self.cache.find(self.path(item.name), stamp)
        item = item._replace(known=known)
        if stamp.size != remote.size:
            return item if remote.may_be_dynamic else item._replace(reason="content")
        if self.spec.params["compare"] == SIZE or remote.digest in known:
            return self.same(item)
        if known.md5 is None or remote.large or remote.size > MAX_PLAIN_BYTES:
            return item
        return item._replace(reason="content")

    def read_small(self, item: SyncItem) -> FileDigest | None:
        """Return the digest of a small file, in a thread; None if it cannot be read, or has changed."""
        small = item.small_file()
        return small and read_digest(self.path(item.name), small[0], self.open, bound=self.task.sends is not None)

    def judge_small(self, item: SyncItem, digest: FileDigest | None) -> SyncItem | None:
        """Return the item that the digest of a small file leaves to do, or None."""
        small = item.small_file()
        if digest is None or small is None:
            return item  # it is read alone
        (stamp, remote), known = small, item.known._replace(md5=digest.md5)
        if digest.md5 != remote.hash:
            return item._replace(reason="content", known=known, sha256=digest.sha256)
        self.cache.keep(self.path(item.name), stamp, known, digest.read_at)
        found = self.same(item)
        return found if isinstance(found, SyncItem) else None

    def compare_contents(self, item: SyncItem, remote: Remote) -> Comparison:
        """Compare the MD5 of the file or, for large objects, those of the segments. Raises FcdError."""
        place, known, read_at = self.place(item.name), item.known, time.time_ns()
        content = self.content(item.name)
        if self.task.sends is not None and content.size == remote.size:
            content.read_digests()  # it is read anyway, and bound: compute both digests at once
        same = content.size == remote.size and not remote.large and content.etag == remote.hash
        headers, large = None, known.large
        if not same and _may_be_large(content.size, remote):
            headers = self.storage.object_metadata(*place)
        if headers is not None:
            record = object_record(*place, headers)
            same, large = self._holds(record, headers, content, known), None
            if same:  # how the next run recognizes it: by the listing, or by the ETag of a dynamic one
                large = record["etag"] if record["large_object"] == "dynamic" else remote.digest
        known = KnownDigests(content.known_etag or known.md5, large)
        return Comparison(content, same, self.to_remember(item, content, known), read_at, headers)

    def to_remember(self, item: SyncItem, content: ObjectContent, known: KnownDigests) -> KnownDigests:
        """Return what is known of a content, if it was read from the file that was listed."""
        listed = item.file and item.file.stamp
        return known if content.status and stamp_of(content.status) == listed else NO_DIGESTS

    def _holds(self, record: JsonMapping, headers: Headers, content: ObjectContent, known: KnownDigests) -> bool:
        if not record["large_object"]:  # it may lead to another object, or the listing lags behind
            return bool(record["size"] == content.size and record["etag"] == content.etag)
        if record["etag"] is not None and record["etag"] == known.large:
            return True

        return same_content(self.storage, record, headers, content, self.spec.params["segment_size"])

    def remember(self, item: SyncItem, done: ItemResult) -> None:
        """Cache what was found out about a file."""
        file = item.file
        if file is not None and file.stamp is not None and done.known != NO_DIGESTS:
            self.cache.keep(self.path(item.name), file.stamp, done.known, done.read_at)


def _may_be_large(size: int, remote: Remote) -> bool:
    """Return whether an object may be a large one with a content of ``size`` bytes."""
    return bool(remote.large) or size == remote.size > MAX_PLAIN_BYTES or (size > 0 and remote.may_be_dynamic)


def read_digest(path: str, stamp: Stamp, opener: Opener, *, bound: bool) -> FileDigest | None:
    """Read a small file; None if it cannot be read, or has changed. ``bound``: contents are bound."""
    read_at = time.time_ns()
    try:
        descriptor = opener(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe must not block
        try:
            data = os.read(descriptor, stamp.size + 1)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
    except (OSError, InvalidInput):
        return None
    if len(data) != stamp.size or stamp_of(after) != stamp:
        return None
    return FileDigest(md5(data).hexdigest(), read_at, hashlib.sha256(data).hexdigest() if bound else None)


SyncJob = t.Union[SyncItem, t.List[SyncItem], Replacement]


class WorkQueue:
    """The jobs: replacements, single items, and lists of small files that are read and compared in one go.

    It continues after its end if something is added to ``jobs``, unless it is ``stopped``.
    """

    def __init__(self, items: t.Iterable[SyncItem], replacements: t.Iterable[Replacement] = ()) -> None:
        self.jobs: collections.deque[SyncJob] = collections.deque(replacements)
        self.stopped = False
        together: list[SyncItem] = []
        size = 0
        for item in items:
            small = item.small_file()
            if small is None:
                self.jobs.append(item)
                continue
            if not together or len(together) == MANY or size >= MUCH:
                together, size = [], 0
                self.jobs.append(together)
            together.append(item)
            size += small[0].size

    def __iter__(self) -> WorkQueue:
        return self

    def __next__(self) -> SyncJob:
        if self.stopped or not self.jobs:
            raise StopIteration
        return self.jobs.popleft()
