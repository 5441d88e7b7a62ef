# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What depends on ansible-core, with the other supported versions: faces, roles, lookups, the inventory, targets."""

from __future__ import annotations

import os

import cores
import pytest

from checks.programs import run

PARTS = ("tests/integration", "tests/unit/plugins")
"""What asks Ansible for anything; all else says the same with each core, which the layers see to."""


@pytest.mark.full
@pytest.mark.parametrize("core", [one for one in cores.CORES if one is not cores.newest()], ids=lambda one: one.series)
def test_with_another_core(core: cores.Core) -> None:
    if not core.controller():
        pytest.skip(f"NOT RUN: {core.missing()}")
    python = core.build()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))},
        "PATH": os.pathsep.join([str(python.parent), os.environ["PATH"]]),
    }
    run(python, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", *PARTS, environment=environment)
