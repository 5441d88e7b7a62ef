# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure client for many searches by name: after a few the whole list answers all others.

A search that the list cannot answer is still sent, so that nothing counts as missing only because it is not in the
list. Everybody who uses these searches compares each row exactly (see PartSearch).
"""

from __future__ import annotations

import typing as t

from .._core.search_counts import SearchCounts
from .infrastructure import Infrastructure, Items


class BulkInfrastructure(Infrastructure):
    """The infrastructure interface; lists that are searched by name are read as a whole after a few searches."""

    _counts: SearchCounts

    @classmethod
    def over(cls, api: Infrastructure, many: t.Collection[str] = ()) -> BulkInfrastructure:
        """Return one with the same connection, which has to remember what it has read.

        ``many`` are paths of which there will be many different searches.
        """
        bulk = cls.__new__(cls)
        vars(bulk).update(vars(api), _counts=SearchCounts(many))
        return bulk

    def pages(self, operation: str, path: str, **filters: t.Any) -> Items:
        """Read a whole list; for a name, what the list has of exactly that name, or else what the service finds."""
        if set(filters) == {"query"} and self._counts.many(path, str(filters["query"])):
            exactly = [item for item in super().pages(operation, path) if item.get("Name") == filters["query"]]
            if exactly:
                return exactly
        return super().pages(operation, path, **filters)
