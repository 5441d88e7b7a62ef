# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listings: page after page, as much as is wanted. Source: wire-facts 10.3."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput, Rejected
from .._session.operation import Params
from .names import in_bytes

Entry = t.Dict[str, t.Any]
USUAL_PAGE = 10000  # entries in a page, unless the service is set otherwise
TOO_MANY = 412  # status for a limit above the service's own


def check_limit(limit: int | None) -> int | None:
    """Return the option ``limit``. Raises InvalidInput."""
    if limit is not None and limit < 1:
        raise InvalidInput(f"limit: {limit} entries; it must be at least 1.", option="limit")
    return limit


def check_apart(params: Params, option: str, others: t.Iterable[str], next_step: str) -> None:
    """Raise InvalidInput when ``option`` and one of the others are given."""
    both = [other for other in others if params[option] and params[other]]
    if both:
        raise InvalidInput(
            f"{option}: it cannot be given together with {', '.join(both)}.", next_step=next_step, option=option
        )


def query_of(params: Params) -> dict[str, str]:
    """Return the parts of the query that are names, as far as they are given. Raises InvalidInput."""
    query = {option: params[option] for option in ("prefix", "delimiter", "marker") if params[option]}
    for option, text in query.items():
        in_bytes(text, option)
    return query


def entries(ask: t.Callable[..., t.List[Entry]], limit: int | None, **query: str | None) -> t.Iterator[Entry]:
    """Go through a listing; a page is asked for when its first entry is wanted.

    ``ask`` returns a page for ``marker``, ``limit`` and the ``query``. An entry has a ``name``, or only a ``subdir``
    where there is a delimiter.
    """
    left, marker, stated = limit, query.pop("marker", None), limit is not None and limit < USUAL_PAGE
    while left is None or left > 0:
        try:
            page = ask(marker=marker, limit=left if stated else None, **query)
        except Rejected as exc:
            if exc.status != TOO_MANY or not stated:
                raise
            stated = False
            continue
        if not page:
            return
        yield from page[:left]
        left = None if left is None else left - len(page)
        marker = str(page[-1].get("name", page[-1].get("subdir")))
