# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of instances that failed: the ticket that still runs on one, and the failures of several."""

from __future__ import annotations

import time
import typing as t

from ..._connection.task import Result
from ..._core.errors import CHANGED, FcdError, WaitTimeout
from ..._core.type_aliases import JsonObject
from ..._engine.change import Ticket, explain, is_over, object_type_of_ticket, percent_of_ticket
from ..rest_records import INSTANCE_OBJECT
from .instance_planning import DeclaredInstance

OLDEST_TICKET = 24 * 3600.0  # seconds; a ticket that hangs may be old


def explain_failure(instance: DeclaredInstance, error: FcdError) -> None:
    """Add to the error of the work on an instance what was done, and the ticket."""
    explain(error, instance.context.changes)
    if instance.ticket is not None:
        error.details.setdefault("ticket", instance.ticket)
    elif isinstance(error, WaitTimeout) and instance.current is not None:
        _name_running_ticket(instance, instance.current, error)


def _name_running_ticket(instance: DeclaredInstance, current: JsonObject, error: FcdError) -> None:
    """Add to the error which ticket is running on the instance or its system disk, if the service lists one."""

    def concerns(ticket: Ticket) -> bool:
        of_instance = object_type_of_ticket(ticket) == INSTANCE_OBJECT
        return bool(ticket.get("ObjectId") == (current["id"] if of_instance else current.get("system_disk_id", 0)))

    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(instance.task.clock.now() - OLDEST_TICKET))
    try:
        tickets = instance.search.api.list_tickets(creation_date_from=start)
    except FcdError:
        return
    running = [one for one in tickets if concerns(one) and not is_over(one)]
    if running:
        newest = max(running, key=lambda one: int(one["Id"]))
        label = (newest.get("OperationType") or {}).get("Label")
        words = ", ".join(filter(None, (label, percent_of_ticket(newest))))
        error.message += f" Ticket {newest['Id']} is running on it{f' ({words})' if words else ''}."
        error.details["ticket"] = newest["Id"]


def failure_of_several(name: str, failed: t.Mapping[str, FcdError], count: int) -> Result:
    """Return what the result of several instances says if some failed."""
    listed = "; ".join(f"{one}: {error}" for one, error in failed.items())
    return {
        "failed": True,
        "msg": f"{len(failed)} of the {count} instances {name}-1 to {name}-{count} failed: {listed}",
        "failures": [{"name": one, **failure_of(error)} for one, error in failed.items()],
    }


def failure_of(error: FcdError) -> Result:
    """Return what the result of several instances says about one that failed."""
    result = error.as_result()
    return {"changed": bool(result["error"].pop(CHANGED, False)), **result}
