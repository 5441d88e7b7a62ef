# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of instances: made, renamed, described, removed. Remote operations: wire-facts section 7."""

from __future__ import annotations

import typing as t

from ..._core.errors import ImmutableChange
from ..._engine.fields import Field, Record
from ..._session.infrastructure import infrastructure
from ..._session.operation import STATE, WAIT, Operation, Params, Result, given
from ..._session.options import REST
from ..._session.task import Task
from ..instance.record import same_item
from ..parts.options import GRACE, NUMBER, check_name, check_not_empty, instance_of, require
from ..parts.part import Row, brought
from ..parts.record import same_text
from ..parts.whole_updates import WholeUpdates
from .record import SnapshotSearch

if t.TYPE_CHECKING:
    from ..parts.creation import PartCreation
    from ..parts.work import Step

LONGEST_NAME = 500  # wire-facts section 7
NAMES = ("name", "description")


class DeclaredSnapshot(WholeUpdates):
    """The snapshot that the options declare."""

    search: SnapshotSearch
    fields = (Field("name"), Field("description", same_text), Field("instance", same_item, on_update=False))

    def want(self, current: Row | None) -> Row:
        """Return the wanted values; the instance is looked up for a new snapshot only."""
        params = self.params
        if current is None:
            require(params, self.kind, str(params.get("name")), ("name", "instance"))
        wanted = given(params, NAMES)
        if params.get("instance") is not None:
            present = [current["instance"]] if current and current["instance"] else []
            wanted["instance"] = instance_of(self.search.api, params["instance"], "instance", present)
        return wanted

    def among(self) -> tuple[object, ...]:
        """Return the instance as it was given."""
        return (self.params.get("instance") or "",)

    def holders(self) -> t.Sequence[int]:
        """Return the instance."""
        return [self.wanted["instance"]["id"]]

    def creation(self, values: Record) -> PartCreation:
        """Return the create."""
        from .creation import SnapshotCreation

        name = values["name"]
        return SnapshotCreation(self.task, self.search, self.identity(name), name, values)

    def steps(self, current: Row, changes: Record) -> list[Step]:
        """Return the step that changes name and description, which are sent together."""
        from ..parts.work import Step

        number, values = current["id"], {**current, **changes}
        body = {"Name": values["name"], "Description": values["description"] or ""}

        def send() -> None:
            self.search.snapshots.change_snapshot(number, body)

        def arrived(record: Row | None) -> bool:
            return record is not None and all(same_text(changes[name], record[name]) for name in changes)

        return [Step(f"Changing snapshot {current['name']!r}", send, arrived)]

    def removal(self, current: Row) -> list[Step]:
        """Return the step that removes it."""
        from ..parts.work import Step

        number, holder = current["id"], (current["instance"] or {}).get("id")
        return [
            Step(
                f"Removing snapshot {current['name']!r}",
                lambda: self.search.snapshots.delete_snapshot(number),
                lambda record: record is None,
                [] if holder is None else [holder],
                removes=True,
            )
        ]


def run(task: Task, params: Params) -> Result:
    """Bring the snapshot to its state."""
    check_name(params.get("name"), LONGEST_NAME, any_letters=True)
    check_not_empty(params, "instance")
    search = SnapshotSearch(infrastructure(task), params.get("instance"))
    try:
        return brought(DeclaredSnapshot(task, search, params), "snapshot")
    except ImmutableChange as difference:
        difference.next_step = "Leave instance out, or check the number of the snapshot."
        raise


OPERATION = Operation(
    "snapshot",
    (REST,),
    {
        **STATE,
        "name": {"type": "str", "aliases": ["snapshot_name"]},
        **NUMBER,
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "description": {"type": "str"},
        **WAIT,
        **GRACE,
    },
    run,
    {"required_one_of": [("name", "id")]},
)
