# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is built lies in the checkout where its path allows, and elsewhere where not."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import workspace


def checkout(tmp_path: Path, name: str) -> Path:
    place = tmp_path / name
    place.mkdir()
    return place


def test_a_plain_checkout_holds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "PLAIN", re.compile(r"[A-Za-z0-9._+/-]+"))  # the folder of a test may be a deep one
    place = checkout(tmp_path, "plain")
    assert workspace.folder(place) == place / ".work"
    workspace.clean(place)
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("name", ["with space", "ÅÑŚÌβŁÈ", "quote'd", "long" * 30])
def test_an_odd_checkout_links_to_it(tmp_path: Path, name: str) -> None:
    place = checkout(tmp_path, name)
    built = workspace.folder(place)
    assert workspace.PLAIN.fullmatch(str(built))
    assert built.stat().st_mode & 0o777 == 0o700
    assert workspace.folder(place) == built
    (built / "venv").mkdir()
    (place / ".venv").symlink_to(".work/venv")
    workspace.clean(place)
    assert not built.exists()
    assert list(place.iterdir()) == []


def test_it_is_made_again_when_the_temporary_folder_was_emptied(tmp_path: Path) -> None:
    place = checkout(tmp_path, "with space")
    first = workspace.folder(place)
    first.rmdir()
    second = workspace.folder(place)
    assert second.is_dir()
    workspace.clean(place)


def test_what_python_compiled_goes_too(tmp_path: Path) -> None:
    place = checkout(tmp_path, "with space")
    subprocess.run(["git", "init", "--quiet", str(place)], check=True)
    (place / ".gitignore").write_text("/.venv\n/.work\n/mine\n__pycache__/\n", encoding="utf-8")
    for folder in ("plugins/modules", "tests", "mine"):
        compiled = place / folder / "__pycache__"
        compiled.mkdir(parents=True)
        (compiled / "one.cpython-311.pyc").touch()
        (place / folder / "one.py").touch()
    workspace.clean(place)
    left = {str(path.relative_to(place)) for path in place.rglob("*") if ".git" not in path.parts}
    assert {name for name in left if "__pycache__" in name} == {
        "mine/__pycache__",
        "mine/__pycache__/one.cpython-311.pyc",
    }
    assert {"plugins/modules/one.py", "tests/one.py", "mine/one.py"} <= left


def test_a_checkout_without_git_is_cleaned_too(tmp_path: Path) -> None:
    place = checkout(tmp_path, "plain")
    workspace.folder(place)
    workspace.clean(place)
    assert list(place.iterdir()) == []
