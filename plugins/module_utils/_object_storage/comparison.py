# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a file and an object have the same content."""

from __future__ import annotations

import time
import typing as t

from .api import Headers, ObjectStorage
from .checksum_cache import NOTHING, Checksums, Known
from .content import Content, of_file
from .entries import Remote, Stamp
from .local_tree import stamp_at
from .object_headers import record_of
from .small_files import SMALL

EMPTY_MD5 = "d41d8cd98f00b204e9800998ecf8427e"


class Found(t.NamedTuple):
    """What was found out by reading: the content, whether it is the same, what is to be remembered, and when it began.

    ``stamp`` is that of the file before. ``headers`` are the object's, where they had to be asked for.
    """

    content: Content
    same: bool
    known: Known
    read_at: int
    stamp: Stamp | None
    headers: Headers | None = None


def identity(remote: Remote) -> str:
    """Return what stands for the content in a listing."""
    return remote.large or remote.hash


def at_once(stamp: Stamp, remote: Remote, known: Known, *, by_size: bool) -> bool | None:
    """Return whether they are the same, as far as listing, stamp and cache tell; None: the file has to be read."""
    if stamp.size != remote.size:
        return None if _maybe_dynamic(stamp.size, remote) else False
    if by_size or identity(remote) in known:
        return True
    if known.md5 is None or remote.large or remote.size > SMALL:
        return None
    return False


def by_reading(
    storage: ObjectStorage,
    place: tuple[str, str],
    path: str,
    remote: Remote,
    known: Known,
    segment_size: int | None = None,
) -> Found:
    """Compare by the MD5 of the file, and with large objects by those of the segments. Raises FcdError.

    ``segment_size`` is that of objects that we make, in bytes.
    """
    read_at, stamp = time.time_ns(), stamp_at(path)
    content = of_file(path, "path")
    same, headers, large = False, None, known.large
    if content.size == remote.size and not remote.large and content.etag == remote.hash:
        same = True
    elif remote.large or _maybe_dynamic(content.size, remote) or content.size == remote.size > SMALL:
        from .large_object import same_content

        headers = storage.object_metadata(*place)
        if headers is not None:
            record = record_of(*place, headers)
            if not record["large_object"]:  # it may lead to another object, or the listing lags behind
                same = record["size"] == content.size and record["etag"] == content.etag
            else:
                same = record["etag"] is not None and record["etag"] == known.large
                same = same or same_content(storage, record, headers, content, segment_size)
            large = _lasting(record, remote) if same else None
    return Found(content, same, Known(content.known_etag or known.md5, large), read_at, stamp, headers)


def remember(cache: Checksums, path: str, stamp: Stamp, known: Known, read_at: int) -> None:
    """Keep what was found out about a file, if it is still the same."""
    if known != NOTHING and stamp_at(path) == stamp:
        cache.keep(path, stamp, known, read_at)


def _lasting(record: t.Mapping[str, t.Any], remote: Remote) -> str | None:
    """Return what the next run can tell the large object by: what is listed, or the ETag of a dynamic one."""
    return t.cast("t.Optional[str]", record["etag"]) if record["large_object"] == "dynamic" else identity(remote)


def _maybe_dynamic(size: int, remote: Remote) -> bool:
    """Return whether the object may be a dynamic large one, which listings show as empty."""
    return size > 0 and remote.size == 0 and remote.hash == EMPTY_MD5 and not remote.is_folder
