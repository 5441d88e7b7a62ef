# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating instances: ticket, visibility, lock, rules."""

from __future__ import annotations

from typing import Any

import pytest

NEW = {"InstanceName": "web", "TemplateId": 765}
KEY, NETWORK = 31001, 41001


def test_the_ticket_grows_and_names_the_instance_at_its_end(client: Any) -> None:
    client.settings["ticket_seconds"] = 10
    ticket = client.post("/instances", NEW).data
    assert (ticket["Status"]["Id"], ticket["ObjectId"], ticket["Progress"], ticket["EndDate"]) == (135, None, 0, None)
    assert (ticket["ObjectType"]["Id"], ticket["ObjectName"], ticket["OperationType"]["Id"]) == (139, "web", 138)
    assert ticket["Id"] > 2**32
    seen = []
    for _ in range(3):
        client.clock.pass_by(3)
        seen.append(client.get(f"/tickets/{ticket['Id']}").data)
    assert [one["Progress"] for one in seen] == [30, 60, 90]
    assert all((one["Status"]["Id"], one["ObjectId"]) == (135, None) for one in seen)
    client.clock.pass_by(1)
    ended = client.get(f"/tickets/{ticket['Id']}").data
    assert (ended["Status"]["Id"], ended["Progress"]) == (136, 100)
    assert ended["EndDate"] == "2025-06-15T15:06:50Z"
    assert client.get(f"/instances/{ended['ObjectId']}").data["Name"] == "web"


def test_initializing_then_powered_on_but_locked_then_free(client: Any) -> None:
    client.settings.update(ticket_seconds=5, lock_tail=2, visible_after=0)
    ticket = client.post("/instances", NEW).data

    def state() -> tuple[str, bool]:
        one = client.get("/instances").items[0]
        assert (one["LockingDate"] is not None) is one["IsLocked"]
        return one["Status"]["Label"], one["IsLocked"]

    assert state() == ("Initializing", True)
    client.clock.pass_by(5)
    assert client.get(f"/tickets/{ticket['Id']}").data["Status"]["Id"] == 136
    assert state() == ("Powered On", True)
    client.clock.pass_by(2)
    assert state() == ("Powered On", False)


def test_it_may_initialize_longer_than_its_ticket(client: Any) -> None:
    client.settings.update(ticket_seconds=5, initializing_tail=3, lock_tail=1)
    client.post("/instances", NEW)
    client.clock.pass_by(7)
    assert client.get("/instances").items[0]["Status"]["Id"] == 1748
    client.clock.pass_by(1)
    assert client.get("/instances").items[0]["Status"]["Id"] == 86
    assert client.get("/instances").items[0]["IsLocked"] is True
    client.clock.pass_by(1)
    assert client.get("/instances").items[0]["IsLocked"] is False


def test_lists_show_it_a_little_later_than_reads(client: Any) -> None:
    client.settings.update(visible_after=0.1)
    client.post("/instances", NEW)
    number = client.service.snapshot()["instances"][0]["Id"]
    assert client.get("/instances").total == 0
    assert client.get(f"/instances/{number}").status == 200
    client.clock.pass_by(0.1)
    assert client.get("/instances").total == 1


def test_lists_can_be_stale(client: Any) -> None:
    client.settings["visibility_delay"] = 3600
    client.make()
    assert client.get("/instances").total == 0
    client.settings["visibility_delay"] = 0
    assert client.get("/instances").total == 1
    client.settings["visibility_delay"] = 3600
    assert client.get("/instances").total == 1


def test_names_are_not_unique(client: Any) -> None:
    assert client.make("web") != client.make("web")
    assert [one["Name"] for one in client.get("/instances").items] == ["web", "web"]


def test_new_instance_has_the_given_members(client: Any) -> None:
    number = client.make(
        "db", TemplateId=624, SubregionId=4, TypeId=35, DiskClass=50, DiskSize=60, OpnsIds=[NETWORK], InitScript="aGk="
    )
    one = client.get(f"/instances/{number}").data
    assert (one["Template"]["Id"], one["Subregion"]["Id"], one["Type"]["Id"]) == (624, 4, 35)
    assert (one["CpuNumber"], one["RamMb"], one["TotalDisksCapacity"], one["IsFreemium"]) == (4, 4096, 60, False)
    assert one["PrivateIpAddress"].startswith("10.0.0.")
    disk = client.get(f"/instances/{number}/disks").items[0]
    assert (disk["Tier"]["Id"], disk["SpaceCapacity"], disk["Connections"][0]["IsSystemDisk"]) == (50, 60, True)
    address = client.get(f"/instances/{number}/ip_addresses").items[0]
    assert (address["Address"], address["Type"]["Label"]) == (one["IpAddress"], "Automatic")
    assert client.get(f"/instances/{number}/init_script").data == "aGk="


