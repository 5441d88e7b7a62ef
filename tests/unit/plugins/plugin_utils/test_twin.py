# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The twin: which Python counts as the controller's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.plugin_utils import _twin


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """Two environments made of the same Python, one of them reached by a link too, and another Python beside it."""
    for name in ("system", "one/bin", "two/bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "system" / "python3.13").write_text("")
    for environment in ("one", "two"):
        folder = tmp_path / environment / "bin"
        (folder / "python").symlink_to(tmp_path / "system" / "python3.13")
        (folder / "python3").symlink_to("python")
        (folder / "python3.13").symlink_to("python")
        (folder / "other").write_text("")
    (tmp_path / "link").symlink_to("one")
    return tmp_path


@pytest.mark.parametrize(
    ("wanted", "same"),
    [
        ("one/bin/python", True),
        ("one/bin/python3", True),
        ("one/bin/python3.13", True),
        ("one/bin/../bin/python", True),
        ("one/bin/other", False),
        ("one/bin/nowhere", False),
        ("two/bin/python", False),
        ("two/bin/python3.13", False),
        ("link/bin/python3", False),
        ("system/python3.13", False),
    ],
)
def test_the_own_interpreter(places: Path, wanted: str, same: bool) -> None:
    assert _twin._same_interpreter(f"{places}/{wanted}", f"{places}/one/bin/python3") is same
