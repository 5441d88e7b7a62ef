# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role provision takes what its modules take: each option is described, and handed on."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ROLE = ROOT / "roles" / "provision"
MODULES = {
    "provision_instances": ("instance", "instances.yml"),
    "provision_storage_containers": ("storage_container", "storage.yml"),
    "provision_storage_objects": ("storage_object", "storage.yml"),
    "provision_warehouses": ("warehouse", "warehouses.yml"),
    "provision_client_users": ("client_user", "client_users.yml"),
}
NOT_DECLARED = {"id", "sid", "access_data"}
"""A site says what is to be, under a name; numbers and security identifiers are given by the service.

What ``access_data`` returns is a secret, and would stay in the result of the role."""

NAMED = {"name": "instance_name"}
SPEC = yaml.safe_load((ROLE / "meta" / "argument_specs.yml").read_text(encoding="utf-8"))
OPTIONS = SPEC["argument_specs"]["main"]["options"]


def of_module(name: str) -> set[str]:
    """Return the options that a module documents itself, those of the connection aside."""
    tree = ast.parse((ROOT / "plugins" / "modules" / f"{name}.py").read_text(encoding="utf-8"))
    (text,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "DOCUMENTATION"
    )
    return set(yaml.safe_load(text)["options"])


@pytest.mark.parametrize("variable", MODULES)
def test_every_option_is_described_and_handed_on(variable: str) -> None:
    module, tasks = MODULES[variable]
    renamed = NAMED if module == "instance" else {}
    wanted = {renamed.get(name, name) for name in of_module(module) - NOT_DECLARED}
    assert set(OPTIONS[variable]["options"]) == wanted
    text = (ROLE / "tasks" / tasks).read_text(encoding="utf-8")
    assert wanted - set(re.findall(r"provision__(?:item|instance|user)\.(\w+)", text)) == set()


def test_every_variable_has_a_default() -> None:
    """A variable without one would be undefined when it is not given."""
    defaults = yaml.safe_load((ROLE / "defaults" / "main.yml").read_text(encoding="utf-8"))
    assert set(defaults) == set(OPTIONS)
