# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""ansible-lint checks the options of a task before it runs, with every module."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path

import collection_tree
import pytest
import virtual_environment
import workspace
from cores import CORES

MODULES = sorted(file.stem for file in (workspace.CHECKOUT / "plugins" / "modules").glob("[!_]*.py"))
TEMPLATE = "{{ later }}"  # its value is not known before the run
Task = t.Dict[str, t.Any]


@pytest.mark.full
def test_ansible_lint_finds_wrong_options_and_choices_and_leaves_templates_alone(tmp_path: Path) -> None:
    options: list[Task] = [{f"fcd.cloud.{name}": {"nonsense": 1}} for name in MODULES]
    choices: list[Task] = [
        {f"fcd.cloud.{name}": {**_required(name), option: "nonsense"}}
        for name in MODULES
        for option, spec in _options(name).items()
        if spec.get("choices")
    ]
    templates: list[Task] = [
        {f"fcd.cloud.{name}": dict.fromkeys(_options(name), TEMPLATE)}
        for name in ("disk", "instance_fleet", "load_balancer", "storage_sync")
    ]
    found = _found_by_lint([*options, *choices, *templates], tmp_path)
    last = len(options) + len(choices)
    assert [task for number, task in enumerate([*options, *choices]) if "nonsense" not in found.get(number, "")] == []
    assert {number: text for number, text in found.items() if number >= last and "mutually exclusive" not in text} == {}


def _options(name: str) -> dict[str, t.Any]:
    options: dict[str, t.Any] = importlib.import_module(
        f"ansible_collections.fcd.cloud.plugins.modules.{name}"
    ).OPERATION.options
    return options


def _required(name: str) -> Task:
    """Return right values of what is required: Ansible reports what is missing in place of a wrong choice."""
    values = {"int": 1, "dict": {}, "list": []}
    needed = {option: spec for option, spec in _options(name).items() if spec.get("required")}
    return {
        option: (spec.get("choices") or [values.get(spec.get("type", "str"), "x")])[0]
        for option, spec in needed.items()
    }


def _found_by_lint(tasks: t.Sequence[Task], folder: Path) -> dict[int, str]:
    """Return what ansible-lint says of the options of tasks, by their numbers; each stands in one line of the file."""
    lines = ["- hosts: localhost", "  tasks:", *(f"    - {json.dumps(task)}" for task in tasks)]
    (folder / "play.yml").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (folder / "lint.yml").write_text("offline: true\nenable_list: [args]\n", encoding="utf-8")
    packages = ["ansible-lint", f"ansible-core=={CORES[0].release}"]
    python = virtual_environment.build(workspace.folder() / "venv-lint", sys.executable, packages=packages)
    variables = {
        **os.environ,
        "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
        "PATH": os.pathsep.join([str(python.parent), os.environ["PATH"]]),
    }
    command: list[str | Path] = [python.parent / "ansible-lint", "-q", "-c", "lint.yml", "--format", "json", "play.yml"]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    found = [one for one in json.loads(done.stdout) if one["check_name"] == "args[module]"]
    return {one["location"]["lines"]["begin"] - 3: one["description"] for one in found}
