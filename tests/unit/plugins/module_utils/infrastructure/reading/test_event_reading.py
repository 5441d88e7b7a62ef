# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of the account and of an instance: filters, times, order."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.event import INFO

if t.TYPE_CHECKING:
    from .conftest import Account

REMOVED, RENAMED = 248, 868


@pytest.fixture
def busy(account: Account) -> Account:
    """Two instances were made, and renaming one has failed."""
    account.settings(fail_tickets="Renaming")
    account.create("web")
    account.create("database")
    (web,) = [one["Id"] for one in account.api().list_instances() if one["Name"] == "web"]
    account.api().change_name(web, "www")
    return account


def read(account: Account, **params: t.Any) -> list[str]:
    found = account.read(INFO, **params)
    assert found["changed"] is False
    return [f"{one['instance']['label']}: {one['operation_type']['label']}" for one in found["events"]]


@pytest.mark.parametrize("line", ["D1", "D2"])
def test_the_events_of_all_are_one_list_the_newest_first(busy: Account, line: str) -> None:
    busy.settings(line=line)
    assert read(busy) == ["web: Renamed", "database: Deployed", "web: Deployed"]
    assert busy.sent() == ["GET /events"]
    assert read(busy, limit=1) == ["web: Renamed"]


@pytest.mark.parametrize("numbers", ["own", "ticket"])
def test_the_words_for_a_status_fit_either_numbers(busy: Account, numbers: str) -> None:
    busy.settings(event_numbers=numbers)
    assert len(read(busy, status="success")) == 2
    (failed,) = busy.read(INFO, status="Error")["events"]
    assert (failed["instance"]["label"], failed["user"]) == ("web", busy.sandbox.environment["FCD_USERNAME"])
    assert "failed" in failed["message"]


def test_ids_are_filters_of_the_service_and_labels_are_not(busy: Account) -> None:
    assert read(busy, operation_type=str(RENAMED), status="151") == ["web: Renamed"]
    assert "typeIds=868&statusIds=151" in busy.sandbox.requests("rest")[-1]["query"]
    assert read(busy, operation_type="renamed") == ["web: Renamed"]
    assert "typeIds" not in busy.sandbox.requests("rest")[-1]["query"]
    assert read(busy, user="nobody") == read(busy, operation_type=str(REMOVED)) == busy.warnings == []


def test_the_events_of_one_instance(busy: Account) -> None:
    assert read(busy, instance="web") == ["web: Renamed", "web: Deployed"]
    assert read(busy, instance="web", operation_type=str(RENAMED)) == ["web: Renamed"]
    assert "operationTypeId=868" in busy.sandbox.requests("rest")[-1]["query"]
    with pytest.raises(InvalidInput, match=r"instance: there is no instance 'wep'\. Did you mean 'web'\?"):
        busy.read(INFO, instance="wep")


def test_a_label_that_is_spelt_almost_like_one_is_told(busy: Account) -> None:
    assert read(busy, operation_type="Renamd") == []
    assert busy.warnings == ["operation_type: none of the 3 events has 'Renamd'. Did you mean 'Renamed'?"]


def test_more_events_than_a_page_has(account: Account) -> None:
    account.create("web")
    account.settings(longest_page=2)
    for _ in range(4):
        account.create("more")
    assert len(read(account)) == 5


def test_only_those_of_the_time_are_read(busy: Account) -> None:
    assert read(busy, date_to="2020-01-02") == []
    assert (
        "dateFrom=2020-01-01T00%3A00%3A00Z&dateTo=2020-01-02T00%3A00%3A00Z"
        in (busy.sandbox.requests("rest")[-1]["query"])
    )


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"date_from": "yesterday"}, "date_from: 'yesterday' is not a date and time in ISO 8601"),
        ({"date_from": "2999-01-01"}, "date_from: 2999-01-01T00:00:00Z is not before now"),
        (
            {"date_from": "2026-01-02", "date_to": "2026-01-02T02:00:00+02:00"},
            "date_from: 2026-01-02T00:00:00Z is not before 2026-01-02T00:00:00Z",
        ),
        ({"date_to": "0001-01-01"}, "date_from: 1970-01-01T00:00:00Z is not before 0001-01-01T00:00:00Z"),
        ({"limit": 0}, "limit: 0; it must be at least 1"),
        ({"status": " "}, "status: the text is empty"),
    ],
)
def test_what_cannot_be_right_is_told_before_anything_is_sent(
    account: Account, params: dict[str, t.Any], said: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        account.read(INFO, **params)
    assert str(caught.value).startswith(said)
    assert account.sent() == []
