# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages, order, filters of the list of instances."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def many(client: Any) -> Any:
    client.settings["bulk_instances"] = 50
    return client


def test_the_default_page_is_limited_and_the_total_is_not(many: Any) -> None:
    reply = many.get("/instances")
    assert (len(reply.items), reply.total) == (20, 50)


def test_size_zero_gives_everything(many: Any) -> None:
    assert len(many.get("/instances?pageSize=0").items) == 50


@pytest.mark.parametrize("first", [0, 1])
def test_pages_join_to_the_whole(many: Any, first: int) -> None:
    many.settings["first_page"] = first
    pages = [many.get(f"/instances?pageSize=15&pageNumber={first + step}").items for step in range(5)]
    assert [len(one) for one in pages] == [15, 15, 15, 5, 0]
    assert [one["Id"] for page in pages for one in page] == [
        one["Id"] for one in many.get("/instances?pageSize=0").items
    ]
    assert many.get("/instances?pageSize=15").items == pages[0]


def test_a_page_before_the_first_is_refused(many: Any) -> None:
    assert many.get("/instances?pageNumber=0").status == 400
    assert many.violations == []


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ("isTurnedOn=true", lambda one: one["Status"]["Id"] == 86),
        ("isTurnedOn=false", lambda one: one["Status"]["Id"] == 87),
        ("subregionId=4", lambda one: one["Subregion"]["Id"] == 4),
        ("typeId=34", lambda one: one["Type"]["Id"] == 34),
        ("templateTypeId=1244", lambda one: one["TemplateType"]["Id"] == 1244),
        ("query=BULK-0001", lambda one: one["Name"].startswith("bulk-0001")),
        ("isTurnedOn=true&subregionId=1", lambda one: one["Status"]["Id"] == 86 and one["Subregion"]["Id"] == 1),
    ],
)
def test_filters(many: Any, query: str, fits: Any) -> None:
    everything = many.get("/instances?pageSize=0").items
    desired = [one["Id"] for one in everything if fits(one)]
    reply = many.get(f"/instances?pageSize=0&{query}")
    assert [one["Id"] for one in reply.items] == desired
    assert 0 < reply.total == len(desired) < 50


@pytest.mark.parametrize(
    ("word", "key"), [("Type", "Label"), ("Status", "Label"), ("Name", None), ("CreationDate", None), ("Id", None)]
)
def test_order(many: Any, word: str, key: str | None) -> None:
    found = [one[word] for one in many.get(f"/instances?pageSize=0&orderBy={word}").items]
    values = [one[key] for one in found] if key else found
    assert values == sorted(values)


@pytest.mark.parametrize("path", ["/disks", "/instances/ip_addresses", "/opns", "/templates"])
def test_what_the_plugin_of_the_service_orders_by(client: Any, path: str) -> None:
    found = [one["Id"] for one in client.get(f"{path}?pageSize=32767&orderBy=Id").items]
    assert found == sorted(found)


def test_more_bulk_is_added_and_nothing_is_taken_away(many: Any) -> None:
    before = many.get("/instances?pageSize=0").items
    many.settings["bulk_instances"] = 60
    after = many.get("/instances?pageSize=0").items
    assert (len(after), after[:50]) == (60, before)
    many.settings["bulk_instances"] = 10
    assert many.get("/instances?pageSize=0").total == 60
    many.service.reset()
    assert many.get("/instances?pageSize=0").total == 10


def test_the_setting_counts_in_the_snapshot_too(many: Any) -> None:
    assert len(many.service.snapshot()["instances"]) == 50


def test_a_changed_instance_shows_its_change(many: Any) -> None:
    first = many.get("/instances?pageSize=1").items[0]
    many.finish(many.post(f"/instances/{first['Id']}/change_name_ticket?name=other"))
    assert many.get("/instances?pageSize=1").items[0] == many.get(f"/instances/{first['Id']}").data
    assert many.get("/instances?pageSize=1").items[0]["Name"] == "other"


def test_lists_and_single_reads_agree(many: Any) -> None:
    for one in many.get("/instances").items:
        assert many.get(f"/instances/{one['Id']}").data == one
