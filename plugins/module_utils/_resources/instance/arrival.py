# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for a machine that is being made: its ticket, then itself."""

from __future__ import annotations

import typing as t

from ..._core.errors import CannotDetermine
from ..._engine.change import Ticket, appeared, looked_for, ticket_ended
from ..._engine.scheduler import Job
from .context import InstanceContext
from .record import Record, unsettled


def settled(record: Record) -> bool:
    """Return whether the machine is made and no operation runs on it."""
    return not unsettled(record)


def arrived(
    context: InstanceContext,
    name: str,
    ticket: Ticket | None,
    number: int | None,
    test: t.Callable[[Record], bool],
    what: str,
) -> Job[Record]:
    """Wait for the ticket, where there is one, then until the machine passes the test."""
    if ticket is not None:
        ended = yield from ticket_ended(context.change, ticket, what)
        number = (ended or {}).get("ObjectId") or number
    if number is None:
        number = (yield from listed(context, name, ticket, what))["id"]
    return (yield from there(context, number, test, what))


def listed(context: InstanceContext, name: str, ticket: Ticket | None, what: str) -> Job[Record]:
    """Look for a new machine by its name, since its ticket does not lead to it."""

    def missing() -> CannotDetermine:
        return CannotDetermine(
            f"{what}: ticket {ticket and ticket['Id']} leads to no machine and none of that name is listed.",
            next_step="Run the task again later; it looks for the machine before it creates anything.",
            ticket=ticket and ticket["Id"],
        )

    return (yield from looked_for(context.change, lambda: context.search.by_name(name), missing, what))


def there(context: InstanceContext, number: int, test: t.Callable[[Record], bool], what: str) -> Job[Record]:
    """Wait until the machine passes the test. A new one may be missing for the grace time, not longer."""
    return (yield from appeared(context.change, number, test, what, "instance"))
