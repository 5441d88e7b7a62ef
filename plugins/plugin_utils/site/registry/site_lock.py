# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of a site at a time: the lock of a site, on this host or for all hosts.

A signal that ends the process has it give the lock back first. On one host these are locks of the kernel on files below
state_dir, for the whole and for each part; the kernel lets go of them when the process dies, and runs with another
state_dir do not see them. For all hosts they are leases: one for the whole run, or one for each part.

A part takes the lease of the whole for a moment, as a gate: under it, it is noted in the index of parts and looks
whether another division of the site runs. The whole looks, under its own lease, at all parts in the index. So nobody
depends on listings, in which new objects may be missing for a while.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import random
import threading
import types
import typing as t

from ....module_utils._connection.task import Params, Task
from ....module_utils._core.clock import Clock, Deadline, SignalGuard
from ....module_utils._core.errors import Busy, InvalidInput
from ....module_utils._core.private_files import file_lock, private_folder, unusable
from ....module_utils._core.text import digest
from ....module_utils._object_storage.leases import (
    RUN,
    BlockedLock,
    HeldLock,
    Holder,
    Lease,
    LeaseObjects,
    LockAttempt,
    as_text,
    describe_owner,
    is_surely_dead,
    this_process,
)
from ....module_utils._object_storage.small_objects import REGISTRY_PREFIX, SmallObjects
from .registry_places import (
    INDEX,
    WHOLE_SITE,
    Registry,
    checked_owner,
    document_name,
    indexed,
    object_name,
    parts_of,
    registry_path,
)

QUICKLY = 3.0  # seconds that giving back may take after a signal
FILE, LEASE, NONE = "file", "lease", "none"
MIN_LEASE = 1.0  # seconds of a lease
TRANSIENT_LOCK_WAIT = 30.0  # seconds that are waited, whatever the timeout, for what others hold for a moment only
PAUSES = {FILE: 0.1, LEASE: 1.0}
PASSING_PAUSE = 0.3
GATE_SECONDS = 30.0
GATE = "gate"
GATE_LEASE_SECONDS = 60.0
MAX_OWNER_BYTES = 10000  # bytes that are read of what an owner has noted


class LockOptions(t.NamedTuple):
    """How a site is locked.

    ``how``: ``file`` (this host, below state_dir), ``lease`` (all hosts, needs a registry in a container), ``none``;
    None chooses lease where the registry is in a container, else file. Another run is waited for for ``timeout``
    seconds. A lease lasts ``lease`` seconds and is renewed in a thread. ``break_lock`` takes a lease from whoever has
    it; the lock on a file ends with its process only.
    """

    how: str | None = None
    timeout: float = 0.0
    lease: float = 900.0
    break_lock: bool = False

    @classmethod
    def of(cls, params: Params) -> LockOptions:
        """Return the options of a task."""
        return cls(params["lock"], params["lock_timeout"], params["lock_lease"], params["break_lock"])


@contextlib.contextmanager
def site_lock(
    task: Task,
    site: str,
    registry: Registry | None,
    options: LockOptions | None = None,
    *,
    part: str | None = None,
    before_create: t.Callable[[], object] = lambda: None,
) -> t.Iterator[HeldLock]:
    """Hold the lock of a site, or of the part ``k/n``, while the block runs; in check mode nothing is locked.

    Raises Busy, which says who has it and until when. A whole run and parts keep each other out, and so do parts of
    different numbers (1/4 and 1/3). A lease needs the container of the registry: where that is missing,
    ``before_create`` is called before it is created, and may raise. Raises InvalidInput for what does not fit together.

    A signal that ends the process has it give the lock back first.
    """
    name = document_name(part)
    checked_owner(site)
    registry = dict(registry or {})
    how, timeout, lease, break_lock = options or LockOptions()
    if part is not None and how is None and "container" not in registry:
        raise InvalidInput(
            "part: workers share nothing but the service, so the registry of the site has to be in a container.",
            next_step="Write registry: {container: name} into the site file. If all parts run on one host, set lock to "
            "file.",
            option="part",
        )
    how = how or (LEASE if "container" in registry else FILE)
    _check(registry, how, timeout, lease)
    if how == NONE or task.check_mode:
        yield HeldLock()
        return
    if how == FILE:
        place = registry_path(task, site, registry)
        take: t.Callable[[str], LockAttempt] = FileLocks(task.state_dir, site, place, task.clock).take
    else:
        objects = SmallObjects(task, registry["container"], before_create=before_create)
        take = SiteLeases(task, objects, site, lease, break_lock=break_lock).take
    interruption = Interruption()
    with interruption:
        lock = _waited_for(task, site, name, take, timeout, PAUSES[how])
        try:
            yield lock
        finally:
            interruption.give_back(lock.release)


