# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that the service hands out in pages, read whole (infrastructure facts a.5, d.5 to d.8).

The service may shorten a large page silently, count its pages from 0 or from 1, and order rows with equal sort keys
differently for each page, so that one is on two pages and another on none. The total that it returns counts
all rows, and a page beyond the end is empty.
"""

from __future__ import annotations

import re
import typing as t

from .._core.errors import Unusable

SIZE = 32767  # rows per request, as other clients do; the default of the service is far too small (facts c, d.5)
BEGINNINGS = 5  # how often a list is read while it grows or shrinks
ROUNDS = 12  # how often its pages are read to find rows that moved between them
BARREN = 4  # rounds without anything new after which it gives up

Rows = t.List[t.Dict[str, t.Any]]
Orders = t.Sequence[t.Optional[str]]
Query = t.Dict[str, t.Any]
Ask = t.Callable[[Query, bool], t.Tuple[Rows, int]]
"""Sends a query and returns rows and total; True requires an answer that was not used before."""

_DISKS = ("Name", "SpaceCapacity")
_ADDRESSES = ("Address",)
_INTERFACES = ("MacAddress", "Address")
ORDERS: dict[str, Orders] = {
    "/account/sshkeys": ("Id",),
    "/disks": _DISKS,
    "/events": (None,),  # takes orderBy, of unknown values
    "/exports": ("CreationDate", "Name"),
    "/floating_ips": _ADDRESSES,
    "/groups": ("Name",),
    "/groups/load_balancers": ("GroupName",),
    "/imports": ("CreationDate", "Name"),
    "/instances": ("Name", "CreationDate"),
    "/instances/interfaces": _INTERFACES,
    "/instances/ip_addresses": _ADDRESSES,
    "/instances/schedulers": ("CreationDate", "Name"),
    "/instances/types": ("Name",),
    "/instances/{id}/disks": _DISKS,
    "/instances/{id}/events": ("Date",),
    "/instances/{id}/exports": (None,),  # takes orderBy, of unknown values
    "/instances/{id}/interfaces": _INTERFACES,
    "/instances/{id}/ip_addresses": _ADDRESSES,
    "/instances/{id}/opns": ("Name",),
    "/opns": ("Name",),
    "/snapshots": ("CreationDate", "Name"),
    "/templates": ("Name", "creationDate"),
    "/tickets": ("CreationDate", "OperationType"),
    "/watch/healthchecks": ("Name",),
    "/watch/healthchecks/notifications": ("Id",),
}
"""All lists with pages, and what they can be ordered by: first by keys that few rows share, then another.

Lists that no module uses yet are included: the table says what is known of the service.
"""


class Paging:
    """How the service counts pages; ``first`` is the number of the first page, None until a list has shown it."""

    def __init__(self) -> None:
        self.first: int | None = None

    def whole(self, operation: str, path: str, ask: Ask) -> Rows:
        """Return all rows of a list. Raises Unusable if it keeps changing, or if rows are missing on every page."""
        orders = ORDERS[re.sub(r"\d+", "{id}", path)]
        for beginning in range(BEGINNINGS):
            try:
                return self._read(operation, orders, ask, beginning > 0)
            except _Changed:
                continue
        raise Unusable(
            f"{operation}: the list grew or shrank each of the {BEGINNINGS} times that it was read.",
            next_step="Run the task again when fewer objects are being created and removed.",
            operation=operation,
        )

    def _read(self, operation: str, orders: Orders, ask: Ask, fresh: bool) -> Rows:
        rows, total = ask(_query(orders[0], SIZE), fresh)
        if len(rows) >= total:
            return rows
        reading = _Reading(orders, ask, rows, total, fresh)
        first = self.first
        if first is None and rows:
            first = reading.first_number()
        if first is not None and reading.completed(first):
            self.first = first
            return list(reading.known.values())
        raise Unusable(
            f"{operation}: the service counts {total} items, but all pages together list {len(reading.known)}.",
            next_step="Run the task again; if it stays like this, check whether the user may read all of them.",
            operation=operation,
        )


class _Changed(Exception):
    """There are fewer rows than before, or more, and one was missed."""


class _Reading:
    """One reading of a list whose first page, ``rows``, has fewer than ``total``; ``known`` are rows by their IDs."""

    def __init__(self, orders: Orders, ask: Ask, rows: Rows, total: int, fresh: bool) -> None:
        self._orders = orders
        self._ask = ask
        self._size = len(rows)
        self._total = total
        self._fresh = fresh
        self._grew = False
        self._begun: set[int] = set()
        self.known: dict[t.Any, dict[str, t.Any]] = {}
        self._keep(rows)

    def first_number(self) -> int:
        """Find out the number of the first page.

        The page whose number is the count of pages is the last one if counting starts at 1, and empty if it starts at
        0. Its rows do not matter, because they may be in another order than those before.
        """
        count = -(-self._total // self._size)
        self._begun.add(count)
        return 1 if self._page(count, 0) else 0

    def completed(self, first: int) -> bool:
        """Read the pages until all rows are known; return whether they are.

        Further rounds, if possible in another order, find rows that were on none of the earlier pages.
        """
        self._begun.add(first)
        barren = 0
        for number in range(ROUNDS):
            before, page = len(self.known), first
            while page < first - (-self._total // self._size):  # a list that grows gets more pages
                if len(self.known) == self._total:
                    return True
                if number > 0 or page not in self._begun:
                    self._page(page, number)
                page += 1
            if self._grew and len(self.known) != self._total:
                raise _Changed
            barren = barren + 1 if len(self.known) == before else 0
            if barren == BARREN:
                break
        return len(self.known) == self._total

    def _page(self, page: int, number: int) -> Rows:
        order = self._orders[number % len(self._orders)]
        rows, total = self._ask(_query(order, self._size, page), self._fresh or number > 0)
        if total < self._total:
            raise _Changed
        if total > self._total:  # other jobs of a task add tickets all the time: what comes last is read too
            self._total, self._grew = total, True
        self._keep(rows)
        return rows

    def _keep(self, rows: Rows) -> None:
        self.known.update((row.get("Id"), row) for row in rows)
        if len(self.known) > self._total:
            raise _Changed


def _query(order: str | None, size: int, page: int | None = None) -> Query:
    return {"pageSize": size, "pageNumber": page, "orderBy": order}
