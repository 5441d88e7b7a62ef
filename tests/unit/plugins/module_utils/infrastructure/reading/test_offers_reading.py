# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Subregions, types of instances, templates."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Forbidden, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.offers import (
    INSTANCE_TEMPLATE_INFO,
    INSTANCE_TYPE_INFO,
    SUBREGIONS,
)

from .conftest import Account

OFFERED = [
    *(1, 57, 58, 63, 64, 69, 80, 81, 82, 86, 94, 96, 97, 98, 99, 101, 304, 392, 396, 514, 624, 643, 644, 645, 670, 678),
    *(764, 765, 767, 771, 772, 775, 776, 60001, 60002, 60011, 60012),
]
"""Numbers of all templates of the sandbox."""


def numbers(records: t.Iterable[dict[str, t.Any]]) -> list[int]:
    return [record["id"] for record in records]


@pytest.mark.parametrize(
    ("asked", "found", "missing"),
    [
        ({}, [1, 4, 5, 6, 7], None),
        ({"is_active": True}, [1, 4, 5, 6], None),
        ({"is_active": False}, [7], None),
        ({"id": [5, 999, 1, 5]}, [5, 1], [999]),
        ({"name": ["EU-005", "EU-999", "eu-001"]}, [7], ["EU-999", "eu-001"]),
        ({"name": ["EU-005", "EU-001"], "is_active": True}, [1], []),
        ({"id": []}, [], []),
    ],
)
def test_subregions(account: Account, asked: dict[str, t.Any], found: list[int], missing: list[t.Any] | None) -> None:
    result = account.read(SUBREGIONS, **asked)
    assert (numbers(result["subregions"]), result.get("missing")) == (found, missing)
    assert account.sent() == ["GET /subregions"]


@pytest.mark.parametrize(
    ("asked", "count", "requests"),
    [
        ({}, 32, ["GET /instances/types"]),
        ({"category": "high memory"}, 21, ["GET /dictionaries/141", "GET /instances/types"]),
        ({"category": "1250"}, 21, ["GET /instances/types"]),
        ({"available_for_freemium": True}, 2, ["GET /instances/types"]),
        (
            {"category": "High CPU", "available_for_freemium": True},
            0,
            ["GET /dictionaries/141", "GET /instances/types"],
        ),
        ({"id": [34, 35]}, 2, ["GET /instances/types"]),
    ],
)
def test_types(account: Account, asked: dict[str, t.Any], count: int, requests: list[str]) -> None:
    assert len(account.read(INSTANCE_TYPE_INFO, **asked)["instance_types"]) == count
    assert account.sent() == requests


def test_the_record_of_a_type(account: Account) -> None:
    result = account.read(INSTANCE_TYPE_INFO, name=["v1.standard-2.2", "v1.none"])
    assert result["missing"] == ["v1.none"]
    assert result["instance_types"] == [
        {
            "id": 34,
            "name": "v1.standard-2.2",
            "cpu_number": 2,
            "ram_mb": 2048,
            "available_for_freemium": False,
            "category": {"id": 1249, "label": "Standard"},
        }
    ]


@pytest.mark.parametrize(
    ("label", "words"),
    [("High memry", "Did you mean 'High memory'"), (" ", "the label is empty"), ("²", "there is no")],
)
def test_a_wrong_category_is_told(account: Account, label: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        account.read(INSTANCE_TYPE_INFO, category=label)
    assert "GET /instances/types" not in account.sent()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, OFFERED),
        ({"source": "own"}, [60001, 60002]),
        ({"source": "community_catalogue"}, [60011]),
        ({"source": "marketplace", "query": "SHOP"}, [60012]),
        ({"query": "debian"}, [86, 304, 765]),
    ],
)
def test_templates(account: Account, asked: dict[str, t.Any], found: list[int]) -> None:
    result = account.read(INSTANCE_TEMPLATE_INFO, **asked)
    assert sorted(numbers(result["templates"])) == found
    assert "missing" not in result
    assert account.sent() == ["GET /templates"]


@pytest.mark.parametrize(
    ("asked", "found", "missing", "requests"),
    [
        ([624], [624], [], ["GET /templates/624"]),
        ([9], [], [9], ["GET /templates/9", "GET /templates"]),
        ([624, 9, 765], [624, 765], [9], ["GET /templates"]),
        ([], [], [], []),
    ],
)
def test_templates_by_number(
    account: Account, asked: list[int], found: list[int], missing: list[int], requests: list[str]
) -> None:
    result = account.read(INSTANCE_TEMPLATE_INFO, id=asked)
    assert (numbers(result["templates"]), result["missing"]) == (found, missing)
    assert account.sent() == requests


def test_the_record_of_a_template(account: Account) -> None:
    (record,) = account.read(INSTANCE_TEMPLATE_INFO, id=[60001])["templates"]
    assert record["minimum_instance_type"] == {"id": 1047, "label": "v1.standard-1.05"}
    assert record["publication_status"]["id"] == 1245
    assert record["owner_account"]["id"] > 0
    assert record["disks"][0]["disk_class"] == {"id": 48, "label": "Tier 1"}
    assert record["disks"][0]["is_system_disk"] is True


def test_a_missing_right_is_no_missing_template(account: Account) -> None:
    account.sandbox.fault("status_before", service="rest", method="GET", path="/templates/60001", status=403)
    with pytest.raises(Forbidden):
        account.read(INSTANCE_TEMPLATE_INFO, id=[60001])


@pytest.mark.parametrize(
    "operation", [SUBREGIONS, INSTANCE_TYPE_INFO, INSTANCE_TEMPLATE_INFO], ids=lambda operation: operation.name
)
@pytest.mark.parametrize("number", [0, -1])
def test_what_is_no_number_is_told_before_anything_is_sent(account: Account, operation: t.Any, number: int) -> None:
    with pytest.raises(InvalidInput, match=f"id: {number} is not a valid ID"):
        account.read(operation, id=[1, number])
    assert account.sent() == []
