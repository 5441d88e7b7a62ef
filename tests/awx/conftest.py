# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The AWX kit: its data, its role, and its jobs, without an AWX.

Variables: ANSIBLE_COLLECTIONS_PATH, a tree with the collection; FCD_SANDBOX_PYTHON, the interpreter of the sandbox when
it is another one.
"""

from __future__ import annotations

import os
import sys
import typing as t
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(path) for path in (TESTS, TESTS / "tools") if str(path) not in sys.path]

from sandbox.process import SandboxProcess


@pytest.fixture(scope="session")
def sandbox() -> t.Iterator[SandboxProcess]:
    """One process, as it comes but for the waiting."""
    python = os.environ.get("FCD_SANDBOX_PYTHON") or sys.executable
    with SandboxProcess("--ticket-seconds", "0.1", python=python) as process:
        yield process
