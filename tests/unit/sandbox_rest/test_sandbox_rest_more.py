# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, account, clones, templates out of instances, snapshots, events, further changes."""

from __future__ import annotations

from typing import Any

import pytest

TEMPLATE = {
    "TemplateName": "golden",
    "TemplateDescriptions": [{"LanguageId": 2, "Description": "ours"}],
    "TemplateVersion": "1",
    "TemplateSystemCategoryId": 1272,
    "TemplateDefaultTypeId": 34,
    "TemplateMinimumTypeId": 1047,
}


def test_keys(client: Any) -> None:
    made = client.post("/account/sshkeys", {"SshKeyName": "mine", "SshKey": " ssh-ed25519 AAAA mine\n"}).data
    assert made["Value"] == "ssh-ed25519 AAAA mine"
    assert client.get(f"/account/sshkeys/{made['Id']}").data == made
    assert [one["Name"] for one in client.get("/account/sshkeys?orderBy=Name").items] == ["mine", "operations"]
    gone = client.delete(f"/account/sshkeys/{made['Id']}")
    assert (gone.status, gone.raw) == (204, b"")
    assert client.delete(f"/account/sshkeys/{made['Id']}").status == 404
    assert client.get(f"/account/sshkeys/{made['Id']}").status == 404


def test_names_of_keys_are_not_unique(client: Any) -> None:
    body = {"SshKeyName": "operations", "SshKey": "ssh-ed25519 AAAA"}
    assert client.post("/account/sshkeys", body).status == 200
    assert client.get("/account/sshkeys").total == 2
    assert client.post("/account/sshkeys", {**body, "SshKey": "  "}).status == 400


def test_the_account(client: Any) -> None:
    assert client.get("/account").data["FreemiumEnabled"] is True
    client.settings["freemium_enabled"] = False
    assert client.get("/account").data["FreemiumEnabled"] is False


@pytest.mark.parametrize(("power", "status"), [(True, 86), (False, 87), (None, 87)])
def test_clones(client: Any, power: bool | None, status: int) -> None:
    source = client.make("web", OpnsIds=[41001], DiskSize=20)
    body = {"CloneName": "copy", "CloneType": 870} | ({} if power is None else {"PowerOn": power})
    ticket = client.post(f"/instances/{source}/clone_ticket", body)
    assert (ticket.data["ObjectId"], ticket.data["OperationType"]["Id"]) == (None, 141)
    assert client.post(f"/instances/{source}/reset_ticket").status == 409
    number = client.finish(ticket)["ObjectId"]
    old, new = client.get(f"/instances/{source}").data, client.get(f"/instances/{number}").data
    assert (new["Name"], new["Status"]["Id"], new["TotalDisksCapacity"]) == ("copy", status, 20)
    assert (new["IsLocked"], old["IsLocked"]) == (False, False)
    assert new["IpAddress"] != old["IpAddress"]
    assert new["PrivateIpAddress"] != old["PrivateIpAddress"]
    assert new["Type"] == old["Type"]


def test_kinds_of_clones_and_their_passwords(client: Any) -> None:
    source = client.make()
    passwords = []
    for kind in (869, 870):
        body = {"CloneName": "copy", "CloneType": kind}
        number = client.finish(client.post(f"/instances/{source}/clone_ticket", body))["ObjectId"]
        passwords.append(client.get(f"/instances/{number}/access_data").data["Password"])
    first = client.get(f"/instances/{source}/access_data").data["Password"]
    assert (passwords[0] == first, passwords[1] == first) == (False, True)
    assert client.post(f"/instances/{source}/clone_ticket", {"CloneName": "x", "CloneType": 1}).status == 400


def test_a_failed_clone_leaves_nothing(client: Any) -> None:
    source = client.make()
    client.settings["fail_tickets"] = "clone"
    client.finish(client.post(f"/instances/{source}/clone_ticket", {"CloneName": "x", "CloneType": 869}))
    assert [one["Id"] for one in client.service.snapshot()["instances"]] == [source]
    assert len(client.service.snapshot()["disks"]) == 1


