# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the content of an object; only tasks that change content import this."""

from __future__ import annotations

import typing as t

from .._core.errors import FcdError, NotFound, OperationFailed, Rejected, Unclear
from .api import Headers, ObjectStorage
from .content import Bytes, Content, Sending
from .cutting import ASK_FROM
from .names import Limits

ONLY_NEW = {"If-None-Match": "*"}  # a header that makes the service refuse to replace an object (412)

Place = t.Tuple[str, str]  # container and object


class Exists(Rejected):
    """There is an object already, and it was not to be replaced."""


def upload(storage: ObjectStorage, place: Place, headers: Headers, content: Content, limits: Limits) -> str:
    """Stream the content into the object and return its ETag, which is the MD5 of the content.

    When that is known before, the service gets it first and checks what arrives; else it is computed on the way and
    compared with the answer's. Without an answer the object is looked at: when it holds the content by then, all is
    well. Raises NotFound when the container is missing, Changed when a file is another than before (nothing was
    stored then), Exists with the header ONLY_NEW, Rejected, OperationFailed when the bytes arrive damaged.
    """
    if content.size > ASK_FROM:
        limits.check("max_file_size", content.size, "The content", ask=True)
    etag = send_part(storage, place, headers, content, Sending(content))
    if etag is not None:
        return etag
    try:
        etag = send_part(storage, place, headers, content, Sending(content))  # its MD5 is known now, and goes with it
    except Rejected as exc:
        if exc.status != 422:
            raise
    if etag is None:
        raise damaged(place)
    return etag


def send_part(storage: ObjectStorage, place: Place, headers: Headers, content: Content, sending: Sending) -> str | None:
    """Send the part of the content that ``sending`` stands for once; return its ETag, None when it arrived damaged."""
    known = sending.etag
    checked = {**headers, "ETag": known} if known is not None else headers
    body = content.data if isinstance(content, Bytes) and sending.length == content.size else sending.open
    try:
        answer = storage.create_object(*place, checked, t.cast("t.Any", body), sending.length)
        stored: str | None = answer["etag"].strip('"')
    except Unclear:
        stored = _stored(storage, place)
        if stored is None or stored != sending.etag:
            raise
    except NotFound as exc:
        raise no_container(place[0], exc) from None
    except Rejected as exc:
        if exc.status == 412:
            return _present(storage, place, sending, exc)
        if exc.status != 422:
            raise
        raise _other_bytes(place, exc) from None
    return stored if stored == sending.etag else None


def damaged(place: Place) -> OperationFailed:
    """Return the error for bytes that were sent twice and arrived as others each time."""
    return OperationFailed(
        f"{'/'.join(place)}: the service stored other bytes than were sent (its ETag is another), twice.",
        next_step="The object is damaged: something on the way changes contents. Run the task again when it does not.",
        changed=True,
    )


def copy(storage: ObjectStorage, source: Place, target: Place, headers: Headers, size: int) -> None:
    """Copy inside the service; the headers are all that the copy gets. Raises NotFound, Exists with ONLY_NEW."""
    try:
        storage.copy_object(source, target, {**headers, "X-Fresh-Metadata": "true"}, size)
    except NotFound as exc:
        raise no_container(target[0], exc, f" (or {'/'.join(source)} has just gone)") from None
    except Rejected as exc:
        if exc.status != 412:
            raise
        raise Exists(exc.message, **exc.details) from None


def no_container(container: str, error: NotFound, doubt: str = "") -> NotFound:
    """Return the error that names a missing container and how to make it."""
    return NotFound(
        f"There is no container {container!r}{doubt}.",
        next_step=f"Create it first, with fcd.cloud.storage_container and name: {container}.",
        **error.details,
    )


def _stored(storage: ObjectStorage, place: Place) -> str | None:
    """Return the ETag of what is there, None when that cannot be told."""
    try:
        found = storage.object_metadata(*place)
    except FcdError:
        return None
    return None if found is None else found["etag"].strip('"')


def _present(storage: ObjectStorage, place: Place, sending: Sending, refused: Rejected) -> str:
    """Return the ETag when what is there is ours: a request may be sent again whose first answer was lost."""
    stored = _stored(storage, place)
    if stored is not None and stored == sending.etag:
        return stored
    raise Exists(f"There is an object {'/'.join(place)} already.", **refused.details) from None


def _other_bytes(place: Place, error: Rejected) -> Rejected:
    return Rejected(
        f"The service received other bytes for {'/'.join(place)} than were sent (its MD5 check failed).",
        next_step="Nothing was stored: something on the way changes contents. Run the task again when it does not.",
        **error.details,
    )
