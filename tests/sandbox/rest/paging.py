# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""List answers: order, page, envelope (wire-facts 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from sandbox.rest.call import Call
from sandbox.rest.refusal import Refusal

T = TypeVar("T")
Order = Mapping[str, Callable[[Any], Any]]
"""What to sort by, for each word of ``orderBy``."""


def envelope(items: list[Any], total: int | None = None) -> dict[str, Any]:
    """The list envelope; without a total all matches are there."""
    return {"Items": items, "Meta": {"Total": len(items) if total is None else total}}


def cut(call: Call, matches: Iterable[T], order: Order | None = None) -> tuple[list[T], int]:
    """Sort the matches and take the page that was asked for; the second value counts all matches."""
    found = list(matches)
    wanted = call.query.get("orderBy")
    if wanted is not None and order is not None:
        found.sort(key=order[wanted])
    size = call.query.get("pageSize", call.settings["default_page_size"])
    first = call.settings["first_page"]
    page = call.query.get("pageNumber", first)
    if page < first:
        raise Refusal(400, f"The first page has the number {first}.")
    if size == 0:
        return (found if page == first else []), len(found)
    start = (page - first) * size
    return found[start : start + size], len(found)


def page(call: Call, matches: Iterable[T], describe: Callable[[T], Any], order: Order | None = None) -> dict[str, Any]:
    """The list answer for one page of the matches."""
    found, total = cut(call, matches, order)
    return envelope([describe(one) for one in found], total)


def named(call: Call, name: str) -> bool:
    """Whether the free-text filter of the call fits a name."""
    return str(call.query.get("query", "")).casefold() in name.casefold()
