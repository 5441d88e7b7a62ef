# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lock of a site on one host: locks of the kernel on files below state_dir, for the whole and for each part.

The kernel lets go of them when the process dies. Runs with another state_dir do not see them.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import typing as t

from ....module_utils._core.clock import Clock, Deadline
from ....module_utils._core.files import private_folder, unusable
from ....module_utils._core.text import digest
from ....module_utils._engine import locks
from .lock_holder import Blocked, SiteLock, Taken, this_process, told_owner
from .registry_places import WHOLE, parts_of

GATE_SECONDS = 30.0
LARGEST = 10000  # bytes that are read of what an owner has noted


class FileLock(SiteLock):
    """A file with a lock on it."""

    def __init__(self, descriptor: int, path: str) -> None:
        self._descriptor = descriptor
        self._path = path

    @property
    def why_lost(self) -> str | None:
        """What became of it: the kernel keeps it, as long as its file has its name."""
        try:
            if os.path.samestat(os.stat(self._path), os.fstat(self._descriptor)):
                return None
        except OSError:
            pass
        return f"its file {self._path} was removed."

    def release(self) -> None:
        """Let go; the file stays, so that all runs mean the same one."""
        os.close(self._descriptor)


class FileLocks:
    """All locks of one site; ``place`` (where its registry is) tells it from a site of the same name."""

    def __init__(self, state_dir: str, site: str, place: str, clock: Clock) -> None:
        self._state_dir = state_dir
        self._stem = f"site-{site}-{digest(place)}."
        self._what = f"the lock of the site {site!r}"
        self._clock = clock

    def take(self, name: str) -> Taken:
        """Take the lock of the whole or of a part, or return who is in the way. Raises InvalidInput, Busy.

        Everybody who takes one comes through the same gate, one at a time: nobody is kept out by a look at the others.
        """
        gate = Deadline(self._clock, GATE_SECONDS)
        with locks.file_lock(self._state_dir, f"{self._stem}gate", gate, what=self._what):
            own = self._locked(name)
            if isinstance(own, Blocked):
                return own
            try:
                blocked = self._in_the_way(name)
                if blocked is None:
                    _note_owner(own, self._clock)
            except BaseException:
                os.close(own)
                raise
            if blocked is not None:
                os.close(own)
                return blocked
        return FileLock(own, self._path(name))

    def _path(self, name: str) -> str:
        return os.path.join(self._state_dir, "locks", self._stem + name)

    def _in_the_way(self, name: str) -> Blocked | None:
        """Return who holds a lock that keeps this one out: parts the whole, the whole parts, and other divisions."""
        for other in self._names():
            if other == name or (WHOLE not in (other, name) and parts_of(other) == parts_of(name)):
                continue
            probe = self._locked(other)
            if isinstance(probe, Blocked):
                return probe
            os.close(probe)
        return None

    def _names(self) -> list[str]:
        folder = private_folder(os.path.join(self._state_dir, "locks"))
        found = [name[len(self._stem) :] for name in os.listdir(folder) if name.startswith(self._stem)]
        return sorted(name for name in found if name == WHOLE or parts_of(name))

    def _locked(self, name: str) -> int | Blocked:
        path = self._path(name)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as exc:
            raise unusable(os.path.dirname(path), exc.strerror) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = _noted_owner(descriptor)
            os.close(descriptor)
            return Blocked(name, told_owner(owner), None, f"end the process {owner.get('pid', '')}".rstrip())
        except OSError as exc:  # a file system without locks
            os.close(descriptor)
            raise unusable(os.path.dirname(path), exc.strerror) from None
        return descriptor


def _note_owner(descriptor: int, clock: Clock) -> None:
    """Write down who has it, for the errors of others; the lock counts without it."""
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(this_process(clock.now())).encode("ascii"), 0)


def _noted_owner(descriptor: int) -> dict[str, t.Any]:
    try:
        found = json.loads(os.pread(descriptor, LARGEST, 0))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
