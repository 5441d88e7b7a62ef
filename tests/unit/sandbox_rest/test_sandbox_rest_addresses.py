# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public addresses, by id and by IPv4 text."""

from __future__ import annotations

from typing import Any

import pytest

BASE = "/instances/ip_addresses"


def reserve(client: Any, subregion: int = 1) -> Any:
    return client.post(BASE, {"SubregionId": subregion}).data


def test_a_reserved_address_is_there_at_once(client: Any) -> None:
    made = reserve(client)
    assert (made["Type"]["Label"], made["Instance"], made["Comment"], made["Subregion"]["Id"]) == (
        "Reserved",
        None,
        None,
        1,
    )
    assert client.get(f"{BASE}/{made['Id']}").data == made
    assert client.get(BASE).items == client.get("/floating_ips").items == [made]


def test_a_new_instance_takes_the_one_it_is_told(client: Any) -> None:
    made = reserve(client)
    instance = client.make(IPAddressId=made["Id"])
    assert client.get(f"/instances/{instance}").data["IpAddress"] == made["Address"]
    assert client.get(BASE).total == 1
    again = client.post("/instances", {"InstanceName": "x", "TemplateId": 765, "IPAddressId": made["Id"]})
    assert (again.status, "in use" in again.message) == (400, True)
    client.finish(client.delete(f"/instances/{instance}"))
    assert client.get(f"{BASE}/{made['Id']}").data["Instance"] is None


def test_another_subregion_or_no_public_address_do_not_go_with_it(client: Any) -> None:
    body = {"InstanceName": "x", "TemplateId": 765, "IPAddressId": reserve(client, 4)["Id"]}
    assert "subregion" in client.post("/instances", body).message
    assert client.post("/instances", {**body, "WithoutPublicIp": True, "OpnsIds": [41001]}).status == 400


def test_zero_means_an_automatic_one(client: Any) -> None:
    instance = client.make(IPAddressId=0)
    kinds = [one["Type"]["Label"] for one in client.get(f"/instances/{instance}/ip_addresses").items]
    assert kinds == ["Automatic"]


@pytest.mark.parametrize("base", [BASE, "/floating_ips"])
def test_filters_and_order(client: Any, base: str) -> None:
    instance = client.make()
    made = [reserve(client, 4), reserve(client)]
    assert client.get(f"{base}?onlyFree=true").items == made
    assert [one["Instance"]["Id"] for one in client.get(f"{base}?instanceId={instance}").items] == [instance]
    assert client.get(f"{base}?orderBy=Subregion").items[-1] == made[0]
    assert client.get(f"{base}?pageSize=2&orderBy=Address").total == 3


def test_changing(client: Any) -> None:
    number = reserve(client)["Id"]
    body = {"Comment": "mail", "SetStatic": True, "RevDns": "mail.example.com", "RevDnsV6": "mail6.example.com"}
    changed = client.put(f"{BASE}/{number}", body)
    assert (changed.status, changed.raw) == (200, b"")
    one = client.get(f"{BASE}/{number}").data
    assert (one["Comment"], one["Type"]["Label"], one["RevDns"]) == ("mail", "Static", "mail.example.com")
    client.put(f"{BASE}/{number}", {"RestoreRevDns": True, "SetStatic": False})
    one = client.get(f"{BASE}/{number}").data
    assert (one["Comment"], one["Type"]["Label"], one["RevDns"], one["RevDnsV6"]) == (
        "mail",
        "Reserved",
        None,
        "mail6.example.com",
    )


@pytest.mark.parametrize("body", [{"Comment": "x" * 51}, {"RevDns": "a"}, {"RevDns": "a b/c"}, {"Colour": "red"}])
def test_changes_that_are_not_valid(client: Any, body: Any) -> None:
    assert client.put(f"{BASE}/{reserve(client)['Id']}", body).status == 400
    assert len(client.violations) == 1


def test_deleting(client: Any) -> None:
    instance, made = client.make(), reserve(client)
    attached = client.get(f"/instances/{instance}/ip_addresses").items[0]
    assert client.delete(f"{BASE}/{attached['Id']}").status == 400
    assert (client.delete(f"{BASE}/{made['Id']}").status, client.delete(f"{BASE}/{made['Id']}").status) == (200, 404)


def test_attach_and_detach(client: Any) -> None:
    instance, made = client.make(), reserve(client)

    def ticket(verb: str) -> Any:
        return client.post(f"/instances/{instance}/{verb}_ip_ticket?ipId={made['Id']}")

    assert ticket("detach").status == 400
    client.finish(ticket("attach"))
    attached = client.get(f"{BASE}/{made['Id']}").data
    assert attached["Instance"]["Id"] == instance
    assert attached["MacAddress"].startswith("02:")
    assert ticket("attach").status == 400
    assert client.get(f"/instances/{instance}/ip_addresses").total == 2
    client.finish(ticket("detach"))
    assert client.get(f"{BASE}/{made['Id']}").data == made


