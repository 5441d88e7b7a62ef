# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the entries of a site read at the same time: many searches become one list, for planning and for applying.

In planning, each read is sent once, and after a few searches by name the whole list answers all others. Everybody who
uses these searches compares each row exactly (see RestSearch).
"""

from __future__ import annotations

import threading
import time
import typing as t

from ...module_utils._core.clock import GATHER, Memory, SharedReading
from ...module_utils._engine.change import SUCCEEDED, status_of_ticket
from ...module_utils._infrastructure.api import Infrastructure
from ...module_utils._infrastructure.rest_client import Item, Items

if t.TYPE_CHECKING:
    from ...module_utils._core.clock import Clock

FEW = 3  # searches of one kind that are sent as they are
RECENT = 0.5  # seconds for which a list of tickets is good enough to be polled
EARLIER = 600.0  # seconds before the run from which on tickets are listed: clocks may differ


class SearchCounts:
    """Counts different searches of each kind; of the kinds ``many`` it is known that there will be many."""

    def __init__(self, many: t.Collection[str]) -> None:
        self._many = many
        self._asked: dict[str, set[str]] = {}
        self._lock = threading.Lock()

    def known(self, kind: str) -> bool:
        """Return whether it was known from the beginning that there will be many."""
        return kind in self._many

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
        """Read a whole list; for a name, what the list has of exactly that name, or else what the service finds.

        Of the lists that are known to be searched often, the whole list decides, as it does for a single task: whether
        it is whole, its total tells.
        """
        if set(filters) == {"query"} and self._counts.many(path, str(filters["query"])):
            exactly = [item for item in super().pages(operation, path) if item.get("Name") == filters["query"]]
            if exactly or self._counts.known(path):
                return exactly
        return super().pages(operation, path, **filters)


class SideBySideInfrastructure(Infrastructure):
    """The infrastructure interface for entries that are applied side by side.

    Whoever asks for a list gets one that was asked for after that moment, as if each had read alone; those who ask
    meanwhile, or a moment later, share it. What is searched by name, of the lists ``many``, is looked for in the whole
    list, which decides in any case what counts as missing. A list tells that a ticket has not ended; one that it does
    not show, or that leads to nothing, is read by itself. Subregions and dictionaries are those of the whole run.
    """

    _clock: Clock
    _many: t.Collection[str]
    _begun: str
    _fixed: Memory
    _lists: dict[tuple[str, ...], SharedReading[Items]]
    _missed: threading.local

    @classmethod
    def of(cls, api: Infrastructure, clock: Clock, many: t.Collection[str]) -> SideBySideInfrastructure:
        """Return one with the same connection."""
        shared = cls.__new__(cls)
        begun = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock.now() - EARLIER))
        own = {"_clock": clock, "_many": many, "_begun": begun, "_fixed": Memory(), "_lists": {}}
        vars(shared).update(vars(api), **own, _missed=threading.local())
        return shared

    def get_ticket(self, number: int) -> Item:
        """Return one ticket. Raises NotFound."""
        now = self._clock.monotonic()
        listed = self._listed_ticket(number, now - RECENT) or self._listed_ticket(number, now)
        if listed is None or (status_of_ticket(listed) == SUCCEEDED and listed.get("ObjectId") is None):
            return super().get_ticket(number)
        return listed

    def _listed_ticket(self, number: int, moment: float) -> Item | None:
        listed = self._list("List tickets", "/tickets", creation_date_from=self._begun).since(moment)
        return next((one for one in listed if one["Id"] == number), None)

    def whole(self, operation: str, path: str) -> Items:
        """Read a list without pages."""
        if path == "/subregions" or path.startswith("/dictionaries"):
            return self._fixed.answer(path, lambda: super(SideBySideInfrastructure, self).whole(operation, path))
        return super().whole(operation, path)

    def pages(self, operation: str, path: str, **filters: t.Any) -> Items:
        """Read a whole list; what it has of exactly one name; or tickets, those of some minutes before included."""
        missed = vars(self._missed).pop(path, None)
        vars(self._missed).clear()  # it counts for the next list only
        if set(filters) == {"query"} and path in self._many:
            return self._named(operation, path, filters["query"])
        if set(filters) == {"creation_date_from"}:
            filters["creation_date_from"] = f"{filters['creation_date_from'][:15]}0:00Z"  # whole tens of minutes
        elif filters:
            return super().pages(operation, path, **filters)
        return self._list(operation, path, **filters).since(missed)

    def _named(self, operation: str, path: str, name: str) -> Items:
        """Return what has this name; where nothing has, the caller's next look at the whole list is this same one."""
        asked = self._clock.monotonic()
        found = [item for item in self._list(operation, path).since(asked) if item.get("Name") == name]
        vars(self._missed)[path] = None if found else asked
        return found

    def _list(self, operation: str, path: str, **filters: str) -> SharedReading[Items]:
        read = super().pages
        gather = GATHER if self._many else 0.0
        reading = SharedReading(lambda: read(operation, path, **filters), self._clock, gather)
        return self._lists.setdefault((path, *filters.values()), reading)
