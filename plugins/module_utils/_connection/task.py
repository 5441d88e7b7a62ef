# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The task at hand: its settings, its clock and what it may say while it runs."""

from __future__ import annotations

import os
import typing as t

from .._core.clock import Clock, Deadline
from .._core.redaction import Redactor
from .settings import Settings

if t.TYPE_CHECKING:
    from .._engine.create_once import Once
    from .shared_clients import SharedClients


def _silent(text: str) -> None:
    del text


class Task:
    """One run of an operation. ``warn`` shows a warning, ``tell`` shows progress where Ansible allows it.

    ``way`` is ``module``, ``worker`` or ``lookup`` and becomes part of the User-Agent. ``clients`` are those that the
    operations of a task with many of them share; None where each makes its own.
    """

    clients: SharedClients | None = None

    def __init__(
        self,
        settings: Settings,
        *,
        check_mode: bool = False,
        clock: Clock | None = None,
        warn: t.Callable[[str], None] = _silent,
        tell: t.Callable[[str], None] = _silent,
        way: str = "module",
    ) -> None:
        self.settings = settings
        self.check_mode = check_mode
        self.clock = clock or Clock()
        self.warn = warn
        self.tell = tell
        self.way = way
        self.redactor = Redactor(settings.secrets())
        self.deadline = Deadline(self.clock, settings["task_timeout"], "task")

    @property
    def state_dir(self) -> str:
        """The user's own folder for tokens, locks, intents and compiled contracts."""
        folder: str = self.settings["state_dir"]
        return os.path.expanduser(folder)

    def once(self, grace: float) -> Once:
        """Return what create_once needs; ``grace`` in seconds."""
        from .._engine.create_once import Once  # readers need not pay for it

        return Once(os.path.join(self.state_dir, "creates"), self.clock, self.deadline, grace)
