# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools and the plugin, once for all tests, and a site of its own for each of them."""

from __future__ import annotations

import shutil
import typing as t
from pathlib import Path

import orchestration_tools
import pytest
from chaos.workplace import Workplace
from orchestration import programs_for_tests as programs
from orchestration.managed_folder import ManagedFolder
from sandbox.process import SandboxProcess

QUICK = {"ticket_seconds": 0.1, "lock_tail": 0.02, "visible_after": 0.02}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what asks for ``each_tool`` with every tool of the controller."""
    if "each_tool" in metafunc.fixturenames:
        metafunc.parametrize("each_tool", programs.names())


@pytest.fixture(scope="session")
def python() -> str:
    """The interpreter of the test environment, which is built on first use."""
    if missing := orchestration_tools.missing():
        pytest.skip(f"NOT RUN: {missing}")
    return str(orchestration_tools.python())


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory, python: str) -> dict[str, str]:
    """The tools by names."""
    return programs.tools(tmp_path_factory.mktemp("tools"), python)


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory, python: str) -> str:
    """The plugin."""
    return str(programs.plugin(tmp_path_factory.mktemp("plugin"), python))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of all tasks: the plugin keeps its certificate there, which takes time to make."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def attached(sandbox: SandboxProcess, tools: dict[str, str], plugin: str, home: Path) -> t.Iterator[dict[str, str]]:
    """The variables that have the tool of the test environment use a plugin that runs already: it saves seconds."""
    with programs.served(plugin, tools[programs.LIBRARY], home, sandbox.environment["FCD_CA_PATH"]) as variables:
        yield variables


@pytest.fixture
def executed(
    sandbox: SandboxProcess, home: Path, tools: dict[str, str], plugin: str, tmp_path: Path
) -> t.Iterator[ManagedFolder]:
    """A folder for the tool, which starts the plugin; in the end no message may have broken a description."""
    sandbox.reset()
    sandbox.settings(rest=QUICK)
    shutil.rmtree(home / "state", ignore_errors=True)
    yield ManagedFolder(Workplace(sandbox, home), tmp_path / "site", tools[programs.LIBRARY], plugin)
    assert sandbox.violations() == []
    assert sandbox.errors() == ""


@pytest.fixture(scope="session")
def plugin_of_version_1(tmp_path_factory: pytest.TempPathFactory, python: str) -> str:
    """The plugin as of version 1.0."""
    return str(programs.plugin(tmp_path_factory.mktemp("plugin-1.0"), python, "1.0"))


@pytest.fixture(scope="session")
def attached_1(
    sandbox: SandboxProcess, tools: dict[str, str], plugin_of_version_1: str, home: Path
) -> t.Iterator[dict[str, str]]:
    """The same for the plugin as of version 1.0."""
    authorities = sandbox.environment["FCD_CA_PATH"]
    with programs.served(plugin_of_version_1, tools[programs.LIBRARY], home, authorities) as variables:
        yield variables


@pytest.fixture
def managed_1(executed: ManagedFolder, plugin_of_version_1: str, attached_1: dict[str, str]) -> ManagedFolder:
    """A folder for the plugin as of version 1.0, which runs already."""
    executed.plugin = plugin_of_version_1
    executed.variables.update(attached_1)
    return executed


@pytest.fixture
def managed(executed: ManagedFolder, attached: dict[str, str]) -> ManagedFolder:
    """The same with a plugin that runs already."""
    executed.variables.update(attached)
    return executed