def _check(registry: t.Mapping[str, str], how: str, timeout: float, lease: float) -> None:
    if how not in (FILE, LEASE, NONE):
        raise InvalidInput(f"lock: {how!r} is not a kind of lock.", next_step="Use file, lease or none.", option="lock")
    if how == LEASE and "container" not in registry:
        raise InvalidInput(
            "lock: a lease needs a registry in a container.",
            next_step="Write registry: {container: name} into the site file, or set lock to file.",
            option="lock",
        )
    if not lease >= MIN_LEASE:
        raise InvalidInput(f"lock_lease: {lease:g} s is too short; the minimum is {MIN_LEASE:g}.", option="lock_lease")
    if not timeout >= 0:
        raise InvalidInput(f"lock_timeout: {timeout:g} s is negative.", option="lock_timeout")


def _waited_for(
    task: Task, site: str, name: str, take: t.Callable[[str], LockAttempt], timeout: float, pause: float
) -> HeldLock:
    """Return the lock as soon as it can be had. Raises Busy after ``timeout`` seconds."""
    deadline = task.deadline.within(timeout, "lock")
    passing = task.deadline.within(TRANSIENT_LOCK_WAIT, "lock")
    told = False
    while True:
        taken = take(name)
        if isinstance(taken, HeldLock):
            return taken
        limit = passing if taken.passing and deadline.over else deadline
        if limit.over:
            raise _busy(site, name, taken, timeout)
        if not told and not taken.passing:
            task.tell(f"Waiting for the site {site!r}: {taken.owner} is working on it.")
            told = True
        limit.sleep((PASSING_PAUSE if taken.passing else pause) * random.uniform(0.5, 1.5))  # noqa: S311


def _busy(site: str, name: str, blocked: BlockedLock, waited: float) -> Busy:
    whole = blocked.lock == WHOLE_SITE
    what = f"the site {site!r}" if whole else f"{blocked.lock.replace('-', ' ')} of the site {site!r}"
    until = f" Its lease lasts until {blocked.until}, unless it is renewed." if blocked.until else ""
    advice = (
        "Wait for it to end, or increase lock_timeout (in the playbooks provision_lock_timeout). If it is certain that "
        f"it is no longer running: {blocked.how_to_break}."
    )
    if WHOLE_SITE not in (blocked.lock, name) and parts_of(blocked.lock) != parts_of(name):
        advice = f"Divide the site into {parts_of(blocked.lock)} parts here too: parts of other divisions overlap."
    return Busy(
        f"Another run is working on {what}: {blocked.owner}.{until} This run waited {waited:g} s for it.",
        next_step=advice,
        owner=blocked.owner,
        until=blocked.until,
    )


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


class FileLock(HeldLock):
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

    def take(self, name: str) -> LockAttempt:
        """Take the lock of the whole or of a part, or return who is in the way. Raises InvalidInput, Busy.

        Everybody who takes one comes through the same gate, one at a time: nobody is kept out by a look at the others.
        """
        gate = Deadline(self._clock, GATE_SECONDS)
        with file_lock(self._state_dir, f"{self._stem}gate", gate, what=self._what):
            own = self._locked(name)
            if isinstance(own, BlockedLock):
                return own
            try:
                blocked = self._in_the_way(name)
                if blocked is None:
                    with contextlib.suppress(OSError):  # who has it is for the errors of others: it counts without
                        os.ftruncate(own, 0)
                        os.pwrite(own, json.dumps(this_process(self._clock.now())).encode("ascii"), 0)
            except BaseException:
                os.close(own)
                raise
            if blocked is not None:
                os.close(own)
                return blocked
        return FileLock(own, self._path(name))

    def _path(self, name: str) -> str:
        return os.path.join(self._state_dir, "locks", self._stem + name)

    def _in_the_way(self, name: str) -> BlockedLock | None:
        """Return who holds a lock that keeps this one out: parts the whole, the whole parts, and other divisions."""
        for other in self._names():
            if other == name or (WHOLE_SITE not in (other, name) and parts_of(other) == parts_of(name)):
                continue
            probe = self._locked(other)
            if isinstance(probe, BlockedLock):
                return probe
            os.close(probe)
        return None

    def _names(self) -> list[str]:
        folder = private_folder(os.path.join(self._state_dir, "locks"))
        found = [name[len(self._stem) :] for name in os.listdir(folder) if name.startswith(self._stem)]
        return sorted(name for name in found if name == WHOLE_SITE or parts_of(name))

    def _locked(self, name: str) -> int | BlockedLock:
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
            return BlockedLock(name, describe_owner(owner), None, f"end the process {owner.get('pid', '')}".rstrip())
        except OSError as exc:  # a file system without locks
            os.close(descriptor)
            raise unusable(os.path.dirname(path), exc.strerror) from None
        return descriptor


