# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning for instances: what is desired of existing ones, and how it compares with what they are.

The plans of new ones, and what the service would refuse, are in instance_change_plans.py: few tasks need them.
"""

from __future__ import annotations

import typing as t

from ..._connection.task import Params, Task
from ..._core.errors import Ambiguous, FcdError, ImmutableChange
from ..._engine.plan import CREATE, DELETE, LATER, REPLACE, Plan, make_plan
from ..rest_records import Row, disk_size
from .instance_options import DISK, LISTS, PLAIN, REFERENCES, Labels, id_or_label, reference
from .instance_records import (
    DISK_FIELDS,
    FIELDS,
    KIND,
    POWERED_OFF,
    POWERED_ON,
    belongings_in,
    instance_fields,
    with_belongings,
)

if t.TYPE_CHECKING:
    from ..._engine.plan import Outcome

CREATING = (CREATE, REPLACE)
Values = t.Dict[str, t.Any]
NOT_READABLE = ("authorization_method", "ssh_keys", "ip_address_id", "without_public_ip", "init_script")
"""What is sent at a creation and never compared: it cannot be read, or means nothing afterwards."""
NAMELESS = ("template", "subregion")
"""What an instance refers to by ID only (docs/service/infrastructure.md, "Conventions")."""
POWER = {"started": POWERED_ON, "stopped": POWERED_OFF}


class DeclaredInstance:
    """One declared instance, with what is known and planned, and at the end its outcome or error.

    ``under_way`` says that an earlier task has started its creation, and it cannot be seen yet. ``ticket`` is the
    ID of the last operation that was started.
    """

    def __init__(self, name: str, params: Params, current: Row | None = None, error: FcdError | None = None) -> None:
        self.name = name
        self.params = params
        self.current = current
        self.error = error
        self.under_way = False
        self.desired: Values = {}
        self.plan = Plan(None)
        self.outcome: Outcome | None = None
        self.ticket: int | None = None

    def require_outcome(self) -> Outcome:
        """Return its outcome, or raise its error."""
        if self.error is not None:
            raise self.error
        if self.outcome is None:
            raise AssertionError(self.name)
        return self.outcome


Instances = t.Sequence[DeclaredInstance]


class InstancePlanner:
    """Plans for the instances of one task."""

    def __init__(self, task: Task, labels: Labels) -> None:
        self._task = task
        self.labels = labels

    def plan(self, instance: DeclaredInstance) -> None:
        """Fill in what is desired and the plan; what makes one of several instances impossible is kept as its error.

        One that is still being created cannot be seen yet: it is removed when it is ready, or waited for and compared.
        Raises InvalidInput.
        """
        params, name, current = instance.params, instance.name, instance.current
        if params["state"] == "absent":
            instance.plan = make_plan(FIELDS, {}, current, "absent", kind=KIND)
            if instance.under_way:
                instance.plan = Plan(DELETE, before={"id": LATER, "name": name})
        elif instance.under_way:
            from .instance_change_plans import desired_of_new

            instance.desired = desired_of_new(self, params, name)
            instance.plan = Plan(None) if self._task.check_mode else Plan(CREATE, dict(instance.desired))
        elif current is None:
            from .instance_change_plans import plan_creation

            instance.desired, instance.plan = plan_creation(self, params, name)
        else:
            self._plan_existing(instance, current)

    def _plan_existing(self, instance: DeclaredInstance, current: Row) -> None:
        params, asked = instance.params, belongings_in(instance.params)
        if asked:
            instance.current = current = with_belongings(self.labels.api, asked, current)
        renamed = params.get("id") is not None and params.get("name")
        desired = self.desired_of_existing(params, str(params["name"]) if renamed else instance.name, current)
        instance.desired = desired
        try:
            plan = self.compare(params, desired, current)
            if plan.changed:
                from .instance_change_plans import plan_replacement, require_changeable

                if plan.action == REPLACE:
                    desired, plan = plan_replacement(self, params, str(current["name"]), current, plan)
                else:
                    require_changeable(self.labels, plan, current)
            instance.desired, instance.plan = desired, plan
        except FcdError as error:
            instance.error = error

    def compare(self, params: Params, desired: Values, current: Row, *, may_replace: bool = True) -> Plan:
        """Return the plan for an existing instance. Raises ImmutableChange if it must not be replaced."""
        replace = may_replace and bool(params["recreate"])
        try:
            return make_plan(instance_fields(params), desired, current, "present", kind=KIND, may_replace=replace)
        except ImmutableChange as error:
            error.next_step = "Keep the current value, or set recreate: true to remove and re-create the instance."
            raise

    # ---------------------------------------------------------------- desired values

    def desired_of_existing(self, params: Params, name: str, current: Row) -> Values:
        """Return what is desired of an existing instance, as far as it can be compared; a warning names the rest.

        An ID, and a label that the instance has already, cost no request. Raises InvalidInput.
        """
        desired: Values = {"name": name}
        desired.update((option, params[option]) for option in PLAIN if params.get(option) is not None)
        if DISK in desired:
            desired[DISK] = disk_size(DISK, desired[DISK], current.get(DISK))
        for option in REFERENCES:
            given = reference(params, option)
            if given is not None and option not in NOT_READABLE:
                desired[option] = self._compared_item(option, given, current.get(option) or {})
        desired.update(self.lists(params, current), **self.power(params, current))
        return self._comparable({name: desired[name] for name in desired if name not in NOT_READABLE}, current)

    def _comparable(self, desired: Values, current: Row) -> Values:
        known = {option: value for option, value in desired.items() if current.get(option) is not None}
        of_disk = [option for option in desired if option in DISK_FIELDS and option not in current]
        others = [option for option in desired if option not in (*known, *of_disk)]
        whose = f"of instance {current['name']!r}"
        if of_disk:
            self._task.warn(f"The service lists no system disk {whose}: {' and '.join(of_disk)} not compared.")
        if others:
            self._task.warn(f"The service does not return {', '.join(others)} {whose}: not compared.")
        return known

    def lists(self, params: Params, current: Row) -> Values:
        """Return the desired private networks and addresses, as far as they are given; each once."""
        desired: Values = {}
        for option in LISTS:
            if params.get(option) is None:
                continue
            items: dict[int, Row] = {}
            for given in map(id_or_label, params[option]):
                have = (one for one in current.get(option) or () if given in (one["id"], one["label"]))
                found = self.item(option, given, next(have, {}))
                items[found["id"]] = found
            desired[option] = list(items.values())
        return desired

    @staticmethod
    def power(params: Params, current: Row) -> Values:
        """Return the desired status, as far as it is given."""
        number = POWER.get(params["state"])
        if number is None:
            return {}
        status = current.get("status") or {}
        return {"status": status if status.get("id") == number else {"id": number, "label": None}}

    def item(self, option: str, given: int | str, current: Row | None = None) -> Row:
        """Return ``{id, label}`` for what was given; what is there already costs no request."""
        current = current or {}
        if isinstance(given, int):
            return {"id": given, "label": current.get("label") if current.get("id") == given else None}
        return current if current.get("label") == given else self.labels.item(option, given)

    def _compared_item(self, option: str, given: int | str, current: Row) -> Row:
        """Return ``{id, label}`` for what was given, compared first with the current one.

        The service only returns the ID of the current one, so that decides: several templates share a name, and the one
        that the instance was created from may be withdrawn or removed. What cannot be named counts as desired, because
        an unknown name must never cost an instance.
        """
        if isinstance(given, int) or option not in NAMELESS or "id" not in current:
            return self.item(option, given, current)
        names = self.labels.names_in_use(option, current["id"])
        if not names:
            self._task.warn(
                f"{option}: the service does not (or no longer) list {option} {current['id']}, so it is not compared "
                f"with {given!r}. Give {option}_id to have the IDs compared."
            )
            return current
        current["label"] = names[0]
        if given in names:
            return current
        try:
            return self.labels.item(option, given)
        except Ambiguous as several:
            if current["id"] in several.details["ids"]:
                return current
            raise
