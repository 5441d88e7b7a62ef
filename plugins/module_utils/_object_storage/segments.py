# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The segments of static large objects: how large they are, what they are called, and what becomes of them."""

from __future__ import annotations

import re
import typing as t

from .._core.clock import Deadline
from .._core.digests import digest
from .._core.errors import FcdError, InvalidInput, NotFound, Rejected, Unclear
from .._engine.scheduler import side_by_side
from .api import Headers, ObjectStorage
from .digesting import large_etag
from .large_objects import write_manifest
from .upload import Exists, Place, no_container

MOST = 4  # requests for segments at a time: each is long, so that more of them gain little
USUAL_SIZE = 1 << 30  # bytes
USUAL_NUMBER = 1000  # in one manifest: wire-facts 10.6
LONG_NAME = 900  # bytes; the name of a segment is longer than that of its object by at most 100
OURS = re.compile(r"[^/]+/[0-9]+/[0-9]+/[0-9]{8}")
SHOWN = 3  # names in a warning

Item = t.TypeVar("Item")
Value = t.TypeVar("Value")


class Segment(t.NamedTuple):
    """A part of a large object. ``whole`` is False for a range of an object, or one that is made of segments itself."""

    container: str
    name: str
    size: int
    etag: str
    whole: bool = True


class Part(t.NamedTuple):
    """A part of a content, in bytes from its start."""

    number: int
    start: int
    length: int


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
        """What the names of all segments of the object begin with, those of other contents too."""
        return f"{self.name if len(self.name.encode('utf-8')) <= LONG_NAME else digest(self.name)}/slo/"

    def named(self, number: int) -> str:
        """Return the name of a segment."""
        return f"{self.folder}{self.version}/{self.size}/{self.segment_size}/{number:08d}"

    def parts(self) -> list[Part]:
        """Return the parts of the content, in order."""
        starts = range(0, self.size, self.segment_size)
        return [
            Part(number, start, min(self.segment_size, self.size - start))
            for number, start in enumerate(starts, start=1)
        ]


def segment_container(container: str) -> str:
    """Return the usual name of the container for the segments of objects in ``container``."""
    return f"{container}_segments"