def _noted_owner(descriptor: int) -> dict[str, object]:
    try:
        found = json.loads(os.pread(descriptor, MAX_OWNER_BYTES, 0))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


class SiteLeases:
    """The leases of one site, of ``seconds``; ``break_lock`` takes them from whoever has them."""

    def __init__(self, task: Task, objects: SmallObjects, site: str, seconds: float, *, break_lock: bool) -> None:
        self._task = task
        self._objects = objects
        self._site = site
        self._seconds = seconds
        self._break = break_lock
        self._to_break: dict[str, str] = {}  # who was there when this run came; it breaks nobody who comes later
        facts = {"what": "lock of a site", "site": site}
        self._leases = LeaseObjects(objects, f"{REGISTRY_PREFIX}{site}/locks/", task.clock, "the site", facts)

    def take(self, name: str) -> LockAttempt:
        """Take the lease of the whole or of a part, or return who is in the way."""
        if name != WHOLE_SITE:
            return self._take_part(name)
        begun = self._task.clock.monotonic()
        blocked = self._made(WHOLE_SITE, self._seconds, RUN)
        if blocked is not None:
            return blocked
        try:
            blocked = self._in_the_way(self._index())
        except BaseException:
            self._leases.remove_own(WHOLE_SITE)
            raise
        if blocked is not None:
            self._leases.remove_own(WHOLE_SITE)
            return blocked
        return self._lease(WHOLE_SITE, begun)

    def _take_part(self, name: str) -> LockAttempt:
        begun = self._task.clock.monotonic()
        blocked = self._made(WHOLE_SITE, GATE_LEASE_SECONDS, GATE)
        if blocked is not None:
            return blocked
        try:
            index = self._index()
            blocked = self._in_the_way([other for other in index if parts_of(other) != parts_of(name)])
            if blocked is not None:
                return blocked
            if self._task.clock.monotonic() > begun + GATE_LEASE_SECONDS / 2:
                raise Busy("The object storage is too slow to take a lock.", next_step="Run the task again later.")
            if name not in index:
                noted = json.dumps({"parts": sorted([*index, name])}).encode("ascii")
                self._objects.write(object_name(self._site, INDEX), noted)
            begun = self._task.clock.monotonic()
            blocked = self._made(name, self._seconds, RUN)
            return self._lease(name, begun) if blocked is None else blocked
        finally:
            self._leases.remove_own(WHOLE_SITE)

    def _lease(self, name: str, begun: float) -> HeldLock:
        return Lease(self._leases, name, self._seconds, begun, self._task.warn).start()

    def _made(self, name: str, seconds: float, purpose: str) -> BlockedLock | None:
        """Make a lease, in place of one that counts no more; None when it is ours, else who has it."""
        holder = self._leases.holder(name)
        blocked = self._freed(name, holder)
        if blocked is not None:
            return blocked
        if self._leases.make(name, seconds, purpose):
            return None
        return self._blocked(name, self._leases.holder(name))

    def _in_the_way(self, names: t.Iterable[str]) -> BlockedLock | None:
        for name in names:
            blocked = self._freed(name, self._leases.holder(name))
            if blocked is not None:
                return blocked
        return None

    def _freed(self, name: str, holder: Holder | None) -> BlockedLock | None:
        """Remove a lease that counts no more, or is to be broken; None when nobody has it now."""
        if holder is None:
            return None
        is_over = is_surely_dead(holder.owner) or self._leases.is_expired(holder)
        is_to_break = self._break and holder.purpose == RUN
        if not is_over and not (is_to_break and self._to_break.setdefault(name, holder.nonce) == holder.nonce):
            return self._blocked(name, holder)
        if not self._leases.break_lease(name, holder):
            return self._blocked(name, holder, passing=True)
        self._task.warn(f"The lock {name!r} of the site {self._site!r} was taken from {holder.description}.")
        return None

    def _blocked(self, name: str, holder: Holder | None, *, passing: bool = False) -> BlockedLock:
        place = self._objects.text(self._leases.name(name))
        how = f"set break_lock: true (in the playbooks provision_break_lock), or remove the object {place}"
        if holder is None:  # it was there a moment ago
            return BlockedLock(name, "another run", None, how, passing=True)
        until = None if holder.until is None else as_text(holder.until)
        return BlockedLock(name, holder.description, until, how, passing=passing or holder.purpose == GATE)

    def _index(self) -> list[str]:
        name = object_name(self._site, INDEX)
        found = self._objects.read(name)
        return [] if found is None else indexed(found.content, self._objects.text(name))
