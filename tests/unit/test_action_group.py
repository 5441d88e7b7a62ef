# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to each module: its place in the action group, its twin, its integration target run both ways."""

from __future__ import annotations

import ast
import typing as t
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ROOT / "tests" / "integration" / "targets"
MODULES = sorted(file.stem for file in (ROOT / "plugins" / "modules").glob("*.py") if file.stem != "__init__")

INTERFACES = {"infrastructure": "rest", "object_storage": "storage", "soap": "soap"}
"""Action groups, with the services whose options their modules take."""


def test_the_action_group_is_the_modules() -> None:
    assert _groups()["fcd"] == MODULES


@pytest.mark.parametrize(("group", "service"), INTERFACES.items())
def test_the_group_of_an_interface_is_the_modules_that_take_its_options(group: str, service: str) -> None:
    """Whatever is given to the group is an option of all that are in it."""
    fragment = f"fcd.cloud._connection.{service}"
    assert _groups()[group] == [module for module in MODULES if fragment in _fragments(module)]


def test_there_are_no_other_groups() -> None:
    assert set(_groups()) == {"fcd", *INTERFACES}


def _groups() -> dict[str, list[str]]:
    runtime = yaml.safe_load((ROOT / "meta" / "runtime.yml").read_text(encoding="utf-8"))
    groups: dict[str, list[str]] = runtime["action_groups"]
    return groups


def _fragments(module: str) -> list[str]:
    """Return the names of the fragments in the documentation of a module."""
    for node in ast.parse((ROOT / "plugins" / "modules" / f"{module}.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "DOCUMENTATION":
            shared: list[str] = yaml.safe_load(ast.literal_eval(node.value))["extends_documentation_fragment"]
            return shared
    raise AssertionError(f"{module} has no documentation")


def test_there_is_no_twin_without_a_module() -> None:
    twins = sorted(file.stem for file in (ROOT / "plugins" / "action").glob("*.py") if file.stem != "__init__")
    assert twins == MODULES


@pytest.mark.parametrize("module", MODULES)
def test_module_and_twin_run_the_same_operation(module: str) -> None:
    faces = [ROOT / "plugins" / kind / f"{module}.py" for kind in ("modules", "action")]
    of_module, of_twin = (_origin_of_operation(face) for face in faces)
    assert of_module
    assert of_module == of_twin


def _origin_of_operation(face: Path) -> str | None:
    """Return where the face has its operation from, below module_utils: modules import relatively, twins do not."""
    for node in ast.walk(ast.parse(face.read_text(encoding="utf-8"))):
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if (alias.asname or alias.name) == "OPERATION":
                return f"{str(t.cast('ast.ImportFrom', node).module).rpartition('module_utils.')[2]}.{alias.name}"
    return None


@pytest.mark.parametrize("module", MODULES)
def test_the_module_has_a_target_that_runs_both_ways(module: str) -> None:
    """Small modules of one kind may share a target. What runs on the controller only has one way."""
    targets = [target for target in TARGETS.iterdir() if _runs_both_ways(target) or _only_on_the_controller(module)]
    assert any(_is_tried_in(target, module) for target in targets)


def _only_on_the_controller(module: str) -> bool:
    return "_controller_action import" in (ROOT / "plugins" / "action" / f"{module}.py").read_text(encoding="utf-8")


def _runs_both_ways(target: Path) -> bool:
    aliases, main = target / "aliases", target / "tasks" / "main.yml"
    return (
        aliases.is_file()
        and "needs/target/setup_both_ways" in aliases.read_text(encoding="utf-8").split()
        and "setup_both_ways" in main.read_text(encoding="utf-8")
    )


def _is_tried_in(target: Path, module: str) -> bool:
    return any(f"fcd.cloud.{module}:" in file.read_text(encoding="utf-8") for file in target.rglob("*.yml"))
