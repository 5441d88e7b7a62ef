# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks of creates, in a container, for controllers that do not share a state folder.

For each object that is created, the container has a lease and, beside it, a copy of the note of the create: the next
holder of the lease looks for what was sent before, just as the next task of the same controller would.
"""

from __future__ import annotations

import contextlib
import json
import random
import threading
import typing as t

from .._connection.task import Settings, Task
from .._core.clock import Deadline
from .._core.errors import Busy, FcdError, InvalidInput, MissingSettings
from .._core.type_aliases import JsonObject
from .._engine.create_once import CreateNote
from .leases import Holder, Lease, LeaseObjects, as_text, is_surely_dead
from .small_objects import SmallObjects

OPTION = "lock_container"
LOCK_PREFIX = ".fcd-locks/"
SECONDS = 60.0  # of a lease; it is renewed as long as the create lasts
LEASE_POLL_PAUSE = 0.5  # seconds between two looks at the lease of another controller
LEAD_SECONDS = 86400  # for which the result of a successful create is kept


class CreateLocks:
    """The locks of one task; ``storage`` are the settings of the object storage. Threads may share them."""

    def __init__(self, task: Task, container: str, storage: Settings) -> None:
        self._task = Task(storage, clock=task.clock, warn=task.warn, tell=task.tell, runner=task.runner)
        self._container = container
        self._objects: SmallObjects | None = None
        self._one_at_a_time = threading.Lock()

    @contextlib.contextmanager
    def hold(self, key: str, what: str, deadline: Deadline, note: CreateNote) -> t.Iterator[t.Callable[[], None]]:
        """Hold the lock ``key`` while the block runs, and exchange ``note`` with what other controllers know.

        Yields a function to call right before the create is sent, which raises Busy if the lock was lost. Raises Busy
        if another controller holds the lock until the deadline, InvalidInput without settings of the storage.
        """
        objects = self._open()
        lease = self._acquire(LeaseObjects(objects, LOCK_PREFIX, self._task.clock, what), key, deadline)
        try:
            name = f"{LOCK_PREFIX}{key}.note"
            found = objects.read(name)
            stored = {} if found is None else found.facts
            note.adopt(stored)

            def store(content: JsonObject) -> None:
                """Store the note. A known result is only useful for a while; an unknown outcome stays."""
                nonlocal stored
                if content and content != stored:
                    ends = {} if "time" in content else {"X_Delete_After": str(LEAD_SECONDS)}
                    objects.write(name, json.dumps(content).encode("ascii"), **ends)
                elif not content and stored:
                    objects.remove(name)
                stored = content

            def before_sending() -> None:
                lease.check(0.0)
                store({**note.content(), "time": self._task.clock.now()})
                lease.check()  # storing may have taken long

            try:
                yield before_sending
            finally:
                if not lease.lost:
                    with contextlib.suppress(FcdError):  # the note that stays says that the outcome is unknown
                        store(note.content())
        finally:
            lease.release()

    def _open(self) -> SmallObjects:
        with self._one_at_a_time:
            if self._objects is None:
                try:
                    self._objects = SmallObjects(self._task, self._container, OPTION)
                except MissingSettings as error:
                    missing = error.details["missing"]
                    raise InvalidInput(
                        f"{OPTION}: a lock in the container {self._container!r} requires the object storage, but these "
                        f"settings are missing: {', '.join(missing)}. Nothing was sent.",
                        next_step=f"Set {', '.join(error.details['environment'])} in the environment, or the options "
                        f"in the profile; or leave {OPTION} out.",
                        option=OPTION,
                    ) from None
            return self._objects

    def _acquire(self, leases: LeaseObjects, key: str, deadline: Deadline) -> Lease:
        """Return the lease as soon as it is free. Raises Busy."""
        told = False
        while True:
            begun = leases.clock.monotonic()
            holder = leases.holder(key)
            if (holder is None or _free(leases, key, holder)) and leases.make(key, SECONDS):
                lease = Lease(leases, key, SECONDS, begun, self._task.warn).start()
                if lease.confirm():
                    return lease
                holder = leases.holder(key)
            if deadline.over:
                raise _busy_error(leases, key, holder, deadline)
            if holder is not None and not told:
                self._task.tell(f"Waiting for {leases.what}: {holder.description} is working on it.")
                told = True
            deadline.sleep(LEASE_POLL_PAUSE * random.uniform(0.5, 1.5))  # noqa: S311


def _free(leases: LeaseObjects, key: str, holder: Holder) -> bool:
    """Remove a lease that has expired; return whether nobody has it now."""
    return (is_surely_dead(holder.owner) or leases.is_expired(holder)) and leases.break_lease(key, holder)


def _busy_error(leases: LeaseObjects, key: str, holder: Holder | None, deadline: Deadline) -> Busy:
    who = "somebody" if holder is None else holder.description
    until = "" if holder is None or holder.until is None else f" Its lease lasts until {as_text(holder.until)}."
    return Busy(
        f"Another controller is working on {leases.what}: {who}.{until} It has not ended within {deadline.seconds:g} "
        "s.",
        next_step="Wait for that task to end, then run this one again. If it is certain that it no longer runs, remove "
        f"the object {leases.objects.text(leases.name(key))}.",
    )
