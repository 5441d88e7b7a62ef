# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to each module: its action group, its action plugin, its integration target run both ways."""

from __future__ import annotations

import importlib
import re
import typing as t
from pathlib import Path

import action_plugins
import pytest
import tree_yaml

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(file.stem for file in (ROOT / "plugins" / "modules").glob("*.py") if file.stem != "__init__")

PLUGINS = "ansible_collections.fcd.cloud.plugins"


def test_the_action_group_is_the_modules() -> None:
    assert _groups()["fcd"] == MODULES, "run: python tests/tools/action_plugins.py"


@pytest.mark.parametrize(("group", "service"), action_plugins.INTERFACES.items())
def test_the_group_of_an_interface_is_the_modules_that_take_its_options(group: str, service: str) -> None:
    """Whatever is given to the group is an option of all that are in it."""
    fragment = f"fcd.cloud._connection.{service}"
    taking = [module for module in MODULES if fragment in _fragments(module)]
    assert _groups()[group] == taking, "run: python tests/tools/action_plugins.py"


def test_there_are_no_other_groups() -> None:
    assert set(_groups()) == {"fcd", *action_plugins.INTERFACES}


def _groups() -> dict[str, list[str]]:
    groups: dict[str, list[str]] = tree_yaml.of_file(ROOT / "meta" / "runtime.yml")["action_groups"]
    return groups


def _fragments(module: str) -> list[str]:
    """Return the names of the fragments in the documentation of a module."""
    shared: list[str] = tree_yaml.documentation(module)["extends_documentation_fragment"]
    return shared


def test_the_readme_names_the_modules() -> None:
    """In the first column of its tables, in quotes; what stands behind lookup, role or filter is none."""
    rows = re.findall(r"^\| ([^|]+)\|([^|\n]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    kinds = re.compile(r"(lookups?|roles?|playbooks?|filters?|inventory|inventories|plugins?)\b.*")
    named = set()
    for first, second in rows:
        names = re.findall(r"`([a-z_0-9]+)`", kinds.sub("", first))
        named |= {*names, *(f"{name}_info" for name in names if "each with an `_info` module" in second)}
    assert sorted(set(MODULES) - named) == [], "add these modules to the tables of README.md"
    assert sorted(named - set(MODULES)) == [], "there are no such modules: take them out of README.md"


def test_every_module_has_a_twin_and_every_twin_a_module() -> None:
    found = sorted(file.stem for file in (ROOT / "plugins" / "action").glob("*.py") if file.stem != "__init__")
    assert found == MODULES, "run: python tests/tools/action_plugins.py"


def _operation(module: str) -> t.Any:
    return importlib.import_module(f"{PLUGINS}.modules.{module}").OPERATION


def test_module_and_twin_run_the_same_operation() -> None:
    plugin = {name: importlib.import_module(f"{PLUGINS}.action.{name}").ActionModule.operation for name in MODULES}
    assert [name for name in MODULES if _operation(name).name != name or plugin[name] is not _operation(name)] == []


def test_check_mode_knows_each_object_of_the_infrastructure() -> None:
    """What a task would change is known to later tasks of the same run; none refers to the console of an instance."""
    managed = {
        module: _operation(module).manages
        for module in set(MODULES) - {"instance_console"}
        if "._infrastructure." in _operation(module).run.__module__
        and "absent" in _operation(module).options.get("state", {}).get("choices", ())
    }
    kinds = importlib.import_module(f"{PLUGINS}.module_utils._infrastructure.api").Infrastructure.kinds
    missing = sorted(module for module, one in managed.items() if one is None or one.kind not in kinds)
    assert missing == [], "declare them in kinds, in _infrastructure/api.py"


def test_action_plugins_that_add_nothing_are_as_they_are_written() -> None:
    differ = [
        plugin.name
        for plugin, text in action_plugins.action_plugins().items()
        if plugin.read_text(encoding="utf-8") != text
    ]
    assert differ == [], "run: python tests/tools/action_plugins.py"
