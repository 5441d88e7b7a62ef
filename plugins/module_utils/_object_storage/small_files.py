# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small files that only reading can compare: many are one piece of work, for a turn of a thread costs more than one."""

from __future__ import annotations

import collections
import os
import time
import typing as t

from .digesting import md5
from .entries import Remote, Stamp
from .local_tree import stamp_of
from .planning import Item

SMALL = 1 << 20  # bytes; what listings do not tell apart from a large object is larger
MANY, MUCH = 64, 1 << 20  # files and bytes in one piece of work


class Read(t.NamedTuple):
    """The MD5 (hex) of a file as it was when the folder was read, and when its reading began, in ns since 1970."""

    md5: str
    read_at: int


class Reading(t.NamedTuple):
    """A file to compare with an object by its MD5."""

    path: str
    stamp: Stamp
    remote: Remote


def only_md5_tells(stamp: Stamp, remote: Remote) -> bool:
    """Return whether file and object are the same when their MD5s are, and nothing else has to be looked at."""
    return stamp.size == remote.size <= SMALL and not remote.large


def read_all(files: t.Iterable[Reading]) -> list[Read | None]:
    """Read the files; None for one that cannot be read, or is another by now."""
    return [_read(file.path, file.stamp) for file in files]


def _read(path: str, stamp: Stamp) -> Read | None:
    read_at = time.time_ns()
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe must not keep it waiting
        try:
            data = os.read(descriptor, stamp.size + 1)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        return None
    return Read(md5(data).hexdigest(), read_at) if len(data) == stamp.size and stamp_of(after) == stamp else None


class ToDo:
    """What there is to do, one item after the other, but small files to be read only as lists of items.

    ``reading`` returns what there is to read for an item of the latter kind. After its end it goes on when something is
    put back.
    """

    def __init__(self, items: t.Iterable[Item], reading: t.Callable[[Item], Reading | None]) -> None:
        self._items = iter(items)
        self._reading = reading
        self._back: collections.deque[Item] = collections.deque()
        self._stopped = False

    def __iter__(self) -> ToDo:
        """Return itself."""
        return self

    def __next__(self) -> Item | list[Item]:
        """Return what is next."""
        if self._stopped:
            raise StopIteration
        if self._back:
            return self._back.popleft()
        together: list[Item] = []
        size = 0
        for item in self._items:
            file = self._reading(item)
            if file is None:
                if not together:
                    return item
                self._back.append(item)
                break
            together.append(item)
            size += file.stamp.size
            if len(together) == MANY or size >= MUCH:
                break
        if not together:
            raise StopIteration
        return together

    def put_back(self, item: Item) -> None:
        """Have this done by itself."""
        self._back.append(item)

    def stop(self) -> None:
        """End: nothing of the rest makes sense."""
        self._stopped = True
