# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Ansible itself says nothing about in the integration targets."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ROOT / "tests" / "integration" / "targets"


def test_no_target_has_the_name_of_a_role() -> None:
    """In a playbook of the collection its own roles go before, so the target of that name would never run."""
    assert {file.name for file in TARGETS.iterdir()} & {file.name for file in (ROOT / "roles").iterdir()} == set()
