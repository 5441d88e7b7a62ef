# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Swift in a process of its own, and a way to run the operations against it."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import typing as t

import pytest
import requests
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation, Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import container as storage_container
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import object as storage_object

LISTING_LIMIT = 7  # so that a few objects make several pages
MAX_MEMORY = """
def most_memory():  # in KiB; unlike ru_maxrss, without that of the process which started this one
    with open("/proc/self/status") as status:
        return int(status.read().partition("VmHWM:")[2].split()[0])
"""


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Start another process that knows the collection."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(place for place in sys.path if place)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True, env=environment
    )


class FastClock(Clock):
    """Notes pauses in place of waiting."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


class Bench:
    """Runs operations as tasks of their own, and looks at the service past the collection."""

    def __init__(self, sandbox: SandboxProcess, folder: pathlib.Path) -> None:
        self.sandbox = sandbox
        self.info = sandbox.info
        self.folder = folder
        self.clock = FastClock()
        self.warnings: list[str] = []
        self.told: list[str] = []
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.verify = self.info["ca_path"]

    def task(self, *, check_mode: bool = False, **connection: t.Any) -> Task:
        known = self.info["credentials"]
        settings = {
            "storage_base": self.info["storage_base"],
            "storage_user": known["storage_user"],
            "storage_key": known["storage_key"],
            "ca_path": self.info["ca_path"],
            "state_dir": str(self.folder / "state"),
            "timeout": 20.0,
            **connection,
        }
        return Task(
            Settings.resolve(settings, ("storage",)),
            check_mode=check_mode,
            clock=self.clock,
            warn=self.warnings.append,
            tell=self.told.append,
        )

    def run(self, operation: Operation, task: Task | None = None, **params: t.Any) -> dict[str, t.Any]:
        """Run an operation; ``check_mode`` and ``connection`` are for its task, all else are its options."""
        check_mode, connection = params.pop("check_mode", False), params.pop("connection", {})
        defaults = {name: option.get("default") for name, option in operation.options.items()}
        unknown = set(params) - set(defaults)
        assert not unknown
        return operation.run(task or self.task(check_mode=check_mode, **connection), {**defaults, **params})

    def container(self, name: str = "c", **params: t.Any) -> dict[str, t.Any]:
        return self.run(storage_container.OPERATION, name=name, **params)

    def object(self, name: str = "o", container: str = "c", **params: t.Any) -> dict[str, t.Any]:
        return self.run(storage_object.OPERATION, container=container, name=name, **params)

    def raw(self, method: str, path: str, data: t.Any = None, **headers: str) -> requests.Response:
        """Send a request without the collection; ``X_Object_Meta_A`` is the header ``X-Object-Meta-A``."""
        known = self.info["credentials"]
        own = {"X-Auth-User": known["storage_user"], "X-Auth-Key": known["storage_key"]}
        login = self._session.get(f"{self.info['storage_base']}/auth/v1.0", headers=own)
        sent = {name.replace("_", "-"): value.encode() for name, value in headers.items()}
        return self._session.request(
            method,
            login.headers["X-Storage-Url"] + path,
            data=data,
            headers={**sent, "X-Auth-Token": login.headers["X-Storage-Token"]},
        )

    def head(self, path: str) -> t.Mapping[str, str] | None:
        answer = self.raw("HEAD", path)
        return answer.headers if answer.status_code < 300 else None

    def forget(self) -> None:
        """Start the request log anew."""
        self.sandbox.clear_requests()

    def seen(self) -> list[str]:
        """The operations since then, such as ``HEAD object``."""
        return [entry["operation"] for entry in self.sandbox.requests("storage")]


@pytest.fixture(scope="session")
def running() -> t.Iterator[SandboxProcess]:
    with SandboxProcess("--storage-limit", f"container_listing_limit={LISTING_LIMIT}") as process:
        yield process
        errors = process.errors()
    assert errors == ""


@pytest.fixture
def bench(running: SandboxProcess, tmp_path: pathlib.Path) -> Bench:
    running.reset()
    return Bench(running, tmp_path)


@pytest.fixture
def filled(bench: Bench) -> Bench:
    """A container ``c`` and a kept token."""
    bench.container()
    bench.forget()
    return bench
