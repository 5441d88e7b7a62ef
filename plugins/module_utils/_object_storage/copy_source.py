# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The object that is copied. A large one is copied segment by segment, so that both can be changed on their own."""

from __future__ import annotations

import typing as t

from .._core.clock import Deadline
from .._core.errors import InvalidInput, NotFound
from .api import Headers, ObjectStorage
from .object_headers import record_of
from .segments import Segment
from .upload import Place, no_container


class Source(t.NamedTuple):
    """The object to copy. ``etag`` and ``size`` are those that a copy has; ``segments`` are empty for a plain one.

    ``reader`` is the client that reads it where it is not the current version.
    """

    place: Place
    record: dict[str, t.Any]
    headers: Headers
    etag: str
    size: int
    segments: tuple[Segment, ...] = ()
    reader: ObjectStorage | None = None


def copy_source(storage: ObjectStorage, place: Place, option: str = "copy_from", version: str | None = None) -> Source:
    """Read what is known of the object at ``place``, or of a version of it, which an option names.

    Raises InvalidInput when there is none, or it cannot be copied.
    """
    container, name = place
    reader, headers = None, None
    if version is None:
        headers = storage.object_metadata(*place)
    else:
        from .object_version import read_version

        reader, headers = read_version(storage, place, version, option)
        storage = reader
    if headers is None:
        raise InvalidInput(f"{option}: there is no object {name!r} in a container {container!r}.", option=option)
    record = record_of(container, name, headers)
    if not record["large_object"]:
        return Source(place, record, headers, record["etag"], record["size"], reader=reader)
    from .digesting import large_etag, md5
    from .large_object import segments_of

    found = tuple(segments_of(storage, record, headers))
    if not all(one.whole for one in found):
        raise InvalidInput(
            f"{option}: {container}/{name} is made of parts of objects, or of other large objects.",
            next_step="Such an object cannot be copied; download it and store it anew.",
            option=option,
        )
    segments = tuple(one for one in found if one.size)  # the service takes no empty ones in a manifest
    etag = large_etag(one.etag for one in segments) if segments else md5().hexdigest()
    return Source(place, record, headers, etag, sum(one.size for one in segments), segments)


def copy_segments(
    storage: ObjectStorage,
    source: Source,
    place: Place,
    headers: Headers,
    *,
    segment_container: str,
    deadline: Deadline,
    warn: t.Callable[[str], None],
    replaced: t.Sequence[Segment] = (),
) -> str:
    """Copy a large object with its segments and return the ETag of the copy, which is that of the source.

    Segments that a broken run has copied are not copied again. ``replaced`` as in ``upload_segments``. Raises NotFound,
    Exists, Rejected, DeadlinePassed.
    """
    from .segments import Kept, Layout, in_order, put_together, remove_segments

    largest = max(one.size for one in source.segments)
    layout = Layout(segment_container, place[1], source.etag, source.size, largest)
    kept = Kept(storage, layout, place[0])

    def copied(numbered: tuple[int, Segment]) -> Segment:
        number, segment = numbered
        there = kept.get(number, segment.size)
        if there is not None and there.etag == segment.etag:
            return there
        target = (layout.container, layout.named(number))
        try:
            fresh = {"X-Fresh-Metadata": "true"}
            storage.copy_object((segment.container, segment.name), target, fresh, segment.size)
        except NotFound as exc:
            raise no_container(layout.container, exc, f" (or the segment {segment.name} has just gone)") from None
        return Segment(*target, segment.size, segment.etag)

    segments = in_order(list(enumerate(source.segments, start=1)), copied, deadline=deadline)
    etag = put_together(storage, place, headers, segments)
    remove_segments(storage, place[0], [*replaced, *kept.all()], segments, deadline=deadline, warn=warn)
    return etag
