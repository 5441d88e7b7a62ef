# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The create of one fixed amount, for create_once.

CreateClientFixedAmount returns nothing, so the amount is read back. An accepted create whose amount does not show is
not repeated within a day.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import CannotDetermine, FcdError, WaitTimeout
from ..._engine.journal import Intent
from ..._engine.waiting import wait_until
from ..._session.task import Task
from .amounts import FixedAmounts, Record

DAY = 86400.0  # seconds


class FixedAmountCreation:
    """One create. ``grace`` is how long, in seconds, the new amount may stay invisible."""

    def __init__(self, task: Task, amounts: FixedAmounts, amount: Record, grace: float) -> None:
        self._task = task
        self._amounts = amounts
        self._amount = amount
        self._grace = grace
        self._accepted: float | None = None  # when an earlier run had a good answer, in seconds since the epoch

    def find(self) -> Record | None:
        """Return the fixed amount, if the client has one."""
        return self._amounts.find({})

    def resume(self, facts: t.Mapping[str, t.Any]) -> Record | None:
        """Return the fixed amount that an earlier run has made."""
        self._accepted = float(facts["time"]) if facts.get("accepted") else None
        return self.find()

    def verify(self) -> None:
        """Raise when a second amount would be made, although the service shows none."""
        if self._accepted is not None and self._task.clock.now() - self._accepted < DAY:
            raise CannotDetermine(
                f"An earlier run has made {self._amounts.what}, and the service does not show it yet.",
                next_step="Run the task again later, with a larger create_grace. "
                "If the service has not shown it after a day, the task makes another one.",
            )

    def send(self, intent: Intent) -> Record:
        """Send the create and wait until the service shows the fixed amount."""
        self._amounts.send(self._amount)
        intent.add(accepted=True)
        limit = self._task.deadline.within(self._grace, "wait for the new fixed amount")
        what = self._amounts.what
        try:
            return t.cast(
                "Record", wait_until(self.find, lambda found: found is not None, limit, what=what, longest=2.0)
            )
        except FcdError as problem:
            why = (
                f"it did not show within {self._grace:g} s"
                if isinstance(problem, WaitTimeout)
                else f"it could not be read back: {problem.message}"
            )
            raise CannotDetermine(
                f"The service accepted the create of {what}, but {why}.",
                next_step="Run the task again later; it looks for the amount before it makes another one.",
                cause=type(problem).__name__,
            ) from problem
