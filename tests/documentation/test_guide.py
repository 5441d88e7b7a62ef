# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page about the code follows one task through the files that it really passes."""

from __future__ import annotations

import re
from pathlib import Path

import files_on_the_way
import pytest
from sandbox.process import SandboxProcess

PAGE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"
FACES = {"plugins/action/ssh_key.py", "plugins/modules/ssh_key.py"}  # they have no functions, only what they name


@pytest.mark.full
def test_one_task_is_followed_through_all_its_files(sandbox: SandboxProcess, tmp_path: Path) -> None:
    sandbox.reset()
    section = PAGE.read_text(encoding="utf-8").partition("## One task")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([\w/]+\.py)`", section))
    passed = {path.removeprefix("module_utils/") for path in files_on_the_way.files(sandbox, tmp_path, "ssh_key")}
    assert named == passed | FACES, (
        "name each file as room/file.py: python tests/tools/files_on_the_way.py -v lists them"
    )
