# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks."""

from __future__ import annotations

from typing import Any

import pytest

NEW = {"DiskName": "data", "SpaceCapacity": 10, "TierId": 48}


def make(client: Any, **members: Any) -> int:
    number: int = client.finish(client.post("/disks", {**NEW, **members}))["ObjectId"]
    return number


def read(client: Any, number: int) -> Any:
    return client.get(f"/disks/{number}").data


def system_disk(client: Any, instance: int) -> int:
    number: int = client.get(f"/instances/{instance}/disks?diskType=System").items[0]["Id"]
    return number


def whole(client: Any, number: int, **changes: Any) -> dict[str, Any]:
    disk = read(client, number)
    body = {
        "DiskName": disk["Name"],
        "SpaceCapacity": disk["SpaceCapacity"],
        "TierId": disk["Tier"]["Id"],
        "SubregionId": disk["Subregion"]["Id"],
        "InstanceIdsList": [one["Instance"]["Id"] for one in disk["Connections"]],
    }
    return {**body, **changes}


def test_a_free_disk(client: Any) -> None:
    ticket = client.post("/disks", NEW)
    assert (ticket.data["ObjectId"], ticket.data["ObjectType"]["Id"], ticket.data["OperationType"]["Id"]) == (
        None,
        276,
        277,
    )
    assert client.get("/disks").total == 0
    number = client.finish(ticket)["ObjectId"]
    disk = read(client, number)
    assert (disk["Name"], disk["SpaceCapacity"], disk["Tier"]["Id"]) == ("data", 10, 48)
    assert (disk["Connections"], disk["IsShared"], disk["SharedDiskType"], disk["IsLocked"]) == ([], False, None, False)
    assert [one["Id"] for one in client.get("/disks").items] == [number]


def test_a_disk_for_an_instance(client: Any) -> None:
    instance = client.make(SubregionId=4)
    number = make(client, InstanceIdsList=[instance])
    disk = read(client, number)
    assert disk["Subregion"]["Id"] == 4
    assert [(one["Instance"]["Id"], one["IsSystemDisk"]) for one in disk["Connections"]] == [(instance, False)]
    places = [one["Connections"][0] for one in client.get(f"/instances/{instance}/disks").items]
    assert len({(one["Controller"], one["Slot"]) for one in places}) == 2
    assert client.get(f"/instances/{instance}").data["TotalDisksCapacity"] == 15


def test_kinds_and_names(client: Any) -> None:
    instance = client.make()
    number = make(client, InstanceIdsList=[instance], DiskName="Archive")
    system = system_disk(client, instance)
    for base in ("/disks", f"/instances/{instance}/disks"):
        assert [one["Id"] for one in client.get(f"{base}?diskType=All").items] == [system, number]
        assert [one["Id"] for one in client.get(f"{base}?diskType=System").items] == [system]
        assert [one["Id"] for one in client.get(f"{base}?diskType=Custom").items] == [number]
        assert [one["Id"] for one in client.get(f"{base}?query=archi").items] == [number]
        assert [one["Id"] for one in client.get(f"{base}?orderBy=Name").items] == [number, system]
        assert client.get(f"{base}?orderBy=SpaceCapacity&pageSize=1").items[0]["Id"] == system


@pytest.mark.parametrize(
    "members",
    [
        {"TierId": 86},
        {"SubregionId": 7},
        {"InstanceIdsList": [1]},
        {"SharedDiskTypeId": 48},
    ],
)
def test_impossible_disks_are_refused(client: Any, members: dict[str, Any]) -> None:
    assert client.post("/disks", {**NEW, **members}).status == 400
    assert client.violations == []
    assert client.service.snapshot()["disks"] == []


@pytest.mark.parametrize("body", [{**NEW, "DiskName": "a|b"}, {"DiskName": "data"}])
def test_what_is_not_valid(client: Any, body: Any) -> None:
    assert client.post("/disks", body).status == 400
    assert len(client.violations) == 1


def test_one_subregion_and_one_instance_unless_shared(client: Any) -> None:
    here, also, there = client.make(), client.make(), client.make(SubregionId=4)
    assert "subregion" in client.post("/disks", {**NEW, "InstanceIdsList": [here, there]}).message
    assert "shared" in client.post("/disks", {**NEW, "InstanceIdsList": [here, also]}).message
    number = make(client, InstanceIdsList=[here, also], SharedDiskTypeId=1411)
    assert (read(client, number)["IsShared"], len(read(client, number)["Connections"])) == (True, 2)


def test_replacing_without_instances_detaches(client: Any) -> None:
    instance = client.make()
    number = make(client, InstanceIdsList=[instance])
    body = whole(client, number, DiskName="other", SpaceCapacity=20, TierId=49)
    client.finish(client.put(f"/disks/{number}", body))
    disk = read(client, number)
    assert (disk["Name"], disk["SpaceCapacity"], disk["Tier"]["Id"], len(disk["Connections"])) == ("other", 20, 49, 1)
    assert client.get(f"/instances/{instance}").data["TotalDisksCapacity"] == 25
    del body["InstanceIdsList"]
    client.finish(client.put(f"/disks/{number}", body))
    assert read(client, number)["Connections"] == []
    assert client.get(f"/instances/{instance}").data["TotalDisksCapacity"] == 5


def test_what_replacing_refuses(client: Any) -> None:
    instance = client.make()
    system = system_disk(client, instance)
    grown = client.finish(client.put(f"/disks/{system}", whole(client, system, SpaceCapacity=20)))
    assert grown["Status"]["Id"] == 136
    for change, word in (
        ({"SpaceCapacity": 10}, "grow"),
        ({"InstanceIdsList": []}, "system disk"),
        ({"SubregionId": 4}, "detached"),
        ({"TierId": 86}, "TierId"),
    ):
        reply = client.put(f"/disks/{system}", whole(client, system, **change))
        assert (reply.status, word in reply.message) == (400, True)


