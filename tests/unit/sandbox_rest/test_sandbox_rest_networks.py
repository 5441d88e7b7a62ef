# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks and interfaces."""

from __future__ import annotations

from typing import Any

BACKEND = 41001


def make(client: Any, name: str = "lab") -> int:
    number: int = client.finish(client.post("/opns", {"OpnName": name}))["ObjectId"]
    return number


def attach(client: Any, instance: int, network: int) -> Any:
    return client.post(f"/instances/{instance}/attach_opn_ticket", {"OpnId": network})


def test_life_of_a_network(client: Any) -> None:
    ticket = client.post("/opns", {"OpnName": "lab"})
    assert (ticket.data["OperationType"]["Id"], ticket.data["ObjectType"]["Id"], ticket.data["ObjectId"]) == (
        285,
        284,
        None,
    )
    number = client.finish(ticket)["ObjectId"]
    assert [one["Name"] for one in client.get("/opns?query=LA").items] == ["lab"]
    renamed = client.put(f"/opns/{number}", {"OpnName": "attic"})
    assert (renamed.status, renamed.raw) == (200, b"")
    assert [one["Name"] for one in client.get("/opns?orderBy=Name").items] == ["attic", "backend"]
    assert client.get(f"/opns/{number}").data["LastChangeDate"] is not None
    client.finish(client.delete(f"/opns/{number}"))
    assert client.get(f"/opns/{number}").status == 403
    assert client.get("/opns").total == 1


def test_names_are_not_unique(client: Any) -> None:
    assert make(client, "backend") != BACKEND
    assert [one["Name"] for one in client.get("/opns").items] == ["backend", "backend"]


def test_attach_and_detach(client: Any) -> None:
    instance = client.make()
    client.finish(attach(client, instance, BACKEND))
    member = client.get(f"/opns/{BACKEND}").data["PrivateIps"][0]
    assert (member["Instance"]["Id"], member["Address"]) == (instance, "10.0.0.2")
    assert [one["Id"] for one in client.get(f"/instances/{instance}/opns").items] == [BACKEND]
    assert [one["Id"] for one in client.get(f"/opns?instanceId={instance}").items] == [BACKEND]
    assert attach(client, instance, BACKEND).status == 400
    assert "detach" in client.delete(f"/opns/{BACKEND}").message
    client.finish(client.post(f"/instances/{instance}/detach_opn_ticket", {"OpnId": BACKEND}))
    assert client.get(f"/opns/{BACKEND}").data["PrivateIps"] == []
    assert client.post(f"/instances/{instance}/detach_opn_ticket", {"OpnId": BACKEND}).status == 400


def test_many_instances_can_be_attached_at_the_same_time(client: Any) -> None:
    first, second = client.make(), client.make()
    assert (attach(client, first, BACKEND).status, attach(client, second, BACKEND).status) == (200, 200)
    client.clock.pass_by(1)
    places = [one["Address"] for one in client.get(f"/opns/{BACKEND}").data["PrivateIps"]]
    assert places == ["10.0.0.2", "10.0.0.3"]


def test_a_network_that_goes_meanwhile_fails_the_ticket(client: Any) -> None:
    instance = client.make()
    assert client.delete(f"/opns/{BACKEND}").status == 200
    reply = attach(client, instance, BACKEND)
    assert reply.status == 409
    client.clock.pass_by(1)
    assert attach(client, instance, BACKEND).status == 400
    lab = make(client)
    ticket = attach(client, instance, lab)
    client.settings["ticket_seconds"] = 0.1
    client.delete(f"/opns/{lab}")
    client.clock.pass_by(1)
    assert client.get(f"/tickets/{ticket.data['Id']}").data["Status"]["Id"] == 137
    assert "does not exist" in client.get(f"/instances/{instance}/events").items[-1]["Message"]


def test_the_last_interface_stays(client: Any) -> None:
    instance = client.make(WithoutPublicIp=True, OpnsIds=[BACKEND])
    reply = client.post(f"/instances/{instance}/detach_opn_ticket", {"OpnId": BACKEND})
    assert (reply.status, "must keep" in reply.message) == (400, True)


def test_a_full_network(client: Any) -> None:
    for _ in range(253):
        reply = client.post("/instances", {"InstanceName": "x", "TemplateId": 765, "OpnsIds": [BACKEND]})
        assert reply.status == 200
    before = client.service.snapshot()["instances"]
    refused = client.post("/instances", {"InstanceName": "x", "TemplateId": 765, "OpnsIds": [BACKEND]})
    assert (refused.status, "full" in refused.message) == (400, True)
    assert client.service.snapshot()["instances"] == before


def test_a_failed_creation_leaves_nothing(client: Any) -> None:
    client.settings["fail_tickets"] = "create_private_network"
    assert client.finish(client.post("/opns", {"OpnName": "lab"}))["Status"]["Id"] == 137
    assert client.get("/opns").total == 1


def test_a_network_that_gets_an_instance_meanwhile_is_not_removed(client: Any) -> None:
    instance, lab = client.make(), make(client)
    ticket = attach(client, instance, lab)
    removal = client.delete(f"/opns/{lab}")
    assert (client.finish(removal)["Status"]["Id"], client.finish(ticket)["Status"]["Id"]) == (137, 136)
    assert client.get(f"/opns/{lab}").data["PrivateIps"][0]["Instance"]["Id"] == instance
