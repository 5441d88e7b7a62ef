# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One sandbox and one set of tools for all of these tests."""

from __future__ import annotations

import importlib.util
import sys
import typing as t
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [place for place in (str(TESTS), str(TESTS / "tools")) if place not in sys.path]

import automation_tools
from sandbox.process import SandboxProcess

EXTENSIONS = TESTS.parent / "extensions"


@pytest.fixture(scope="session")
def programs() -> Path:
    """Return the folder of the programs that these tests run: ansible-rulebook, check-jsonschema, Ansible."""
    return automation_tools.python().parent


@pytest.fixture(scope="session")
def sandbox() -> t.Iterator[SandboxProcess]:
    """One process for all."""
    with SandboxProcess("--ticket-seconds", "0.1") as process:
        yield process


def loaded(name: str, path: Path) -> ModuleType:
    """Return a Python file of the extensions as a module."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
