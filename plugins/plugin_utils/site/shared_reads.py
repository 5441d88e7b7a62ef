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

from ...module_utils._connection.task import Make, SharedClients, Task, _Client, exchange
from ...module_utils._core.clock import GATHER, Clock, Memory, SharedReading
from ...module_utils._core.errors import IncompleteList, NotFound
from ...module_utils._core.type_aliases import JsonObject, JsonObjects
from ...module_utils._engine.change import SUCCEEDED, status_of_ticket
from ...module_utils._infrastructure.rest_client import PAGES, RestRead, RestReader
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
    from ...module_utils._contract.api import Caller, SoapCall

MAX_SINGLE_SEARCHES = 3  # searches of one kind that are sent one by one
RECENT = 0.5  # seconds for which a list of tickets is good enough to be polled
TICKET_MARGIN_OF_SITE = 600.0  # seconds before the run from which on tickets are listed: clocks may differ


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
            return len(asked) > MAX_SINGLE_SEARCHES


Reader = t.Callable[[t.Any], t.Any]


def remembering(read: Reader) -> Reader:
    """Return a reader that asks everything once: all answers are from about the same time, that of the planning."""
    memory = Memory()

    def remembered(request: t.Any) -> t.Any:
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
        self._begun = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock.now() - TICKET_MARGIN_OF_SITE))
        self._fixed = Memory()
        self._lists: dict[tuple[t.Hashable, ...], SharedReading[JsonObjects]] = {}
        self._missed = threading.local()

    def read(self, request: RestRead) -> t.Any:
        """Return what is read."""
        if request.shape == PAGES:
            return self._pages(request)
        if request.path.startswith(("/subregions", "/dictionaries")):
            return self._fixed.answer(request.path, lambda: self._read(request))
        listed = self._listed_ticket(request) if request.path.startswith("/tickets/") and not request.alone else None
        return self._read(request) if listed is None else listed

    def _listed_ticket(self, request: RestRead) -> JsonObject | None:
        """Return a ticket as a list shows it that has not ended, or has led to something."""
        number, now = int(request.path.rpartition("/")[2]), self._clock.monotonic()
        tickets = RestRead("List tickets", "/tickets", PAGES, {"creation_date_from": self._begun})
        for moment in (now - RECENT, now):
            try:
                shown: t.Sequence[JsonObject] = self._list(tickets).since(moment)
            except IncompleteList as error:  # what it has is there all the same
                shown = error.rows
            listed = next((one for one in shown if one["Id"] == number), None)
            if listed is not None:
                ended_alone = status_of_ticket(listed) == SUCCEEDED and listed.get("ObjectId") is None
                return None if ended_alone else listed
        return None

    def _pages(self, request: RestRead) -> JsonObjects:
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
            return t.cast("JsonObjects", self._read(request))
        return self._list(request).since(missed)

    def _list(self, request: RestRead) -> SharedReading[JsonObjects]:
        gather = GATHER if self._many else 0.0
        reading = SharedReading[JsonObjects](lambda: self._read(request), self._clock, gather)
        return self._lists.setdefault(request.question, reading)


WHOLE = {"GetUsers": int, "GetWarehouses": None}
"""Searches that a whole list can answer, and the type of those criteria that it is restricted to."""

Rows = t.List[t.Tuple[t.Dict[str, t.Any], t.Set[str]]]
"""Each with what stands in it."""


class WholeSearches:
    """Calls of the SOAP contract; after a few searches, or of many, the whole list answers.

    Everybody who uses these searches compares each row exactly and, before something counts as missing, asks the
    operation that tells whether it is there (see UserSearch, DeclaredWarehouse).

    With a ``clock``, entries are applied side by side: whoever searches gets what was asked for after that moment, and
    those who search meanwhile, or a moment later, share it. Without one, each list is read once.
    """

    def __init__(self, call: Caller, counts: SearchCounts, clock: Clock | None = None) -> None:
        self._call = call
        self._counts = counts
        self._clock = clock
        self._lists: dict[t.Hashable, SharedReading[Rows]] = {}

    def call(self, call: SoapCall) -> t.Any:
        """Return the rows of the whole list in which all values of the criteria stand, or what the service answers.

        Of the searches that are known to be many, the list decides.
        """
        if call.paged and call.limit is None and self._is_one_of_many(call):
            found = self._from_whole(call)
            if found or call.operation in self._counts.many:
                return found
        return self._call(call)

    def _is_one_of_many(self, call: SoapCall) -> bool:
        if call.operation in self._counts.many:
            return True
        counted = self._clock is None and call.operation in WHOLE and call.values
        return bool(counted) and self._counts.are_many(call.operation, repr(call.values))

    def _from_whole(self, call: SoapCall) -> JsonObjects:
        kept = WHOLE[call.operation]
        shared = {name: value for name, value in call.values.items() if kept is not None and isinstance(value, kept)}
        desired = {str(value) for name, value in call.values.items() if name not in shared}
        return [row for row, leaves in self._rows(call._replace(values=shared)) if desired <= leaves]

    def _rows(self, call: SoapCall) -> Rows:
        clock, gather, moment = (Clock(), 0.0, 0.0) if self._clock is None else (self._clock, GATHER, None)
        reading = SharedReading[Rows](lambda: [(row, _leaves(row)) for row in self._call(call)], clock, gather)
        return self._lists.setdefault(call.question, reading).since(moment)


def _leaves(value: object) -> set[str]:
    """Return all plain values of a row, those of its parts included, as texts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return {leaf for part in value for leaf in _leaves(part)}
    return {str(value)}


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
        if request.shape == LISTING:
            if container in self._missing:
                raise NotFound(f"There is no container {container!r}.", operation=request.operation, status=404)
            return self._page(request, container)
        return None if container in self._missing and request.shape != CONTENT else self._read(request)

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
    return {search for kind, search in SEARCHES.items() if count[kind] > MAX_SINGLE_SEARCHES}


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

    def make(self, service: str, make: Make[_Client]) -> _Client:
        """Return a new client, whose reads are remembered."""
        client: t.Any

        def make_reader() -> t.Any:
            return make(self._task, exchange(self._task, direct=True, reads_only=True))

        if service == "infrastructure":
            rest = make_reader()
            client = rest.reading(searching_whole_lists(remembering(rest.read), self._many))
        elif service == "common_fcd":
            soap = make_reader()
            client = soap.calling(WholeSearches(remembering(soap.caller), SearchCounts(self._many)).call)
        elif service == "object_storage":
            storage = make_reader()
            client = storage.reading(ListedContainers(remembering(storage.read), self._prefixes).read)
        else:
            client = super().make(service, make)
        return t.cast("_Client", client)


class SideBySideClients(SharedClients):
    """Clients for applying: what several entries ask for at the same time is read once for all of them.

    ``many`` as in RememberingClients.
    """

    def __init__(self, task: Task, many: t.Collection[str]) -> None:
        super().__init__(task)
        self._many = many

    def make(self, service: str, make: Make[_Client]) -> _Client:
        """Return a new client."""
        client: t.Any = super().make(service, make)
        if service == "infrastructure":
            client = client.reading(SideBySideReads(client.read, self._task.clock, self._many).read)
        elif service == "common_fcd":
            counts = SearchCounts(self._many)
            client = client.calling(WholeSearches(client.caller, counts, self._task.clock).call)
        return t.cast("_Client", client)
