# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups and their load balancers."""

from __future__ import annotations

from typing import Any

BALANCER = {"ServiceType": 43, "SessionPersistenceType": 46, "LoadBalancerAlgorithm": 612, "IpVersion": 115}


def make(client: Any, *instances: int) -> int:
    """A group with these instances; its id."""
    number: int = client.post("/groups", {"Name": "tier", "AffinityRuleType": 1403}).data["Id"]
    rows = [{"InstanceId": one, "IpId": address_of(client, one)["Id"]} for one in instances]
    assert client.put(f"/groups/{number}/assignments", {"Assignments": rows}).total == len(instances)
    return number


def address_of(client: Any, instance: int) -> Any:
    return client.get(f"/instances/{instance}/ip_addresses").items[0]


def test_life_of_a_group(client: Any) -> None:
    instance = client.make()
    number = make(client, instance)
    member = client.get(f"/groups/{number}/assignments").items[0]
    assert (member["InstanceId"], member["IpV4"]) == (instance, address_of(client, instance)["Address"])
    assert [one["InstancesCount"] for one in client.get(f"/instances/{instance}/groups").items] == [1]
    twice = [{"InstanceId": instance, "IpId": member["IpId"]}] * 2
    assert client.put(f"/groups/{number}/assignments", {"Assignments": twice}).status == 400
    assert client.delete(f"/groups/{number}").status == 400
    client.finish(client.delete(f"/instances/{instance}"))
    assert client.get(f"/groups/{number}/assignments").items == []
    changed = client.put(f"/groups/{number}", {"Name": "front", "AffinityRuleType": 1405}).data
    assert (changed["Name"], changed["AffinityRuleType"]["Label"]) == ("front", "Maximize separation")
    assert [one["Name"] for one in client.get("/groups").items] == ["front"]
    assert client.delete(f"/groups/{number}").raw == b""
    assert client.get(f"/groups/{number}").status == 404


def test_life_of_a_load_balancer(client: Any) -> None:
    number = make(client, client.make())
    path = f"/groups/{number}/load_balancer"
    assert client.get(path).status == 404
    client.settings["without_balancer"] = None
    assert client.get(path).raw == b"null"
    made = client.post(path, {**BALANCER, "SslEnabled": True}).data
    assert (made["ProxyProtocolVersion"]["Id"], [one["Port"] for one in made["Servers"]]) == (1861, [80, 443])
    assert client.post(path, BALANCER).status == 409
    address = client.post("/instances/ip_addresses", {"SubregionId": 1}).data
    held = client.put(path, {**BALANCER, "LoadBalancerIpId": address["Id"]}).data
    assert (held["IpAddress"], held["SslEnabled"]) == (address["Address"], True)
    client.settings["put_empties"] = True
    lost = client.put(path, BALANCER).data
    assert (lost["IpAddress"], lost["SslEnabled"]) == (made["IpAddress"], False)
    assert [one["GroupId"] for one in client.get("/groups/load_balancers").items] == [number]
    assert client.delete(path).raw == b""
    assert client.delete(path).status == 404


def test_a_server_is_taken_out_gracefully(client: Any) -> None:
    instance = client.make()
    path = f"/groups/{make(client, instance)}/load_balancer"
    client.settings["drain_seconds"] = 5
    client.post(path, {**BALANCER, "HealthCheckEnabled": True})
    server = {"IpAddress": address_of(client, instance)["Address"], "Port": 80}

    def status() -> str:
        found: str = client.get(f"{path}/details").data["Servers"][0]["Services"][0]["Status"]["Label"]
        return found

    seen = [status()]
    client.put(f"{path}/services", {**server, "Enabled": False, "Graceful": True})
    seen.append(status())
    client.clock.pass_by(5)
    seen.append(status())
    client.put(f"{path}/services", {**server, "Enabled": True})
    assert [*seen, status()] == ["Up", "Busy", "Out of service", "Up"]
    assert client.put(f"{path}/services", {**server, "Port": 81, "Enabled": True}).status == 400


def test_the_calls_of_the_plugin_are_served_in_the_friendly_reading(client: Any) -> None:
    number = make(client, client.make())
    client.post(f"/groups/{number}/load_balancer", {**BALANCER, "HealthCheckEnabled": True})
    for path, order in (("/groups", "Id"), ("/groups/load_balancers", "GroupId")):
        client.settings["orders_by_number"] = False
        assert client.get(f"{path}?pageSize=32767&orderBy={order}").status == 400
        client.settings["orders_by_number"] = True
        rows = [one.get("Id", one.get("GroupId")) for one in client.get(f"{path}?pageSize=32767&orderBy={order}").items]
        assert rows == sorted(rows)
        assert rows
    assert client.put(f"/groups/{number}/assignments", {}).total == 0


def test_an_order_by_number_that_is_described_is_no_breach(client: Any) -> None:
    client.settings["orders_by_number"] = True
    assert client.get("/account/sshkeys?pageSize=32767&orderBy=Id").status == 200
    assert client.violations == []
    client.get("/groups?pageSize=32767&orderBy=Id")
    assert [one["text"] for one in client.violations] == ["orderBy: Id is not described"]
