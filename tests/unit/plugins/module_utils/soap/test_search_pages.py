# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paged searches against services that page in different ways."""

from __future__ import annotations

import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._api import search_pages
from ansible_collections.fcd.cloud.plugins.module_utils._api.search_pages import all_rows
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._transport.soap.contract import Contract

from .contracts import contract, sandbox


class Service:
    """Pages ``count`` rows; the number of the first page, the largest page and the total are the service's secret."""

    def __init__(self, count: int, *, first_page: int = 0, cap: int = 1000, total: bool = False) -> None:
        self.rows = [{"id": number} for number in range(count)]
        self.calls: list[dict[str, t.Any]] = []
        self.first_page, self.cap, self.total = first_page, cap, total

    def __call__(self, operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        assert operation == "GetWarehouses"
        given = values["searchParams"]
        self.calls.append(dict(given))
        size = min(given.get("PageSize", 20), self.cap)
        start = max(0, given.get("PageNumber", 0) - self.first_page) * size
        page = self.rows[start : start + size]
        return {"results": page or None, **({"total_count": len(self.rows)} if self.total else {})}


@pytest.mark.parametrize("first_page", [0, 1])
@pytest.mark.parametrize("cap", [10, 37, 100, 1000])
@pytest.mark.parametrize("total", [False, True])
@pytest.mark.parametrize("count", [0, 1, 9, 10, 37, 99, 100, 101, 250])
def test_every_row_comes_once(first_page: int, cap: int, total: bool, count: int) -> None:
    service = Service(count, first_page=first_page, cap=cap, total=total)
    assert all_rows(sandbox(), service, "GetWarehouses", {"partner_id": 5}) == service.rows
    assert all(call["partner_id"] == 5 for call in service.calls)


@pytest.mark.parametrize(
    ("count", "total", "calls"), [(0, False, 1), (9, False, 1), (9, True, 1), (99, True, 1), (99, False, 2)]
)
def test_no_more_calls_than_needed(count: int, total: bool, calls: int) -> None:
    service = Service(count, total=total)
    all_rows(sandbox(), service, "GetWarehouses", {})
    assert len(service.calls) == calls


def test_a_service_that_repeats_itself_ends() -> None:
    calls = []

    def same(operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        calls.append(values)
        return {"_results": [{"id": number} for number in range(100)], "total_count": 5000}

    assert len(all_rows(sandbox(), same, "GetWarehouses", {})) == 100
    assert len(calls) == 3


def test_rows_that_are_equal_on_one_page_both_count() -> None:
    assert all_rows(sandbox(), lambda *_any: {"results": [{"a": 1}, {"a": 1}]}, "GetWarehouses", {}) == [{"a": 1}] * 2


def test_the_number_of_rows_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_pages, "MOST_ROWS", 150)
    with pytest.raises(Unusable, match="GetWarehouses: the search has more than 150 rows"):
        all_rows(sandbox(), Service(300), "GetWarehouses", {})


@pytest.mark.parametrize("given", [{"page_size": 2}, {"PageNumber": 1}])
def test_pages_that_the_caller_chooses_are_left_alone(given: dict[str, int]) -> None:
    calls = []

    def one(operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        calls.append(values["searchParams"])
        return {"results": [{"id": number} for number in range(100)]}

    assert len(all_rows(sandbox(), one, "GetWarehouses", given)) == 100
    assert len(calls) == 1


def without_pages() -> Contract:
    return contract(
        '<xs:element name="search" type="t:S"/>',
        more=(
            '<xs:complexType name="S"><xs:sequence>'
            '<xs:element name="Text" type="xs:string"/></xs:sequence></xs:complexType>'
        ),
    )


@pytest.mark.parametrize(
    ("result", "rows"),
    [
        ({"items": [{"a": 1}], "note": "x"}, [{"a": 1}]),
        ({"results": None}, []),
        ([{"a": 1}], [{"a": 1}]),
        (None, []),
    ],
)
def test_an_input_without_pages_and_other_shapes_of_results(result: t.Any, rows: list[t.Any]) -> None:
    calls = []

    def answer(operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        calls.append(values)
        return result

    assert all_rows(without_pages(), answer, "Op", {"text": "x"}) == rows
    assert calls == [{"search": {"text": "x"}}]
