# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The readers of the infrastructure interface at the sandbox, with real requests."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation, Settings, Task

if t.TYPE_CHECKING:
    from sandbox.process import SandboxProcess

NEW = {
    "TemplateId": 767,
    "SubregionId": 1,
    "TypeId": 34,
    "InstancesCount": 1,
    "DiskSize": 5,
    "DiskClass": 48,
    "AuthorizationMethodId": 1399,
}


AT_ONCE = (
    *("visible_after", "lock_tail", "initializing_tail", "access_data_after", "list_lag", "ticket_list_lag"),
    *("ticket_seconds", "ticket_new_seconds"),
)
"""Settings of the sandbox: what is made is read at once, and settled."""


class Account:
    """The sandbox, and a folder for tokens."""

    def __init__(self, sandbox: SandboxProcess, folder: pathlib.Path) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.warnings: list[str] = []
        self.told: list[str] = []
        self.scope = "service.api"

    def task(self, *, check_mode: bool = False) -> Task:
        variables = self.sandbox.environment
        connection = {name[4:].lower(): value for name, value in variables.items()}
        settings = Settings.resolve({**connection, "state_dir": str(self.folder), "scope": self.scope}, ("rest",))
        return Task(settings, check_mode=check_mode, warn=self.warnings.append, tell=self.told.append)

    def read(self, operation: Operation, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        """Run an operation; the log of requests starts anew."""
        defaults = {name: option.get("default") for name, option in operation.options.items()}
        self.sandbox.clear_requests()
        return operation.run(self.task(check_mode=check_mode), {**defaults, **params})

    def api(self) -> t.Any:
        """Return a client, to prepare things with."""
        from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure

        return infrastructure(self.task())

    def create(self, name: str, **values: t.Any) -> int:
        """Start to make an instance; return the ticket."""
        ticket: int = self.api().create_instance({"InstanceName": name, **NEW, **values})["Id"]
        return ticket

    def settings(self, **changes: t.Any) -> None:
        """Change settings of the REST service."""
        self.sandbox.settings(rest=changes)

    def sent(self) -> list[str]:
        """The requests of the last task to the REST service."""
        return [f"{one['method']} {one['path'].replace('/beta', '')}" for one in self.sandbox.requests("rest")]


@pytest.fixture
def account(sandbox: SandboxProcess, own_home: pathlib.Path, tmp_path: pathlib.Path) -> t.Iterator[Account]:
    sandbox.reset()
    sandbox.settings(rest=dict.fromkeys(AT_ONCE, 0.0))
    yield Account(sandbox, tmp_path / "state")
    assert sandbox.violations() == []
