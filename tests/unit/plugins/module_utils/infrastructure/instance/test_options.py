# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of instance: names of instances, numbers or labels, bounds, and what a create lacks."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_options import (
    INSTANCE_OPTIONS,
    check_instance,
    instance_names,
    missing_options,
    reference,
)

COMPLETE = {"name": "web", "template_id": 60001, "subregion": "EU-001", "type_id": 34}


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({"name": "web"}, ["web"]),
        ({"name": "web", "instances_count": 1}, ["web"]),
        ({"name": "web", "instances_count": 3}, ["web-1", "web-2", "web-3"]),
        ({"name": None, "id": 7}, []),
    ],
)
def test_names_of_the_declared_instances(params: dict[str, t.Any], names: list[str]) -> None:
    assert instance_names(params) == names


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"type_id": 34}, 34),
        ({"type_id": 0}, 0),
        ({"type": "34"}, 34),
        ({"type": " 34 "}, 34),
        ({"type": "v1.standard-2.2"}, "v1.standard-2.2"),
        ({"type": " EU "}, "EU"),
        ({"type": "\u00b2"}, "\u00b2"),
        ({"type": "9" * 5000}, "9" * 5000),
        ({}, None),
        ({"type": None, "type_id": None}, None),
    ],
)
def test_a_reference_is_a_number_or_a_label(params: dict[str, t.Any], expected: object) -> None:
    found = reference(params, "type")
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"name": ""}, "name: '' has 0 characters; 1 to 40 are allowed."),
        ({"name": "  "}, "name: the name consists of spaces only."),
        ({"name": "web", "template": "0"}, "template: 0 is not a valid ID; IDs start at 1."),
        ({"name": "web", "disk_class": "0"}, "disk_class: 0 is not a valid ID"),
        ({"name": "web", "ip_addresses": ["0"]}, "ip_addresses: 0 is not a valid ID"),
        ({"name": "web", "ip_address_id": 0}, "ip_address_id: 0 is not a valid ID"),
        ({"name": "web", "ssh_keys": ["5", " 0 "]}, "ssh_keys: 0 is not a valid ID"),
        ({"name": "a" * 41}, "has 41 characters"),
        ({"name": "a" * 39, "instances_count": 2}, "has 41 characters"),
        ({"name": "a/b"}, "name: 'a/b' contains one of the characters"),
        ({"name": "a\\b"}, "contains one of the characters"),
        ({"name": "50%"}, "contains one of the characters"),
        ({"name": "web", "init_disk_size": 4}, "init_disk_size: 4 is not between 5 and 300 GB."),
        ({"name": "web", "instances_count": 0}, "instances_count: 0 is not between 1 and 50."),
        ({"name": "web", "instances_count": 51}, "instances_count: 51"),
        ({"name": "web", "type": ""}, "type: the label is empty."),
        ({"name": "web", "disk_class": " "}, "disk_class: the label is empty."),
        ({"name": "web", "instances_count": 2, "ip_address_id": 9}, "ip_address_id: one address cannot be used"),
        ({"name": "web", "authorization_method": "1398", "ssh_keys": []}, "ssh_keys: this authorization method"),
        ({"name": "web", "instances_count": 2, "ip_addresses": ["9"]}, "ip_addresses: one address cannot be used"),
        (
            {"name": "web", "ip_addresses": ["9"], "without_public_ip": True},
            "without_public_ip: it contradicts ip_addre",
        ),
        (
            {"name": "web", "ip_address_id": 9, "without_public_ip": True},
            "without_public_ip: it contradicts ip_address_i",
        ),
        ({"name": "web", "purge_private_networks": True}, "purge_private_networks: it needs private_networks"),
        ({"name": "web", "private_networks": ["a", " "]}, "private_networks: an entry is empty."),
        (
            {"name": "web", "instances_count": 2, "access_data": True},
            "access_data: it is only available for a single instance",
        ),
        ({"id": 7, "recreate": True}, "recreate: a re-created instance has a new ID"),
    ],
)
def test_what_the_service_cannot_take_is_told(params: dict[str, t.Any], says: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_instance(params)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "params",
    [
        COMPLETE,
        {"name": "a"},
        {"name": "a" * 40, "init_disk_size": 5},
        {"name": "a" * 38, "instances_count": 9, "init_disk_size": 300},
        {"name": "two words & ümläut", "instances_count": 50},
        {"id": 7},
        {"name": "web", "instances_count": 1, "ip_address_id": 9},
        {"name": "web", "authorization_method_id": 1398, "ssh_keys": ["a"]},
        {"name": "web", "authorization_method_id": 1398},
        {"name": "web", "init_disk_size": 4000},  # a disk that has grown
        {"name": "web", "private_networks": [], "purge_private_networks": True, "ip_addresses": ["9"]},
        {"name": "web", "without_public_ip": True, "ip_addresses": []},
    ],
)
def test_good_values_pass(params: dict[str, t.Any]) -> None:
    check_instance(params)


@pytest.mark.parametrize(
    ("without", "lacking"),
    [
        ([], []),
        (["type_id"], []),
        (["template_id", "subregion", "type_id"], ["template", "subregion"]),
        (list(COMPLETE), ["name", "template", "subregion"]),
    ],
)
def test_all_that_a_create_lacks_is_told_at_once(without: list[str], lacking: list[str]) -> None:
    assert missing_options({name: value for name, value in COMPLETE.items() if name not in without}) == lacking


def test_every_attribute_of_the_contract_is_an_option() -> None:
    contract = {
        *("instance_name", "authorization_method_id", "disk_class", "init_disk_size", "ip_address_id"),
        *("subregion_id", "type_id", "template_id", "instances_count", "isfreemium"),
    }
    known = set(INSTANCE_OPTIONS) | {
        alias for option in INSTANCE_OPTIONS.values() for alias in option.get("aliases", ())
    }
    assert contract <= known
