# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox for all of these tests, started once, and a workplace at the seed for each of them.

Variables: ANSIBLE_COLLECTIONS_PATH, a tree with the collection; FCD_SANDBOX_PYTHON, the interpreter of the sandbox when
it is another one.
"""

from __future__ import annotations

import json
import os
import sys
import typing as t
from pathlib import Path

import pytest

TESTS = str(Path(__file__).resolve().parents[1])
TOOLS = str(Path(TESTS, "tools"))
TREES = [path for path in os.environ.get("ANSIBLE_COLLECTIONS_PATH", "").split(os.pathsep) if path]
sys.path[:0] = [path for path in (TESTS, TOOLS, *TREES) if path not in sys.path]

from sandbox.process import SandboxProcess

from chaos.canaries import CREDENTIALS
from chaos.kinds import KINDS
from chaos.outcome_table import OutcomeTable
from chaos.workplace import Workplace

TABLE = pytest.StashKey[OutcomeTable]()
QUICK = {
    "ticket_seconds": 0.15,
    "lock_tail": 0.05,
    "visible_after": 0.05,
    "access_data_after": 0.1,
    "list_lag": 0.1,
    "ticket_list_lag": 0.1,
}
"""Less time for all that takes some, so that each task has to wait and none waits long; else the hard position."""


def pytest_configure(config: pytest.Config) -> None:
    """Make the table."""
    config.stash[TABLE] = OutcomeTable()


def pytest_terminal_summary(terminalreporter: t.Any, config: pytest.Config) -> None:
    """Print the table."""
    lines = list(config.stash[TABLE].lines())
    if lines:
        terminalreporter.section("faults on creates: what came of them")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def table(pytestconfig: pytest.Config) -> OutcomeTable:
    """What is printed at the end."""
    return pytestconfig.stash[TABLE]


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[SandboxProcess]:
    """One process for all tests."""
    file = tmp_path_factory.mktemp("sandbox") / "credentials.json"
    file.write_text(json.dumps(CREDENTIALS), encoding="utf-8")
    with SandboxProcess("--credentials", str(file)) as process:
        yield process


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
