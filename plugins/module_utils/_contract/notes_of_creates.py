# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The notes that creates leave on disk, by what stands for the object.

A create that died leaves its note. Once the object was seen the note says nothing more, and must go: it would be taken
for that of a later create when the object has been removed.
"""

from __future__ import annotations

import typing as t

from .._core.digests import digest
from .._engine.journal import Intent
from .._session.task import Task


def note_of_create(task: Task, identity: t.Sequence[object]) -> Intent:
    """Return the note that create_once keeps for the object."""
    return Intent(task.once(0.0).folder, digest(*identity), task.clock)
