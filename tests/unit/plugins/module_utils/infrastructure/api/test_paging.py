# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of any paging, read whole: short pages, counted from 0 or 1, and equal rows in another order each time."""

from __future__ import annotations

import inspect
import itertools
import random
import re
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure import api
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.rest_pages import (
    BARREN,
    BARREN_SHUFFLED,
    LONGEST_PAUSE,
    Paging,
)

Row = t.Dict[str, t.Any]


def impatient() -> Paging:
    return Paging(lambda _seconds: None)


class Service:
    """Lists instances by the rules that a service may have."""

    def __init__(self, total: int, most: int = 10**9, first_page: int = 1) -> None:
        self.rows: list[Row] = [{"Id": number, "CreationDate": number, "Name": number} for number in range(total)]
        self.most = most
        self.first_page = first_page
        self.queries: list[dict[str, t.Any]] = []
        self.random = random.Random(1)

    def __call__(self, query: dict[str, t.Any]) -> tuple[list[Row], int]:
        assert query["orderBy"] in ("CreationDate", "Name")
        self.queries.append(query)
        size = min(query["pageSize"], self.most)
        number = query["pageNumber"]
        page = 0 if number is None else number - self.first_page
        assert page >= 0, "there is no such page"
        found = self.rows[:]
        self.random.shuffle(found)
        found.sort(key=lambda row: row[query["orderBy"]])
        return found[page * size : (page + 1) * size], len(self.rows)

    def listed(self, paging: Paging | None = None) -> list[int]:
        found = (paging or impatient()).read("List instances", ("Name", "CreationDate"), self)
        return sorted(row["Id"] for row in found)


def test_list_of_one_page_is_read_at_once(subtests: pytest.Subtests) -> None:
    for total in (0, 1, 9, 2500):
        with subtests.test(total=total):
            service = Service(total)
            assert service.listed() == list(range(total))
            assert service.queries == [{"orderBy": "Name", "pageSize": 32767, "pageNumber": None}]