def segment_size(size: int, wanted: int | None, most: int = USUAL_NUMBER) -> int:
    """Return the size of the segments for a content of ``size`` bytes; without a wanted one, such that they are enough.

    Raises InvalidInput when it takes more than ``most`` of the wanted size.
    """
    least = -(-size // most)
    if wanted is None:
        return max(USUAL_SIZE, -(-least // USUAL_SIZE) * USUAL_SIZE)
    if least > wanted:
        raise InvalidInput(
            f"segment_size: {size} bytes in segments of {wanted} are more than the {most} that an object can have.",
            next_step=f"Set it to {least} or more.",
            option="segment_size",
        )
    return wanted


class Kept:
    """The segments of one object in their container, as they are before anything is sent."""

    def __init__(self, storage: ObjectStorage, layout: Layout, main: str) -> None:
        """List what is there; a missing container is made, as readable as the container ``main`` of the object."""
        self._layout = layout
        self._found: dict[str, Segment] = {}
        try:
            self._list(storage)
        except NotFound:
            _make(storage, layout.container, main)

    def _list(self, storage: ObjectStorage) -> None:
        container, marker = self._layout.container, ""
        while True:
            page = storage.list_objects(container, marker=marker, prefix=self._layout.folder)
            if not page:
                return
            for entry in page:
                marker = str(entry["name"])
                if OURS.fullmatch(marker[len(self._layout.folder) :]):
                    self._found[marker] = Segment(container, marker, int(entry["bytes"]), str(entry["hash"]))

    def get(self, number: int, length: int) -> Segment | None:
        """Return a segment that is there already with this length."""
        found = self._found.get(self._layout.named(number))
        return found if found is not None and found.size == length else None

    def all(self) -> list[Segment]:
        """Return all segments of the object, those of other contents too."""
        return list(self._found.values())


def _make(storage: ObjectStorage, container: str, main: str) -> None:
    """Make a container for segments. Who may read the object must be allowed to read them too."""
    like = storage.container_metadata(main)
    if like is None:
        raise no_container(main, NotFound(f"There is no container {main!r}."))
    kept = {name: like[name] for name in ("x-container-read", "x-storage-policy") if like.get(name)}
    storage.create_container(container, kept)


def in_order(
    items: t.Sequence[Item], work: t.Callable[[Item], Value], *, deadline: Deadline, most: int = MOST
) -> list[Value]:
    """Do the work for all items side by side and return the values in order. The first error ends it and is raised."""
    values: dict[int, Value] = {}
    failed: list[FcdError] = []

    def one(pair: tuple[int, Item]) -> None:
        number, item = pair
        if failed:
            return
        try:
            values[number] = work(item)
        except FcdError as error:
            failed.append(error)

    side_by_side(enumerate(items), one, most=most, deadline=deadline, ended=lambda _pair, _none: None)
    if failed:
        raise failed[0]
    return [values[number] for number in range(len(items))]


def put_together(storage: ObjectStorage, place: Place, headers: Headers, segments: t.Sequence[Segment]) -> str:
    """Make a large object of the segments and return its ETag. The service checks length and MD5 of each.

    With the ETag goes that a service which knows no large objects stores nothing. Raises NotFound, Exists, Rejected.
    """
    etag = large_etag(segment.etag for segment in segments)
    manifest = [{"path": f"/{one.container}/{one.name}", "etag": one.etag, "size_bytes": one.size} for one in segments]
    try:
        write_manifest(storage, *place, {**headers, "ETag": etag}, manifest)
    except Unclear:
        if _stored(storage, place) != etag:
            raise
    except NotFound as exc:
        raise no_container(place[0], exc) from None
    except Rejected as exc:
        if exc.status == 412 and _stored(storage, place) != etag:
            raise Exists(f"There is an object {'/'.join(place)} already.", **exc.details) from None
        if exc.status == 422:
            raise _unknown(place, exc) from None
        if exc.status != 412:
            raise
    return etag


def remove_segments(
    storage: ObjectStorage,
    container: str,
    surplus: t.Iterable[Segment],
    keep: t.Sequence[Segment],
    *,
    deadline: Deadline,
    warn: t.Callable[[str], None],
    most: int = MOST,
) -> None:
    """Delete segments that no object needs any more, but for those to keep. What stays is told with ``warn``.

    None is deleted when ``container``, that of the large object, keeps versions: these need their segments.
    """
    kept = {(one.container, one.name) for one in keep}
    gone = [place for place in dict.fromkeys((one.container, one.name) for one in surplus) if place not in kept]
    if not gone or _needed_by_versions(storage, container, warn):
        return
    left: list[str] = []
    reasons: list[FcdError] = []

    def ended(place: Place, value: FcdError | None) -> None:
        if isinstance(value, FcdError):
            left.append("/".join(place))
            reasons.append(value)

    try:
        side_by_side(gone, lambda place: storage.delete_object(*place), most=most, deadline=deadline, ended=ended)
    except FcdError as late:
        reasons.append(late)
    if reasons:
        named = ", ".join(left[:SHOWN]) + (f" and {len(left) - SHOWN} more" if len(left) > SHOWN else "")
        warn(f"Old segments could not be deleted and stay{f': {named}' if named else ''} ({reasons[0].message})")


def _needed_by_versions(storage: ObjectStorage, container: str, warn: t.Callable[[str], None]) -> bool:
    from .container_versioning import kept_somewhere

    try:
        return kept_somewhere(storage, container)
    except FcdError as error:
        warn(f"Old segments stay: whether {container!r} keeps versions could not be found out ({error.message})")
        return True


def _stored(storage: ObjectStorage, place: Place) -> str | None:
    try:
        found = storage.object_metadata(*place)
    except FcdError:
        return None
    return None if found is None else found["etag"].strip('"')


def _unknown(place: Place, error: Rejected) -> Rejected:
    return Rejected(
        f"The service did not make a large object {'/'.join(place)} of its segments (HTTP 422).",
        next_step="It may not know large objects: set segment_threshold above the size of the content.",
        **error.details,
    )