def test_the_later_line_knows_addresses_by_their_text(client: Any) -> None:
    instance, made = client.make(), reserve(client)
    text = made["Address"]
    assert client.get(f"/floating_ips/{text}").data == made
    assert client.put(f"/floating_ips/{text}", {"Comment": "mail"}).raw == b""
    where = f"ipV4={text}&instanceId={instance}"
    client.finish(client.post(f"/floating_ips/attach_ip_ticket?{where}"))
    assert client.delete(f"/floating_ips/{text}").status == 400
    client.finish(client.post(f"/floating_ips/detach_ip_ticket?{where}"))
    client.finish(client.post(f"/floating_ips/change_ip_subregion_ticket?ipV4={text}&subregionId=4"))
    seen = client.get(f"{BASE}/{made['Id']}").data
    assert (seen["Comment"], seen["Subregion"]["Id"], seen["Instance"]) == ("mail", 4, None)
    assert client.delete(f"/floating_ips/{text}").status == 200
    assert [client.get(f"/floating_ips/{text}").status, client.put(f"/floating_ips/{text}", {}).status] == [404, 404]
    assert client.post("/floating_ips/change_ip_subregion_ticket?ipV4=192.0.2.1&subregionId=4").status == 400
    assert client.post(f"/floating_ips/attach_ip_ticket?instanceId={instance}").status == 200
    client.settings["line"] = "D1"
    assert client.get(f"/floating_ips/{text}").status == 404


def test_attach_gives_a_new_one_when_none_is_named(client: Any) -> None:
    instance = client.make()
    client.finish(client.post(f"/instances/{instance}/attach_ip_ticket"))
    kinds = [one["Type"]["Label"] for one in client.get(f"/instances/{instance}/ip_addresses").items]
    assert kinds == ["Automatic", "Automatic"]


def test_a_failed_attach_leaves_no_address(client: Any) -> None:
    instance = client.make()
    client.settings["fail_tickets"] = "attach"
    client.finish(client.post(f"/instances/{instance}/attach_ip_ticket"))
    assert len(client.service.snapshot()["ips"]) == 1


def test_the_last_interface_stays(client: Any) -> None:
    instance = client.make()
    first = client.get(f"/instances/{instance}/ip_addresses").items[0]
    target = f"/instances/{instance}/detach_ip_ticket?ipId={first['Id']}"
    assert "must keep" in client.post(target).message
    client.finish(client.post(f"/instances/{instance}/attach_opn_ticket", {"OpnId": 41001}))
    client.finish(client.post(target))
    assert client.get(f"{BASE}/{first['Id']}").status == 404
    one = client.get(f"/instances/{instance}").data
    assert (one["IpAddress"], one["PrivateIpAddress"]) == (None, "10.0.0.2")


def test_eight_interfaces_at_most(client: Any) -> None:
    instance = client.make()
    for _ in range(7):
        client.finish(client.post(f"/instances/{instance}/attach_ip_ticket"))
    assert "8" in client.post(f"/instances/{instance}/attach_ip_ticket").message
    assert client.get(f"/instances/{instance}/ip_addresses").total == 8


def test_another_subregion(client: Any) -> None:
    made = reserve(client)
    client.finish(client.post(f"{BASE}/change_ip_subregion_ticket?ipId={made['Id']}&subregionId=4"))
    assert client.get(f"{BASE}/{made['Id']}").data["Subregion"]["Id"] == 4


def test_missing_addresses(client: Any) -> None:
    instance = client.make()
    assert client.get(f"{BASE}/1").status == 404
    assert client.post(f"/instances/{instance}/attach_ip_ticket?ipId=1").status == 400


def test_a_delayed_list_hides_new_ones(client: Any) -> None:
    client.settings["visibility_delay"] = 10
    made = reserve(client)
    assert client.get(BASE).total == 0
    assert client.get(f"{BASE}/{made['Id']}").status == 200
    client.clock.pass_by(10)
    assert client.get(BASE).total == 1


def test_an_address_on_its_way_cannot_be_taken(client: Any) -> None:
    made = reserve(client)
    client.post(f"{BASE}/change_ip_subregion_ticket?ipId={made['Id']}&subregionId=4")
    assert client.post("/instances", {"InstanceName": "x", "TemplateId": 765, "IPAddressId": made["Id"]}).status == 409
    assert client.put(f"{BASE}/{made['Id']}", {"Comment": "x"}).status == 409
    assert client.delete(f"{BASE}/{made['Id']}").status == 409


def test_a_list_shows_the_new_address_while_the_lock_lasts(client: Any) -> None:
    instance = client.make(WithoutPublicIp=True, OpnsIds=[41001])
    made = reserve(client)
    client.post(f"/instances/{instance}/attach_ip_ticket?ipId={made['Id']}")
    assert client.get("/instances").items[0]["IpAddress"] is None
    client.clock.pass_by(client.settings["ticket_seconds"])
    shown = client.get("/instances").items[0]
    assert (shown["IpAddress"], shown["IsLocked"]) == (made["Address"], True)
