# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The readings of what nobody knows: the hard preset is the default, each reading does what it says."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox.rest.settings import DEFAULTS, FRIENDLY, HARD, READINGS, drawn, preset

FULL = {
    "InstanceName": "web",
    "TemplateId": 765,
    "InstancesCount": 1,
    "DiskSize": 5,
    "DiskClass": 48,
    "AuthorizationMethodId": 1399,
    "TypeId": 34,
    "SubregionId": 1,
}


@pytest.fixture
def hard(client: Any) -> Any:
    """The service in the hard preset."""
    client.settings.update(HARD)
    return client


def made(client: Any, **members: Any) -> int:
    """The number of a new instance, long after it was made."""
    number: int = client.finish(client.post("/instances", {**FULL, **members}))["ObjectId"]
    client.clock.pass_by(5)
    return number


def test_the_hard_position_is_the_default() -> None:
    assert {name: DEFAULTS[name] for name in READINGS} == HARD
    assert preset("hard") == HARD != FRIENDLY == preset("friendly")
    assert preset("older") == {**HARD, "line": "D1"}


def test_a_drawn_position_can_be_drawn_again() -> None:
    assert drawn(7) == drawn(7) == preset("random:7")
    assert len({str(drawn(seed)) for seed in range(20)}) == 20
    with pytest.raises(ValueError, match="no preset 'random:x'; known are hard"):
        preset("random:x")


def test_references_are_numbers(hard: Any) -> None:
    number = made(hard)
    assert hard.get(f"/instances/{number}").data["Template"] == {"Id": 765}
    hard.settings["reference_names"] = True
    assert hard.get(f"/instances/{number}").data["Template"] == {"Id": 765, "Name": "Debian 9"}
    assert hard.get("/instances").items[0]["Subregion"] == {"Id": 1, "Name": "EU-001"}


@pytest.mark.parametrize("member", sorted(set(FULL) - {"InstanceName", "TemplateId"}))
def test_a_create_without_what_all_clients_send_is_refused(hard: Any, member: str) -> None:
    bare = {name: value for name, value in FULL.items() if name != member}
    assert hard.post("/instances", bare).status == 400
    hard.settings["bare_creates"] = True
    assert hard.post("/instances", bare).status == 200
    assert hard.violations == []


def test_unknown_members_are_passed_over_or_refused(hard: Any) -> None:
    body = {**FULL, "Colour": "red"}
    assert hard.post("/instances", body).status == 200
    hard.settings["unknown_members"] = "refused"
    assert hard.post("/instances", body).status == 400
    assert [one["text"] for one in hard.violations] == ["Colour: create_instance has no such member"] * 2
    hard.violations.clear()


def test_the_older_line_has_other_members_and_paths(hard: Any) -> None:
    hard.settings["line"] = "D1"
    disk = {"DiskName": "data", "SpaceCapacity": 5, "TierId": 48, "SubregionId": 1}
    assert hard.post("/disks", disk).status == 400
    assert hard.post("/disks", {**disk, "IsShared": False}).status == 200
    hard.violations.clear()
    assert [hard.get(target).status for target in ("/opns/41001", "/floating_ips?pageSize=1")] == [405, 404]
    assert hard.violations == []  # reading what the other line has is how a client learns which one it speaks to
    number = made(hard, OpnsIds=[41001], WithoutPublicIp=True)
    assert hard.get(f"/instances/{number}").data["IpAddress"] is not None
    assert "IsHotPlugEnabled" not in hard.get(f"/instances/{number}").data
    assert len(hard.violations) == 1
    hard.violations.clear()


def test_pages_are_short_cut_and_in_no_order(hard: Any) -> None:
    assert len(hard.get("/instances/types").items) == 10
    hard.settings["longest_page"] = 7
    page = hard.get("/instances/types?pageSize=1000&orderBy=Name")
    assert (len(page.items), page.total) == (7, 32)
    assert hard.get("/instances/types?pageSize=1000&pageNumber=6").items == []
    orders = {tuple(one["Id"] for one in hard.get("/instances/types").items) for _ in range(5)}
    assert len(orders) > 1
    names = [one["Name"] for one in page.items]
    assert names == sorted(names)


@pytest.mark.parametrize(
    ("reading", "status", "rows"), [("refused", 400, None), ("nothing", 200, 0), ("everything", 200, 32)]
)
def test_a_page_of_size_zero(hard: Any, reading: str, status: int, rows: int | None) -> None:
    hard.settings.update(page_size_zero=reading, longest_page=0)
    reply = hard.get("/instances/types?pageSize=0")
    assert reply.status == status
    assert rows is None or len(reply.items) == rows


def test_a_list_without_pages_refuses_them(hard: Any) -> None:
    assert hard.get("/subregions?pageSize=5").status == 400
    hard.settings["unknown_parameters"] = "ignored"
    assert hard.get("/subregions?pageSize=5").status == 200
    assert len(hard.violations) == 2
    hard.violations.clear()


def test_the_query_looks_beyond_names(hard: Any) -> None:
    number = made(hard, InstanceName="web")
    assert hard.get(f"/instances?query={number}").total == 1
    hard.settings["query_looks_in"] = "name"
    assert hard.get(f"/instances?query={number}").total == 0


