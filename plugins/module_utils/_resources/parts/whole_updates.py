# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts whose change sends along what they have: one change at a time, or one would undo the other."""

from __future__ import annotations

import contextlib
import os
import typing as t

from ..._core.digests import digest
from ..._core.errors import OperationFailed
from ..._engine.fields import Record
from ..._engine.locks import held
from .part import Part

LOCK_WAIT = 600.0  # seconds for which another task may be at it


class WholeUpdates(Part):
    """A part of that kind. The service has no versions, so this holds for the tasks of one user on one machine."""

    @contextlib.contextmanager
    def alone(self, current: Record) -> t.Iterator[None]:
        """Let no other task change the part while the block runs, and read it anew. Raises Busy, OperationFailed."""
        number, task = current["id"], self.task
        what = f"{self.kind} {number}"
        wait = task.deadline.within(LOCK_WAIT, "wait for the lock")
        key = digest(task.settings["base_url"].rstrip("/"), self.kind, number)
        with held(os.path.join(task.state_dir, "changes"), key, wait, what=what):
            self._current = self.search.by_id(number)
            if self._current is None:
                raise OperationFailed(
                    f"Changing {what}: it is not there any more.",
                    next_step="Something else removed it; run the task again.",
                    id=number,
                )
            self.search.name_references(self._current)
            yield
