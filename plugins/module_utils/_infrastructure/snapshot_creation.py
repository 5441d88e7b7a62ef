# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Making a snapshot exactly once; the instance is locked meanwhile (wire-facts section 7)."""

from __future__ import annotations

import typing as t

from .._connection.task import Task
from .._core.errors import Forbidden
from .._engine.change import Ticket
from .._engine.plan import Record
from .instance.instance_records import InstanceSearch
from .rest_creation import RestCreation
from .rest_search import RequestedObject

if t.TYPE_CHECKING:
    from .snapshot import SnapshotSearch


class SnapshotCreation(RestCreation):
    """One create with these values."""

    def __init__(
        self, task: Task, search: SnapshotSearch, identity: t.Sequence[object], name: str, values: Record
    ) -> None:
        self._instance: int = values["instance"]["id"]
        description = {"Description": values["description"]} if values.get("description") is not None else {}
        body = {"Name": name, **description}
        super().__init__(
            task,
            search,
            identity,
            name,
            lambda: search.api.create_snapshot(self._instance, body),
            object_type=0,
        )

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        """Return what a create that was sent before has made, or is making: the instance is locked meanwhile."""
        return super().resume(facts) or (RequestedObject()._asdict() if self._busy() else None)

    def number_of(self, ticket: Ticket | None) -> int | None:
        """Return the number of the snapshot; a ticket may name the instance instead (infrastructure facts, d.24)."""
        number = super().number_of(ticket)
        return None if number == self._instance else number

    def _on_kind(self, ticket: Ticket) -> bool:
        """Return whether a ticket may be about this snapshot; one that names none yet may be about another instance.

        Nothing is lost by leaving that out: the instance is locked meanwhile, so that a second create is refused.
        """
        return ticket.get("ObjectId") is not None and super()._on_kind(ticket)

    def _busy(self) -> bool:
        try:
            record = InstanceSearch(self.search.api).by_id(self._instance)
        except Forbidden:
            return False
        return record is not None and bool(record["is_locked"])
