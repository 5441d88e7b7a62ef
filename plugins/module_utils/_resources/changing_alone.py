# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates that replace more than what changes: one at a time for each object, or one would undo the other.

The service has no versions by which it could tell that somebody else was faster (contract/soap-common-fcd.md), so this
holds for the tasks of one user on one machine only.
"""

from __future__ import annotations

import contextlib
import os
import typing as t
from urllib.parse import urlsplit

from .._core.digests import digest
from .._engine.locks import file_lock
from .._session.task import Task

LOCK_WAIT = 600.0  # seconds for which another task may be at it


@contextlib.contextmanager
def changing_alone(task: Task, kind: str, number: int) -> t.Iterator[None]:
    """Let no other task change this object while the block runs. Raises Busy."""
    service = urlsplit(task.settings["soap_url"])
    key = digest(f"{service.scheme}://{service.netloc}", kind, number)
    wait = task.deadline.within(LOCK_WAIT, "wait for the lock")
    with file_lock(os.path.join(task.state_dir, "changes"), key, wait, what=f"the {kind} {number}"):
        yield
