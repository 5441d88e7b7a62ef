# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Large objects as they are: what they are made of, whether they hold a content, and their end.

Source: wire-facts 10.7.
"""

from __future__ import annotations

import typing as t
from urllib.parse import unquote

from .._core.errors import FcdError
from .api import Headers, ObjectStorage
from .container_versioning import kept_somewhere
from .content import Content, digests
from .digesting import large_etag
from .emptying import check_report
from .large_objects import delete_large_object, read_manifest
from .segments import Segment, segment_size

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
    storage: ObjectStorage, record: Record, headers: Headers, content: Content, wanted_size: int | None
) -> bool:
    """Return whether a large object holds these bytes; False where that cannot be found out.

    The content is cut as it would be cut for sending (``wanted_size``, as for ``segment_size``), which gives the ETag
    that the object should have. When it has another one, the content is cut where the segments end, and the MD5 of each
    part is compared with theirs.
    """
    if record["size"] not in (None, content.size):
        return False
    usual = _lengths(content.size, wanted_size or segment_size(content.size, None))
    found = list(digests(content, usual)) if len(usual) > 1 and record["etag"] is not None else []
    if found and large_etag(found) == record["etag"]:
        return True
    segments = readable_segments(storage, record, headers)
    if segments is None or sum(one.size for one in segments) != content.size:
        return False
    lengths = [one.size for one in segments]
    parts = found if lengths == usual and found else digests(content, lengths)
    return all(etag == one.etag for etag, one in zip(parts, segments))


def etag_of(content: Content, each: int) -> str:
    """Return the ETag that the content has in segments of ``each`` bytes. Raises Changed, InvalidInput."""
    return large_etag(digests(content, _lengths(content.size, each)))


def own_segments(
    storage: ObjectStorage, record: Record, headers: Headers, warn: t.Callable[[str], None]
) -> list[Segment]:
    """Return the segments that nothing needs once the object is replaced: of a static one, and named after it.

    That others stay is told with ``warn``.
    """
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


def delete_with_segments(storage: ObjectStorage, container: str, name: str) -> None:
    """Delete a static large object and its segments. Raises ServiceError when a part stays.

    Where the container keeps versions the segments stay: a version needs them.
    """
    if kept_somewhere(storage, container):
        storage.delete_object(container, name)
        return
    report = delete_large_object(storage, container, name)
    if report is not None:
        check_report(report, f"Deleting {container}/{name}")


def _lengths(size: int, each: int) -> list[int]:
    full, rest = divmod(size, each)
    return [each] * full + ([rest] if rest else [])


def _segment(entry: t.Mapping[str, t.Any]) -> Segment:
    container, _slash, name = str(entry.get("name", "")).lstrip("/").partition("/")
    whole = "name" in entry and "range" not in entry and not entry.get("sub_slo")  # without a name: bytes of its own
    return Segment(container, name, int(entry.get("bytes", 0)), str(entry.get("hash", "")), whole)


def _listed(storage: ObjectStorage, manifest: str) -> list[Segment]:
    container, _slash, prefix = unquote(manifest).partition("/")
    segments: list[Segment] = []
    marker = ""
    while True:
        page = storage.list_objects(container, marker=marker, prefix=prefix)
        if not page:
            return segments
        for entry in page:
            marker = str(entry["name"])
            whole = "slo_etag" not in entry
            segments.append(Segment(container, marker, int(entry["bytes"]), str(entry["hash"]), whole))
