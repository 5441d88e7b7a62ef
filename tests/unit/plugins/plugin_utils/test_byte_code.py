# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own modules come from byte code, and nothing else is loaded otherwise than before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.plugin_utils import _byte_code

PLUGINS = Path(_byte_code.__file__).parents[1]
PACKAGE = _byte_code.__name__.rpartition(".plugin_utils.")[0]
LOADED = f"""
import json, sys
from ansible.plugins.loader import init_plugin_loader
init_plugin_loader([sys.argv[1]])
from {PACKAGE}.plugin_utils import _byte_code
from {PACKAGE}.module_utils._core import errors, names
print(json.dumps([[type(one.__spec__.loader).__name__, one.__cached__] for one in (errors, names)]))
"""


@pytest.mark.parametrize("name", ["module_utils._core.errors", "plugin_utils._twin"])
def test_a_file_of_ours_is_found(name: str) -> None:
    path = PLUGINS / Path(*name.split("."))
    found = _byte_code.OwnModules().find_spec(f"{PACKAGE}.{name}", [str(path.parent)])
    assert found is not None
    assert found.origin == f"{path}.py"


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        (f"{PACKAGE}.module_utils._core.nothing", PLUGINS / "module_utils" / "_core"),
        (f"{PACKAGE}.module_utils.empty", None),
        (f"{PACKAGE}.action.site", PLUGINS / "action"),
        ("ansible_collections.other.cloud.plugins.module_utils.errors", PLUGINS / "module_utils" / "_core"),
        ("errors", PLUGINS / "module_utils" / "_core"),
    ],
    ids=["no file", "a folder without code", "a plugin", "another collection", "no collection"],
)
def test_what_is_not_ours_is_left_to_others(name: str, folder: Path | None, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert _byte_code.OwnModules().find_spec(name, [str(folder or tmp_path)]) is None


def test_the_name_of_a_root_package_is_left_to_others() -> None:
    assert _byte_code.OwnModules().find_spec(f"{PACKAGE}.module_utils.errors", None) is None


@pytest.mark.parametrize("writes", [True, False])
def test_beside_the_loader_of_ansible(tmp_path: Path, writes: bool) -> None:
    place = tmp_path / Path(*PACKAGE.split("."))
    shutil.copytree(PLUGINS / "module_utils" / "_core", place / "module_utils" / "_core", ignore=_no_byte_code)
    (place / "plugin_utils").mkdir()
    shutil.copy(_byte_code.__file__, place / "plugin_utils")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "" if writes else "1", "ANSIBLE_HOME": str(tmp_path)}
    for name in ("PYTHONPATH", "PYTHONPYCACHEPREFIX"):
        environment.pop(name, None)
    command = [sys.executable, "-c", LOADED, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"SourceFileLoader"') == 2
    assert str(place) in done.stdout
    kept = {path.name.partition(".")[0] for path in place.rglob("*.pyc")}
    assert kept == ({"errors", "names", "__init__"} if writes else set())


def _no_byte_code(_folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "__pycache__"]
