# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operation of the SOAP contract has a home, and the page that says so is up to date."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tools"))

import operation_homes
import tree_yaml

CALLS = ROOT / "tests" / "integration" / "targets" / "soap_operations" / "vars" / "main.yml"
HOMES = operation_homes.homes()


@pytest.mark.parametrize("name", HOMES)
def test_the_operation_has_a_home(name: str) -> None:
    assert bool(HOMES[name]) is not (name in operation_homes.GENERAL)


def test_there_are_all_operations_of_the_contract() -> None:
    assert len(HOMES) == len(operation_homes.contract()) == 108


def test_the_page_is_up_to_date() -> None:
    written = operation_homes.PAGE.read_text(encoding="utf-8")
    assert written == operation_homes.page(), "run: python tests/tools/operation_homes.py"


def test_an_integration_target_calls_all_of_them() -> None:
    calls = tree_yaml.of_file(CALLS)
    called = [call["operation"] for phase in calls.values() for call in phase]
    assert sorted(called) == sorted(HOMES)
