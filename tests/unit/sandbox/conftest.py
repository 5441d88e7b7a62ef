# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox of all tests, put back to its seed before each, and ways to talk to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sandbox.process import SandboxProcess
from sandbox_box import Box


@pytest.fixture
def box(sandbox: SandboxProcess) -> Iterator[Box]:
    sandbox.reset()
    sandbox.settings(rest={"ticket_seconds": 0})
    made = Box(sandbox)
    yield made
    made.session.close()
