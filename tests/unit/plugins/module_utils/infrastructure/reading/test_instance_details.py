# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an inventory reads about instances besides their list, and with how many requests."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_details import (
    DETAILS,
    add_details,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import read_instances
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.reference_names import ReferenceNames

if t.TYPE_CHECKING:
    from .conftest import Account

BALANCER = {"ServiceType": 43, "SessionPersistenceType": 46, "LoadBalancerAlgorithm": 612, "IpVersion": 115}
NIGHTLY = {
    "Name": "nightly",
    "ActionTypeId": 70,
    "StartDate": "2999-01-01T22:00:00Z",
    "TimeZoneName": "UTC",
    "TypeId": 64,
    "CycleNumber": 1,
    "CycleTypeId": 66,
}


@pytest.fixture
def tier(account: Account) -> Account:
    """Two instances in two groups, one of which has a load balancer; a third instance, and an empty group."""
    for name in ("web-1", "web-2", "single"):
        account.create(name)
    api: Infrastructure = account.api()
    numbers = {one["Name"]: one["Id"] for one in api.list_instances()}
    for name in ("web", "all web", "empty"):
        group = api.create_group(name, 1403)["Id"]
        if name != "empty":
            places = [{"InstanceId": numbers[one], "IpId": address(api, numbers[one])} for one in ("web-1", "web-2")]
            api.change_group_assignments(group, places)
        if name == "web":
            api.create_load_balancer(group, BALANCER)
    api.create_schedule(numbers["web-1"], NIGHTLY)
    account.sandbox.clear_requests()
    return account


def address(api: Infrastructure, number: int) -> int:
    found: int = api.list_instance_ip_addresses(number)[0]["Id"]
    return found


def read(account: Account, *names: str, **checks: int) -> dict[str, dict[str, t.Any]]:
    """Return the records by name, and leave what was sent for the details in the log."""
    api: Infrastructure = account.api()
    records = read_instances(api, {}, ReferenceNames(api))
    for record in records:
        record["health_check"] = {"id": checks[record["name"]], "label": None} if record["name"] in checks else None
    account.sandbox.clear_requests()
    add_details(api, records, names)
    return {one["name"]: one for one in records}


def test_nothing_is_read_that_nobody_asked_for(tier: Account) -> None:
    found = read(tier)
    assert tier.sent() == []
    assert not set(DETAILS.values()) & set(found["web-1"])


def test_the_members_of_each_group_are_one_request(tier: Account) -> None:
    found = read(tier, "groups", "load_balancers")
    assert {name: (one["groups"], one["load_balancers"]) for name, one in found.items()} == {
        "web-1": (["all web", "web"], ["web"]),
        "web-2": (["all web", "web"], ["web"]),
        "single": ([], []),
    }
    kinds = [one.rpartition("/")[2] for one in tier.sent()]
    assert sorted(kinds) == ["assignments", "assignments", "assignments", "groups", "load_balancers"]


def test_load_balancers_alone_need_their_own_groups(tier: Account) -> None:
    assert read(tier, "load_balancers")["web-2"]["load_balancers"] == ["web"]
    assert [one.rpartition("/")[2] for one in tier.sent()] == ["load_balancers", "assignments"]


def test_schedules_are_one_list(tier: Account) -> None:
    found = read(tier, "schedules")
    assert [[(one["name"], one["action"]) for one in record["schedules"]] for record in found.values()] == [
        [("nightly", "stop")] if name == "web-1" else [] for name in found
    ]
    assert tier.sent() == ["GET /instances/schedulers"]


def test_health_checks_are_one_list(tier: Account) -> None:
    number = tier.api().create_health_check(
        "ping",
        {"Name": "alive", "Address": "192.0.2.1", "ErrorTolerance": 1, "Interval": 60, "NotificationTimeId": 1594}
        | {"Paused": True, "LocationsFailoverEnabled": False, "PackageSize": 64, "ReplyTimeout": 3000},
    )["Id"]
    found = read(tier, "health_checks", **{"web-1": number})
    assert tier.sent() == ["GET /watch/healthchecks"]
    assert found["web-1"]["health_check"] == {"id": number, "label": "alive"}
    assert (found["web-1"]["health_check_status"]["id"], found["single"]["health_check_status"]) == (1436, None)
