# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of the source: its format, its style, its types."""

from __future__ import annotations

import sys
from pathlib import Path

import collection_tree
import workspace

from checks.programs import run

TYPED = (
    *("plugins", "bench", "noxfile.py", "tests/conftest.py"),
    *(f"tests/{name}" for name in ("awx", "canaries", "chaos", "checks", "documentation", "examples", "orchestration")),
    *(f"tests/{name}" for name in ("pages", "pipelines", "releases", "sandbox", "sites", "tools")),
    *(str(file.relative_to(workspace.CHECKOUT)) for file in workspace.CHECKOUT.glob("tests/integration/*.py")),
)


def test_is_formatted() -> None:
    run(sys.executable, "-m", "ruff", "format", "--check", ".")


def test_follows_the_style() -> None:
    run(sys.executable, "-m", "ruff", "check", "--output-format", "concise", ".")


def test_has_correct_types() -> None:
    """In the tree in which the collection is imported, where its absolute imports are found."""
    root = collection_tree.linked()
    cache = workspace.folder() / "mypy-cache"
    options: list[str | Path] = ["--config-file", collection_tree.PLACE / ".mypy.ini", "--cache-dir", cache]
    run(sys.executable, "-m", "mypy", *options, *(collection_tree.PLACE / part for part in TYPED), folder=root)


def test_yaml_follows_the_style() -> None:
    run(sys.executable, "-m", "yamllint", "--strict", ".")
