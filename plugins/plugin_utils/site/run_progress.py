# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A line for each entry that begins and for each that ends, so that nobody has to wonder what a long run is doing."""

from __future__ import annotations

import threading
import typing as t

from ...module_utils._core.clock import Clock
from ...module_utils._core.text import name_in_line
from .entry_plan import EntryPlan
from .model import Place


class RunProgress:
    """Reports each entry once, whatever thread it is worked on in and however often it is tried.

    ``tell`` gets a line, and how far the whole run is.
    """

    def __init__(self, site: str, clock: Clock, whole: int, tell: t.Callable[[str, str], None]) -> None:
        self._site = site
        self._clock = clock
        self._whole = whole
        self._tell = tell
        self._lock = threading.Lock()
        self._begun: dict[Place, float] = {}
        self._ended: set[Place] = set()

    def begun(self, plan: EntryPlan) -> None:
        """Report that the work on an entry begins."""
        with self._lock:
            again = plan.place in self._begun
            self._begun.setdefault(plan.place, self._clock.monotonic())
            number = len(self._ended)
        if not again:
            verb = "" if plan.planned is None or plan.planned.action is None else f" ({plan.planned.action})"
            self._report(f"{name_in_line(str(plan))}{verb} begins", number)

    def ended(self, plan: EntryPlan) -> None:
        """Report that an entry has ended, how, and after how many seconds."""
        with self._lock:
            if plan.place in self._ended:
                return
            self._ended.add(plan.place)
            number, since = len(self._ended), self._begun.get(plan.place)
        how, span = ("failed", "after") if plan.error is not None else ("done", "in")
        seconds = "" if since is None else f" {span} {self._clock.monotonic() - since:.0f} s"
        self._report(f"{name_in_line(str(plan))} {how}{seconds} ({number} of {self._whole})", number)

    def _report(self, line: str, number: int) -> None:
        self._tell(f"site {self._site}: {line}", f"site {self._site}: {number} of {self._whole} entries are done")
