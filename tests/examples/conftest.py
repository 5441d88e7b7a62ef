# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A workplace at its seed for each of these tests, and which plugins have their examples run by ``make test``."""

from __future__ import annotations

import functools
import shutil
import typing as t
from pathlib import Path

import collection_tree
import pytest
from chaos.workplace import Workplace
from sandbox.process import SandboxProcess

from examples import chosen
from examples.documentation import Documented
from examples.readme_reader import Reader

QUICK = {"ticket_seconds": 0.1}
"""Settings of the REST service of the sandbox."""

choice = functools.cache(chosen.choice)


def pytest_report_header() -> str:
    """Say which examples are run, since that depends on what has changed."""
    return f"examples: {choice().words}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it in the end too: a run with -q has no header."""
    terminalreporter.write_line(f"examples: {choice().words}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the examples of the other plugins to ``make test-all``."""
    for item in items:
        plugin = item.callspec.params.get("plugin") if hasattr(item, "callspec") else None
        if isinstance(plugin, Documented) and plugin.name not in choice().names:
            item.add_marker(pytest.mark.full)


@pytest.fixture(scope="session")
def contract(sandbox: SandboxProcess, tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """A workplace to take the compiled WSDL from: reading it is most of the work of the first task."""
    return Workplace(sandbox, tmp_path_factory.mktemp("contract"))


@pytest.fixture(scope="session")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree in which the collection has only the folders that it must work with."""
    return collection_tree.stripped(tmp_path_factory.mktemp("collections"))


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all tests work, one after the other."""
    return tmp_path_factory.mktemp("desk")


@pytest.fixture
def tmp_path(desk: Path) -> Path:
    """The same folder for each test, empty: with other folders, Ansible would have to be imported anew."""
    shutil.rmtree(desk)
    desk.mkdir()
    return desk


@pytest.fixture
def place(sandbox: SandboxProcess, contract: Workplace, tmp_path: Path) -> t.Iterator[Workplace]:
    """A workplace at the seed; in the end no message may have broken a description."""
    sandbox.reset()
    sandbox.settings(rest=QUICK)
    fresh = Workplace(sandbox, tmp_path / "home")
    fresh.keep_contract_of(contract)
    yield fresh
    contract.keep_contract_of(fresh)
    assert sandbox.violations() == []
    assert sandbox.errors() == ""


@pytest.fixture
def reader(place: Workplace, tmp_path: Path, collections: Path) -> Reader:
    """Nothing has been typed yet."""
    return Reader(place, tmp_path / "reader", collections)
