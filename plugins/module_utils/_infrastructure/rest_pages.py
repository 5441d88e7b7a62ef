# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that have more than one page, read whole, whatever their pages are (docs/service/infrastructure.md, "Lists").

The service may shorten a large page silently, count its pages from 0 or from 1, and order rows with equal sort keys
differently for each page, so that one is on two pages and another on none. The total that it returns counts all rows,
and a page beyond the end is empty. Meanwhile, objects are created and removed.

A list that does not agree with its total is therefore read again, with pauses that grow.
"""

from __future__ import annotations

import contextlib
import json
import typing as t

from .._core.errors import IncompleteList, PageLimit, Rejected, Unusable
from .._core.type_aliases import JsonObject, JsonObjects

SIZE = 32767  # rows per request, as other clients do; the default of the service is far too small
BEGINNINGS = 8  # how often a list is read from its beginning while it shrinks
MAX_ROUNDS = 40  # how often its pages are read to find rows that moved between them
BARREN = 5  # rounds without anything new after which it gives up, if each page was the same every time
BARREN_SHUFFLED = 16  # otherwise: a round misses a row that any page may show with a probability of up to 1/e
PAUSE, LONGEST_PAUSE = 0.1, 1.0  # seconds; the first one, and the longest one
MAX_LIST_PAGES = 1000  # requests for one list; the pages are large
NO_SUCH_PAGE = (400, 404)
MAX_REPEATED_PAGES = 20  # pages without anything new, one after the other, when none of them was read before

Orders = t.Sequence[t.Optional[str]]
Query = t.Dict[str, object]
RestPage = t.Tuple[JsonObjects, int]
"""Rows, and how many the list has."""

Ask = t.Callable[[Query], RestPage]


class Paging:
    """How the service counts pages; ``first`` is the number of the first page, None until a list has shown it.

    ``sleep`` waits for so many seconds, at most until the deadline.
    """

    def __init__(self, sleep: t.Callable[[float], object]) -> None:
        self.first: int | None = None
        self._sleep = sleep

    def pause(self, number: int) -> None:
        """Wait before a list is read again, for longer each time; the first time is number 0."""
        self._sleep(min(LONGEST_PAUSE, PAUSE * 2**number))

    def read(self, operation: str, orders: Orders, ask: Ask) -> JsonObjects:
        """Return all rows of a list. Raises IncompleteList, and Unusable if it keeps changing or has no end."""
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
            paging.pause(beginning - 1)
            page = rows, total = ask(query)
            if len(rows) >= total:
                return rows
        try:
            return _read_once(paging, operation, _Reading(orders, ask, query, page))
        except _Shrank:
            continue
    raise Unusable(
        f"{operation}: objects were removed from the list each of the {BEGINNINGS} times that it was read.",
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
        if first is not None and reading.known and reading.complete(first, paging.pause):
            paging.first = first
            return list(reading.known.values())
    error = IncompleteList(
        f"{operation}: the service counts {reading.total} items, but all pages together list {len(reading.known)}.",
        next_step="Run the task again; if it stays like this, check whether the user may read all of them.",
        operation=operation,
    )
    error.rows = list(reading.known.values())
    raise error


class _NoSuchPage(Exception):
    """The service refuses a page of this number."""


class _Shrank(Exception):
    """There are fewer rows than before: some of those that are known have gone, and others were missed."""


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
        self._first_page = [*map(_key, rows)]
        self.total = total
        self._grew = False
        self._shuffled = False
        self._seen: dict[tuple[int, str | None], t.List[t.Any]] = {}  # what each page has shown last
        self.known: dict[t.Any, JsonObject] = {}
        self._keep(rows)

    def first_number(self) -> int:
        """Find out the number of the first page.

        The page whose number is the count of pages is the last one if counting starts at 1, and empty if it starts at
        0. Its rows do not matter, because they may be in another order than those before. If the list has got another
        page meanwhile, this was no question.
        """
        while True:
            count = self._count()
            if not self._page(count, 0):
                return 0
            if count == self._count():
                return 1

    def _count(self) -> int:
        """Return how many pages there are."""
        return -(-self.total // self._size)

    def complete(self, first: int, pause: t.Callable[[int], None]) -> bool:
        """Read the pages until all rows are known; return whether they are.

        Further rounds, if possible in another order, find rows that were on none of the earlier pages, and what was
        added meanwhile. Before a round after one that has found nothing, or in which the list grew, there is a pause.
        """
        self._seen[first, self._orders[0]] = self._first_page
        barren = waits = 0
        for number in range(MAX_ROUNDS):
            before, self._grew = len(self.known), False
            if not self._read_round(first, number) or len(self.known) == self.total:
                break
            barren = 0 if self._grew or len(self.known) > before else barren + 1
            if barren == (BARREN_SHUFFLED if self._shuffled else BARREN):
                break
            if barren or self._grew:
                pause(waits)
                waits += 1
        return len(self.known) == self.total

    def _read_round(self, first: int, number: int) -> bool:
        """Read each page, in the first round those that were not read yet, until all rows are known.

        Returns whether another round may find more: not if one page after the other had nothing new at the first look.
        """
        page, same = first, 0
        while page < first + self._count() and len(self.known) != self.total:  # a list that grows gets more pages
            if number > 0 or (page, self._orders[0]) not in self._seen:
                known = len(self.known)
                self._page(page, number)
                same = 0 if len(self.known) > known else same + 1
            if number == 0 and same == MAX_REPEATED_PAGES:
                return False
            page += 1
        return True

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
            raise _Shrank
        if total > self.total:  # other jobs of a task add tickets all the time: what comes last is read too
            self.total, self._grew = total, True
        shown = [*map(_key, rows)]
        self._shuffled = self._shuffled or self._seen.get((page, order), shown) != shown
        self._seen[page, order] = shown
        self._keep(rows)
        return rows

    def _keep(self, rows: JsonObjects) -> None:
        self.known.update((_key(row), row) for row in rows)
        if len(self.known) > self.total:
            raise _Shrank


def _key(row: JsonObject) -> t.Any:
    """Return what tells a row from others: its ID, or all that it has."""
    return row.get("Id") or json.dumps(row, sort_keys=True)
