# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The AWX kit: its data, its role, and its jobs, without an AWX."""

from __future__ import annotations

import json
import typing as t

import pytest
from chaos.canaries import CREDENTIALS
from sandbox.process import SandboxProcess

from awx.established import Established
from awx.fake_controller import FakeController


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[SandboxProcess]:
    """A process of these tests, whose steps build on each other; its secrets are odd words."""
    file = tmp_path_factory.mktemp("sandbox") / "credentials.json"
    file.write_text(json.dumps(CREDENTIALS), encoding="utf-8")
    with SandboxProcess("--ticket-seconds", "0.1", "--credentials", str(file)) as process:
        yield process


@pytest.fixture(scope="session")
def established(sandbox: SandboxProcess, tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Established]:
    """A repository and a controller for which the steps of the README were taken."""
    with FakeController() as controller:
        place = Established(tmp_path_factory.mktemp("awx"), sandbox, controller)
        place.take_steps()
        yield place
    assert sandbox.violations() == []
    assert sandbox.errors() == ""
