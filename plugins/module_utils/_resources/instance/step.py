# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of a change: it is sent, its ticket is waited for, and then the machine is looked at."""

from __future__ import annotations

import typing as t

from ..._core.errors import OperationFailed, Rejected
from ..._engine.scheduler import Job
from .belongings import Watch
from .record import Record
from .steps import Change, Site, Test, Ticket, lost, reached, ticket_ended, unlocked

Note = t.Callable[[t.Optional[Ticket]], None]


class Step:
    """A step that names its result, so that a second request for it is harmless.

    ``arrived`` tells whether the machine has that result. With ``strict`` it is waited for until the deadline, else
    only as long as the service may take to show what a ticket has brought. ``asked`` are the belongings it looks at.
    """

    def __init__(
        self,
        site: Site,
        number: int,
        what: str,
        send: t.Callable[[], Ticket],
        arrived: Test,
        *,
        asked: t.Sequence[str] = (),
        strict: bool = False,
    ) -> None:
        self.site = site._replace(search=Watch(site.search, asked)) if asked else site
        self.number = number
        self.what = what
        self.send = send
        self.arrived = arrived
        self.strict = strict

    def sent(self, note: Note) -> Job[Ticket | None]:
        """Send it and return the ticket; None when it turns out to have had its effect without one."""
        try:
            ticket = yield from Change(self.site, self.number, self.send, self.arrived, self.what).sent()
        except Rejected as refusal:
            if self.site.search.by_id(self.number) is None:
                raise self.gone() from refusal
            raise
        note(ticket)
        return ticket

    def ended(self, ticket: Ticket | None) -> Job[Record]:
        """Wait until it is done and the machine is free. Raises OperationFailed."""
        ended = None if ticket is None else (yield from ticket_ended(self.site, ticket, self.what))
        vanished = ticket if ended is None else None
        clock = self.site.task.clock
        end = clock.now() + self.site.grace

        def over(seen: Record | None) -> bool:
            late = clock.now() >= end and not (self.strict and seen is not None and vanished is None)
            return late if seen is None else unlocked(seen) and (late or self.arrived(seen))

        record = yield from reached(self.site, self.number, over, self.what)
        if record is None:
            raise self.gone()
        if vanished is not None and not self.arrived(record):
            raise lost(self.site, self.what, vanished)
        return record

    def gone(self) -> OperationFailed:
        """Return the error for a machine that something else removed."""
        return gone(self.what, self.number)


def gone(what: str, number: int) -> OperationFailed:
    """Return the error for a machine that something else removed."""
    return OperationFailed(
        f"{what}: instance {number} is not there any more.",
        next_step="Something else removed it; run the task again.",
        id=number,
    )
