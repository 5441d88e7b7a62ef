# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The note that a create leaves on disk until a list shows its machine, which may take a while."""

from __future__ import annotations

import os

from ..._core.digests import digest
from ..._engine.journal import Intent
from ..._session.task import Task


def identity(task: Task, name: str) -> tuple[str, str, str, str]:
    """Return what stands for a machine in locks and notes: service, account, kind and name."""
    return (task.settings["base_url"].rstrip("/"), task.settings["username"] or "", "instance", name)


def started(task: Task, name: str) -> Intent:
    """Return the note of the ticket of the create."""
    folder = os.path.join(task.state_dir, "creates")
    return Intent(folder, digest(*identity(task, name), "started"), task.clock)