def test_nulls_and_members_that_nobody_knows(hard: Any) -> None:
    shown = hard.get(f"/instances/{made(hard)}").data
    assert (shown["DnsAddress"], shown["CpuNumber"]) == (None, None)
    assert "AddedSince" in shown
    hard.settings.update(null_members=[], further_members=False)
    shown = hard.get("/instances").items[0]
    assert (shown["CpuNumber"], "AddedSince" in shown) == (2, False)


def test_an_end_shows_in_steps(hard: Any) -> None:
    ticket = hard.post("/instances", FULL).data
    assert ticket["Status"]["Id"] == 134
    hard.clock.pass_by(0.1)
    assert hard.get(f"/tickets/{ticket['Id']}").data["Status"]["Id"] == 135
    hard.clock.pass_by(1)
    seen = [hard.get(f"/tickets/{ticket['Id']}").data for _ in range(2)]
    assert [(one["Status"]["Id"], one["EndDate"] is None) for one in seen] == [(136, True), (136, False)]


def test_what_a_copy_s_ticket_names(hard: Any) -> None:
    source = made(hard)
    found = {}
    for reading in ("source", "null", "new"):
        hard.settings["copied_object_id"] = reading
        body = {"CloneName": "copy", "CloneType": 869}
        found[reading] = hard.finish(hard.post(f"/instances/{source}/clone_ticket", body))["ObjectId"]
        hard.clock.pass_by(1)
    assert (found["source"], found["null"]) == (source, None)
    assert found["new"] not in (source, None)


def test_lists_lag_behind_creates(hard: Any) -> None:
    hard.finish(hard.post("/instances", FULL))
    assert hard.get("/instances").total == 0
    hard.clock.pass_by(hard.settings["list_lag"])
    assert hard.get("/instances").total == 1


def test_lists_lag_behind_changes(hard: Any) -> None:
    number = made(hard)
    assert hard.get("/instances").items[0]["Name"] == "web"
    ticket = hard.post(f"/instances/{number}/change_name_ticket?name=shop")
    assert hard.get("/instances").items[0]["IsLocked"] is False
    assert hard.get(f"/instances/{number}").data["IsLocked"] is True
    hard.finish(ticket)
    assert hard.get(f"/instances/{number}").data["Name"] == "shop"
    assert [one["Name"] for one in hard.get("/instances?query=web").items] == ["web"]
    hard.clock.pass_by(hard.settings["list_lag"])
    assert [one["Name"] for one in hard.get("/instances?query=shop").items] == ["shop"]


def test_the_list_of_tickets_lags(hard: Any) -> None:
    ticket = hard.post("/instances", FULL).data
    assert hard.get("/tickets").total == 0
    assert hard.get(f"/tickets/{ticket['Id']}").status == 200
    hard.clock.pass_by(hard.settings["ticket_list_lag"])
    assert hard.get("/tickets").total == 1


def test_a_put_empties_what_it_leaves_out(hard: Any) -> None:
    number = made(hard)
    hard.finish(hard.post(f"/instances/{number}/snapshots", {"Name": "before", "Description": "words"}))
    hard.clock.pass_by(1)
    (snapshot,) = hard.get("/snapshots").items
    assert hard.put(f"/snapshots/{snapshot['Id']}", {"Name": "after"}).data["Description"] is None


def test_a_password_is_shown_once(hard: Any) -> None:
    number = made(hard)
    assert hard.get(f"/instances/{number}/access_data").data["Password"]
    assert hard.get(f"/instances/{number}/access_data").data["Password"] is None


def test_a_running_instance_is_not_restored(hard: Any) -> None:
    number = made(hard)
    hard.finish(hard.post(f"/instances/{number}/snapshots", {"Name": "before"}))
    hard.clock.pass_by(1)
    (snapshot,) = hard.get("/snapshots").items
    ended = []
    for reading in (False, True):
        hard.settings["restore_while_running"] = reading
        ticket = hard.post(f"/snapshots/{snapshot['Id']}/restore_ticket")
        hard.clock.pass_by(5)
        ended.append([hard.get(f"/tickets/{ticket.data['Id']}").data["Status"]["Id"] for _ in range(2)][-1])
    assert ended == [137, 136]


def test_snapshots_have_a_chain(hard: Any) -> None:
    number = made(hard)
    for name in ("one", "two", "three"):
        hard.finish(hard.post(f"/instances/{number}/snapshots", {"Name": name}))
        hard.clock.pass_by(1)
    one, two, three = hard.get(f"/snapshots?instanceId={number}&orderBy=CreationDate").items
    assert (one["SnapshotParent"], two["SnapshotParent"]) == (None, {"Id": one["Id"]})
    assert [it["IsCurrent"] for it in (one, two, three)] == [False, False, True]
    hard.finish(hard.delete(f"/snapshots/{two['Id']}"))
    assert hard.get(f"/snapshots/{three['Id']}").data["SnapshotParent"] == {"Id": one["Id"]}


def test_refusals_of_requests_say_little(hard: Any) -> None:
    reply = hard.post("/instances", {**FULL, "DiskSize": 4})
    assert (reply.status, reply.message) == (400, "Invalid request.")
    assert "DiskSize" in hard.violations[0]["text"]
    hard.violations.clear()


@pytest.mark.parametrize("seed", range(20))
def test_the_service_works_in_any_position(client: Any, seed: int) -> None:
    client.settings.update(drawn(seed))
    started = client.post("/instances", FULL)
    client.finish(started)
    client.clock.pass_by(5)
    assert client.get("/instances").total == 1
    assert client.violations == []
