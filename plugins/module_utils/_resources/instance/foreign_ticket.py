# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation that keeps a machine locked and that this task has not started: told when it takes too long."""

from __future__ import annotations

import time

from ..._core.errors import FcdError
from ..._engine.change import FAILED, INSTANCE_OBJECT, SUCCEEDED, Ticket, status_of_ticket
from .context import InstanceContext
from .record import Record

LOOK_BACK = 24 * 3600.0  # seconds; a ticket that hangs may be old


def name_ticket(context: InstanceContext, current: Record, error: FcdError) -> None:
    """Add to the error which ticket runs on the machine or on its system disk, where the service lists one."""
    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(context.change.task.clock.now() - LOOK_BACK))
    try:
        tickets = context.api.list_tickets(creation_date_from=start)
    except FcdError:
        return
    running = [one for one in tickets if _is_on(one, current) and status_of_ticket(one) not in (SUCCEEDED, FAILED)]
    if running:
        newest = max(running, key=lambda one: int(one["Id"]))
        label = (newest.get("OperationType") or {}).get("Label")
        told = f"{f'{label}, ' if label else ''}{newest.get('Progress') or 0} %"
        error.message += f" Ticket {newest['Id']} runs on it ({told})."
        error.details["ticket"] = newest["Id"]


def _is_on(ticket: Ticket, current: Record) -> bool:
    of_instance = (ticket.get("ObjectType") or {}).get("Id") == INSTANCE_OBJECT
    return bool(ticket.get("ObjectId") == (current["id"] if of_instance else current.get("system_disk_id", 0)))
