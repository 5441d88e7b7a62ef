# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The very requests that the operations send, with their queries and bodies."""

from __future__ import annotations

import json
import pathlib
import typing as t

import pytest
import responses
from responses import matchers

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance

Run = t.Callable[..., t.Dict[str, t.Any]]
BASE = "https://api.example.com/beta"
TICKET = {
    "Id": 5_000_000_001,
    "Status": {"Id": 135, "Label": "Running"},
    "ObjectType": {"Id": 139, "Label": "Instance"},
    "ObjectId": None,
    "ObjectName": "web",
    "Progress": 0,
}
ENDED = {**TICKET, "Status": {"Id": 136, "Label": "Succeed"}, "ObjectId": 7, "Progress": 100}
INSTANCE = {
    "Id": 7,
    "Name": "web",
    "IsLocked": False,
    "Status": {"Id": 86, "Label": "Powered On"},
    "Type": {"Id": 34, "Label": "v1.standard-2.2"},
    "Subregion": {"Id": 1},
    "Template": {"Id": 60001},
    "IsFreemium": False,
}

SUBREGIONS = {"Items": [{"Id": 1, "Name": "EU-001", "IsActive": True}], "Meta": {"Total": 1}}
SMALL = {"Id": 34, "Name": "v1.standard-2.2", "Cpu": 2, "Ram": 2048, "AvailableForFreemium": True}
TEMPLATE = {"Id": 60001, "Name": "Golden image", "MinimumInstanceType": {"Id": 34, "Label": "v1.standard-2.2"}}
DISK = {
    "Id": 3,
    "SpaceCapacity": 20,
    "Tier": {"Id": 48, "Label": "Tier 1"},
    "Connections": [{"Instance": {"Id": 7}, "IsSystemDisk": True}],
}


