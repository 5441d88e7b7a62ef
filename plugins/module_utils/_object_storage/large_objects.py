# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Large objects and requests for many objects: what the open-source interface has beyond the contract.

Source: contract object-storage.md ("fully compatible"), wire-facts 10.7.
"""

from __future__ import annotations

import json
import typing as t
from urllib.parse import quote

from .._core.errors import Unclear, Unusable
from .api import GONE, TRIES, Headers, ObjectStorage


def read_manifest(storage: ObjectStorage, container: str, name: str) -> list[dict[str, t.Any]]:
    """Return the segments of a static large object: ``name``, ``bytes``, ``hash`` and perhaps ``range``.

    The manifest is taken as it arrives, for the header Content-Encoding that comes with it is about the content of the
    object. Raises Unusable when the object is of another kind by now.
    """
    operation = "Read manifest"
    for left in reversed(range(TRIES)):
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
            if not left or not pieces:  # without a piece it has been repeated already
                raise
        else:
            break
    segments = _parsed(b"".join(pieces))
    if not isinstance(segments, list) or not all(isinstance(segment, dict) for segment in segments):
        raise Unusable(
            f"{operation}: the answer (HTTP {answer.status}) is no manifest; {container}/{name} may be another by now.",
            operation=operation,
            status=answer.status,
            request_id=answer.request_id,
        )
    return segments


def _parsed(data: bytes) -> t.Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def write_manifest(
    storage: ObjectStorage, container: str, name: str, headers: Headers, segments: t.Sequence[t.Mapping[str, t.Any]]
) -> Headers:
    """Make a static large object of segments that are there: ``path``, ``etag`` and ``size_bytes`` of each.

    Returns the headers of the answer. Raises Rejected when a segment is missing or is not as stated.
    """
    body = json.dumps(list(segments)).encode("utf-8")
    answer = storage.send(
        "Write manifest",
        "PUT",
        storage.address(container, name),
        headers=headers,
        params={"multipart-manifest": "put"},
        body=body,
        length=len(body),
        marks=("etag",),
    )
    return dict(answer.headers)


def delete_large_object(storage: ObjectStorage, container: str, name: str) -> dict[str, t.Any] | None:
    """Delete a static large object together with its segments; returns the report of the service, None if gone."""
    answer = storage.send(
        "Delete large object",
        "DELETE",
        storage.address(container, name),
        headers={"Accept": "application/json"},
        params={"multipart-manifest": "delete"},
        json_answer=True,
        accept_statuses=GONE,
    )
    return None if answer.status in GONE else t.cast("dict[str, t.Any]", answer.json())


def bulk_delete(storage: ObjectStorage, paths: t.Sequence[tuple[str, str]]) -> dict[str, t.Any]:
    """Delete many objects at once; returns the report of the service (its HTTP status is always 200)."""
    lines = [f"/{quote(container, safe='')}/{quote(name)}" for container, name in paths]
    answer = storage.send(
        "Bulk delete",
        "POST",
        storage.address(),
        headers={"Accept": "application/json", "Content-Type": "text/plain"},
        params={"bulk-delete": "true"},
        body="\n".join(lines).encode("ascii"),
        json_answer=True,
    )
    return t.cast("dict[str, t.Any]", answer.json())
