# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What many instances cost that are as desired, and what an inventory of many costs: a few lists."""

from __future__ import annotations

import pathlib
import re
import threading
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance_fleet_view
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance_info as listing
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_fleet import OPERATION
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_fleet_view import (
    FleetLists,
    FleetView,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.reference_names import ReferenceNames

if t.TYPE_CHECKING:
    from sandbox.process import SandboxProcess

MANY = 200
SUBREGIONS = ("EU-001", "EU-002", "EU-003", "EU-004")


class Place:
    """The sandbox with many instances, and fleets as tasks of their own."""

    def __init__(self, sandbox: SandboxProcess, folder: pathlib.Path) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.warnings: list[str] = []

    def task(self, *, check_mode: bool = False) -> Task:
        connection = {name[4:].lower(): value for name, value in self.sandbox.environment.items()}
        settings = Settings.resolve({**connection, "state_dir": str(self.folder)}, ("rest",))
        self.sandbox.clear_requests()
        return Task(settings, check_mode=check_mode, warn=self.warnings.append)

    def fleet(
        self,
        instances: t.Sequence[dict[str, t.Any]],
        *,
        check_mode: bool = False,
        create_grace: float = 3.0,
        force_create: bool = False,
        concurrency: int = 20,
        wait: bool = True,
        **shared: t.Any,
    ) -> t.Any:
        """Run a fleet; the log of requests starts anew."""
        defaults = {name: option.get("default") for name, option in OPERATION.options.items()}
        limits: dict[str, object] = {
            "create_grace": create_grace,
            "force_create": force_create,
            "concurrency": concurrency,
            "wait": wait,
        }
        asked = {**defaults, "instances": instances, "instance_defaults": shared, **limits}
        return OPERATION.run(self.task(check_mode=check_mode), asked)

    def sent(self) -> list[str]:
        """The paths of the requests of the last task."""
        return [one["path"].replace("/beta", "") for one in self.sandbox.requests("rest")]

    def bulk(self, number: int) -> list[dict[str, t.Any]]:
        """Have so many instances and return the instances."""
        self.sandbox.settings(rest={"bulk_instances": number})
        return infrastructure(self.task()).list_instances(query="bulk-")


@pytest.fixture
def place(sandbox: SandboxProcess, own_home: pathlib.Path, tmp_path: pathlib.Path) -> t.Iterator[Place]:
    sandbox.reset()
    sandbox.settings(rest={"ticket_seconds": 0.1})
    yield Place(sandbox, tmp_path / "state")
    assert sandbox.violations() == []


def test_many_with_numbers_cost_a_list_and_the_subregions(place: Place) -> None:
    instances = [
        {
            "name": one["Name"],
            "template_id": one["Template"]["Id"],
            "subregion_id": one["Subregion"]["Id"],
            "type_id": one["Type"]["Id"],
        }
        for one in place.bulk(MANY)
    ]
    result = place.fleet(instances)
    assert (len(instances), result["changed"], result["counts"]["unchanged"]) == (MANY, False, MANY)
    assert (len(place.sent()), set(place.sent())) == (3, {"/instances", "/subregions"})
    assert {one["subregion"]["label"] for one in result["instances"]} == set(SUBREGIONS)


def test_many_with_names_cost_no_more_than_six(place: Place) -> None:
    names = ReferenceNames(infrastructure(place.task()))
    entries = place.bulk(MANY)
    instances = [
        {
            "name": one["Name"],
            "template": names.label("template", one["Template"]["Id"]),
            "subregion": names.label("subregion", one["Subregion"]["Id"]),
            "type": one["Type"]["Label"],
        }
        for one in entries
    ]
    result = place.fleet(instances)
    assert (result["changed"], result["counts"]["unchanged"]) == (False, MANY)
    assert (len(place.sent()), set(place.sent())) == (4, {"/instances", "/subregions", "/templates"})
    for wish in instances:
        wish.update(disk_class=f"Tier {1 + (int(wish['name'][5:]) - 1) % 3}", ip_addresses=[])
    place.sandbox.settings(rest={"longest_page": 0})
    result = place.fleet(instances)
    assert (result["changed"], result["counts"]["unchanged"]) == (False, MANY)
    lists = ["/disks", "/instances", "/instances/ip_addresses", "/subregions", "/templates"]
    assert sorted(place.sent()) == lists
    assert all(one["template"]["label"] == wish["template"] for one, wish in zip(result["instances"], instances))


def test_new_ones_that_are_done_together_cost_a_list_of_disks(place: Place) -> None:
    """One for each list of tickets that has shown some as done, at most, and not one for each instance."""
    place.sandbox.settings(rest={"hang_tickets": "create_instance", "ticket_list_lag": 0.0, "list_lag": 0.0})
    numbers, ended = range(30), threading.Event()
    instances = [{"name": f"web-{number}", "template_id": 767, "type_id": 34, "subregion_id": 1} for number in numbers]

    def let_go() -> None:
        while place.sandbox.counts()["by"].get("rest create_instance", 0) < len(instances) and not ended.wait(0.05):
            pass
        place.sandbox.settings(rest={"hang_tickets": None})

    helper = threading.Thread(target=let_go)
    helper.start()
    try:
        result = place.fleet(instances, disk_class="48", init_disk_size=20, concurrency=1)
    finally:
        ended.set()
        helper.join()
    assert result["counts"]["created"] == len(instances)
    lists = [path.partition("?")[0] for path in place.sent()]
    assert 1 <= lists.count("/disks") <= lists.count("/tickets"), lists


@pytest.mark.parametrize("what", ["instances", "tickets"])
def test_the_first_search_is_shared_and_the_next_reads_again(place: Place, what: str) -> None:
    """After an unclear answer, a list from before the end of the grace time would show nothing of the create."""
    lists = FleetLists(infrastructure(place.task()), Clock(), ["web-1", "web-2"])
    one, other = FleetView(lists), FleetView(lists)

    def search(view: FleetView, minute: str = "04") -> None:
        if what == "instances":
            view.api.list_instances(query="web-1")
        else:
            view.api.list_tickets(creation_date_from=f"2026-01-02T03:{minute}:05Z")

    place.sandbox.clear_requests()
    search(one)
    search(other)
    assert len(place.sent()) == 1
    search(one)
    assert len(place.sent()) == 2
    search(other, "14")
    assert len(place.sent()) == 3


def test_where_there_are_many_each_is_read_by_itself(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists have ever more pages then, and would be read for each round."""
    shared = {"template_id": 767, "type_id": 34, "subregion_id": 1, "disk_class": "48", "init_disk_size": 20}
    assert place.fleet([{"name": f"web-{number}"} for number in range(12)], **shared)["counts"]["created"] == 12
    monkeypatch.setattr(instance_fleet_view, "LONG_LIST", 10)
    names = [f"web-new-{number}" for number in range(10, 30)]
    assert place.fleet([{"name": name} for name in ("web-0", *names)], **shared)["counts"]["created"] == len(names)
    searches = [one["query"] for one in place.sandbox.requests("rest") if one["path"] == "/beta/instances"]
    listed = [query for query in searches if query and not re.search("query=web-new-[0-9]", query)]
    assert len(listed) == 2  # the prefix that all share, and all that there are; as those of the disks, in planning
    assert place.sent().count("/disks") == 1
    assert sum(path.endswith("/disks") for path in place.sent()) == 1 + len(names)


def test_a_search_finds_what_is_under_way_whatever_was_read_before(place: Place) -> None:
    """A ticket is waited for in a list of the last minutes, and the create of another controller may be older."""
    place.sandbox.settings(rest={"hang_tickets": "create_instance", "ticket_list_lag": 0.0})
    names = [{"name": "web-1"}, {"name": "web-2"}]
    assert place.fleet(names, wait=False, template_id=767, type_id=34, subregion_id=1)["counts"]["created"] == 2
    api = infrastructure(place.task())
    tickets = api.list_tickets()
    lists = FleetLists(api, Clock(), ["web-1", "web-2"])
    one, other = FleetView(lists), FleetView(lists)
    one.api.get_ticket(tickets[0]["Id"])
    found = other.api.list_tickets(creation_date_from="2026-01-02T03:04:05Z")
    assert {one["Id"] for one in found} == {one["Id"] for one in tickets}
    assert {one["ObjectName"] for one in found} == {"web-1", "web-2"}


@pytest.mark.parametrize("settings", [{}, {"ticket_seconds": 1.2, "list_lag": 1.5}])
def test_changes_of_disks_are_seen(place: Place, settings: dict[str, float]) -> None:
    """In a list from after the end, even if the first such list is late."""
    names = [{"name": "web-1"}, {"name": "web-2"}]
    shared = {"template_id": 767, "type_id": 34, "subregion_id": 1, "disk_class": "48"}
    assert place.fleet(names, init_disk_size=20, **shared)["counts"]["created"] == 2
    place.sandbox.settings(rest=settings)
    assert place.fleet(names, init_disk_size=30, **shared)["counts"]["changed"] == 2


def test_one_template_is_read_by_its_number(place: Place) -> None:
    instances = [{"name": f"web-{number}"} for number in range(8)]
    shared = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
    assert place.fleet(instances, **shared)["counts"]["created"] == 8
    assert place.fleet(instances, **shared)["changed"] is False
    assert place.sent() == ["/instances", "/subregions", "/templates/767"]


def test_a_fleet_of_a_template_that_is_gone_stays(place: Place) -> None:
    instances = [{"name": f"web-{number}"} for number in range(3)]
    shared = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2", "recreate": True}
    made = [one["id"] for one in place.fleet(instances, **shared)["instances"]]
    place.sandbox.fault("status_before", service="rest", method="GET", path="/templates/767$", status=404, times=0)
    again = place.fleet(instances, **{**shared, "template": "Debian 8 (8)"})
    assert (again["changed"], [one["id"] for one in again["instances"]]) == (False, made)
    assert len(set(place.warnings)) == 1
    assert "(or no longer) list template 767" in place.warnings[0]


def test_a_failure_to_name_references_is_not_told_as_a_duplicate(place: Place) -> None:
    instances = [
        {"name": one["Name"], "template_id": one["Template"]["Id"], "subregion_id": one["Subregion"]["Id"]}
        for one in place.bulk(1)
    ]
    subregions = {"service": "rest", "method": "GET", "path": "/subregions"}
    place.sandbox.fault("status_before", status=200, body={"Items": {}}, times=0, **subregions)
    result = place.fleet(instances)
    (outcome,) = result["outcomes"]
    assert (result["changed"], outcome["action"], outcome["error"]["kind"]) == (False, "failed", "Unusable")
    assert outcome["msg"].endswith("Check that base_url is the address of the infrastructure interface.")
    assert outcome["msg"] in result["msg"]


def test_an_inventory_of_ten_thousand_costs_its_pages_and_the_subregions(place: Place) -> None:
    place.bulk(10_000)
    api = infrastructure(place.task())
    records = listing.read_instances(api, {}, ReferenceNames(api))
    assert len(records) == 10_000
    pages = place.sent().count("/instances")
    assert place.sent().count("/subregions") == 1
    assert len(place.sent()) <= pages + 2
    assert {one["subregion"]["label"] for one in records} == set(SUBREGIONS)
    assert {one["template"]["label"] for one in records} == {None}
    assert len({id(one["subregion"]) for one in records}) == len(SUBREGIONS)


def test_with_the_names_of_templates_it_is_one_list_more(place: Place) -> None:
    place.bulk(100)
    api = infrastructure(place.task())
    records = listing.read_instances(api, {}, ReferenceNames(api), templates=True)
    assert place.sent() == ["/instances", "/subregions", "/templates"]
    assert all(one["template"]["label"] for one in records)
    labels = {(one["template"]["id"], one["template"]["label"]) for one in records}
    assert len(labels) == len({number for number, _label in labels})


def test_without_a_right_to_subregions_it_is_a_list_without_names(place: Place) -> None:
    place.bulk(5)
    place.sandbox.fault("status_before", service="rest", method="GET", path="/subregions", status=403, times=0)
    api = infrastructure(place.task())
    assert {one["subregion"]["label"] for one in listing.read_instances(api, {}, ReferenceNames(api))} == {None}


def test_a_failure_is_not_taken_for_that(place: Place) -> None:
    place.bulk(5)
    place.sandbox.fault("status_before", service="rest", method="GET", path="/subregions", status=500, times=0)
    api = infrastructure(place.task())
    with pytest.raises(FcdError, match="500"):
        listing.read_instances(api, {}, ReferenceNames(api))


def test_creates_without_a_clear_end_are_sent_again_by_force_alone(place: Place) -> None:
    instances = [{"name": f"web-{number}", "template_id": 767, "type_id": 34, "subregion_id": 1} for number in range(2)]
    place.sandbox.fault("status_before", service="rest", method="POST", path="/instances$", status=500, times=0)
    assert place.fleet(instances, create_grace=0.1)["counts"]["failed"] == 2
    place.sandbox.clear_faults()
    again = place.fleet(instances, create_grace=0.1)
    assert {one["error"]["kind"] for one in again["outcomes"]} == {"CannotDetermine"}
    assert [one for one in place.sandbox.requests("rest") if one["write"]] == []
    assert place.fleet(instances, create_grace=0.1, force_create=True)["counts"]["created"] == 2
    there = [one["Name"] for one in place.sandbox.state()["rest"]["instances"] if one["Name"].startswith("web-")]
    assert sorted(there) == ["web-0", "web-1"]
