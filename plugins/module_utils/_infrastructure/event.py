# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Events: what was done in the account, or with one instance (docs/service/infrastructure.md, "Events")."""

from __future__ import annotations

import typing as t

from .._connection.options import REST, check_least
from .._connection.task import Operation, Params, Result, Task
from .._core.text import did_you_mean, nearest, number_in, shortened
from .api import infrastructure
from .instance.instance_records import InstanceSearch
from .named_instances import instance_of
from .rest_records import check_not_empty, item, item_members, plain_members
from .time_options import RANGE, time_range

if t.TYPE_CHECKING:
    from .._core.type_aliases import JsonMapping, JsonObject, JsonObjects

DAY_SECONDS = 24 * 60 * 60
STATUSES = {"success": (150, 136), "error": (151, 137)}
"""The numbers that events have for it, and those that tickets have."""
_PLAIN = {"id": "Id", "date": "Date", "message": "Message"}
_NAMED = {"operation_type": "OperationType", "operation_status": "OperationStatus"}


def event_record(event: JsonMapping) -> JsonObject:
    """Return the record of an event, without its instance."""
    login = (event.get("User") or {}).get("Login")
    return {**plain_members(event, _PLAIN), **item_members(event, _NAMED), "user": login}


def read_events(task: Task, params: Params) -> Result:
    """Return the events of a time, those of all instances or of one, the newest first.

    Only IDs are sent, one of each kind: how several are written, and which dictionaries have the labels, is not known.
    """
    check_not_empty(params, "instance", "status", "operation_type", "user")
    check_least(params, limit=1)
    times = time_range(params, task.clock.now(), DAY_SECONDS)
    found = [{**event_record(one), "instance": item(one.get("Instance"))} for one in _listed(task, params, times)]
    for option, attribute in (("status", "operation_status"), ("operation_type", "operation_type"), ("user", "user")):
        if params.get(option) is not None:
            found = _chosen(task, found, option, params[option].strip(), attribute)
    found.sort(key=lambda one: (one["date"] or "", one["id"]), reverse=True)
    return {"changed": False, "events": found[: params.get("limit")]}


def _listed(task: Task, params: Params, times: JsonMapping) -> JsonObjects:
    api, kind = infrastructure(task), number_in(params.get("operation_type") or "")
    if params.get("instance") is None:
        return api.list_events(type_ids=kind, status_ids=number_in(params.get("status") or ""), **times)
    instance = instance_of(InstanceSearch(api), params["instance"])
    return api.list_instance_events(instance["id"], operation_type_id=kind, **times)


def _chosen(task: Task, events: list[JsonObject], option: str, wanted: str, attribute: str) -> list[JsonObject]:
    """Return the events that have this value; warns if none has, but one that is spelt almost like it."""
    numbers = STATUSES.get(wanted.lower(), ()) if option == "status" else ()
    found = [one for one in events if _has(one[attribute], wanted, numbers)]
    near = nearest(wanted, {_label(one[attribute]) for one in events if one[attribute]})
    if near and not found and not numbers:
        task.warn(f"{option}: none of the {len(events)} events has {shortened(wanted)!r}. {did_you_mean(wanted, near)}")
    return found


def _has(value: t.Any, wanted: str, numbers: t.Collection[int]) -> bool:
    if isinstance(value, dict):
        return value["id"] in (*numbers, number_in(wanted)) or _label(value).lower() == wanted.lower()
    return str(value or "").lower() == wanted.lower()


def _label(value: t.Any) -> str:
    return str((value["label"] or value["id"]) if isinstance(value, dict) else value)


INFO = Operation(
    "event_info",
    (REST,),
    {
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "status": {"type": "str", "aliases": ["status_id"]},
        "operation_type": {"type": "str", "aliases": ["operation_type_id"]},
        "user": {"type": "str"},
        **RANGE,
        "limit": {"type": "int"},
    },
    read_events,
)
