# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of instances for an inventory."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance_choice
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance_info as listing
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.reference_names import ReferenceNames

Item = t.Dict[str, t.Any]
ON, OFF = {"Id": 86, "Label": "Powered On"}, {"Id": 87, "Label": "Powered Off"}


class Api:
    """A service with these instances; ``asked`` is what it was asked for."""

    def __init__(self, *instances: Item) -> None:
        self.instances = list(instances)
        self.asked: list[t.Any] = []

    def list_instances(self, **filters: t.Any) -> list[Item]:
        self.asked.append(filters)
        return self.instances

    def list_subregions(self) -> list[Item]:
        self.asked.append("subregions")
        return [{"Id": 1, "Name": "EU-001"}, {"Id": 4, "Name": "EU-002"}]

    def list_instance_types(self) -> list[Item]:
        self.asked.append("types")
        return [{"Id": 34, "Name": "v1.standard-2.2"}]


def read(api: Api, **filters: t.Any) -> list[Item]:
    made = t.cast("t.Any", api)
    return listing.read_instances(made, listing.parse_filters(filters), ReferenceNames(made))


def test_everything_is_read_with_the_list() -> None:
    api = Api({"Id": 1, "Name": "a", "Status": ON}, {"Id": 2, "Name": "b", "Status": OFF})
    assert [(one["name"], one["status"]["label"]) for one in read(api)] == [("a", "Powered On"), ("b", "Powered Off")]
    assert api.asked == [{}]


def test_deleted_and_doubled_ones_are_left_out() -> None:
    api = Api({"Id": 1, "Name": "a"}, {"Id": 2, "Name": "b", "Status": {"Id": 126}}, {"Id": 1, "Name": "a"})
    assert [one["id"] for one in read(api)] == [1]


def test_filters_go_to_the_service() -> None:
    api = Api()
    read(api, query="web", is_turned_on="yes", subregion_id="4", type_id=34, template_type_id=174)
    assert api.asked == [
        {"query": "web", "is_turned_on": True, "subregion_id": 4, "type_id": 34, "template_type_id": 174}
    ]


def test_labels_become_numbers() -> None:
    api = Api()
    read(api, subregion="eu-002", type="v1.standard-2.2", query=None)
    assert api.asked == ["subregions", "types", {"subregion_id": 4, "type_id": 34}]


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"subregoin": "x"}, "filters: there is no 'subregoin'. Did you mean 'subregion'"),
        ({"type_id": "x"}, "filters.type_id must be a whole number, not 'x'."),
        ({"is_turned_on": "perhaps"}, "filters.is_turned_on must be true or false"),
        ({"subregion": "EU-001", "subregion_id": 1}, "filters: give subregion or subregion_id, not both."),
        ({"subregion": "EU-01"}, "Did you mean 'EU-001'"),
    ],
)
def test_wrong_filters(filters: Item, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(Api(), **filters)
    assert words in str(refused.value)


def test_equal_items_become_one_object() -> None:
    records = read(Api(*({"Id": number, "Name": "x", "Status": {**ON}} for number in range(3))))
    listing.share_items(records)
    assert len({id(one["status"]) for one in records}) == 1
    assert records[2]["status"] == {"id": 86, "label": "Powered On"}


RECORD = {
    "id": 7,
    "name": "web-1",
    "status": {"id": 86, "label": "Powered On"},
    "is_locked": False,
    "ram_mb": 2048,
    "health_check": None,
    "ip_address": "",
}


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        ({"name": "web-*"}, True),
        ({"name": "WEB-*"}, False),
        ({"name": ["db", "web-?"]}, True),
        ({"name": []}, False),
        ({"name": "web-*", "is_locked": True}, False),
        ({"name": "web-*", "is_locked": False}, True),
        ({"is_locked": 0}, False),
        ({"status": "Powered On"}, True),
        ({"status": 86}, True),
        ({"status.id": "86"}, True),
        ({"status.label": 86}, False),
        ({"status": None}, False),
        ({"health_check": None}, True),
        ({"health_check.label": None}, True),
        ({"health_check": "*"}, False),
        ({"ram_mb": 2048}, True),
        ({"ip_address": ""}, True),
    ],
)
def test_rules(rule: Item, fits: bool) -> None:
    assert instance_choice.fits_rules(RECORD, instance_choice.rules_of("include", [rule])) is fits


def test_one_rule_is_enough() -> None:
    assert instance_choice.fits_rules(RECORD, instance_choice.rules_of("exclude", [{"name": "x"}, {"id": 7}]))
    assert not instance_choice.fits_rules(RECORD, [])


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("name", "include takes mappings from keys to values, not 'name'."),
        ({}, "include takes mappings"),
        ({"statsu": 1}, "include: an instance has no 'statsu'. Did you mean 'status'"),
        ({"status.name": 1}, "include: there is no 'status.name'; after the dot, use id or label"),
        ({"status.id.x": 1}, "as in status.label."),
    ],
)
def test_wrong_rules(rule: t.Any, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        instance_choice.rules_of("include", [rule])
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("choice", "address"),
    [
        ("public", "198.51.100.1"),
        ("private", "10.0.0.1"),
        ("public_or_private", "198.51.100.1"),
        ("private_or_public", "10.0.0.1"),
        ("dns", "i-1.example.com"),
        ("none", None),
    ],
)
def test_addresses(choice: str, address: str | None) -> None:
    record = {"ip_address": "198.51.100.1", "private_ip_address": "10.0.0.1", "dns_address": "i-1.example.com"}
    assert instance_choice.address_of(record, choice) == address


def test_the_other_address_where_one_is_missing() -> None:
    assert (
        instance_choice.address_of({"ip_address": "", "private_ip_address": "10.0.0.1"}, "public_or_private")
        == "10.0.0.1"
    )
    assert instance_choice.address_of({"ip_address": None, "private_ip_address": None}, "private_or_public") is None


@pytest.mark.parametrize(
    ("names", "apart"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "b", "a"], ["a_1", "b", "a_3"]),
        (["a", "a_1", "a"], ["a_1_1", "a_1", "a_3"]),
        (["all", "a"], ["all_1", "a"]),
        (["all", "all_1"], ["all_1_1", "all_1"]),
        (["x", "x"], ["x_1_1", "x_2"]),
    ],
)
def test_names_apart(names: list[str], apart: list[str]) -> None:
    numbers = range(1, len(names) + 1)
    result, changed = instance_choice.distinct_names(names, numbers, lambda name, _number: name in ("all", "x_1"))
    assert result == apart
    assert len(set(result)) == len(names)
    assert changed == {new: old for new, old in zip(apart, names) if new != old}


def test_no_variable_is_a_connection_option() -> None:
    """Lookups take their options out of variables with the same prefix."""
    assert not set(instance_choice.RECORD_KEYS) & set(OPTIONS)
