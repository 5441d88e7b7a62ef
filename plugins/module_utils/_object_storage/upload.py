# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Store a content as an object, in one piece or in segments, and know that it arrived undamaged."""

from __future__ import annotations

import json
import threading
import typing as t

from .._connection.task import Task
from .._core.errors import FcdError, NotFound, OperationFailed, Rejected, confirmed
from .api import Headers, ObjectStorage, Place, missing_container
from .content import Bytes, Digester, ObjectContent, OpenContent, large_etag, md5_of_part
from .limits import ASK_FROM, AT_A_TIME, Features

if t.TYPE_CHECKING:
    from .api import Body
    from .segments import Layout, Segment

ONLY_NEW = {"If-None-Match": "*"}  # a header that makes the service refuse to replace an object (412)


class Sending:
    """Opens a content for each try to send it, and knows the MD5 of what the last try has read, once that is all."""

    def __init__(self, content: ObjectContent, start: int = 0, length: int | None = None) -> None:
        self._content = content
        self._start = start
        self.length = content.size - start if length is None else length
        self._whole = self.length == content.size
        self._reading: OpenContent | None = None
        self._digester = Digester(0)
        self._read = 0

    @property
    def body(self) -> bytes | t.Callable[[], OpenContent]:
        """What to send: bytes that are held in memory anyway, or the function that opens them anew."""
        return self._content.data if self._whole and isinstance(self._content, Bytes) else self.open

    def open(self) -> OpenContent:
        """Open it for the next try."""
        reading = self._content.open(self._start, self.length)
        if self._whole and self._content.known_etag is not None:
            return reading
        self._digester.close()
        self._reading, self._digester, self._read = reading, Digester(self.length), 0
        return self

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes for this try, none at the end. Raises Changed."""
        piece = b"" if self._reading is None else self._reading.read(size)
        self._read += len(piece)
        self._digester.update(piece)
        return piece

    def close(self) -> None:
        """End this try."""
        if self._reading is not None:
            self._reading.close()
        if self._read != self.length:
            self._digester.close()

    @property
    def etag(self) -> str | None:
        """The MD5 in hex; None when it is not known, for not all was read."""
        if self._whole and self._content.known_etag is not None:
            return self._content.known_etag
        if self._reading is None or self._read != self.length:
            return None
        found = self._digester.hexdigest()
        if self._whole:
            self._content.known_etag = found
        return found


class ObjectExists(Rejected):
    """There is an object already, and it was not to be replaced."""


def upload(storage: ObjectStorage, place: Place, headers: Headers, content: ObjectContent, features: Features) -> str:
    """Stream the content into the object and return its ETag, which is the MD5 of the content.

    When that is known before, the service gets it first and checks what arrives; else it is computed on the way and
    compared with the answer's. Without an answer the object is looked at: when it holds the content by then, all is
    well. Raises NotFound when the container is missing, Changed when a file is another than before (nothing was
    stored then), ObjectExists with the header ONLY_NEW, Rejected, OperationFailed when the bytes arrive damaged.
    """
    if content.size > ASK_FROM:
        features.check_limit("max_file_size", content.size, "The content", ask=True)
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

    def send() -> Headers:
        return storage.create_object(*place, headers, t.cast("Body", sending.body), sending.length)

    try:
        etag = _etag_stored(storage, place, send, lambda: sending.etag)
    except Rejected as exc:
        if exc.status != 422:
            raise
        raise Rejected(
            f"The service received other content for {'/'.join(place)} than was sent (its MD5 check failed).",
            next_step="Nothing was stored. Something in between changes the content; run the task again when it no "
            "longer does.",
            **exc.details,
        ) from None
    return etag if etag == sending.etag else None


def _etag_stored(
    storage: ObjectStorage, place: Place, send: t.Callable[[], Headers], etag: t.Callable[[], str | None]
) -> str | None:
    """Send what makes an object, and return the ETag of it. ``etag`` returns the desired one, once all was sent.

    Without an answer the object is looked at, and also when one is in the way of a request that was sent again: it may
    be what the first try has made. Raises ObjectExists.
    """
    answer: Headers = {}
    try:
        confirmed(lambda: answer.update(send()), lambda: _is_stored(storage, place, etag()))
    except NotFound as exc:
        raise missing_container(place[0], exc) from None
    except Rejected as exc:
        if exc.status != 412:
            raise
        raise ObjectExists(f"There is an object {'/'.join(place)} already.", **exc.details) from None
    return answer["etag"].strip('"') if answer else etag()


def _is_stored(storage: ObjectStorage, place: Place, etag: str | None) -> bool:
    """Return whether the object has this ETag; False where that cannot be told."""
    try:
        found = storage.object_metadata(*place)
    except FcdError:
        return False
    return found is not None and etag is not None and found["etag"].strip('"') == etag


def damaged_upload(place: Place) -> OperationFailed:
    """Return the error for bytes that were sent twice and arrived as others each time."""
    return OperationFailed(
        f"{'/'.join(place)}: the service stored other content than was sent (the ETag differs), twice.",
        next_step="The object is damaged. Something in between changes the content; run the task again when it no "
        "longer does.",
        changed=True,
    )


def write_large_object(storage: ObjectStorage, place: Place, headers: Headers, segments: t.Sequence[Segment]) -> str:
    """Make a static large object of the segments and return its ETag. The service checks length and MD5 of each.

    With the ETag goes that a service which knows no large objects stores nothing. Raises NotFound, ObjectExists,
    Rejected, also when a segment is missing or is not as stated.
    """
    etag = large_etag(segment.etag for segment in segments)
    manifest = [{"path": f"/{one.container}/{one.name}", "etag": one.etag, "size_bytes": one.size} for one in segments]
    body = json.dumps(manifest).encode("utf-8")

    def send() -> Headers:
        answer = storage.send(
            "Write manifest",
            "PUT",
            storage.address(*place),
            headers={**headers, "ETag": etag},
            params={"multipart-manifest": "put"},
            body=body,
            length=len(body),
            marks=("etag",),
        )
        return dict(answer.headers)

    try:
        _etag_stored(storage, place, send, lambda: etag)
    except Rejected as exc:
        if exc.status != 422:
            raise
        raise Rejected(
            f"The service did not create the large object {'/'.join(place)} from its segments (HTTP 422).",
            next_step="It may not support large objects: set segment_threshold above the size of the content.",
            **exc.details,
        ) from None
    return etag


class ObjectWriter:
    """Writes objects in the way that their contents need, and removes the segments of those that they replace.

    ``segment_container`` is for new segments. ``storage`` has to be one that
    threads can share; of threads that share a writer only one at a time writes segments, for these go side by side.
    """

    def __init__(self, task: Task, storage: ObjectStorage, features: Features, segment_container: str) -> None:
        self.storage = storage
        self._features = features
        self.segment_container = segment_container
        self._task = task
        self._one_large = threading.Lock()

    def store(
        self, place: Place, content: ObjectContent, headers: Headers, replaced: t.Sequence[Segment], each: int | None
    ) -> str:
        """Store the content and return the ETag (hex), as a large object in segments of ``each`` bytes if given.

        ``replaced`` are the segments of the object that was there before. Raises what ``upload`` does, DeadlinePassed.
        """
        if each is None:
            etag = upload(self.storage, place, headers, content, self._features)
            self.remove_segments(place, replaced)
            return etag
        from .segments import Layout, Segment

        layout = Layout(self.segment_container, place[1], content.version, content.size, each)
        parts = layout.parts()

        def segment(number: int, name: str, found: Segment | None) -> Segment:
            start, length = parts[number]
            if found is not None and md5_of_part(content, start, length) == found.etag:
                return found
            target = (layout.container, name)
            for _try in range(2):
                etag = send_part(self.storage, target, {}, Sending(content, start, length))
                if etag is not None:
                    self._task.tell(f"{'/'.join(target)}: {length} bytes sent")
                    return Segment(*target, length, etag)
            raise damaged_upload(target)

        return self.write_segments(place, headers, layout, [length for _start, length in parts], segment, replaced)

    def write_segments(
        self,
        place: Place,
        headers: Headers,
        layout: Layout,
        lengths: t.Sequence[int],
        segment: t.Callable[[int, str, t.Optional[Segment]], Segment],
        replaced: t.Sequence[Segment],
    ) -> str:
        """Have all segments at the service, then the manifest that makes an object of them; returns its ETag.

        ``segment`` gets the number of each (from 0 on), its name, and what a broken run may have left of this name and
        length; it returns that when it is the same, or writes it. Nothing shows under the object's name before the
        manifest is in place, which is checked against the MD5 and length of every segment. At the end all segments that
        are not of this content are removed.
        """
        from .._engine.scheduler import map_in_threads
        from .segments import segments_left

        with self._one_large:
            existing = segments_left(self.storage, layout, place[0])

            def one(number: int) -> Segment:
                name = layout.named(number + 1)
                found = existing.get(name)
                return segment(number, name, found if found is not None and found.size == lengths[number] else None)

            segments = map_in_threads(range(len(lengths)), one, deadline=self._task.deadline, most=AT_A_TIME)
            etag = write_large_object(self.storage, place, headers, segments)
            self.remove_segments(place, [*replaced, *existing.values()], segments)
        return etag

    def remove_segments(self, place: Place, surplus: t.Sequence[Segment], keep: t.Sequence[Segment] = ()) -> None:
        """Delete segments of the object at ``place`` that it needs no more; what stays is told with a warning."""
        if surplus:
            from .segments import remove_segments

            remove_segments(self._task, self.storage, place[0], surplus, keep)