def test_an_instance_becomes_a_template(client: Any) -> None:
    number = client.make(DiskSize=30)
    assert client.get(f"/instances/{number}/template").status == 404
    ticket = client.finish(client.post(f"/instances/{number}/convert_to_template_ticket", TEMPLATE))
    assert client.get(f"/instances/{number}").status == 403
    template = client.get(f"/instances/{number}/template").data
    assert (template["Id"], template["Name"], template["Description"]) == (ticket["ObjectId"], "golden", "ours")
    assert template["Disks"][0]["SpaceCapacity"] == 30
    assert template in client.get("/templates?source=Own").items
    one = client.get(f"/instances/{client.make(TemplateId=template['Id'])}").data
    assert one["TotalDisksCapacity"] == 30


@pytest.mark.parametrize("member", ["TemplateSystemCategoryId", "TemplateDefaultTypeId", "TemplateMinimumTypeId"])
def test_a_template_of_unknown_parts(client: Any, member: str) -> None:
    number = client.make()
    reply = client.post(f"/instances/{number}/convert_to_template_ticket", {**TEMPLATE, member: 1})
    assert (reply.status, member in reply.message) == (400, True)
    assert client.get(f"/instances/{number}").data["IsLocked"] is False


@pytest.fixture
def snapshots(client: Any) -> Any:
    """An instance with two snapshots: their ids are in ``found``."""
    client.instance = client.make()
    client.found = []
    for name in ("before", "after"):
        body = {"Name": name, "Description": "of the change"}
        ticket = client.finish(client.post(f"/instances/{client.instance}/snapshots", body))
        client.found.append(ticket["ObjectId"])
    return client


def test_snapshots(snapshots: Any) -> None:
    first, second = snapshots.found
    for target in ("/snapshots", f"/instances/{snapshots.instance}/snapshots"):
        assert [one["Id"] for one in snapshots.get(target).items] == [first, second]
    assert [one["Id"] for one in snapshots.get("/snapshots?query=AFTER").items] == [second]
    changed = snapshots.put(f"/snapshots/{first}", {"Name": "old"}).data
    assert (changed["Name"], changed["Description"]) == ("old", "of the change")
    assert snapshots.finish(snapshots.post(f"/snapshots/{first}/restore_ticket"))["Status"]["Id"] == 136
    snapshots.finish(snapshots.delete(f"/snapshots/{first}"))
    assert snapshots.get(f"/snapshots/{first}").status == 404
    assert snapshots.get("/snapshots").total == 1


def test_snapshots_go_with_their_instance(snapshots: Any) -> None:
    snapshots.finish(snapshots.delete(f"/instances/{snapshots.instance}"))
    assert snapshots.get("/snapshots").total == 0


def test_a_snapshot_operation_locks_the_instance(snapshots: Any) -> None:
    snapshots.delete(f"/snapshots/{snapshots.found[0]}")
    assert snapshots.post(f"/instances/{snapshots.instance}/reset_ticket").status == 409
    assert snapshots.post(f"/snapshots/{snapshots.found[0]}/restore_ticket").status == 409


def test_events_tell_what_became_of_operations(client: Any) -> None:
    number = client.make()
    client.settings.update(fail_tickets="reset", event_numbers="own")
    client.finish(client.post(f"/instances/{number}/reset_ticket"))
    client.post(f"/instances/{number}/power_off_ticket")
    found = client.get(f"/instances/{number}/events").items
    assert [one["OperationType"]["Id"] for one in found] == [159, 128, 122]
    assert [(one["OperationStatus"] or {}).get("Id") for one in found] == [150, 151, None]
    assert "failed" in found[1]["Message"]
    assert client.get("/events?typeIds=128&statusIds=151").items == found[1:2]
    assert client.get("/events?typeIds=128,122").status == 400


def test_software(client: Any) -> None:
    assert client.get(f"/instances/{client.make()}/software").total == 0
    assert client.get("/instances/1/software").status == 403


def test_instances_are_described_once(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    client.settings["bulk_instances"] = 200
    first = client.get("/instances?pageSize=0").raw
    monkeypatch.setattr("sandbox.rest.service.describe_instance", lambda *_: 1 / 0)
    assert client.get("/instances?pageSize=0").raw == first
