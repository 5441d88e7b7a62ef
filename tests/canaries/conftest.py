# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the tests of canaries find the sandbox and the tools, and the line with the numbers at the end."""

from __future__ import annotations

import sys
import typing as t
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(path) for path in (TESTS, TESTS / "tools") if str(path) not in sys.path]

LINES = pytest.StashKey[t.List[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Have nothing to say yet."""
    config.stash[LINES] = []


def pytest_terminal_summary(terminalreporter: t.Any, config: pytest.Config) -> None:
    """Print what was tried."""
    for line in config.stash[LINES]:
        terminalreporter.write_line(line)
