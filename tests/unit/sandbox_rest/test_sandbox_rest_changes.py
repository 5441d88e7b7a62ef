# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Name, type, power, deletion and the lock."""

from __future__ import annotations

from typing import Any

import pytest

OPERATIONS = [
    ("change_name_ticket?name=other", 867),
    ("change_type_ticket?typeId=36", 144),
    ("power_off_ticket", 142),
    ("shutdown_ticket", 1331),
    ("reboot_ticket", 1368),
    ("reset_ticket", 153),
]


def state(client: Any, number: int) -> Any:
    return client.get(f"/instances/{number}").data


@pytest.mark.parametrize(("operation", "kind"), OPERATIONS)
def test_each_answers_a_ticket_for_the_instance(client: Any, operation: str, kind: int) -> None:
    number = client.make()
    ticket = client.post(f"/instances/{number}/{operation}")
    assert (ticket.data["OperationType"]["Id"], ticket.data["ObjectId"]) == (kind, number)
    assert client.finish(ticket)["Status"]["Id"] == 136
    assert state(client, number)["IsLocked"] is False


def test_a_new_name_counts_from_the_end_of_the_ticket(client: Any) -> None:
    number = client.make("web")
    ticket = client.post(f"/instances/{number}/change_name_ticket?name=new%20name")
    assert (state(client, number)["Name"], state(client, number)["IsLocked"]) == ("web", True)
    client.finish(ticket)
    assert state(client, number)["Name"] == "new name"


def test_type_in_place(client: Any) -> None:
    number = client.make()
    client.finish(client.post(f"/instances/{number}/change_type_ticket?typeId=36"))
    one = state(client, number)
    assert (one["Type"]["Id"], one["CpuNumber"], one["RamMb"], one["Status"]["Id"]) == (36, 8, 8192, 86)


def test_types_that_are_refused(client: Any) -> None:
    number = client.make(TemplateId=624)
    assert client.post(f"/instances/{number}/change_type_ticket?typeId=1").status == 400
    assert "smaller" in client.post(f"/instances/{number}/change_type_ticket?typeId=1047").message


@pytest.mark.parametrize("way", ["power_off_ticket", "shutdown_ticket"])
def test_power(client: Any, way: str) -> None:
    number = client.make()
    assert client.post(f"/instances/{number}/power_on_ticket").status == 400
    client.finish(client.post(f"/instances/{number}/{way}"))
    assert state(client, number)["Status"]["Label"] == "Powered Off"
    for other in ("power_off_ticket", "shutdown_ticket", "reboot_ticket", "reset_ticket"):
        assert client.post(f"/instances/{number}/{other}").status == 400
    client.finish(client.post(f"/instances/{number}/power_on_ticket"))
    assert state(client, number)["Status"]["Label"] == "Powered On"


@pytest.mark.parametrize("way", ["shutdown_ticket", "reboot_ticket"])
def test_soft_ways_need_guest_tools(client: Any, way: str) -> None:
    number = client.make(TemplateId=96)
    assert "guest tools" in client.post(f"/instances/{number}/{way}").message
    assert client.post(f"/instances/{number}/power_off_ticket").status == 200


@pytest.mark.parametrize(("operation", "_kind"), OPERATIONS)
@pytest.mark.parametrize("after", [0.0, 0.35])
def test_one_operation_at_a_time(client: Any, operation: str, _kind: int, after: float) -> None:
    number = client.make()
    client.post(f"/instances/{number}/reset_ticket")
    client.clock.pass_by(after)
    reply = client.post(f"/instances/{number}/{operation}")
    assert reply.status == 409
    assert "locked" in reply.message
    assert client.delete(f"/instances/{number}").status == 409


@pytest.mark.parametrize("target", ["", "/access_data", "/init_script", "/disks", "/ip_addresses", "/ssh_keys"])
@pytest.mark.parametrize("status", [403, 404])
def test_a_missing_instance_is_forbidden(client: Any, target: str, status: int) -> None:
    client.settings["missing_status"] = status
    assert client.get(f"/instances/250001{target}").status == status
    assert client.violations == []


@pytest.mark.parametrize(("operation", "_kind"), OPERATIONS)
def test_a_missing_instance_cannot_be_changed(client: Any, operation: str, _kind: int) -> None:
    assert client.post(f"/instances/250001/{operation}").status == 403
    assert client.delete("/instances/250001").status == 403


def test_deletion(client: Any) -> None:
    number, other = client.make("web"), client.make("other")
    ticket = client.delete(f"/instances/{number}")
    assert (ticket.data["OperationType"]["Id"], ticket.data["ObjectId"]) == (206, number)
    assert state(client, number)["IsLocked"] is True
    assert client.finish(ticket)["Status"]["Id"] == 136
    assert client.get(f"/instances/{number}").status == 403
    truth = client.service.snapshot()
    assert [one["Id"] for one in truth["instances"]] == [other]
    assert (len(truth["disks"]), len(truth["ips"])) == (1, 1)


def test_failed_operations_change_nothing(client: Any) -> None:
    number = client.make("web")
    client.settings["fail_tickets"] = "^renaming$|removing"
    for started in (
        lambda: client.post(f"/instances/{number}/change_name_ticket?name=x"),
        lambda: client.delete(f"/instances/{number}"),
    ):
        assert client.finish(started())["Status"]["Id"] == 137
        assert (state(client, number)["Name"], state(client, number)["IsLocked"]) == ("web", False)
    assert client.finish(client.post(f"/instances/{number}/reset_ticket"))["Status"]["Id"] == 136


def test_a_failure_can_be_aimed_at_one_object(client: Any) -> None:
    client.settings["fail_tickets"] = "^bad$"
    assert client.finish(client.post("/instances", {"InstanceName": "bad", "TemplateId": 765}))["Status"]["Id"] == 137
    assert client.finish(client.post("/instances", {"InstanceName": "good", "TemplateId": 765}))["Status"]["Id"] == 136


def test_an_instance_can_stay_locked(client: Any) -> None:
    number = client.make()
    client.settings["stuck_locks"] = "instance_reset"
    assert client.finish(client.post(f"/instances/{number}/reset_ticket"))["Status"]["Id"] == 136
    client.clock.pass_by(1_000_000)
    assert state(client, number)["IsLocked"] is True


def test_links_of_kept_texts_and_events_of_time_do_not_mix(client: Any) -> None:
    number = client.make()
    client.get("/instances")
    client.post(f"/instances/{number}/power_off_ticket")
    assert client.get("/instances").items[0]["IsLocked"] is True
    client.clock.pass_by(0.3)
    assert client.get("/instances").items[0]["Status"]["Id"] == 87
    client.clock.pass_by(0.1)
    assert client.get("/instances").items[0]["IsLocked"] is False
