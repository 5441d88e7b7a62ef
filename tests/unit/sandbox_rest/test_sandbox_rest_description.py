# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The description: whole, and enforced on requests and answers."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox.rest.description import described
from sandbox.rest.models import Instance, Subregion
from sandbox.rest.operations import HANDLERS

NEW = {"InstanceName": "web", "TemplateId": 765}


def test_each_handler_has_an_operation() -> None:
    assert set(HANDLERS) <= set(described().operations)


def test_the_older_line_is_a_part_of_the_later_one() -> None:
    assert set(described("D1").operations) < set(described("D2").operations)


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("GET", "/instances?pageSize=ten", None),
        ("GET", "/instances?pageSize=1&pageSize=2", None),
        ("GET", "/instances?isTurnedOn=True", None),
        ("GET", "/instances?orderBy=Colour", None),
        ("GET", "/instances/abc", None),
        ("GET", "/tickets?creationDateFrom=yesterday", None),
        ("POST", "/instances", None),
        ("POST", "/instances", ["web"]),
        ("POST", "/instances", {"TemplateId": 765}),
        ("POST", "/instances", {"InstanceName": "web"}),
        ("POST", "/instances", {**NEW, "TemplateId": "765"}),
        ("POST", "/instances", {**NEW, "Colour": "red"}),
        ("POST", "/instances", {**NEW, "InstanceName": ""}),
        ("POST", "/instances", {**NEW, "InstanceName": "x" * 41}),
        ("POST", "/instances", {**NEW, "InstanceName": "a/b"}),
        ("POST", "/instances", {**NEW, "InstanceName": "a%b"}),
        ("POST", "/instances", {**NEW, "DiskSize": 4}),
        ("POST", "/instances", {**NEW, "DiskSize": 301}),
        ("POST", "/instances", {**NEW, "InstancesCount": 0}),
        ("POST", "/instances", {**NEW, "InstancesCount": 6}),
        ("POST", "/instances", {**NEW, "Freemium": "true"}),
        ("POST", "/instances", {**NEW, "SshKeysIds": 31001}),
        ("POST", "/instances/1/change_name_ticket", None),
        ("POST", "/instances/1/change_name_ticket?name=a%7Cb", None),
        ("POST", "/instances/1/power_on_ticket", {"Force": True}),
    ],
)
def test_a_request_that_breaks_it_is_refused_and_recorded(client: Any, method: str, target: str, body: Any) -> None:
    reply = client.call(method, target, body)
    assert reply.status == 400
    assert set(reply.data) == {"Message", "ErrorId"}
    assert [one["side"] for one in client.violations] == ["request"]
    assert client.violations[0]["text"] in reply.message
    assert client.service.snapshot()["tickets"] == []


@pytest.mark.parametrize(("method", "target", "status"), [("GET", "/colours", 404), ("PUT", "/instances", 405)])
def test_what_is_not_described_is_recorded(client: Any, method: str, target: str, status: int) -> None:
    assert client.call(method, target).status == status
    assert len(client.violations) == 1


def test_final_slashes_only_where_the_contract_shows_them(client: Any) -> None:
    assert client.get("/instances/").status == 404
    assert client.get("/dictionaries/").status == 200


@pytest.mark.parametrize(
    ("raw", "kind"),
    [(b"{", "application/json"), (b"InstanceName=web", "application/x-www-form-urlencoded"), (b"{}", "")],
)
def test_a_body_is_json_and_says_so(client: Any, raw: bytes, kind: str) -> None:
    assert client.post("/instances", raw=raw, CONTENT_TYPE=kind).status == 400
    assert len(client.violations) == 1


def test_a_chunked_body_is_read(client: Any) -> None:
    raw = b'{"InstanceName": "web", "TemplateId": 765}'
    reply = client.post("/instances", raw=raw, CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked")
    assert reply.status == 200


def test_an_answer_that_breaks_it_is_500_and_recorded(client: Any) -> None:
    client.service._world.table(Subregion)[1].active = "perhaps"
    assert client.get("/subregions").status == 500
    assert [one["side"] for one in client.violations] == ["answer"]
    assert "perhaps" in client.violations[0]["text"]
    client.violations.clear()


@pytest.mark.parametrize("target", ["/instances", "/instances/{}"])
def test_a_broken_instance_is_found_each_time(client: Any, target: str) -> None:
    number = client.make()
    client.service._world.table(Instance)[number].hot_plug = "perhaps"
    client.service._world.touch(number)
    for _ in range(2):
        assert client.get(target.format(number)).status == 500
    assert len(client.violations) == 2
    client.violations.clear()


def test_a_crash_is_recorded(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HANDLERS, "list_subregions", lambda call: 1 / 0)
    reply = client.get("/subregions")
    assert reply.status == 500
    assert "ZeroDivisionError" in client.violations[0]["text"]
    assert "ZeroDivisionError" not in reply.message
    client.violations.clear()


def test_without_a_list_of_the_platform_violations_stay_in_the_service(client: Any) -> None:
    environ = client.environ
    client.get("/colours")
    environ = client.environ
    del environ["sandbox.violations"]
    list(client.service(environ, lambda *_: None))
    assert len(client.service.violations) == 1
    client.service.reset()
    assert client.service.violations == []


def test_the_platform_learns_operation_and_kind(client: Any) -> None:
    client.post("/instances", {})
    assert (client.environ["sandbox.operation"], client.environ["sandbox.write"]) == ("create_instance", True)
    client.get("/instances/5")
    assert (client.environ["sandbox.operation"], client.environ["sandbox.write"]) == ("read_instance", False)
    client.get("/colours")
    assert client.environ["sandbox.operation"] == "GET unknown"


def test_each_answer_has_its_own_request_id(client: Any) -> None:
    seen = {client.get(target).headers["X-Request-Id"] for target in ("/subregions", "/subregions", "/colours")}
    assert len(seen) == 3
