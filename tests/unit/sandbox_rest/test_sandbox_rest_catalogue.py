# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries, subregions, templates and instance types."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox.rest import seeding


def labels(items: list[Any]) -> dict[int, str]:
    return {one["Id"]: one["Label"] for one in items}


@pytest.mark.parametrize("target", ["/dictionaries", "/dictionaries/"])
def test_all_dictionaries(client: Any, target: str) -> None:
    reply = client.get(target)
    names = {one["Id"]: one["Name"] for one in reply.items}
    assert reply.total == len(names) == len(seeding.dictionary_names())
    assert {1, 11, 12, 17, 27, 40, 41, 42, 159, 186, 302} <= set(names)
    assert names[27] == "Instance statuses"


@pytest.mark.parametrize("target", ["/dictionaries/27"])
def test_the_content_of_one(client: Any, target: str) -> None:
    reply = client.get(target)
    assert reply.total == 4
    assert labels(reply.items) == {86: "Powered On", 87: "Powered Off", 126: "Deleted", 1748: "Initializing"}
    link = {"Rel": "self", "Href": "https://localhost:8443/beta/dictionaries/27"}
    assert reply.items[0]["Dictionary"] == {"Id": 27, "Links": [link]}


def test_several_in_one_call(client: Any) -> None:
    reply = client.get("/dictionaries/17,159")
    assert {one["Dictionary"]["Id"] for one in reply.items} == {17, 159}
    assert reply.total == len(reply.items) == 7


def test_links_follow_the_address_that_was_asked(client: Any) -> None:
    client.make()
    client.get("/instances")
    for target in ("/dictionaries/27", "/instances"):
        reply = client.get(target, HTTP_HOST="127.0.0.1:9")
        assert b"https://127.0.0.1:9/beta/dictionaries/27" in reply.raw
        assert b"localhost" not in reply.raw


def test_a_whole_dictionary_arrives_without_pages(client: Any) -> None:
    assert client.get("/dictionaries/12").total == len(client.get("/dictionaries/12").items) == 32


def test_an_empty_dictionary_is_an_empty_list(client: Any) -> None:
    assert client.get("/dictionaries/202").data == {"Items": [], "Meta": {"Total": 0}}


@pytest.mark.parametrize("target", ["/dictionaries/9999", "/dictionaries/27,9999", "/templates/9"])
def test_missing_ones_are_404(client: Any, target: str) -> None:
    reply = client.get(target)
    assert reply.status == 404
    assert client.violations == []


def test_subregions(client: Any) -> None:
    found = {one["Id"]: one["IsActive"] for one in client.get("/subregions").items}
    assert list(found) == [1, 4, 5, 6, 7]
    assert list(found.values()).count(False) == 1


def test_types_fit_the_known_examples(client: Any) -> None:
    found = {one["Id"]: one for one in client.get("/instances/types?pageSize=0").items}
    assert len(found) == 32
    assert (found[1263]["Cpu"], found[1263]["Ram"], found[1263]["Category"]["Label"]) == (1, 4096, "High memory")
    assert (found[1271]["Cpu"], found[1271]["Ram"], found[1271]["Category"]["Label"]) == (16, 8192, "High CPU")
    assert {one["Id"] for one in found.values() if one["AvailableForFreemium"]} == {1047, 289}
    assert labels(client.get("/dictionaries/12").items) == {number: one["Name"] for number, one in found.items()}


def test_types_by_category_and_plan(client: Any) -> None:
    assert {one["Category"]["Id"] for one in client.get("/instances/types?categoryId=1250").items} == {1250}
    assert client.get("/instances/types?availableForFreemium=true").total == 2
    assert client.get("/instances/types?availableForFreemium=false").total == 30
    ram = [one["Ram"] for one in client.get("/instances/types?orderBy=Ram&pageSize=0").items]
    assert ram == sorted(ram)


def test_template_names_are_not_unique(client: Any) -> None:
    found = client.get("/templates?source=All&query=golden%20image").items
    assert [(one["Name"], one["Version"]) for one in found] == [
        ("Golden image", "2025-01"),
        ("Golden image", "2025-02"),
    ]


def test_templates_by_source(client: Any) -> None:
    everything = client.get("/templates?source=All").total
    parts = [
        client.get(f"/templates?source={one}").total for one in ("Standard", "Own", "CommunityCatalogue", "Marketplace")
    ]
    assert everything == sum(parts) == 37
    assert client.get("/templates").total == parts[1] + parts[3]


def test_a_template_may_bring_two_disks(client: Any) -> None:
    template = client.get("/templates/644").data
    members = ("SpaceCapacity", "Controller", "Slot", "IsSystemDisk")
    assert [tuple(one[name] for name in members) for one in template["Disks"]] == [(32, 0, 0, True), (10, 0, 1, True)]
    assert (template["Version"], template["EthernetControllersType"]["Label"]) == ("", "E1000")


def test_nulls_are_present(client: Any) -> None:
    template = client.get("/templates/1").data
    assert (template["Version"], template["OwnerAccount"], template["PublicationStatus"]) == (None, None, None)


def test_own_templates_change_and_go(client: Any) -> None:
    assert client.put("/templates/765", {"Name": "mine"}).status == 403
    assert client.put("/templates/60001", {"Name": "Silver image"}).data["Name"] == "Silver image"
    gone = client.delete("/templates/60001")
    assert (gone.status, gone.raw) == (200, b"")
    assert client.get("/templates/60001").status == 404
