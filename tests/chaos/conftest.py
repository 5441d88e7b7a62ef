# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A workplace at the seed of the sandbox for each of these tests."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from chaos.kinds import KINDS
from chaos.workplace import Workplace

QUICK = {
    "ticket_seconds": 0.15,
    "lock_tail": 0.05,
    "visible_after": 0.05,
    "access_data_after": 0.1,
    "list_lag": 0.1,
    "ticket_list_lag": 0.1,
}
"""Less time for all that takes some, so that each task has to wait and none waits long; else the hard preset."""


@pytest.fixture(scope="session")
def primed(sandbox: SandboxProcess, tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """A workplace that has read the WSDL: what every task would have to do first is done once."""
    place = Workplace(sandbox, tmp_path_factory.mktemp("primed"))
    place.run("warehouse", {**KINDS["warehouse"].args("nobody"), "state": "absent"})
    return place


@pytest.fixture
def place(sandbox: SandboxProcess, primed: Workplace, tmp_path: Path) -> t.Iterator[Workplace]:
    """A workplace at the seed; in the end nothing may have broken a description, nor the sandbox itself."""
    sandbox.reset()
    sandbox.settings(rest=QUICK)
    fresh = Workplace(sandbox, tmp_path / "home")
    fresh.keep_contract_of(primed)
    yield fresh
    sandbox.clear_faults()
    assert sandbox.violations() == []
    assert sandbox.errors() == ""
