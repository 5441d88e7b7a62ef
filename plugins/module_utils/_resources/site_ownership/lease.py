# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lease that is held: renewed in a thread, looked at now and then, and given back."""

from __future__ import annotations

import contextlib
import threading
import typing as t

from ..._core.errors import Busy, FcdError
from .held_lock import SiteLock

if t.TYPE_CHECKING:
    from .lease_object import Holder, LeaseObjects

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
                    self._warn(self._kept(error))
                    return
                self._leases.clock.sleep(PAUSE)
            else:
                return

    def _kept(self, error: FcdError) -> str:
        return (
            f"The lease {self._leases.objects.text(self._leases.name(self._lock))} could not be removed; it ends "
            f"by itself within {self._seconds:g} s: {error.message}"
        )

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


@contextlib.contextmanager
def given_back(leases: LeaseObjects, lock: str, seconds: float, begun: float) -> t.Iterator[t.Callable[[], None]]:
    """Have a lease for a few steps, then remove it. Yields what raises Busy when they take too long to go on."""
    end = begun + seconds / 2

    def check() -> None:
        if leases.clock.monotonic() > end:
            raise Busy("The object storage is too slow to take a lock.", next_step="Run the task again later.")

    try:
        yield check
    finally:
        leases.remove_own(lock)
