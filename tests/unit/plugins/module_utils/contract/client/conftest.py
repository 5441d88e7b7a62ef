# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service in this process, and clients brought to their state there."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract import client
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

INDIVIDUAL, COMPANY = 100, 101


class ClientBench(Bench):
    """Runs the operation client."""

    def __call__(self, number: int = INDIVIDUAL, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        """Bring a client to its state."""
        given = {"id": number, "state": "present", "address_types": client.ADDRESS_TYPES, **params}
        return self.run(client.OPERATION, check_mode=check_mode, **given)

    def stored(self, number: int = INDIVIDUAL) -> dict[str, t.Any]:
        """A client of the service."""
        return t.cast("dict[str, t.Any]", self.state.clients[number])


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> ClientBench:
    return ClientBench(tmp_path, monkeypatch)
