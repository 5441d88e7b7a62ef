# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules and autoscalers of groups (docs/service/infrastructure.md, "Schedules of groups")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.groups import touched
from sandbox.rest.handlers import handles
from sandbox.rest.models import Group, GroupSchedule, Instance
from sandbox.rest.paging import envelope
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.schedules import changing, described, keep, remove, take, truth_of
from sandbox.rest.visibility import shown

ACTIONS = (74, 75, 76, 77)
EXPANSIONS = 90216


def _describe(call: Call, one: GroupSchedule) -> dict[str, Any]:
    return {**described(call, one), "Group": {"Id": one.group}}


declare(
    Resource(
        GroupSchedule,
        "Scheduler",
        _describe,
        missing="missing_schedule_status",
        first_id=62101,
        at_once=True,
        name="group_schedules",
        truth=lambda _world, one: {**truth_of(one), "Group": one.group},
    )
)


@handles("list_group_schedulers")
def list_schedules(call: Call) -> Any:
    """Those of one group; this list has no pages."""
    number = lookup.addressed(call, Group).id
    return envelope([_describe(call, one) for one in shown(call, GroupSchedule) if one.group == number])


@handles("read_group_scheduler")
def read_schedule(call: Call) -> Any:
    """One schedule."""
    return _describe(call, lookup.addressed(call, GroupSchedule))


@handles("create_group_scheduler")
def create_schedule(call: Call) -> Any:
    """A new schedule of the group in the path, at once."""
    group = lookup.addressed(call, Group)
    made = GroupSchedule(id=call.world.new_id(GroupSchedule), created=call.now, instance=0, group=group.id)
    _take(call, made)
    return _describe(call, keep(call, made))


@handles("update_group_scheduler")
def change_schedule(call: Call) -> Any:
    """All values anew, at once."""
    found = changing(call, GroupSchedule)
    _take(call, found)
    return _describe(call, found)


@handles("delete_group_scheduler")
def delete_schedule(call: Call) -> Any:
    """The schedule goes, at once."""
    return remove(call, GroupSchedule)


def _take(call: Call, one: GroupSchedule) -> None:
    one.instance = lookup.given(call, Instance, call.body["InstanceId"], "InstanceId").id
    take(call, one, ACTIONS, "SchedulerTypeId")


# ---------------------------------------------------------------- autoscalers


@handles("read_group_autoscaler")
def read_autoscaler(call: Call) -> Any:
    """The autoscaler of a group; setting without_balancer: null or a status where there is none."""
    found = lookup.addressed(call, Group)
    if found.autoscaler is None:
        status = call.settings["without_balancer"]
        if status is None:
            return None
        raise Refusal(status, f"Group {found.id} has no autoscaler.")
    return _autoscaler(call, found)


@handles("create_group_autoscaler")
def set_autoscaler(call: Call) -> Any:
    """All values, at once; where there is one already, perhaps not (setting autoscaler_post_replaces)."""
    found = lookup.addressed(call, Group)
    if found.autoscaler is not None and not call.settings["autoscaler_post_replaces"]:
        raise Refusal(409, f"Group {found.id} has an autoscaler.")
    touched(call)
    body = call.body
    lookup.item(call, EXPANSIONS, body["ExpansionTypeId"], "ExpansionTypeId")
    if body["MinimumInstanceNumber"] > body["MaximumInstanceNumber"]:
        raise Refusal(400, "MinimumInstanceNumber: it is more than MaximumInstanceNumber.")
    for one in body["Instances"]:
        lookup.given(call, Instance, one["Instance"]["Id"], "Instances")
    found.autoscaler = dict(body)
    return _autoscaler(call, found)


@handles("delete_group_autoscaler")
def delete_autoscaler(call: Call) -> Any:
    """The autoscaler goes, at once."""
    found = touched(call)
    if found.autoscaler is None:
        raise Refusal(404, f"Group {found.id} has no autoscaler.")
    found.autoscaler = None
    return NOTHING


def _autoscaler(call: Call, group: Group) -> dict[str, Any]:
    kept = group.autoscaler or {}
    there, stay = call.world.table(Instance), call.settings["removed_members_stay"]
    return {
        "ExpansionType": call.world.dictionaries.value(EXPANSIONS, kept["ExpansionTypeId"]),
        "Instances": [one for one in kept["Instances"] if stay or one["Instance"]["Id"] in there],
        "MinimumInstanceNumber": kept["MinimumInstanceNumber"],
        "MaximumInstanceNumber": kept["MaximumInstanceNumber"],
    }
