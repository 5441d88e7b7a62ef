# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The segments of large objects: which contents have them, what they are called, and what becomes of them.

Source: wire-facts 10.7.
"""

from __future__ import annotations

import re
import typing as t
from urllib.parse import unquote

from .._connection.task import Task
from .._core.clock import Deadline
from .._core.errors import FcdError, NotFound, Rejected, Unclear
from .._core.text import digest, listed
from .._engine.scheduler import side_by_side
from .api import Headers, ObjectStorage, Place, read_manifest, write_manifest
from .content import ObjectContent, large_etag, md5s_of_parts
from .limits import segment_size
from .records import keeps_old_versions

MOST = 4  # requests for segments at a time: each is long, so that more of them gain little
LONG_NAME = 900  # bytes; the name of a segment is longer than that of its object by at most 100
OURS = re.compile(r"[^/]+/[0-9]+/[0-9]+/[0-9]{8}")
SHOWN = 3  # names in a warning

Item = t.TypeVar("Item")
Value = t.TypeVar("Value")


class ObjectExists(Rejected):
    """There is an object already, and it was not to be replaced."""


class Segment(t.NamedTuple):
    """A part of a large object. ``whole`` is False for a range of an object, or one that is made of segments itself."""

    container: str
    name: str
    size: int
    etag: str
    whole: bool = True

    @property
    def place(self) -> Place:
        """Container and object."""
        return self.container, self.name


class ContentPart(t.NamedTuple):
    """A part of a content, in bytes from its start."""

    start: int
    length: int


class Layout(t.NamedTuple):
    """Where the segments of an object are: ``<object>/slo/<version>/<size>/<segment size>/<number>``.

    A second run with the same content finds the same names. They are like those of other clients of the interface.
    """

    container: str
    name: str
    version: str
    size: int
    segment_size: int

    @property
    def folder(self) -> str:
        """What the names of all segments of the object begin with, those of other contents too."""
        return f"{self.name if len(self.name.encode('utf-8')) <= LONG_NAME else digest(self.name)}/slo/"

    def named(self, number: int) -> str:
        """Return the name of a segment."""
        return f"{self.folder}{self.version}/{self.size}/{self.segment_size}/{number:08d}"

    def parts(self) -> list[ContentPart]:
        """Return the parts of the content, in order."""
        starts = range(0, self.size, self.segment_size)
        return [ContentPart(start, min(self.segment_size, self.size - start)) for start in starts]


class ExistingSegments:
    """The segments of one object in their container, as they are before anything is sent."""

    def __init__(self, storage: ObjectStorage, layout: Layout, main: str) -> None:
        """List what is there; a missing container is made, as readable as the container ``main`` of the object."""
        self._layout = layout
        self._found: dict[str, Segment] = {}
        try:
            for entry in storage.all_objects(layout.container, layout.folder):
                name = str(entry["name"])
                if OURS.fullmatch(name[len(layout.folder) :]):
                    self._found[name] = Segment(layout.container, name, int(entry["bytes"]), str(entry["hash"]))
        except NotFound:
            _make_container(storage, layout.container, main)

    def get(self, number: int, length: int) -> Segment | None:
        """Return a segment that is there already with this length."""
        found = self._found.get(self._layout.named(number))
        return found if found is not None and found.size == length else None

    def all(self) -> list[Segment]:
        """Return all segments of the object, those of other contents too."""
        return list(self._found.values())


def _make_container(storage: ObjectStorage, container: str, main: str) -> None:
    """Make a container for segments. Who may read the object must be allowed to read them too."""
    like = storage.container_metadata(main)
    if like is None:
        raise missing_container(main, NotFound(f"There is no container {main!r}."))
    kept = {name: like[name] for name in ("x-container-read", "x-storage-policy") if like.get(name)}
    storage.create_container(container, kept)


def map_side_by_side(
    items: t.Sequence[Item], work: t.Callable[[Item], Value], *, deadline: Deadline, most: int = MOST
) -> list[Value]:
    """Do the work for all items side by side and return the values in order. The first error ends it and is raised."""
    values: dict[int, Value] = {}
    failed: list[FcdError] = []

    def one(pair: tuple[int, Item]) -> None:
        number, item = pair
        if failed:
            return
        try:
            values[number] = work(item)
        except FcdError as error:
            failed.append(error)

    side_by_side(enumerate(items), one, most=most, deadline=deadline, ended=lambda _pair, _none: None)
    if failed:
        raise failed[0]
    return [values[number] for number in range(len(items))]


def write_large_object(storage: ObjectStorage, place: Place, headers: Headers, segments: t.Sequence[Segment]) -> str:
    """Make a large object of the segments and return its ETag. The service checks length and MD5 of each.

    With the ETag goes that a service which knows no large objects stores nothing. Raises NotFound, ObjectExists,
    Rejected.
    """
    etag = large_etag(segment.etag for segment in segments)
    manifest = [{"path": f"/{one.container}/{one.name}", "etag": one.etag, "size_bytes": one.size} for one in segments]
    try:
        write_manifest(storage, *place, {**headers, "ETag": etag}, manifest)
    except Unclear:
        if not is_stored(storage, place, etag):
            raise
    except NotFound as exc:
        raise missing_container(place[0], exc) from None
    except Rejected as exc:
        if exc.status == 422:
            raise _no_large_object(place, exc) from None
        check_ours(storage, place, etag, exc)
    return etag


def check_ours(storage: ObjectStorage, place: Place, etag: str | None, refusal: Rejected) -> None:
    """Raise ObjectExists when an object with other content was in the way, or the refusal if it has another cause.

    A request may have been sent again whose first answer was lost: then what is in the way is ours.
    """
    if refusal.status != 412:
        raise refusal
    if not is_stored(storage, place, etag):
        raise ObjectExists(f"There is an object {'/'.join(place)} already.", **refusal.details) from None


def remove_segments(
    task: Task, storage: ObjectStorage, container: str, surplus: t.Iterable[Segment], keep: t.Sequence[Segment]
) -> None:
    """Delete segments that no object needs any more, but for those to keep. What stays is told with a warning.

    None is deleted when ``container``, that of the large object, keeps versions: these need their segments.
    """
    places = {one.place: None for one in surplus}
    for one in keep:
        places.pop(one.place, None)
    if not places or _needed_by_versions(storage, container, task.warn):
        return
    left: list[str] = []
    reasons: list[FcdError] = []

    def ended(place: Place, value: FcdError | None) -> None:
        if isinstance(value, FcdError):
            left.append("/".join(place))
            reasons.append(value)

    def delete(place: Place) -> None:
        storage.delete_object(*place)

    try:
        side_by_side(places, delete, most=MOST, deadline=task.deadline, ended=ended)
    except FcdError as late:
        reasons.append(late)
    if reasons:
        names = f": {listed(left, SHOWN)}" if left else ""
        task.warn(f"Old segments could not be deleted and stay{names} ({reasons[0].message})")


def _needed_by_versions(storage: ObjectStorage, container: str, warn: t.Callable[[str], None]) -> bool:
    try:
        return keeps_old_versions(storage, container)
    except FcdError as error:
        warn(f"Old segments stay: whether {container!r} keeps versions could not be found out ({error.message})")
        return True


def missing_container(container: str, error: NotFound, doubt: str = "") -> NotFound:
    """Return the error that names a missing container and how to make it."""
    return NotFound(
        f"There is no container {container!r}{doubt}.",
        next_step=f"Create it first, with fcd.cloud.storage_container and name: {container}.",
        **error.details,
    )


def is_stored(storage: ObjectStorage, place: Place, etag: str | None) -> bool:
    """Return whether the object has this ETag; False where that cannot be told."""
    try:
        found = storage.object_metadata(*place)
    except FcdError:
        return False
    return found is not None and etag is not None and found["etag"].strip('"') == etag


def _no_large_object(place: Place, error: Rejected) -> Rejected:
    return Rejected(
        f"The service did not make a large object {'/'.join(place)} of its segments (HTTP 422).",
        next_step="It may not know large objects: set segment_threshold above the size of the content.",
        **error.details,
    )


Record = t.Mapping[str, t.Any]


def segments_of(storage: ObjectStorage, record: Record, headers: Headers) -> list[Segment]:
    """Return the segments of a large object in their order. Raises ServiceError when they may not be read."""
    if record["large_object"] == "dynamic":
        return _listed(storage, headers["x-object-manifest"])
    return [_segment(entry) for entry in read_manifest(storage, record["container"], record["name"])]


def readable_segments(storage: ObjectStorage, record: Record, headers: Headers) -> list[Segment] | None:
    """Return the segments, or None where they tell nothing about the content.

    That is when one is only a range of an object, or is made of segments itself, or when they may not be read.
    """
    try:
        segments = segments_of(storage, record, headers)
    except FcdError:
        return None
    return segments if all(one.whole for one in segments) else None


def same_content(
    storage: ObjectStorage, record: Record, headers: Headers, content: ObjectContent, preferred_size: int | None
) -> bool:
    """Return whether a large object holds these bytes; False where that cannot be found out.

    The content is cut as it would be cut for sending (``preferred_size``, as for ``segment_size``), which gives the
    ETag that the object should have. When it has another one, the content is cut where the segments end, and the MD5 of
    each part is compared with theirs.
    """
    if record["size"] not in (None, content.size):
        return False
    usual = _lengths(content.size, preferred_size or segment_size(content.size, None))
    etags = list(md5s_of_parts(content, usual)) if len(usual) > 1 and record["etag"] is not None else []
    if etags and large_etag(etags) == record["etag"]:
        return True
    segments = readable_segments(storage, record, headers)
    return segments is not None and _hold(segments, content, usual if etags else [], etags)


def _hold(segments: list[Segment], content: ObjectContent, usual: list[int], etags: list[str]) -> bool:
    """Return whether the segments hold the content, of which parts of the ``usual`` lengths have these ETags."""
    lengths = [one.size for one in segments]
    if sum(lengths) != content.size:
        return False
    parts = etags if usual and lengths == usual else md5s_of_parts(content, lengths)
    return all(etag == one.etag for etag, one in zip(parts, segments))


def segmented_etag(content: ObjectContent, each: int) -> str:
    """Return the ETag that the content has in segments of ``each`` bytes. Raises Changed, InvalidInput."""
    return large_etag(md5s_of_parts(content, _lengths(content.size, each)))


def own_segments(
    storage: ObjectStorage, record: Record | None, headers: Headers, warn: t.Callable[[str], None]
) -> list[Segment]:
    """Return the segments that nothing needs once the object is replaced: of a static one, and named after it.

    That others stay is told with ``warn``.
    """
    if record is None or not record["large_object"]:
        return []
    place = f"{record['container']}/{record['name']}"
    try:
        segments = segments_of(storage, record, headers) if record["large_object"] == "static" else []
    except FcdError as error:
        warn(f"{place} was a large object; its segments could not be read and stay ({error.message})")
        return []
    own = [one for one in segments if one.whole and one.name.startswith(f"{record['name']}/")]
    if len(own) < len(segments) or record["large_object"] == "dynamic":
        warn(f"{place} was a large object ({record['large_object']}); segments that are not named after it stay.")
    return own


def _lengths(size: int, each: int) -> list[int]:
    full, rest = divmod(size, each)
    return [each] * full + ([rest] if rest else [])


def _segment(entry: t.Mapping[str, t.Any]) -> Segment:
    container, _slash, name = str(entry.get("name", "")).lstrip("/").partition("/")
    whole = "name" in entry and "range" not in entry and not entry.get("sub_slo")  # without a name: bytes of its own
    return Segment(container, name, int(entry.get("bytes", 0)), str(entry.get("hash", "")), whole)


def _listed(storage: ObjectStorage, manifest: str) -> list[Segment]:
    container, _slash, prefix = unquote(manifest).partition("/")
    return [
        Segment(container, str(entry["name"]), int(entry["bytes"]), str(entry["hash"]), "slo_etag" not in entry)
        for entry in storage.all_objects(container, prefix)
    ]
