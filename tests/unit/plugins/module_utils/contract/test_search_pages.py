# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paged searches against services that page in different ways."""

from __future__ import annotations

import itertools
import typing as t

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract import search_pages
from ansible_collections.fcd.cloud.plugins.module_utils._contract.search_pages import all_rows
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract

from ..soap.contracts import contract, sandbox


class Service:
    """Pages rows, a number of them or these; everything else about its pages is the service's secret.

    ``lower`` is what a number below that of the first page gives, and so does no number, which arrives as 0: the first
    page, or nothing. ``by_cap`` says whether pages begin at multiples of the size that they have or that was asked for.
    """

    def __init__(
        self,
        rows: int | list[t.Any],
        *,
        first_page: int = 0,
        lower: str = "first",
        cap: int = 1000,
        by_cap: bool = True,
        total: bool = False,
    ) -> None:
        self.rows = [{"id": number} for number in range(rows)] if isinstance(rows, int) else rows
        self.calls: list[dict[str, t.Any]] = []
        self.first_page, self.lower, self.cap, self.by_cap, self.total = first_page, lower, cap, by_cap, total

    def __call__(self, operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        assert operation == "GetWarehouses"
        inputs = values["searchParams"]
        self.calls.append(dict(inputs))
        asked = inputs.get("PageSize", 20)
        size = min(asked, self.cap)
        number = inputs.get("PageNumber", 0) - self.first_page
        start = max(0, number) * (size if self.by_cap else asked)
        page = [] if number < 0 and self.lower == "nothing" else self.rows[start : start + size]
        return {"results": page or None, **({"total_count": len(self.rows)} if self.total else {})}


@pytest.mark.parametrize("first_page", [0, 1])
@pytest.mark.parametrize("total", [False, True])
@pytest.mark.parametrize(
    ("count", "cap", "lower"), [(0, 10, "first"), (9, 1, "nothing"), (100, 100, "first"), (250, 37, "nothing")]
)
def test_every_row_comes_once(first_page: int, lower: str, cap: int, total: bool, count: int) -> None:
    """A few kinds of services; the next test draws from all of them."""
    service = Service(count, first_page=first_page, lower=lower, cap=cap, total=total)
    assert all_rows(sandbox(), service, "GetWarehouses", {"partner_id": 5}) == service.rows
    assert all(call["partner_id"] == 5 for call in service.calls)


@given(
    rows=st.one_of(
        st.integers(0, 260),
        st.tuples(st.integers(0, 260), st.integers(1, 4)).map(
            lambda drawn: [{"what": number % drawn[1]} for number in range(drawn[0])]
        ),
        st.lists(st.sampled_from(["a", "b"]).map(lambda what: {"what": what}), max_size=40),
    ),
    first_page=st.sampled_from([0, 1]),
    lower=st.sampled_from(["first", "nothing"]),
    cap=st.one_of(st.integers(2, 12), st.sampled_from([50, 99, 100, 130, 1000])),
    by_cap=st.booleans(),
    total=st.booleans(),
)
@example(rows=[{"what": 0}] * 250, first_page=0, lower="first", cap=1000, by_cap=True, total=False)
@example(rows=[{"what": 0}] * 250, first_page=1, lower="first", cap=1000, by_cap=True, total=False)
@settings(max_examples=settings().max_examples * 4)
def test_no_row_is_lost_and_none_doubled_whatever_the_pages_are(rows: int | list[t.Any], **kind: t.Any) -> None:
    """Rows without a number may be equal, on one page, on two, and page for page."""
    service = Service(rows, **kind)
    assert all_rows(sandbox(), service, "GetWarehouses", {}) == service.rows
    pages = -(-len(service.rows) // min(service.cap, 100))
    assert len(service.calls) <= max(1, pages) + 4  # an empty page, the first one twice, and a question at most twice


LIES: dict[str, t.Callable[[int, int], dict[str, t.Any]]] = {
    "the total of the page": lambda page, _all: {"total_count": page},
    "a count of the page": lambda page, _all: {"count": page},
    "a count of results on the page": lambda page, _all: {"results_count": page},
    "zero": lambda _page, _all: {"total_count": 0},
    "less than nothing": lambda _page, _all: {"total": -1},
    "too small": lambda _page, every: {"total": every - 187},
}


@pytest.mark.parametrize("first_page", [0, 1])
@pytest.mark.parametrize("cap", [10, 25, 50, 64, 100])
@pytest.mark.parametrize("lie", LIES)
def test_a_number_that_is_no_total_does_not_end_a_search(lie: str, cap: int, first_page: int) -> None:
    class Liar(Service):
        def __call__(self, operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
            answer = super().__call__(operation, values)
            return {**answer, **LIES[lie](len(answer["results"] or ()), len(self.rows))}

    service = Liar(250, first_page=first_page, cap=cap)
    assert all_rows(sandbox(), service, "GetWarehouses", {}) == service.rows


CALLS: list[tuple[t.Any, ...]] = [
    *((count, {"total": True}, 1) for count in (0, 99)),
    (100, {"total": True}, 2),
    (250, {"total": True}, 3),
    (99, {"total": True, "first_page": 1}, 1),
    (250, {"total": True, "first_page": 1}, 4),  # the first page twice
    (250, {"total": True, "first_page": 1, "lower": "nothing"}, 4),
    *((count, {}, 2) for count in (0, 100)),  # without a total only an empty page is the end
    (250, {}, 4),
    (99, {"first_page": 1}, 3),
    (0, {"first_page": 1}, 2),
    (9, {"first_page": 1, "lower": "nothing"}, 3),
]


def test_no_more_calls_than_needed() -> None:
    for count, kind, calls in CALLS:
        service = Service(count, **kind)
        all_rows(sandbox(), service, "GetWarehouses", {})
        assert len(service.calls) == calls


def test_a_limit_that_the_first_page_fills_takes_one_call() -> None:
    service = Service(250)
    assert all_rows(sandbox(), service, "GetWarehouses", {}, limit=7) == service.rows[:7]
    assert len(service.calls) == 1
    assert all_rows(sandbox(), service, "GetWarehouses", {}, limit=120) == service.rows[:120]
    assert len(service.calls) == 3


def test_a_row_that_moves_to_the_next_page_meanwhile_comes_once() -> None:
    service = Service(150)

    def moving(operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        page = service(operation, values)
        service.rows.insert(0, {"id": -len(service.calls)})
        return page

    found = all_rows(sandbox(), moving, "GetWarehouses", {})
    assert [row["id"] for row in found] == list(range(150))


@pytest.mark.parametrize(
    ("page", "total"),
    [
        ([{"id": number} for number in range(100)], None),
        ([{"what": number} for number in range(100)], 5000),
        ([{"what": 1}] * 100, None),
        ([{"what": 1}] * 100, 5000),
    ],
    ids=["numbered", "others", "equal", "equal, and told to be many"],
)
def test_a_service_that_repeats_itself_ends(page: list[t.Any], total: int | None) -> None:
    calls = []

    def same(operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        calls.append(values)
        return {"_results": page, "total_count": total}

    assert len(all_rows(sandbox(), same, "GetWarehouses", {})) == 100
    assert len(calls) <= 4


ENDLESS: dict[str, t.Callable[[int], t.Any]] = {
    "another row each time": lambda number: [{"id": number}],
    "another row without a number": lambda number: [{"what": number}],
    "two pages in turn": lambda number: [{"what": number % 2}],
    "pages that shrink": lambda number: [{"id": number * 100 + one} for one in range(100 // number or 1)],
    "texts": lambda number: [str(number)],
}


@pytest.mark.parametrize("total", [None, 10**9, 10**400])
def test_no_service_keeps_a_search_from_ending(total: int | None, subtests: pytest.Subtests) -> None:
    for what, page in ENDLESS.items():
        with subtests.test(what=what):
            calls = itertools.count(1)

            def call(_operation: str, _values: t.Mapping[str, t.Any]) -> t.Any:
                return {"results": page(next(calls)), "total_count": total}

            with pytest.raises(Unusable, match=r"GetWarehouses: after \d+ pages with \d+ rows, the list is still"):
                all_rows(sandbox(), call, "GetWarehouses", {})
            assert next(calls) <= 150


def test_rows_that_are_equal_on_one_page_both_count() -> None:
    assert all_rows(sandbox(), Service([{"a": 1}] * 2), "GetWarehouses", {}) == [{"a": 1}] * 2


def test_the_number_of_rows_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_pages, "MAX_ROWS", 150)
    with pytest.raises(Unusable, match="GetWarehouses: the search has more than 150 rows"):
        all_rows(sandbox(), Service(300), "GetWarehouses", {})


@pytest.mark.parametrize("chosen", [{"page_size": 2}, {"PageNumber": 1}])
def test_pages_that_the_caller_chooses_are_left_alone(chosen: dict[str, int]) -> None:
    calls = []

    def one(operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        calls.append(values["searchParams"])
        return {"results": [{"id": number} for number in range(100)]}

    assert len(all_rows(sandbox(), one, "GetWarehouses", chosen)) == 100
    assert len(calls) == 1


def searching(*members: str) -> Contract:
    """A contract whose search input has these members besides the text."""
    more = "".join(f'<xs:element name="{name}" type="xs:int" minOccurs="0"/>' for name in members)
    return contract(
        '<xs:element name="search" type="t:S"/>',
        more=(
            '<xs:complexType name="S"><xs:sequence>'
            f'<xs:element name="Text" type="xs:string"/>{more}</xs:sequence></xs:complexType>'
        ),
    )


@pytest.mark.parametrize(("count", "first_page"), [(0, 0), (20, 1), (45, 0), (45, 1)])
def test_an_input_with_a_page_number_alone(count: int, first_page: int) -> None:
    service = Service(count, first_page=first_page)

    def call(_operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        return service(
            "GetWarehouses", {"searchParams": {**values["search"], "PageNumber": values["search"].get("Page", 0)}}
        )

    assert all_rows(searching("Page"), call, "Op", {"text": "x"}) == service.rows
    assert all("PageSize" not in call for call in service.calls)


@pytest.mark.parametrize(
    ("count", "kind", "sizes"),
    [
        (37, {}, [100]),
        (100, {}, [100, 1000]),
        (2500, {"cap": 9999}, [100, 1000, 10_000]),
        (70, {"cap": 50, "total": True}, [100, 1000]),
        (70, {"cap": 300, "total": True}, [100]),
    ],
)
def test_an_input_with_a_page_size_alone(count: int, kind: dict[str, t.Any], sizes: list[int]) -> None:
    """One page has to be large enough; one that the service makes no larger is all there is to have."""
    service = Service(count, **kind)
    found = all_rows(
        searching("PageSize"),
        lambda _name, values: service("GetWarehouses", {"searchParams": values["search"]}),
        "Op",
        {},
    )
    assert found == service.rows[: service.cap]
    assert [call["PageSize"] for call in service.calls] == sizes


RESULTS: list[tuple[t.Any, ...]] = [
    ({"items": [{"a": 1}], "note": "x"}, [{"a": 1}]),
    ({"results": None}, []),
    ([{"a": 1}], [{"a": 1}]),
    (None, []),
]


def test_an_input_without_pages_and_other_shapes_of_results() -> None:
    for result, rows in RESULTS:
        calls = []

        def answer(operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
            calls.append(values)
            return result

        assert all_rows(searching(), answer, "Op", {"text": "x"}) == rows
        assert calls == [{"search": {"text": "x"}}]
