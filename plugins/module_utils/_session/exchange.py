# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The exchange of a task: its settings turned into deadlines, trust and retries."""

from __future__ import annotations

import os

from .._core.version import VERSION
from .._transport.exchange import Exchange
from .task import Task


def exchange(task: Task) -> Exchange:
    """Return what sends the requests of this task."""
    settings = task.settings
    authorities = settings["ca_path"]
    trusted: bool | str = os.path.expanduser(authorities) if authorities else True
    return Exchange(
        verify=trusted if settings["validate_certs"] else False,
        timeout=settings["timeout"],
        retries=settings["retries"],
        deadline=task.deadline,
        clock=task.clock,
        user_agent=f"fcd.cloud/{VERSION} ({task.way})",
        warn=task.warn,
        redactor=task.redactor,
        allow_plain_http=settings["allow_plain_http"],
    )
