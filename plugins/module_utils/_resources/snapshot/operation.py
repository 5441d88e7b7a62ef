# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of instances: made, renamed, described, removed. Remote operations: wire-facts section 7."""

from __future__ import annotations

import typing as t

from ..._core.errors import ImmutableChange, InvalidInput
from ..._engine.converge import Outcome
from ..._engine.fields import Field, Record
from ..._session.infrastructure import infrastructure
from ..._session.operation import STATE, WAIT, Operation, Params, Result, converged, given
from ..._session.options import REST
from ..._session.task import Task
from ..instance.record import same_item
from ..parts.options import (
    GRACE,
    NUMBER,
    TEXT_REFUSED,
    check_letters,
    check_name,
    check_not_empty,
    instance_if_any,
    no_instance,
    require,
)
from ..parts.part import Row, brought
from ..parts.record import same_text
from ..parts.whole_updates import WholeUpdates
from .record import SnapshotSearch

if t.TYPE_CHECKING:
    from ..._engine.change import Change
    from ..parts.creation import PartCreation

LONGEST_NAME = 500  # wire-facts section 7
NAMES = ("name", "description")


class DeclaredSnapshot(WholeUpdates):
    """The snapshot that the options declare."""

    search: SnapshotSearch
    fields = (Field("name"), Field("description", same_text), Field("instance", same_item, on_update=False))

    def want(self, current: Row | None) -> Row:
        """Return the wanted values."""
        params = self.params
        if current is None:
            require(params, self.kind, str(params.get("name")), ("name", "instance"))
        wanted = given(params, NAMES)
        if self.search.instance is not None:
            wanted["instance"] = self.search.instance
        return wanted

    def among(self) -> tuple[object, ...]:
        """Return the number of the instance, where one was given."""
        return ((self.search.instance or {}).get("id", ""),)

    def located(self) -> Row | None:
        """Return the snapshot that is meant. Raises InvalidInput for the removal, by its name, of one of the system."""
        record = super().located()
        if record is None and self.params["state"] == "absent" and self.search.passed_over:
            first = self.search.passed_over[0]
            raise InvalidInput(
                f"Snapshot {first['name']!r} ({first['id']}) was made by the system and not by a user: it is not "
                "removed by its name.",
                next_step="Give its number in id to have it removed all the same.",
                option="id",
                ids=[one["id"] for one in self.search.passed_over],
            )
        return record

    def holders(self) -> t.Sequence[int]:
        """Return the instance."""
        return [self.wanted["instance"]["id"]]

    def creation(self, values: Record) -> PartCreation:
        """Return the create."""
        from .creation import SnapshotCreation

        name = values["name"]
        return SnapshotCreation(self.task, self.search, self.identity(name), name, values)

    def steps(self, current: Row, changes: Record) -> list[Change]:
        """Return the step that changes name and description, which are sent together."""
        number, values = current["id"], {**current, **changes}
        body = {"Name": values["name"], "Description": values["description"] or ""}

        def send() -> None:
            self.search.snapshots.change_snapshot(number, body)

        def arrived(record: Row | None) -> bool:
            return record is not None and all(same_text(changes[name], record[name]) for name in changes)

        return [self.change(number, f"Changing snapshot {current['name']!r}", send, arrived)]

    def removal(self, current: Row) -> list[Change]:
        """Return the step that removes it."""
        number, holder = current["id"], (current["instance"] or {}).get("id")
        return [
            self.change(
                number,
                f"Removing snapshot {current['name']!r}",
                lambda: self.search.snapshots.delete_snapshot(number),
                lambda record: record is None,
                [] if holder is None else [holder],
                removes=True,
            )
        ]


def run(task: Task, params: Params) -> Result:
    """Bring the snapshot to its state."""
    check_name(params.get("name"), LONGEST_NAME)
    check_letters(params.get("description"), TEXT_REFUSED, "description")
    check_not_empty(params, "instance")
    search = SnapshotSearch(infrastructure(task), own=True)
    if not _restricted(search, params):
        return {**converged("snapshot", Outcome(None, None, {}, {})), "ticket": None}
    try:
        return brought(DeclaredSnapshot(task, search, params), "snapshot")
    except ImmutableChange as difference:
        difference.next_step = "Leave instance out, or check the number of the snapshot."
        raise


def _restricted(search: SnapshotSearch, params: Params) -> bool:
    """Have only snapshots of the instance found; return False where it went, and they with it. Raises InvalidInput."""
    given_one = params.get("instance")
    if given_one is None:
        return True
    record = instance_if_any(search, given_one.strip())
    if record is not None:
        search.instance = {"id": record["id"], "label": record["name"]}
    elif params["state"] == "present" or params.get("id") is not None:
        raise no_instance(given_one, "instance")
    return record is not None


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
