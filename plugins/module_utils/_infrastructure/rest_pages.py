# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that have more than one page, read whole, whatever their pages are (docs/service/infrastructure.md, "Lists").

The service may shorten a large page silently, count its pages from 0 or from 1, and order rows with equal sort keys
differently for each page, so that one is on two pages and another on none. The total that it returns counts all rows,
and a page beyond the end is empty.
"""

from __future__ import annotations

import contextlib
import json
import typing as t

from .._core.errors import IncompleteList, PageLimit, Rejected, Unusable
from .._core.type_aliases import JsonObject, JsonObjects

SIZE = 32767  # rows per request, as other clients do; the default of the service is far too small
BEGINNINGS = 5  # how often a list is read while it grows or shrinks
MAX_ROUNDS = 12  # how often its pages are read to find rows that moved between them
BARREN = 4  # rounds without anything new after which it gives up
MAX_LIST_PAGES = 1000  # requests for one list; the pages are large
NO_SUCH_PAGE = (400, 404)
MAX_REPEATED_PAGES = 20  # pages without anything new, one after the other, when none of them was read before

Orders = t.Sequence[t.Optional[str]]
Query = t.Dict[str, object]
RestPage = t.Tuple[JsonObjects, int]
"""Rows, and how many the list has."""

Ask = t.Callable[[Query], RestPage]


class Paging:
    """How the service counts pages; ``first`` is the number of the first page, None until a list has shown it."""

    def __init__(self) -> None:
        self.first: int | None = None

    def read(self, operation: str, orders: Orders, ask: Ask) -> JsonObjects:
        """Return all rows of a list. Raises Unusable if it keeps changing, or if rows are missing on every page."""
        query: Query = {"pageSize": SIZE, "pageNumber": None, "orderBy": orders[0]}
        rows, total = ask(query)
        if len(rows) >= total:
            return rows
        return read_all_pages(self, operation, orders, ask, query, (rows, total))


def read_all_pages(
    paging: Paging, operation: str, orders: Orders, ask: Ask, query: Query, page: RestPage
) -> JsonObjects:
    """Return all rows of a list, given the query for its first page and the answer."""
    ask = _limited(ask, operation)
    for beginning in range(BEGINNINGS):
        if beginning > 0:
            page = rows, total = ask(query)
            if len(rows) >= total:
                return rows
        try:
            return _read_once(paging, operation, _Reading(orders, ask, query, page))
        except _Changed:
            continue
    raise Unusable(
        f"{operation}: the list grew or shrank each of the {BEGINNINGS} times that it was read.",
        next_step="Run the task again when fewer objects are being created and removed.",
        operation=operation,
    )


def _limited(ask: Ask, operation: str) -> Ask:
    """Return what asks in the same way, but not without end: how many pages there are is the service's word."""
    limit = PageLimit(operation, MAX_LIST_PAGES)

    def limited(query: Query) -> RestPage:
        rows, total = ask(query)
        limit.count(len(rows))
        return rows, total

    return limited


def _read_once(paging: Paging, operation: str, reading: _Reading) -> JsonObjects:
    with contextlib.suppress(_NoSuchPage):
        first = paging.first
        if first is None and reading.known:
            first = reading.first_number()
        if first is not None and reading.known and reading.complete(first):
            paging.first = first
            return list(reading.known.values())
    raise IncompleteList(
        f"{operation}: the service counts {reading.total} items, but all pages together list {len(reading.known)}.",
        next_step="Run the task again; if it stays like this, check whether the user may read all of them.",
        operation=operation,
    )


class _NoSuchPage(Exception):
    """The service refuses a page of this number."""


class _Changed(Exception):
    """There are fewer rows than before, or more, and one was missed."""


class _Reading:
    """One reading of a list whose first page has fewer rows than the total; ``known`` are rows by their IDs.

    A row without an ID is known by all that it has.
    """

    def __init__(self, orders: Orders, ask: Ask, query: Query, page: RestPage) -> None:
        rows, total = page
        self._orders = orders
        self._ask = ask
        self._query = query
        self._size = len(rows)
        self.total = total
        self._grew = False
        self._pages_read: set[int] = set()
        self.known: dict[t.Any, JsonObject] = {}
        self._keep(rows)

    def first_number(self) -> int:
        """Find out the number of the first page.

        The page whose number is the count of pages is the last one if counting starts at 1, and empty if it starts at
        0. Its rows do not matter, because they may be in another order than those before.
        """
        count = -(-self.total // self._size)
        self._pages_read.add(count)
        return 1 if self._page(count, 0) else 0

    def complete(self, first: int) -> bool:
        """Read the pages until all rows are known; return whether they are.

        Further rounds, if possible in another order, find rows that were on none of the earlier pages.
        """
        self._pages_read.add(first)
        barren = 0
        for number in range(MAX_ROUNDS):
            before, page, same = len(self.known), first, 0
            while page < first - (-self.total // self._size):  # a list that grows gets more pages
                if len(self.known) == self.total:
                    return True
                if number > 0 or page not in self._pages_read:
                    known = len(self.known)
                    self._page(page, number)
                    same = 0 if len(self.known) > known else same + 1
                if number == 0 and same == MAX_REPEATED_PAGES:
                    return False
                page += 1
            if self._grew and len(self.known) != self.total:
                raise _Changed
            barren = barren + 1 if len(self.known) == before else 0
            if barren == BARREN:
                break
        return len(self.known) == self.total

    def _page(self, page: int, number: int) -> JsonObjects:
        order = self._orders[number % len(self._orders)]
        query = {**self._query, "pageSize": self._size, "pageNumber": page, "orderBy": order}
        try:
            rows, total = self._ask(query)
        except Rejected as refusal:
            if refusal.status not in NO_SUCH_PAGE:
                raise
            raise _NoSuchPage from refusal
        if total < self.total:
            raise _Changed
        if total > self.total:  # other jobs of a task add tickets all the time: what comes last is read too
            self.total, self._grew = total, True
        self._keep(rows)
        return rows

    def _keep(self, rows: JsonObjects) -> None:
        self.known.update((row.get("Id") or json.dumps(row, sort_keys=True), row) for row in rows)
        if len(self.known) > self.total:
            raise _Changed
