# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Conditions of the integration targets are texts: YAML makes a mapping of one with a colon and a blank in it."""

from __future__ import annotations

import sys
import typing as t
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import tree_yaml

ROLES = Path(__file__).resolve().parents[2] / "roles"
TARGETS = Path(__file__).resolve().parents[1] / "integration" / "targets"
FILES = [file for file in sorted(TARGETS.rglob("*.yml")) if "tasks" in file.parts]


class Loader(tree_yaml.LOADER):
    """Reads Ansible's own tag as plain data."""


def _plain(loader: yaml.SafeLoader, node: yaml.Node) -> t.Any:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    return loader.construct_sequence(node, deep=True)


Loader.add_constructor("!unsafe", _plain)


def conditions(value: t.Any) -> t.Iterator[t.Any]:
    """Yield all conditions in a list of tasks."""
    if isinstance(value, dict):
        for key, entry in value.items():
            if key in ("that", "when", "until", "failed_when", "changed_when"):
                yield from entry if isinstance(entry, list) else [entry]
            else:
                yield from conditions(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from conditions(entry)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(TARGETS)))
def test_conditions_are_texts(file: Path) -> None:
    found = conditions(yaml.load(file.read_text(encoding="utf-8"), Loader))
    assert [condition for condition in found if not isinstance(condition, (str, bool))] == []


def test_the_test_finds_a_mapping() -> None:
    found = conditions(tree_yaml.load("[{block: [{assert: {that: [a is b, \"c is match('d: e')\"]}}]}]"))
    assert list(found) == ["a is b", "c is match('d: e')"]
    (mapping,) = conditions(tree_yaml.load("[{assert: {that: [c is match('d: e')]}}]"))
    assert isinstance(mapping, dict)


def test_no_target_has_the_name_of_a_role() -> None:
    """In a playbook of the collection its own roles go before, so the target of that name would never run."""
    assert {file.name for file in TARGETS.iterdir()} & {file.name for file in ROLES.iterdir()} == set()
