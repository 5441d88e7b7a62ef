# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a schedule runs, as tables."""

from __future__ import annotations

import datetime as dt
import typing as t
import zoneinfo

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.schedule_times import (
    cycle_members,
    every_of,
    local_time,
    next_run,
    read_at,
    read_every,
    same_start,
    starting,
    warnings_of,
)

WARSAW = zoneinfo.ZoneInfo("Europe/Warsaw")
NOW = dt.datetime(2026, 3, 27, 12, tzinfo=WARSAW)  # a Friday; the clocks skip 02:00 to 03:00 on the 29th


@pytest.mark.parametrize(
    ("given", "read"),
    [("1 day", "1 day"), ("Day", "1 day"), ("14  days", "14 days"), ("2 week", "2 weeks"), ("ONCE", "once")],
)
def test_how_often(given: str, read: str) -> None:
    assert read_every(given) == read
    members = cycle_members(read, "TypeId")
    answer = {"Type": {"Id": members["TypeId"]}, "CycleNumber": members.get("CycleNumber")}
    assert every_of({**answer, "CycleType": {"Id": members.get("CycleTypeId")}}) == read


@pytest.mark.parametrize("given", ["", "0 days", "32768 days", "1 month", "-1 day", "every day", "1.5 days"])
def test_what_is_no_cycle(given: str) -> None:
    with pytest.raises(errors.InvalidInput, match="every: "):
        read_every(given)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("7:05", "07:05"),
        ("Monday 22:00", "monday 22:00"),
        ("2026-12-24T22:00", "2026-12-24 22:00"),
        ("2026-12-24 22:00:00", "2026-12-24 22:00"),
    ],
)
def test_a_time(given: str, read: str) -> None:
    assert read_at(given) == read


@pytest.mark.parametrize("given", ["", "22", "1320", "24:00", "22:60", "mon 22:00", "2026-13-01 22:00", "22:00:30"])
def test_what_is_no_time(given: str) -> None:
    with pytest.raises(errors.InvalidInput, match="at: "):
        read_at(given)


@pytest.mark.parametrize(
    ("at", "every", "first"),
    [
        ("22:00", "1 day", "2026-03-27T22:00:00+01:00"),
        ("12:01", "1 day", "2026-03-28T12:01:00+01:00"),  # less than a minute is left
        ("12:02", "1 day", "2026-03-27T12:02:00+01:00"),
        ("friday 11:00", "1 week", "2026-04-03T11:00:00+02:00"),
        ("sunday 03:30", "2 weeks", "2026-03-29T03:30:00+02:00"),
        ("sunday 02:30", "2 weeks", "2026-04-05T02:30:00+02:00"),  # the clocks skip the first one
        ("2026-03-20 11:00", "1 week", "2026-04-03T11:00:00+02:00"),
        ("2026-03-20 13:00", "1 week", "2026-03-27T13:00:00+01:00"),
        ("2026-03-20 13:00", "3 days", "2026-03-29T13:00:00+02:00"),
        ("2026-03-27 12:01", "once", "2026-03-27T12:01:00+01:00"),
        ("2026-10-25 02:30", "once", "2026-10-25T02:30:00+02:00"),  # the first of two
    ],
)
def test_the_first_run_to_come(at: str, every: str, first: str) -> None:
    assert next_run(at, every, WARSAW, NOW.timestamp()).isoformat() == first


@pytest.mark.parametrize(
    ("at", "every", "says"),
    [
        ("2026-03-27 12:00", "once", "at: 2026-03-27 12:00 has passed in Europe/Warsaw."),
        ("2026-03-29 02:30", "once", "at: there is no 2026-03-29 02:30 in Europe/Warsaw: the clocks skip it."),
        ("2026-03-29 02:30", "1 day", "at: there is no 2026-03-29 02:30 in Europe/Warsaw: the clocks skip it."),
    ],
)
def test_no_run_to_come(at: str, every: str, says: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        next_run(at, every, WARSAW, NOW.timestamp())
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    ("at", "current", "same"),
    [
        ("22:00", "2026-03-01 22:00", True),
        ("22:00", "2026-03-01 21:00", False),
        ("sunday 22:00", "2026-03-01 22:00", True),
        ("monday 22:00", "2026-03-01 22:00", False),
        ("2026-03-01 22:00", "2026-03-15 22:00", True),  # over: each second Sunday
        ("2026-03-01 22:00", "2026-02-01 22:00", True),
        ("2026-03-01 22:00", "2026-03-08 22:00", False),
        ("2026-04-01 22:00", "2026-04-15 22:00", False),  # the first run is yet to come
        ("2026-04-01 22:00", "2026-04-01 22:00", True),
        ("22:00", "22:00", True),
        ("22:00", None, False),
    ],
)
def test_the_same_start(at: str, current: str | None, same: bool) -> None:
    assert same_start(starting(at, "2 weeks", WARSAW, NOW.timestamp()), current) is same


@pytest.mark.parametrize(
    ("at", "every", "days"),
    [
        ("22:00", "1 day", []),
        ("02:30", "1 day", ["skip 02:30 on 2027-03-28", "show 02:30 twice on 2026-10-25"]),
        ("sunday 02:30", "1 week", ["skip 02:30 on 2027-03-28", "show 02:30 twice on 2026-10-25"]),
        ("monday 02:30", "1 week", []),
        ("2026-10-25 02:30", "once", ["show 02:30 twice on 2026-10-25"]),
    ],
)
def test_clocks_that_change_are_told(at: str, every: str, days: list[str]) -> None:
    now = dt.datetime(2026, 4, 1, tzinfo=WARSAW).timestamp()
    told = warnings_of(at, every, next_run(at, every, WARSAW, now))
    assert [text.partition(" Europe/Warsaw ")[2].partition(";")[0] for text in told] == days


@pytest.mark.parametrize(
    ("start", "zone", "local"),
    [
        ("2026-07-01T20:00:00Z", "Europe/Warsaw", "2026-07-01 22:00"),
        ("2026-12-01T21:00:00", "Europe/Warsaw", "2026-12-01 22:00"),
        ("2026-12-01T22:00:00.123+01:00", "UTC", "2026-12-01 21:00"),
        ("2026-12-31T23:59:60Z", "UTC", "2026-12-31 23:59"),
        ("2026-13-01T22:00:00Z", "UTC", None),
        (None, "UTC", None),
        ("2026-12-01T22:00:00Z", None, None),
        ("2026-12-01T22:00:00Z", "Nowhere/At_All", None),
        ("soon", "UTC", None),
    ],
)
def test_the_start_by_clocks_of_the_zone(start: t.Any, zone: t.Any, local: str | None) -> None:
    assert local_time({"StartDate": start, "TimeZoneName": zone}) == local
