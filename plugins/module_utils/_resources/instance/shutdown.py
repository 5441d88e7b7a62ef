# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stopping a machine: the guest shuts itself down, and only on request is it turned off when it does not."""

from __future__ import annotations

import typing as t

from ..._core.clock import Deadline
from ..._core.errors import FcdError, Forbidden, OperationFailed, RateLimited, Rejected, Unauthorized, WaitTimeout
from ..._engine.scheduler import Job
from .record import Record, powered_off
from .step import Note, Step
from .steps import Site, Ticket

Value = t.TypeVar("Value")
NOT_OF_THE_GUEST = (Forbidden, Unauthorized, RateLimited)
HINT = "With force_stop: true the machine is turned off then, like pulling the plug."


class Shutdown(Step):
    """Let the guest shut down; with ``force_stop``, turn the machine off where that is refused, fails or takes long."""

    def __init__(self, site: Site, number: int, name: str) -> None:
        api = site.api
        super().__init__(
            site, number, f"Shutting down instance {name!r}", lambda: api.shutdown(number), _is_off, strict=True
        )
        self._hard = Step(
            site, number, f"Turning off instance {name!r}", lambda: api.power_off(number), _is_off, strict=True
        )
        self._note: Note | None = None
        self._forced = False

    def sent(self, note: Note) -> Job[Ticket | None]:
        """Send it; a refusal (there may be no guest tools) is followed by the hard way on request."""
        self._note = note
        try:
            return (yield from super().sent(note))
        except Rejected as refusal:
            if isinstance(refusal, NOT_OF_THE_GUEST):
                raise
            return (yield from self._turned_off(refusal))

    def ended(self, ticket: Ticket | None) -> Job[Record]:
        """Wait for the guest as long as the user grants it."""
        if self._forced:
            return (yield from self._hard.ended(ticket))
        granted = Deadline(self.site.task.clock, self.site.stop_timeout, "shutdown")
        try:
            return (yield from limited(super().ended(ticket), granted, self.what))
        except (OperationFailed, WaitTimeout) as problem:
            if problem.details.get("id") == self.number:
                raise
            hard = yield from self._turned_off(problem)
        return (yield from self._hard.ended(hard))

    def _turned_off(self, problem: FcdError) -> Job[Ticket | None]:
        if not self.site.force_stop:
            problem.next_step = HINT
            raise problem
        self._forced = True
        self.site.task.warn(f"{problem.message} It is turned off, as force_stop says.")
        return (yield from self._hard.sent(t.cast("Note", self._note)))


def limited(job: Job[Value], limit: Deadline, what: str) -> Job[Value]:
    """Go on with a job until it ends or the time is over. Raises WaitTimeout."""
    while True:
        try:
            seen = next(job)
        except StopIteration as stop:
            return t.cast("Value", stop.value)
        if limit.over:
            job.close()
            raise WaitTimeout(f"{what} was not done within {limit.seconds:g} s (last seen: {seen.progress}).")
        yield seen


def _is_off(record: Record | None) -> bool:
    return record is not None and powered_off({**record, "is_locked": False})
