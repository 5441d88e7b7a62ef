# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules of instances: found by name or ID, created, changed, removed and listed.

Source: docs/service/infrastructure.md, "Schedules".
"""

from __future__ import annotations

import typing as t

from .._connection.options import REST, check_least
from .._connection.task import ManagedObject, Operation, Params, Result, Task, non_null_options, result_of
from .._core.errors import ImmutableChange, InvalidInput
from .._core.text import number_in
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import Field, Outcome, same_text
from .api import Infrastructure, infrastructure
from .named_instances import owner_of
from .reference_names import resolve_item
from .rest_records import check_letters, check_not_empty, plain_members, same_item
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
from .snapshot import SnapshotSearch
from .storage_project import project_id

ACTIONS = {
    "start": 69,
    "stop": 70,
    "create_snapshot": 71,
    "delete_snapshot": 72,
    "clone": 73,
    "change_type": 68,
    "backup": 887,
}
OF_ACTION = {
    "snapshot_name": "create_snapshot",
    "snapshot_description": "create_snapshot",
    "snapshot": "delete_snapshot",
    "clone_name": "clone",
    "instance_type": "change_type",
    "storage_project": "backup",
    "storage_path": "backup",
    "keep_days": "backup",
}
"""The action that each option is for."""
OPTIONAL = ("snapshot_description", "keep_days")
MEMBERS = {
    "snapshot_name": "SnapshotName",
    "snapshot_description": "SnapshotDescription",
    "clone_name": "CloneName",
    "storage_project": "StorageProjectId",
    "storage_path": "StoragePath",
}
REFERENCES = {"snapshot": ("Snapshot", "SnapshotId"), "instance_type": ("NewInstanceType", "NewInstanceTypeId")}
"""The members for what an action refers to, in an answer and in a request."""
LONGEST = {"snapshot_name": 400, "snapshot_description": 2000, "storage_path": 400}  # characters


def instance_schedule_record(schedule: JsonMapping) -> JsonObject:
    """Return the record of a schedule; ``keep_days`` is None where backups are kept for ever."""
    named = {"instance": "Instance", **{name: member for name, (member, _id) in REFERENCES.items()}}
    days = schedule.get("BackupsDaysLimit") if schedule.get("IsBackupsDaysLimit") else schedule.get("KeepDays")
    return {**schedule_record(schedule, ACTIONS, named), **plain_members(schedule, MEMBERS), "keep_days": days}


class InstanceScheduleSearch(ScheduleSearch):
    """Finds the schedules of an instance, or of all."""

    kind = "instance schedule"
    owner_kind = "instance"
    within = ("instance",)
    describe = staticmethod(instance_schedule_record)
    references = ("instance",)

    def list_of(self, number: int | None) -> list[JsonObject]:
        """Return the list of one instance, or of all."""
        return self.api.list_schedules() if number is None else self.api.list_instance_schedules(number)

    def get(self, number: int) -> JsonObject:
        """Return one schedule."""
        return self.api.get_schedule(number)


class DeclaredInstanceSchedule(DeclaredSchedule):
    """The schedule of an instance that the options declare."""

    fields = (
        *SCHEDULE_FIELDS,
        Field("instance", same_item, on_update=False, may_be_unknown=True),
        *(Field(option, same_text) for option in (*MEMBERS, "keep_days")),
        *(Field(option, same_item) for option in REFERENCES),
    )
    actions = ACTIONS
    refers_to = (("snapshot", SnapshotSearch),)
    required = ("instance", "action", *TIMES)
    type_member = "TypeId"

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return what each request needs, and what the action has."""
        action = changes.get("action") or current.get("action")
        read = {option: member for option, (member, _sent) in REFERENCES.items()}
        members = {**MEMBERS, **read, "keep_days": "BackupsDaysLimit"}
        own = {option: member for option, member in members.items() if OF_ACTION[option] == action}
        return {**super().sent_along(current, changes), **own}

    def own_values(self, current: JsonObject | None) -> JsonObject:
        """Return the instance, and what the action needs."""
        params, present = self.params, current or {}
        action = params.get("action") or present.get("action")
        check_of_action(params, action)
        if action != present.get("action"):
            require_of_action(params, action)
        desired = non_null_options(params, (*MEMBERS, "keep_days"))
        if self.search.owner is not None:
            desired["instance"] = self.search.owner
        if params.get("instance_type") is not None:
            desired["instance_type"] = resolve_item(
                params["instance_type"],
                present.get("instance_type"),
                self.search.api.list_instance_types,
                "instance_type",
                "the instance types",
            )
        project = params.get("storage_project")
        if project is not None and project != present.get("storage_project"):
            desired["storage_project"] = project_id(self.search.api, project, "storage_project")
        if params.get("snapshot") is not None:
            owner = self.search.owner or present["instance"]
            if owner is None:
                raise self.not_returned(present, ["instance"])
            desired["snapshot"] = _snapshot(self.search.api, params["snapshot"].strip(), owner)
        return desired

    def own_members(self, values: JsonMapping) -> JsonObject:
        """Return what only the action has; what it does not have is left out."""
        own = [option for option, action in OF_ACTION.items() if action == values["action"]]
        given = {option: values[option] for option in own if values.get(option) is not None}
        days = given.pop("keep_days", None)
        limit = (
            {} if days is None else {"IsBackupsDaysLimit": bool(days), **({"BackupsDaysLimit": days} if days else {})}
        )
        references = {REFERENCES[option][1]: given.pop(option)["id"] for option in REFERENCES if option in given}
        return {**{MEMBERS[option]: value for option, value in given.items()}, **references, **limit}

    def send_create(self, body: JsonMapping) -> JsonObject:
        """Create it."""
        return self.search.api.create_schedule(self.desired["instance"]["id"], body)

    def send_update(self, number: int, body: JsonMapping) -> object:
        """Change it."""
        return self.search.api.change_schedule(number, body)

    def send_removal(self, number: int) -> None:
        """Remove it."""
        self.search.api.delete_schedule(number)


