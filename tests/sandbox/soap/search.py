# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paged searches: members of every search input, and the paged result (docs/service/contract.md, "Searches")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandbox.soap.faults import not_found
from sandbox.soap.state import Inputs, Row, State


def parameters(given: Inputs) -> Inputs:
    """The search input of an operation; an empty dictionary when it is null."""
    return given["searchParams"] or {}


def has_text(params: Inputs, *texts: str | None) -> bool:
    """Whether the searched text, in any case, is a part of one of the texts (or nothing is searched)."""
    desired = (params.get("SearchText") or "").casefold()
    return not desired or any(desired in (text or "").casefold() for text in texts)


def agrees(params: Inputs, row: Row, *names: str) -> bool:
    """Whether the row has the values of the parameters; 0 and null match everything."""
    return all(params.get(name) in {None, 0, "", row[name]} for name in names)


def page(state: State, params: Inputs, rows: Iterable[Row]) -> dict[str, Any]:
    """One page of rows (given by ascending number) as the paged result type.

    The direction Descending is number 0 of its enumeration, so it holds when none is given.
    """
    hits = list(rows)
    if params.get("SortingDirection", "Descending") == "Descending":
        hits.reverse()
    size = params.get("PageSize") or state.settings["default_page_size"]
    size = max(1, min(size, state.settings["maximum_page_size"]))
    start = max(0, params.get("PageNumber", 0) - state.settings["first_page"]) * size
    return {"_results": hits[start : start + size], "_totalCount": len(hits)}


def read(state: State, what: str, rows: dict[int, Row], number: int) -> Row | None:
    """The row of a number; None, or a fault by the setting ``missing_reads``, when there is none."""
    row = rows.get(number)
    if row is None and state.settings["missing_reads"] == "fault":
        raise not_found(what, number)
    return row


def write(what: str, rows: dict[int, Row], number: int) -> Row:
    """The row of a number that is to be changed.

    Raises:
        Fault: there is none.
    """
    row = rows.get(number)
    if row is None:
        raise not_found(what, number)
    return row
