# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Both sides of a sync, gone through together, name by name: what is only here, only there, or differs."""

from __future__ import annotations

import abc
import collections
import enum
import hashlib
import os
import re
import threading
import time
import typing as t

from .._connection.task import Task
from .._core.errors import FcdError, InvalidInput, NotFound, Unusable
from .._engine.plan import Record
from .api import Headers, ObjectStorage, Place
from .checksum_cache import NO_DIGESTS, ChecksumCache, KnownDigests
from .connection import object_storage
from .content import ObjectContent, md5, of_file
from .limits import Features
from .local_tree import Local, LocalTree, Problem, Stamp, Warn, stamp_at, stamp_of
from .properties import object_record
from .sync_spec import PULL, SIZE, SyncSpec

if t.TYPE_CHECKING:
    from .sync_report import ItemResult, SyncReport

MARKER_TYPE = "application/directory"  # of an empty object that stands for a folder. Source: wire-facts 10.5
EMPTY_MD5 = "d41d8cd98f00b204e9800998ecf8427e"
SMALL = 1 << 20  # bytes; what listings do not tell apart from a large object is larger
MANY, MUCH = 64, 1 << 20  # files and bytes in one piece of work
SEGMENT = re.compile(r".+/slo/[^/]+/[0-9]+/[0-9]+/[0-9]{8}", re.DOTALL)  # as segments.Layout calls them


def content_text(size: int, etag: str | None) -> str:
    """Return how a diff shows a content."""
    return f"{size} bytes, MD5 {etag}" if etag else f"{size} bytes"


class Remote(t.NamedTuple):
    """An object as a listing shows it; ``size`` in bytes. ``large``: MD5 of the MD5s of the segments, where listed.

    ``hash`` is the MD5 of what is stored, which is the manifest for a large object.
    """

    name: str
    size: int
    hash: str
    content_type: str
    large: str | None = None

    @property
    def is_folder(self) -> bool:
        """Whether it only stands for a folder."""
        return not self.size and (self.name.endswith("/") or self.content_type.partition(";")[0] == MARKER_TYPE)

    @property
    def may_be_dynamic(self) -> bool:
        """Whether it may be a dynamic large object, which listings show as empty."""
        return not self.size and self.hash == EMPTY_MD5 and not self.is_folder

    @property
    def digest(self) -> str:
        """What stands for the content in a listing."""
        return self.large or self.hash

    def __str__(self) -> str:
        """Return how a diff shows it."""
        return content_text(self.size, self.digest)


Left = t.TypeVar("Left", Local, Remote)
Right = t.TypeVar("Right", Local, Remote)
Pairs = t.Iterator[t.Tuple[str, t.Optional[Left], t.Optional[Right]]]


def march(left: t.Iterable[Left], right: t.Iterable[Right]) -> Pairs[Left, Right]:
    """Yield each name once, in order, with what has it on either side. Both sides must be sorted by name."""
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


def objects_below(storage: ObjectStorage, container: str, prefix: str) -> t.Iterator[Remote]:
    """Yield the objects whose names begin with ``prefix``, by the rest of their names, in order.

    One request for a page, and one for the empty page that is the end; while one is gone through, the next one is on
    its way. Raises InvalidInput when there is no such container, Unusable when the order is not that of UTF-8, without
    which the two sides could not be compared.
    """
    last, asked = "", _PrefetchedPage(storage, container, prefix, "")
    while True:
        try:
            page = asked.page()
        except NotFound as exc:
            raise InvalidInput(
                f"There is no container {container!r}.",
                next_step=f"Create it first, with fcd.cloud.storage_container and name: {container}.",
                container=container,
            ) from exc
        if not page:
            return
        asked = _PrefetchedPage(storage, container, prefix, str(page[-1]["name"]))
        for entry in page:
            name = str(entry["name"])
            if name <= last or not name.startswith(prefix):
                raise Unusable(
                    f"The listing of {container!r} is not in the order of its names: {name!r} comes after {last!r}.",
                    next_step="Nothing was done, since the two sides cannot be compared.",
                    operation="List objects",
                )
            last = name
            if name != prefix:
                large = str(entry["slo_etag"]).strip('"') if entry.get("slo_etag") else None
                content_type = str(entry.get("content_type") or "")
                yield Remote(name[len(prefix) :], int(entry["bytes"]), str(entry["hash"]), content_type, large)


