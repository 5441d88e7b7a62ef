# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A number that no object can have is told before anything is sent, whichever option gives it."""

from __future__ import annotations

import itertools
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import parse_filters
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.rest_records import check_numbers

from .conftest import Account

CLONE = {"name": "web", "clone_name": "copy", "clone_type": "current_configuration"}
TEMPLATE = {"template_name": "a", "version": "1", "descriptions": [{"language": "1", "description": "b"}]}
CHECKS = ("health_check", "health_check_notification")
PARTS = ("disk", "ip_address", "private_network", "ssh_key", "snapshot", "instance_export", "instance_import")
READERS = [f"{module}_info" for module in (*PARTS, *CHECKS)]
CASES: list[tuple[str, str, dict[str, t.Any]]] = [
    *((module, "id", {}) for module in ("instance", "disk", "ip_address", "private_network", "ssh_key", "snapshot")),
    *((module, "id", {}) for module in CHECKS),
    *((module, "id", {}) for module in READERS),
    *(
        ("instance", f"{option}_id", {"name": "web"})
        for option in ("template", "subregion", "type", "authorization_method", "ip_address")
    ),
    ("snapshot_restore", "id", {}),
    ("instance_template", "id", {}),
    ("instance_import", "id", {}),
    ("instance_power", "id", {"action": "reset"}),
    ("instance_clone", "id", {**CLONE, "name": None}),
    ("instance_clone", "subregion_id", CLONE),
    ("instance_to_template", "id", TEMPLATE),
    ("instance_to_template", "minimum_type_id", {"name": "web", **TEMPLATE}),
]


def test_it_is_told_before_anything_is_sent(account: Account, subtests: pytest.Subtests) -> None:
    for number, (module, option, more) in itertools.product((0, -5), CASES):
        with subtests.test(number=number, module=module):
            said = account.fails(errors.InvalidInput, module, **more, **{option: number})
            assert said == f"{option}: {number} is not a valid ID; IDs start at 1."
            assert account.sent() == []


def test_a_reader_of_one_object_tells_that_its_id_does_not_exist(account: Account, subtests: pytest.Subtests) -> None:
    for module in READERS:
        with subtests.test(module=module):
            key = f"{module.removesuffix('_info')}s".replace("addresss", "addresses")
            assert account.run(module, id=999999) == {"changed": False, key: [], "missing": [999999]}
            assert "missing" not in account.run(module)


def test_an_id_that_exists_is_not_missing(account: Account) -> None:
    (key,) = account.run("ssh_key_info")["ssh_keys"]
    assert account.run("ssh_key_info", id=key["id"]) == {"changed": False, "ssh_keys": [key], "missing": []}


def test_filters_of_an_inventory_are_numbers_too() -> None:
    with pytest.raises(errors.InvalidInput, match=r"^filters\.type_id: -1 is not a valid ID"):
        parse_filters({"type_id": "-1"})


def test_what_is_no_number_of_an_object_is_left_alone(subtests: pytest.Subtests) -> None:
    for good in ({}, {"id": None}, {"id": 1}, {"id": [1, 2]}, {"name": -1}, {"type_id": "-1"}, {"identity": -1}):
        with subtests.test(good=good):
            check_numbers(good)


def test_one_of_several_is_enough() -> None:
    with pytest.raises(errors.InvalidInput, match=r"^id: 0 is not a valid ID"):
        check_numbers({"id": [1, 0]})
