# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One set of tools for all of these tests, and the sandbox at its seed, with little waiting, for each."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import automation_tools
import pytest
import workspace
from sandbox.process import SandboxProcess

EXTENSIONS = workspace.CHECKOUT / "extensions"


@pytest.fixture(scope="session")
def programs() -> Path:
    """Return the folder of the programs that these tests run: ansible-rulebook, check-jsonschema, Ansible."""
    return automation_tools.python().parent


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest) -> None:
    """Put the sandbox, where a test uses it, back to its seed."""
    if "sandbox" in request.fixturenames:
        sandbox: SandboxProcess = request.getfixturevalue("sandbox")
        sandbox.reset()
        sandbox.settings(rest={"ticket_seconds": 0.1})


def loaded(name: str, path: Path) -> ModuleType:
    """Return a Python file of the extensions as a module."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
