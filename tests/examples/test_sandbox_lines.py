# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``make sandbox`` prints can be pasted, and what it proposes runs without a warning."""

from __future__ import annotations

import subprocess
import sys
import typing as t
from pathlib import Path

import pytest

SANDBOX = Path(__file__).resolve().parents[1] / "tools" / "keep_sandbox.py"
LAST = "export FCD_SANDBOX_INFO="


@pytest.fixture
def printed() -> t.Iterator[list[str]]:
    """The sandbox runs; these are the lines. With its end, nothing of it is left."""
    with subprocess.Popen([sys.executable, str(SANDBOX)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith(LAST):
                break
        try:
            yield lines
        finally:
            process.terminate()
    assert process.returncode == 0
    assert not Path(lines[-1].partition("=")[2]).parent.exists()


@pytest.mark.full
def test_the_lines_of_the_sandbox(printed: list[str], tmp_path: Path) -> None:
    pasted = [line for line in printed if line.startswith(("export ", "alias "))]
    proposed = [line for line in printed if line.startswith(("ansible localhost ", "fcd-sandbox show "))]
    assert len(proposed) == 2
    said = _typed([*pasted, *proposed], tmp_path)
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stderr == ""
    planned = _typed(
        [*pasted, *(line for line in printed if line.startswith(("cp ", "ansible-playbook fcd.cloud.plan")))], tmp_path
    )
    assert planned.returncode == 0, planned.stdout + planned.stderr
    missing = _typed([*pasted, "ansible-inventory -i missing.yml --list"], tmp_path)
    assert "missing.yml" in missing.stderr  # an inventory that is given is no less told of


def _typed(lines: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    command = ["/bin/sh", "-c", "\n".join(["set -e", *lines])]
    return subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, check=False)
