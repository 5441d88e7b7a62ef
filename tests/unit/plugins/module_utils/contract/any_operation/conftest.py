# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service in this process, and any operation called there."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract import any_operation, operation_info
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench


class ContractBench(Bench):
    """Runs contract_call and contract_info."""

    def __call__(self, operation: str, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        """Call an operation."""
        return self.run(any_operation.CONTRACT_CALL, check_mode=check_mode, operation=operation, **params)

    def about(self, **params: t.Any) -> dict[str, t.Any]:
        """Read what the WSDL has."""
        return self.run(operation_info.CONTRACT_INFO, **params)


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> ContractBench:
    return ContractBench(tmp_path, monkeypatch)
