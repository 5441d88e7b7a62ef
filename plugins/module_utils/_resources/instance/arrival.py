# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for a machine that is being made: its ticket, then itself."""

from __future__ import annotations

import typing as t

from ..._core.errors import CannotDetermine
from ..._engine.scheduler import Job, Progress
from .record import Record, unsettled
from .step import gone
from .steps import Patient, Site, Ticket, shown, ticket_ended


def settled(record: Record) -> bool:
    """Return whether the machine is made and no operation runs on it."""
    return not unsettled(record)


def arrived(
    site: Site, name: str, ticket: Ticket | None, number: int | None, test: t.Callable[[Record], bool], what: str
) -> Job[Record]:
    """Wait for the ticket, where there is one, then until the machine passes the test."""
    if ticket is not None:
        ended = yield from ticket_ended(site, ticket, what)
        number = (ended or {}).get("ObjectId") or number
    if number is None:
        number = (yield from listed(site, name, ticket, what))["id"]
    return (yield from there(site, number, test, what))


def listed(site: Site, name: str, ticket: Ticket | None, what: str) -> Job[Record]:
    """Look for a new machine by its name, since its ticket does not lead to it."""
    clock = site.task.clock
    end, patient = clock.now() + site.grace, Patient(site)
    while True:
        record = patient.read(lambda: site.search.by_name(name), None)
        if record is not None:
            return record
        if clock.now() >= end:
            raise CannotDetermine(
                f"{what}: ticket {ticket and ticket['Id']} leads to no machine and none of that name is listed.",
                next_step="Run the task again later; it looks for the machine before it creates anything.",
                ticket=ticket and ticket["Id"],
            )
        yield Progress(what, "looking for it by name")


def there(site: Site, number: int, test: t.Callable[[Record], bool], what: str) -> Job[Record]:
    """Wait until the machine passes the test. A new one may be missing for the grace time, not longer."""
    record = yield from shown(site, number, test, what)
    if record is None:
        raise gone(what, number)
    return record
