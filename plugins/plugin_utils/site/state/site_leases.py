# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lock of a site for all hosts: one lease for the whole run, or one for each part.

A part takes the lease of the whole for a moment, as a gate: under it, it is noted in the index of parts and looks
whether another division of the site runs. The whole looks, under its own lease, at all parts in the index. So nobody
depends on listings, in which new objects may be missing for a while.
"""

from __future__ import annotations

import json
import typing as t

from ....module_utils._core.errors import Busy
from ....module_utils._object_storage.leases import (
    RUN,
    Blocked,
    HeldLock,
    Holder,
    Lease,
    LeaseObjects,
    Taken,
    as_text,
    is_surely_dead,
)
from .registry_places import INDEX, WHOLE, indexed, lock_name, object_name, parts_of

if t.TYPE_CHECKING:
    from ....module_utils._connection.task import Task
    from ....module_utils._object_storage.small_objects import SmallObjects

GATE = "gate"

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
        facts = {"what": "lock of a site", "site": site}
        self._leases = LeaseObjects(objects, lock_name(site, ""), task.clock, "the site", facts)

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

    def _lease(self, name: str, begun: float) -> HeldLock:
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
        how = f"set break_lock: true (in the playbooks provision_break_lock), or remove the object {place}"
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