def test_each_disk_of_the_template_is_a_system_disk(client: Any) -> None:
    number = client.make(TemplateId=644, DiskSize=40)
    found = client.get(f"/instances/{number}/disks").items
    places = [one["Connections"][0] for one in found]
    assert [one["SpaceCapacity"] for one in found] == [40, 10]
    assert [(at["Controller"], at["Slot"], at["IsSystemDisk"]) for at in places] == [(0, 0, True), (0, 1, True)]
    client.finish(client.delete(f"/instances/{number}"))
    assert client.get("/disks").total == 0


def test_what_was_not_given_has_defaults(client: Any) -> None:
    one = client.get(f"/instances/{client.make()}").data
    assert (one["Subregion"]["Id"], one["Type"]["Id"], one["TotalDisksCapacity"]) == (1, 289, 5)
    assert client.get(f"/instances/{one['Id']}/init_script").status == 404
    assert client.get(f"/instances/{one['Id']}/ssh_keys").total == 0


def test_more_than_one_makes_one(client: Any) -> None:
    client.make(InstancesCount=3)
    client.clock.pass_by(60)
    assert client.get("/instances").total == 1
    assert len(client.service.snapshot()["tickets"]) == 1


@pytest.mark.parametrize(
    ("members", "word"),
    [
        ({"TemplateId": 9}, "TemplateId"),
        ({"TypeId": 1}, "TypeId"),
        ({"SubregionId": 2}, "SubregionId"),
        ({"SubregionId": 7}, "not active"),
        ({"DiskClass": 86}, "DiskClass"),
        ({"AuthorizationMethodId": 86}, "AuthorizationMethodId"),
        ({"AuthorizationMethodId": 1398}, "SshKeysIds"),
        ({"AuthorizationMethodId": 1398, "SshKeysIds": []}, "SshKeysIds"),
        ({"AuthorizationMethodId": 1398, "SshKeysIds": [1]}, "SshKeysIds"),
        ({"IPAddressId": 1}, "IPAddressId"),
        ({"OpnsIds": [1]}, "OpnsIds"),
        ({"WithoutPublicIp": True}, "WithoutPublicIp"),
        ({"WithoutPublicIp": True, "OpnsIds": []}, "WithoutPublicIp"),
        ({"TemplateId": 624, "TypeId": 1047}, "smaller"),
        ({"TemplateId": 624, "TypeId": 1263}, "smaller"),
        ({"TemplateId": 624, "TypeId": 1268}, "smaller"),
        ({"Freemium": True, "TypeId": 34}, "Freemium"),
        ({"InitScript": "not base64!"}, "InitScript"),
    ],
)
def test_what_is_refused_makes_nothing(client: Any, members: dict[str, Any], word: str) -> None:
    before = client.service.snapshot()
    reply = client.post("/instances", {**NEW, **members})
    assert reply.status == 400
    assert word in reply.message
    assert client.violations == []
    assert client.service.snapshot() == before


def test_the_free_plan(client: Any) -> None:
    number = client.make(Freemium=True, TypeId=1047)
    assert client.get(f"/instances/{number}").data["IsFreemium"] is True
    client.settings["freemium_enabled"] = False
    assert client.post("/instances", {**NEW, "Freemium": True, "TypeId": 1047}).status == 400


def test_an_account_that_cannot_pay(client: Any) -> None:
    client.settings["payment_required"] = True
    assert client.post("/instances", NEW).status == 402
    assert client.service.snapshot()["instances"] == []


def test_keys_instead_of_a_password(client: Any) -> None:
    number = client.make(AuthorizationMethodId=1398, SshKeysIds=[KEY])
    data = client.get(f"/instances/{number}/access_data").data
    assert data["Password"] is None
    assert [one["Id"] for one in data["SshKeys"]] == [KEY]
    assert [one["Id"] for one in client.get(f"/instances/{number}/ssh_keys").items] == [KEY]


def test_access_data_come_later(client: Any) -> None:
    client.settings["access_data_after"] = 120
    number = client.make()
    assert client.get(f"/instances/{number}/access_data").data == {"Password": None, "SshKeys": []}
    client.clock.pass_by(120)
    password = client.get(f"/instances/{number}/access_data").data["Password"]
    assert len(password) > 10
    assert password == client.get(f"/instances/{number}/access_data").data["Password"]
    assert password not in str(client.service.snapshot())


def test_private_only(client: Any) -> None:
    one = client.get(f"/instances/{client.make(WithoutPublicIp=True, OpnsIds=[NETWORK])}").data
    assert one["IpAddress"] is None
    assert one["PrivateIpAddress"] == "10.0.0.2"


def test_a_failed_ticket_leaves_nothing(client: Any) -> None:
    client.settings["fail_tickets"] = "create_instance"
    ticket = client.finish(client.post("/instances", NEW))
    assert (ticket["Status"]["Label"], ticket["ObjectId"]) == ("Error", None)
    assert ticket["EndDate"] is not None
    assert ticket["Progress"] < 100
    truth = client.service.snapshot()
    assert (truth["instances"], truth["disks"], truth["ips"]) == ([], [], [])
