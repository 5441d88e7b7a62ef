# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader may copy names only instance types and templates that the real service has."""

from __future__ import annotations

import ast
import re
import typing as t
from pathlib import Path

import pytest
import tree_yaml

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT / "tests" / "sandbox" / "rest" / "seed"
PLACES = ("README.md", "docs", "extensions", "playbooks", "plugins", "roles")
SUFFIXES = {".json", ".md", ".py", ".rst", ".tf", ".yaml", ".yml"}
TYPE = re.compile(r"\bv1\.[a-z][\w.-]*\w")
# What stands in the line of a template: a name, a number, or the record that a module returns. Not an option's
# description, which stands below, nor an expression.
TEMPLATE = re.compile(r"""\btemplate["']?: *["']?([A-Za-z][^"'{}\[\],|#\n]*)""")
NUMBER = re.compile(r"""\btemplate_id["']? *[:=] *["']?(\d+)""")
RECORD = re.compile(r"\btemplate: \{id: (\d+), label: ([^}\n]+)\}")


def seed(name: str) -> t.Any:
    return tree_yaml.of_file(SEED / f"{name}.yaml")


TYPES = {row[1] for group in seed("instance_types") for row in group["types"]}
TEMPLATES: dict[int, str] = {row["id"]: row["name"] for row in seed("templates")["live"]}
LABELS = {
    *TEMPLATES.values(),
    *(f"{one['name']} ({one['version']})" for one in seed("templates")["live"]),
    *(f"{name} ({number})" for number, name in TEMPLATES.items()),  # as a plan shows it
}


def named(text: str) -> list[tuple[str, bool]]:
    """Return each type and template that a text names, and whether the service has it."""
    return [
        *((name, name in TYPES) for name in TYPE.findall(text)),
        *((name.strip(), name.strip() in LABELS) for found in TEMPLATE.findall(text) for name in found.split("->")),
        *((number, int(number) in TEMPLATES) for number in NUMBER.findall(text)),
        *((f"{number} {name}", TEMPLATES.get(int(number)) == name) for number, name in RECORD.findall(text)),
    ]


def texts(place: str) -> dict[str, str]:
    whole = ROOT / place
    files = [whole] if whole.is_file() else sorted(file for file in whole.rglob("*") if file.suffix in SUFFIXES)
    files = [file for file in files if file.name != "fault-matrix.md"]  # its words are those of errors
    return {str(file.relative_to(ROOT)): text_of(file) for file in files}


def text_of(file: Path) -> str:
    """Return what a file says; of a Python file the texts, for its names of members are no templates."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return text
    nodes = ast.walk(ast.parse(text))
    return "\n".join(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


@pytest.mark.parametrize("place", PLACES)
def test_what_is_named_is_there(place: str) -> None:
    found = {(file, name): known for file, text in texts(place).items() for name, known in named(text)}
    assert found, f"{place} names nothing: the patterns of this test are wrong"
    assert [key for key, known in found.items() if not known] == []


def test_the_offers_are_those_of_the_capture() -> None:
    assert (len(TYPES), len(TEMPLATES)) == (32, 33)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("type: v1.standard-2.2", [True]),
        ("such as V(v1.highmemory.16.48).", [True]),
        ("type: v1.standard-2.2048", [False]),
        ("template: Debian 9\n", [True]),
        ("template: Debian 9 (9)  # newest", [True]),
        ('"template": "CentOS 7",', [True]),
        ("instances: [{name: web, template: Debian 13, type: v1.standard-1.1024}]", [False, False]),
        ("template: Debian 9 (12)", [False]),
        ("template: Golden image", [False]),
        ("template_id: 765", [True]),
        ("fcd.cloud.instance template_id=503", [False]),
        ("template: {id: 776, label: Ubuntu Server 18.04 LTS}", [True]),
        ("template: {id: 765, label: Ubuntu Server 18.04 LTS}", [False]),
        ('template: "{{ image }}"\ntemplate:\n  description: Name', []),
    ],
)
def test_the_patterns(text: str, known: list[bool]) -> None:
    assert [one for _name, one in named(text)] == known
