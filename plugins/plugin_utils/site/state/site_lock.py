# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of a site at a time: the lock of a site, on this host or for all hosts.

A signal that ends the process has it give the lock back first.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
import types
import typing as t

from ....module_utils._core.errors import Busy, InvalidInput
from ....module_utils._core.signal_guard import SignalGuard
from .lock_holder import Blocked, SiteLock, Taken
from .registry_places import WHOLE, checked_owner, document_name

if t.TYPE_CHECKING:
    from ....module_utils._connection.task import Task


QUICKLY = 3.0  # seconds that giving back may take then


class Interruption(SignalGuard):
    """Has a signal raise KeyboardInterrupt in the main thread; at the end of the block the process gets it again."""

    def __init__(self) -> None:
        super().__init__()
        self._number: int | None = None
        self._only_note = False

    def __exit__(self, *error: object) -> None:
        """Let signals do again what they did, and end the process where one came."""
        super().__exit__(*error)
        if self._number is not None:
            os.kill(os.getpid(), self._number)

    def give_back(self, release: t.Callable[[], None]) -> None:
        """Call ``release``, which no signal interrupts any more; after one it has a few seconds only."""
        self._only_note = True
        if self._number is None:
            release()
            return
        thread = threading.Thread(target=release, name="giving back", daemon=True)
        thread.start()
        thread.join(QUICKLY)

    def take(self, number: int, frame: types.FrameType | None) -> None:
        """Note it, and interrupt the work unless things are being given back. Raises KeyboardInterrupt."""
        del frame
        self._number = number
        if not self._only_note:
            raise KeyboardInterrupt


FILE, LEASE, NONE = "file", "lease", "none"
SHORTEST = 1.0  # seconds of a lease
PASSING = 30.0  # seconds that are waited, whatever the timeout, for what others hold for a moment only
PAUSES = {FILE: 0.1, LEASE: 1.0}
PASSING_PAUSE = 0.3


class LockRequest(t.NamedTuple):
    """How a lock is to be taken."""

    how: str | None
    timeout: float
    lease: float
    break_lock: bool


@contextlib.contextmanager
def site_lock(
    task: Task,
    site: str,
    registry: t.Mapping[str, str] | None,
    *,
    part: str | None = None,
    how: str | None = None,
    timeout: float = 0.0,
    lease: float = 900.0,
    break_lock: bool = False,
) -> t.Iterator[SiteLock]:
    """Hold the lock of a site, or of the part ``k/n``, while the block runs; in check mode nothing is locked.

    ``how``: ``file`` (this host, below state_dir), ``lease`` (all hosts, needs a registry in a container), ``none``;
    None chooses lease where the registry is in a container, else file. Waits ``timeout`` seconds for another run, then
    raises Busy, which says who has it and until when. A lease lasts ``lease`` seconds and is renewed in a thread.
    ``break_lock`` takes a lease from whoever has it; the lock on a file ends with its process only. A whole run and
    parts keep each other out, and so do parts of different numbers (1/4 and 1/3). Raises InvalidInput for what does not
    fit together.

    A signal that ends the process has it give the lock back first.
    """
    name = document_name(part)
    take, pause = _taker(task, checked_owner(site), dict(registry or {}), LockRequest(how, timeout, lease, break_lock))
    if take is None:
        yield SiteLock()
        return
    interruption = Interruption()
    with interruption:
        lock = _waited_for(task, site, name, take, timeout, pause)
        try:
            yield lock
        finally:
            interruption.give_back(lock.release)


def _taker(
    task: Task, site: str, registry: dict[str, str], wish: LockRequest
) -> tuple[t.Callable[[str], Taken] | None, float]:
    """Return what takes a lock, and the pause between two tries."""
    how = wish.how or (LEASE if "container" in registry else FILE)
    _check(registry, how, wish)
    if how == NONE or task.check_mode:
        return None, 0.0
    if how == FILE:
        from .file_lock import FileLocks
        from .registry_places import registry_path

        return FileLocks(task.state_dir, site, registry_path(task, site, registry), task.clock).take, PAUSES[FILE]
    from .leases import SiteLeases
    from .small_objects import SmallObjects

    objects = SmallObjects(task, registry["container"])
    return SiteLeases(task, objects, site, wish.lease, break_lock=wish.break_lock).take, PAUSES[LEASE]


def _check(registry: t.Mapping[str, str], how: str, wish: LockRequest) -> None:
    if how not in (FILE, LEASE, NONE):
        raise InvalidInput(f"lock: {how!r} is none.", next_step="It is file, lease or none.", option="lock")
    if how == LEASE and "container" not in registry:
        raise InvalidInput(
            "lock: a lease needs a registry in a container.",
            next_step="Write registry: {container: name} into the site file, or set lock to file.",
            option="lock",
        )
    if not wish.lease >= SHORTEST:
        raise InvalidInput(
            f"lock_lease: {wish.lease:g} s are too short; it is at least {SHORTEST:g}.", option="lock_lease"
        )
    if not wish.timeout >= 0:
        raise InvalidInput(f"lock_timeout: {wish.timeout:g} s are less than none.", option="lock_timeout")


def _waited_for(
    task: Task, site: str, name: str, take: t.Callable[[str], Taken], timeout: float, pause: float
) -> SiteLock:
    """Return the lock as soon as it can be had. Raises Busy after ``timeout`` seconds."""
    deadline = task.deadline.within(timeout, "lock")
    passing = task.deadline.within(PASSING, "lock")
    told = False
    while True:
        taken = take(name)
        if isinstance(taken, SiteLock):
            return taken
        limit = passing if taken.passing and deadline.over else deadline
        if limit.over:
            raise _busy(site, taken, timeout)
        if not told and not taken.passing:
            task.tell(f"Waiting for the site {site!r}: {taken.owner} works on it.")
            told = True
        limit.sleep((PASSING_PAUSE if taken.passing else pause) * random.uniform(0.5, 1.5))  # noqa: S311


def _busy(site: str, blocked: Blocked, waited: float) -> Busy:
    what = f"the site {site!r}" if blocked.lock == WHOLE else f"{blocked.lock.replace('-', ' ')} of the site {site!r}"
    until = f" Its lease lasts until {blocked.until}, unless it is renewed." if blocked.until else ""
    return Busy(
        f"Another run works on {what}: {blocked.owner}.{until} It has not ended within {waited:g} s.",
        next_step="Let it end, or raise lock_timeout. If it is certain that it does nothing any more: "
        f"{blocked.how_to_break}.",
        owner=blocked.owner,
        until=blocked.until,
    )
