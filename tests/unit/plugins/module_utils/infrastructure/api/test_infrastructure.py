# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure interface: each operation as it goes over the wire, lists of any paging, and odd answers."""

from __future__ import annotations

import json
import re
import typing as t
from urllib.parse import parse_qsl

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

from .conftest import BASE

TICKET = {"Id": 9_000_000_001, "Status": {"Id": 135, "Label": "Running"}, "ObjectId": None, "Progress": 0}


Call = t.Callable[[Infrastructure], t.Any]


def page(order: str) -> dict[str, str]:
    return {"pageSize": "32767", "orderBy": order}


@pytest.mark.parametrize(
    ("call", "fixed"),
    [
        (lambda api: api.list_instances(), True),
        (lambda api: api.list_dictionaries(), True),
        (lambda api: api.get_dictionary(17), False),
        (lambda api: api.get_instance(5), False),
        (lambda api: api.list_instance_disks(5), False),
        (lambda api: api.create_instance({}), False),
    ],
)
def test_only_lists_are_always_there(api: Infrastructure, net: responses.RequestsMock, call: Call, fixed: bool) -> None:
    net.add(responses.Response(method=responses.GET, url=re.compile(".*"), status=404))
    net.add(responses.Response(method=responses.POST, url=re.compile(".*"), status=404, json={"Message": "No."}))
    net.assert_all_requests_are_fired = False
    with pytest.raises(errors.NotFound) as caught:
        call(api)
    assert (caught.value.next_step is not None) is fixed


LISTS: list[tuple[Call, str, dict[str, str]]] = [
    (lambda api: api.list_dictionaries(), "/dictionaries/", {}),
    (lambda api: api.get_dictionary(17), "/dictionaries/17", {}),
    (lambda api: api.list_subregions(), "/subregions", {}),
    (lambda api: api.list_templates(), "/templates", page("Name")),
    (lambda api: api.list_templates(source="All"), "/templates", {**page("Name"), "source": "All"}),
    (lambda api: api.list_instance_types(), "/instances/types", page("Name")),
    (
        lambda api: api.list_instance_types(category_id=1249, available_for_freemium=True),
        "/instances/types",
        {**page("Name"), "categoryId": "1249", "availableForFreemium": "true"},
    ),
    (lambda api: api.list_instances(), "/instances", page("Name")),
    (lambda api: api.list_instances(query="a b&c"), "/instances", {**page("Name"), "query": "a b&c"}),
    (
        lambda api: api.list_instances(template_type_id=174, is_turned_on=False, subregion_id=1, type_id=34),
        "/instances",
        {**page("Name"), "templateTypeId": "174", "isTurnedOn": "false", "subregionId": "1", "typeId": "34"},
    ),
    (
        lambda api: api.list_instance_disks(5, disk_type="System"),
        "/instances/5/disks",
        {**page("Name"), "diskType": "System"},
    ),
    (lambda api: api.list_instance_ip_addresses(5), "/instances/5/ip_addresses", page("Address")),
    (lambda api: api.list_instance_events(5), "/instances/5/events", page("Date")),
    (
        lambda api: api.list_tickets(creation_date_from="2026-05-06T07:08:09Z", status_id=135),
        "/tickets",
        {**page("CreationDate"), "creationDateFrom": "2026-05-06T07:08:09Z", "statusId": "135"},
    ),
    (
        lambda api: api.list_ip_addresses(only_free=True),
        "/instances/ip_addresses",
        {**page("Address"), "onlyFree": "true"},
    ),
    (lambda api: api.list_ssh_keys(), "/account/sshkeys", page("Id")),
]

ACTS: list[tuple[Call, str, str, dict[str, str]]] = [
    (lambda api: api.change_name(5, "a b/ż"), "POST", "/instances/5/change_name_ticket", {"name": "a b/ż"}),
    (lambda api: api.change_type(5, 34), "POST", "/instances/5/change_type_ticket", {"typeId": "34"}),
    (lambda api: api.power_on(5), "POST", "/instances/5/power_on_ticket", {}),
    (lambda api: api.power_off(5), "POST", "/instances/5/power_off_ticket", {}),
    (lambda api: api.shutdown(5), "POST", "/instances/5/shutdown_ticket", {}),
    (lambda api: api.reboot(5), "POST", "/instances/5/reboot_ticket", {}),
    (lambda api: api.reset(5), "POST", "/instances/5/reset_ticket", {}),
    (lambda api: api.delete_instance(5), "DELETE", "/instances/5", {}),
    (lambda api: api.delete_instance(5, deep=False), "DELETE", "/instances/5", {}),
    (lambda api: api.delete_instance(5, deep=True), "DELETE", "/instances/5", {"deep": "true"}),
    (lambda api: api.extend_disk(7, 20), "POST", "/disks/7/extend_ticket", {"spaceCapacity": "20"}),
    (lambda api: api.change_disk_tier(7, 49), "POST", "/disks/7/change_tier_ticket", {"tierId": "49"}),
]


def seen(net: responses.RequestsMock) -> tuple[str, str, dict[str, str]]:
    """Return method, path and query of the only request."""
    (call,) = net.calls
    url, _mark, query = call.request.url.partition("?")
    assert call.request.headers["Authorization"] == "Bearer t1"
    assert call.request.headers["Accept"] == "application/json"
    return call.request.method, url.removeprefix(BASE), dict(parse_qsl(query, keep_blank_values=True))


@pytest.mark.parametrize(("call", "path", "query"), LISTS)
def test_lists(call: Call, path: str, query: dict[str, str], api: Infrastructure, net: responses.RequestsMock) -> None:
    items = [{"Id": 1, "Name": "x", "Unknown": None}]
    net.get(BASE + path, json={"Items": items, "Meta": {"Total": 1}})
    assert call(api) == items
    assert seen(net) == ("GET", path, query)


