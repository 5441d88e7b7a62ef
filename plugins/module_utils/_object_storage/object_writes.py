# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes objects: the requests that create, copy and describe them, and sending their content."""

from __future__ import annotations

import typing as t
from urllib.parse import quote

from .._connection.task import Task
from .._core.errors import FcdError, NotFound, OperationFailed, Rejected, confirm_write
from .._core.later import LATER
from .._core.type_aliases import JsonMapping
from .api import SLOWEST, Headers, ObjectPlace, ObjectStorage, shows
from .content import ASK_FROM, Bytes, ObjectContent, OpenContent
from .features import Features
from .object_properties import object_headers
from .source_file import Digester

RequestBody = t.Union[bytes, t.Callable[[], t.BinaryIO], None]
FRESH = "X-Fresh-Metadata"  # the copy gets no metadata of the source
DESCRIBING = ("x-object-meta-", "x-delete-at", "content-disposition", "content-encoding", "cache-control")
CREATE_ONLY_HEADER = {"If-None-Match": "*"}  # a header that makes the service refuse to replace an object (412)


class ObjectExists(Rejected):
    """There is an object already, which must not be replaced."""


def create_object(
    storage: ObjectStorage, place: ObjectPlace, headers: Headers, body: RequestBody, length: int
) -> Headers:
    """Create or replace an object by ``length`` bytes, and return the headers of the answer.

    ``body`` may be a function that opens the bytes anew. A large content may take as long as data flows: only silence
    ends it.
    """
    answer = storage.send(
        "Create or overwrite object",
        "PUT",
        storage.address(*place),
        headers=headers,
        body=body,
        length=length,
        timeout=storage.time_for(length),
        marks=("etag",),
    )
    return dict(answer.headers)


def send_copy(storage: ObjectStorage, source: ObjectPlace, target: ObjectPlace, headers: Headers, length: int) -> None:
    """Copy an object of ``length`` bytes inside the service, which is silent in the meantime."""

    def send() -> None:
        storage.send(
            "Copy object",
            "COPY",
            storage.address(*source),
            headers={"Destination": "/".join(quote(part) for part in target), **headers},
            timeout=storage.timeout + length / SLOWEST,
            marks=("etag",),
        )

    def done() -> bool:
        copied, there = storage.object_metadata(*source), storage.object_metadata(*target)
        own = {name: value for name, value in headers.items() if name != FRESH}
        return copied is not None and _describes(there, {**own, "ETag": copied["etag"]})

    confirm_write(send, done)


def update_object_metadata(storage: ObjectStorage, place: ObjectPlace, headers: Headers) -> None:
    """Replace all metadata of an object by these headers; only its content and content type stay."""
    url = storage.address(*place)
    confirm_write(
        lambda: storage.send("Update object metadata", "POST", url, headers=headers),
        lambda: _describes(storage.object_metadata(*place), headers),
    )


def _describes(there: Headers | None, sent: Headers) -> bool:
    """Return whether an object has these headers, and no others that describe it."""
    names = {name.lower() for name in sent}
    return shows(there, sent) and not any(name.startswith(DESCRIBING) for name in set(there or ()) - names)


def missing_container(container: str, error: NotFound, doubt: str = "") -> NotFound:
    """Return the error that names a missing container and how to create it."""
    return NotFound(
        f"There is no container {container!r}{doubt}.",
        next_step=f"Create it first, with fcd.cloud.storage_container and name: {container}.",
        **error.details,
    )


def lock_object(task: Task, storage: ObjectStorage, place: ObjectPlace) -> t.ContextManager[None]:
    """Return a context in which no other task of this host changes the object. Entering it may raise Busy."""
    return task.change_lock(f"the object {'/'.join(place)}", "object", storage.address(*place))


def update_object(
    storage: ObjectStorage, place: ObjectPlace, record: JsonMapping, kept: Headers, expires_in: int | None
) -> None:
    """Set the headers of the object as in ``record``; see ``object_headers``."""
    headers = object_headers(record, kept, expires_in)
    if kept.get("x-object-manifest"):
        headers["x-object-manifest"] = kept["x-object-manifest"]  # without it the object becomes empty
    update_object_metadata(storage, place, headers)


def check_stored(desired: JsonMapping, found: JsonMapping) -> None:
    """Raise OperationFailed if the service stores other properties than it got: each run would change them."""
    for name, value in desired.items():
        if value == LATER or (name == "content_type" and value is None) or found[name] == value:
            continue
        if name == "metadata":
            differing = sorted({item for item, _text in set(value.items()) ^ set(found[name].items())})
            told = f"other metadata than it was given: {', '.join(differing)}"
        else:
            told = f"{name} {found[name]!r} in place of {value!r}"
        raise OperationFailed(
            f"{found['container']}/{found['name']} is stored, but the service keeps {told}.",
            next_step=f"Give {name} as the service keeps it; otherwise, every run changes it again.",
            changed=True,
        )