def check_of_action(params: Params, action: str | None) -> None:
    """Raise InvalidInput for an option of another action than this one, None if it is not known."""
    for option, other in OF_ACTION.items():
        if params.get(option) is not None and action not in (None, other):
            raise InvalidInput(
                f"{option}: it is for action: {other}, and the action is {action}.",
                next_step=f"Omit {option}, or give action: {other}.",
                option=option,
            )


def require_of_action(params: Params, action: str | None) -> None:
    """Raise InvalidInput for options that a new action needs and that were not given."""
    needed = [option for option, its_action in OF_ACTION.items() if its_action == action and option not in OPTIONAL]
    missing = [option for option in needed if params.get(option) is None]
    if missing:
        raise InvalidInput(f"action: {action} also needs {' and '.join(missing)}.", option=missing[0])


def _snapshot(api: Infrastructure, given: str, instance: JsonObject) -> JsonObject:
    """Return ``{id, label}`` for a snapshot of the instance. Raises InvalidInput, Ambiguous."""
    search = SnapshotSearch(api)
    search.instance = instance
    number = number_in(given)
    record = search.by_name(given) if number is None else search.by_id(number)
    if record is None or not search.is_of_instance(record):
        raise InvalidInput(
            f"snapshot: instance {instance['label'] or instance['id']!r} has no snapshot {given!r}.",
            next_step="Check it with snapshot_info.",
            option="snapshot",
        )
    return {"id": record["id"], "label": record["name"]}


def run(task: Task, params: Params) -> Result:
    """Bring the schedule to its state."""
    check_schedule(params)
    search = InstanceScheduleSearch(infrastructure(task))
    resource = DeclaredInstanceSchedule(task, search, read_schedule_options(params))
    try:
        search.owner = owner_of(search, params)
    except InvalidInput:
        if params.get("id") is None:
            resource.require_new()
        raise
    if search.owner is None and params.get("instance") is not None:
        return {**result_of("instance_schedule", Outcome(None, None, {}, {})), "ticket": None}  # gone with its instance
    try:
        return reconcile_resource(resource, "instance_schedule")
    except ImmutableChange as difference:
        difference.next_step = "Omit instance, or check the ID of the schedule."
        raise


def check_schedule(params: Params) -> None:
    """Raise InvalidInput for options that are wrong by themselves."""
    read_schedule_options(params)
    check_not_empty(params, "instance", *OF_ACTION)
    check_of_action(params, params.get("action"))
    check_least(params, keep_days=0)
    check_letters(params.get("clone_name"), "/", "clone_name")
    for option, longest in LONGEST.items():
        length = len(params.get(option) or "")
        if length > longest:
            raise InvalidInput(f"{option}: it has {length} characters; at most {longest} are allowed.", option=option)


OPERATION = Operation(
    "instance_schedule",
    (REST,),
    {
        **SCHEDULE_OPTIONS,
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "action": {"type": "str", "choices": list(ACTIONS)},
        "snapshot_name": {"type": "str"},
        "snapshot_description": {"type": "str"},
        "snapshot": {"type": "str"},
        "clone_name": {"type": "str"},
        "instance_type": {"type": "str"},
        "storage_project": {"type": "str"},
        "storage_path": {"type": "str"},
        "keep_days": {"type": "int"},
    },
    run,
    {"required_one_of": [("name", "id")]},
    members=tuple(instance_schedule_record({})),
    manages=ManagedObject("instance_schedule", "instance_schedule"),
    check=check_schedule,
)


INFO = rest_reader(
    "instance_schedule_info",
    "instance_schedules",
    lambda api, _params: InstanceScheduleSearch(api),
    {"name": {"type": "str"}, "instance": {"type": "str", "aliases": ["instance_id"]}},
    {"mutually_exclusive": [("id", "name"), ("id", "instance")]},
)