def test_extending(client: Any) -> None:
    instance = client.make()
    number = system_disk(client, instance)
    for capacity in (5, 6):
        reply = client.post(f"/disks/{number}/extend_ticket?spaceCapacity={capacity}")
        assert reply.status == (200 if capacity == 6 else 400)
    assert client.get(f"/instances/{instance}").data["IsLocked"] is True
    client.finish(reply)
    assert read(client, number)["SpaceCapacity"] == 6
    assert client.get(f"/instances/{instance}").data["TotalDisksCapacity"] == 6


def test_a_running_instance_may_be_in_the_way(client: Any) -> None:
    client.settings["disk_change_while_running"] = False
    instance = client.make()
    number = system_disk(client, instance)
    assert "running" in client.post(f"/disks/{number}/extend_ticket?spaceCapacity=9").message
    client.finish(client.post(f"/instances/{instance}/power_off_ticket"))
    assert client.post(f"/disks/{number}/extend_ticket?spaceCapacity=9").status == 200


def test_tier_and_subregion(client: Any) -> None:
    number = make(client)
    client.finish(client.post(f"/disks/{number}/change_tier_ticket?tierId=896"))
    client.finish(client.post(f"/disks/{number}/change_subregion_ticket?subregionId=4"))
    disk = read(client, number)
    assert (disk["Tier"]["Label"], disk["Subregion"]["Id"]) == ("Tier 5", 4)
    assert client.post(f"/disks/{number}/change_subregion_ticket?subregionId=7").status == 400
    assert client.post(f"/disks/{number}/change_tier_ticket?tierId=1").status == 400


def test_attach_detach_delete(client: Any) -> None:
    instance, other = client.make(), client.make()
    number = make(client)
    assert client.post(f"/disks/{number}/detach_from_instance_ticket?instanceId={instance}").status == 400
    client.finish(client.post(f"/disks/{number}/attach_to_instance_ticket?instanceId={instance}"))
    assert client.post(f"/disks/{number}/attach_to_instance_ticket?instanceId={instance}").status == 400
    assert client.post(f"/disks/{number}/attach_to_instance_ticket?instanceId={other}").status == 400
    assert client.delete(f"/disks/{number}").status == 400
    client.finish(client.post(f"/disks/{number}/detach_from_instance_ticket?instanceId={instance}"))
    client.finish(client.delete(f"/disks/{number}"))
    assert client.get(f"/disks/{number}").status == 403
    assert number not in [one["Id"] for one in client.get("/disks").items]
    assert number in [one["Id"] for one in client.get("/disks?showDeleted=true").items]


def test_a_system_disk_cannot_be_detached(client: Any) -> None:
    instance = client.make()
    number = system_disk(client, instance)
    reply = client.post(f"/disks/{number}/detach_from_instance_ticket?instanceId={instance}")
    assert (reply.status, "system disk" in reply.message) == (400, True)


@pytest.mark.parametrize(("query", "left"), [("", 1), ("?deep=false", 1), ("?deep=true", 0)])
def test_deleting_an_instance_and_its_disks(client: Any, query: str, left: int) -> None:
    instance = client.make()
    make(client, InstanceIdsList=[instance])
    client.finish(client.delete(f"/instances/{instance}{query}"))
    assert [one["Connections"] for one in client.get("/disks").items] == [[]] * left


def test_a_disk_operation_locks_disk_and_instance(client: Any) -> None:
    instance = client.make()
    number = make(client, InstanceIdsList=[instance])
    client.post(f"/disks/{number}/change_tier_ticket?tierId=49")
    assert read(client, number)["IsLocked"] is True
    assert client.post(f"/disks/{number}/change_tier_ticket?tierId=50").status == 409
    assert client.post(f"/instances/{instance}/reset_ticket").status == 409
    assert client.delete(f"/instances/{instance}").status == 409


def test_a_failed_creation_leaves_nothing(client: Any) -> None:
    instance = client.make()
    client.settings["fail_tickets"] = "create_disk"
    assert client.finish(client.post("/disks", {**NEW, "InstanceIdsList": [instance]}))["Status"]["Id"] == 137
    assert client.get("/disks").total == 1
    assert client.get(f"/instances/{instance}").data["IsLocked"] is False


@pytest.mark.parametrize("target", ["/extend_ticket?spaceCapacity=9", "/change_tier_ticket?tierId=49"])
def test_missing_disks(client: Any, target: str) -> None:
    assert client.get("/disks/400001").status == 403
    assert client.post(f"/disks/400001{target}").status == 403
    assert client.delete("/disks/400001").status == 403


def test_an_account_that_cannot_pay(client: Any) -> None:
    client.settings["payment_required"] = True
    assert client.post("/disks", NEW).status == 402


def test_a_shared_disk_outlives_one_of_its_instances(client: Any) -> None:
    first, second = client.make(), client.make()
    number = make(client, InstanceIdsList=[first, second], SharedDiskTypeId=1411)
    client.finish(client.delete(f"/instances/{first}?deep=true"))
    assert [one["Instance"]["Id"] for one in read(client, number)["Connections"]] == [second]


def test_an_instance_has_sixty_disks_at_most(client: Any) -> None:
    instance = client.make()
    for _ in range(59):
        make(client, InstanceIdsList=[instance])
    reply = client.post("/disks", {**NEW, "InstanceIdsList": [instance]})
    assert (reply.status, "slot" in reply.message) == (400, True)