def test_the_path_of_all_dictionaries_may_have_no_slash_at_its_end(
    api: Infrastructure, net: responses.RequestsMock
) -> None:
    net.get(BASE + "/dictionaries/", status=404)
    net.get(BASE + "/dictionaries", json={"Items": [{"Id": 1, "Name": "x"}]})
    assert api.list_dictionaries() == [{"Id": 1, "Name": "x"}]


@pytest.mark.parametrize(("call", "method", "path", "query"), ACTS)
def test_acts(
    call: Call, method: str, path: str, query: dict[str, str], api: Infrastructure, net: responses.RequestsMock
) -> None:
    net.add(method, BASE + path, json=TICKET)
    assert call(api) == TICKET
    assert seen(net) == (method, path, query)
    assert net.calls[0].request.body == b""
    assert "Content-Type" not in net.calls[0].request.headers


def test_create(api: Infrastructure, net: responses.RequestsMock) -> None:
    net.post(BASE + "/instances", json=TICKET)
    assert api.create_instance({"InstanceName": "żółw", "TemplateId": 1}) == TICKET
    assert seen(net) == ("POST", "/instances", {})
    assert json.loads(net.calls[0].request.body) == {"InstanceName": "żółw", "TemplateId": 1}
    assert net.calls[0].request.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("call", "path"),
    [
        (lambda api: api.get_instance(5), "/instances/5"),
        (lambda api: api.get_ticket(9_000_000_001), "/tickets/9000000001"),
    ],
)
def test_single_objects(call: Call, path: str, api: Infrastructure, net: responses.RequestsMock) -> None:
    one = {"Id": int(path.rpartition("/")[2]), "Name": None}
    net.get(BASE + path, json=one)
    assert call(api) == one
    assert seen(net) == ("GET", path, {})
    net.get(BASE + path, json={**one, "Id": one["Id"] + 1})
    with pytest.raises(errors.Unusable, match=f"is about another object, {one['Id'] + 1}"):
        call(api)


@pytest.mark.parametrize(("status", "kind"), [(403, errors.Forbidden), (404, errors.NotFound)])
def test_an_instance_that_is_not_there(
    status: int, kind: t.Any, api: Infrastructure, net: responses.RequestsMock
) -> None:
    net.get(BASE + "/instances/5", status=status, json={"Message": "Not there.", "ErrorId": "e-1"})
    with pytest.raises(kind, match=r"Read instance 5: HTTP 40\d: Not there \(request e-1\)\."):
        api.get_instance(5)


# ---------------------------------------------------------------- odd answers

NO_NUMBERS: list[t.Any] = ["5", True, 5.0, -5, 1 << 63, 10**400, [], {}]
ODD: list[t.Any] = [None, [], "text", 5, True, {}, {"id": 5}, {"Id": None}, {"Id": 0}]
WRONG: list[t.Any] = [{"Id": number} for number in NO_NUMBERS] + [{"Id": 5, "ObjectId": one} for one in NO_NUMBERS]


@pytest.mark.parametrize("answer", [*ODD, *WRONG])
def test_create_without_a_ticket_is_unclear(answer: t.Any, api: Infrastructure, net: responses.RequestsMock) -> None:
    net.post(BASE + "/instances", body=json.dumps(answer))
    with pytest.raises(
        errors.Unclear, match=r"the answer is not the expected ticket\. It is not known whether it was done\."
    ) as caught:
        api.create_instance({})
    assert caught.value.details["operation"] == "Create instance"


@pytest.mark.parametrize("answer", [*ODD[1:], *WRONG])
def test_object_without_an_id_is_refused(answer: t.Any, api: Infrastructure, net: responses.RequestsMock) -> None:
    net.get(BASE + "/tickets/5", body=json.dumps(answer))
    with pytest.raises(errors.Unusable, match="is not an object with an Id"):
        api.get_ticket(5)


@pytest.mark.parametrize(
    "answer",
    [
        *ODD,
        {"Items": None, "Meta": {"Total": 1}},
        {"Items": {}},
        {"Items": [1]},
        {"Items": [{}, None]},
        *({"Items": [one]} for one in WRONG),
    ],
)
def test_list_without_items_is_refused(answer: t.Any, api: Infrastructure, net: responses.RequestsMock) -> None:
    net.get(BASE + "/dictionaries/", body=json.dumps(answer))
    with pytest.raises(errors.Unusable, match="is not a list of objects in Items") as caught:
        api.list_dictionaries()
    assert "base_url" in str(caught.value.next_step)


@pytest.mark.parametrize(
    "meta", [{}, {"Meta": None}, {"Meta": {}}, {"Meta": {"Total": None}}, {"Meta": {"Total": "9"}}, {"Meta": [9]}]
)
def test_a_list_without_a_total_is_taken_as_it_is(
    meta: dict[str, t.Any], api: Infrastructure, net: responses.RequestsMock
) -> None:
    net.get(BASE + "/instances", json={"Items": [{"Id": 1}], **meta})
    assert api.list_instances() == [{"Id": 1}]


@pytest.mark.parametrize("meta", [{}, {"Meta": None}, {"Meta": {"Total": None}}, {"Meta": {"Total": 0}}])
def test_a_null_is_an_empty_list_unless_rows_are_counted(
    meta: dict[str, t.Any], api: Infrastructure, net: responses.RequestsMock
) -> None:
    net.get(BASE + "/instances", json={"Items": None, **meta})
    assert api.list_instances() == []
