# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the only failing task of a run says of the changes of the run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TASKS = Path(__file__).resolve().parents[2] / "roles" / "provision" / "tasks" / "error.yml"


@pytest.mark.parametrize("changed", [True, False])
def test_the_task_that_reports_an_error_reports_changes(tmp_path: Path, own_home: Path, changed: bool) -> None:
    result = {"changed": changed, "msg": "One entry failed.", "plan": {"policies": []}, "counts": {"changed": 1}}
    saying = {"ansible.builtin.debug": {"msg": "{{ ansible_failed_result.changed }} {{ ansible_failed_result.msg }}"}}
    tasks = [{"block": [{"ansible.builtin.import_tasks": str(TASKS)}], "rescue": [saying]}]
    play = {"hosts": "localhost", "gather_facts": False, "vars": {"provision_result": result}, "tasks": tasks}
    (tmp_path / "play.yml").write_text(json.dumps([play]), encoding="utf-8")
    program = Path(sys.executable).with_name("ansible-playbook")
    done = subprocess.run([program, "play.yml"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert f'"{changed} One entry failed."' in done.stdout
