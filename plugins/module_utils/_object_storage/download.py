# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read an object into a file: beside its place at first, checked, and put there as a whole."""

from __future__ import annotations

import typing as t

from .._core.errors import FcdError, NotFound, OperationFailed, Unclear, Unusable
from .api import Headers, ObjectStorage
from .object_headers import record_of
from .part_file import PartFile, TooMuch, part_file
from .upload import Place

TRIES = 4  # requests in a row that bring nothing before it is given up
CHANGES = 1  # times that it is begun again because the object has changed


class Version(t.NamedTuple):
    """One state of an object: its length in bytes, its ETag without quotes, and whether it is made of segments.

    ``parts`` are the length and MD5 of each of its segments, in order. A plain object needs none; the content of a
    large one can be checked by its length only where they are not known.
    """

    size: int
    etag: str
    large: bool = False
    parts: tuple[tuple[int, str], ...] = ()


class Stale(FcdError):
    """The object is another than the version that was to be read."""


def download(  # noqa: PLR0913 - all by name
    storage: ObjectStorage,
    place: Place,
    path: str,
    version: Version,
    *,
    mode: int | None = None,
    mtime_ns: int | None = None,
    durable: bool = True,
    option: str = "dest",
    folder: int | None = None,
) -> Version:
    """Have the content of the object in the file at ``path``, and return the version that is in it.

    It is written to a file beside it (mode 0600), checked by its MD5, given ``mode`` (None: that of the file it
    replaces, else 0600) and ``mtime_ns`` (nanoseconds since 1970), and then moved to its place. A symlink there is
    replaced, not followed. A large part that a killed run has left is gone on with when it is of the same version. An
    object that has become another meanwhile is begun again once. ``durable``: the content is on disk before it is in
    its place. ``folder`` is a descriptor of the folder in which the file is to be, for paths that others may change.
    Raises NotFound, InvalidInput when the file cannot be written (its part is removed), Busy, Unclear, Unusable,
    OperationFailed when the object keeps changing or arrives damaged.
    """
    for left in reversed(range(1 + CHANGES)):
        if version.large and not version.parts:
            version = current_version(storage, place)
        with part_file(path, version.size, _parts(version), _identity(place, version), option, folder) as part:
            try:
                _fill(storage, place, version, part)
            except Stale:
                part.discard()
            else:
                part.put_in_place(mode, mtime_ns, durable=durable)
                return version
        if left:
            version = current_version(storage, place)
    raise OperationFailed(
        f"{'/'.join(place)} changes while it is read; {path} was left as it was.",
        next_step="Run the task again when nothing writes to the object.",
    )


def current_version(storage: ObjectStorage, place: Place) -> Version:
    """Return the version that the object has now. Raises NotFound."""
    headers = storage.object_metadata(*place)
    if headers is None:
        raise missing(place)
    return version_of(storage, record_of(*place, headers), headers)


def version_of(storage: ObjectStorage, record: t.Mapping[str, t.Any], headers: Headers) -> Version:
    """Return the version that a record (of ``record_of``) and its headers stand for; reads the segments if there are.

    Raises Unusable for a large object of which neither the service nor its segments tell the size.
    """
    parts: tuple[tuple[int, str], ...] = ()
    size, etag = record["size"], record["etag"]
    if record["large_object"]:
        from .large_object import readable_segments

        found = readable_segments(storage, record, headers) or []
        parts = tuple((one.size, one.etag) for one in found)
        if size is None and not parts:
            raise Unusable(f"{record['container']}/{record['name']}: neither it nor its segments tell how large it is.")
        size = sum(length for length, _etag in parts) if size is None else size
        parts = parts if sum(length for length, _etag in parts) == size else ()
    return Version(size, etag or "", bool(record["large_object"]), parts)


def missing(place: Place) -> NotFound:
    """Return the error for an object that is not there."""
    return NotFound(f"There is no object {place[1]!r} in a container {place[0]!r}.", next_step="Check both names.")


def _parts(version: Version) -> list[tuple[int, str | None]]:
    if version.large:
        return list(version.parts) or [(version.size, None)]
    return [(version.size, version.etag)]


def _identity(place: Place, version: Version) -> str:
    return f"{place[0]}/{place[1]} {version.etag} {version.size}" if version.etag else ""


def _fill(storage: ObjectStorage, place: Place, version: Version, part: PartFile) -> None:
    """Read what is not in the part yet, and check it all. Raises Stale."""
    resumed = part.resumed
    if not (resumed and part.complete):
        _read_all(storage, place, version, part)
    if part.genuine():
        return
    if resumed:  # what the killed run has left was not all on disk
        part.restart()
        _fill(storage, place, version, part)
        return
    raise OperationFailed(
        f"{'/'.join(place)}: what arrived has another MD5 than the service says; {part.path} was left as it was.",
        next_step="Something on the way changes contents, or the object is damaged. Run the task again.",
    )


def _read_all(storage: ObjectStorage, place: Place, version: Version, part: PartFile) -> None:
    failures = 0
    while True:
        before = part.size
        try:
            _read(storage, place, version, part)
        except (Unclear, Unusable, TooMuch):
            failures = 0 if part.size > before else failures + 1
            if failures >= TRIES:
                raise
        else:
            if part.complete:
                return
            raise Stale(f"{'/'.join(place)} has become shorter.")


def _read(storage: ObjectStorage, place: Place, version: Version, part: PartFile) -> None:
    """Read the rest. Raises Stale when it is of another version."""
    start = part.size
    headers = {"If-Match": f'"{version.etag}"'} if version.etag else {}
    if start:
        headers["Range"] = f"bytes={start}-"
    try:
        answer = storage.read_object(*place, part.take, headers, version.size - start)
    except TooMuch:
        part.restart()  # the whole came in place of the rest, or it has grown
        if start:
            raise
        raise Stale(f"{'/'.join(place)} has become longer.") from None
    if answer.status == 404:
        raise missing(place)
    if answer.status in (412, 416):
        raise Stale(f"{'/'.join(place)} has changed.")
    if start and answer.status != 206:
        part.restart()
        raise Unusable(f"{'/'.join(place)}: the service answered a range with the whole.")
