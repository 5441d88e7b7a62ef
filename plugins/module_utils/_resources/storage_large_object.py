# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Large objects: objects that the service puts together from segments. Source: wire-facts 10.7."""

from __future__ import annotations

import hashlib
import typing as t
from urllib.parse import unquote

from .._api.object_storage import Headers, ObjectStorage
from .._core.errors import FcdError
from .storage_content import Content, digests
from .storage_emptying import check_report


def same_content(storage: ObjectStorage, record: t.Mapping[str, t.Any], headers: Headers, content: Content) -> bool:
    """Return whether a large object holds these bytes.

    Its etag is the MD5 of the MD5s of its segments, one behind the other, so the content is cut at the same places and
    reckoned alike. Where that cannot be done (a segment is only a range of an object, or is made of segments itself,
    or they may not be read) the answer is False.
    """
    try:
        lengths = _segments(storage, record, headers)
    except FcdError:
        return False
    return lengths is not None and _joined(content, lengths) == record["etag"]


def delete_with_segments(storage: ObjectStorage, container: str, name: str) -> None:
    """Delete a static large object and its segments. Raises ServiceError when a part stays."""
    report = storage.delete_large_object(container, name)
    if report is not None:
        check_report(report, f"Deleting {container}/{name}")


def _segments(storage: ObjectStorage, record: t.Mapping[str, t.Any], headers: Headers) -> list[int] | None:
    """Return the lengths of the segments in their order, or None when they cannot be used to compare."""
    if record["large_object"] == "dynamic":
        return _listed(storage, headers["x-object-manifest"])
    manifest = storage.read_manifest(record["container"], record["name"])
    if any("range" in segment or segment.get("sub_slo") for segment in manifest):
        return None
    return [int(segment["bytes"]) for segment in manifest]


def _listed(storage: ObjectStorage, manifest: str) -> list[int]:
    container, _slash, prefix = unquote(manifest).partition("/")
    lengths: list[int] = []
    marker = ""
    while True:
        page = storage.list_objects(container, marker=marker, prefix=prefix)
        if not page:
            return lengths
        lengths.extend(int(entry["bytes"]) for entry in page)
        marker = str(page[-1]["name"])


def _joined(content: Content, lengths: t.Sequence[int]) -> str | None:
    if sum(lengths) != content.size:
        return None
    joined = "".join(digests(content, lengths))
    return hashlib.md5(joined.encode("ascii"), usedforsecurity=False).hexdigest()
