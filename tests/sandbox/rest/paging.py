# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""List answers: order, page, envelope (docs/service/infrastructure.md, "Lists")."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from sandbox.rest.call import Call
from sandbox.rest.refusal import Refusal
from sandbox.rest.staleness import stale_view

T = TypeVar("T")
Order = Mapping[str, Callable[[Any], Any]]
"""What to sort by, for each word of ``orderBy``."""


def envelope(items: list[Any], total: int | None = None) -> dict[str, Any]:
    """The list envelope; without a total all matches are there."""
    return {"Items": items, "Meta": {"Total": len(items) if total is None else total}}


def cut(call: Call, matches: Iterable[T], order: Order | None = None) -> tuple[list[T], int]:
    """Sort the matches and take the page that was asked for; the second value counts all matches."""
    found = list(matches)
    if call.settings["shuffled"]:
        random.shuffle(found)
    desired = call.query.get("orderBy")
    if desired is not None and order is not None:
        found.sort(key=order[desired] if desired in order else attrgetter("id"))
    first = call.settings["first_page"]
    page = call.query.get("pageNumber", first)
    if page < first:
        raise Refusal(400, f"The first page has the number {first}.")
    size = _size(call, len(found))
    start = (page - first) * size
    return found[start : start + size], len(found)


def _size(call: Call, total: int) -> int:
    """How many rows a page has; what nobody knows of that is set."""
    size: int = call.query.get("pageSize", call.settings["default_page_size"])
    longest: int = call.settings["longest_page"]
    if size < 0 or (size == 0 and call.settings["page_size_zero"] == "refused"):
        raise Refusal(400, f"pageSize: {size} is no size of a page.")
    if size == 0:
        size = total if call.settings["page_size_zero"] == "everything" else 0
    return min(size, longest) if longest else size


def page(call: Call, matches: Iterable[T], describe: Callable[[T], Any], order: Order | None = None) -> dict[str, Any]:
    """The list answer for one page of the matches; some rows may be what they were a while ago."""
    found, total = cut(call, matches, order)
    return envelope([_lingering(call, one) or describe(one) for one in found], total)


def _lingering(call: Call, one: Any) -> dict[str, Any] | None:
    return stale_view(one.lock, call.now) if hasattr(one, "lock") else None


def fits(call: Call, one: Any, *texts: str | None) -> bool:
    """Whether the free-text filter of the call fits the name that lists show of an object, or another text of it."""
    desired = str(call.query.get("query", "")).casefold()
    lingering = _lingering(call, one)
    places = [one.name if lingering is None else lingering["Name"]]
    if call.settings["query_looks_in"] == "all":
        places += [str(one.id), *(text or "" for text in texts)]
    return any(desired in place.casefold() for place in places)
