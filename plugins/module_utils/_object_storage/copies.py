# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of objects, which the service makes, and of versions of them."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput, NotFound, Rejected
from .._core.type_aliases import JsonObject
from .api import Headers, ObjectPlace, ObjectStorage
from .content import large_etag, md5, text_content
from .features import Features
from .object_properties import object_record
from .object_writes import FRESH, ObjectExists, missing_container, send_copy, upload
from .properties import check_container, check_object
from .segments import Layout, ObjectWriter, Segment, segments_of

BAD_REQUEST = 400  # no version id at all, or a container that keeps no versions


def read_version(
    storage: ObjectStorage, place: tuple[str, str], version: str, option: str
) -> tuple[ObjectStorage, Headers]:
    """Return a client that reads this version of the object in place of the current one, and the headers of it.

    Raises InvalidInput when there is no such version, or when it only marks a deletion.
    """
    reader = storage.of_version(version)
    try:
        headers = reader.object_metadata(*place)
    except Rejected as error:
        if error.status != BAD_REQUEST:
            raise
        headers = None
    if headers is None:
        container, name = place
        raise InvalidInput(
            f"{option}: {container!r} has no version {version!r} of {name!r} to read.",
            next_step="List the versions with fcd.cloud.storage_object_info and versions: true.",
            option=option,
        )
    return reader, headers


def source_of_copy(value: object, features: Features) -> tuple[ObjectPlace, str | None]:
    """Return container and object behind ``container/object`` or a dictionary with these two keys, and the version.

    The dictionary may have a ``version_id`` too. Raises InvalidInput.
    """
    version = None
    if isinstance(value, t.Mapping):
        unknown = set(value) - {"container", "object", "name", "version_id"}
        container, name = value.get("container"), value.get("object", value.get("name"))
        if unknown or not isinstance(container, str) or not isinstance(name, str):
            raise InvalidInput(
                "copy_from: a dictionary requires the strings 'container' and 'object', and may have 'version_id'.",
                option="copy_from",
            )
        version = value.get("version_id")
    elif isinstance(value, str):
        container, _slash, name = value.lstrip("/").partition("/")
    else:
        raise InvalidInput("copy_from: a text 'container/object' or a dictionary is expected.", option="copy_from")
    place = check_container(container, features, "copy_from"), check_object(name, features, "copy_from")
    if version is not None and (not isinstance(version, str) or not version):
        raise InvalidInput(
            f"copy_from: version_id: {version!r} is not a string.",
            next_step="Put it in quotes, as storage_object_info returns it; a number would lose digits.",
            option="copy_from",
        )
    return place, version


class CopySource(t.NamedTuple):
    """The object to copy, which ``reader`` reads, or a version of it.

    ``etag`` and ``size`` are those that a copy has; ``segments`` are empty for a plain one.
    """

    reader: ObjectStorage
    place: ObjectPlace
    record: JsonObject
    headers: Headers
    etag: str
    size: int
    segments: tuple[Segment, ...] = ()


def copy_source(
    storage: ObjectStorage, place: ObjectPlace, option: str = "copy_from", version: str | None = None
) -> CopySource:
    """Read what is known of the object at ``place``, or of a version of it, which an option names.

    Raises InvalidInput when there is none, or it cannot be copied.
    """
    if version is None:
        reader, headers = storage, storage.object_metadata(*place)
        if headers is None:
            text = f"{option}: there is no object {place[1]!r} in a container {place[0]!r}."
            raise InvalidInput(text, option=option)
    else:
        reader, headers = read_version(storage, place, version, option)
    record = object_record(*place, headers)
    if not record["large_object"]:
        return CopySource(reader, place, record, headers, record["etag"], record["size"])
    segments = _segments_to_copy(reader, record, headers, option)
    etag = large_etag(one.etag for one in segments) if segments else md5().hexdigest()
    return CopySource(reader, place, record, headers, etag, sum(one.size for one in segments), segments)


def _segments_to_copy(
    storage: ObjectStorage, record: dict[str, object], headers: Headers, option: str
) -> tuple[Segment, ...]:
    segments = segments_of(storage, record, headers)
    if not all(one.whole for one in segments):
        raise InvalidInput(
            f"{option}: {record['container']}/{record['name']} consists of parts of objects, or of other large "
            "objects.",
            next_step="Such an object cannot be copied. Download it and upload it again.",
            option=option,
        )
    return tuple(one for one in segments if one.size)  # the service takes no empty ones in a manifest


def copy_object(
    writer: ObjectWriter, source: CopySource, place: ObjectPlace, headers: Headers, replaced: t.Sequence[Segment]
) -> None:
    """Copy the other object; the headers are all that the copy gets. Raises NotFound, ObjectExists, Rejected.

    ``replaced`` are the segments of the object that was there before.
    """
    if source.segments:
        _copy_segments(writer, source, place, headers, replaced)
        return
    if source.record["large_object"]:  # one without any segments
        upload(writer.storage, place, headers, text_content(""), Features())
    else:
        sent = {name: value for name, value in headers.items() if name != "If-None-Match"}
        try:
            send_copy(source.reader, source.place, place, {**sent, FRESH: "true"}, source.size)
        except NotFound as exc:
            raise missing_container(place[0], exc, f" (or {'/'.join(source.place)} was just deleted)") from None
        except Rejected as exc:
            if exc.status != 412:
                raise
            raise ObjectExists(exc.message, **exc.details) from None
    writer.remove_segments(place, replaced)


def _copy_segments(
    writer: ObjectWriter, source: CopySource, place: ObjectPlace, headers: Headers, replaced: t.Sequence[Segment]
) -> None:
    largest = max(one.size for one in source.segments)
    layout = Layout(writer.segment_container, place[1], source.etag, source.size, largest)

    def segment(number: int, name: str, found: Segment | None) -> Segment:
        copied = source.segments[number]
        if found is not None and found.etag == copied.etag:
            return found
        target, fresh = (layout.container, name), {FRESH: "true"}
        try:
            send_copy(writer.storage, copied.place, target, fresh, copied.size)
        except NotFound as exc:
            doubt = f" (or the segment {copied.name} was just deleted)"
            raise missing_container(layout.container, exc, doubt) from None
        return Segment(*target, copied.size, copied.etag)

    writer.write_segments(place, headers, layout, [one.size for one in source.segments], segment, replaced)
