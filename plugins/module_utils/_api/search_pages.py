# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""All rows of a paged search: ``SearchResultsCollection`` of something, wire-facts 9.2.

What is known: a member holds the list (null when nothing matches), and inputs of the same family have a page size.
Whether there is a page number, where it starts and whether a total is told are not known, so none of it is relied on:
the members are looked for in the contract, the first page is asked for without a number, and pages are read until one
brings nothing new.
"""

from __future__ import annotations

import json
import typing as t

from .._core.errors import Unusable
from .._core.names import fold
from .._transport.soap.contract import Contract, Field, local

PAGE_SIZE = 100  # rows; public clients asked for 100 and 1000
LEAST_CAP = 10  # rows; a page with fewer is the last one: no service would cap its pages below that
MOST_ROWS = 100_000

Row = t.Dict[str, t.Any]
Call = t.Callable[[str, t.Mapping[str, t.Any]], t.Any]

_SIZES = ("pagesize", "resultsperpage", "itemsperpage")
_NUMBERS = ("pagenumber", "page", "pageindex", "pageno")
_TOTALS = ("totalcount", "total", "totalresults", "resultscount", "count")


def all_rows(
    contract: Contract, call: Call, operation: str, criteria: t.Mapping[str, t.Any], limit: int | None = None
) -> list[Row]:
    """Return every row that fits ``criteria`` (members of the search input, in any spelling), at most ``limit``.

    Raises what a call raises, and Unusable for more than 100 000 rows.
    """
    parameter, size, number = _inputs(contract, operation)
    asked = {fold(str(key)) for key in criteria}
    own = {size.name: PAGE_SIZE} if size and fold(size.name) not in asked else {}
    first, total = _page(call(operation, {parameter: {**criteria, **own}}))
    if number is None or not own or fold(number.name) in asked:
        return first[:limit]
    rows = _Rows(first, operation)
    following = 0
    while rows.maybe_more(total) and (limit is None or len(rows.found) < limit):
        following += 1
        page, total = _page(call(operation, {parameter: {**criteria, **own, number.name: following}}))
        if not rows.add(page) and following > 1:  # page 1 may be the first one again, where they count from 1
            break
    return rows.found[:limit]


class _Rows:
    """Rows that were found so far; a row that an earlier page had does not count again."""

    def __init__(self, first: list[Row], operation: str) -> None:
        self.found = list(first)
        self._operation = operation
        self._seen = {_fingerprint(row) for row in first}
        self._last = len(first)

    def add(self, page: list[Row]) -> bool:
        """Add a page and return whether it had anything new. Raises Unusable when there are too many rows."""
        new = [row for row in page if _fingerprint(row) not in self._seen]
        self.found += new
        self._seen.update(map(_fingerprint, new))
        self._last = len(page)
        if len(self.found) > MOST_ROWS:
            raise Unusable(
                f"{self._operation}: the search has more than {MOST_ROWS} rows.",
                next_step="Search for something narrower.",
                operation=self._operation,
            )
        return bool(new)

    def maybe_more(self, total: int | None) -> bool:
        """Whether another page may have rows, by what the service says and by how full the last page was."""
        if self._last >= PAGE_SIZE or (total is not None and total > len(self.found)):
            return True
        return total is None and self._last >= LEAST_CAP


def _inputs(contract: Contract, operation: str) -> tuple[str, Field | None, Field | None]:
    """Return the name of the search input, and its members for the size and the number of a page."""
    parameter = contract.fields(contract.operation(operation).input[1])[0]
    members = {fold(field.name): field for field in contract.fields(parameter.type)}
    return parameter.name, _first(members, _SIZES), _first(members, _NUMBERS)


def search_input(contract: Contract, operation: str) -> Field | None:
    """Return the input of a paged search; None for an operation that is none, as far as its inputs tell."""
    inputs = contract.fields(contract.operation(operation).input[1])
    if len(inputs) != 1 or inputs[0].repeated or contract.simple(inputs[0].type) is not None:
        return None
    members = {fold(field.name): field for field in contract.fields(inputs[0].type)}
    named = fold(local(inputs[0].type)).endswith("searchparams")
    return inputs[0] if named or _first(members, _SIZES) is not None else None


def search_type(contract: Contract, operation: str) -> str:
    """Return the name of the type that a paged search takes."""
    return local(contract.fields(contract.operation(operation).input[1])[0].type)


def _first(members: t.Mapping[str, Field], names: t.Iterable[str]) -> Field | None:
    return next((members[name] for name in names if name in members), None)


def _page(result: t.Any) -> tuple[list[Row], int | None]:
    """Return the rows of an answer and the total that it tells, if any."""
    if not isinstance(result, dict):
        return list(result or []), None
    lists = [value for value in result.values() if isinstance(value, list)]
    rows = result.get("results") or (lists[0] if lists else [])
    totals = [
        value
        for name, value in result.items()
        if fold(name) in _TOTALS and isinstance(value, int) and not isinstance(value, bool)
    ]
    return list(rows), totals[0] if totals else None


def _fingerprint(row: Row) -> str:
    return json.dumps(row, sort_keys=True)
