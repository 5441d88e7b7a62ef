# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Running the work on one object to its end, and what its error says besides the words of the service."""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError
from ..._engine.partly_done import Effects
from ..._engine.scheduler import Job, run_jobs
from .steps import Site

Value = t.TypeVar("Value")
PAYMENT_REQUIRED = 402  # wire-facts section 2.1


def finished(site: Site, job: Job[Value]) -> Value:
    """Run a job to its end and return what it returned, or raise its error."""
    ended = run_jobs({"": job}, site.deadline, tell=site.task.tell)[""]
    if not isinstance(ended, FcdError):
        return ended
    explain(ended, site.effects)
    raise ended


def explain(error: FcdError, effects: Effects | None) -> None:
    """Say in an error what was done before it, and what to do about a lack of means."""
    if effects:
        effects.mark(error)
    if error.details.get("status") == PAYMENT_REQUIRED and error.next_step is None:
        error.next_step = "Nothing was done: the account cannot buy this. Check its means and limits in the panel."
