# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox's service in this process for each test, and a way to run the operations against it."""

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

from .in_process import TOKEN, Service

NEW = {"template_id": 60001, "subregion_id": 1, "type_id": 34}


class Bench:
    """Runs operations against the service in this process, each run as a task of its own."""

    def __init__(self, service: Service, folder: pathlib.Path) -> None:
        self.service = service
        self.folder = folder
        self.warnings: list[str] = []
        self.told: list[str] = []
        service.client(self.task())

    def task(self, *, check_mode: bool = False, task_timeout: float | None = None) -> Task:
        connection = {
            "base_url": "https://api.example.com/beta",
            "auth_url": "https://auth.example.com",
            "access_token": TOKEN,
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
def service(fake_clock: t.Any, own_home: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    made = Service(fake_clock)
    for module in (instance, dictionary, instance_acts, instance_to_template):
        monkeypatch.setattr(module, "infrastructure", made.client)
    return made


@pytest.fixture
def bench(service: Service, tmp_path: pathlib.Path) -> Bench:
    return Bench(service, tmp_path)
