# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How requests are sent to the infrastructure REST interface; PascalCase data in and out, unchanged.

There are two lines of the interface (infrastructure facts, revisions): that of 2020, and that of 2023, which has
``/floating_ips`` (2022). The older one requires members that were removed then, and does not know members that were
added.

Lists are read whole, whatever their pages are (facts a.5, d.5 to d.8). The service may shorten a large page silently,
count its pages from 0 or from 1, and order rows with equal sort keys differently for each page, so that one is on two
pages and another on none. The total that it returns counts all rows, and a page beyond the end is empty.
"""

from __future__ import annotations

import re
import typing as t

from .._core.clock import Memory
from .._core.errors import DOUBT, FcdError, Forbidden, NotFound, Unclear, Unusable
from .._http.messages import READ, WRITE, Credentials, Request, Response

if t.TYPE_CHECKING:
    from .._http.client import Exchange

Item = t.Dict[str, t.Any]
Items = t.List[Item]
Values = t.Mapping[str, t.Any]

AUTO, OLDER = "auto", "2020"
LATER_PATH = "/floating_ips"


class RestClient:
    """Sends requests to the service at ``base_url``; ``api_version`` is the setting of that name.

    Reads raise the ServiceError of their status. If there is no clear answer, requests that change something raise
    Unclear or ServiceError, and may have been carried out.
    """

    def __init__(self, exchange: Exchange, base_url: str, credentials: Credentials, api_version: str = AUTO) -> None:
        self._exchange = exchange
        self._base = base_url.rstrip("/")
        self._credentials = credentials
        self._api_version = api_version
        self._line = Memory()
        self._paging = Paging()

    def is_older_line(self) -> bool:
        """Return whether the service runs the line of 2020; with ``auto``, the first call of a task sends a request."""
        if self._api_version != AUTO:
            return self._api_version == OLDER
        return self._line.answer(LATER_PATH, self._lacks_later_path)

    def start(self, operation: str, method: str, path: str, params: Values | None = None, json: object = None) -> Item:
        """Change something that takes time, and return the ticket."""
        return self.change_at_once(operation, method, path, params, json, what="ticket")

    def change_at_once(
        self,
        operation: str,
        method: str,
        path: str,
        params: Values | None = None,
        json: object = None,
        what: str = "object with an Id",
    ) -> Item:
        """Change something that is done at once, and return the object in the answer."""
        response = self._send(operation, method, path, WRITE, params, json)
        found = response.json()
        if not isinstance(found, dict) or not isinstance(found.get("Id"), int):
            problem = f"{operation}: the answer is not the expected {what}."
            raise Unclear(problem, next_step=DOUBT, **_details(operation, response))
        return found

    def change_silently(self, operation: str, method: str, path: str, json: object = None) -> None:
        """Change something that is done at once and answered with an empty body (wire-facts section 2)."""
        self._send(operation, method, path, WRITE, None, json, empty_ok=True)

    def read_json(self, operation: str, path: str) -> t.Any:
        """Return any JSON; None if the body is empty."""
        return self._send(operation, "GET", path, READ, empty_ok=True).json()

    def read_one(self, operation: str, path: str) -> Item:
        """Return one object."""
        response = self._send(operation, "GET", path, READ)
        found = response.json()
        if not isinstance(found, dict) or "Id" not in found:
            raise _unusable(operation, response, "is not an object with an Id")
        return found

    def read_list(self, operation: str, path: str) -> Items:
        """Read a list without pages."""
        return self._page(operation, path, {})[0]

    def read_pages(self, operation: str, path: str, **filters: object) -> Items:
        """Read a whole list, whatever its pages are."""
        query: Query = {}
        for name, value in filters.items():
            head, *rest = name.split("_")
            query[head + "".join(map(str.capitalize, rest))] = value
        return self._paging.read(
            operation, path, lambda page, fresh: self._page(operation, path, {**query, **page}, fresh)
        )

    def _page(self, operation: str, path: str, query: Values, fresh: bool = False) -> tuple[Items, int]:
        response = self._send(operation, "GET", path, READ, query, fresh=fresh)
        found = response.json()
        items = found.get("Items") if isinstance(found, dict) else None
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise _unusable(operation, response, "is not a list of objects in Items")
        meta = found.get("Meta")
        total = meta.get("Total") if isinstance(meta, dict) else None
        return items, total if isinstance(total, int) else len(items)

    def _lacks_later_path(self) -> bool:
        """Return whether there is no such path; any other refusal is about rights or the verb."""
        try:
            self._send("Find out the version of the interface", "GET", LATER_PATH, READ, {"pageSize": 1})
        except (Forbidden, NotFound) as refusal:
            return refusal.status == 404
        return False

    def _send(
        self,
        operation: str,
        method: str,
        path: str,
        kind: str,
        params: Values | None = None,
        json: object = None,
        *,
        empty_ok: bool = False,
        fresh: bool = False,
    ) -> Response:
        fixed = kind == READ and not any(letter.isdigit() for letter in path)  # no ID of an object in it
        request = Request(operation, method, self._base + path, kind, params, json=json, json_answer=True, fixed=fixed)
        return self._exchange.send(request._replace(empty_ok=empty_ok, fresh=fresh), self._credentials)


def _unusable(operation: str, response: Response, problem: str) -> FcdError:
    return Unusable(
        f"{operation}: the answer (HTTP {response.status}) {problem}.",
        next_step="Check that base_url is the address of the infrastructure interface.",
        **_details(operation, response),
    )


def _details(operation: str, response: Response) -> dict[str, object]:
    return {"operation": operation, "status": response.status, "request_id": response.request_id}


# ---------------------------------------------------------------- lists in pages

SIZE = 32767  # rows per request, as other clients do; the default of the service is far too small (facts c, d.5)
BEGINNINGS = 5  # how often a list is read while it grows or shrinks
ROUNDS = 12  # how often its pages are read to find rows that moved between them
BARREN = 4  # rounds without anything new after which it gives up

Orders = t.Sequence[t.Optional[str]]
Query = t.Dict[str, object]
Ask = t.Callable[[Query, bool], t.Tuple[Items, int]]
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

    def read(self, operation: str, path: str, ask: Ask) -> Items:
        """Return all rows of a list. Raises Unusable if it keeps changing, or if rows are missing on every page."""
        orders = ORDERS[re.sub(r"\d+", "{id}", path)]
        for beginning in range(BEGINNINGS):
            try:
                return self._read_once(operation, orders, ask, beginning > 0)
            except _Changed:
                continue
        raise Unusable(
            f"{operation}: the list grew or shrank each of the {BEGINNINGS} times that it was read.",
            next_step="Run the task again when fewer objects are being created and removed.",
            operation=operation,
        )

    def _read_once(self, operation: str, orders: Orders, ask: Ask, fresh: bool) -> Items:
        rows, total = ask(_query(orders[0], SIZE), fresh)
        if len(rows) >= total:
            return rows
        reading = _Reading(orders, ask, rows, total, fresh)
        first = self.first
        if first is None and rows:
            first = reading.first_number()
        if first is not None and reading.complete(first):
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

    def __init__(self, orders: Orders, ask: Ask, rows: Items, total: int, fresh: bool) -> None:
        self._orders = orders
        self._ask = ask
        self._size = len(rows)
        self._total = total
        self._fresh = fresh
        self._grew = False
        self._pages_read: set[int] = set()
        self.known: dict[t.Any, Item] = {}
        self._keep(rows)

    def first_number(self) -> int:
        """Find out the number of the first page.

        The page whose number is the count of pages is the last one if counting starts at 1, and empty if it starts at
        0. Its rows do not matter, because they may be in another order than those before.
        """
        count = -(-self._total // self._size)
        self._pages_read.add(count)
        return 1 if self._page(count, 0) else 0

    def complete(self, first: int) -> bool:
        """Read the pages until all rows are known; return whether they are.

        Further rounds, if possible in another order, find rows that were on none of the earlier pages.
        """
        self._pages_read.add(first)
        barren = 0
        for number in range(ROUNDS):
            before, page = len(self.known), first
            while page < first - (-self._total // self._size):  # a list that grows gets more pages
                if len(self.known) == self._total:
                    return True
                if number > 0 or page not in self._pages_read:
                    self._page(page, number)
                page += 1
            if self._grew and len(self.known) != self._total:
                raise _Changed
            barren = barren + 1 if len(self.known) == before else 0
            if barren == BARREN:
                break
        return len(self.known) == self._total

    def _page(self, page: int, number: int) -> Items:
        order = self._orders[number % len(self._orders)]
        rows, total = self._ask(_query(order, self._size, page), self._fresh or number > 0)
        if total < self._total:
            raise _Changed
        if total > self._total:  # other jobs of a task add tickets all the time: what comes last is read too
            self._total, self._grew = total, True
        self._keep(rows)
        return rows

    def _keep(self, rows: Items) -> None:
        self.known.update((row.get("Id"), row) for row in rows)
        if len(self.known) > self._total:
            raise _Changed


def _query(order: str | None, size: int, page: int | None = None) -> Query:
    return {"pageSize": size, "pageNumber": page, "orderBy": order}
