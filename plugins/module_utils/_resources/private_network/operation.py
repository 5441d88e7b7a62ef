# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks: made, renamed, removed. Remote operations: wire-facts section 7."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._engine.fields import Field, Record
from ..._engine.plan import DELETE, in_words
from ..._session.infrastructure import infrastructure
from ..._session.operation import STATE, WAIT, Operation, Params, Result
from ..._session.options import REST
from ..._session.task import Task
from ..parts.options import GRACE, NUMBER, check_name, require
from ..parts.part import Part, Row, brought
from .record import NetworkSearch

if t.TYPE_CHECKING:
    from ..._engine.change import Change
    from ..parts.creation import PartCreation

LONGEST_NAME = 500  # wire-facts section 7


class DeclaredNetwork(Part):
    """The private network that the options declare."""

    search: NetworkSearch
    fields = (Field("name"),)

    def want(self, current: Row | None) -> Row:
        """Return the wanted name."""
        if current is None:
            require(self.params, self.kind, str(self.params.get("name")), ["name"])
        return {} if self.params.get("name") is None else {"name": self.params["name"]}

    def verify(self, action: str, changes: Record, current: Record | None) -> None:
        """Raise for a removal that the service would refuse."""
        del changes
        if action == DELETE and current is not None and current["instances"] and not self.params["force_detach"]:
            raise InvalidInput(
                f"Private network {current['name']!r} ({current['id']}) is not removed: it has instances, "
                f"{in_words(current['instances'])}.",
                next_step="Give force_detach: true to have them detached first.",
                option="force_detach",
                id=current["id"],
            )

    def creation(self, values: Record) -> PartCreation:
        """Return the create."""
        from ..parts.creation import NETWORK

        name = values["name"]
        return self.creation_of(name, lambda: self.search.networks.create_network(name), NETWORK)

    def steps(self, current: Row, changes: Record) -> list[Change]:
        """Return the step that renames it; the answer is empty."""
        networks, number, name = self.search.networks, current["id"], changes["name"]
        return [
            self.change(
                number,
                f"Renaming private network {current['name']!r}",
                lambda: networks.change_network(number, name),
                lambda record: record is not None and record["name"] == name,
            )
        ]

    def removal(self, current: Row) -> list[Change]:
        """Return the steps of a removal: all instances have to be detached before."""
        networks, number, called = self.search.networks, current["id"], f"private network {current['name']!r}"

        def detaching(instance_id: int) -> Change:
            return self.change(
                number,
                f"Detaching {called} from instance {instance_id}",
                lambda: networks.detach_network(number, instance_id),
                lambda record: record is not None and all(one["id"] != instance_id for one in record["instances"]),
                [instance_id],
            )

        gone = self.change(
            number,
            f"Removing {called}",
            lambda: networks.delete_network(number),
            lambda record: record is None,
            removes=True,
        )
        return [*(detaching(one["id"]) for one in current["instances"]), gone]


def run(task: Task, params: Params) -> Result:
    """Bring the private network to its state."""
    check_name(params.get("name"), LONGEST_NAME)
    return brought(DeclaredNetwork(task, NetworkSearch(infrastructure(task)), params), "private_network")


OPERATION = Operation(
    "private_network",
    (REST,),
    {
        **STATE,
        "name": {"type": "str", "aliases": ["opn_name"]},
        **NUMBER,
        "force_detach": {"type": "bool", "default": False},
        **WAIT,
        **GRACE,
    },
    run,
    {"required_one_of": [("name", "id")]},
)
