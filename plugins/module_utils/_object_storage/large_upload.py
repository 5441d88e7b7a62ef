# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Send a content as a static large object: segments side by side, then the manifest that makes an object of them."""

from __future__ import annotations

import typing as t

from .._core.clock import Deadline
from .api import Headers, ObjectStorage
from .content import Content, Sending, digest
from .segments import MOST, Kept, Layout, Part, Segment, in_order, put_together, remove_segments
from .upload import Place, damaged, send_part


def upload_segments(  # noqa: PLR0913 - all by name
    storage: ObjectStorage,
    place: Place,
    headers: Headers,
    content: Content,
    *,
    segment_size: int,
    segment_container: str,
    deadline: Deadline,
    tell: t.Callable[[str], None],
    warn: t.Callable[[str], None],
    replaced: t.Sequence[Segment] = (),
    most: int = MOST,
) -> str:
    """Send the content in segments of ``segment_size`` bytes and return the ETag (hex) of the large object.

    Nothing shows under the object's name before the manifest is in place, which goes last and is checked against the
    MD5 and length of every segment. Segments that a broken run has left are compared by their MD5 and not sent again.
    ``replaced`` are the segments of the object that was there before; they, and what broken runs have left, are
    removed at the end, and ``warn`` is told what could not be. ``storage`` has to be one that threads can share.
    Raises NotFound, Changed, Exists, Rejected, DeadlinePassed.
    """
    layout = Layout(segment_container, place[1], content.version, content.size, segment_size)
    kept = Kept(storage, layout, place[0])
    sender = _Sender(storage, layout, content, kept, tell)
    segments = in_order(layout.parts(), sender.segment, most=most, deadline=deadline)
    etag = put_together(storage, place, headers, segments)
    remove_segments(storage, place[0], [*replaced, *kept.all()], segments, deadline=deadline, warn=warn)
    return etag


class _Sender:
    def __init__(
        self, storage: ObjectStorage, layout: Layout, content: Content, kept: Kept, tell: t.Callable[[str], None]
    ) -> None:
        self._storage = storage
        self._layout = layout
        self._content = content
        self._kept = kept
        self._tell = tell

    def segment(self, part: Part) -> Segment:
        """Have the segment at the service."""
        there = self._kept.get(part.number, part.length)
        if there is not None and digest(self._content, part.start, part.length) == there.etag:
            return there
        name = self._layout.named(part.number)
        etag = self._sent(name, part) or self._sent(name, part)
        if etag is None:
            raise damaged((self._layout.container, name))
        self._tell(f"{self._layout.container}/{name}: {part.length} bytes sent")
        return Segment(self._layout.container, name, part.length, etag)

    def _sent(self, name: str, part: Part) -> str | None:
        sending = Sending(self._content, part.start, part.length)
        return send_part(self._storage, (self._layout.container, name), {}, self._content, sending)
