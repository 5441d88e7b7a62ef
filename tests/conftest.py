# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tests share: the collection where Ansible finds it, one sandbox for each worker, and what ``full`` means."""

from __future__ import annotations

import json
import os
import sys
import typing as t

import pytest

import collection_tree
from sandbox.process import SandboxProcess

ROOT = str(collection_tree.linked())
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
# Set while nothing else runs in this process: Ansible in other processes looks there.
os.environ["ANSIBLE_COLLECTIONS_PATH"] = ROOT


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with which ``make test-all`` runs what ``make test`` leaves out."""
    parser.addoption("--full", action="store_true", help="run the tests marked `full`, and only them")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the run is not for; a test that is named is run whatever its mark is."""
    if any("::" in argument for argument in config.args):
        return
    full = bool(config.getoption("--full"))
    chosen = [item for item in items if bool(item.get_closest_marker("full")) is full]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[SandboxProcess]:
    """The sandbox in its hard position, one for all tests of a worker; its secrets are words that can be searched for.

    A test resets it first, and then changes settings as it needs them.
    """
    from chaos.canaries import CREDENTIALS

    file = tmp_path_factory.mktemp("sandbox") / "credentials.json"
    file.write_text(json.dumps(CREDENTIALS), encoding="utf-8")
    with SandboxProcess("--credentials", str(file)) as process:
        yield process
        errors = process.errors()
    assert errors == ""
