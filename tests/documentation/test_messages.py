# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages that the page on troubleshooting quotes are those of the code."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.full
CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "docsite" / "rst" / "troubleshooting.rst"
GAP = "…"


def quoted() -> list[str]:
    """Return the messages: literals at the left margin."""
    return re.findall(r"^``(.+)``$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@lru_cache(maxsize=1)
def texts() -> list[str]:
    """Return all texts of the code, with a gap for each value that is put in."""
    found = []
    for folder in ("plugins", "extensions"):
        for file in sorted((CHECKOUT / folder).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            found += [text for text in map(_text, ast.walk(tree)) if text]
    tasks = (CHECKOUT / "roles").rglob("tasks/*.yml")
    return found + [
        " ".join(re.sub(r"{{.*?}}", GAP, file.read_text("utf-8"), flags=re.DOTALL).split()) for file in tasks
    ]


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace("%s", GAP)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or GAP for part in node.values)
    return ""


def pattern(message: str) -> re.Pattern[str]:
    """Return what a text of the code with this message in it looks like."""
    gap = f"[^{GAP}]{{0,20}}(?:{GAP}[^{GAP}]{{0,3}})+"
    pieces = [re.escape(piece) for piece in re.split(f"{GAP}+", message)]
    return re.compile(gap.join(pieces), re.DOTALL)


def known(message: str) -> bool:
    return any(pattern(message).search(text) for text in texts())


@pytest.mark.parametrize("message", quoted())
def test_a_quoted_message_is_in_the_code(message: str) -> None:
    assert known(message)


def test_there_are_many_and_each_stands_once() -> None:
    assert len(quoted()) > 40
    assert len(set(quoted())) == len(quoted())


def test_each_says_what_to_do() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    terms = [number for number, line in enumerate(lines) if line.startswith("``") and line.endswith("``")]
    assert [lines[number] for number in terms if not lines[number + 1].startswith("  ")] == []


@pytest.mark.parametrize(
    "message",
    [
        "The profile file … holds secrets and can be read by everybody.",
        "There is a … in …",
        "… did not finish …, sorry.",
    ],
)
def test_a_message_that_is_not_in_the_code_is_found_out(message: str) -> None:
    assert not known(message)
