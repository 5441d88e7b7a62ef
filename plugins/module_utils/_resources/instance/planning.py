# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan for one declared machine: what is wanted, what differs, and what stands in the way."""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError, ImmutableChange, InvalidInput
from ..._engine.fields import Fields
from ..._engine.plan import CREATE, DELETE, LATER, UPDATE, Plan, make_plan, shown
from ..._session.task import Task
from .options import Params
from .record import Record, fields_of
from .wanted import Wanted, comparable, require_complete, wanted_of_new, wanted_of_present

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure
    from .wanted import LateLabels

RECREATE = "recreate"
MADE = (CREATE, RECREATE)
KIND = "instance"


class Planner:
    """Plans for the machines of one task."""

    def __init__(self, task: Task, api: Infrastructure, labels: LateLabels, params: Params) -> None:
        self._task = task
        self._api = api
        self._labels = labels
        self._params = params
        self._fields = fields_of(params)

    def read(self, current: Record) -> Record:
        """Return the record with those belongings that the options speak of; without them it costs nothing."""
        from .belongings import asked_of, with_belongings

        asked = asked_of(self._params)
        return with_belongings(self._api, asked, current) if asked else current

    def of_absent(self, name: str, current: Record | None, *, under_way: bool = False) -> Plan:
        """Return the plan to remove it, also when its creation is under way and it cannot be seen yet."""
        if under_way:
            return Plan(DELETE, before={"id": LATER, "name": name})
        return make_plan(self._fields, {}, current, "absent", kind=KIND)

    def of_one_under_way(self, name: str) -> tuple[Wanted, Plan]:
        """Return the same for a machine that another create is making: it is waited for, and then compared."""
        wanted = wanted_of_new(self._params, name, self._labels)
        return wanted, Plan(None) if self._task.check_mode else Plan(CREATE, {**wanted, "name": name})

    def of_new(self, name: str, old: Record | None = None) -> tuple[Wanted, Plan]:
        """Return what is wanted of a machine that has to be made, and the plan. Raises InvalidInput.

        ``old`` is the machine that it takes the place of.
        """
        from .suitability import require_creatable

        require_complete({**self._params, "name": name}, name)
        wanted = wanted_of_new(self._params, name, self._labels, (old or {}).get("type"))
        require_creatable(self._labels(), wanted, (old or {}).get("id"))
        return wanted, make_plan(self._fields, wanted, None, "present", kind=KIND)

    def want(self, name: str, current: Record) -> Wanted:
        """Return what is wanted of a machine that is there, as far as it can be compared. Raises InvalidInput."""
        wanted = wanted_of_present({**self._params, "name": name}, current, self._labels, self._task.warn)
        return comparable(wanted, current, self._task.warn)

    def of_present(self, wanted: Wanted, current: Record) -> Plan:
        """Return the plan to bring it to what is wanted. Raises ImmutableChange, InvalidInput."""
        plan = compared(self._fields, wanted, current)
        if plan.changed:
            from .suitability import require_changeable

            require_changeable(self._api, self._labels(), plan, current)
        return plan

    def of_remaking(self, name: str, current: Record, obstacle: FcdError) -> tuple[Wanted, Plan]:
        """Return the plan to remove it and make it anew, where the user wants that; else raise the obstacle."""
        if not self._params["recreate"] or not isinstance(obstacle, ImmutableChange):
            raise obstacle
        from .suitability import require_replaceable

        if current.get("type") is None and self._params.get("type") is None:
            raise InvalidInput(
                f"type: the service does not tell the type of instance {name!r}, which the new one would have.",
                next_step="Give the type that the new instance is to have.",
                option="type",
            ) from obstacle
        wanted, plan = self.of_new(name, current)
        require_replaceable(self._labels(), wanted, current["id"])
        return wanted, plan._replace(action=RECREATE, before=shown(self._fields, current))


def compared(fields: Fields, wanted: Wanted, current: Record) -> Plan:
    """Return the plan for a machine that is there. Raises ImmutableChange."""
    try:
        plan = make_plan(fields, wanted, current, "present", kind=KIND)
        if plan.action == UPDATE:
            _require_growth(plan, current)
    except ImmutableChange as error:
        error.next_step = "Take the present value, or have the machine removed and made anew with recreate: true."
        raise
    return plan


def _require_growth(plan: Plan, current: Record) -> None:
    """Raise ImmutableChange for a smaller disk: it can only grow (wire-facts section 5.4)."""
    size, present = plan.values.get("init_disk_size"), current.get("init_disk_size")
    if size is not None and present is not None and size < present:
        raise ImmutableChange(
            f"This cannot be changed on an existing instance: init_disk_size is {present}, wanted {size}, "
            "and a disk can only grow.",
            fields=["init_disk_size"],
        )