def listed(*items: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    return {"Items": list(items), "Meta": {"Total": len(items)}}


@pytest.fixture
def wire(own_home: pathlib.Path) -> t.Iterator[responses.RequestsMock]:
    with responses.RequestsMock(registry=responses.registries.OrderedRegistry) as mock:
        yield mock


@pytest.fixture
def run(fake_clock: t.Any, tmp_path: pathlib.Path) -> Run:
    fake_clock.time = 1_800_000_000.0

    def running(**params: t.Any) -> dict[str, t.Any]:
        connection = {"base_url": BASE, "access_token": "bearer-of-the-tests", "state_dir": str(tmp_path / "state")}
        defaults = {name: option.get("default") for name, option in instance.OPERATION.options.items()}
        task = Task(Settings.resolve(connection, ("rest",)), clock=fake_clock)
        return instance.run(task, {**defaults, **params})

    return running


def expect(wire: responses.RequestsMock, method: str, path: str, answer: object, **query: t.Any) -> None:
    exact = matchers.query_param_matcher(query)
    headers = matchers.header_matcher({"Authorization": "Bearer bearer-of-the-tests", "Accept": "application/json"})
    wire.add(method, f"{BASE}{path}", json=answer, match=[exact, headers])


def test_nothing_to_do(wire: responses.RequestsMock, run: Run) -> None:
    expect(wire, "GET", "/instances", listed(INSTANCE), query="web", pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/subregions", SUBREGIONS)
    assert run(name="web", type_id=34)["changed"] is False


def test_requests_of_a_create(wire: responses.RequestsMock, run: Run) -> None:
    expect(wire, "GET", "/instances", listed(), query="web", pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/instances", listed(), pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/subregions", listed({"Id": 1, "Name": "EU-001", "IsActive": True}))
    expect(wire, "GET", "/instances/types", listed(SMALL), pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/templates/60001", TEMPLATE)
    expect(wire, "GET", "/instances", listed(), query="web", pageSize=32767, orderBy="Name")
    expect(
        wire,
        "GET",
        "/tickets",
        listed(),
        creationDateFrom="2027-01-15T05:00:00Z",
        pageSize=32767,
        orderBy="CreationDate",
    )
    expect(wire, "POST", "/instances", TICKET)
    expect(wire, "GET", "/tickets/5000000001", TICKET)
    expect(wire, "GET", "/tickets/5000000001", ENDED)
    expect(wire, "GET", "/instances/7", {**INSTANCE, "IsLocked": True})
    expect(wire, "GET", "/instances/7", INSTANCE)
    expect(wire, "GET", "/instances/7/disks", listed(DISK), diskType="System", pageSize=32767, orderBy="Name")
    given = {"template_id": 60001, "subregion_id": 1, "type_id": 34, "disk_class": "48", "init_disk_size": 20}
    further = {"authorization_method_id": 1398, "ssh_keys": ["5", "6"], "ip_address_id": 9, "isfreemium": False}
    assert run(name="web", **given, **further)["changed"] is True
    sent = next(call.request for call in wire.calls if call.request.method == "POST")
    assert json.loads(t.cast("bytes", sent.body)) == {
        "InstanceName": "web",
        "TemplateId": 60001,
        "SubregionId": 1,
        "TypeId": 34,
        "DiskClass": 48,
        "DiskSize": 20,
        "AuthorizationMethodId": 1398,
        "SshKeysIds": [5, 6],
        "IPAddressId": 9,
        "Freemium": False,
        "InstancesCount": 1,
    }


def test_changes_have_their_value_in_the_query_and_no_body(wire: responses.RequestsMock, run: Run) -> None:
    running = {**TICKET, "ObjectId": 7}
    expect(wire, "GET", "/instances/7", INSTANCE)
    expect(wire, "GET", "/subregions", SUBREGIONS)
    expect(wire, "GET", "/instances/types", listed(SMALL, {**SMALL, "Id": 35}), pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/templates/60001", TEMPLATE)
    expect(wire, "GET", "/instances", listed(INSTANCE), pageSize=32767, orderBy="Name")  # whether the name is free
    expect(wire, "POST", "/instances/7/change_type_ticket", running, typeId=35)
    expect(wire, "GET", "/tickets/5000000001", ENDED)
    expect(wire, "GET", "/instances/7", {**INSTANCE, "Type": {"Id": 35, "Label": "larger"}})
    expect(wire, "POST", "/instances/7/change_name_ticket", running, name="a b&c")
    expect(wire, "GET", "/tickets/5000000001", ENDED)
    changed = {**INSTANCE, "Name": "a b&c", "Type": {"Id": 35, "Label": "larger"}}
    expect(wire, "GET", "/instances/7", changed)
    expect(
        wire,
        "GET",
        "/instances",
        listed({**changed, "Type": SMALL}),
        query="a b&c",
        pageSize=32767,
        orderBy="Name",
    )  # it lags
    expect(wire, "GET", "/instances", listed(changed), query="a b&c", pageSize=32767, orderBy="Name")
    assert run(id=7, name="a b&c", type_id=35)["instance"]["name"] == "a b&c"
    assert not [call for call in wire.calls if call.request.body]


@pytest.mark.parametrize(("delete_disks", "query"), [(True, {"deep": "true"}), (False, {}), (None, {})])
def test_requests_of_a_removal(
    wire: responses.RequestsMock, run: Run, delete_disks: bool | None, query: dict[str, str]
) -> None:
    expect(wire, "GET", "/instances", listed(INSTANCE), query="web", pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/subregions", SUBREGIONS)
    expect(wire, "GET", "/instances/7", INSTANCE)
    expect(wire, "DELETE", "/instances/7", {**TICKET, "ObjectId": 7}, **query)
    expect(wire, "GET", "/tickets/5000000001", ENDED)
    expect(wire, "GET", "/instances", listed(INSTANCE), query="web", pageSize=32767, orderBy="Name")  # it lags behind
    expect(wire, "GET", "/instances", listed(), query="web", pageSize=32767, orderBy="Name")
    assert run(name="web", state="absent", delete_disks=delete_disks)["changed"] is True


def test_the_system_disk(wire: responses.RequestsMock, run: Run) -> None:
    expect(wire, "GET", "/instances", listed(INSTANCE), query="web", pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/subregions", SUBREGIONS)
    expect(wire, "GET", "/instances/7/disks", listed(DISK), diskType="System", pageSize=32767, orderBy="Name")
    assert run(name="web", init_disk_size=20)["changed"] is False


def test_labels(wire: responses.RequestsMock, run: Run) -> None:
    expect(wire, "GET", "/instances", listed(), query="web", pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/instances", listed(), pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/instances/types", listed({"Id": 34, "Name": "small"}), pageSize=32767, orderBy="Name")
    expect(wire, "GET", "/subregions", listed({"Id": 1, "Name": "EU-001"}))
    expect(
        wire,
        "GET",
        "/templates",
        listed({"Id": 60001, "Name": "T", "Version": None}),
        source="All",
        pageSize=32767,
        orderBy="Name",
    )
    expect(wire, "GET", "/dictionaries/17", listed({"Id": 48, "Label": "Tier 1"}))
    expect(wire, "GET", "/dictionaries/159", listed({"Id": 1398, "Label": "SSH keys"}))
    expect(wire, "GET", "/account/sshkeys", listed({"Id": 5, "Name": "mine"}), pageSize=32767, orderBy="Id")
    expect(wire, "GET", "/instances", listed(), query="web", pageSize=32767, orderBy="Name")
    expect(
        wire,
        "GET",
        "/tickets",
        listed(TICKET),
        creationDateFrom="2027-01-15T05:00:00Z",
        pageSize=32767,
        orderBy="CreationDate",
    )
    labels = {"type": "small", "subregion": "EU-001", "template": "T", "disk_class": "Tier 1"}
    method = {"authorization_method": "ssh keys", "ssh_keys": ["mine"]}
    result = run(name="web", **labels, **method, wait=False)
    assert (result["changed"], result["ticket"]) == (False, TICKET["Id"])  # another controller's create is under way
