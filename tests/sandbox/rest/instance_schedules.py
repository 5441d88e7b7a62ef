# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules of instances (docs/service/infrastructure.md, "Schedules")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Instance, InstanceSchedule, InstanceType, Snapshot
from sandbox.rest.paging import Order, envelope, fits, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.schedules import changing, described, keep, remove, take, truth_of
from sandbox.rest.visibility import shown

NEEDED: dict[int, tuple[str, ...]] = {
    68: ("NewInstanceTypeId",),
    69: (),
    70: (),
    71: ("SnapshotName",),
    72: ("SnapshotId",),
    73: ("CloneName",),
    887: ("StorageProjectId", "StoragePath"),
}
"""What each action needs; no source says that it is refused without."""
PLAIN = (
    *("SnapshotName", "SnapshotDescription", "CloneName", "StoragePath", "StorageProjectId"),
    *("IsBackupsDaysLimit", "BackupsDaysLimit"),
)
OWN = (*PLAIN, "NewInstanceTypeId", "SnapshotId")


def _describe(call: Call, one: InstanceSchedule) -> dict[str, Any]:
    own = one.own
    snapshot = own["SnapshotId"]
    return {
        **described(call, one),
        **{name: own[name] for name in PLAIN},
        "NewInstanceType": call.world.dictionaries.optional(12, own["NewInstanceTypeId"]),
        "Snapshot": None if snapshot is None else {"Id": snapshot},
    }


declare(
    Resource(
        InstanceSchedule,
        "Scheduler",
        _describe,
        missing="missing_schedule_status",
        first_id=61101,
        at_once=True,
        name="instance_schedules",
        truth=lambda _world, one: {**truth_of(one), **one.own},
    )
)


def _order(call: Call) -> Order:
    return {
        "Name": lambda one: one.name,
        "CreationDate": lambda one: one.created,
        "StartDate": lambda one: one.start,
        "Instance": lambda one: call.world.table(Instance)[one.instance].name,
        "ActionType": lambda one: one.action,
    }


@handles("list_all_instance_schedulers")
def list_schedules(call: Call) -> Any:
    """Those of all instances, or of one."""
    instance, action = call.query.get("instanceId"), call.query.get("actionTypeId")
    found = [
        one
        for one in shown(call, InstanceSchedule)
        if instance in (None, one.instance) and action in (None, one.action) and fits(call, one)
    ]
    return page(call, found, lambda one: _describe(call, one), _order(call))


@handles("list_instance_schedulers")
def list_instance_schedules(call: Call) -> Any:
    """Those of one instance; this list has no pages."""
    number = lookup.addressed(call, Instance).id
    return envelope([_describe(call, one) for one in shown(call, InstanceSchedule) if one.instance == number])


@handles("read_instance_scheduler")
def read_schedule(call: Call) -> Any:
    """One schedule."""
    return _describe(call, lookup.addressed(call, InstanceSchedule))


@handles("create_instance_scheduler")
def create_schedule(call: Call) -> Any:
    """A new schedule of the instance in the path, at once."""
    instance = lookup.addressed(call, Instance)
    made = InstanceSchedule(id=call.world.new_id(InstanceSchedule), created=call.now, instance=instance.id)
    _take(call, made)
    return _describe(call, keep(call, made))


@handles("update_instance_scheduler")
def change_schedule(call: Call) -> Any:
    """All values anew, at once."""
    found = changing(call, InstanceSchedule)
    _take(call, found)
    return _describe(call, found)


@handles("delete_instance_scheduler")
def delete_schedule(call: Call) -> Any:
    """The schedule goes, at once."""
    return remove(call, InstanceSchedule)


def _take(call: Call, one: InstanceSchedule) -> None:
    take(call, one, tuple(NEEDED), "TypeId")
    missing = [name for name in NEEDED[one.action] if not call.body.get(name)]
    if missing:
        raise Refusal(400, f"{missing[0]}: the action needs it.")
    if call.body.get("NewInstanceTypeId") is not None:
        lookup.given(call, InstanceType, call.body["NewInstanceTypeId"], "NewInstanceTypeId")
    if call.body.get("SnapshotId") is not None:
        lookup.given(call, Snapshot, call.body["SnapshotId"], "SnapshotId")
    kept = {} if call.settings["put_empties"] else one.own
    one.own = {name: call.body.get(name, kept.get(name)) for name in OWN}
