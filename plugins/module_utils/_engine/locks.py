# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One writer at a time for each object on this host: an advisory lock on a file in the user's own folder.

Controllers that do not share that folder may use a further lock, which a task passes in (``SharedLock``).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import typing as t

from .._core.clock import Deadline
from .._core.errors import Busy
from .._core.files import private_folder, unusable

PAUSE = 0.05  # seconds between two attempts


class SharedNote(t.Protocol):
    """The note of a create, as far as controllers share it; plain values, no secrets."""

    def content(self) -> dict[str, t.Any]:
        """Return what is noted, empty if there is no note."""

    def adopt(self, content: dict[str, t.Any]) -> None:
        """Take over what another controller has noted."""


SharedLock = t.Callable[[str, str, Deadline, SharedNote], t.ContextManager[t.Callable[[], None]]]
"""Holds a lock by its key; yields a function that raises Busy if the lock was lost, to be called before sending."""


@contextlib.contextmanager
def no_shared_lock(key: str, what: str, deadline: Deadline, note: SharedNote) -> t.Iterator[t.Callable[[], None]]:
    """Hold nothing: all tasks that might create the same object have one folder for locks."""
    del key, what, deadline, note
    yield lambda: None


@contextlib.contextmanager
def file_lock(folder: str, key: str, deadline: Deadline, *, what: str) -> t.Iterator[None]:
    """Hold the lock ``key`` while the block runs.

    Raises Busy if the deadline comes first, InvalidInput if the folder cannot hold locks.

    The kernel releases the lock when the process dies, however it dies. The file stays: if it were removed, two
    processes could hold locks on two files of the same name.
    """
    place = private_folder(os.path.join(folder, "locks"))
    try:
        descriptor = os.open(os.path.join(place, key), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as exc:
        raise unusable(place, exc.strerror) from None
    try:
        _take(descriptor, deadline, what, place)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, deadline: Deadline, what: str, place: str) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if deadline.over:
                raise Busy(
                    f"Another task on this host is working on {what} and did not finish within {deadline.seconds:g} s.",
                    next_step="Wait until that task has finished, then run this one again.",
                ) from None
            deadline.sleep(PAUSE)
        except OSError as exc:  # a file system without locks
            raise unusable(place, exc.strerror) from None
        else:
            return
