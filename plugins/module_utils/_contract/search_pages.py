# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches with pages, read whole.

All that is known of a search (``SearchResultsCollection`` of something) is that one member holds the list (null if
nothing matches), and that similar inputs have a page size. So the members are looked for in the contract, and the first
page is read without a number. It is the only one if it is not full and the stated total agrees, which is not believed
of a round number.

It is not known whether there is a page number, where it starts, what leaving it out means, how large a page may be, or
whether a total is stated. So nothing of that is relied on: further pages are read from number 1 until the total is
reached or one is empty. If pages count from 1, page 1 is the first page again. Rows with an ID show that, and none
counts twice. Rows without one may be equal, so for them it is found out at the end, by requesting a single row.
"""

from __future__ import annotations

import json
import typing as t

from .._core.errors import PageLimit, Unusable
from .._core.text import fold
from .._core.type_aliases import JsonObject
from .._soap.contract import TOTALS, Contract, SchemaField, local

MAX_ROWS, MAX_PAGES = 100_000, 1000
SoapPage = t.Tuple[t.List[JsonObject], t.Optional[int]]  # rows, and the total if it is stated
Call = t.Callable[[str, t.Mapping[str, object]], object]
_SIZES = ("pagesize", "resultsperpage", "itemsperpage")
_NUMBERS = ("pagenumber", "page", "pageindex", "pageno")


def search_input(contract: Contract, operation: str) -> SchemaField | None:
    """Return the input of a paged search; None for an operation whose inputs show that it is none."""
    inputs = contract.inputs(operation)
    if len(inputs) != 1 or inputs[0].repeated or contract.simple(inputs[0].type) is not None:
        return None
    is_search = fold(local(inputs[0].type)).endswith("searchparams")
    return (
        inputs[0] if is_search or any(fold(each.name) in _SIZES for each in contract.fields(inputs[0].type)) else None
    )


def all_rows(
    contract: Contract, call: Call, operation: str, criteria: t.Mapping[str, object], limit: int | None = None
) -> list[JsonObject]:
    """Return every row that fits ``criteria`` (members of the search input, in any spelling), at most ``limit``.

    Criteria with the size or the number of a page get that page. Raises what a call raises, and Unusable for more than
    100 000 rows.
    """
    search = PagedSearch(contract, call, operation, criteria)
    rows, total = search.read(None, search.page_size)
    full = len(rows) >= search.page_size  # then the total may be just that of the page
    if total == len(rows) and _may_be_cut(total):
        total = None
    if not search.one_page and (full or total is None or total > len(rows)):
        rows = read_on(search, (rows, total), limit)
    return rows[:limit]


class PagedSearch:
    """Reads pages of a search. ``size`` and ``number`` are the members of its input for them, if it has them.

    ``one_page`` says that only one page can be read: the criteria choose it, or nothing can.
    """

    page_size = 100  # rows; public clients asked for 100 and 1000

    def __init__(self, contract: Contract, call: Call, operation: str, criteria: t.Mapping[str, object]) -> None:
        parameter = contract.inputs(operation)[0]
        self.operation = operation
        self._call = lambda inputs: call(operation, {parameter.name: inputs})
        self._criteria = criteria
        names = {fold(field.name): field.name for field in contract.fields(parameter.type)}
        self.size, self.number = (
            next((names[word] for word in words if word in names), None) for words in (_SIZES, _NUMBERS)
        )
        self._given = {fold(str(key)) for key in criteria}
        paging = {fold(name) for name in (self.size, self.number) if name}
        self.one_page = not paging or not paging.isdisjoint(self._given)

    def read(self, number: int | None, rows: int) -> SoapPage:
        """Read a page by its number, None for the first one, and size."""
        own: JsonObject = {self.size: rows} if self.size and fold(self.size) not in self._given else {}
        if self.number and number is not None:
            own[self.number] = number
        return _rows_and_total(self._call({**self._criteria, **own}))


def _rows_and_total(result: t.Any) -> SoapPage:
    """Return the rows of an answer and the total that it states, if any: one smaller than the page is none."""
    if not isinstance(result, dict):
        return list(result or []), None
    lists = [value for value in result.values() if isinstance(value, list)]
    rows = list(result.get("results") or (lists[0] if lists else []))
    totals = (value for name, value in result.items() if fold(name) in TOTALS and _is_number(value))
    return rows, next((total for total in totals if total >= len(rows)), None)


def _may_be_cut(rows: int) -> bool:
    """Return whether so many rows may be a page of the largest size that a service allows: those are round numbers."""
    return rows >= 10 and (rows % 5 == 0 or rows & (rows - 1) == 0)


def read_on(search: PagedSearch, first: SoapPage, limit: int | None) -> list[JsonObject]:
    """Return the rows of all pages, the first of which was read already, or a few more than ``limit``.

    Raises what a call raises, and Unusable for more than 100 000 rows, or too many pages.
    """
    most = MAX_ROWS + 1 if limit is None else limit
    found = _Pages(search, first).read(most) if search.number else _read_larger(search, first, most)
    if len(found) > MAX_ROWS:
        raise Unusable(
            f"{search.operation}: the search has more than {MAX_ROWS} rows.",
            next_step="Narrow the search.",
            operation=search.operation,
        )
    return found


def _read_larger(search: PagedSearch, first: SoapPage, most: int) -> list[JsonObject]:
    """Return the rows of one page that is large enough, or as large as the service allows."""
    size = search.page_size
    rows, total = first
    while len(rows) < most and size < MAX_ROWS and (len(rows) >= size or (total or 0) > len(rows)):
        size *= 10
        larger, total = search.read(None, size)
        if len(larger) <= len(rows):
            break
        rows = larger
    return rows


class _Pages:
    """Reads one page after the other.

    Further pages are read with the size that the first one turned out to have: a service with smaller pages may count
    by either size.
    """

    def __init__(self, search: PagedSearch, first: SoapPage) -> None:
        self._search = search
        self._limit = PageLimit(search.operation, MAX_PAGES)
        self._found, self._total = first
        self._size = len(self._found) or search.page_size
        self._number = 0
        self._last = list(self._found)
        self._again: list[JsonObject] = []  # page 1, if it equals the first page and its rows have no IDs
        self._heeds_numbers = False  # whether a page that cannot exist was requested, and was not there
        self._known = _identities(self._found)

    def read(self, most: int) -> list[JsonObject]:
        """Return the rows of all pages, or a few more than ``most``.

        Without a total, only an empty page is the last one. Even with a total, another page is read after a full one:
        the alleged total may be the number of rows on the page.
        """
        while len(self._found) < most and (
            self._total is None or len(self._last) >= self._search.page_size or self._total > len(self._found)
        ):
            if not self._read_next():
                self._settle()
                break
        return self._found

    def _read_next(self) -> bool:
        """Read the next page and return whether there may be others."""
        page, total = self._search.read(self._number + 1, self._size)
        if not page:
            return False
        self._limit.count(len(page))
        self._number += 1
        if not self._found:  # pages count from 1, and no number means 0
            self._size = len(page)
            self._known = None if _identities(page) is None else set()
        new = self._new(page)
        self._found += new
        self._last, self._total = page, total
        if total is not None and (total <= len(page) or total < len(self._found)):
            self._total = None  # it may be the number of rows on the page
        return bool(new) or self._number == 1

    def _new(self, page: list[JsonObject]) -> list[JsonObject]:
        """Return the rows of a page that were not on an earlier one."""
        if self._known is not None:
            new = [row for row in page if _fingerprint(row) not in self._known]
            self._known.update(map(_fingerprint, new))
            return new
        if page != self._last:
            return page
        if self._number == 1:
            self._again = page
            return []
        if not self._heeds_numbers:  # whether pages differ at all
            self._heeds_numbers = not self._search.read(MAX_ROWS, 1)[0]
        if not self._heeds_numbers:
            self._again = []
            return []
        return page

    def _settle(self) -> None:
        """Decide, after the last page, whether page 1 was the second page or the first one again.

        If it was the second, there are that many rows more, and the last of them can be requested as a page of its own.
        (With one row per page, nothing tells the two apart, but no service has pages that small.)
        """
        if not self._again:
            return
        if self._total is not None:
            other = self._total >= len(self._found) + len(self._again)
        else:
            last = self._size * self._number + len(self._last) - 1
            other = self._search.size is not None and self._size > 1 and bool(self._search.read(last, 1)[0])
        if other:
            self._found[self._size : self._size] = self._again


def _identities(rows: list[JsonObject]) -> set[str] | None:
    """Return the IDs of these rows, if a member such as ``warehouse_id`` holds them; else None."""
    if not rows or not isinstance(rows[0], dict):
        return None
    columns = [[row.get(name) for row in rows] for name in rows[0] if fold(name).endswith("id")]
    numbered = any(all(map(_is_number, column)) and len(set(column)) == len(rows) for column in columns)
    return set(map(_fingerprint, rows)) if numbered else None


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _fingerprint(row: JsonObject) -> str:
    return json.dumps(row, sort_keys=True)
