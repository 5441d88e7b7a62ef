# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to each module: its action group, its action plugin, its integration target run both ways."""

from __future__ import annotations

import importlib
import typing as t
from pathlib import Path

import action_plugins
import contents
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


def test_the_tables_list_each_plugin_and_role_once() -> None:
    """Each in one group, so that the menu of the documentation site has each in one place."""
    listed = [entry for group in contents.groups().values() for entry in contents.entries(group)]
    plugins = {"module": "modules", "lookup": "lookup", "filter": "filter", "inventory": "inventory"}
    there = [
        contents.Entry(file.stem, kind)
        for kind, folder in plugins.items()
        for file in (ROOT / "plugins" / folder).glob("*.py")
        if file.stem != "__init__"
    ]
    there += [
        contents.Entry(spec.parents[1].name, "role") for spec in (ROOT / "roles").glob("*/meta/argument_specs.yml")
    ]
    assert sorted(entry for entry in listed if entry.kind != "playbook") == sorted(there), "mend docs/modules.md"
    playbooks = {entry.name for entry in listed if entry.kind == "playbook"}
    assert {name for name in playbooks if not (ROOT / "playbooks" / f"{name}.yml").is_file()} == set()


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
