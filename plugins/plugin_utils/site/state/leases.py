# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lock of a site for all hosts: one lease for the whole run, or one for each part.

A lease is an object that exists: made only if there is none (``If-None-Match: *``), read back, renewed in a thread,
looked at now and then, and given back. What is assumed of the service: of two who make it at once, the one whose
content is read back has it (the service looks only when a request begins, so both may pass; a later look tells,
``Lease.check``); it removes an object at ``X-Delete-At`` (contract object-storage.md, wire-facts 10.2 and 10.5), judged
by its own clock. Where it does not, the object also tells until when it counts, which is compared with the Date of the
answers, or without one with the clock of this host.

A part takes the lease of the whole for a moment, as a gate: under it, it is noted in the index of parts and looks
whether another division of the site runs. The whole looks, under its own lease, at all parts in the index. So nobody
depends on listings, in which new objects may be missing for a while.
"""

from __future__ import annotations

import contextlib
import email.utils
import json
import math
import threading
import typing as t
import uuid

from ....module_utils._core.clock import Clock
from ....module_utils._core.errors import Busy, FcdError, Rejected
from .lock_holder import Blocked, SiteLock, Taken, as_text, is_surely_dead, this_process, told_owner
from .registry_places import INDEX, WHOLE, indexed, lock_name, object_name, parts_of

if t.TYPE_CHECKING:
    from ....module_utils._connection.task import Task
    from .small_objects import SmallObjects, Stored


PRECONDITION_FAILED = 412
TOO_LATE = 3.0  # seconds after its end from which a lease that is still there is taken for none
BREAKING_SECONDS = 60.0
WHAT = "lock of a site"
RUN, GATE = "run", "gate"


class Holder(t.NamedTuple):
    """Who has a lease. ``until`` is in seconds since the epoch, None when the object does not say it."""

    nonce: str
    purpose: str
    owner: dict[str, t.Any]
    until: float | None

    @property
    def told(self) -> str:
        """Return who it is, for an error."""
        return told_owner(self.owner)


class LeaseObjects:
    """The leases of one site. ``nonce`` is that of this run: what bears it is ours, however it came there."""

    def __init__(self, objects: SmallObjects, site: str, clock: Clock) -> None:
        self.objects = objects
        self.clock = clock
        self.nonce = uuid.uuid4().hex
        self._site = site
        self._ahead = 0.0  # seconds by which the clock of the service is before the one of this host

    def holder(self, lock: str) -> Holder | None:
        """Return who has a lease, None when nobody has."""
        found = self.objects.read(self.name(lock))
        if found is None:
            return None
        self._set_clock(found.headers)
        return _holder(found)

    def make(self, lock: str, seconds: float, purpose: str = RUN) -> bool:
        """Make a lease where there is none, and return whether it is ours.

        One that may have been made by a request that failed does not stay, if that can be helped.
        """
        try:
            return self._make(lock, seconds, purpose)
        except BaseException:
            with contextlib.suppress(FcdError):
                self.remove_own(lock)
            raise

    def _make(self, lock: str, seconds: float, purpose: str) -> bool:
        facts = {"what": WHAT, "site": self._site, "lock": lock, "nonce": self.nonce, "purpose": purpose}
        content = json.dumps({**facts, "owner": this_process(self._now())}).encode("ascii")
        believed = self._ahead
        limit = {name.replace("-", "_"): value for name, value in self._limit(seconds).items()}
        try:
            _tag, headers = self.objects.write(self.name(lock), content, If_None_Match="*", **limit)
        except Rejected as refused:
            if refused.status != PRECONDITION_FAILED:
                raise
        else:
            self._set_clock(headers)
            if abs(self._ahead - believed) > TOO_LATE:  # the end that it tells is by the wrong clock
                self.objects.describe(self.name(lock), self._limit(seconds))
        holder = self.holder(lock)
        return holder is not None and holder.nonce == self.nonce

    def renew(self, lock: str, seconds: float) -> Holder | None:
        """Have a lease end later, and return who has it now: look whether it is this run.

        Were it somebody else's, only its end would have changed.
        """
        if not self.objects.describe(self.name(lock), self._limit(seconds)):
            return None
        return self.holder(lock)

    def remove_own(self, lock: str) -> None:
        """Remove a lease if it is ours."""
        holder = self.holder(lock)
        if holder is not None and holder.nonce == self.nonce:
            self.objects.remove(self.name(lock))

    def remove_of(self, lock: str, holder: Holder) -> bool:
        """Remove the lease of another run; returns whether that is done, else somebody is about it.

        Only one at a time removes, and looks at what there is before: else two would take over at once, and the second
        would remove what the first one has made.
        """
        breaking = f"{lock}.breaking"
        begun = self.clock.monotonic()
        if not self._makes_alone(breaking):
            return False
        try:
            current = self.holder(lock)
            in_time = self.clock.monotonic() - begun < BREAKING_SECONDS / 3
            if current is not None and current.nonce == holder.nonce and in_time:
                self.objects.remove(self.name(lock))
            return in_time
        finally:
            self.remove_own(breaking)

    def name(self, lock: str) -> str:
        """Return the name of its object."""
        return lock_name(self._site, lock)

    def _makes_alone(self, lock: str) -> bool:
        if self.make(lock, BREAKING_SECONDS):
            return True
        holder = self.holder(lock)
        if holder is not None and self.is_late(holder):  # a service that removes nothing
            self.objects.remove(self.name(lock))
        return False

    def is_late(self, holder: Holder) -> bool:
        """Whether the end of a lease is past, so that it counts no more."""
        return holder.until is not None and self._now() > holder.until + TOO_LATE

    def _limit(self, seconds: float) -> dict[str, str]:
        """Return the headers for an end; the service counts whole seconds, begun ones too."""
        whole = math.ceil(seconds) + 1
        return {"X-Delete-After": str(whole), "X-Object-Meta-Until": str(math.ceil(self._now()) + whole)}

    def _now(self) -> float:
        return self.clock.now() + self._ahead

    def _set_clock(self, headers: t.Mapping[str, str]) -> None:
        try:
            date = email.utils.parsedate_to_datetime(headers["date"]).timestamp()
        except (KeyError, TypeError, ValueError, IndexError, OverflowError):
            return
        self._ahead = date - self.clock.now()


def _holder(stored: Stored) -> Holder:
    try:
        found = json.loads(stored.content)
    except (ValueError, RecursionError):
        found = None
    facts = found if isinstance(found, dict) and found.get("what") == WHAT else {}
    owner = facts.get("owner")
    ends = [_seconds(stored.headers.get(name)) for name in ("x-delete-at", "x-object-meta-until")]
    return Holder(
        nonce=str(facts.get("nonce", stored.tag)),
        purpose=str(facts.get("purpose", RUN)),
        owner=owner if isinstance(owner, dict) else {},
        until=next((end for end in ends if end is not None), None),
    )


def _seconds(value: str | None) -> float | None:
    return float(value) if value and value.isascii() and value.isdigit() and len(value) < 12 else None


SETTLING = 0.4  # seconds after which a second one, who made it at the same moment, is seen
LOOK_AFTER = 5.0  # seconds for which a look at the lease is believed
MOST_PAUSE = 60.0  # seconds between two renewals
TRIES, PAUSE = 3, 0.5  # to remove it in the end, and seconds between two of them
PATIENCE = 10.0  # seconds that its end waits for a renewal under way


class Lease(SiteLock):
    """A lease of this run, of ``seconds``, which began at ``begun`` (monotonic).

    It counts as lost nine tenths after the last renewal, whatever became of the thread: others may have it soon.
    """

    def __init__(
        self, leases: LeaseObjects, lock: str, seconds: float, begun: float, warn: t.Callable[[str], None]
    ) -> None:
        self._leases = leases
        self._lock = lock
        self._seconds = seconds
        self._warn = warn
        self._why: str | None = None
        self._renewed = self._taken = begun
        self._looked: float | None = None
        self._ended = threading.Event()
        self._one_at_a_time = threading.Lock()
        self._thread = threading.Thread(target=self._keep, name=f"lease {lock}", daemon=True)

    @property
    def why_lost(self) -> str | None:
        """What became of it."""
        if self._why is None and self._leases.clock.monotonic() > self._renewed + self._seconds * 0.9:
            self._why = "it could not be renewed in time."
        return self._why

    def start(self) -> Lease:
        """Begin to renew it."""
        self._thread.start()
        return self

    def check(self) -> None:
        """Raise Busy when it is lost; looks at the service every few seconds."""
        with self._one_at_a_time:
            clock = self._leases.clock
            if self._looked is None:
                clock.sleep(self._taken + SETTLING - clock.monotonic())
            if self._why is None and (self._looked is None or clock.monotonic() > self._looked + LOOK_AFTER):
                self._look(self._leases.holder(self._lock))
        super().check()

    def renew(self) -> None:
        """Have it end later. A failure is not told: it is tried again, until it is too late."""
        begun = self._leases.clock.monotonic()
        try:
            holder = self._leases.renew(self._lock, self._seconds)
        except FcdError:
            return
        self._look(holder)
        if self._why is None:
            self._renewed = begun

    def release(self) -> None:
        """Remove it; one that cannot be removed ends by itself."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(PATIENCE)
        for left in reversed(range(TRIES)):
            try:
                self._leases.remove_own(self._lock)
            except FcdError as error:
                if not left:
                    place = self._leases.objects.text(self._leases.name(self._lock))
                    ends = f"it ends by itself within {self._seconds:g} s"
                    self._warn(f"The lease {place} could not be removed; {ends}: {error.message}")
                    return
                self._leases.clock.sleep(PAUSE)
            else:
                return

    def _keep(self) -> None:
        pause = min(self._seconds / 3, MOST_PAUSE)
        while not self._ended.wait(pause) and not self.lost:
            self.renew()

    def _look(self, holder: Holder | None) -> None:
        if holder is None:
            self._why = "it was removed."
        elif holder.nonce != self._leases.nonce:
            self._why = f"it was broken, and now {holder.told} has it."
        else:
            self._looked = self._leases.clock.monotonic()


