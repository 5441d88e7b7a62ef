# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lease is an object that exists: made only if there is none (``If-None-Match: *``), read back, gone at its time.

What is assumed of the service: of two who make it at once, the one whose content is read back has it (the service looks
only when a request begins, so both may pass; a later look tells, ``Lease.check``); it removes an object at
``X-Delete-At`` (contract object-storage.md, wire-facts 10.2 and 10.5), judged by its own clock. Where it does not, the
object also tells until when it counts, which is compared with the Date of the answers, or without one with the clock of
this host.
"""

from __future__ import annotations

import contextlib
import email.utils
import json
import math
import typing as t
import uuid

from ..._core.clock import Clock
from ..._core.errors import FcdError, Rejected
from .owner_identity import as_text, is_surely_dead, this_process, told
from .registry_names import lock_name

if t.TYPE_CHECKING:
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
        return told(self.owner)

    @property
    def until_text(self) -> str | None:
        """Return when it ends, for an error."""
        return None if self.until is None else as_text(self.until)


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
        content = json.dumps(
            {
                "what": WHAT,
                "site": self._site,
                "lock": lock,
                "nonce": self.nonce,
                "purpose": purpose,
                "owner": this_process(self._now()),
            }
        ).encode("ascii")
        believed = self._ahead
        limit = _underscored(self._limit(seconds))
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

    def is_over(self, holder: Holder) -> bool:
        """Whether the lease counts no more: its owner is surely dead, or its end is past."""
        return is_surely_dead(holder.owner) or self._is_late(holder)

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
        if holder is not None and self._is_late(holder):  # a service that removes nothing
            self.objects.remove(self.name(lock))
        return False

    def _is_late(self, holder: Holder) -> bool:
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


def _underscored(headers: t.Mapping[str, str]) -> dict[str, str]:
    return {name.replace("-", "_"): value for name, value in headers.items()}


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