def test_many_pages_whatever_the_first_is_called(subtests: pytest.Subtests) -> None:
    for (total, most), first_page in itertools.product(
        ((1001, 1000), (250, 100), (300, 100), (200, 100), (21, 20), (3, 1), (5000, 999)), (0, 1)
    ):
        with subtests.test(total=total, most=most):
            paging, count = impatient(), -(-total // most)
            service = Service(total, most, first_page)
            assert service.listed(paging) == list(range(total))
            assert len(service.queries) == count + (1 - first_page)
            again = Service(total, most, first_page)
            assert again.listed(paging) == list(range(total))
            assert len(again.queries) == count


def test_rows_of_one_name_are_found_by_their_moments(subtests: pytest.Subtests) -> None:
    for seed, first_page in itertools.product(range(20), (0, 1)):
        with subtests.test(seed=seed, first_page=first_page):
            service = Service(250, 20, first_page)
            service.random.seed(seed)
            for row in service.rows:
                row["Name"] = row["Id"] // 100
            assert service.listed() == list(range(250))
            assert {query["orderBy"] for query in service.queries} == {"CreationDate", "Name"}


@pytest.mark.parametrize("first_page", [0, 1])
def test_rows_that_are_equal_in_all_are_found_by_reading_anew(first_page: int) -> None:
    """Each page has a random half of them, and none may be missed by chance."""
    for seed in range(1000):
        service = Service(20, 10, first_page)
        service.random.seed(seed)
        for row in service.rows:
            row.update(CreationDate=1, Name="web")
        assert service.listed() == list(range(20))


def test_rows_in_any_order_that_are_on_no_page() -> None:
    service = Service(20, 10)
    service.rows += service.rows[:1]
    for row in service.rows:
        row.update(CreationDate=1, Name="web")
    with pytest.raises(errors.IncompleteList, match="counts 21 items, but all pages together list 20"):
        service.listed()
    assert len(service.queries) <= 3 * (2 * BARREN_SHUFFLED)


class Deaf(Service):
    """Brings the first page, whatever was asked for."""

    def __call__(self, query: dict[str, t.Any]) -> tuple[list[Row], int]:
        return super().__call__({**query, "pageNumber": None})


def test_a_service_without_further_pages() -> None:
    service, paging = Deaf(50, 20), impatient()
    with pytest.raises(errors.Unusable, match="counts 50 items, but all pages together list 20"):
        service.listed(paging)
    assert len(service.queries) <= 3 * (BARREN + 1)
    assert paging.first is None


def test_a_row_that_is_on_no_page_is_told() -> None:
    class Hiding(Service):
        def __call__(self, query: dict[str, t.Any]) -> tuple[list[Row], int]:
            rows, total = super().__call__(query)
            return [row for row in rows if row["Id"] != 25], total

    service, pauses = Hiding(50, 20), list[float]()
    with pytest.raises(errors.IncompleteList, match="counts 50 items, but all pages together list 49") as raised:
        service.listed(Paging(pauses.append))
    assert {row["Id"] for row in raised.value.rows} == {*range(50)} - {25}
    assert len(service.queries) <= 3 * (BARREN + 1)
    assert pauses == sorted(pauses) == [0.1, 0.2, 0.4, 0.8]


def test_a_service_that_counts_and_lists_nothing() -> None:
    def nothing(_query: t.Any) -> tuple[list[Row], int]:
        return [], 5

    paging = impatient()
    for first_page in (None, 0, 1):  # perhaps known of an earlier list
        paging.first = first_page
        with pytest.raises(errors.Unusable, match="counts 5 items, but all pages together list 0"):
            paging.read("List instances", ("Name",), nothing)


ENDLESS: dict[str, t.Callable[[int], tuple[list[Row], int]]] = {
    "the same row again": lambda _number: ([{"Id": 1}], 10**9),
    "another row each time": lambda number: ([{"Id": number}], 10**9),
    "two pages in turn": lambda number: ([{"Id": number % 2}], 10**9),
    "a page, then empty ones": lambda number: ([{"Id": 1}] if number == 1 else [], 10**9),
    "large pages of the same rows in turn": lambda number: ([{"Id": one} for one in range(number % 2, 99)], 10**9),
    "pages that shrink": lambda number: ([{"Id": number * 100 + one} for one in range(100 // number or 1)], 10**9),
    "a total that grows": lambda number: ([{"Id": number}], 2 + number),
    "a total that shrinks": lambda number: ([{"Id": number}], 10**9 - number),
    "a total of 400 digits": lambda number: ([{"Id": number}], 10**400),
}


@pytest.mark.parametrize("first_page", [None, 0, 1])
def test_no_service_keeps_a_list_from_ending(first_page: int | None, subtests: pytest.Subtests) -> None:
    for what, page in ENDLESS.items():
        with subtests.test(what=what):
            calls = itertools.count(1)
            paging = impatient()
            paging.first = first_page  # of an earlier list of the task
            with pytest.raises(errors.Unusable, match="List instances: "):
                paging.read("List instances", ("Name", "CreationDate"), lambda _query: page(next(calls)))
            assert next(calls) <= 150


def test_none_is_missed_when_one_goes_away_between_pages(subtests: pytest.Subtests) -> None:
    for after, removed, first_page in itertools.product((1, 2, 3, 4), (0, 25, 249), (0, 1)):
        with subtests.test(after=after, removed=removed):

            class Shrinking(Service):
                def __call__(self, query: dict[str, t.Any]) -> tuple[list[Row], int]:
                    answer = super().__call__(query)
                    if len(self.queries) == after:
                        del self.rows[removed]
                    return answer

            service = Shrinking(250, 20, first_page)
            assert service.listed() == [row["Id"] for row in service.rows]


class Moving(Service):
    """Loses or gets a row before some requests."""

    chance = 0.5

    def __init__(self, seed: int, *, grows: bool, times: int) -> None:
        super().__init__(60, 10, seed % 2)
        self.random.seed(seed)
        self.grows = grows
        self.times = times
        self.stayed = set(range(60))

    def __call__(self, query: dict[str, t.Any]) -> tuple[list[Row], int]:
        if self.queries and self.times and self.random.random() < self.chance:
            self.times -= 1
            place = self.random.randrange(len(self.rows))
            if self.grows:
                between = self.rows[place]["Name"] - self.random.random()
                self.rows.insert(place, {"Id": 100 + self.times, "CreationDate": between, "Name": between})
            else:
                self.stayed.remove(self.rows.pop(place)["Id"])
        return super().__call__(query)


@pytest.mark.parametrize("grows", [True, False])
def test_none_is_missed_while_a_list_moves(grows: bool) -> None:
    for seed in range(300):
        service, pauses = Moving(seed, grows=grows, times=6), list[float]()
        listed = service.listed(Paging(pauses.append))
        assert service.stayed <= set(listed) <= {row["Id"] for row in service.rows}
        assert pauses == sorted(pauses)


def test_a_list_that_never_stays_the_same() -> None:
    service, pauses = Moving(1, grows=False, times=10**9), list[float]()
    service.chance = 1.0
    with pytest.raises(errors.Unusable, match="removed from the list each of the 8 times"):
        service.listed(Paging(pauses.append))
    assert pauses == [0.1, 0.2, 0.4, 0.8, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]


@pytest.mark.parametrize("first_page", [0, 1])
def test_what_is_added_at_the_end_meanwhile_is_read_too(first_page: int) -> None:
    class Growing(Service):
        def __call__(self, query: dict[str, t.Any]) -> tuple[list[Row], int]:
            answer = super().__call__(query)
            number = len(self.rows)
            if number < 290:
                self.rows += [{"Id": one, "CreationDate": one, "Name": one} for one in range(number, number + 5)]
            return answer

    service = Growing(250, 20, first_page)
    assert service.listed() == list(range(290))
    assert len(service.queries) <= 2 * (290 // 20 + 2), "the last page, which is read first, may have been cut short"


def test_every_list_with_pages_says_what_it_is_ordered_by() -> None:
    """Else it cannot be read at all."""
    source = inspect.getsource(api).replace("{IP_ADDRESSES}", api.IP_ADDRESSES)
    paths = {re.sub(r"\{\w+\}", "7", path) for path in re.findall(r'\.read_pages\([^)]*?, f?"(/[^"]+)"', source)}
    kinds = {path: api.Infrastructure.kinds.get(api.Infrastructure.kind_at(path)) for path in paths}
    assert [path for path, kind in kinds.items() if not (kind and kind.orders)] == [], "declare it in kinds, in api.py"
    assert "/instances/7/disks" in paths
