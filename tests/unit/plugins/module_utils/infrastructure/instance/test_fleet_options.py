# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of a fleet: what an instance gets from the defaults, and what is refused before anything is sent."""

from __future__ import annotations

import typing as t

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import own_options
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_fleet import (
    FLEET_OPTIONS,
    MEMBER_OPTIONS,
    SHARED_OPTIONS,
    TASK_OPTIONS,
    concurrency,
    member_params,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_options import (
    INSTANCE_OPTIONS as INSTANCE,
)


def validated(**given: t.Any) -> dict[str, t.Any]:
    """Return the options as Ansible hands them on."""
    done = ArgumentSpecValidator(FLEET_OPTIONS).validate(given)
    assert done.error_messages == []
    return own_options(FLEET_OPTIONS, done.validated_parameters)


def single(instance: dict[str, t.Any], **shared: t.Any) -> dict[str, t.Any]:
    """Return the options of the only instance."""
    (found,) = member_params(validated(instances=[{"name": "web", **instance}], instance_defaults=shared))
    return found


def test_every_option_of_an_instance_is_of_the_instance_or_of_the_task() -> None:
    assert {*MEMBER_OPTIONS, *TASK_OPTIONS} == set(INSTANCE)
    assert set(SHARED_OPTIONS) < set(MEMBER_OPTIONS)


def test_an_instance_has_all_options_of_an_instance() -> None:
    assert set(single({})) == set(INSTANCE)


def test_without_anything_the_defaults_of_an_instance_hold() -> None:
    plain = single({})
    assert {name: plain[name] for name in INSTANCE if name != "name"} == {
        name: option.get("default") for name, option in INSTANCE.items() if name != "name"
    }


@pytest.mark.parametrize(
    ("instance", "shared", "desired"),
    [
        ({}, {"type": "small"}, {"type": "small", "type_id": None}),
        ({"type": "large"}, {"type": "small"}, {"type": "large", "type_id": None}),
        ({"type_id": 7}, {"type": "small"}, {"type": None, "type_id": 7}),
        ({"type": "large"}, {"type_id": 3, "template_id": 1}, {"type": "large", "type_id": None, "template_id": 1}),
        (
            {"init_disk_size": 40},
            {"init_disk_size": 20, "disk_class": "48"},
            {"init_disk_size": 40, "disk_class": "48"},
        ),
        ({"isfreemium": False}, {"isfreemium": True}, {"isfreemium": False}),
        ({"ssh_keys": []}, {"ssh_keys": ["a"]}, {"ssh_keys": []}),
    ],
)
def test_what_the_instance_says_comes_first(
    instance: dict[str, t.Any], shared: dict[str, t.Any], desired: dict[str, t.Any]
) -> None:
    found = single(instance, **shared)
    assert {name: found[name] for name in desired} == desired


def test_the_contracts_name_is_taken_too() -> None:
    (found,) = member_params(validated(instances=[{"instance_name": "db"}]))
    assert found["name"] == "db"


@pytest.mark.parametrize(
    ("instances", "words"),
    [
        ([{"name": "a"}, {"name": "b"}, {"name": "a"}], "instances: these names occur more than once: a."),
        ([{"name": "a"}, {"name": "b/c"}], "instances[1] (b/c): name: 'b/c' contains one of the characters"),
        ([{"name": "a", "init_disk_size": 2}], "instances[0] (a): init_disk_size: 2 is not between"),
        ([{"name": "x" * 41}], "has 41 characters"),
    ],
)
def test_wrong_instances(instances: list[dict[str, t.Any]], words: str) -> None:
    with pytest.raises(InvalidInput) as error:
        member_params(validated(instances=instances))
    assert words in str(error.value)


@pytest.mark.parametrize("number", [0, 101, -1])
def test_wrong_concurrency(number: int) -> None:
    with pytest.raises(InvalidInput, match=f"concurrency: {number} is not between 1 and 100"):
        concurrency(validated(instances=[], concurrency=number))


def test_contradictions_are_refused_by_ansible() -> None:
    wrong = {"instances": [{"name": "a", "type": "x", "type_id": 3}]}
    assert "type_id|type" in str(ArgumentSpecValidator(FLEET_OPTIONS).validate(wrong).error_messages)
