# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The client of the infrastructure interface, before answers that are written down."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, ExchangeOptions
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

BASE = "https://api.example.com/beta"


class Bearer:
    """A token that is never renewed."""

    def headers(self) -> dict[str, str]:
        """Return the header that carries it."""
        return {"Authorization": "Bearer t1"}

    def renew(self) -> bool:
        """Return that there is no other."""
        return False


@pytest.fixture
def exchange(fake_clock: Clock, own_home: Path) -> Exchange:
    """Return an exchange that repeats nothing."""
    return Exchange(
        ExchangeOptions(
            verify=True,
            timeout=60.0,
            retries=0,
            deadline=Deadline(fake_clock, None),
            clock=fake_clock,
            user_agent="test",
            warn=lambda _text: None,
            redactor=Redactor(),
            allow_plain_http=False,
        )
    )


@pytest.fixture
def api(exchange: Exchange) -> Infrastructure:
    """Return a client of it."""
    return Infrastructure(exchange, BASE + "/", Bearer())


@pytest.fixture
def net() -> t.Iterator[responses.RequestsMock]:
    """Have the answers that a test adds; all of them have to be asked for."""
    with responses.RequestsMock() as mock:
        yield mock
