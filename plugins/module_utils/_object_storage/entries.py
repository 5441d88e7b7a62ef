# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found on both sides: files below a folder and objects below a prefix, by relative names."""

from __future__ import annotations

import typing as t

from .._core.errors import FcdError

MARKER_TYPE = "application/directory"  # of an empty object that stands for a folder. Source: wire-facts 10.5

Warn = t.Callable[[str], None]
Problem = t.Callable[[str, FcdError], None]

FILE = "file"
EMPTY = "empty folder"
KEPT = "kept"  # is there and takes no part: a link, a pipe, what cannot be read; it counts as present


class Stamp(t.NamedTuple):
    """What changes whenever the content of a file does, in nanoseconds where it is time."""

    size: int
    mtime: int
    ctime: int
    inode: int
    device: int


class Local(t.NamedTuple):
    """A file or folder. A name with a slash at its end stands for everything in that folder."""

    name: str
    kind: str
    stamp: Stamp | None = None
    why: str = ""  # it takes no part


class Remote(t.NamedTuple):
    """An object as a listing shows it; ``size`` in bytes. ``large``: MD5 of the MD5s of the segments, where listed.

    ``hash`` is the MD5 of what is stored, which is the manifest for a large object.
    """

    name: str
    size: int
    hash: str
    content_type: str
    large: str | None = None

    @property
    def is_folder(self) -> bool:
        """Whether it only stands for a folder."""
        return not self.size and (self.name.endswith("/") or self.content_type.partition(";")[0] == MARKER_TYPE)


Left = t.TypeVar("Left", Local, Remote)
Right = t.TypeVar("Right", Local, Remote)


def merged(
    left: t.Iterable[Left], right: t.Iterable[Right]
) -> t.Iterator[tuple[str, t.Optional[Left], t.Optional[Right]]]:
    """Yield each name once, in order, with what has it on either side. Both sides must be sorted by name."""
    lefts, rights = iter(left), iter(right)
    one, other = next(lefts, None), next(rights, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one.name < other.name):
            one = t.cast("Left", one)
            yield one.name, one, None
            one = next(lefts, None)
        elif one is None or other.name < one.name:
            yield other.name, None, other
            other = next(rights, None)
        else:
            yield one.name, one, other
            one, other = next(lefts, None), next(rights, None)
