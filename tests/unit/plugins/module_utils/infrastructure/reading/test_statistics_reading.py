# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics: what is sent for the words, and how the samples come back."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.statistics_info import INFO

if t.TYPE_CHECKING:
    from .conftest import Account

DAY = {"date_from": "2026-01-01", "date_to": "2026-01-01T23:00:00Z"}


@pytest.mark.parametrize(
    ("interval", "number", "count"),
    [(None, 1520, 277), ("5m", 1520, 277), ("20s", 1519, 4141), ("1 hour", 1521, 24), ("1521", 1521, 24)],
)
def test_an_instance_is_measured_in_intervals(account: Account, interval: str | None, number: int, count: int) -> None:
    account.create("web")
    (found,) = account.read(INFO, instance="web", types=["cpu_usage"], interval=interval, **DAY)["statistics"]
    times = [one["time"] for one in found["samples"]]
    assert (len(times), times) == (count, sorted(times))
    assert found["type"] == {"id": 1522, "label": "CPU usage"}
    assert set(found["samples"][0]) == {"time", "value", "details"}
    query = account.sandbox.requests("rest")[-1]["query"]
    assert query.endswith(f"&statisticTypes=1522&statisticInterval={number}")


@pytest.mark.parametrize("line", ["D1", "D2"])
def test_types_are_words_labels_or_ids_in_the_order_that_is_given(account: Account, line: str) -> None:
    account.settings(line=line)
    found = account.read(INFO, types=["uptime", "disk write", "1522", "CPU_usage"], **DAY)
    assert [(one["type"]["label"], len(one["samples"])) for one in found["statistics"]] == [
        ("Uptime", 24),
        ("Disk write", 24),
        ("CPU usage", 24),
    ]
    assert (found["changed"], account.sent()) == (False, ["GET /dictionaries/177", "GET /statistics/account"])
    query = account.sandbox.requests("rest")[-1]["query"]
    assert query.endswith("statisticTypes=1534&statisticTypes=1533&statisticTypes=1522")


def test_the_last_hour_is_read_where_no_time_is_given(account: Account) -> None:
    account.create("web")
    (found,) = account.read(INFO, instance="web", types=["power"])["statistics"]
    assert len(found["samples"]) in (12, 13)


@pytest.mark.parametrize(
    ("params", "said", "sent"),
    [
        ({"types": []}, "types: the list is empty", 0),
        ({"types": ["power"], "interval": "5m"}, "interval: statistics of the account have none", 0),
        ({"types": ["power"], "date_from": "2999-01-01"}, "date_from: 2999-01-01T00:00:00Z is not before now", 0),
        ({"types": ["cpu_usge"]}, "types: there is no 'cpu_usge' among the statistics types. Did you mean 'cpu_us", 1),
        ({"types": ["power"], "instance": "web", "interval": "2m"}, "interval: there is no '2m' among the inter", 2),
        ({"types": ["power"], "instance": "web"}, "instance: there is no instance 'web'.", None),
    ],
)
def test_what_cannot_be_right_is_told(account: Account, params: dict[str, t.Any], said: str, sent: int | None) -> None:
    with pytest.raises(InvalidInput) as caught:
        account.read(INFO, **params)
    assert str(caught.value).startswith(said)
    assert sent is None or len(account.sent()) == sent
