# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The segments of large objects: when they are needed, their names, and writing and removing them.

Source: docs/service/storage.md, "Optional features".
"""

from __future__ import annotations

import json
import re
import threading
import typing as t
from urllib.parse import unquote

from .._connection.task import Params, Task
from .._core.errors import FcdError, InvalidInput, NotFound, Rejected, Unclear, Unusable
from .._core.text import digest, join_names
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.scheduler import map_in_threads, run_in_threads
from .api import AT_A_TIME, MAX_LIST_TRIES, Headers, ObjectPlace, ObjectStorage, keeps_old_versions
from .container_writes import create_container
from .content import ASK_FROM, ObjectContent, large_etag, md5_of_part, md5s_of_parts
from .features import Features, positive_number_in
from .object_writes import HashingReader, damaged_upload, missing_container, send_part, store_and_confirm, upload

LONG_NAME = 900  # bytes; the name of a segment is at most 100 bytes longer than its object's
OWN_SEGMENT = re.compile(r"[^/]+/[0-9]+/[0-9]+/[0-9]{8}")
MAX_SHOWN_SEGMENTS = 3  # names in a warning


class Segment(t.NamedTuple):
    """A part of a large object. ``whole`` is False for a range of an object, or for one that has segments itself."""

    container: str
    name: str
    size: int
    etag: str
    whole: bool = True

    @property
    def place(self) -> ObjectPlace:
        return self.container, self.name


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
        """The prefix of all segments of the object, including those of other contents."""
        return f"{self.name if len(self.name.encode('utf-8')) <= LONG_NAME else digest(self.name)}/slo/"

    def segment_name(self, number: int) -> str:
        return f"{self.folder}{self.version}/{self.size}/{self.segment_size}/{number:08d}"


def find_leftovers(storage: ObjectStorage, layout: Layout, main: str) -> dict[str, Segment]:
    """Return the existing segments of an object by name, including those of other contents, before anything is sent.

    A missing container is created; whoever can read objects in ``main`` can read it too.
    """
    found: dict[str, Segment] = {}
    try:
        for entry in storage.all_objects(layout.container, layout.folder):
            name = str(entry["name"])
            if OWN_SEGMENT.fullmatch(name[len(layout.folder) :]):
                found[name] = Segment(layout.container, name, int(entry["bytes"]), str(entry["hash"]))
    except NotFound:
        like = storage.container_metadata(main)
        if like is None:
            raise missing_container(main, NotFound(f"There is no container {main!r}.")) from None
        kept = {name: like[name] for name in ("x-container-read", "x-storage-policy") if like.get(name)}
        create_container(storage, layout.container, kept)
    return found


def segments_of(storage: ObjectStorage, record: JsonMapping, headers: Headers) -> list[Segment]:
    """Return the segments of a large object in order. Raises ServiceError if they may not be read."""
    if record["large_object"] == "dynamic":
        container, _slash, prefix = unquote(headers["x-object-manifest"]).partition("/")
        return [
            Segment(container, str(entry["name"]), int(entry["bytes"]), str(entry["hash"]), "slo_etag" not in entry)
            for entry in storage.all_objects(container, prefix)
        ]
    segments = []
    for entry in read_manifest(storage, record["container"], record["name"]):
        container, _slash, name = str(entry.get("name", "")).lstrip("/").partition("/")
        whole = "name" in entry and "range" not in entry and not entry.get("sub_slo")  # without a name: inline data
        segments.append(Segment(container, name, int(entry.get("bytes", 0)), str(entry.get("hash", "")), whole))
    return segments


def readable_segments(storage: ObjectStorage, record: JsonMapping, headers: Headers) -> list[Segment] | None:
    """Return the segments, or None if they say nothing about the content.

    That is so if one is only a range of an object or has segments itself, or if they may not be read.
    """
    try:
        segments = segments_of(storage, record, headers)
    except FcdError:
        return None
    return segments if all(one.whole for one in segments) else None


def same_content(
    storage: ObjectStorage, record: JsonMapping, headers: Headers, content: ObjectContent, preferred_size: int | None
) -> bool:
    """Return whether a large object has this content; False if that cannot be found out.

    The content is split as for sending (``preferred_size``, as for ``segment_size``), which gives the ETag that the
    object should have. If it has another one, the content is split where the segments end, and the MD5s are compared.
    """
    if record["size"] not in (None, content.size):
        return False
    usual = segment_lengths(content.size, preferred_size or segment_size(content.size, None))
    etags = list(md5s_of_parts(content, usual)) if len(usual) > 1 and record["etag"] is not None else []
    if etags and large_etag(etags) == record["etag"]:
        return True
    segments = readable_segments(storage, record, headers)
    return segments is not None and _match_content(segments, content, usual if etags else [], etags)


def _match_content(segments: list[Segment], content: ObjectContent, usual: list[int], etags: list[str]) -> bool:
    """Return whether the segments hold the content, of which parts of the ``usual`` lengths have these ETags."""
    lengths = [one.size for one in segments]
    if sum(lengths) != content.size:
        return False
    parts = etags if usual and lengths == usual else md5s_of_parts(content, lengths)
    return all(etag == one.etag for etag, one in zip(parts, segments))


def etag_in_segments(content: ObjectContent, each: int) -> str:
    """Return the ETag that the content has in segments of ``each`` bytes. Raises FileChanged, InvalidInput."""
    return large_etag(md5s_of_parts(content, segment_lengths(content.size, each)))


def own_segments(
    storage: ObjectStorage, record: JsonMapping | None, headers: Headers, warn: t.Callable[[str], None]
) -> list[Segment]:
    """Return the segments that nothing needs once the object is replaced: those of a static one, named after it.

    ``warn`` gets a text if others stay.
    """
    if record is None or not record["large_object"]:
        return []
    place = f"{record['container']}/{record['name']}"
    try:
        segments = segments_of(storage, record, headers) if record["large_object"] == "static" else []
    except FcdError as error:
        warn(f"{place} was a large object; its segments could not be read and are kept ({error.message})")
        return []
    own = [one for one in segments if one.whole and one.name.startswith(f"{record['name']}/")]
    if len(own) < len(segments) or record["large_object"] == "dynamic":
        warn(f"{place} was a large object ({record['large_object']}); segments that are not named after it are kept.")
    return own


def segment_lengths(size: int, each: int) -> list[int]:
    """Return the lengths of the segments of ``size`` bytes: ``each`` bytes, except for the last one."""
    full, rest = divmod(size, each)
    return [each] * full + ([rest] if rest else [])


def _is_segment(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("bytes", 0), int)


def read_manifest(storage: ObjectStorage, container: str, name: str) -> list[JsonObject]:
    """Return the segments of a static large object: ``name``, ``bytes``, ``hash`` and perhaps ``range``.

    The manifest is not decoded, because its header Content-Encoding is about the content of the object. Raises Unusable
    if the object is of another kind by now.
    """
    operation = "Read manifest"
    for left in reversed(range(MAX_LIST_TRIES)):
        pieces: list[bytes] = []
        try:
            answer = storage.send(
                operation,
                "GET",
                storage.address(container, name),
                kind="read",
                params={"multipart-manifest": "get"},
                stream_to=pieces.append,
                stream_marks=("x-static-large-object",),
            )
        except Unclear:
            if not left or not pieces:  # without any data, it has already been repeated
                raise
        else:
            break
    try:
        segments = json.loads(b"".join(pieces))
    except (ValueError, RecursionError):
        segments = None
    if not isinstance(segments, list) or not all(map(_is_segment, segments)):
        raise Unusable(
            f"{operation}: the answer (HTTP {answer.status}) is no manifest; {container}/{name} may be another by now.",
            operation=operation,
            status=answer.status,
            request_id=answer.request_id,
        )
    return segments


USUAL_SIZE = 1 << 30  # bytes of a segment
USUAL_NUMBER = 1000  # segments in one manifest


def size_of_segments(features: Features, params: Params, size: int) -> int | None:
    """Return the size of the segments for a content of ``size`` bytes, None if it is stored as one object.

    ``params`` has the SEGMENT_OPTIONS in bytes; None: as the service allows. The service's limits are only read for
    contents above a MiB. Raises InvalidInput if the content would have to be split and cannot be.
    """
    threshold, preferred = params["segment_threshold"], params["segment_size"]
    if size <= (threshold or ASK_FROM):  # a threshold is at least 1
        return None
    largest = features.limit("max_file_size")
    if threshold is None:
        if size <= largest:
            return None
        if features.info and "slo" not in features.info:
            features.check_limit("max_file_size", size, "The content", ask=True)
    features.check("slo", "segment_threshold")
    slo = features.section("slo")
    if preferred is None and largest < USUAL_SIZE:
        preferred = largest
    each = segment_size(size, preferred, positive_number_in(slo, "max_manifest_segments", USUAL_NUMBER))
    least = positive_number_in(slo, "min_segment_size", 1)
    if not least <= each <= largest:
        raise InvalidInput(
            f"segment_size: the service takes segments of {least} to {largest} bytes, not of {each}.",
            option="segment_size",
        )
    return each


def segment_size(size: int, preferred: int | None, most: int = USUAL_NUMBER) -> int:
    """Return the size of the segments of ``size`` bytes: the preferred one, or one that is large enough.

    Raises InvalidInput if that takes more than ``most`` segments of the preferred size.
    """
    least = -(-size // most)
    if preferred is None:
        return max(USUAL_SIZE, -(-least // USUAL_SIZE) * USUAL_SIZE)
    if least > preferred:
        raise InvalidInput(
            f"segment_size: {size} bytes in segments of {preferred} are more than the {most} that an object can have.",
            next_step=f"Set it to {least} or more.",
            option="segment_size",
        )
    return preferred


def write_large_object(
    storage: ObjectStorage, place: ObjectPlace, headers: Headers, segments: t.Sequence[Segment]
) -> str:
    """Create a static large object from the segments and return its ETag. The service checks length and MD5 of each.

    Because of the ETag, a service that does not know large objects stores nothing. Raises NotFound, ObjectExists and
    Rejected, also if a segment is missing or not as stated.
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
        store_and_confirm(storage, place, send, lambda: etag)
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
    """Writes objects, with segments if needed, and removes the segments of those that they replace.

    ``segment_container`` is for new segments. Threads may share the storage and the writer; only one of them writes
    segments at a time, because these are already sent in parallel.
    """

    def __init__(self, task: Task, storage: ObjectStorage, features: Features, segment_container: str) -> None:
        self.storage = storage
        self.segment_container = segment_container
        self._task = task
        self._features = features
        self._one_large = threading.Lock()

    def store(
        self,
        place: ObjectPlace,
        content: ObjectContent,
        headers: Headers,
        replaced: t.Sequence[Segment],
        each: int | None,
    ) -> str:
        """Store the content and return the ETag (hex), as a large object in segments of ``each`` bytes if given.

        ``replaced`` are the segments of the previous object. Raises what ``upload`` raises, DeadlinePassed.
        """
        if each is None:
            etag = upload(self.storage, place, headers, content, self._features)
            self.remove_segments(place, replaced)
            return etag
        layout = Layout(self.segment_container, place[1], content.version, content.size, each)
        lengths = segment_lengths(content.size, each)

        def segment(number: int, name: str, found: Segment | None) -> Segment:
            start, length = number * each, lengths[number]
            if found is not None and md5_of_part(content, start, length) == found.etag:
                return found
            target = (layout.container, name)
            for _try in range(2):
                etag = send_part(self.storage, target, {}, HashingReader(content, start, length))
                if etag is not None:
                    self._task.tell(f"{'/'.join(target)}: {length} bytes sent")
                    return Segment(*target, length, etag)
            raise damaged_upload(target)

        return self.write_segments(place, headers, layout, lengths, segment, replaced)

    def write_segments(
        self,
        place: ObjectPlace,
        headers: Headers,
        layout: Layout,
        lengths: t.Sequence[int],
        segment: t.Callable[[int, str, t.Optional[Segment]], Segment],
        replaced: t.Sequence[Segment],
    ) -> str:
        """Write all segments, then the manifest that makes them an object; return its ETag.

        ``segment`` gets the number of each (from 0 on), its name, and a segment of this name and length that a broken
        run may have left; it returns that if it has the same content, or writes it. The object only changes with the
        manifest, which is checked against the MD5 and length of every segment. At the end, all segments of other
        contents are removed.
        """
        with self._one_large:
            existing = find_leftovers(self.storage, layout, place[0])

            def one(number: int) -> Segment:
                name = layout.segment_name(number + 1)
                found = existing.get(name)
                return segment(number, name, found if found is not None and found.size == lengths[number] else None)

            segments = map_in_threads(range(len(lengths)), one, deadline=self._task.deadline, most=AT_A_TIME)
            etag = write_large_object(self.storage, place, headers, segments)
            self.remove_segments(place, [*replaced, *existing.values()], segments)
        return etag

    def remove_segments(self, place: ObjectPlace, surplus: t.Sequence[Segment], keep: t.Sequence[Segment] = ()) -> None:
        """Delete segments that the object at ``place`` no longer needs. A warning names those that stay.

        None is deleted if the container of the object keeps versions: these need their segments.
        """
        places = {one.place: None for one in surplus}
        for one in keep:
            places.pop(one.place, None)
        if not places or self._versions_need_them(place[0]):
            return
        kept: list[str] = []
        reasons: list[FcdError] = []

        def ended(place: ObjectPlace, value: FcdError | None) -> None:
            if isinstance(value, FcdError):
                kept.append("/".join(place))
                reasons.append(value)

        def delete(place: ObjectPlace) -> None:
            self.storage.delete_object(*place)

        try:
            run_in_threads(places, delete, most=AT_A_TIME, deadline=self._task.deadline, ended=ended)
        except FcdError as late:
            reasons.append(late)
        if reasons:
            names = f": {join_names(kept, MAX_SHOWN_SEGMENTS)}" if kept else ""
            self._task.warn(f"Old segments could not be deleted and are kept{names} ({reasons[0].message})")

    def _versions_need_them(self, container: str) -> bool:
        try:
            return keeps_old_versions(self.storage, container)
        except FcdError as error:
            self._task.warn(
                f"Old segments are kept: it could not be determined whether {container!r} keeps versions "
                f"({error.message})"
            )
            return True
