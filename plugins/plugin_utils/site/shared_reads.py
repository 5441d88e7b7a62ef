# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients for planning: each read is sent once, many searches become one list, and nothing can be changed.

After a few searches by name the whole list answers all others. A search that the list cannot answer is still sent, so
that nothing counts as missing only because it is not in the list. Everybody who uses these searches compares each row
exactly (see RestSearch).
"""

from __future__ import annotations

import threading
import typing as t

from ...module_utils._infrastructure.api import Infrastructure
from ...module_utils._infrastructure.rest_client import Items

if t.TYPE_CHECKING:
    pass

FEW = 3  # searches of one kind that are sent as they are


class SearchCounts:
    """Counts different searches of each kind; of the kinds ``many`` it is known that there will be many."""

    def __init__(self, many: t.Collection[str]) -> None:
        self._many = many
        self._asked: dict[str, set[str]] = {}
        self._lock = threading.Lock()

    def many(self, kind: str, question: str) -> bool:
        """Return whether there were more than a few different searches of this kind, this one included."""
        if kind in self._many:
            return True
        with self._lock:
            asked = self._asked.setdefault(kind, set())
            asked.add(question)
            return len(asked) > FEW


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
