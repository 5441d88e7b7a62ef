# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is held against the description, and the account that is kept of it."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import conformance_sum
import pytest
from sandbox.rest.conformance import Conformance
from sandbox.rest.description import described, document
from sandbox.rest.schemas import FURTHER

OURS = {"HTTP_USER_AGENT": "fcd.cloud/1.0.0 (module)"}


@pytest.fixture
def account(client: t.Any, tmp_path: Path) -> Path:
    """The folder in which the service keeps its account."""
    client.service.conformance = Conformance(str(tmp_path))
    return tmp_path


def summed(client: t.Any, folder: Path) -> conformance_sum.Total:
    client.service.close()
    return conformance_sum.add_up(folder)


def test_requests_of_the_collection_and_all_answers_count(client: t.Any, account: Path) -> None:
    client.get("/subregions", **OURS)
    client.get("/subregions")
    assert dict(summed(client, account).checked) == {("D2", "answer"): 2, ("D2", "request"): 1}


def test_each_line_counts_for_itself(client: t.Any, account: Path) -> None:
    client.get("/subregions", **OURS)
    client.settings["line"] = "D1"
    client.get("/subregions", **OURS)
    client.service.reset()
    total = summed(client, account)
    assert total.lines()[:2] == [
        "Line D1 of the service: 1 answers checked",
        "Line D1 of the service: 1 requests checked",
    ]
    assert total.lines()[-1] == "0 breaches of the interface descriptions"


@pytest.mark.parametrize(
    ("method", "target", "body", "text"),
    [
        ("GET", "/instances?colour=red", None, "colour: list_instances has no such parameter"),
        ("GET", "/subregions?pageSize=5", None, "pageSize: list_subregions has no such parameter"),
        ("GET", "/instances?orderBy=Colour", None, '"Colour" is not one of'),
        ("GET", "/instances?pageSize=many", None, "is not of type"),
        ("POST", "/opns", {"OpnName": "a%b"}, "does not match"),
        ("POST", "/opns", {"OpnName": "x", "Pool": 278}, "Pool: create_private_network has no such member"),
        ("POST", "/instances", {"InstanceName": "x"}, '"TemplateId" is a required property'),
        ("POST", "/instances", {"InstanceName": "x", "TemplateId": 765, "DiskSize": 301}, "greater than the maximum"),
        ("PUT", "/snapshots/1", {"Name": "x", "Description": "see https://example.com"}, "does not match"),
        ("POST", "/disks", {"DiskName": "x", "SpaceCapacity": 5, "TierId": 48, "IsShared": False}, "IsShared"),
        ("PATCH", "/instances/1", {}, "is not described"),
        ("GET", "/colours", None, "is not described"),
    ],
)
def test_what_breaks_the_description_is_a_breach(
    client: t.Any, account: Path, method: str, target: str, body: t.Any, text: str
) -> None:
    client.call(method, target, body, **OURS)
    (breach,) = summed(client, account).breaches
    assert text in breach["text"]
    assert summed(client, account).lines()[-1].startswith("BREACH 1 x request ")


def test_requests_of_others_are_no_breach(client: t.Any, account: Path) -> None:
    client.get("/colours", HTTP_USER_AGENT="curl/8")
    assert summed(client, account).breaches == []


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda shown: shown.update(Template={"Id": 1, "Name": "x"}), "Template"),
        (lambda shown: shown.pop("Status"), '"Status" is a required property'),
        (lambda shown: shown.update(Name=None), "Name: null is not of type"),
        (lambda shown: shown.update(Colour="red"), "Additional properties are not allowed ('Colour' was unexpected)"),
        (lambda shown: shown.update(CreationDate="2025-01-01T00:00:00"), "CreationDate"),
        (lambda shown: shown.update(Type={"Id": 34, "Label": "x"}), "Type"),
        (lambda shown: shown.update(IsLocked="no"), "IsLocked"),
    ],
)
def test_an_answer_may_have_what_the_line_has_and_nothing_else(
    client: t.Any, change: t.Callable[[dict[str, t.Any]], object], text: str
) -> None:
    read = described("D2").operations["read_instance"]
    shown = {**client.get(f"/instances/{client.make()}").data, "Template": {"Id": 765}, "Subregion": {"Id": 1}}
    assert read.answer_faults(shown) == []
    assert read.answer_faults({**shown, "DnsAddress": None, FURTHER: 1}) == []
    change(shown)
    (fault,) = read.answer_faults(shown)
    assert text in fault


def test_all_types_of_both_lines_can_be_checked() -> None:
    for line in ("D1", "D2"):
        for operation in described(line).operations.values():
            operation.body_faults({})
            operation.answer_faults({})


def test_the_file_names_its_sources() -> None:
    assert {source for one in document()["operations"] for source in one.get("in", ())} == {"D2"}
    assert all(re.fullmatch(r"[a-z_0-9]+", one["id"]) for one in document()["operations"])
