# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the entries of a site read at the same time: many searches become one list, for planning and for applying.

In planning, each read is sent once, and after a few searches by name the whole list answers all others. Everybody who
uses these searches compares each row exactly (see RestSearch).
"""

from __future__ import annotations

import collections
import contextlib
import threading
import time
import typing as t

from ...module_utils._connection.task import Client, Make, SharedClients, Task, exchange
from ...module_utils._core.clock import GATHER, Memory, SharedReading
from ...module_utils._core.errors import NotFound
from ...module_utils._engine.change import SUCCEEDED, status_of_ticket
from ...module_utils._infrastructure.rest_client import PAGES, Item, Items, RestRead, RestReader
from ...module_utils._object_storage.api import (
    CONTENT,
    HEADERS,
    LISTING,
    Headers,
    ListingPage,
    StorageRead,
    StorageReader,
)

if t.TYPE_CHECKING:
    from ...module_utils._core.clock import Clock

FEW = 3  # searches of one kind that are sent one by one
RECENT = 0.5  # seconds for which a list of tickets is good enough to be polled
EARLIER = 600.0  # seconds before the run from which on tickets are listed: clocks may differ


class SearchCounts:
    """Counts different searches of each kind; for the kinds ``many`` there will be many, whatever the count."""

    def __init__(self, many: t.Collection[str] = ()) -> None:
        self.many = many
        self._asked: dict[str, set[str]] = {}
        self._lock = threading.Lock()

    def are_many(self, kind: str, question: str) -> bool:
        """Return whether there were more than a few different searches of this kind, this one included."""
        if kind in self.many:
            return True
        with self._lock:
            asked = self._asked.setdefault(kind, set())
            asked.add(question)
            return len(asked) > FEW


class AnyRead(t.Protocol):
    """A read of any service; reads with the same ``question`` have the same answer."""

    @property
    def question(self) -> t.Hashable:
        """None of what is not to be remembered."""


SomeRead = t.TypeVar("SomeRead", bound=AnyRead)


def remembering(read: t.Callable[[SomeRead], t.Any]) -> t.Callable[[SomeRead], t.Any]:
    """Return a reader that asks everything once: all answers are from about the same time, that of the planning."""
    memory = Memory()

    def remembered(request: SomeRead) -> t.Any:
        if request.question is None:
            return read(request)
        return memory.answer(request.question, lambda: read(request))

    return remembered


def searching_whole_lists(read: RestReader, many: t.Collection[str]) -> RestReader:
    """Return a reader that finds a name, after a few searches, in the whole list, or else as the service does.

    Of the lists ``many``, of which it is known that they are searched often, the whole list decides, as it does for a
    single task: whether it is whole, its total tells.
    """
    counts = SearchCounts(many)

    def search(request: RestRead) -> t.Any:
        path, filters = request.path, request.filters
        if set(filters) == {"query"} and counts.are_many(path, str(filters["query"])):
            listed = read(request._replace(filters={}))
            exactly = [item for item in listed if item.get("Name") == filters["query"]]
            if exactly or path in many:
                return exactly
        return read(request)

    return search


class SideBySideReads:
    """Reads of the infrastructure for entries that are applied side by side.

    Whoever asks for a list gets one that was asked for after that moment, as if each had read alone; those who ask
    meanwhile, or a moment later, share it. What is searched by name, of the lists ``many``, is looked for in the whole
    list, which decides in any case what counts as missing. A list tells that a ticket has not ended; one that it does
    not show, or that leads to nothing, is read by itself. Subregions and dictionaries are those of the whole run.
    """

    def __init__(self, read: RestReader, clock: Clock, many: t.Collection[str]) -> None:
        self._read = read
        self._clock = clock
        self._many = many
        self._begun = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock.now() - EARLIER))
        self._fixed = Memory()
        self._lists: dict[tuple[t.Hashable, ...], SharedReading[Items]] = {}
        self._missed = threading.local()

    def read(self, request: RestRead) -> t.Any:
        """Return what is read."""
        if request.shape == PAGES:
            return self._pages(request)
        if request.path.startswith(("/subregions", "/dictionaries")):
            return self._fixed.answer(request.path, lambda: self._read(request))
        listed = self._listed_ticket(request) if request.path.startswith("/tickets/") and not request.alone else None
        return self._read(request) if listed is None else listed

    def _listed_ticket(self, request: RestRead) -> Item | None:
        """Return a ticket as a list shows it that has not ended, or has led to something."""
        number, now = int(request.path.rpartition("/")[2]), self._clock.monotonic()
        tickets = RestRead("List tickets", "/tickets", PAGES, {"creation_date_from": self._begun})
        for moment in (now - RECENT, now):
            listed = next((one for one in self._list(tickets).since(moment) if one["Id"] == number), None)
            if listed is not None:
                ended_alone = status_of_ticket(listed) == SUCCEEDED and listed.get("ObjectId") is None
                return None if ended_alone else listed
        return None

    def _pages(self, request: RestRead) -> Items:
        """Return a whole list; what it has of exactly one name; or tickets, those of some minutes before included."""
        path, filters = request.path, request.filters
        missed = vars(self._missed).pop(path, None)
        vars(self._missed).clear()  # it counts for the next list only
        if set(filters) == {"query"} and path in self._many:
            asked = self._clock.monotonic()
            listed = self._list(request._replace(filters={})).since(asked)
            found = [item for item in listed if item.get("Name") == filters["query"]]
            vars(self._missed)[path] = None if found else asked
            return found
        if set(filters) == {"creation_date_from"}:  # whole tens of minutes
            request = request._replace(filters={"creation_date_from": f"{filters['creation_date_from'][:15]}0:00Z"})
        elif filters:
            return t.cast("Items", self._read(request))
        return self._list(request).since(missed)

    def _list(self, request: RestRead) -> SharedReading[Items]:
        gather = GATHER if self._many else 0.0
        reading = SharedReading[Items](lambda: self._read(request), self._clock, gather)
        return self._lists.setdefault(request.question, reading)


class ListedContainers:
    """Reads of the object storage; objects of a container that was not found are not there either.

    Of the containers in ``prefixes``, which are listed anyway, the listing brings the headers that describe them.
    """

    def __init__(self, read: StorageReader, prefixes: t.Mapping[str, str]) -> None:
        self._read = read
        self._prefixes = prefixes
        self._missing: set[str] = set()

    def read(self, request: StorageRead) -> t.Any:
        """Return what is read. Raises NotFound for a page of a container that was not found."""
        container = request.container
        if container is None:
            return self._read(request)
        if request.shape == HEADERS and request.name is None:
            return self._headers(request, container)
        if container in self._missing and request.shape != CONTENT:
            return self._absent(request)
        if request.shape != LISTING:
            return self._read(request)
        return self._page(request, container)

    def _headers(self, request: StorageRead, container: str) -> Headers | None:
        if container not in self._prefixes:
            found: Headers | None = self._read(request)
            if found is None:
                self._missing.add(container)
            return found
        listing = request._replace(shape=LISTING, query={"prefix": self._prefixes[container]})
        with contextlib.suppress(NotFound):
            return self._page(listing, container).headers
        return None

    def _page(self, request: StorageRead, container: str) -> ListingPage:
        try:
            page: ListingPage = self._read(request)
        except NotFound:
            self._missing.add(container)
            raise
        return page

    def _absent(self, request: StorageRead) -> None:
        if request.shape == LISTING:
            raise NotFound(f"There is no container {request.container!r}.", operation=request.operation, status=404)


SEARCHES = {
    "private_networks": "/opns",
    "disks": "/disks",
    "client_users": "GetUsers",
    "warehouses": "GetWarehouses",
}
"""What things of a kind are searched by, in a list that can be read as a whole, too."""


def searched_often(kinds: t.Iterable[str]) -> set[str]:
    """Return the searches that are worth a whole list, by the kind of each entry."""
    count = collections.Counter(kinds)
    return {search for kind, search in SEARCHES.items() if count[kind] > FEW}


class RememberingClients(SharedClients):
    """Clients for planning: each read is sent once, many searches become one list, and nothing can be changed.

    All reads take the cheaper way.

    ``many`` are paths and operations of which there will be many different searches, ``prefixes`` the containers that
    will be listed, each with what the names begin with.
    """

    def __init__(self, task: Task, many: t.Collection[str] = (), prefixes: t.Mapping[str, str] | None = None) -> None:
        super().__init__(task)
        self._many = many
        self._prefixes = prefixes or {}

    def make(self, service: str, make: Make[Client]) -> Client:
        """Return a new client, whose reads are remembered."""
        client: t.Any
        if service == "infrastructure":
            from ...module_utils._infrastructure.api import infrastructure

            api = infrastructure(self._task, exchange(self._task, direct=True, reads_only=True))
            client = api.reading(searching_whole_lists(remembering(api.read), self._many))
        elif service == "common_fcd":
            from .shared_contract_reads import remembering_common_fcd

            client = remembering_common_fcd(self._task, SearchCounts(self._many))
        elif service == "object_storage":
            from ...module_utils._object_storage.connection import object_storage

            storage = object_storage(self._task, exchange(self._task, direct=True, reads_only=True))
            client = storage.reading(ListedContainers(remembering(storage.read), self._prefixes).read)
        else:
            client = super().make(service, make)
        return t.cast("Client", client)


class SideBySideClients(SharedClients):
    """Clients for applying: what several entries ask for at the same time is read once for all of them.

    ``many`` as in RememberingClients.
    """

    def __init__(self, task: Task, many: t.Collection[str]) -> None:
        super().__init__(task)
        self._many = many

    def make(self, service: str, make: Make[Client]) -> Client:
        """Return a new client."""
        client: t.Any = super().make(service, make)
        if service == "infrastructure":
            client = client.reading(SideBySideReads(client.read, self._task.clock, self._many).read)
        elif service == "common_fcd":
            from .shared_contract_reads import SideBySideCommonFcd

            client = SideBySideCommonFcd.of(client, self._task.clock, SearchCounts(self._many))
        return t.cast("Client", client)
