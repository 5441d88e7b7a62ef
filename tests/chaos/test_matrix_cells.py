# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of the matrix of faults, by the program that tries all of them at night."""

from __future__ import annotations

import sys

import pytest
from checks.programs import run


def matrix(*options: str) -> None:
    """Try cells, four at a time; each has a sandbox and a home of its own."""
    run(sys.executable, "tests/chaos/matrix.py", *options)


def test_what_was_ever_a_defect_ends_well() -> None:
    """Each fault with one of its cases; `make test-all` tries it with all."""
    matrix("--ever-red", "--most", "1", "--share", "0")


@pytest.mark.full
def test_each_fault_and_each_case_ends_well() -> None:
    """Beside what was ever red, so that each fault is given a case that it can strike."""
    matrix("--ever-red", "--each")
