# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What antsibull-nox checks of a collection: its build, documentation, licenses, and playbooks with ansible-lint."""

from __future__ import annotations

import os
import sys

import pytest
import virtual_environment
import workspace

from checks.programs import run

SESSIONS = ("ansible-lint", "build-import-check", "docs-check", "extra-checks", "license-check")


@pytest.mark.full
@pytest.mark.parametrize("session", SESSIONS)
def test_collection(session: str) -> None:
    environment = {
        **os.environ,
        "GALAXY_IMPORTER_RUN_ANSIBLE_LINT": "no",  # it only warns there; ansible-lint fails
        "PIP_CONSTRAINT": virtual_environment.CONSTRAINTS.as_uri(),  # a path with blanks must be an address for pip
    }
    place = workspace.folder() / "nox"
    run(sys.executable, "-m", "nox", "--envdir", place, "--session", session, environment=environment)
