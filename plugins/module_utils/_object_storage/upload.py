# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the content of an object: from here, in segments, or by a copy inside the service."""

from __future__ import annotations

import threading
import typing as t

from .._connection.task import Task
from .._core.errors import InvalidInput, NotFound, OperationFailed, Rejected, Unclear
from .api import Headers, ObjectStorage, Place
from .content import ObjectContent, Sending, large_etag, md5, md5_of_part, of_text
from .limits import ASK_FROM, Limits
from .records import object_record, read_version
from .segments import (
    MOST,
    ContentPart,
    ExistingSegments,
    Layout,
    ObjectExists,
    Segment,
    check_ours,
    is_stored,
    map_side_by_side,
    missing_container,
    remove_segments,
    segments_of,
    write_large_object,
)

if t.TYPE_CHECKING:
    from .api import Body

Item = t.TypeVar("Item")
ONLY_NEW = {"If-None-Match": "*"}  # a header that makes the service refuse to replace an object (412)


def upload(storage: ObjectStorage, place: Place, headers: Headers, content: ObjectContent, limits: Limits) -> str:
    """Stream the content into the object and return its ETag, which is the MD5 of the content.

    When that is known before, the service gets it first and checks what arrives; else it is computed on the way and
    compared with the answer's. Without an answer the object is looked at: when it holds the content by then, all is
    well. Raises NotFound when the container is missing, Changed when a file is another than before (nothing was
    stored then), ObjectExists with the header ONLY_NEW, Rejected, OperationFailed when the bytes arrive damaged.
    """
    if content.size > ASK_FROM:
        limits.check("max_file_size", content.size, "The content", ask=True)
    etag = send_part(storage, place, headers, Sending(content))
    if etag is not None:
        return etag
    try:
        etag = send_part(storage, place, headers, Sending(content))  # its MD5 is known now, and goes with it
    except Rejected as exc:
        if exc.status != 422:
            raise
    if etag is None:
        raise damaged_upload(place)
    return etag


def send_part(storage: ObjectStorage, place: Place, headers: Headers, sending: Sending) -> str | None:
    """Send the part of a content that ``sending`` stands for once; return its ETag, None when it arrived damaged."""
    if sending.etag is not None:
        headers = {**headers, "ETag": sending.etag}
    try:
        answer = storage.create_object(*place, headers, t.cast("Body", sending.body), sending.length)
    except Unclear:
        if not is_stored(storage, place, sending.etag):
            raise
    except NotFound as exc:
        raise missing_container(place[0], exc) from None
    except Rejected as exc:
        if exc.status == 422:
            raise _other_bytes(place, exc) from None
        check_ours(storage, place, sending.etag, exc)
    else:
        return sending.etag if answer["etag"].strip('"') == sending.etag else None
    return sending.etag


def damaged_upload(place: Place) -> OperationFailed:
    """Return the error for bytes that were sent twice and arrived as others each time."""
    return OperationFailed(
        f"{'/'.join(place)}: the service stored other bytes than were sent (its ETag is another), twice.",
        next_step="The object is damaged: something on the way changes contents. Run the task again when it does not.",
        changed=True,
    )


def copy_plain(storage: ObjectStorage, source: Place, target: Place, headers: Headers, size: int) -> None:
    """Copy inside the service; the headers are all that the copy gets. Raises NotFound, ObjectExists with ONLY_NEW."""
    try:
        storage.copy_object(source, target, {**headers, "X-Fresh-Metadata": "true"}, size)
    except NotFound as exc:
        raise missing_container(target[0], exc, f" (or {'/'.join(source)} has just gone)") from None
    except Rejected as exc:
        if exc.status != 412:
            raise
        raise ObjectExists(exc.message, **exc.details) from None


def _other_bytes(place: Place, error: Rejected) -> Rejected:
    return Rejected(
        f"The service received other bytes for {'/'.join(place)} than were sent (its MD5 check failed).",
        next_step="Nothing was stored: something on the way changes contents. Run the task again when it does not.",
        **error.details,
    )


class CopySource(t.NamedTuple):
    """The object to copy. ``etag`` and ``size`` are those that a copy has; ``segments`` are empty for a plain one.

    ``reader`` is the client that reads it where it is not the current version.
    """

    place: Place
    record: dict[str, t.Any]
    headers: Headers
    etag: str
    size: int
    segments: tuple[Segment, ...] = ()
    reader: ObjectStorage | None = None


def copy_source(
    storage: ObjectStorage, place: Place, option: str = "copy_from", version: str | None = None
) -> CopySource:
    """Read what is known of the object at ``place``, or of a version of it, which an option names.

    Raises InvalidInput when there is none, or it cannot be copied.
    """
    reader, headers = None, None
    if version is None:
        headers = storage.object_metadata(*place)
    else:
        reader, headers = read_version(storage, place, version, option)
    if headers is None:
        text = f"{option}: there is no object {place[1]!r} in a container {place[0]!r}."
        raise InvalidInput(text, option=option)
    record = object_record(*place, headers)
    if not record["large_object"]:
        return CopySource(place, record, headers, record["etag"], record["size"], reader=reader)
    segments = _copied_segments(reader or storage, record, headers, option)
    etag = large_etag(one.etag for one in segments) if segments else md5().hexdigest()
    return CopySource(place, record, headers, etag, sum(one.size for one in segments), segments)


