# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Restarting an instance: by the guest, or like pulling the plug (wire-facts section 5.4)."""

from __future__ import annotations

import typing as t

from ..._connection.options import REST
from ..._connection.task import WAIT, Operation, Params, Result, Task
from ..._core.errors import InvalidInput
from ..._engine.change import appeared, gone, run_to_end, ticket_ended
from ..._engine.scheduler import Job
from ..api import infrastructure
from ..rest_records import ReferenceNames, Row, check_numbers
from .instance_acts import (
    MEANT,
    MEANT_RULES,
    SingleAct,
    act_context,
    required_source,
    unlocked_or_gone,
)
from .instance_records import InstanceContext, InstanceSearch, powered_off, running

OPERATIONS = {"reboot": 1368, "reset": 153}  # dictionary 41, wire-facts section 3.2
DOING = {"reboot": "Rebooting", "reset": "Resetting"}


def run(task: Task, params: Params) -> Result:
    """Restart the instance."""
    check_numbers(params)
    api = infrastructure(task)
    search = InstanceSearch(api, ReferenceNames(api))
    record = required_source(task, search, params)
    _require_running(record)
    result: Result = {"changed": True, "action": params["action"], "instance": record, "ticket": None}
    if task.check_mode:
        return result
    context = act_context(task, search, params)
    return {**result, **run_to_end(context.change, _restarted(context, params["action"], record))}


def _restarted(context: InstanceContext, action: str, record: Row) -> Job[Result]:
    number, what = record["id"], f"{DOING[action]} instance {record['name']!r}"
    free = yield from unlocked_or_gone(context, record, what)
    if free is None:
        raise gone(what, "instance", number)
    _require_running(free)
    send = {"reboot": context.api.reboot, "reset": context.api.reset}[action]
    ticket = yield from SingleAct(context, number, what, lambda: send(number), (OPERATIONS[action],)).sent()
    told = {"ticket": ticket["Id"]}
    if not context.change.wait:
        return {**told, "instance": free}
    yield from ticket_ended(context.change, ticket, what)
    return {**told, "instance": (yield from appeared(context.change, number, running, what))}


def _require_running(record: Row) -> None:
    if powered_off(record):
        raise InvalidInput(
            f"Instance {record['name']!r} is powered off, so there is nothing to restart.",
            next_step="Turn it on with state: started of fcd.cloud.instance.",
        )


OPTIONS: dict[str, dict[str, t.Any]] = {
    **MEANT,
    "action": {"type": "str", "choices": list(OPERATIONS), "required": True},
    **WAIT,
}
OPERATION = Operation("instance_power", (REST,), OPTIONS, run, MEANT_RULES)