GATE_SECONDS = 60.0


class SiteLeases:
    """The leases of one site, of ``seconds``; ``break_lock`` takes them from whoever has them."""

    def __init__(self, task: Task, objects: SmallObjects, site: str, seconds: float, *, break_lock: bool) -> None:
        self._task = task
        self._objects = objects
        self._site = site
        self._seconds = seconds
        self._break = break_lock
        self._to_break: dict[str, str] = {}  # who was there when this run came; it breaks nobody who comes later
        self._leases = LeaseObjects(objects, site, task.clock)

    def take(self, name: str) -> Taken:
        """Take the lease of the whole or of a part, or return who is in the way."""
        return self._take_whole() if name == WHOLE else self._take_part(name)

    def _take_whole(self) -> Taken:
        begun = self._task.clock.monotonic()
        blocked = self._made(WHOLE, self._seconds, RUN)
        if blocked is not None:
            return blocked
        try:
            blocked = self._in_the_way(self._index())
        except BaseException:
            self._leases.remove_own(WHOLE)
            raise
        if blocked is not None:
            self._leases.remove_own(WHOLE)
            return blocked
        return self._lease(WHOLE, begun)

    def _take_part(self, name: str) -> Taken:
        begun = self._task.clock.monotonic()
        blocked = self._made(WHOLE, GATE_SECONDS, GATE)
        if blocked is not None:
            return blocked
        try:
            index = self._index()
            blocked = self._in_the_way([other for other in index if parts_of(other) != parts_of(name)])
            if blocked is not None:
                return blocked
            if self._task.clock.monotonic() > begun + GATE_SECONDS / 2:
                raise Busy("The object storage is too slow to take a lock.", next_step="Run the task again later.")
            if name not in index:
                self._note([*index, name])
            begun = self._task.clock.monotonic()
            blocked = self._made(name, self._seconds, RUN)
            return self._lease(name, begun) if blocked is None else blocked
        finally:
            self._leases.remove_own(WHOLE)

    def _lease(self, name: str, begun: float) -> SiteLock:
        return Lease(self._leases, name, self._seconds, begun, self._task.warn).start()

    def _made(self, name: str, seconds: float, purpose: str) -> Blocked | None:
        """Make a lease, in place of one that counts no more; None when it is ours, else who has it."""
        holder = self._leases.holder(name)
        blocked = self._freed(name, holder)
        if blocked is not None:
            return blocked
        if self._leases.make(name, seconds, purpose):
            return None
        return self._blocked(name, self._leases.holder(name))

    def _in_the_way(self, names: t.Iterable[str]) -> Blocked | None:
        for name in names:
            blocked = self._freed(name, self._leases.holder(name))
            if blocked is not None:
                return blocked
        return None

    def _freed(self, name: str, holder: Holder | None) -> Blocked | None:
        """Remove a lease that counts no more, or is to be broken; None when nobody has it now."""
        if holder is None:
            return None
        is_over = is_surely_dead(holder.owner) or self._leases.is_late(holder)
        if not (is_over or self._is_to_break(name, holder)):
            return self._blocked(name, holder)
        if not self._leases.remove_of(name, holder):
            return self._blocked(name, holder, passing=True)
        self._task.warn(f"The lock {name!r} of the site {self._site!r} was taken from {holder.told}.")
        return None

    def _is_to_break(self, name: str, holder: Holder) -> bool:
        return self._break and holder.purpose == RUN and self._to_break.setdefault(name, holder.nonce) == holder.nonce

    def _blocked(self, name: str, holder: Holder | None, *, passing: bool = False) -> Blocked:
        place = self._objects.text(self._leases.name(name))
        how = f"set break_lock: true, or remove the object {place}"
        if holder is None:  # it was there a moment ago
            return Blocked(name, "another run", None, how, passing=True)
        until = None if holder.until is None else as_text(holder.until)
        return Blocked(name, holder.told, until, how, passing=passing or holder.purpose == GATE)

    def _index(self) -> list[str]:
        name = object_name(self._site, INDEX)
        found = self._objects.read(name)
        return [] if found is None else indexed(found.content, self._objects.text(name))

    def _note(self, names: list[str]) -> None:
        self._objects.write(object_name(self._site, INDEX), json.dumps({"parts": sorted(names)}).encode("ascii"))
