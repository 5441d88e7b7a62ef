# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox with a folder for tokens and notes, and a way to run each operation against it, on a quick clock."""

from __future__ import annotations

import importlib
import pathlib
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from ..sandbox_tasks import SandboxProcess, SandboxTasks

INSTANCE = {
    "TemplateId": 767,
    "SubregionId": 1,
    "TypeId": 34,
    "InstancesCount": 1,
    "DiskSize": 5,
    "DiskClass": 48,
    "AuthorizationMethodId": 1399,
}
Result = t.Dict[str, t.Any]
PLACES = {
    "instance_autoscaler": "instance_autoscaler",
    "instance_info": "instance.instance_info",
    "instance_clone": "instance.instance_acts",
    "instance_group": "instance_group",
    "instance_power": "instance.instance_acts",
    "instance_schedule": "instance_schedule",
    "snapshot_restore": "snapshot",
}
ROOM = "ansible_collections.fcd.cloud.plugins.module_utils._infrastructure"


def operation(name: str) -> Operation:
    """Return the operation of that module, which is in the noun's file."""
    noun = name if name in PLACES else name.removesuffix("_info")
    place = PLACES.get(noun) or (f"instance.{noun}" if noun.startswith("instance") else noun)
    known = vars(importlib.import_module(f"{ROOM}.{place}")).values()
    return next(one for one in known if isinstance(one, Operation) and one.name == name)


class Account(SandboxTasks):
    """The sandbox, with runs of operations as tasks of their own."""

    def run(self, module: str, *, check_mode: bool = False, **params: t.Any) -> Result:
        """Run a module; the log of requests starts anew."""
        self.sandbox.clear_requests()
        known = operation(module)
        assert set(params) <= set(known.options), f"no such option: {set(params) - set(known.options)}"
        usual = {"create_grace": 3.0, "wait_timeout": 100.0}
        defaults = {name: usual.get(name, option.get("default")) for name, option in known.options.items()}
        return known.run(self.task(check_mode=check_mode), {**defaults, **params})

    def fails(self, kind: type[errors.FcdError], module: str, /, **params: t.Any) -> str:
        """Run a module that has to fail, and return what it says."""
        with pytest.raises(kind) as caught:
            self.run(module, **params)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    def instance(self, name: str, *, listed: bool = True, **params: t.Any) -> int:
        """Make an instance without any module, and return its number."""
        api = self.api
        ticket = api.create_instance({"InstanceName": name, **INSTANCE, **params})["Id"]
        self.until(lambda: api.get_ticket(ticket)["ObjectId"] is not None)
        number: int = api.get_ticket(ticket)["ObjectId"]
        self.until(lambda: not api.get_instance(number)["IsLocked"])
        self.until(lambda: not listed or api.list_instances(query=name) != [])
        return number

    def until(self, done: t.Callable[[], bool]) -> None:
        """Wait until it is so."""
        patience = time.monotonic() + 120
        while not done():
            assert time.monotonic() < patience
            time.sleep(0.02)

    def fault(self, name: str, method: str, path: str, **params: t.Any) -> None:
        """Let a request fail."""
        self.sandbox.fault(name, service="rest", method=method, path=path, **params)

    def truth(self, kind: str) -> list[Result]:
        """Return what there really is."""
        found: list[Result] = self.sandbox.state()["rest"][kind]
        return found

    def sent(self, *methods: str) -> list[str]:
        """The requests of the last run."""
        log = self.sandbox.requests("rest")
        return [f"{one['method']} {one['path'][5:]}" for one in log if not methods or one["method"] in methods]

    def writes(self) -> list[str]:
        """The writing requests of the last run."""
        return self.sent("POST", "PUT", "DELETE")

    def has_taken_a_write(self) -> bool:
        """Whether the service has carried out a writing request of the last run, which it may not have answered yet.

        A request is in the log when its head has come; whoever ends the client then has sent nothing that counts.
        """
        log = self.sandbox.requests("rest")
        return any(one["status"] is not None for one in log if one["method"] not in ("GET", "HEAD"))


SETTINGS = {"ticket_seconds": 0.05, "lock_tail": 0.02, "visible_after": 0.05, "list_lag": 0.0, "ticket_list_lag": 0.0}


@pytest.fixture
def account(sandbox: SandboxProcess, own_home: pathlib.Path, tmp_path: pathlib.Path) -> t.Iterator[Account]:
    sandbox.reset()
    sandbox.settings(rest=SETTINGS)
    yield Account(sandbox, tmp_path / "state")
    assert sandbox.violations() == []
