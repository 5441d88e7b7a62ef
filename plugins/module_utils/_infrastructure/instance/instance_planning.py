# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One declared instance: what is desired of it, how it compares with what there is, and what the engine asks of it.

The plans of new ones, and what the service would refuse, are in instance_change_plans.py, the requests of its creation
in instance_creation.py, and those of its changes in instance_changes.py: few tasks need them.
"""

from __future__ import annotations

import typing as t

from ..._connection.task import Params, Task
from ..._core.errors import Ambiguous, FcdError, ImmutableChange
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.plan import CREATE, DELETE, LATER, REPLACE, Created, Plan, carry_out, make_plan
from ..rest_records import INSTANCE_OBJECT, disk_size
from ..rest_resource import RestResource
from .instance_options import (
    AFTER_CREATION,
    ATTACHED_LISTS,
    DISK,
    NOT_READABLE,
    PLAIN_CREATE_OPTIONS,
    REFERENCE_OPTIONS,
    Labels,
    id_or_label,
    reference,
)
from .instance_records import (
    DISK_FIELDS,
    POWERED_OFF,
    POWERED_ON,
    InstanceSearch,
    belongings_in,
    instance_fields,
    is_idle,
    running,
    with_belongings,
)

if t.TYPE_CHECKING:
    from ..._engine.change import Change, Ticket
    from ..._engine.plan import Outcome
    from ..._engine.scheduler import Job

CREATING = (CREATE, REPLACE)
NAMELESS = ("template", "subregion")
"""What an instance refers to by ID only (docs/service/infrastructure.md, "Conventions")."""
POWER_STATES = {"started": POWERED_ON, "stopped": POWERED_OFF}


class DeclaredInstance(RestResource):
    """One declared instance, with what is known and planned, and at the end its outcome or error.

    ``under_way`` says that an earlier task has started its creation, and it cannot be seen yet. ``ticket`` is the
    ID of the last operation that was started. Its job may be started again after too many requests: what was done is
    not done twice.
    """

    search: InstanceSearch
    name: str
    object_type = INSTANCE_OBJECT

    def __init__(
        self, task: Task, search: InstanceSearch, params: Params, name: str, current: JsonObject | None = None
    ) -> None:
        super().__init__(task, search, params)
        self.name = name
        self.current = current
        self.error: FcdError | None = None
        self.under_way = False
        self.plan = Plan(None)
        self.outcome: Outcome | None = None
        self.fields = instance_fields(params)
        self.may_replace = bool(params.get("recreate"))

    @property
    def labels(self) -> Labels:
        """What the labels in the options stand for."""
        return t.cast("Labels", self.search.names)

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
            from .instance_change_plans import plan_creation

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
            from .instance_change_plans import plan_replacement, require_changeable, require_stoppable

            if plan.action == REPLACE:
                self.desired, plan = plan_replacement(self, current, plan)
                return plan
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
        return carry_out(self, self.desired, str(self.params["state"]), self.current, self.plan)

    def wait_until_free(self, current: JsonObject | None, plan: Plan) -> Job[JsonObject | None]:
        """Return the job that waits until nothing stands in the way of the plan."""
        from .instance_changes import wait_until_free

        return wait_until_free(self, current, plan)

    def create_request(self, values: JsonMapping) -> t.Callable[[], Ticket]:
        """Return what creates the instance. Raises InvalidInput if the values are not sufficient."""
        from .instance_creation import instance_request

        return instance_request(self, dict(values))

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that creates it exactly once."""
        from .instance_creation import create_instance

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
        from .instance_changes import changes_of

        return list(changes_of(self, current, changes))

    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject | None]:
        """Return the job that changes it, and returns it as it is then, None if the last change is only started."""
        from .instance_changes import update_instance

        return update_instance(self, dict(current), changes)

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it."""
        from .instance_changes import Removal

        return [Removal(self, current)]

    # ---------------------------------------------------------------- desired values

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return what is desired of a new instance, or of an existing one as far as it can be compared.

        A warning names the rest. An ID, and a label that the instance has already, cost no request. Raises
        InvalidInput.
        """
        params = self.params
        if current is None:
            from .instance_change_plans import desired_of_new

            return desired_of_new(self)
        renamed = params.get("id") is not None and params.get("name")
        desired: JsonObject = {"name": str(params["name"]) if renamed else self.name}
        desired.update((option, params[option]) for option in PLAIN_CREATE_OPTIONS if params.get(option) is not None)
        if DISK in desired:
            desired[DISK] = disk_size(DISK, desired[DISK], current.get(DISK))
        for option in REFERENCE_OPTIONS:
            given = reference(params, option)
            if given is not None and option not in NOT_READABLE:
                desired[option] = self._compared_item(option, given, current.get(option) or {})
        desired.update(self.lists(current), **self.power(current))
        return self._comparable({name: desired[name] for name in desired if name not in NOT_READABLE}, current)

    def _comparable(self, desired: JsonObject, current: JsonObject) -> JsonObject:
        sent = [field.name for field in self.fields if field.sent_if_unknown]
        known = {name: value for name, value in desired.items() if name in sent or current.get(name) is not None}
        of_disk = [option for option in desired if option in DISK_FIELDS and option not in current]
        others = [option for option in desired if option not in (*known, *of_disk)]
        whose = f"of instance {current['name']!r}"
        if of_disk:
            self.task.warn(f"The service lists no system disk {whose}: {' and '.join(of_disk)} not compared.")
        if others:
            self.task.warn(f"The service does not return {', '.join(others)} {whose}: not compared.")
        return known

    def lists(self, current: JsonObject) -> JsonObject:
        """Return the desired private networks and addresses, as far as they are given; each once."""
        desired: JsonObject = {}
        for option in ATTACHED_LISTS:
            if self.params.get(option) is None:
                continue
            items: dict[int, JsonObject] = {}
            for given in map(id_or_label, self.params[option]):
                have = (one for one in current.get(option) or () if given in (one["id"], one["label"]))
                found = self.item(option, given, next(have, {}))
                items[found["id"]] = found
            desired[option] = list(items.values())
        return desired

    def power(self, current: JsonObject) -> JsonObject:
        """Return the desired status, as far as it is given."""
        number = POWER_STATES.get(self.params["state"])
        if number is None:
            return {}
        status = current.get("status") or {}
        return {"status": status if status.get("id") == number else {"id": number, "label": None}}

    def item(self, option: str, given: int | str, current: JsonObject | None = None) -> JsonObject:
        """Return ``{id, label}`` for what was given; what is there already costs no request."""
        current = current or {}
        if isinstance(given, int):
            return {"id": given, "label": current.get("label") if current.get("id") == given else None}
        return current if current.get("label") == given else self.labels.item(option, given)

    def _compared_item(self, option: str, given: int | str, current: JsonObject) -> JsonObject:
        """Return ``{id, label}`` for what was given, compared first with the current one.

        The service only returns the ID of the current one, so that decides: several templates share a name, and the one
        that the instance was created from may be withdrawn or removed. What cannot be named counts as desired, because
        an unknown name must never cost an instance.
        """
        if isinstance(given, int) or option not in NAMELESS or "id" not in current:
            return self.item(option, given, current)
        names = self.labels.names_in_use(option, current["id"])
        if not names:
            self.task.warn(
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


InstanceSequence = t.Sequence[DeclaredInstance]
