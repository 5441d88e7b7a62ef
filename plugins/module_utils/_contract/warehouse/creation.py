# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The create of one warehouse, for create_once. CreateWarehouse returns nothing: the new one is found by its key."""

from __future__ import annotations

import typing as t

from ..._core.errors import CannotDetermine, FcdError, InvalidInput, WaitTimeout
from ..._engine.converge import Created
from ..._engine.create_once import create_once
from ..._engine.journal import Intent
from ..._engine.waiting import wait_until
from ..._session.task import Task
from ..common_fcd import CommonFcd
from .search import KEY, Row, WarehouseSearch, identity, said

DAY = 86400.0  # seconds


class WarehouseCreation:
    """One create. ``grace`` is how long, in seconds, the new warehouse may stay invisible."""

    def __init__(
        self, task: Task, api: CommonFcd, search: WarehouseSearch, values: t.Mapping[str, t.Any], grace: float
    ) -> None:
        self._task = task
        self._api = api
        self._search = search
        self._values = values
        self._key = {name: values[name] for name in KEY}
        self._grace = grace
        self._what = f"the warehouse with {said(values)}"
        self._accepted: float | None = None  # when an earlier run had a good answer, in seconds since the epoch

    def once(self) -> Created:
        """Send the create exactly once. Raises CannotDetermine."""
        return create_once(self._task.once(self._grace), identity(self._task, self._key), self._what, self)

    def find(self) -> Row | None:
        """Return the warehouse, if the search shows it."""
        return self._search.by_key(self._key)

    def resume(self, facts: t.Mapping[str, t.Any]) -> Row | None:
        """Return the warehouse that an earlier run has made."""
        self._accepted = float(facts["time"]) if facts.get("accepted") else None
        return self.find()

    def verify(self) -> None:
        """Raise when a second warehouse with the key would be made, although the search shows none."""
        if self._accepted is not None and self._task.clock.now() - self._accepted < DAY:
            raise CannotDetermine(
                f"An earlier run has made {self._what}, and the service does not show it yet.",
                next_step="Run the task again later, with a larger create_grace. "
                "If the service has not shown it after a day, the task makes another one.",
            )
        if self._search.unseen:
            raise InvalidInput(
                f"{self._what[0].upper()}{self._what[1:]} exists (WarehouseExists says), but GetWarehouses does not "
                "show it.",
                next_step="Run the task again later, or give its number in id.",
            )

    def send(self, intent: Intent) -> Row:
        """Send the create and wait until the search shows the warehouse."""
        self._api.create_warehouse(
            warehouse_name=self._values["name"], queue_capacity=self._values["queue_length"], **self._key
        )
        intent.add(accepted=True)
        limit = self._task.deadline.within(self._grace, "wait for the new warehouse")
        try:
            found = wait_until(self.find, lambda row: row is not None, limit, what=self._what, longest=2.0)
        except FcdError as problem:
            raise self._unseen(problem) from problem
        return t.cast("Row", found)

    def _unseen(self, problem: FcdError) -> CannotDetermine:
        why = (
            f"the search did not show it within {self._grace:g} s"
            if isinstance(problem, WaitTimeout)
            else f"it could not be read back: {problem.message}"
        )
        return CannotDetermine(
            f"The service accepted the create of {self._what}, but {why}; its number is not known.",
            next_step="Run the task again later; it looks for the warehouse before it makes another one.",
            cause=type(problem).__name__,
            **{name: value for name, value in problem.details.items() if name in ("operation", "status", "request_id")},
        )
