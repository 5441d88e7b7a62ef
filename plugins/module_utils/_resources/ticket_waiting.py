# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for tickets: one loop for all of them, with few requests (wire-facts section 8)."""

from __future__ import annotations

import contextlib
import typing as t

from .._core.errors import WaitTimeout
from .._engine.change import TolerantReader, is_over
from .._engine.waiting import wait_until
from .ticket_reading import one

if t.TYPE_CHECKING:
    from .._api.infrastructure import Infrastructure, Item
    from .._core.clock import Deadline
    from .._session.task import Task

UNDER_WAY = (134, 135)  # new and running: dictionary 40, wire-facts section 8
FEW = len(UNDER_WAY)  # so many are read one by one; for more, the lists of those under way are read


def awaited(
    task: Task, api: Infrastructure, numbers: t.Sequence[int], deadline: Deadline
) -> tuple[dict[int, Item | None], list[int]]:
    """Return each ticket as it was seen last, None when it is not known; and those that had not ended in time.

    Not ended means any status but 136 and 137.
    """
    watch = _Watch(task, api, numbers)
    what = f"Ticket {numbers[0]}" if len(numbers) == 1 else f"Waiting for {len(numbers)} tickets"
    with contextlib.suppress(WaitTimeout):  # told by the caller, together with whatever else went wrong
        wait_until(watch.look, lambda left: not left, deadline, what=what, progress=watch.progress, tell=task.tell)
    return watch.seen, watch.left


class _Watch:
    """Several tickets and how they were seen last; ``left`` are those that have not ended."""

    def __init__(self, task: Task, api: Infrastructure, numbers: t.Sequence[int]) -> None:
        self._api = api
        self._tolerant = TolerantReader(task)
        self.seen: dict[int, Item | None] = dict.fromkeys(numbers)
        self.left = list(numbers)

    def look(self) -> list[int]:
        """Read those that are left and return which of them go on; a failure that may pass changes nothing."""
        nothing: dict[int, Item | None] = {}
        for number, ticket in self._tolerant.read(self._read, nothing).items():
            self.seen[number] = ticket
            if ticket is None or is_over(ticket):
                self.left.remove(number)
        return self.left

    def progress(self, left: list[int]) -> str:
        """Return how far it is."""
        if len(self.seen) == 1:
            return f"{(self.seen[left[0]] or {}).get('Progress') or 0} %" if left else "ended"
        return f"{len(self.seen) - len(left)} of {len(self.seen)} ended"

    def _read(self) -> dict[int, Item | None]:
        """Return the tickets that are left as they are now.

        One that is in neither list of those under way has ended, or changed from one list to the other: it is read.
        """
        running: dict[t.Any, Item] = {}
        if len(self.left) > FEW:
            for status in UNDER_WAY:
                running.update((ticket.get("Id"), ticket) for ticket in self._api.list_tickets(status_id=status))
        return {number: running.get(number) or one(self._api, number) for number in self.left}
