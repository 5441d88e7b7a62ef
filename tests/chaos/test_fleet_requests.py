# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fleet costs in requests, and that sharing them misleads nobody."""

from __future__ import annotations

import typing as t

import pytest

from chaos.fleets import MODULE, fleet, once_each, really
from chaos.kinds import PLACE
from chaos.workplace import Workplace

pytestmark = pytest.mark.full

NUMBER = 16


def requests(place: Workplace, since: int) -> list[str]:
    """Return the requests to the infrastructure interface since."""
    return [f"{one['method']} {one['path'].partition('/beta')[2]}" for one in place.seen({"service": "rest"}, since)]


@pytest.mark.parametrize(
    ("more", "most"),
    [
        ({}, 3),  # the list, the names of the subregions, the template
        ({"disk_class": "Tier 1", "init_disk_size": 20}, 4),
        ({"private_networks": ["backend"], "disk_class": "48"}, 5),
    ],
    ids=["plain", "with disks", "with networks"],
)
def test_nothing_to_do(place: Workplace, more: dict[str, t.Any], most: int) -> None:
    wish = fleet("teal", NUMBER, instance_defaults={**PLACE, **more})
    place.run(MODULE, wish).succeeded()
    since = place.last()
    assert place.run(MODULE, wish).succeeded()["changed"] is False
    assert len(requests(place, since)) <= most


def test_waiting_costs_lists_and_not_tickets(place: Workplace) -> None:
    place.sandbox.settings(rest={"ticket_seconds": 2.0})
    since = place.last()
    place.run(MODULE, fleet("teal", NUMBER)).succeeded()
    sent = requests(place, since)
    assert sent.count("POST /instances") == NUMBER
    assert [one for one in sent if one.startswith("GET /tickets/")] == []
    read = sum(one.startswith("GET /instances/2") for one in sent)  # once, when done; again where it was still locked
    assert NUMBER <= read <= 2 * NUMBER
    lists = sent.count("GET /instances") + sent.count("GET /tickets")  # as many as the time it takes has rounds
    assert len(sent) - lists < NUMBER * 2 + 20


def test_a_large_account_is_searched_by_the_beginning_of_the_names(place: Workplace) -> None:
    place.sandbox.settings(rest={"bulk_instances": 3000})
    place.run(MODULE, fleet("teal", NUMBER)).succeeded()
    since = place.last()
    place.run(MODULE, fleet("teal", NUMBER)).succeeded()
    (entry,) = [one for one in place.seen({"service": "rest"}, since) if one["operation"] == "list_instances"]
    assert "query=teal-" in entry["query"]
    assert really(place, "teal") == once_each("teal", NUMBER)


def test_a_search_that_finds_nothing_is_not_believed(place: Workplace) -> None:
    """The filter for names is described as free text and no more."""
    place.run(MODULE, fleet("teal", 4)).succeeded()
    nothing = {"Items": [], "Meta": {"Total": 0}}
    search = {"service": "rest", "method": "GET", "path": r"/instances\?.*query="}
    place.sandbox.fault("status_before", status=200, body=nothing, times=0, **search)
    assert place.run(MODULE, fleet("teal", 4)).succeeded()["changed"] is False


def test_progress_is_told(place: Workplace) -> None:
    told = place.run(MODULE, fleet("teal", NUMBER)).told
    assert told[-1] == f"{NUMBER} of {NUMBER} instances are done."
    assert len(told) < NUMBER


def test_instances_of_one_name_are_told_apart_from_those_that_are_missing(place: Workplace) -> None:
    """The one that is there twice fails, the others are made."""
    instance = place.run("instance", {"name": "teal-0x", **PLACE}).succeeded()["instance"]
    place.run(MODULE, fleet("teal", 1)).succeeded()
    rename = {"operation": "instance_change_name", "inputs": {"id": instance["id"], "name": "teal-0"}}
    place.run("infrastructure_call", rename).succeeded()
    done = place.run(MODULE, fleet("teal", 3))
    assert done.failed
    assert [one["action"] for one in done.result["outcomes"]] == ["failed", "create", "create"]
    assert done.result["outcomes"][0]["error"]["kind"] == "Ambiguous"
    assert "Remove or rename the others" in done.message
