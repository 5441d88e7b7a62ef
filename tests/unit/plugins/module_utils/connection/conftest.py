# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks with settings, and a network that answers only what a test has prepared."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._connection import credentials
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock

AUTH = "https://auth.example.com"
BASE = "https://api.example.com/beta"
TOKEN_URL = AUTH + "/core/connect/token"
CREDENTIALS = {
    "auth_url": AUTH,
    "base_url": BASE,
    "api_client_id": "client-1",
    "api_client_secret": "canary-client-secret",
    "username": "panel.user@example.com",
    "password": "canary-pass&wörd=%+",
}


class Tasks:
    """Makes tasks; ``warnings`` are what they said."""

    def __init__(self, clock: Clock, folder: Path) -> None:
        self.clock = clock
        self.state = folder / "state"
        self.warnings: list[str] = []

    def __call__(self, services: tuple[str, ...] = ("rest",), **settings: t.Any) -> Task:
        params = {**CREDENTIALS, "state_dir": str(self.state), **settings}
        return Task(Settings.resolve(params, services), clock=self.clock, warn=self.warnings.append, runner="test")


@pytest.fixture
def tasks(fake_clock: Clock, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tasks:
    forget_memory(monkeypatch)
    return Tasks(fake_clock, tmp_path)


@pytest.fixture
def net() -> t.Iterator[responses.RequestsMock]:
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


def forget_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be what a new process is."""
    monkeypatch.setattr(credentials, "_MEMORY", {})
    monkeypatch.setattr(credentials, "_REFUSALS", {})
