# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An exchange for each test, and servers that end with it."""

from __future__ import annotations

import ssl
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor
from ansible_collections.fcd.cloud.plugins.module_utils._http import requests_adapter, standard_adapter
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, ExchangeOptions

from .raw_server import Handler, RawServer

PASSWORD = "odd-canary-ż:word"


class Senders:
    """Makes exchanges; ``warnings`` are what they said."""

    def __init__(self, clock: Clock, *, direct: bool) -> None:
        self.clock = clock
        self.direct = direct
        self.warnings: list[str] = []
        self.redactor = Redactor([PASSWORD])

    def __call__(self, clock: Clock | None = None, task: float | None = None, **settings: t.Any) -> Exchange:
        clock = clock or self.clock
        usual: dict[str, t.Any] = {"verify": True, "timeout": 60.0, "retries": 3, "allow_plain_http": False}
        return Exchange(
            ExchangeOptions(
                **{**usual, "direct": self.direct, **settings},
                deadline=Deadline(clock, task, "task"),
                clock=clock,
                user_agent="fcd.cloud/0 (test)",
                warn=self.warnings.append,
                redactor=self.redactor,
            )
        )


@pytest.fixture
def direct() -> bool:
    """Whether exchanges take the way over http.client; a file can say that its tests run with either."""
    return False


@pytest.fixture
def sender(fake_clock: Clock, own_home: object, direct: bool, monkeypatch: pytest.MonkeyPatch) -> Senders:
    """Exchanges with a clock that never waits, and no connection left over from another test."""
    monkeypatch.setattr(requests_adapter, "_ADAPTERS", {})
    monkeypatch.setattr(standard_adapter, "_IDLE", {})
    return Senders(fake_clock, direct=direct)


@pytest.fixture
def live(sender: Senders) -> Senders:
    """Exchanges with the real clock."""
    sender.clock = Clock()
    return sender


@pytest.fixture
def serve() -> t.Iterator[t.Callable[..., RawServer]]:
    started: list[RawServer] = []

    def start(handler: Handler, context: ssl.SSLContext | None = None) -> RawServer:
        started.append(RawServer(handler, context))
        return started[-1]

    yield start
    for server in started:
        server.close()
