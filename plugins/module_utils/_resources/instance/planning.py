# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan for one declared machine: what is wanted, what differs, and what stands in the way."""

from __future__ import annotations

import typing as t

from ..._core.errors import ImmutableChange, InvalidInput
from ..._engine.fields import Fields
from ..._engine.plan import CREATE, DELETE, LATER, REPLACE, Plan, make_plan, shown
from ..._session.task import Task
from .options import Params
from .record import Record, fields_of
from .wanted import Wanted, comparable, require_complete, wanted_of_new, wanted_of_present

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure
    from .wanted import LateLabels

MADE = (CREATE, REPLACE)
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

    @property
    def may_replace(self) -> bool:
        """Whether the user wants a machine removed and made anew where something cannot be changed in place."""
        return bool(self._params["recreate"])

    def of_present(self, wanted: Wanted, current: Record) -> tuple[Wanted, Plan]:
        """Return what is wanted, and the plan to bring the machine to it. Raises ImmutableChange, InvalidInput."""
        plan = compared(self._fields, wanted, current, may_replace=self.may_replace)
        if plan.action == REPLACE:
            return self.of_replacement(str(current["name"]), current, plan)
        if plan.changed:
            from .suitability import require_changeable

            require_changeable(self._api, self._labels(), plan, current)
        return wanted, plan

    def of_replacement(self, name: str, current: Record, comparison: Plan) -> tuple[Wanted, Plan]:
        """Return what is wanted of the new machine, and the plan to remove this one and make that. Raises InvalidInput.

        ``comparison`` says what forces it.
        """
        from .suitability import require_replaceable

        if current.get("type") is None and self._params.get("type") is None:
            raise InvalidInput(
                f"type: the service does not tell the type of instance {name!r}, which the new one would have.",
                next_step="Give the type that the new instance is to have.",
                option="type",
            )
        wanted, plan = self.of_new(name, current)
        require_replaceable(self._labels(), wanted, current["id"])
        before = shown(self._fields, current)
        return wanted, plan._replace(action=REPLACE, before=before, forced_by=comparison.forced_by)


def compared(fields: Fields, wanted: Wanted, current: Record, *, may_replace: bool) -> Plan:
    """Return the plan for a machine that is there. Raises ImmutableChange."""
    try:
        return make_plan(fields, wanted, current, "present", kind=KIND, may_replace=may_replace)
    except ImmutableChange as error:
        error.next_step = "Take the present value, or have the machine removed and made anew with recreate: true."
        raise
