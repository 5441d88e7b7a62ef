# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service in this process, and warehouses brought to their state there."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract import warehouse
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

KEY = {"partner_id": 12, "template_id": 304, "data_store_number": "DS-01"}
NEW = {**KEY, "name": "spare", "queue_length": 4}


class WarehouseBench(Bench):
    """Runs the operation warehouse."""

    def __call__(self, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        """Bring a warehouse to its state."""
        return self.run(warehouse.OPERATION, check_mode=check_mode, **params)

    @property
    def stored(self) -> list[dict[str, t.Any]]:
        """The warehouses of the service."""
        return list(self.state.warehouses.values())


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> WarehouseBench:
    return WarehouseBench(tmp_path, monkeypatch)
