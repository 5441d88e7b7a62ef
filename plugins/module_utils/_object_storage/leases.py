# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Leases: locks for all hosts that use one container, such as that of a site or of a create.

A lease is an existing object: only created if there is none (``If-None-Match: *``), read back, renewed by a thread,
checked now and then, and released. Assumptions about the service: if two runs create it at once, the one whose content
is read back has it (the service only checks when a request begins, so both may pass; a later ``Lease.check`` decides);
and it removes an object at ``X-Delete-At`` (docs/service/storage.md, "Content"), by its own clock. If it does not, the
object also states its end, which is compared with the Date of the answers or, without one, with the clock of this host.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import email.utils
import getpass
import json
import math
import os
import socket
import threading
import typing as t
import uuid
from urllib.parse import urlsplit

from .._core.clock import Clock
from .._core.errors import Busy, FcdError, Rejected
from .._core.text import number_in
from .._core.type_aliases import JsonObject
from .small_objects import SmallObjects

MAX_SHOWN_TEXT = 200  # characters of a foreign text


def this_process(now: float) -> dict[str, object]:
    """Return the facts of this process, plain values for JSON; ``now`` in seconds since the epoch."""
    return {
        **_this_boot(),
        "pid": os.getpid(),
        "started": _state_and_start(os.getpid())[1],
        "user": _login(),
        "job": _job(),
        "since": as_text(now),
    }


def _is_of_this_boot(owner: t.Mapping[str, object]) -> bool:
    here = _this_boot()
    return all(here.values()) and all(owner.get(name) == value for name, value in here.items())


def is_surely_dead(owner: t.Mapping[str, object]) -> bool:
    """Whether the process was started on this host since its last boot, and has ended; False when in doubt."""
    if not _is_of_this_boot(owner):
        return False
    pid, started = owner.get("pid"), owner.get("started")
    if not isinstance(pid, int) or isinstance(pid, bool) or pid < 1 or started is None:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # it exists and belongs to somebody else
        pass
    state, begun = _state_and_start(pid)
    return begun is not None and (begun != started or state in "ZX")


def _this_boot() -> dict[str, str | None]:
    """Return what distinguishes this host, its last boot and this PID namespace from others."""
    namespace = None
    with contextlib.suppress(OSError):
        namespace = os.readlink("/proc/self/ns/pid")
    return {"host": socket.gethostname(), "boot": _line("/proc/sys/kernel/random/boot_id"), "namespace": namespace}


def describe_owner(owner: t.Mapping[str, object]) -> str:
    """Return a description of the owner, for an error; unknown parts are left out."""
    job = f", {_text(owner['job'])}" if owner.get("job") else ""
    since = f", since {_text(owner['since'])}" if owner.get("since") else ""
    if not owner.get("host"):
        return f"an unknown holder{job}{since}"
    who = f"{_text(owner['user'])} on " if owner.get("user") else ""
    return f"{who}{_text(owner['host'])} (process {_text(owner.get('pid'))}{job}){since}"


def as_text(moment: float) -> str:
    """Return a moment as 2026-11-21T12:00:00Z."""
    try:
        found = dt.datetime.fromtimestamp(moment, dt.timezone.utc)
    except (OverflowError, ValueError, OSError):
        return "a time that cannot be"
    return found.strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(value: object) -> str:
    """Return a value in one line; the file that it comes from may have been written by anybody."""
    plain = "".join(letter if letter.isprintable() else " " for letter in str(value))
    return plain[:MAX_SHOWN_TEXT]


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without an entry, as in containers
        return f"uid {os.getuid()}"


