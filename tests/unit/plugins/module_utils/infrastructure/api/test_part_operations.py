# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations of disks, addresses, private networks, snapshots and SSH keys, as they go over the wire."""

from __future__ import annotations

import json
import typing as t
from urllib.parse import parse_qsl

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

from .conftest import BASE

IPS = "/instances/ip_addresses"
TICKET = {"Id": 9_000_000_001, "Status": {"Id": 135, "Label": "Running"}, "ObjectId": None, "Progress": 0}
Call = t.Callable[[Infrastructure], t.Any]


def page(order: str) -> dict[str, str]:
    """Return what a list with pages is asked for first."""
    return {"orderBy": order, "pageSize": "32767"}


TICKETS: list[tuple[Call, str, str, dict[str, str], t.Any]] = [
    (lambda api: api.create_disk({"DiskName": "ż"}), "POST", "/disks", {}, {"DiskName": "ż"}),
    (lambda api: api.replace_disk(7, {"DiskName": "d"}), "PUT", "/disks/7", {}, {"DiskName": "d"}),
    (lambda api: api.delete_disk(7), "DELETE", "/disks/7", {}, None),
    (
        lambda api: api.change_disk_subregion(7, 4),
        "POST",
        "/disks/7/change_subregion_ticket",
        {"subregionId": "4"},
        None,
    ),
    (lambda api: api.attach_disk(7, 5), "POST", "/disks/7/attach_to_instance_ticket", {"instanceId": "5"}, None),
    (
        lambda api: api.detach_disk(7, 5),
        "POST",
        "/disks/7/detach_from_instance_ticket",
        {"instanceId": "5"},
        None,
    ),
    (
        lambda api: api.change_ip_address_subregion(8, 4),
        "POST",
        f"{IPS}/change_ip_subregion_ticket",
        {"ipId": "8", "subregionId": "4"},
        None,
    ),
    (lambda api: api.attach_ip_address(8, 5), "POST", "/instances/5/attach_ip_ticket", {"ipId": "8"}, None),
    (lambda api: api.detach_ip_address(8, 5), "POST", "/instances/5/detach_ip_ticket", {"ipId": "8"}, None),
    (lambda api: api.create_network("n"), "POST", "/opns", {}, {"OpnName": "n"}),
    (lambda api: api.delete_network(9), "DELETE", "/opns/9", {}, None),
    (lambda api: api.attach_network(9, 5), "POST", "/instances/5/attach_opn_ticket", {}, {"OpnId": 9}),
    (lambda api: api.detach_network(9, 5), "POST", "/instances/5/detach_opn_ticket", {}, {"OpnId": 9}),
    (lambda api: api.create_snapshot(5, {"Name": "s"}), "POST", "/instances/5/snapshots", {}, {"Name": "s"}),
    (lambda api: api.delete_snapshot(6), "DELETE", "/snapshots/6", {}, None),
    (lambda api: api.run_import(4, {"TypeId": 1}), "POST", "/imports/4/run_ticket", {}, {"TypeId": 1}),
    (lambda api: api.restore_snapshot(6), "POST", "/snapshots/6/restore_ticket", {}, None),
]
AT_ONCE: list[tuple[Call, str, str, t.Any]] = [
    (lambda api: api.create_ip_address(1), "POST", IPS, {"SubregionId": 1}),
    (lambda api: api.create_schedule(5, {"Name": "s"}), "POST", "/instances/5/schedulers", {"Name": "s"}),
    (lambda api: api.change_schedule(6, {"Name": "s"}), "PUT", "/instances/schedulers/6", {"Name": "s"}),
    (lambda api: api.change_snapshot(6, {"Name": "s"}), "PUT", "/snapshots/6", {"Name": "s"}),
    (lambda api: api.create_export(5, {"Name": "e"}), "POST", "/instances/5/exports", {"Name": "e"}),
    (lambda api: api.create_import({"Name": "i"}), "POST", "/imports", {"Name": "i"}),
    (lambda api: api.change_template(4, {"Name": "t"}), "PUT", "/templates/4", {"Name": "t"}),
    (
        lambda api: api.create_ssh_key("k", "ssh-rsa AAAA"),
        "POST",
        "/account/sshkeys",
        {"SshKeyName": "k", "SshKey": "ssh-rsa AAAA"},
    ),
]
SILENT: list[tuple[Call, str, str, t.Any]] = [
    (lambda api: api.change_ip_address(8, {"Comment": "c"}), "PUT", f"{IPS}/8", {"Comment": "c"}),
    (lambda api: api.delete_ip_address(8), "DELETE", f"{IPS}/8", None),
    (lambda api: api.change_network(9, "n"), "PUT", "/opns/9", {"OpnName": "n"}),
    (lambda api: api.delete_import(4), "DELETE", "/imports/4", None),
    (lambda api: api.delete_template(4), "DELETE", "/templates/4", None),
    (lambda api: api.delete_schedule(6), "DELETE", "/instances/schedulers/6", None),
    (lambda api: api.delete_ssh_key(3), "DELETE", "/account/sshkeys/3", None),
]
LISTS: list[tuple[Call, str, dict[str, str]]] = [
    (
        lambda api: api.list_disks(disk_type="Custom", query="a b"),
        "/disks",
        {"diskType": "Custom", "query": "a b", **page("Name")},
    ),
    (lambda api: api.list_ip_addresses(instance_id=5), IPS, {"instanceId": "5", **page("Address")}),
    (lambda api: api.list_networks(instance_id=5), "/opns", {"instanceId": "5", **page("Name")}),
    (lambda api: api.list_instance_networks(5), "/instances/5/opns", page("Name")),
    (lambda api: api.list_snapshots(), "/snapshots", page("CreationDate")),
    (lambda api: api.list_ssh_keys(), "/account/sshkeys", page("Id")),
    (lambda api: api.list_exports(instance_id=5), "/exports", {"instanceId": "5", **page("CreationDate")}),
    (lambda api: api.list_imports(), "/imports", page("Name")),
    (lambda api: api.list_import_disks(4), "/imports/4/disks", {}),
    (lambda api: api.list_instance_snapshots(5), "/instances/5/snapshots", {}),
    (lambda api: api.list_instance_ssh_keys(5), "/instances/5/ssh_keys", {}),
    (lambda api: api.list_instance_software(5), "/instances/5/software", {}),
]
SINGLE: list[tuple[Call, str]] = [
    (lambda api: api.get_disk(7), "/disks/7"),
    (lambda api: api.get_ip_address(8), f"{IPS}/8"),
    (lambda api: api.get_network(9), "/opns/9"),
    (lambda api: api.get_snapshot(6), "/snapshots/6"),
    (lambda api: api.get_export(4), "/exports/4"),
    (lambda api: api.get_import(4), "/imports/4"),
    (lambda api: api.get_ssh_key(3), "/account/sshkeys/3"),
]


