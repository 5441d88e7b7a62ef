# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake tool, a fake plugin, and a way to run the operation with them."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Forbidden
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration import orchestration
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.orchestration import OPERATION

from . import recorded
from .fake_engine import FakeEngine

TOKEN = "bearer-of-the-tests"


class Bench:
    """Runs the operation, each run as a task of its own."""

    def __init__(self, folder: Path, service: ListedInstances) -> None:
        self.service = service
        self.path = folder / "site"
        self.plugin = folder / "terraform-provider-service"
        self.plugin.write_text("#!/bin/true\n", encoding="utf-8")
        self.plugin.chmod(0o700)
        self.engine = FakeEngine(folder / "engine", recorded.VERSION, recorded.PROVIDERS, recorded.SCHEMA)
        self.state_dir = folder / "state"
        self.warnings: list[str] = []
        self.told: list[str] = []

    def run(self, *names: str, check_mode: bool = False, task_timeout: float | None = None, **params: t.Any) -> t.Any:
        """Run it for instances of these names."""
        connection = {
            "base_url": "https://api.example.com/beta",
            "access_token": TOKEN,
            "state_dir": str(self.state_dir),
            "task_timeout": task_timeout,
        }
        settings = Settings.resolve(connection, ("rest",))
        task = Task(settings, check_mode=check_mode, warn=self.warnings.append, tell=self.told.append)
        defaults = {name: option.get("default") for name, option in OPERATION.options.items()}
        own = {"path": str(self.path), "executable": str(self.engine.path), "plugin_path": str(self.plugin)}
        defaults["create_grace"] = 0.0
        own["instances"] = t.cast("t.Any", [{"instance_name": name} for name in names])
        return OPERATION.run(task, {**defaults, **own, **params})

    def will_do(self, *changes: t.Any, state: t.Any = None, **more: t.Any) -> None:
        """Have the tool plan these changes, and write this state when it applies them."""
        import json

        self.engine.answer("plan", status=2, then={})
        self.engine.answer("show", out=json.dumps(recorded.plan(*changes, **more)))
        self.engine.answer("apply", **({} if state is None else {"state": state}))
        self.service.made = list(_made(state))


def _made(state: t.Any) -> t.Iterator[dict[str, t.Any]]:
    """Yield the instances that a state has, as the service shows them."""
    if isinstance(state, dict) and "id" in state:
        yield {"Id": int(state["id"]), "Name": state.get("instance_name") or state.get("name")}
    for one in state.values() if isinstance(state, dict) else state if isinstance(state, list) else ():
        yield from _made(one)


class ListedInstances:
    """The instances that the service lists; ``late`` are those that it has when they are looked for by one name."""

    def __init__(self) -> None:
        self.instances: list[dict[str, t.Any]] = []
        self.late: list[dict[str, t.Any]] = []
        self.made: list[dict[str, t.Any]] = []  # by the tool; no list shows them
        self.unconfirmed: dict[t.Any, t.Any] = {}

    def list_instances(self, query: str | None = None) -> list[dict[str, t.Any]]:
        """Return them all."""
        del query
        return self.instances

    def listed_instances(self, name: str) -> list[dict[str, t.Any]]:
        """Return those of a name."""
        return [one for one in (*self.instances, *self.late) if one["Name"] == name]

    def get_instance(self, number: int) -> dict[str, t.Any]:
        """Return one."""
        for one in (*self.instances, *self.late, *self.made):
            if one["Id"] == number:
                return one
        raise Forbidden("no such instance")

    def observe(self, kind: str, number: int, found: dict[str, t.Any]) -> None:
        """Do nothing: what lists show is what there is."""

    def list_tickets(self, creation_date_from: str) -> list[dict[str, t.Any]]:
        """Return none."""
        del creation_date_from
        return []


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> ListedInstances:
    """The service, which the tool of these tests does not ask for anything."""
    listed = ListedInstances()
    monkeypatch.setattr(orchestration, "infrastructure", lambda _task: listed)
    return listed


@pytest.fixture
def bench(tmp_path: Path, own_home: Path, service: ListedInstances) -> Bench:
    return Bench(tmp_path, service)