def _job() -> str | None:
    """Return the job that this process runs in, from the variables of job systems; without secrets in addresses."""
    number = os.environ.get("JOB_ID", "")
    if number.isascii() and number.isdigit():
        return f"job {number[:20]}"
    for name in ("CI_JOB_URL", "BUILD_URL"):
        address = _address(os.environ.get(name, ""))
        if address:
            return address
    server, repository, run = (os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID"))
    return _address(f"{server}/{repository}/actions/runs/{run}") if server and run else None


def _address(url: str) -> str | None:
    """Return scheme, host, port and path of an address; no user, no password, no query."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return _text(f"{parts.scheme}://{parts.hostname}{port}{parts.path}")


def _line(path: str) -> str | None:
    try:
        with open(path, encoding="ascii", errors="replace") as handle:
            return handle.readline().strip() or None
    except OSError:
        return None


def _state_and_start(pid: int) -> tuple[str, int | None]:
    """Return state and start (in ticks since the boot) of a process; the start is None if unknown."""
    line = _line(f"/proc/{pid}/stat") or ""
    fields = line.rpartition(")")[2].split()  # the name before it may contain blanks and brackets
    return (fields[0], int(fields[19])) if len(fields) > 19 and fields[19].isdigit() else ("", None)


class HeldLock:
    """The lock that a run holds. This class itself is for runs without one, and never lost. Threads may share it.

    ``what`` it locks is for messages. ``made_container``: taking it has created the container that it is in.
    """

    what = "the site"
    made_container = False

    @property
    def lost(self) -> bool:
        """Whether the lock is lost: somebody broke it, or it could not be renewed in time."""
        return self.why_lost is not None

    @property
    def why_lost(self) -> str | None:
        """Why the lock was lost, in a sentence; None while it is held."""
        return None

    def check(self) -> None:
        """Raise Busy if it is lost: then nothing may be written. Call it before each write.

        It is cheap, except for a read of the lease every few seconds. The first call takes up to half a second.
        """
        why = self.why_lost
        if why is not None:
            raise Busy(
                f"The lock of {self.what} is lost: {why} Nothing more was written.",
                next_step="Wait for the other run to end, then run this one again.",
            )

    def release(self) -> None:
        """Release it."""


class BlockedLock(t.NamedTuple):
    """Why a lock is not free: who holds which one. ``until`` is a text; ``passing``: it will be free in a moment."""

    lock: str
    owner: str
    until: str | None
    how_to_break: str
    passing: bool = False


LockAttempt = t.Union[HeldLock, BlockedLock]
PRECONDITION_FAILED = 412
TOO_LATE = 3.0  # seconds after its end from which a lease that still exists no longer counts
BREAKING_SECONDS = 60.0
LOCK_OF = "lock of "  # begins descriptions of a lease
RUN = "run"


class Holder(t.NamedTuple):
    """Who holds a lease. ``until`` is in seconds since the epoch, None if the object does not say."""

    nonce: str
    purpose: str
    owner: JsonObject
    until: float | None

    @property
    def description(self) -> str:
        return describe_owner(self.owner)


class LeaseObjects:
    """Leases in one folder. ``nonce`` identifies this run: a lease that has it is ours, however it was created.

    ``what`` names, in messages and in the objects, what they lock; ``facts`` are added to the objects.
    """

    def __init__(
        self, objects: SmallObjects, folder: str, clock: Clock, what: str, facts: t.Mapping[str, object] | None = None
    ) -> None:
        self.objects = objects
        self.clock = clock
        self.nonce = uuid.uuid4().hex
        self.what = what
        self._folder = folder
        self._facts = dict(facts or {})
        self._clock_offset = 0.0  # seconds by which the service's clock is ahead of this host's

    def holder(self, lock: str) -> Holder | None:
        """Return who holds a lease, or None."""
        found = self.objects.read(self.name(lock))
        if found is None:
            return None
        self._set_clock(found.headers)
        facts = found.facts if str(found.facts.get("what")).startswith(LOCK_OF) else {}
        owner = facts.get("owner")
        ends = [number_in(found.headers.get(name, "")) for name in ("x-delete-at", "x-object-meta-until")]
        return Holder(
            nonce=str(facts.get("nonce", found.tag)),
            purpose=str(facts.get("purpose", RUN)),
            owner=owner if isinstance(owner, dict) else {},
            until=next((end for end in ends if end is not None), None),
        )

    def make(self, lock: str, seconds: float, purpose: str = RUN) -> bool:
        """Create a lease if there is none, and return whether this run holds it.

        Anything that a failed request may have created is removed, if possible.
        """
        facts = {"what": LOCK_OF + self.what, **self._facts, "lock": lock, "nonce": self.nonce, "purpose": purpose}
        content = json.dumps({**facts, "owner": this_process(self._now())}).encode("ascii")
        believed = self._clock_offset
        limit = {name.replace("-", "_"): value for name, value in self._limit(seconds).items()}
        try:
            try:
                _tag, headers = self.objects.write(self.name(lock), content, If_None_Match="*", **limit)
            except Rejected as refused:
                if refused.status != PRECONDITION_FAILED:
                    raise
            else:
                self._set_clock(headers)
                if abs(self._clock_offset - believed) > TOO_LATE:  # its end was computed by the wrong clock
                    self.objects.describe(self.name(lock), self._limit(seconds))
            holder = self.holder(lock)
        except BaseException:
            with contextlib.suppress(FcdError):
                self.remove_own(lock)
            raise
        return holder is not None and holder.nonce == self.nonce

    def renew(self, lock: str, seconds: float) -> Holder | None:
        """Extend a lease, and return who holds it now, which may be another run.

        If that is another run, only the end of its lease has changed.
        """
        if not self.objects.describe(self.name(lock), self._limit(seconds)):
            return None
        return self.holder(lock)

    def remove_own(self, lock: str) -> None:
        """Remove a lease if it is ours."""
        holder = self.holder(lock)
        if holder is not None and holder.nonce == self.nonce:
            self.objects.remove(self.name(lock))

    def break_lease(self, lock: str, holder: Holder) -> bool:
        """Remove the lease of another run; return False if somebody else is removing it.

        Only one run at a time may do so, and it reads the lease first: otherwise, two could take over at once, and the
        second would remove the new lease of the first.
        """
        breaking = f"{lock}.breaking"
        begun = self.clock.monotonic()
        if not self.make(breaking, BREAKING_SECONDS):
            other = self.holder(breaking)
            if other is not None and self.is_expired(other):  # a service that does not remove expired objects
                self.objects.remove(self.name(breaking))
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
        return self._folder + lock

    def is_expired(self, holder: Holder) -> bool:
        """Whether the end of a lease has passed."""
        return holder.until is not None and self._now() > holder.until + TOO_LATE

    def _limit(self, seconds: float) -> dict[str, str]:
        """Return the headers for an end; the service rounds up to whole seconds."""
        whole = math.ceil(seconds) + 1
        return {"X-Delete-After": str(whole), "X-Object-Meta-Until": str(math.ceil(self._now()) + whole)}

    def _now(self) -> float:
        return self.clock.now() + self._clock_offset

    def _set_clock(self, headers: t.Mapping[str, str]) -> None:
        try:
            date = email.utils.parsedate_to_datetime(headers["date"]).timestamp()
        except (KeyError, TypeError, ValueError, IndexError, OverflowError):
            return
        self._clock_offset = date - self.clock.now()


SETTLING = 0.4  # seconds after which a lease that another run created at the same moment is visible
LOOK_AFTER = 5.0  # seconds for which a read of the lease counts
MAX_PAUSE = 60.0  # seconds between two renewals
TRIES, PAUSE = 3, 0.5  # attempts to remove it at the end, and seconds between them
RENEWAL_WAIT = 10.0  # seconds to wait at the end for a renewal in progress


class Lease(HeldLock):
    """A lease of this run, of ``seconds``, which began at ``begun`` (monotonic).

    It counts as lost nine tenths of its time after the last renewal, whatever the thread does: others may take it soon.
    """

    def __init__(
        self, leases: LeaseObjects, lock: str, seconds: float, begun: float, warn: t.Callable[[str], None]
    ) -> None:
        self.what = leases.what
        self.made_container = leases.objects.made_container
        self._leases = leases
        self._lock = lock
        self._seconds = seconds
        self._warn = warn
        self._why: str | None = None
        self._renewed_at = self._acquired_at = begun
        self._looked_at: float | None = None
        self._stop = threading.Event()
        self._one_at_a_time = threading.Lock()
        self._thread = threading.Thread(target=self._renew_until_stop, name=f"lease {lock}", daemon=True)

    @property
    def why_lost(self) -> str | None:
        if self._why is None and self._leases.clock.monotonic() > self._renewed_at + self._seconds * 0.9:
            self._why = "it could not be renewed in time."
        return self._why

    def start(self) -> Lease:
        self._thread.start()
        return self

    def check(self, max_age: float | None = None) -> None:
        """Raise Busy if it is lost; asks the service every few seconds, or after ``max_age`` seconds."""
        self._look_again(LOOK_AFTER if max_age is None else max_age)
        super().check()

    def confirm(self) -> bool:
        """Return whether no other run has created it at the same moment; otherwise, give it up."""
        self._look_again(LOOK_AFTER)
        if self.lost:
            self._stop.set()
        return not self.lost

    def _look_again(self, max_age: float) -> None:
        with self._one_at_a_time:
            clock = self._leases.clock
            if self._looked_at is None:
                clock.sleep(self._acquired_at + SETTLING - clock.monotonic())
            if self._why is None and (self._looked_at is None or clock.monotonic() >= self._looked_at + max_age):
                self._look(self._leases.holder(self._lock))

    def renew(self) -> None:
        """Extend it. After a failure it is tried again, until it is too late."""
        begun = self._leases.clock.monotonic()
        try:
            holder = self._leases.renew(self._lock, self._seconds)
        except FcdError:
            return
        self._look(holder)
        if self._why is None:
            self._renewed_at = begun

    def release(self) -> None:
        """Remove it. If that is impossible, it ends by itself."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(RENEWAL_WAIT)
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

    def _renew_until_stop(self) -> None:
        pause = min(self._seconds / 3, MAX_PAUSE)
        while not self._stop.wait(pause) and not self.lost:
            self.renew()

    def _look(self, holder: Holder | None) -> None:
        if holder is None:
            self._why = "it was removed."
        elif holder.nonce != self._leases.nonce:
            self._why = f"it was broken, and now {holder.description} has it."
        else:
            self._looked_at = self._leases.clock.monotonic()
