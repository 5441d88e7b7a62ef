# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What schedules of instances and of groups share (docs/service/infrastructure.md, "Schedules")."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from sandbox.rest import lookup
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.models import Schedule
from sandbox.rest.refusal import Refusal
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.times import optional, parse, show
from sandbox.rest.visibility import hide

ACTIONS, TYPES, CYCLES, STATUSES = 90211, 90212, 90213, 90214
"""Their dictionaries; the numbers of these are made up."""
CYCLIC, DELETED = 64, 113


S = TypeVar("S", bound=Schedule)


def described(call: Call, one: Schedule) -> dict[str, Any]:
    """The members that all have."""
    value = call.world.dictionaries.value
    return {
        "Id": one.id,
        "Name": one.name,
        "CreationUser": call.world.account.user,
        "Instance": {"Id": one.instance},
        "CreationDate": show(one.created),
        "LastChangeDate": optional(one.changed),
        "StartDate": show(one.start),
        "TimeZoneName": one.zone,
        "Status": value(STATUSES, one.status),
        "Type": value(TYPES, one.type),
        "ActionType": value(ACTIONS, one.action),
        "CycleType": call.world.dictionaries.optional(CYCLES, one.cycle),
        "CycleNumber": one.number,
    }


def truth_of(one: Schedule) -> dict[str, Any]:
    """A schedule as it really is."""
    plain = {"Id": one.id, "Name": one.name, "Instance": one.instance, "ActionType": one.action, "Status": one.status}
    return {**plain, "StartDate": show(one.start), "TimeZoneName": one.zone, "CycleNumber": one.number}


def take(call: Call, one: Schedule, actions: tuple[int, ...], type_member: str) -> None:
    """Set what a request says; what a PUT leaves out is emptied (setting put_empties)."""
    body = call.body
    if body["ActionTypeId"] not in actions:
        raise Refusal(400, "ActionTypeId: there is no such action.")
    kind = lookup.item(call, TYPES, body[type_member], type_member)
    keeps = not call.settings["put_empties"]
    cycle = body.get("CycleTypeId", one.cycle if keeps else None)
    number = body.get("CycleNumber", one.number if keeps else None)
    if kind == CYCLIC and (cycle is None or number is None):
        raise Refusal(400, "CycleTypeId and CycleNumber: a cyclic one needs both.")
    if cycle is not None:
        lookup.item(call, CYCLES, cycle, "CycleTypeId")
    one.start = _start(call)
    one.name, one.action, one.type, one.zone = body["Name"], body["ActionTypeId"], kind, body["TimeZoneName"]
    one.cycle, one.number = (cycle, number) if kind == CYCLIC else (None, None)


def _start(call: Call) -> float:
    """The first run; setting start_is_wall_clock: the time is that of clocks in the time zone, whatever its offset."""
    text = call.body["StartDate"]
    moment = parse(call, text)
    try:
        zone = ZoneInfo(call.body["TimeZoneName"])
    except (ValueError, OSError, LookupError):
        raise Refusal(400, "TimeZoneName: there is no such time zone.") from None
    if call.settings["start_is_wall_clock"]:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00")).replace(tzinfo=zone).timestamp()
    if moment <= call.now and not call.settings["starts_in_the_past"]:
        raise Refusal(400, "StartDate: it is in the past.")
    return moment


def keep(call: Call, made: S) -> S:
    """Let there be a new one."""
    call.world.table(type(made))[made.id] = made
    hide(call, made, made=call.now)
    return made


def changing(call: Call, model: type[S]) -> S:
    """The one in the path, which is changed at once."""
    found = lookup.addressed(call, model)
    if found.status == DELETED:
        raise lookup.missing(call, model)
    freeze_listing(call, found)
    release_listing(call, found, call.now)
    found.changed = call.now
    return found


def remove(call: Call, model: type[S]) -> object:
    """The one in the path goes; setting deleted_schedules_stay: with the status deleted."""
    found = changing(call, model)
    found.status = DELETED
    if not call.settings["deleted_schedules_stay"]:
        del call.world.table(model)[found.id]
    return NOTHING
