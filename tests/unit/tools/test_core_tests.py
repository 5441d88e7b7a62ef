# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which unit tests are run with each ansible-core."""

from __future__ import annotations

from pathlib import Path

import core_tests
import pytest

OURS = Path(__file__).resolve().parents[1] / "plugins"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {
        "module_utils/soap/test_texts.py": "from ansible_collections.fcd.cloud.plugins.module_utils._core import names",
        "module_utils/ansible/test_way.py": "from ansible_collections.fcd.cloud.plugins.module_utils._ansible import x",
        "module_utils/fleet/test_options.py": "from ansible.module_utils.common.arg_spec import ArgumentSpecValidator",
        "module_utils/fleet/test_modules.py": "import_module('ansible_collections.fcd.cloud.plugins.action')",
        "module_utils/fleet/bench.py": "import typing",
        "lookup/test_token.py": "",
    }
    for name, text in texts.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "__pycache__").mkdir()
    return tmp_path


def names(folder: Path, *, same_python: bool) -> list[str]:
    return [str(path.relative_to(folder)) for path in core_tests.chosen(folder, same_python=same_python)]


def test_the_same_python(folder: Path) -> None:
    faces = ["module_utils/ansible/test_way.py"]
    fleet = ["module_utils/fleet/test_modules.py", "module_utils/fleet/test_options.py"]
    assert names(folder, same_python=True) == ["lookup", *faces, *fleet]


def test_another_python(folder: Path) -> None:
    assert names(folder, same_python=False) == ["."]


def test_tests_that_share_something_of_ansible(folder: Path) -> None:
    (folder / "module_utils" / "fleet" / "bench.py").write_text("import ansible.errors", encoding="utf-8")
    assert names(folder, same_python=True) == ["."]


def test_those_of_the_collection() -> None:
    found = names(OURS, same_python=True)
    assert {"action", "lookup", "plugin_utils", "module_utils/ansible/test_execution.py"} <= set(found)
    assert len(found) < len(list(OURS.rglob("test_*.py"))) / 3, "most tests know of Ansible: is that meant?"
