# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder for plans: private, removed at the end, and by the next task when nobody could."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.working_folder import private_folder_of_run


def aged(path: Path) -> Path:
    """Make a folder look older than what has just begun."""
    os.utime(path, (0, 0))
    return path


def test_what_a_killed_task_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, young, other = (tmp_path / name for name in ("fcd-orchestration-a", "fcd-orchestration-b", "elsewhere"))
    for folder in (left, young, other):
        folder.mkdir()
        (folder / "plan").write_text("secret", encoding="utf-8")
    aged(left)
    link = tmp_path / "fcd-orchestration-link"
    link.symlink_to(aged(other))
    with private_folder_of_run() as first:
        assert stat.S_IMODE(os.stat(first).st_mode) == 0o700
        aged(Path(first))
        with private_folder_of_run():
            assert Path(first).is_dir(), "its task works on"
    assert sorted(tmp_path.iterdir()) == sorted([young, other, link])
    assert (other / "plan").exists()
