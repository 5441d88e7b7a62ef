# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan costs a month: by the rows of a price list whose members nobody knows before."""

from __future__ import annotations

import typing as t
from types import SimpleNamespace

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import ServiceError
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan_costs import with_costs

ROWS = [
    {"pricelist_item_id": 1, "price": "0.0100", "service": {"service_id": 401, "name": "Memory"}},
    {"pricelist_item_id": 2, "price": 2, "service": {"service_names": [{"name": "Disk space", "language": 2}]}},
    {"pricelist_item_id": 3, "price": "10", "service_name": "V1.Small"},
]
DISK = {"kind": "disks", "service": "Disk space", "times": "size"}


def costed(changes: list[dict[str, t.Any]], rows: t.Any = ROWS, **costs: t.Any) -> dict[str, t.Any]:
    """Return a plan with these changes, after its costs were added."""

    def answered(operation: str, **_inputs: t.Any) -> t.Any:
        if isinstance(rows, ServiceError):
            raise rows
        return {"GetClientCurrentPricelist": {"items": rows}, "GetClientsCurrencyCode": "EUR"}[operation]

    api = SimpleNamespace(record=answered, call=answered)
    task: t.Any = SimpleNamespace(
        settings=SimpleNamespace(require=lambda _services: None), clients=SimpleNamespace(of=lambda _name, _make: api)
    )
    document: dict[str, t.Any] = {"changes": changes}
    with_costs(document, task, {"client_id": 100, "per": "month", "member": None, "items": [DISK], **costs})
    return document


def change(kind: str, action: str, before: t.Any = None, after: t.Any = None) -> dict[str, t.Any]:
    return {"kind": kind, "name": "it", "action": action, "before": before or {}, "after": after or {}}


def test_the_difference_is_per_entry_and_in_all() -> None:
    plan = costed(
        [
            change("disks", "create", after={"size": 10}),
            change("disks", "update", {"size": 10}, {"size": 15}),
            change("disks", "delete", {"size": 7}),
            change("instances", "create", after={"type": {"id": 3, "label": "v1.small"}}),
            change("disks", "orphan", {"size": 99}),
        ],
    )
    costs = [one.get("cost") for one in plan["changes"]]
    assert [cost and (cost["before"], cost["after"]) for cost in costs] == [(0, 20), (20, 30), (14, 0), (0, 10), None]
    assert plan["cost"] == {"before": 34, "after": 60, "currency": "EUR", "unpriced": [], "unavailable": ""}


@pytest.mark.parametrize(("per", "expected"), [("hour", 14600), ("day", 608.33), ("month", 20)])
def test_a_price_holds_for_the_time_that_the_user_says(per: str, expected: float) -> None:
    assert costed([change("disks", "create", after={"size": 10})], per=per)["cost"]["after"] == expected


def test_items_are_for_what_they_say_and_add_up() -> None:
    large = {"kind": "instances", "when": {"type": "v1.Large"}}
    items = [{**large, "service": "Memory", "times": 2048}, {**large, "service": "V1.Small"}]
    of = {"type": {"label": "v1.large"}}
    plan = costed([change("instances", "update", of, {"name": "a"})], items=items)
    assert plan["changes"][0]["cost"] == {"before": 30.48, "after": 30.48, "currency": "EUR"}


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (change("ssh_keys", "create"), "no item of costs prices these ssh_keys"),
        (change("disks", "create", after={"size": "(known after apply)"}), "size is not known"),
        (change("instances", "create", after={"type": "v9"}), "no item of costs prices these instances"),
    ],
)
def test_what_could_not_be_priced_is_told(one: dict[str, t.Any], why: str) -> None:
    plan = costed([one])
    assert plan["cost"]["unpriced"] == [{"kind": one["kind"], "name": "it", "why": why}]
    assert "cost" not in plan["changes"][0]


@pytest.mark.parametrize(
    ("rows", "costs", "told"),
    [
        (ServiceError("The service says no."), {}, "The service says no."),
        ([], {}, "no row of the price list has a service and a price"),
        ([{"net_price": 1, "gross_price": 2, "name": "a"}], {}, "several prices: gross_price, net_price"),
        (ROWS, {"items": [{**DISK, "service": "Disk spce"}]}, "Did you mean 'Disk space'?"),
    ],
)
def test_what_cannot_be_read_is_no_error(rows: t.Any, costs: t.Any, told: str) -> None:
    plan = costed([change("disks", "create", after={"size": 10})], rows, **costs)
    assert told in plan["cost"]["unavailable"]
    assert "cost" not in plan["changes"][0]


def test_the_member_that_has_the_price_can_be_named() -> None:
    rows = [{"net_price": 1, "gross_price": "2.5", "name": "Disk space"}]
    plan = costed([change("disks", "create", after={"size": 2})], rows, member="gross_price")
    assert plan["cost"]["after"] == 5
