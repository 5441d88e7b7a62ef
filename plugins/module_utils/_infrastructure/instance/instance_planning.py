# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One declared instance: how it compares with what there is, and what the engine asks of it.

What is desired of it is in desired_instance.py, the plans of new ones and what the service would refuse in
instance_change_plans.py, the requests of its creation in instance_creation.py, and those of its changes in
instance_changes.py.
"""

from __future__ import annotations

import typing as t

from ..._connection.task import Params, Task
from ..._core.errors import FcdError, ImmutableChange
from ..._core.later import LATER
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.change import Change, Ticket
from ..._engine.plan import CREATE, DELETE, REPLACE, Created, Outcome, Plan, carry_out, make_plan, telling_difference
from ..._engine.scheduler import Job
from .desired_instance import DesiredInstance
from .instance_change_plans import (
    desired_of_new,
    plan_creation,
    plan_replacement,
    require_changeable,
    require_stoppable,
)
from .instance_changes import Removal, changes_of, update_instance, wait_before_changes
from .instance_creation import create_instance, instance_request
from .instance_options import AFTER_CREATION, NOT_READABLE
from .instance_records import InstanceSearch, belongings_in, is_idle, running, with_belongings

CREATING = (CREATE, REPLACE)


class DeclaredInstance(DesiredInstance):
    """One declared instance, with what is known and planned, and at the end its outcome or error.

    ``under_way`` says that an earlier task has started its creation, and it cannot be seen yet. ``ticket`` is the
    ID of the last operation that was started. Its job may be started again after too many requests: what was done is
    not done twice.
    """

    def __init__(
        self, task: Task, search: InstanceSearch, params: Params, name: str, current: JsonObject | None = None
    ) -> None:
        super().__init__(task, search, params, name)
        self.current = current
        self.error: FcdError | None = None
        self.under_way = False
        self.plan = Plan(None)
        self.outcome: Outcome | None = None

    def require_outcome(self) -> Outcome:
        """Return its outcome, or raise its error."""
        if self.error is not None:
            raise self.error
        if self.outcome is None:
            raise AssertionError(self.name)
        return self.outcome

    # ---------------------------------------------------------------- planning

    def make_plan(self) -> None:
        """Fill in what is desired and the plan; what makes one of several instances impossible is kept as its error.

        One that is still being created cannot be seen yet: it is removed when it is ready, or waited for and compared.
        Raises InvalidInput.
        """
        if self.params["state"] == "absent" and self.under_way:
            self.plan = Plan(DELETE, before={"id": LATER, "name": self.name})
        elif self.under_way:
            self.desired = self.desired_values(None)
            self.plan = Plan(None) if self.task.check_mode else Plan(CREATE, dict(self.desired))
        elif self.params["state"] == "absent" or self.current is None:
            self.plan = self.compare(self.current)[2]
        else:
            self.current = self._read_for(self.current)
            self.desired = self.desired_values(self.current)
            try:
                self.plan = self._difference(self.current)
            except FcdError as error:
                self.error = error

    def compare(self, current: JsonObject | None) -> tuple[JsonMapping, JsonObject | None, Plan]:
        """Return what is desired, the instance with all that is compared, and the plan. Raises ImmutableChange."""
        if self.params["state"] == "absent":
            return {}, current, make_plan(self.fields, {}, current, "absent", kind=self.kind)
        if current is None:
            self.desired, plan = plan_creation(self)
        elif current["id"] is None:  # another task is still creating it
            plan = Plan(None, before=current, after=current)
        else:
            current = self._read_for(current)
            self.desired = self.desired_values(current)
            plan = self._difference(current)
        return self.desired, current, plan

    def _read_for(self, current: JsonObject) -> JsonObject:
        asked = belongings_in(self.params)
        return with_belongings(self.search.api, asked, current) if asked else current

    def _difference(self, current: JsonObject) -> Plan:
        """Return the plan for an existing instance. Raises ImmutableChange if it must not be replaced."""
        replace = self.may_replace
        try:
            plan = make_plan(self.fields, self.desired, current, "present", kind=self.kind, may_replace=replace)
        except ImmutableChange as error:
            error.next_step = "Keep the current value, or set recreate: true to remove and re-create the instance."
            raise
        if plan.changed:
            if plan.action == REPLACE:
                self.desired, plan = plan_replacement(self, current, plan)
                return plan
            with telling_difference(plan):
                if self.task.check_mode:  # else this is the last thing before the change
                    self.require_free_name(current, plan.values)
                require_changeable(self.labels, plan, current)
                require_stoppable(self.params, plan, current)
        only_new = [name for name in NOT_READABLE if self.params.get(name) or self.params.get(f"{name}_id")]
        if only_new and not self.task.knows_last_apply:  # the same words for a whole fleet, so that they show once
            names = ", ".join(only_new)
            self.task.warn(f"{names}: used only when an instance is created, so not compared with one that exists.")
        return plan

    # ---------------------------------------------------------------- for the engine

    def job(self) -> Job[Outcome]:
        """Return the job that carries out the plan."""
        number = (self.current or {}).get("id")
        if number is not None and self.params.get("id") is None:
            self.search.expect(number, self.name)
        return carry_out(self, self.desired, str(self.params["state"]), self.current, self.plan)

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return what is desired of a new instance, or of an existing one as far as it can be compared."""
        return desired_of_new(self) if current is None else self.desired_of_existing(current)

    def wait_until_free(self, current: JsonObject | None, plan: Plan) -> Job[JsonObject | None]:
        """Return the job that waits until nothing stands in the way of the plan."""
        return wait_before_changes(self, current, plan)

    def create_request(self, values: JsonMapping) -> t.Callable[[], Ticket]:
        """Return what creates the instance. Raises InvalidInput if the values are not sufficient."""
        return instance_request(self, dict(values))

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that creates it exactly once."""
        return create_instance(self, values)

    def is_ready(self, record: JsonObject) -> bool:
        """Return whether it is ready for further changes; that of another task may be meant to be powered off."""
        return running(record) if self.is_new else is_idle(record)

    def compare_new(self, record: JsonObject) -> tuple[JsonObject, JsonObject]:
        """Return a new instance with what its creation takes only in part, and what is desired of that."""
        desired = {name: self.desired[name] for name in AFTER_CREATION if name in self.desired}
        return with_belongings(self.search.api, belongings_in(self.desired), record), desired

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the requests that change the instance."""
        return list(changes_of(self, current, changes))

    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject | None]:
        """Return the job that changes it, and returns it as it is then, None if the last change is only started."""
        return update_instance(self, dict(current), changes)

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it."""
        return [Removal(self, current)]


InstanceSequence = t.Sequence[DeclaredInstance]
