# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A home for what tasks keep, with the sandbox at its seed."""

from __future__ import annotations

import os
import shutil
import typing as t
from pathlib import Path

import pytest
from chaos.workplace import UNTIMED
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.module_utils._engine import scheduler
from sites.plain_site import QUICK

HASTE = 0.05
"""Seconds of the first pause between two looks at what is on its way: the sandbox needs no longer for most of it."""


@pytest.fixture(scope="session")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the contract stays that the first task has compiled, which takes half a second."""
    return tmp_path_factory.mktemp("kept") / "contracts"


@pytest.fixture
def connected(
    sandbox: SandboxProcess, contracts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> t.Iterator[Path]:
    """The sandbox at its seed, and where tasks keep what they know: of earlier tests the contract alone.

    No call of a task has a limit in real seconds; a test of such limits moves the clock of the task.
    """
    sandbox.reset()
    monkeypatch.setattr(scheduler, "FIRST", HASTE)
    for name in [name for name in os.environ if name.startswith("FCD_")]:
        monkeypatch.delenv(name)
    state = tmp_path / "state"
    for name, value in {**sandbox.environment, "FCD_STATE_DIR": str(state), "FCD_TIMEOUT": UNTIMED}.items():
        monkeypatch.setenv(name, value)
    if contracts.exists():
        state.mkdir(mode=0o700)
        shutil.copytree(contracts, state / "contracts")
    yield tmp_path
    if not contracts.exists() and (state / "contracts").exists():
        shutil.copytree(state / "contracts", contracts)
    sandbox.clear_faults()
    assert sandbox.errors() == ""


@pytest.fixture
def home(sandbox: SandboxProcess, connected: Path) -> t.Iterator[Path]:
    """A quick sandbox at its seed, and where tasks keep what they know."""
    sandbox.settings(rest=QUICK)
    yield connected
    assert sandbox.violations() == []
