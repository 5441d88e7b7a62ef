# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The roles take what their modules take: each option is described, and handed on."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ROLES = ROOT / "roles"
MODULES = {
    "provision_instances": ("instance", "provision/tasks/instances.yml"),
    "provision_storage_containers": ("storage_container", "object_storage/tasks/containers.yml"),
    "provision_storage_objects": ("storage_object", "object_storage/tasks/objects.yml"),
    "provision_warehouses": ("warehouse", "provision/tasks/warehouses.yml"),
    "provision_client_users": ("client_user", "provision/tasks/client_users.yml"),
    "object_storage_containers": ("storage_container", "object_storage/tasks/containers.yml"),
    "object_storage_objects": ("storage_object", "object_storage/tasks/objects.yml"),
    "object_storage_folders": ("storage_sync", "object_storage/tasks/folders.yml"),
}
NOT_DECLARED = {
    "instance": {"id", "access_data"},
    "client_user": {"id", "sid"},
    "warehouse": {"id"},
    "storage_sync": {"mode", "source_container", "source_prefix", "file_mode", "directory_mode"},
}
"""A site says what is to be, under a name; numbers and security identifiers are given by the service.

What ``access_data`` returns is a secret, and would stay in the result of the role. Folders are only published."""

NAMED = {"name": "instance_name"}
SPECS = {
    role.name: yaml.safe_load((role / "meta" / "argument_specs.yml").read_text(encoding="utf-8"))
    for role in sorted(ROLES.iterdir())
}
OPTIONS = {role: spec["argument_specs"]["main"]["options"] for role, spec in SPECS.items()}
HANDED_ON = re.compile(r"(?:provision|object_storage)__(?:item|instance|user|container|object|folder)\.(\w+)")


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
    wanted = {renamed.get(name, name) for name in of_module(module) - NOT_DECLARED.get(module, set())}
    (described,) = (options[variable] for options in OPTIONS.values() if variable in options)
    assert set(described["options"]) == wanted
    text = (ROLES / tasks).read_text(encoding="utf-8")
    in_removal = {"force", "state"} if module == "storage_container" else set()
    assert wanted - set(HANDED_ON.findall(text)) - in_removal == set()


@pytest.mark.parametrize("role", SPECS)
def test_every_variable_has_a_default(role: str) -> None:
    """A variable without one would be undefined when it is not given."""
    defaults = yaml.safe_load((ROLES / role / "defaults" / "main.yml").read_text(encoding="utf-8"))
    assert set(defaults) == set(OPTIONS[role])
