# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that are null or unknown: the service may send any of them so, but for numbers and names."""

from __future__ import annotations

import re
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure import (
    disk,
    instance_schedule,
    ip_address,
    offers,
    private_network,
    snapshot,
    ssh_key,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance_export, instance_import

from .conftest import Account

KINDS: dict[str, tuple[t.Callable[..., t.Any], str]] = {
    "disk": (
        disk.disk_record,
        "SpaceCapacity Tier CreationDate CreationUser IsShared SharedDiskType Subregion Connections",
    ),
    "ip_address": (
        ip_address.ip_address_record,
        "Address Comment Instance Subregion DefaultSubregion Type Mode OwnerAccount RevDns",
    ),
    "instance_export": (
        instance_export.export_record,
        "Instance Status OcsLocation OcsProjectId TotalSpaceCapacity EndDate CreationUser Origin Scheduler",
    ),
    "instance_import": (instance_import.import_record, "Status Size DisksCount EndDate CreationUser"),
    "instance_template": (
        offers.template_record,
        "Version Description SystemCategory Disks Software OwnerAccount PublicationStatus LastChangeDate",
    ),
    "instance_schedule": (
        instance_schedule.instance_schedule_record,
        "StartDate TimeZoneName Status Type ActionType CycleType CycleNumber Snapshot IsBackupsDaysLimit CreationUser",
    ),
    "private_network": (private_network.private_network_record, "CreationDate LastChangeDate CreationUser PrivateIps"),
    "snapshot": (
        snapshot.snapshot_record,
        "Description Instance CreationDate IsSystem IsCurrent SnapshotParent CreationUser",
    ),
    "ssh_key": (ssh_key.ssh_key_record, "Value OwnerUser CreationDate"),
}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExam example"
DISK: dict[str, t.Any] = {"name": "data", "size": 10, "disk_class": "Tier 2", "subregion": "EU-001"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_of_nothing_but_nulls(kind: str) -> None:
    described, members = KINDS[kind]
    bare, null = {"Id": 5, "Name": "x"}, dict.fromkeys(members.split())
    known = described({**bare, **null, "NobodyKnows": {"Id": 1}})
    assert known == described(bare)
    assert known["id"] == 5


@pytest.mark.parametrize(
    ("described", "member"),
    [(disk.disk_record, "Connections"), (private_network.private_network_record, "PrivateIps")],
)
def test_a_place_without_an_instance_is_none(described: t.Any, member: str) -> None:
    record = described({"Id": 5, "Name": "x", member: [{"Instance": None}, {"Instance": {"Id": 7}}]})
    assert [one["id"] for one in record["instances"]] == [7]


def _nulls(account: Account, name: str, *members: str) -> None:
    """Let the service tell nothing of these members of the disk."""
    (number,) = (one["id"] for one in account.run("disk_info", name=name)["disks"])
    body = {**account.api.read_one("Read", f"/disks/{number}"), **dict.fromkeys(members)}
    account.fault(
        "status_before", "GET", r"/disks\?", status=200, body={"Items": [body], "Meta": {"Total": 1}}, times=0
    )
    account.fault("status_before", "GET", rf"/disks/{number}$", status=200, body=body, times=0)


def test_a_disk_whose_size_nobody_tells(account: Account) -> None:
    account.run("disk", name="data", size=10, disk_class="Tier 2", subregion="EU-001")
    _nulls(account, "data", "SpaceCapacity")
    for check_mode in (True, False):
        assert account.run("disk", name="data", size=20, check_mode=check_mode)["action"] == "none"


def test_a_disk_that_would_lose_what_nobody_tells_is_not_renamed(account: Account) -> None:
    number = account.run("disk", name="data", size=10, disk_class="Tier 2", subregion="EU-001")["disk"]["id"]
    _nulls(account, "data", "Tier", "Subregion")
    said = account.fails(errors.InvalidInput, "disk", id=number, name="other")
    assert "The service does not return disk_class, subregion of disk 'data'" in said
    assert account.writes() == []


def test_an_instance_whose_subregion_nobody_tells(account: Account) -> None:
    web = account.instance("web")
    body = {**account.api.get_instance(web), "Subregion": None}
    account.fault("status_before", "GET", rf"/instances/{web}$", status=200, body=body, times=0)
    given = {"name": "data", "size": 10, "disk_class": "Tier 2", "instances": [str(web)]}
    assert f"does not return that of instance web ({web})" in account.fails(errors.InvalidInput, "disk", **given)
    assert account.writes() == []
    account.sandbox.clear_faults()


@pytest.mark.parametrize(
    ("module", "wish", "member"),
    [
        ("ssh_key", {"name": "k", "public_key": KEY}, "ssh_key.Value"),
        ("disk", DISK, "disk.SpaceCapacity"),
        ("disk", DISK, "disk.Tier"),
        ("disk", DISK, "disk.Subregion"),
        ("ip_address", {"comment": "mail", "subregion": "EU-001", "static": True}, "ip_address.Type"),
    ],
)
def test_it_is_made_once_and_stays(account: Account, module: str, wish: dict[str, t.Any], member: str) -> None:
    account.settings(null_members=[member])
    assert account.run(module, **wish)["changed"] is True
    account.warnings.clear()
    again = {**wish, "recreate": True} if module == "ssh_key" else wish
    assert account.run(module, **again)["changed"] is False
    assert account.writes() == []
    (warning,) = account.warnings
    assert re.match(r"The service does not return \w+ of .*: not compared\.", warning)


def test_an_address_that_may_be_automatic_is_not_lost(account: Account) -> None:
    account.instance("web", OpnsIds=[41001])
    (address,) = account.truth("ips")
    account.settings(null_members=["ip_address.Type"])
    said = account.fails(errors.InvalidInput, "ip_address", id=address["Id"], detached=True)
    assert "is automatic: once detached, it may be lost" in said
    assert [one["Id"] for one in account.truth("ips")] == [address["Id"]]


TIMES = {"every": "1 day", "at": "22:00", "timezone": "Europe/Warsaw"}
CHECK = {"name": "n", "kind": "http", "address": "a.example.com", "timeout": 5000, "notification_types": ["email"]}
BALANCER = {"group": "tier", "target_port": 8080, "ssl": False}
AUTOSCALER = {"group": "tier", "expansion": "clone", "min_instances": 1, "max_instances": 2, "instances": ["web", "db"]}
STOP = {"name": "n", "instance": "web", "action": "stop", **TIMES}
ADD = {"name": "n", "group": "tier", "instance": "web", "action": "add", **TIMES}
SENT_ALONG: list[tuple[str, dict[str, t.Any], str, dict[str, t.Any]]] = [
    ("group_autoscaler", AUTOSCALER, "group_autoscaler.Instances", {"max_instances": 3}),
    ("group_autoscaler", AUTOSCALER, "group_autoscaler.MinimumInstanceNumber", {"max_instances": 3}),
    ("group_autoscaler", AUTOSCALER, "group_autoscaler_instance.Instance", {"max_instances": 3}),
    ("group_autoscaler", AUTOSCALER, "group_autoscaler_instance.OrderNumber", {"max_instances": 3}),
    ("group_schedule", ADD, "group_scheduler.Instance", {"at": "23:00"}),
    ("group_schedule", ADD, "group_scheduler.StartDate", {"action": "remove"}),
    ("health_check", CHECK, "health_check_http.NotificationTypes", {"interval": 120}),
    ("health_check", CHECK, "health_check_http.Timeout", {"interval": 120}),
    ("instance_schedule", STOP, "instance_scheduler.TimeZoneName", {"action": "start"}),
    ("load_balancer", BALANCER, "load_balancer.SslEnabled", {"target_port": 8081}),
]


@pytest.mark.parametrize(("module", "wish", "member", "change"), SENT_ALONG)
def test_what_is_sent_along_is_declared_or_not_lost(
    account: Account, module: str, wish: dict[str, t.Any], member: str, change: dict[str, t.Any]
) -> None:
    for name in ("web", "db"):
        account.instance(name)
    account.run("instance_group", name="tier", instances=["web", "db"])
    account.run(module, **wish)
    account.settings(null_members=[member])
    assert (account.run(module, **wish)["changed"], account.writes()) == (False, [])
    own = ("name", "group") if module == "group_schedule" else ("name", "group", "instance")
    known = {option: value for option, value in wish.items() if option in own}
    for check_mode in (True, False):
        said = account.fails(errors.InvalidInput, module, check_mode=check_mode, **known, **change)
        assert "The service does not return " in said and account.writes() == []
    assert account.run(module, **{**wish, **change})["changed"] is True
    account.settings(null_members=[])
    assert account.run(module, **{**wish, **change})["changed"] is False


@pytest.mark.parametrize(
    ("module", "wish", "member"),
    [
        ("group_schedule", ADD, "group_scheduler.Group"),
        ("instance_schedule", STOP, "instance_scheduler.Instance"),
    ],
)
def test_a_schedule_that_does_not_tell_what_it_is_of(
    account: Account, module: str, wish: dict[str, t.Any], member: str
) -> None:
    account.instance("web")
    account.run("instance_group", name="tier", instances=["web"])
    number = account.run(module, **wish)[module]["id"]
    account.settings(null_members=[member])
    for change, changed in (({}, False), ({"at": "23:00"}, True)):
        result = account.run(module, **{**wish, **change})
        assert (result["changed"], result[module]["id"]) == (changed, number)
