# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ordinary modules: once in `make test`, but for most readers; each for each kind of outcome in `make test-all`."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.process import SandboxProcess

from integration import ordinary_modules

ACTIONS = ordinary_modules.MODULES.parent / "action"


@pytest.mark.parametrize("every_outcome", [False, pytest.param(True, marks=pytest.mark.full)])
@pytest.mark.parametrize("service", ordinary_modules.PLAYS)
def test_each_module(service: str, every_outcome: bool, play: t.Callable[..., str], sandbox: SandboxProcess) -> None:
    ordinary_modules.run(play, sandbox, ordinary_modules.tasks(service, every_outcome=every_outcome))


def test_no_module_is_missing() -> None:
    rows = [row for service in ordinary_modules.PLAYS for row in ordinary_modules.rows_of(service)]
    tried = [row.module for row in rows if not isinstance(row, ordinary_modules.Other)]
    desired = {file.stem for file in ordinary_modules.MODULES.glob("[!_]*.py")}
    assert sorted(tried) == sorted(name for name in desired if "(ControllerAction)" not in _action(name))


def _action(module: str) -> str:
    return (ACTIONS / f"{module}.py").read_text(encoding="utf-8")
