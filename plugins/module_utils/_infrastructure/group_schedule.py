# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules of groups of instances: found by name or ID, created, changed, removed and listed.

Source: docs/service/infrastructure.md, "Schedules of groups".
"""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import ManagedObject, Operation, Params, Result, Task, result_of
from .._core.errors import ImmutableChange, InvalidInput
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import Field, Outcome
from .api import Infrastructure, infrastructure
from .instance.instance_records import InstanceSearch
from .instance_group import group_of, required_group
from .named_instances import instance_of
from .rest_records import check_not_empty, same_item
from .rest_resource import reconcile_resource, rest_reader
from .schedules import (
    SCHEDULE_FIELDS,
    SCHEDULE_OPTIONS,
    TIMES,
    DeclaredSchedule,
    ScheduleSearch,
    read_schedule_options,
    schedule_record,
)

ACTIONS = {"start": 75, "stop": 74, "add": 77, "remove": 76}


def group_schedule_record(schedule: JsonMapping) -> JsonObject:
    """Return the record of a schedule."""
    return schedule_record(schedule, ACTIONS, {"group": "Group", "instance": "Instance"})


class GroupScheduleSearch(ScheduleSearch):
    """Finds the schedules of a group, or of all."""

    kind = "group schedule"
    owner_kind = "group"
    within = ("group",)
    describe = staticmethod(group_schedule_record)
    references = ("instance",)

    def list_of(self, number: int | None) -> list[JsonObject]:
        """Return the list of one group, or of all, one after the other: the service has no list of all."""
        numbers = [group["Id"] for group in self.api.list_groups()] if number is None else [number]
        return [one for group in numbers for one in self.api.list_group_schedules(group)]

    def name_references(self, *records: JsonObject | None) -> None:
        """Set the labels of instances and groups, in place."""
        super().name_references(*records)
        bare = [one["group"] for one in records if one and one.get("group") and one["group"]["label"] is None]
        if bare and self.owner is None:
            labels = {group["Id"]: group.get("Name") for group in self.api.list_groups()}
        else:
            labels = {} if self.owner is None else {self.owner["id"]: self.owner["label"]}
        for group in bare:
            group["label"] = labels.get(group["id"])

    def get(self, number: int) -> JsonObject:
        """Return one schedule."""
        return self.api.get_group_schedule(number)


class DeclaredGroupSchedule(DeclaredSchedule):
    """The schedule of a group that the options declare."""

    fields = (
        *SCHEDULE_FIELDS,
        Field("group", same_item, on_update=False, may_be_unknown=True),
        Field("instance", same_item, may_be_unknown=True),
    )
    actions = ACTIONS
    refers_to = (("instance", InstanceSearch),)
    required = ("group", "instance", "action", *TIMES)

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return what each request needs."""
        return {**super().sent_along(current, changes), "instance": "Instance"}

    def own_values(self, current: JsonObject | None) -> JsonObject:
        """Return the group and the instance."""
        desired = {} if self.search.owner is None else {"group": self.search.owner}
        if self.params.get("instance") is not None:
            present = [(current or {}).get("instance")]
            desired["instance"] = instance_of(self.search, self.params["instance"], [one for one in present if one])
        return desired

    def own_members(self, values: JsonMapping) -> JsonObject:
        """Return the instance."""
        return {"InstanceId": values["instance"]["id"]}

    def send_create(self, body: JsonMapping) -> JsonObject:
        """Create it."""
        return self.search.api.create_group_schedule(self.desired["group"]["id"], body)

    def send_update(self, number: int, body: JsonMapping) -> object:
        """Change it."""
        return self.search.api.change_group_schedule(number, body)

    def send_removal(self, number: int) -> None:
        """Remove it."""
        self.search.api.delete_group_schedule(number)


def check_group_schedule(params: Params) -> None:
    """Raise InvalidInput for options that are wrong by themselves."""
    read_schedule_options(params)
    check_not_empty(params, "group", "instance")


def run(task: Task, params: Params) -> Result:
    """Bring the schedule to its state."""
    check_group_schedule(params)
    api = infrastructure(task)
    search, absent = GroupScheduleSearch(api), params["state"] == "absent"
    resource = DeclaredGroupSchedule(task, search, read_schedule_options(params))
    if params.get("group") is not None:
        try:
            search.owner = group_of(api, params["group"]) if absent else required_group(api, params["group"])
        except InvalidInput:
            if params.get("id") is None:
                resource.require_new()
            raise
        if search.owner is None:
            return {**result_of("group_schedule", Outcome(None, None, {}, {})), "ticket": None}  # gone with its group
    try:
        return reconcile_resource(resource, "group_schedule")
    except ImmutableChange as difference:
        difference.next_step = "Omit group, or check the ID of the schedule."
        raise


OPERATION = Operation(
    "group_schedule",
    (REST,),
    {
        **SCHEDULE_OPTIONS,
        "group": {"type": "str", "aliases": ["group_id", "instance_group"]},
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "action": {"type": "str", "choices": list(ACTIONS)},
    },
    run,
    {"required_one_of": [("name", "id")]},
    fields=DeclaredGroupSchedule.fields,
    members=tuple(group_schedule_record({})),
    manages=ManagedObject("group_schedule", "group_schedule"),
    check=check_group_schedule,
)


def _search(api: Infrastructure, params: Params) -> GroupScheduleSearch:
    search = GroupScheduleSearch(api)
    search.owner = None if params.get("group") is None else required_group(api, params["group"])
    return search


INFO = rest_reader(
    "group_schedule_info",
    "group_schedules",
    _search,
    {"name": {"type": "str"}, "group": {"type": "str", "aliases": ["group_id", "instance_group"]}},
    {"mutually_exclusive": [("id", "name"), ("id", "group")]},
)
