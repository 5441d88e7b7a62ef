# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task with nothing to do costs, in counts: files that are opened, imports, and lines that are executed."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
import task_counts
from sandbox.process import SandboxProcess

PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFUBfAsXvx5dyRfRBvYVt9IFBfnMXBnZQMnXpEHdtwNH cost"
KEY: dict[str, t.Any] = {"fcd.cloud.ssh_key": {"name": "cost", "public_key": PUBLIC_KEY}}
CONTAINER: dict[str, t.Any] = {"fcd.cloud.storage_container": {"name": "cost"}}
FOR_REQUESTS = {"requests", "urllib3", "certifi", "idna", "charset_normalizer"}
"""What is imported with requests."""

AS_MODULE = {"environment": {"COST": "module"}}


@pytest.fixture
def profile(sandbox: SandboxProcess) -> dict[str, str]:
    """The account of a sandbox at its seed, as options of a profile."""
    sandbox.reset()
    return {name[4:].lower(): value for name, value in sandbox.environment.items() if name.startswith("FCD_")}


def test_a_task_with_nothing_to_do(sandbox: SandboxProcess, profile: dict[str, str], tmp_path: Path) -> None:
    """Its note is read twice, to find what a create has left and to keep what a list shows, for a day after a create.

    It executes 4718 lines on Python 3.13, an item of a loop 4611. A tenth more is allowed, since other versions of
    Python count some lines in another way.
    """
    tasks = [KEY, KEY, {**KEY, "loop": [1, 2]}, {**KEY, **AS_MODULE}]
    counted = task_counts.count(sandbox, tmp_path, tasks, profile)
    _create, task, _first, item = counted.tasks[:4]
    note = ["creates/intents"] * 2
    assert _places(task.files) == ["profile.yml", "ca.pem", "tokens", *note]
    assert _places(item.files) == ["profile.yml", "ca.pem", *note], "the token is in memory"
    assert task.modules == item.modules == [], "everything is imported before the workers are forked"
    assert 0 < task.lines <= 5200
    assert 0 < item.lines <= 5100
    assert counted.packages == FOR_REQUESTS
    assert counted.in_modules == [FOR_REQUESTS | {"yaml"}], "a profile file is read"


def test_the_object_storage_needs_no_library(sandbox: SandboxProcess, profile: dict[str, str], tmp_path: Path) -> None:
    counted = task_counts.count(sandbox, tmp_path, [CONTAINER, {**CONTAINER, **AS_MODULE}], profile)
    assert counted.packages == set()
    assert counted.in_modules == [{"yaml"}], "a profile file is read"


def _places(paths: t.Iterable[str]) -> list[str]:
    """Return the names of files, and the folders of those whose names are digests."""
    found = [Path(path) for path in paths]
    return [
        file.name if len(file.stem) < 32 else "/".join(file.parts[file.parts.index("state") + 1 : -1]) for file in found
    ]