class _PrefetchedPage:
    """A page that a thread asks for. It ends with the process: an interrupt must not wait for the service."""

    def __init__(self, storage: ObjectStorage, container: str, prefix: str, marker: str) -> None:
        self._page: list[dict[str, t.Any]] | None = None
        self._error: BaseException | None = None
        self._list = lambda: storage.list_objects(container, marker=marker, prefix=prefix)
        self._thread = threading.Thread(target=self._ask, name="fcd-cloud-page", daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        try:
            self._page = self._list()
        except BaseException as error:  # noqa: BLE001 - it is raised where the page is wanted
            self._error = error

    def page(self) -> list[dict[str, t.Any]]:
        """Return the page. Raises what the request has raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        if self._page is None:  # the thread ended before it asked: no page is not an empty page
            self._page = self._list()
        return self._page


class SyncItem(t.NamedTuple):
    """A name to bring in sync. ``reason``: why; empty when only reading the content can tell whether it has to be.

    ``sha256``: that of the file, where reading it has shown it already.
    """

    name: str
    source: t.Any
    target: t.Any
    reason: str = ""
    known: KnownDigests = NO_DIGESTS
    sha256: str | None = None


class Verdict(enum.Enum):
    """What there is to know of a name about which nothing is to be done now."""

    IGNORED = "takes no part"
    SAME = "is as desired"
    SURPLUS = "is on the target only"


Judgement = t.Union[SyncItem, FcdError, Verdict]


class SyncRun(t.NamedTuple):
    """What a run of a sync works with; ``warn`` is for warnings of which there may be as many as files."""

    task: Task
    spec: SyncSpec
    features: Features
    cache: ChecksumCache
    warn: Warn


class SyncMode(abc.ABC, t.Generic[Left, Right]):
    """One of push, pull and copy: what is on both sides, what is to be done about each name, and doing it."""

    target: str
    surplus_is: str

    def __init__(self, run: SyncRun) -> None:
        self.task, self.spec, self.features, self.warn = run.task, run.spec, run.features, run.warn
        self.storage = object_storage(run.task)
        self._cache = run.cache
        self._start = os.path.join(run.spec.root, "")

    def path(self, name: str) -> str:
        """Return the path of the file for a relative name."""
        return self._start + name

    def place(self, name: str) -> Place:
        """Return container and object for a relative name."""
        return self.spec.container, self.spec.prefix + name

    def objects_at(self, place: Place) -> t.Iterator[Remote]:
        """Yield the objects at ``place`` (container, prefix) that the filter takes; segments of large ones never are.

        A container that is not there counts as empty where an earlier task in check mode may be going to make it.
        """
        spec, in_segments = self.spec, place[0] == self.spec.segment_container
        try:
            for entry in objects_below(self.storage, *place):
                if spec.names.takes(entry.name.rstrip("/")) and not (in_segments and SEGMENT.fullmatch(entry.name)):
                    yield entry
        except InvalidInput as error:
            if spec.mode == PULL or place == spec.source:
                error.next_step = "Check its name, and the account of storage_user."
            self.task.refuse_unless_made(error)

    def files(self, symlinks: str, problem: Problem) -> LocalTree:
        """Return the files that the filter takes."""
        empty = self.spec.params["empty_directories"]
        return LocalTree(
            self.spec.root, self.spec.names, symlinks=symlinks, warn=self.warn, problem=problem, empty=empty
        )

    @abc.abstractmethod
    def pairs(self, problem: Problem) -> Pairs[Left, Right]:
        """Yield each name with what has it on source and target."""

    @abc.abstractmethod
    def judge(self, name: str, source: Left | None, target: Right | None) -> Judgement:
        """Return what is to be done about a name, as far as can be told without reading."""

    @abc.abstractmethod
    def same(self, item: SyncItem) -> Judgement:
        """Return what is to be done about an item whose content is as desired."""

    def prepare(self, items: t.Sequence[SyncItem]) -> None:
        """Raise InvalidInput when none of the items can be written, before any is fetched."""

    def sides(self, item: SyncItem) -> tuple[Local | None, Remote | None]:
        """Return the file and the object that an item is about, where its content may have to be read."""
        del item
        return None, None

    def judge_contents(self, item: SyncItem, local: Local, remote: Remote) -> Judgement:
        """Return what is to be done as far as listing, stamp and cache tell, for equal contents what ``same`` says.

        An item without a reason says that the file has to be read.
        """
        stamp = local.stamp
        if stamp is None:
            raise AssertionError(local)
        known = self._cache.find(self.path(item.name), stamp)
        item = item._replace(known=known)
        if stamp.size != remote.size:
            return item if remote.may_be_dynamic else item._replace(reason="content")
        if self.spec.params["compare"] == SIZE or remote.digest in known:
            return self.same(item)
        if known.md5 is None or remote.large or remote.size > SMALL:
            return item
        return item._replace(reason="content")

    def file_to_read(self, item: SyncItem) -> FileToRead | None:
        """Return what there is to read, where its MD5 alone tells whether there is anything to do."""
        local, remote = self.sides(item)
        if item.reason or local is None or local.stamp is None or remote is None:
            return None
        if not only_md5_tells(local.stamp, remote):
            return None
        return FileToRead(self.path(item.name), local.stamp, remote, self.task.sends is not None)

    def compare_contents(self, item: SyncItem, remote: Remote) -> Comparison:
        """Compare by the MD5 of the file, and with large objects by those of the segments. Raises FcdError."""
        path, place, known = self.path(item.name), self.place(item.name), item.known
        read_at, stamp = time.time_ns(), stamp_at(path)
        content = self._content(path, remote)
        same = content.size == remote.size and not remote.large and content.etag == remote.hash
        headers, large = None, known.large
        if not same and _may_be_large(content.size, remote):
            headers = self.storage.object_metadata(*place)
        if headers is not None:
            record = object_record(*place, headers)
            same, large = self._holds(record, headers, content, known), None
            if same:  # what the next run can tell it by: what is listed, or the ETag of a dynamic one
                large = record["etag"] if record["large_object"] == "dynamic" else remote.digest
        return Comparison(content, same, KnownDigests(content.known_etag or known.md5, large), read_at, stamp, headers)

    def _content(self, path: str, remote: Remote) -> ObjectContent:
        """Return the content of a file; where it is read to be compared, and is bound, that tells both digests."""
        content = of_file(path, "path")
        return content if self.task.sends is None or content.size != remote.size else content.with_sha256()

    def _holds(self, record: Record, headers: Headers, content: ObjectContent, known: KnownDigests) -> bool:
        if not record["large_object"]:  # it may lead to another object, or the listing lags behind
            return bool(record["size"] == content.size and record["etag"] == content.etag)
        if record["etag"] is not None and record["etag"] == known.large:
            return True
        from .segments import same_content

        return same_content(self.storage, record, headers, content, self.spec.params["segment_size"])

    @abc.abstractmethod
    def work(self, item: SyncItem) -> ItemResult:
        """Bring one item in sync, in a thread. Raises FcdError."""

    def learn(self, item: SyncItem, done: ItemResult) -> None:
        """Remember what the work has found out about a file, if it is still the same."""
        local, known = self.sides(item)[0], done.known
        if local is None or local.stamp is None or known == NO_DIGESTS:
            return
        path = self.path(local.name)
        if stamp_at(path) == local.stamp:
            self._cache.keep(path, local.stamp, known, done.read_at)

    @abc.abstractmethod
    def remove(self, surplus: t.Sequence[Right], report: SyncReport) -> None:
        """Delete what has no source any more. Raises DeadlinePassed."""


class Comparison(t.NamedTuple):
    """What was found out by reading: the content, whether it is the same, what is to be remembered, and when it began.

    ``stamp`` is that of the file before. ``headers`` are the object's, where they had to be asked for.
    """

    content: ObjectContent
    same: bool
    known: KnownDigests
    read_at: int
    stamp: Stamp | None
    headers: Headers | None = None


def _may_be_large(size: int, remote: Remote) -> bool:
    """Return whether an object may be a large one with a content of ``size`` bytes."""
    return bool(remote.large) or size == remote.size > SMALL or (size > 0 and remote.may_be_dynamic)


class FileDigest(t.NamedTuple):
    """The MD5 (hex) of a file as it was when the folder was read, and when its reading began, in ns since 1970.

    ``sha256`` (hex) where contents are bound.
    """

    md5: str
    read_at: int
    sha256: str | None = None


class FileToRead(t.NamedTuple):
    """A file to compare with an object by its MD5. ``bound``: contents are bound."""

    path: str
    stamp: Stamp
    remote: Remote
    bound: bool = False


def only_md5_tells(stamp: Stamp, remote: Remote) -> bool:
    """Return whether file and object are the same when their MD5s are, and nothing else has to be looked at."""
    return stamp.size == remote.size <= SMALL and not remote.large


def read_all(files: t.Iterable[FileToRead | None]) -> list[FileDigest | None]:
    """Read the files; None for one that cannot be read, or is another by now."""
    return [None if file is None else _digest_of(file.path, file.stamp, bound=file.bound) for file in files]


def _digest_of(path: str, stamp: Stamp, *, bound: bool) -> FileDigest | None:
    read_at = time.time_ns()
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe must not keep it waiting
        try:
            data = os.read(descriptor, stamp.size + 1)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        return None
    if len(data) != stamp.size or stamp_of(after) != stamp:
        return None
    return FileDigest(md5(data).hexdigest(), read_at, hashlib.sha256(data).hexdigest() if bound else None)


class WorkQueue:
    """What there is to do, one item after the other, but small files to be read only as lists of items.

    ``reading`` returns what there is to read for an item of the latter kind. After its end it goes on when something is
    put back.
    """

    def __init__(self, items: t.Iterable[SyncItem], reading: t.Callable[[SyncItem], FileToRead | None]) -> None:
        self._items = iter(items)
        self._reading = reading
        self._back: collections.deque[SyncItem] = collections.deque()
        self._stopped = False

    def __iter__(self) -> WorkQueue:
        """Return itself."""
        return self

    def __next__(self) -> SyncItem | list[SyncItem]:
        """Return what is next."""
        if self._stopped:
            raise StopIteration
        if self._back:
            return self._back.popleft()
        together: list[SyncItem] = []
        size = 0
        for item in self._items:
            file = self._reading(item)
            if file is None:
                if not together:
                    return item
                self._back.append(item)
                break
            together.append(item)
            size += file.stamp.size
            if len(together) == MANY or size >= MUCH:
                break
        if not together:
            raise StopIteration
        return together

    def put_back(self, item: SyncItem) -> None:
        """Have this done by itself."""
        self._back.append(item)

    def stop(self) -> None:
        """End: nothing of the rest makes sense."""
        self._stopped = True
