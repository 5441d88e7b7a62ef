# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of their own against the sandbox, on a quick clock, with a folder for tokens and notes."""

from __future__ import annotations

import pathlib
import typing as t

from sandbox.process import SandboxProcess
from sandbox.quick_clock import QuickClock

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure, infrastructure


class SandboxTasks:
    """The sandbox, and what makes a task for it; ``connection`` are further settings of the tasks."""

    def __init__(self, sandbox: SandboxProcess, folder: pathlib.Path, **connection: t.Any) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.warnings: list[str] = []
        self.connection: dict[str, t.Any] = {"timeout": 20.0, **connection}
        self.clock: t.Any = QuickClock()

    def task(self, *, check_mode: bool = False) -> Task:
        """Return a new task."""
        environment = {name[4:].lower(): value for name, value in self.sandbox.environment.items()}
        settings = Settings.resolve({**environment, "state_dir": str(self.folder), **self.connection}, ("rest",))
        return Task(settings, check_mode=check_mode, clock=self.clock, warn=self.warnings.append)

    @property
    def api(self) -> Infrastructure:
        """The service without any module."""
        return infrastructure(self.task())

    def settings(self, **changes: t.Any) -> None:
        """Change settings of the REST service."""
        self.sandbox.settings(rest=changes)
