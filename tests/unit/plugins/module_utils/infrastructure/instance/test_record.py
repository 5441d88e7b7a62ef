# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of an instance, and how desired values are compared with it."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import ImmutableChange
from ansible_collections.fcd.cloud.plugins.module_utils._engine.plan import make_plan
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_records import (
    INSTANCE_FIELDS,
    instance_fields,
    instance_record,
    is_busy,
    running,
    system_disk,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.rest_records import item


def value(number: int, label: str, dictionary: int) -> dict[str, t.Any]:
    return {"Id": number, "Label": label, "Dictionary": {"Id": dictionary, "Links": []}}


INSTANCE: dict[str, t.Any] = {
    "Id": 7,
    "Name": "web",
    "CreationDate": "2026-01-02T03:04:05Z",
    "CreationUser": {"Id": 1, "Login": "somebody", "FirstName": "A", "LastName": "B"},
    "IsLocked": False,
    "LockingDate": None,
    "Template": {"Id": 60001, "Name": "Golden image"},
    "Subregion": {"Id": 1, "Name": "EU-001"},
    "Type": value(34, "v1.standard-2.2", 12),
    "Status": value(86, "Powered On", 27),
    "IpAddress": "192.0.2.1",
    "VmWareToolsStatus": value(1367, "VMware Tools are unmanaged and running", 155),
    "HealthCheck": None,
    "IsFreemium": False,
    "CpuNumber": 2,
    "RamMb": 2048,
    "SomethingNew": {"Odd": [1]},
}


def test_the_record_is_plain_and_knows_only_what_is_documented() -> None:
    record = instance_record(INSTANCE)
    assert record["id"] == 7
    assert record["type"] == {"id": 34, "label": "v1.standard-2.2"}
    assert record["subregion"] == {"id": 1, "label": "EU-001"}
    assert record["template"] == {"id": 60001, "label": "Golden image"}
    assert record["guest_tools_status"] == {"id": 1367, "label": "VMware Tools are unmanaged and running"}
    assert record["creation_user"] == "somebody"
    assert record["isfreemium"] is False
    assert record["health_check"] is None
    assert record["dns_address"] is None
    assert "SomethingNew" not in record
    assert not [name for name in record if name != name.lower()]


@pytest.mark.parametrize("odd", [None, 5, "text", []])
def test_what_is_no_object_becomes_none(odd: object) -> None:
    assert item(odd) is None


@pytest.mark.parametrize(
    ("status", "locked", "busy", "is_running"),
    [
        (86, False, False, True),
        (86, True, True, False),
        (87, False, False, False),
        (1748, False, True, False),
        (1748, True, True, False),
    ],
)
def test_powered_on_does_not_mean_ready(status: int, locked: bool, busy: bool, is_running: bool) -> None:
    record = instance_record({**INSTANCE, "Status": value(status, "any", 27), "IsLocked": locked})
    assert is_busy(record) is busy
    assert running(record) is is_running


def test_without_a_status_it_is_not_running() -> None:
    assert not running(instance_record({"Id": 1, "Name": "web"}))


def disk(number: int, size: int, instance: int, *, system: bool) -> dict[str, t.Any]:
    connection = {"Instance": {"Id": instance}, "Controller": 0, "Slot": 0, "IsSystemDisk": system}
    return {"Id": number, "SpaceCapacity": size, "Tier": value(48, "Tier 1", 17), "Connections": [connection]}


def test_the_system_disk_is_the_one_whose_connection_says_so() -> None:
    disks = [{"Id": 1}, disk(2, 100, 7, system=False), disk(3, 50, 8, system=True), disk(4, 20, 7, system=True)]
    assert system_disk(disks, 7) is disks[3]
    assert system_disk(disks[:3], 7) is None


def place(number: int, controller: int | None, slot: int | None) -> dict[str, t.Any]:
    connection = {"Instance": {"Id": 7}, "Controller": controller, "Slot": slot, "IsSystemDisk": True}
    return {"Id": number, "Connections": [connection]}


@pytest.mark.parametrize(
    "disks",
    [
        [place(1, 0, 0), place(2, 0, 1)],
        [place(1, 0, 1), place(2, 1, 0)],
        [place(1, 0, 2), place(2, None, 0)],
        [place(1, 0, 2), place(2, 0, None)],
    ],
)
def test_of_two_system_disks_it_is_the_one_at_the_first_place(disks: list[dict[str, t.Any]]) -> None:
    for order in (disks, disks[::-1]):
        found = system_disk(order, 7)
        assert found is not None
        assert found["Id"] == 1


RECORD = {
    **instance_record(INSTANCE),
    "disk_class": {"id": 48, "label": "Tier 1"},
    "init_disk_size": 20,
    "private_networks": [{"id": 1, "label": "one"}, {"id": 2, "label": "two"}],
}


@pytest.mark.parametrize(
    ("desired", "changes"),
    [
        ({"name": "web"}, {}),
        ({"name": "other"}, {"name": "other"}),
        ({"type": {"id": 34, "label": None}}, {}),
        ({"type": {"id": 35, "label": None}}, {"type": {"id": 35, "label": None}}),
        ({"subregion": {"id": 1, "label": "anything"}, "init_disk_size": 20, "isfreemium": False}, {}),
        ({"authorization_method": {"id": 1, "label": "x"}, "ssh_keys": [5], "ip_address_id": 9}, {}),
        ({"without_public_ip": True, "init_script": "anything"}, {}),
        ({"init_disk_size": 30}, {"init_disk_size": 30}),
        ({"private_networks": [{"id": 2, "label": None}]}, {}),
        ({"private_networks": []}, {}),
        ({"private_networks": [{"id": 9, "label": None}]}, {"private_networks": [{"id": 9, "label": None}]}),
    ],
)
def test_desired_values_are_compared(desired: dict[str, t.Any], changes: dict[str, t.Any]) -> None:
    assert make_plan(INSTANCE_FIELDS, desired, RECORD, "present").values == changes


@pytest.mark.parametrize(
    ("desired", "says"),
    [
        ({"template": {"id": 60002, "label": None}}, "template is"),
        ({"isfreemium": True}, "isfreemium is false, wanted true"),
    ],
)
def test_what_cannot_change_is_an_error_with_both_values(desired: dict[str, t.Any], says: str) -> None:
    with pytest.raises(ImmutableChange) as caught:
        make_plan(INSTANCE_FIELDS, desired, RECORD, "present", kind="instance")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("desired", "purge", "after"),
    [
        ([], False, None),
        ([], True, []),
        ([2], False, None),
        ([2, 1], True, None),
        ([2], True, [2]),
        ([3], False, [1, 2, 3]),
        ([3], True, [3]),
    ],
)
def test_a_list_is_a_part_or_the_whole(desired: list[int], purge: bool, after: list[int] | None) -> None:
    items = [{"id": one, "label": None} for one in desired]
    fields = instance_fields({"purge_private_networks": purge})
    plan = make_plan(fields, {"private_networks": items}, RECORD, "present")
    assert plan.changed is (after is not None)
    if after is not None:
        assert [one["id"] for one in plan.after["private_networks"]] == after


@pytest.mark.parametrize(
    ("purge", "current", "desired", "after"),
    [
        (False, [7, 3], [5], [3, 5, 7]),
        (False, [3], [7, 5, 3], [3, 5, 7]),
        (True, [3, 9], [7, 5], [5, 7]),
    ],
)
def test_what_belongs_to_it_is_foretold_in_the_order_in_which_it_is_read(
    purge: bool, current: list[int], desired: list[int], after: list[int]
) -> None:
    fields = instance_fields({"purge_ip_addresses": purge})
    there = {"ip_addresses": [{"id": number, "label": None} for number in current]}
    wish = {"ip_addresses": [{"id": number, "label": None} for number in desired]}
    assert [one["id"] for one in make_plan(fields, wish, there, "present").after["ip_addresses"]] == after
