# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One stand-in service for each test, and a way to run the operation against it."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation, Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure import dictionary
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import (
    instance,
    instance_acts,
    instance_to_template,
)

from .stand_in import StandIn

NEW = {"template_id": 60001, "subregion_id": 1, "type_id": 34}


class Bench:
    """Runs operations against the stand-in, each run as a task of its own."""

    def __init__(self, service: StandIn, folder: pathlib.Path) -> None:
        self.service = service
        self.folder = folder
        self.warnings: list[str] = []
        self.told: list[str] = []

    def task(self, *, check_mode: bool = False, task_timeout: float | None = None) -> Task:
        connection = {
            "base_url": "https://api.example.com/beta",
            "auth_url": "https://auth.example.com",
            "access_token": "bearer-of-the-tests",
            "username": "somebody",
            "state_dir": str(self.folder),
            "task_timeout": task_timeout,
        }
        return Task(
            Settings.resolve(connection, ("rest",)),
            check_mode=check_mode,
            clock=t.cast("t.Any", self.service.clock),
            warn=self.warnings.append,
            tell=self.told.append,
        )

    def run(self, *, check_mode: bool = False, task_timeout: float | None = None, **params: t.Any) -> dict[str, t.Any]:
        """Run the operation instance with these options; the log of calls starts anew."""
        self.service.calls.clear()
        defaults: dict[str, t.Any] = {
            name: option.get("default") for name, option in instance.OPERATION.options.items()
        }
        task = self.task(check_mode=check_mode, task_timeout=task_timeout)
        return instance.run(task, {**defaults, **params})

    def act(self, operation: Operation, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        """Run the operation of another module with these options; the log of calls starts anew."""
        self.service.calls.clear()
        defaults = {name: option.get("default") for name, option in operation.options.items()}
        return operation.run(self.task(check_mode=check_mode), {**defaults, **params})

    def present(self, **params: t.Any) -> dict[str, t.Any]:
        """Have instances of the usual kind."""
        return self.run(**{"name": "web", **NEW, **params})


@pytest.fixture
def service(fake_clock: t.Any, own_home: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn(fake_clock)
    monkeypatch.setattr(instance, "infrastructure", lambda _task: stand_in)
    for module in (dictionary, instance_acts, instance_to_template):
        monkeypatch.setattr(module, "infrastructure", lambda _task: stand_in)
    return stand_in


@pytest.fixture
def bench(service: StandIn, tmp_path: pathlib.Path) -> Bench:
    return Bench(service, tmp_path)
