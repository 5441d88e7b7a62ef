# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""All rows of a paged search: ``SearchResultsCollection`` of something, wire-facts 9.2.

What is known: a member holds the list (null when nothing matches), and inputs of the same family have a page size.
Whether there is a page number, where it starts, what a number that is left out means, how small the largest page is and
whether a total is told are not known, so none of it is relied on: the members are looked for in the contract, the first
page is asked for without a number, and then pages are read from number 1 until the total is reached or one is empty.

Page 1 may be the first page again, where they count from 1. Rows with a number of their own tell that: none of them
counts twice. Rows without one may be equal, so there it is found out at the end, by asking for a single row.
"""

from __future__ import annotations

import json
import typing as t

from .._core.errors import Unusable
from .._core.text import fold
from .._soap.contract import TOTALS, Contract, SchemaField, local

PAGE_SIZE = 100  # rows; public clients asked for 100 and 1000
MOST_ROWS = 100_000

Row = t.Dict[str, t.Any]
Page = t.Tuple[t.List[Row], t.Optional[int]]
Call = t.Callable[[str, t.Mapping[str, t.Any]], t.Any]
Ask = t.Callable[[t.Optional[int], int], Page]
"""Asks for a page by its number, None for the first one, and size; returns its rows and the total, if it is told."""

_SIZES = ("pagesize", "resultsperpage", "itemsperpage")
_NUMBERS = ("pagenumber", "page", "pageindex", "pageno")


def all_rows(
    contract: Contract, call: Call, operation: str, criteria: t.Mapping[str, t.Any], limit: int | None = None
) -> list[Row]:
    """Return every row that fits ``criteria`` (members of the search input, in any spelling), at most ``limit``.

    Criteria with the size or the number of a page get that page. Raises what a call raises, and Unusable for more than
    100 000 rows.
    """
    search = _Search(contract, call, operation, criteria)
    if search.one_page:
        return search.page(None, PAGE_SIZE)[0][:limit]
    most = MOST_ROWS + 1 if limit is None else limit
    rows = _numbered(search.page, most, sized=search.size is not None) if search.number else _widened(search.page, most)
    if len(rows) > MOST_ROWS:
        raise Unusable(
            f"{operation}: the search has more than {MOST_ROWS} rows.",
            next_step="Narrow the search.",
            operation=operation,
        )
    return rows[:limit]


class _Search:
    """Asks for pages of a search. ``size`` and ``number`` are the members of its input for them, if it has them.

    ``one_page`` says that there is but one page to be had: the criteria choose it, or nothing does.
    """

    def __init__(self, contract: Contract, call: Call, operation: str, criteria: t.Mapping[str, t.Any]) -> None:
        self._call = call
        self._operation = operation
        self._criteria = criteria
        parameter = contract.inputs(operation)[0]
        self._parameter = parameter.name
        members = {fold(field.name): field for field in contract.fields(parameter.type)}
        size, number = _first(members, _SIZES), _first(members, _NUMBERS)
        self.size = size and size.name
        self.number = number and number.name
        self._given = {fold(str(key)) for key in criteria}
        names = {fold(name) for name in (self.size, self.number) if name}
        self.one_page = not names or not names.isdisjoint(self._given)

    def page(self, number: int | None, rows: int) -> Page:
        """Ask for a page by its number, None for the first one, and size."""
        own: Row = {self.size: rows} if self.size and fold(self.size) not in self._given else {}
        if self.number and number is not None:
            own[self.number] = number
        return _page(self._call(self._operation, {self._parameter: {**self._criteria, **own}}))


def _numbered(ask: Ask, most: int, *, sized: bool) -> list[Row]:
    """Return the rows of all pages, or some more than ``most``; ``sized`` says that the size of a page can be set."""
    pages = _Pages(ask)
    while len(pages.found) < most and pages.maybe_more():
        if not pages.read():
            pages.settle(sized=sized)
            break
    return pages.found


def _widened(ask: Ask, most: int) -> list[Row]:
    """Return the rows of one page that is large enough, or as large as the service makes it."""
    size = PAGE_SIZE
    rows, total = ask(None, size)
    while len(rows) < most and size < MOST_ROWS and (len(rows) >= size or (total or 0) > len(rows)):
        size *= 10
        wider, total = ask(None, size)
        if len(wider) <= len(rows):
            break
        rows = wider
    return rows


class _Pages:
    """Reads one page after the other and puts their rows together.

    Pages after the first one are asked for in the size that it turned out to have: a service that makes them smaller
    may count its rows by either size.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.found, self._total = ask(None, PAGE_SIZE)
        self._size = len(self.found) or PAGE_SIZE
        self._number = 0
        self._last = list(self.found)
        self._again: list[Row] = []  # page 1, where it is like the first page and its rows have no numbers
        self._heeded = False  # whether a page that cannot be there was asked for, and was not
        self._seen = {_fingerprint(row) for row in self.found} if _have_numbers(self.found) else None

    def maybe_more(self) -> bool:
        """Whether another page may have rows, as far as the service tells; only an empty one says no without a total.

        A full page is followed by another one even so: what is taken for a total may be the number of rows on it.
        """
        return self._total is None or len(self._last) >= PAGE_SIZE or self._total > len(self.found)

    def read(self) -> bool:
        """Read the next page and return whether there may be others."""
        page, total = self._ask(self._number + 1, self._size)
        if not page:
            return False
        self._number += 1
        if not self.found:  # they count from 1, and take no number for 0
            self._size = len(page)
            self._seen = set() if _have_numbers(page) else None
        new = self._new(page)
        self.found += new
        self._last, self._total = page, total
        return bool(new) or self._number == 1

    def _new(self, page: list[Row]) -> list[Row]:
        """Return the rows of a page that were not on an earlier one."""
        if self._seen is not None:
            new = [row for row in page if _fingerprint(row) not in self._seen]
            self._seen.update(map(_fingerprint, new))
            return new
        if page != self._last:
            return page
        if self._number == 1:
            self._again = page
            return []
        return page if self._heeds_numbers() else []

    def _heeds_numbers(self) -> bool:
        """Whether pages differ at all; asked where two in a row are equal."""
        if not self._heeded:
            self._heeded = not self._ask(MOST_ROWS, 1)[0]
            if not self._heeded:
                self._again = []
        return self._heeded

    def settle(self, *, sized: bool) -> None:
        """Decide, after the last page, whether page 1 was another one than the first.

        Then there are as many rows more, and the last of them can be asked for alone. (Where a page has but one row,
        nothing tells them apart: no service makes its pages that small.)
        """
        if not self._again:
            return
        if self._total is not None:
            other = self._total >= len(self.found) + len(self._again)
        else:
            last = self._size * self._number + len(self._last) - 1
            other = sized and self._size > 1 and bool(self._ask(last, 1)[0])
        if other:
            self.found[self._size : self._size] = self._again


