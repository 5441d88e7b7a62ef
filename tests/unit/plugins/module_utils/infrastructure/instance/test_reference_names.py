# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of references: few requests, each once, and no name where the service refuses to tell."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    FcdError,
    Forbidden,
    NotFound,
    RateLimited,
    Unauthorized,
    Unreachable,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.reference_names import ReferenceNames


class Service:
    """A service that counts; ``refusal`` is its answer to everything."""

    def __init__(self, refusal: FcdError | None = None) -> None:
        self.refusal = refusal
        self.calls: list[str] = []

    def _told(self, call: str, answer: t.Any) -> t.Any:
        self.calls.append(call)
        if self.refusal is not None:
            raise self.refusal
        return answer

    def list_subregions(self) -> t.Any:
        return self._told("subregions", [{"Id": 1, "Name": "EU-001"}, {"Id": 2, "Name": None}])

    def list_templates(self, source: str) -> t.Any:
        return self._told(f"templates {source}", [{"Id": number, "Name": f"T{number}"} for number in range(1, 9)])

    def list_instances(self) -> t.Any:
        return self._told("instances", [{"Id": number, "Name": f"i{number}"} for number in range(1, 9)])

    def get_instance(self, number: int) -> t.Any:
        return self._told(f"instance {number}", {"Id": number, "Name": f"i{number}"})

    def get_template(self, number: int) -> t.Any:
        return self._told(f"template {number}", {"Id": number, "Name": "Debian", "Version": "12"})


def names_of(service: Service) -> ReferenceNames:
    return ReferenceNames(t.cast("t.Any", service))


def bare(*numbers: int) -> list[dict[str, t.Any]]:
    return [{"id": number, "label": None} for number in numbers]


def test_each_thing_is_read_once() -> None:
    names = names_of(service := Service())
    assert [names.label("subregion", number) for number in (1, 2, 3, 1)] == ["EU-001", None, None, "EU-001"]
    assert [
        names.label("template", 7),
        names.label("template", 7),
        names.label("instance", 4),
        names.label("instance", 4),
    ] == ["Debian"] * 2 + ["i4"] * 2
    assert service.calls == ["subregions", "template 7", "instance 4"]


@pytest.mark.parametrize("refusal", [Forbidden("no"), NotFound("none")])
def test_a_refusal_leaves_it_without_a_name(refusal: FcdError) -> None:
    names = names_of(service := Service(refusal))
    assert [
        names.label("subregion", 1),
        names.label("template", 1),
        names.label("instance", 1),
        names.label("template", 1),
    ] == [None] * 4
    assert service.calls == ["subregions", "template 1", "instance 1"]


@pytest.mark.parametrize("failure", [Unreachable("down"), RateLimited("slow"), Unauthorized("who")])
def test_a_failure_is_no_refusal_and_it_is_asked_again(failure: FcdError) -> None:
    names = names_of(service := Service(failure))
    for _time in range(2):
        with pytest.raises(type(failure)):
            names.label("template", 1)
        with pytest.raises(type(failure)):
            names.fill([{"subregion": bare(1)[0]}], "subregion")
    service.refusal = None
    assert (names.label("template", 1), names.label("subregion", 1)) == ("Debian", "EU-001")


def test_a_refused_list_leaves_many_without_names() -> None:
    names = names_of(service := Service(Forbidden("no")))
    records = [{"template": one} for one in bare(1, 2, 3, 4)]
    names.fill(records, "template")
    assert service.calls == ["templates All"]
    assert {record["template"]["label"] for record in records} == {None}


def test_records_are_named_in_place() -> None:
    names = names_of(service := Service())
    shared = {"id": 1, "label": None}
    records: list[dict[str, t.Any]] = [
        {"subregion": shared, "default_subregion": shared, "instance": None, "instances": bare(4, 5)},
        {"subregion": None, "instance": {"id": 5, "label": "kept"}, "instances": []},
    ]
    names.fill(records, "subregion", "default_subregion", "instance", "instances")
    assert records[0]["default_subregion"] == {"id": 1, "label": "EU-001"}
    assert [one["label"] for one in records[0]["instances"]] == ["i4", "i5"]
    assert records[1]["instance"]["label"] == "kept"
    assert sorted(service.calls) == ["instance 4", "instance 5", "subregions"]


@pytest.mark.parametrize(("attribute", "request_of_all"), [("instance", "instances"), ("template", "templates All")])
def test_many_come_from_the_list(attribute: str, request_of_all: str) -> None:
    names = names_of(service := Service())
    records = [{attribute: one} for one in bare(1, 2, 3, 4, 99)]
    names.fill(records, attribute)
    assert service.calls == [request_of_all]
    assert [bool(record[attribute]["label"]) for record in records] == [True, True, True, True, False]


def test_what_is_known_costs_nothing_and_without_asking_nothing_is_read() -> None:
    names = names_of(service := Service())
    names.know("instance", [{"Id": 9, "Name": "nine"}])
    records = [{"instance": one} for one in bare(9, 8)]
    names.fill(records, "instance", ask=False)
    assert [record["instance"]["label"] for record in records] == ["nine", None]
    assert service.calls == []
