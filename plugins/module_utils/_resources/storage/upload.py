# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the content of an object; only tasks that change content import this."""

from __future__ import annotations

from ..._api.object_storage import Headers, ObjectStorage
from ..._core.errors import FcdError, NotFound, Rejected, Unclear
from .content import Content
from .names import Limits

ASK_FROM = 1 << 20  # bytes; a larger body cannot be refused cleanly while it is sent, so the limit is read before


def upload(storage: ObjectStorage, place: tuple[str, str], headers: Headers, content: Content, limits: Limits) -> None:
    """Stream the content into the object. The service checks it against the MD5 that goes with it.

    Without an answer the object is looked at: when it holds the content by then, all is well. Raises NotFound when the
    container is missing, Rejected when other bytes arrived than were read before.
    """
    container, name = place
    if content.size > ASK_FROM:
        limits.check("max_file_size", content.size, "The content", ask=True)
    try:
        storage.create_object(container, name, {**headers, "ETag": content.etag}, content.open, content.size)
    except Unclear:
        if not _has_arrived(storage, place, content):
            raise
    except NotFound as exc:
        raise _no_container(container, exc) from None
    except Rejected as exc:
        if exc.status != 422:
            raise
        raise Rejected(
            f"The service received other bytes for {container}/{name} than were read before (its MD5 check failed).",
            next_step="Nothing was stored. The file probably changes: run the task again when it does not.",
            **exc.details,
        ) from None


def copy(storage: ObjectStorage, source: tuple[str, str], target: tuple[str, str], headers: Headers, size: int) -> None:
    """Copy inside the service; the headers are all that the copy gets. Raises NotFound."""
    try:
        storage.copy_object(source, target, {**headers, "X-Fresh-Metadata": "true"}, size)
    except NotFound as exc:
        raise _no_container(target[0], exc, f" (or {'/'.join(source)} has just gone)") from None


def _has_arrived(storage: ObjectStorage, place: tuple[str, str], content: Content) -> bool:
    """Return whether the object holds the content, which it did not before it was sent."""
    try:
        found = storage.object_metadata(*place)
    except FcdError:
        return False
    return found is not None and found["etag"] == content.etag


def _no_container(container: str, error: NotFound, doubt: str = "") -> NotFound:
    return NotFound(
        f"There is no container {container!r}{doubt}.",
        next_step=f"Create it first, with fcd.cloud.storage_container and name: {container}.",
        **error.details,
    )
