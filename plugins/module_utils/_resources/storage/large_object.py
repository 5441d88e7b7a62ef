# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Large objects: objects that the service puts together from segments. Source: wire-facts 10.7."""

from __future__ import annotations

import typing as t
from urllib.parse import unquote

from ..._api.large_objects import delete_large_object, read_manifest
from ..._api.object_storage import Headers, ObjectStorage
from ..._core.errors import FcdError
from .content import Content, digests
from .emptying import check_report


def same_content(storage: ObjectStorage, record: t.Mapping[str, t.Any], headers: Headers, content: Content) -> bool:
    """Return whether a large object holds these bytes.

    The content is cut where the segments end, and the MD5 of each part is compared with that of the segment. Where that
    cannot be done (a segment is only a range of an object, or is made of segments itself, or they may not be read) the
    answer is False. The object's own etag is no help: it is missing when there are many segments.
    """
    try:
        segments = _segments(storage, record, headers)
    except FcdError:
        return False
    if segments is None or sum(length for length, _etag in segments) != content.size:
        return False
    parts = digests(content, (length for length, _etag in segments))
    return all(found == etag for found, (_length, etag) in zip(parts, segments))


def delete_with_segments(storage: ObjectStorage, container: str, name: str) -> None:
    """Delete a static large object and its segments. Raises ServiceError when a part stays."""
    report = delete_large_object(storage, container, name)
    if report is not None:
        check_report(report, f"Deleting {container}/{name}")


def _segments(storage: ObjectStorage, record: t.Mapping[str, t.Any], headers: Headers) -> list[tuple[int, str]] | None:
    """Return lengths and MD5s of the segments in their order, or None when they cannot be used to compare."""
    if record["large_object"] == "dynamic":
        return _listed(storage, headers["x-object-manifest"])
    manifest = read_manifest(storage, record["container"], record["name"])
    if any("range" in segment or segment.get("sub_slo") for segment in manifest):
        return None
    return [(int(segment["bytes"]), str(segment["hash"])) for segment in manifest]


def _listed(storage: ObjectStorage, manifest: str) -> list[tuple[int, str]]:
    container, _slash, prefix = unquote(manifest).partition("/")
    segments: list[tuple[int, str]] = []
    marker = ""
    while True:
        page = storage.list_objects(container, marker=marker, prefix=prefix)
        if not page:
            return segments
        segments.extend((int(entry["bytes"]), str(entry["hash"])) for entry in page)
        marker = str(page[-1]["name"])