def _copied_segments(
    storage: ObjectStorage, record: dict[str, t.Any], headers: Headers, option: str
) -> tuple[Segment, ...]:
    segments = segments_of(storage, record, headers)
    if not all(one.whole for one in segments):
        raise InvalidInput(
            f"{option}: {record['container']}/{record['name']} is made of parts of objects, or of other large objects.",
            next_step="Such an object cannot be copied; download it and store it anew.",
            option=option,
        )
    return tuple(one for one in segments if one.size)  # the service takes no empty ones in a manifest


class ObjectWriter:
    """Writes objects in the way that their contents need, and removes the segments of those that they replace.

    ``segment_container`` is for new segments, of which ``most`` are written at a time. ``storage`` has to be one that
    threads can share; of threads that share a writer only one at a time writes segments, for these go side by side.
    """

    def __init__(self, task: Task, storage: ObjectStorage, segment_container: str, most: int = MOST) -> None:
        self._task = task
        self._storage = storage
        self._segment_container = segment_container
        self._most = most
        self._one_large = threading.Lock()

    def store(
        self,
        place: Place,
        content: ObjectContent,
        headers: Headers,
        replaced: t.Sequence[Segment],
        each: int | None,
        limits: Limits,
    ) -> str:
        """Store the content and return the ETag (hex), as a large object in segments of ``each`` bytes if given.

        ``replaced`` are the segments of the object that was there before. Raises what ``upload`` does, DeadlinePassed.
        """
        if each is None:
            etag = upload(self._storage, place, headers, content, limits)
            self.remove_segments(place, replaced)
            return etag
        layout = Layout(self._segment_container, place[1], content.version, content.size, each)

        def is_same(part: ContentPart, there: Segment) -> bool:
            return md5_of_part(content, part.start, part.length) == there.etag

        def send(part: ContentPart, name: str) -> Segment:
            target = (layout.container, name)
            for _try in range(2):
                etag = send_part(self._storage, target, {}, Sending(content, part.start, part.length))
                if etag is not None:
                    self._task.tell(f"{'/'.join(target)}: {part.length} bytes sent")
                    return Segment(*target, part.length, etag)
            raise damaged_upload(target)

        parts = [(part.length, part) for part in layout.parts()]
        return self._write_segments(place, headers, layout, parts, is_same, send, replaced)

    def copy(self, source: CopySource, place: Place, headers: Headers, replaced: t.Sequence[Segment]) -> None:
        """Copy the other object; the headers are all that the copy gets. Raises NotFound, ObjectExists, Rejected."""
        if source.segments:
            self._copy_segments(source, place, headers, replaced)
            return
        if source.record["large_object"]:  # one without any segments
            upload(self._storage, place, headers, of_text(""), Limits(dict))
        else:
            guardless = {name: value for name, value in headers.items() if name != "If-None-Match"}
            copy_plain(source.reader or self._storage, source.place, place, guardless, source.size)
        self.remove_segments(place, replaced)

    def _copy_segments(self, source: CopySource, place: Place, headers: Headers, replaced: t.Sequence[Segment]) -> None:
        largest = max(one.size for one in source.segments)
        layout = Layout(self._segment_container, place[1], source.etag, source.size, largest)

        def is_same(segment: Segment, there: Segment) -> bool:
            return there.etag == segment.etag

        def copy(segment: Segment, name: str) -> Segment:
            target, fresh = (layout.container, name), {"X-Fresh-Metadata": "true"}
            try:
                self._storage.copy_object((segment.container, segment.name), target, fresh, segment.size)
            except NotFound as exc:
                doubt = f" (or the segment {segment.name} has just gone)"
                raise missing_container(layout.container, exc, doubt) from None
            return Segment(*target, segment.size, segment.etag)

        parts = [(segment.size, segment) for segment in source.segments]
        self._write_segments(place, headers, layout, parts, is_same, copy, replaced)

    def _write_segments(
        self,
        place: Place,
        headers: Headers,
        layout: Layout,
        parts: t.Sequence[tuple[int, Item]],
        is_same: t.Callable[[Item, Segment], bool],
        write: t.Callable[[Item, str], Segment],
        replaced: t.Sequence[Segment],
    ) -> str:
        """Have all segments at the service, then the manifest that makes an object of them; returns its ETag.

        Nothing shows under the object's name before the manifest is in place, which is checked against the MD5 and
        length of every segment. Segments that a broken run has left are not written again when they are the same; at
        the end all that are not of this content are removed.
        """
        with self._one_large:
            existing = ExistingSegments(self._storage, layout, place[0])

            def segment(numbered: tuple[int, tuple[int, Item]]) -> Segment:
                number, (length, part) = numbered
                there = existing.get(number, length)
                return there if there is not None and is_same(part, there) else write(part, layout.named(number))

            numbered = list(enumerate(parts, start=1))
            segments = map_side_by_side(numbered, segment, most=self._most, deadline=self._task.deadline)
            etag = write_large_object(self._storage, place, headers, segments)
            self.remove_segments(place, [*replaced, *existing.all()], segments)
        return etag

    def remove_segments(self, place: Place, surplus: t.Iterable[Segment], keep: t.Sequence[Segment] = ()) -> None:
        """Delete segments of the object at ``place`` that it needs no more; what stays is told with a warning."""
        remove_segments(self._task, self._storage, place[0], surplus, keep)
