# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/service: every citation of it leads to a heading, and it says how the sandbox reads each open question."""

from __future__ import annotations

import functools
import re
from collections import Counter

import workspace
from sandbox.rest.settings import READINGS

FACTS = workspace.CHECKOUT / "docs" / "service"
FOLDERS = ("bench", "docs", "extensions", "playbooks", "plugins", "roles", "tests")
SUFFIXES = {".md", ".py", ".rst", ".toml", ".tsv", ".yaml", ".yml"}
PAGE, HEADING = re.compile(r"docs/service/([\w.-]*\w)"), re.compile(r'(?:,| and) "([^"]+)"')
ELSEWHERE = re.compile(
    r"(?:wire|infrastructure)[- ]facts|\bfacts [a-d]\.\d|soap-[c]ommon|(?<!docs/)\bcontract/[\w-]+\.md"
)
"""Citations of documents that are not in the tree."""


@functools.cache
def texts() -> dict[str, str]:
    """Return the texts of the tree by their paths, with the lines of a paragraph joined."""
    files = [file for folder in FOLDERS for file in (workspace.CHECKOUT / folder).rglob("*")]
    return {
        str(file.relative_to(workspace.CHECKOUT)): re.sub(r"\n[ \t#*]*", " ", file.read_text(encoding="utf-8"))
        for file in files
        if file.suffix in SUFFIXES and file.is_file()
    }


def headings(page: str) -> list[str]:
    """Return the headings of a page."""
    return re.findall(r"^#+ (.+)$", (FACTS / page).read_text(encoding="utf-8"), re.MULTILINE)


def citations(text: str) -> list[tuple[str, str]]:
    """Return the pages that a text cites, each with one heading, which is empty where the whole page is meant."""
    found = []
    for match in PAGE.finditer(text):
        cited, end = [], match.end()
        while following := HEADING.match(text, end):
            cited.append(following[1])
            end = following.end()
        found += [(match[1], heading) for heading in cited or [""]]
    return found


def test_citations_are_read() -> None:
    text = 'See (docs/service/a.md, "One", "Two" and "Three"). Also docs/service/b.md.'
    assert citations(text) == [("a.md", "One"), ("a.md", "Two"), ("a.md", "Three"), ("b.md", "")]


def test_every_citation_leads_to_a_heading() -> None:
    known = {page.name: {"", *headings(page.name)} for page in FACTS.glob("*.md")}
    lost = [
        f'{file}: docs/service/{page}, "{heading}"'
        for file, text in texts().items()
        if file != "tests/checks/test_service_facts.py"
        for page, heading in citations(text)
        if heading not in known.get(page, ())
    ]
    assert lost == []


def test_no_citation_leads_out_of_the_tree() -> None:
    assert [f"{file}: {found[0]}" for file, text in texts().items() for found in ELSEWHERE.finditer(text)] == []


def test_headings_are_anchors() -> None:
    """A heading that a page has twice could not be cited."""
    for page in FACTS.glob("*.md"):
        assert [heading for heading, count in Counter(headings(page.name)).items() if count > 1] == []


def test_the_readings_of_the_sandbox_are_told() -> None:
    told = {}
    for line in (FACTS / "assumptions.md").read_text(encoding="utf-8").partition("\n## Identity\n")[0].splitlines():
        if line.startswith("| `"):
            setting, _question, *readings, _answer = (cell.strip() for cell in line.strip("|").split("|"))
            told[setting.strip("`")] = tuple(readings)
    shown = {
        name: (f"`{reading.hard!r}`", f"`{reading.friendly!r}`", ", ".join(f"`{other!r}`" for other in reading.others))
        for name, reading in READINGS.items()
    }
    shown["null_members"] = ("`NULLS`", "none", "")
    assert told == shown
