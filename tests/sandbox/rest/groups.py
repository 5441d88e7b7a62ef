# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of instances (docs/service/infrastructure.md, "Groups")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Address, Group, GroupSchedule, Instance
from sandbox.rest.paging import envelope, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.times import show
from sandbox.rest.visibility import hide, shown
from sandbox.rest.world import World

AFFINITY, AUTOSCALING, OFF, ON = 160, 55, 184, 185


def members_of(world: World, one: Group) -> dict[int, Address]:
    """The addresses of the instances in a group; what is removed or detached is no longer in it."""
    found = {number: world.table(Address).get(address) for number, address in one.members.items()}
    return {number: address for number, address in found.items() if address and address.instance == number}


def describe_group(call: Call, one: Group) -> dict[str, Any]:
    """The answer's form of a group."""
    values = call.world.dictionaries
    return {
        "Id": one.id,
        "Name": one.name,
        "IsLoadBalancer": one.balancer is not None,
        "InstancesCount": len(members_of(call.world, one)),
        "SchedulersCount": sum(other.group == one.id for other in call.world.table(GroupSchedule).values()),
        "AffinityRuleType": values.value(AFFINITY, one.affinity),
        "AutoscalingType": values.value(AUTOSCALING, OFF if one.autoscaler is None else ON),
        "LastChangeDate": show(one.changed),
        "CreationUser": call.world.account.user,
    }


def _truth(world: World, one: Group) -> dict[str, Any]:
    members = {number: address.id for number, address in members_of(world, one).items()}
    kept = {"Id": one.id, "Name": one.name, "AffinityRuleType": one.affinity}
    out = sorted(one.balancer.out) if one.balancer else []
    return {
        **kept,
        "Assignments": members,
        "IsLoadBalancer": one.balancer is not None,
        "Out": out,
        "Autoscaler": one.autoscaler,
    }


declare(
    Resource(
        Group,
        "Group",
        describe_group,
        missing="missing_group_status",
        first_id=71101,
        at_once=True,
        name="groups",
        truth=_truth,
    )
)


@handles("list_groups")
def list_groups(call: Call) -> Any:
    """All groups."""
    return page(call, shown(call, Group), lambda one: describe_group(call, one), {"Name": lambda one: one.name})


@handles("list_instance_groups")
def list_instance_groups(call: Call) -> Any:
    """The groups of one instance; this list has no pages."""
    number = lookup.addressed(call, Instance).id
    found = [one for one in shown(call, Group) if number in members_of(call.world, one)]
    return envelope([describe_group(call, one) for one in found])


@handles("read_group")
def read_group(call: Call) -> Any:
    """One group."""
    return describe_group(call, lookup.addressed(call, Group))


@handles("create_group")
def create_group(call: Call) -> Any:
    """A new group without instances, at once."""
    affinity = lookup.item(call, AFFINITY, call.body["AffinityRuleType"], "AffinityRuleType")
    made = Group(call.world.new_id(Group), call.body["Name"], affinity, call.now)
    call.world.table(Group)[made.id] = made
    hide(call, made, made=call.now)
    return describe_group(call, made)


@handles("update_group")
def change_group(call: Call) -> Any:
    """Another name and affinity, at once."""
    found = touched(call)
    found.name = call.body["Name"]
    found.affinity = lookup.item(call, AFFINITY, call.body["AffinityRuleType"], "AffinityRuleType")
    return describe_group(call, found)


@handles("delete_group")
def delete_group(call: Call) -> Any:
    """The group goes, unless it is in use."""
    found = lookup.addressed(call, Group)
    if members_of(call.world, found) or found.balancer:
        raise Refusal(call.settings["group_in_use_status"], f"Group {found.id} is in use.")
    schedules = call.world.table(GroupSchedule)
    for number in [one.id for one in schedules.values() if one.group == found.id]:
        del schedules[number]
    del call.world.table(Group)[found.id]
    return NOTHING


@handles("list_group_assignments")
def list_assignments(call: Call) -> Any:
    """The instances in a group."""
    return _assignments(call, lookup.addressed(call, Group))


@handles("update_group_assignments")
def change_assignments(call: Call) -> Any:
    """Replace all instances; without the member, and with an empty list, none is left."""
    desired: dict[int, int] = {}
    for one in call.body.get("Assignments", ()):
        instance = lookup.given(call, Instance, one["InstanceId"], "InstanceId")
        address = lookup.given(call, Address, one["IpId"], "IpId")
        if address.instance != instance.id:
            raise Refusal(400, f"IpId: address {address.id} is not attached to instance {instance.id}.")
        if instance.id in desired:
            raise Refusal(400, f"InstanceId: instance {instance.id} is there twice.")
        desired[instance.id] = address.id
    found = touched(call)
    found.members = desired
    return _assignments(call, found)


def touched(call: Call) -> Group:
    """The group with the id in the path, which is changed now; lists lag behind."""
    found = lookup.addressed(call, Group)
    freeze_listing(call, found)
    release_listing(call, found, call.now)
    found.changed = call.now
    return found


def _assignments(call: Call, one: Group) -> dict[str, Any]:
    listed = one.members if call.settings["removed_members_stay"] else members_of(call.world, one)
    found = {number: call.world.table(Address).get(one.members[number]) for number in listed}
    rows = [
        {
            "InstanceId": number,
            "IpId": one.members[number],
            "IpV4": address and address.address,
            "IpV6": address and address.address_v6,
        }
        for number, address in found.items()
    ]
    return envelope(rows)