def seen(net: responses.RequestsMock) -> tuple[str, str, dict[str, str], t.Any]:
    """Return method, path, query and body of the only request."""
    (call,) = net.calls
    url, _mark, query = call.request.url.partition("?")
    body = json.loads(call.request.body) if call.request.body else None
    return call.request.method, url.removeprefix(BASE), dict(parse_qsl(query)), body


@pytest.mark.parametrize(("call", "method", "path", "query", "body"), TICKETS)
def test_what_takes_time(
    call: Call,
    method: str,
    path: str,
    query: dict[str, str],
    body: t.Any,
    api: Infrastructure,
    net: responses.RequestsMock,
) -> None:
    net.add(method, BASE + path, json=TICKET)
    assert call(api) == TICKET
    assert seen(net) == (method, path, query, body)


@pytest.mark.parametrize(("call", "method", "path", "body"), AT_ONCE)
def test_what_is_done_at_once(
    call: Call, method: str, path: str, body: t.Any, api: Infrastructure, net: responses.RequestsMock
) -> None:
    one = {"Id": int(path.rpartition("/")[2]) if method == "PUT" else 5}
    net.add(method, BASE + path, json=one)
    assert call(api) == one
    assert seen(net) == (method, path, {}, body)


@pytest.mark.parametrize(("call", "method", "path", "body"), SILENT)
@pytest.mark.parametrize(("answer", "status"), [("", 200), ("", 204), ("{}", 200), ("null", 200)])
def test_what_is_answered_with_nothing(
    call: Call,
    method: str,
    path: str,
    body: t.Any,
    answer: str,
    status: int,
    api: Infrastructure,
    net: responses.RequestsMock,
) -> None:
    net.add(method, BASE + path, body=answer, status=status)
    assert call(api) is None
    assert seen(net) == (method, path, {}, body)


@pytest.mark.parametrize(("call", "path", "query"), LISTS)
def test_lists(call: Call, path: str, query: dict[str, str], api: Infrastructure, net: responses.RequestsMock) -> None:
    net.get(BASE + path, json={"Items": [{"Id": 1}], "Meta": {"Total": 1}})
    assert call(api) == [{"Id": 1}]
    assert seen(net) == ("GET", path, query, None)


@pytest.mark.parametrize(("call", "path"), SINGLE)
def test_single_objects(call: Call, path: str, api: Infrastructure, net: responses.RequestsMock) -> None:
    one = {"Id": int(path.rpartition("/")[2])}
    net.get(BASE + path, json=one)
    assert call(api) == one
    assert seen(net) == ("GET", path, {}, None)


@pytest.mark.parametrize("answer", ["[]", "{}", "5", '{"Id": null}', "<html>"])
def test_odd_answers_leave_it_open_whether_it_was_done(
    answer: str, api: Infrastructure, net: responses.RequestsMock
) -> None:
    net.post(BASE + IPS, body=answer)
    with pytest.raises(errors.Unclear, match=r"It is not known whether it was done\."):
        api.create_ip_address(1)


def test_a_page_of_html_is_no_empty_answer(api: Infrastructure, net: responses.RequestsMock) -> None:
    net.delete(BASE + "/account/sshkeys/3", body="<html>Welcome</html>")
    with pytest.raises(errors.Unclear):
        api.delete_ssh_key(3)


@pytest.mark.parametrize(
    ("answer", "found"), [('"text"', "text"), ("", None), ('{"Password": null}', {"Password": None})]
)
def test_plain_answers(answer: str, found: t.Any, api: Infrastructure, net: responses.RequestsMock) -> None:
    net.get(BASE + "/instances/5/init_script", body=answer)
    assert api.read_json("Read", "/instances/5/init_script") == found
