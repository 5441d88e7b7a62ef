# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation of the storage modules says what their operations take and return."""

from __future__ import annotations

import types
import typing as t

import pytest
import yaml

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import account as account_operation
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import container as container_operation
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import object as object_operation
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.account import UNKNOWN_ACCOUNT
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.container import UNKNOWN_CONTAINER
from ansible_collections.fcd.cloud.plugins.modules import storage_account, storage_container, storage_object

MANAGERS = [
    (storage_account, account_operation, "account"),
    (storage_container, container_operation, "container"),
    (storage_object, object_operation, "object"),
]
UNKNOWN = {"account": UNKNOWN_ACCOUNT, "container": UNKNOWN_CONTAINER, "object": object_operation.UNKNOWN}


@pytest.mark.parametrize(("face", "resource", "key"), MANAGERS)
def test_options_are_documented_as_they_are(face: types.ModuleType, resource: types.ModuleType, key: str) -> None:
    del key
    documented = yaml.safe_load(face.DOCUMENTATION)["options"]
    stated = {
        name: {what: value for what, value in option.items() if what != "description"}
        for name, option in documented.items()
    }
    hidden = "no_log"  # it is not documented
    options = resource.OPERATION.options.items()
    assert stated == {name: {what: option[what] for what in option if what != hidden} for name, option in options}


@pytest.mark.parametrize(("face", "resource", "key"), MANAGERS)
def test_results_are_documented(face: types.ModuleType, resource: types.ModuleType, key: str) -> None:
    del resource
    returned = yaml.safe_load(face.RETURN)
    assert set(returned) == {key, "action"}
    assert set(returned[key]["contains"]) == set(returned[key]["sample"]) == set(UNKNOWN[key])


@pytest.mark.parametrize(("face", "resource", "key"), MANAGERS)
def test_examples_use_options_that_exist(face: types.ModuleType, resource: types.ModuleType, key: str) -> None:
    known = set(resource.OPERATION.options) | {"storage_base", "storage_user", "storage_key"}
    tasks: list[dict[str, t.Any]] = yaml.safe_load(face.EXAMPLES)
    used = [task[f"fcd.cloud.storage_{key}"] for task in tasks if f"fcd.cloud.storage_{key}" in task]
    assert len(used) >= 4
    assert {name for options in used for name in options} <= known