class HashingReader:
    """Opens a content for each attempt to send it, and knows its MD5 once an attempt has read all of it."""

    def __init__(self, content: ObjectContent, start: int = 0, length: int | None = None) -> None:
        self._content = content
        self._start = start
        self.length = content.size - start if length is None else length
        self._whole = self.length == content.size
        self._reading: OpenContent | None = None
        self._digester: Digester | None = None
        self._read = 0

    @property
    def body(self) -> bytes | t.Callable[[], OpenContent]:
        """The body: bytes that are in memory anyway, or the function that opens them anew."""
        return self._content.data if self._whole and isinstance(self._content, Bytes) else self.open

    def open(self) -> OpenContent:
        """Open it for the next attempt."""
        reading = self._content.open(self._start, self.length)
        if self._whole and self._content.known_etag is not None:
            return reading

        if self._digester is not None:
            self._digester.close()
        self._reading, self._digester, self._read = reading, Digester(self.length), 0
        return self

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes for this attempt, none at the end. Raises FileChanged."""
        if self._reading is None or self._digester is None:
            return b""
        piece = self._reading.read(size)
        self._read += len(piece)
        self._digester.update(piece)
        return piece

    def close(self) -> None:
        if self._reading is not None:
            self._reading.close()
        if self._digester is not None and self._read != self.length:
            self._digester.close()

    @property
    def etag(self) -> str | None:
        """The MD5 in hex; None as long as not everything was read."""
        if self._whole and self._content.known_etag is not None:
            return self._content.known_etag
        if self._digester is None or self._read != self.length:
            return None
        found = self._digester.hexdigest()
        if self._whole:
            self._content.known_etag = found
        return found


def upload(
    storage: ObjectStorage, place: ObjectPlace, headers: Headers, content: ObjectContent, features: Features
) -> str:
    """Stream the content into the object and return its ETag, which is the MD5 of the content.

    If that is known in advance, the service gets it and checks what arrives; otherwise it is computed while sending and
    compared with the answer's. Without an answer, the object is read: if it has the content, all is well. Raises
    NotFound if the container is missing, FileChanged if a file changes (then nothing was stored), ObjectExists with
    CREATE_ONLY_HEADER, Rejected, OperationFailed if the bytes arrive damaged.
    """
    if content.size > ASK_FROM:
        features.check_limit("max_file_size", content.size, "The content", ask=True)
    etag = send_part(storage, place, headers, HashingReader(content))
    if etag is not None:
        return etag
    again = {name: value for name, value in headers.items() if name not in CREATE_ONLY_HEADER}  # ours is there now
    try:
        etag = send_part(storage, place, again, HashingReader(content))  # its MD5 is known now, and sent with it
    except Rejected as exc:
        if exc.status != 422:
            raise
    if etag is None:
        raise damaged_upload(place)
    return etag


def send_part(storage: ObjectStorage, place: ObjectPlace, headers: Headers, sending: HashingReader) -> str | None:
    """Send the part of a content behind ``sending`` once; return its ETag, None if it arrived damaged."""
    if sending.etag is not None:
        headers = {**headers, "ETag": sending.etag}

    def send() -> Headers:
        return create_object(storage, place, headers, t.cast("RequestBody", sending.body), sending.length)

    try:
        etag = store_and_confirm(storage, place, send, lambda: sending.etag)
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


def store_and_confirm(
    storage: ObjectStorage, place: ObjectPlace, send: t.Callable[[], Headers], etag: t.Callable[[], str | None]
) -> str | None:
    """Send the request that creates an object, and return its ETag. ``etag`` returns the expected one after that.

    Without an answer, the object is read. It is also read if a repeated request is refused because an object exists:
    the first attempt may have created it. Raises ObjectExists.
    """
    answer: Headers = {}
    try:
        confirm_write(lambda: answer.update(send()), lambda: _is_stored(storage, place, etag()))
    except NotFound as exc:
        raise missing_container(place[0], exc) from None
    except Rejected as exc:
        if exc.status != 412:
            raise
        raise ObjectExists(f"There is an object {'/'.join(place)} already.", **exc.details) from None
    return answer["etag"].strip('"') if answer else etag()


def _is_stored(storage: ObjectStorage, place: ObjectPlace, etag: str | None) -> bool:
    """Return whether the object has this ETag; False if that is unknown."""
    try:
        found = storage.object_metadata(*place)
    except FcdError:
        return False
    return found is not None and etag is not None and found["etag"].strip('"') == etag


def damaged_upload(place: ObjectPlace) -> OperationFailed:
    """Return the error for bytes that were sent twice, and arrived damaged both times."""
    return OperationFailed(
        f"{'/'.join(place)}: the service stored other content than was sent (the ETag differs), twice.",
        next_step="The object is damaged. Something in between changes the content; run the task again when it no "
        "longer does.",
        changed=True,
    )
