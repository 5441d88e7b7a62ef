# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances and what belongs to them: which are found, what is told, how many requests it takes."""

from __future__ import annotations

import base64
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Forbidden, InvalidInput, Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_included import (
    EACH,
    WHOLE_LISTS,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import (
    INCLUDABLE,
    MAX_SINGLE_INSTANCES,
    OPERATION,
    includes_secrets,
)

from .conftest import Account

SCRIPT = "#cloud-config\nname: żółw\n"


def names(result: dict[str, t.Any]) -> list[str]:
    return [record["name"] for record in result["instances"]]


@pytest.fixture
def instances(account: Account) -> Account:
    """Four instances, of which two share a name."""
    account.create("web")
    account.create("db", SubregionId=4, TypeId=35)
    account.create("twin")
    account.create("twin", TemplateId=60011)
    return account


def ids(account: Account, *desired: str) -> list[int]:
    listed = account.api().list_instances()
    return [one["Id"] for name in desired for one in listed if one["Name"] == name]


@pytest.mark.parametrize(
    ("asked", "found", "requests"),
    [
        ({}, ["db", "twin", "twin", "web"], ["GET /instances"]),
        ({"query": "TW"}, ["twin", "twin"], ["GET /instances"]),
        ({"is_turned_on": True}, ["db", "twin", "twin", "web"], ["GET /instances"]),
        ({"is_turned_on": False}, [], ["GET /instances"]),
        ({"subregion_id": 4}, ["db"], ["GET /instances"]),
        ({"subregion": "eu-002"}, ["db"], ["GET /subregions", "GET /instances"]),
        ({"type": "v1.standard-4.4", "subregion_id": 4}, ["db"], ["GET /instances/types", "GET /instances"]),
        ({"type_id": 36}, [], ["GET /instances"]),
        ({"template_type": "custom"}, ["twin"], ["GET /dictionaries/52", "GET /instances"]),
        ({"template_type": "1243"}, ["twin"], ["GET /instances"]),
        ({"template_type_id": 1243, "query": "web"}, [], ["GET /instances"]),
    ],
)
def test_filters_are_those_of_the_service(
    instances: Account, asked: dict[str, t.Any], found: list[str], requests: list[str]
) -> None:
    result = instances.read(OPERATION, **asked)
    assert names(result) == found
    assert "missing" not in result
    named = ["GET /subregions"] if found and "GET /subregions" not in requests else []
    assert without_templates(instances) == [*requests, *named]


def without_templates(account: Account) -> list[str]:
    """Return the requests but for those of templates, which are made for their names."""
    return [one for one in account.sent() if not one.startswith("GET /templates")]


@pytest.mark.parametrize(("templates", "requests"), [(1, ["/767"]), (3, ["/767", "/60001", "/60002"]), (4, [""])])
def test_names_cost_one_request_for_the_subregions_and_few_for_templates(
    account: Account, templates: int, requests: list[str]
) -> None:
    numbers = [767, 60001, 60002, 304][:templates]
    for number in numbers:
        account.create("web", TemplateId=number)
        account.create("web", TemplateId=number)
    found = account.read(OPERATION)["instances"]
    assert all(one["template"]["label"] and one["subregion"]["label"] == "EU-001" for one in found)
    assert sorted(account.sent()) == sorted(
        ["GET /instances", "GET /subregions", *(f"GET /templates{one}" for one in requests)]
    )


def test_what_nobody_may_read_has_no_name(instances: Account) -> None:
    for path in ("/subregions", "/templates"):
        instances.sandbox.fault("status_before", service="rest", method="GET", path=path, status=403, times=0)
    found = instances.read(OPERATION, name=["web"])["instances"][0]
    assert (found["subregion"], found["template"]) == ({"id": 1, "label": None}, {"id": 767, "label": None})


def test_a_wrong_label_is_told_before_instances_are_asked_for(instances: Account) -> None:
    with pytest.raises(InvalidInput, match=r"^subregion: there is no .* Did you mean 'EU-001'"):
        instances.read(OPERATION, subregion="EU-01")
    with pytest.raises(InvalidInput, match="Did you mean 'Custom'"):
        instances.read(OPERATION, template_type="costum")
    assert "GET /instances" not in instances.sent()


def test_numbers(instances: Account) -> None:
    web, db = ids(instances, "web", "db")
    result = instances.read(OPERATION, id=[db, web, db])
    assert (names(result), result["missing"]) == (["db", "web"], [])
    assert without_templates(instances) == [f"GET /instances/{db}", f"GET /instances/{web}", "GET /subregions"]
    result = instances.read(OPERATION, id=[7, web, 8])
    assert (names(result), result["missing"]) == (["web"], [7, 8])
    assert instances.sent().count("GET /instances") == 1
    instances.settings(missing_status=404)
    assert instances.read(OPERATION, id=[7])["missing"] == [7]


def test_many_numbers_come_from_the_list(instances: Account) -> None:
    (web,) = ids(instances, "web")
    result = instances.read(OPERATION, id=[web, *range(1, MAX_SINGLE_INSTANCES + 1)])
    assert (names(result), result["missing"]) == (["web"], list(range(1, MAX_SINGLE_INSTANCES + 1)))
    assert without_templates(instances) == ["GET /instances", "GET /subregions"]
    assert instances.read(OPERATION, id=[]) == {"changed": False, "instances": [], "missing": []}


def test_a_missing_right_is_no_missing_instance(instances: Account) -> None:
    (web,) = ids(instances, "web")
    instances.sandbox.fault("status_before", service="rest", method="GET", path=f"/instances/{web}", status=403)
    with pytest.raises(Forbidden):
        instances.read(OPERATION, id=[web])


@pytest.mark.parametrize(
    ("asked", "found", "missing", "lists"),
    [
        (["tw*"], ["twin", "twin"], [], 1),
        (["d?", "x*", "web", "w*"], ["db", "web"], ["x*"], 1),
        (["[dw]*"], ["db", "web"], [], 1),
        (["web"], ["web"], [], 1),
        (["twin"], ["twin", "twin"], [], 1),
        (["we"], [], ["we"], 2),
        (["db", "none", "web", "twin"], ["db", "web", "twin", "twin"], ["none"], 1),
        ([], [], [], 0),
    ],
)
def test_exact_names(instances: Account, asked: list[str], found: list[str], missing: list[str], lists: int) -> None:
    result = instances.read(OPERATION, name=asked)
    assert (names(result), result["missing"]) == (found, missing)
    assert without_templates(instances) == ["GET /instances"] * lists + ["GET /subregions"] * bool(found)


def test_the_record_is_that_of_the_module_instance(instances: Account) -> None:
    defaults = {name: option.get("default") for name, option in instance.OPERATION.options.items()}
    told = instance.OPERATION.run(instances.task(), {**defaults, "name": "web", "template": "CentOS 7"})["instance"]
    (read,) = instances.read(OPERATION, name=["web"])["instances"]
    assert read == told


def test_thousands_are_a_request_for_each_page(account: Account) -> None:
    account.settings(bulk_instances=2500, longest_page=0)
    result = account.read(OPERATION, subregion_id=1, include=["disks", "ip_addresses", "private_networks"])
    assert len(result["instances"]) == 625
    assert {len(one["included"]["disks"]) for one in result["instances"]} == {1, 2}
    assert len(account.read(OPERATION)["instances"]) == 2500
    assert len(account.sent()) <= 4


# ---------------------------------------------------------------- what belongs to them


@pytest.fixture
def equipped(account: Account) -> Account:
    """Two instances in one private network; the first has a key, a script, another address and a snapshot."""
    api = account.api()
    api.start("Make", "POST", "/opns", json={"OpnName": "inner"})
    (network,) = api.list_networks(query="inner")
    key = api.list_ssh_keys()[0]["Id"]
    script = base64.b64encode(SCRIPT.encode()).decode()
    account.create("a", OpnsIds=[network["Id"]], SshKeysIds=[key], AuthorizationMethodId=1398, InitScript=script)
    account.create("b", OpnsIds=[network["Id"]])
    (first,) = ids(account, "a")
    address = api.create_ip_address(1)
    api.attach_ip_address(address["Id"], first)
    api.start("Keep", "POST", f"/instances/{first}/snapshots", json={"Name": "before", "Description": "x"})
    return account


@pytest.mark.parametrize("several", [False, True])
def test_all_that_belongs_to_them(equipped: Account, several: bool) -> None:
    asked: dict[str, t.Any] = {} if several else {"name": ["a"]}
    first = equipped.read(OPERATION, include=list(EACH), **asked)["instances"][0]
    told = first["included"]
    assert list(told) == list(EACH)
    assert [(disk["is_system_disk"], disk["instances"][0]["id"]) for disk in told["disks"]] == [(True, first["id"])]
    assert len(told["ip_addresses"]) == 2
    assert all(one["instance"]["id"] == first["id"] for one in told["ip_addresses"])
    (network,) = told["private_networks"]
    assert network["name"] == "inner"
    assert [one["label"] for one in network["instances"]] == ["a"]
    assert network["instances"][0]["address"] == first["private_ip_address"]
    assert told["ssh_keys"][0]["name"] == told["access_data"]["ssh_keys"][0]["name"] == "operations"
    assert told["ssh_keys"][0]["public_key"] == told["access_data"]["ssh_keys"][0]["public_key"]
    assert [one["name"] for one in told["snapshots"]] == ["before"]
    assert {one["instance"]["label"] for one in [*told["ip_addresses"], *told["snapshots"]]} == {"a"}
    assert {one["subregion"]["label"] for one in [*told["ip_addresses"], *told["disks"]]} == {"EU-001"}
    assert told["disks"][0]["instances"][0]["label"] == "a"
    assert {one["operation_status"]["id"] for one in told["events"]} == {150}
    assert told["software"] == []
    assert told["init_script"] == SCRIPT
    assert told["access_data"]["password"] is None


def test_passwords_and_no_script(equipped: Account) -> None:
    result = equipped.read(OPERATION, name=["b"], include=["access_data", "init_script"])
    told = result["instances"][0]["included"]
    assert told["access_data"]["password"]
    assert told["init_script"] is None
    equipped.settings(access_data_after=100.0)
    told = equipped.read(OPERATION, name=["b"], include=["access_data"])["instances"][0]["included"]
    assert told == {"access_data": {"password": None, "ssh_keys": []}}


def test_one_list_serves_several_instances(equipped: Account) -> None:
    equipped.read(OPERATION, include=["disks", "ip_addresses", "private_networks"])
    lists = ["GET /instances", "GET /subregions", "GET /disks", "GET /instances/ip_addresses", "GET /opns"]
    assert without_templates(equipped) == lists
    (first,) = ids(equipped, "a")
    equipped.read(OPERATION, id=[first], include=["disks", "private_networks"])
    assert without_templates(equipped) == [
        *(f"GET /instances/{first}{rest}" for rest in ("", "/disks", "/opns")),
        "GET /subregions",
    ]


def test_nothing_found_is_nothing_read(equipped: Account) -> None:
    assert equipped.read(OPERATION, query="zzz", include=list(EACH))["instances"] == []
    assert equipped.sent() == ["GET /instances"]


def test_requests_for_each_instance_are_bounded(equipped: Account) -> None:
    with pytest.raises(InvalidInput, match=r"events, software would take 4 requests.*include_limit is 1\."):
        equipped.read(OPERATION, include=["disks", "events", "software"], include_limit=1)
    assert equipped.sent() == ["GET /instances", "GET /subregions"]
    assert len(equipped.read(OPERATION, include=["disks"], include_limit=1)["instances"]) == 2
    assert len(equipped.read(OPERATION, include=["events"], include_limit=2)["instances"]) == 2


@pytest.mark.parametrize("key", ["id", "name", None])
def test_an_instance_that_goes_meanwhile_is_not_told(
    equipped: Account, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    first, second = ids(equipped, "a", "b")
    events = EACH["events"]

    def removed(api: t.Any, number: int) -> t.Any:
        if number == first:
            api.delete_instance(number)
        return events(api, number)

    monkeypatch.setitem(EACH, "events", removed)
    asked = {"id": {"id": [first, second]}, "name": {"name": ["a", "b"]}, None: {}}[key]
    result = equipped.read(OPERATION, include=["events"], **asked)
    assert names(result) == ["b"]
    assert result.get("missing") == {"id": [first], "name": ["a"], None: None}[key]


def test_a_missing_right_to_read_something_is_told(equipped: Account) -> None:
    (first,) = ids(equipped, "a")
    path = f"/instances/{first}/access_data"
    equipped.sandbox.fault("status_before", service="rest", method="GET", path=path, status=403)
    with pytest.raises(Forbidden, match=f"Read the access data of instance {first}: HTTP 403"):
        equipped.read(OPERATION, id=[first], include=["access_data"])


@pytest.mark.parametrize("sent", ["not base64!", "aGFsbG8", "/w=="])
def test_a_script_that_is_no_base64_of_a_text_stays_as_it_is(
    account: Account, monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    account.create("odd")
    monkeypatch.setattr(Infrastructure, "get_init_script", lambda _self, _number: sent)
    told = account.read(OPERATION, name=["odd"], include=["init_script"])["instances"][0]
    assert told["included"] == {"init_script": sent}


@pytest.mark.parametrize(("name", "answer"), [("init_script", {"a": "canary"}), ("access_data", ["canary"])])
def test_an_unusable_answer_is_told_without_its_content(
    equipped: Account, monkeypatch: pytest.MonkeyPatch, name: str, answer: t.Any
) -> None:
    monkeypatch.setattr(type(equipped.api()), "read_json", lambda *_args: answer)
    with pytest.raises(Unusable, match="the answer is no") as caught:
        equipped.read(OPERATION, name=["a"], include=[name])
    assert "canary" not in str(caught.value.as_result())


@pytest.mark.parametrize(
    ("included", "secret"),
    [(None, False), ({}, False), ({"disks": []}, False), ({"access_data": {}}, True), ({"init_script": None}, True)],
)
def test_what_is_hidden(included: t.Any, secret: bool) -> None:
    result = {"changed": False, "instances": [{"id": 1}, {"id": 2, "included": included}]}
    assert includes_secrets(result) is secret
    assert includes_secrets({"failed": True, "msg": "no"}) is False


def test_every_choice_can_be_read() -> None:
    assert tuple(EACH) == INCLUDABLE
    assert set(WHOLE_LISTS) < set(EACH)