def _have_numbers(rows: list[Row]) -> bool:
    """Whether a member such as ``warehouse_id`` tells these rows apart."""
    if not rows or not isinstance(rows[0], dict):
        return False
    columns = [[row.get(name) for row in rows] for name in rows[0] if fold(name).endswith("id")]
    return any(all(map(_is_number, column)) and len(set(column)) == len(rows) for column in columns)


def _is_number(value: t.Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def search_input(contract: Contract, operation: str) -> SchemaField | None:
    """Return the input of a paged search; None for an operation that is none, as far as its inputs tell."""
    inputs = contract.inputs(operation)
    if len(inputs) != 1 or inputs[0].repeated or contract.simple(inputs[0].type) is not None:
        return None
    members = {fold(field.name): field for field in contract.fields(inputs[0].type)}
    named = fold(local(inputs[0].type)).endswith("searchparams")
    return inputs[0] if named or _first(members, _SIZES) is not None else None


def search_type(contract: Contract, operation: str) -> str:
    """Return the name of the type that a paged search takes."""
    return local(contract.inputs(operation)[0].type)


def _first(members: t.Mapping[str, SchemaField], names: t.Iterable[str]) -> SchemaField | None:
    return next((members[name] for name in names if name in members), None)


def _page(result: t.Any) -> tuple[list[Row], int | None]:
    """Return the rows of an answer and the total that it tells, if any."""
    if not isinstance(result, dict):
        return list(result or []), None
    lists = [value for value in result.values() if isinstance(value, list)]
    rows = result.get("results") or (lists[0] if lists else [])
    totals = (value for name, value in result.items() if fold(name) in TOTALS and _is_number(value))
    return list(rows), next(totals, None)


def _fingerprint(row: Row) -> str:
    return json.dumps(row, sort_keys=True)
