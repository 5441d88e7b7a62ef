# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What many instances read at the same time is read for all of them at once: lists instead of single objects."""

from __future__ import annotations

import calendar
import re
import time
import typing as t

from ..._core.clock import Clock, SharedReading
from ..._core.text import common_prefix
from ..._core.type_aliases import JsonObject, JsonObjects
from ..._engine.change import SUCCEEDED, is_over, status_of_ticket
from ..api import Infrastructure
from ..rest_client import RestRead
from .instance_records import by_instance, instance_record, is_busy

_Value = t.TypeVar("_Value")

_NUMBER = re.compile(r"\d+")
MIN_QUERY = 3  # characters of a common prefix that is worth searching for
LONG_LIST = 1000  # rows; reading more of them, page by page, takes longer than a round of single requests
TICKET_MARGIN = 60.0  # seconds before the oldest ticket that is waited for from which tickets are listed


class InstanceList:
    """A list of instances with its indexes."""

    def __init__(self, entries: JsonObjects) -> None:
        self.all = entries
        self.by_id = {entry["Id"]: entry for entry in entries}
        self.by_name: dict[t.Any, JsonObjects] = {}
        for entry in entries:
            self.by_name.setdefault(entry.get("Name"), []).append(entry)


class FleetLists:
    """The lists of one task. ``round`` is the moment after which they must have been read when polling."""

    def __init__(self, api: Infrastructure, clock: Clock, names: t.Sequence[str]) -> None:
        self.api = api
        self.clock = clock
        self.round = clock.monotonic()
        prefix = common_prefix(names).strip()
        self.query = prefix if len(prefix) >= MIN_QUERY else ""
        self.whole = SharedReading(lambda: self._list_instances(""), clock)
        self.found = SharedReading(lambda: self._list_instances(self.query), clock) if self.query else self.whole
        self.tickets = SharedReading(self._read_tickets, clock)
        self.disks = SharedReading(self._read_disks, clock)
        self.found_many = self.disks_are_many = False
        """Whether they are so many that single ones are read in their place."""
        self.addresses = SharedReading(lambda: by_instance(api.list_ip_addresses(), lambda address: [address]), clock)
        self.networks = SharedReading(
            lambda: by_instance(api.list_networks(), lambda network: network.get("PrivateIps")), clock
        )
        self.tickets_shown = self.round
        """When the last list of tickets had been read."""
        self._waited_for: dict[t.Any, float] = {}  # the dates of tickets of ours that were not seen to have ended
        self._before: dict[str, SharedReading[JsonObjects]] = {}

    def tickets_since(self, date: str) -> SharedReading[JsonObjects]:
        """Return the shared reading of the tickets created since then; one for all who ask with about the same date."""
        start = f"{date[:15]}0:00Z"  # full ten minutes
        reading = SharedReading(lambda: self.api.list_tickets(creation_date_from=start), self.clock)
        return self._before.setdefault(start, reading)

    def note(self, ticket: JsonObject) -> None:
        """Let the polling list reach back to this ticket of ours, by the clock of the service, until it has ended."""
        if is_over(ticket):
            self._waited_for.pop(ticket.get("Id"), None)
            return
        try:
            date = time.strptime(str(ticket.get("CreationDate"))[:19], "%Y-%m-%dT%H:%M:%S")
        except ValueError:
            return
        self._waited_for[ticket.get("Id")] = float(calendar.timegm(date))

    def _list_instances(self, query: str) -> InstanceList:
        listed = self.api.list_instances(**({"query": query} if query else {}))
        if len(listed) > LONG_LIST:  # each has a system disk
            self.disks_are_many = True
            self.found_many = self.found_many or (query == self.query and query != "")
        return InstanceList(listed)

    def _read_disks(self) -> dict[t.Any, JsonObjects]:
        disks = self.api.list_disks(disk_type="System")
        self.disks_are_many = len(disks) > LONG_LIST
        return by_instance(disks, lambda disk: disk.get("Connections"))

    def _read_tickets(self) -> dict[int, JsonObject]:
        dates = [*self._waited_for.values()]
        if not dates:
            return {}
        start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(min(dates) - TICKET_MARGIN))
        found = {ticket["Id"]: ticket for ticket in self.api.list_tickets(creation_date_from=start)}
        self.tickets_shown = self.clock.monotonic()
        return found


class FleetView:
    """The service as one instance sees it.

    What it reads is never older than what it knows. A list shows that something is not done yet; what counts as done
    is read separately, because lists may lag behind. ``moment`` sets the time after which a read is new enough.
    """

    def __init__(self, lists: FleetLists, moment: float | None = None) -> None:
        self._lists = lists
        self._moment = moment
        self._sent = lists.clock.monotonic()
        self._done: float | None = None  # since when it is known that what was sent last is done
        self._disks_seen = False  # in a list from after that, which may have been late
        self._searched: set[str] = set()  # the lists in which this instance was searched for
        self._networks_of_create: frozenset[int] = frozenset()
        self._read = lists.api.read
        self.api = lists.api.reading(self.read, self._note_change)
        self._answers: dict[str, t.Callable[[RestRead, int], t.Any]] = {
            "/instances": self._instances,
            "/instances/N": self._instance,
            "/instances/N/disks": self._disks,
            "/instances/N/ip_addresses": self._addresses,
            "/instances/N/opns": self._networks,
            "/tickets": self._tickets,
            "/tickets/N": self._ticket,
        }

    def read(self, request: RestRead) -> t.Any:
        """Return what a list of all has of it, or what is read for this instance alone."""
        number = _NUMBER.search(request.path)
        answer = self._answers.get(_NUMBER.sub("N", request.path))
        found = None if answer is None else answer(request, int(number[0]) if number else 0)
        return self._read(request) if found is None else found

    def _instances(self, request: RestRead, _number: int) -> JsonObjects | None:
        """Return all instances, or at least those with exactly the name ``query``; if it polls, of this round."""
        name = request.filters.get("query")
        if name is None:
            return self._lists.whole.since(self._moment).all
        if self._moment is None and self._lists.found_many:
            return None
        if not request.polls:
            found = self._lists.found
            listed = self._search("/instances", found) if self._moment is None else found.since(self._moment)
            return listed.by_name.get(name, [])
        lists = self._lists.found if name.startswith(self._lists.query) else self._lists.whole
        return lists.since(self._enough()).by_name.get(name, [])

    def _instance(self, _request: RestRead, number: int) -> JsonObject | None:
        """Return an instance while an operation is running on it, unless it has to confirm what a list has shown."""
        if ("instance", number) in self.api.unconfirmed or (self._moment is None and self._lists.found_many):
            return None
        listed = self._lists.found.since(self._enough()).by_id.get(number)
        return listed if listed is not None and is_busy(instance_record(listed)) else None

    def _ticket(self, request: RestRead, number: int) -> JsonObject:
        """Return one ticket from the list, or by itself if it is not there or leads to nothing."""
        found = self._lists.tickets.since(self._enough()).get(number)
        shown = self._lists.tickets_shown
        if found is None or (status_of_ticket(found) == SUCCEEDED and found.get("ObjectId") is None):
            found = t.cast("JsonObject", self._read(request._replace(alone=True)))
            shown = self._lists.clock.monotonic()
        self._lists.note(found)
        if status_of_ticket(found) == SUCCEEDED:
            self._done = shown
        return found

    def _tickets(self, request: RestRead, _number: int) -> JsonObjects:
        return self._search("/tickets", self._lists.tickets_since(request.filters["creation_date_from"]))

    def _search(self, path: str, reading: SharedReading[_Value]) -> _Value:
        """Return the list in which this instance is searched for.

        The first time, before its create, a recent one will do. For every further search, such as after an unclear
        answer, it is read again.
        """
        again = path in self._searched
        self._searched.add(path)
        return reading.since() if again else reading.recent(self._sent)

    def _disks(self, request: RestRead, number: int) -> JsonObjects | None:
        """Return a system disk: one list has those of all whose operations ended in one round, unless it is long."""
        if request.filters != {"disk_type": "System"}:
            return None
        if self._moment is not None:
            return self._lists.disks.since(self._moment).get(number)
        if self._lists.disks_are_many:
            return None
        again, self._disks_seen, moment = self._disks_seen, True, self._done
        if again and moment is not None:
            moment = max(moment, self._lists.round)
        return self._lists.disks.since(moment).get(number)

    def _addresses(self, _request: RestRead, number: int) -> JsonObjects | None:
        """Return public addresses, in planning."""
        return None if self._moment is None else self._lists.addresses.since(self._moment).get(number)

    def _networks(self, request: RestRead, number: int) -> JsonObjects | None:
        """Return private networks, in planning.

        The same applies to an instance that was created in such networks, as soon as that list shows it in all of them.
        """
        if request.filters or (self._moment is None and not self._networks_of_create):
            return None
        found = self._lists.networks.since(self._enough()).get(number)
        return found if found and self._networks_of_create.issubset(one["Id"] for one in found) else None

    def _note_change(self, sent: object, answer: JsonObject | None) -> None:
        """Take everything that was read before for too old, and remember the networks of a create."""
        self._sent, self._done, self._disks_seen = self._lists.clock.monotonic(), None, False
        if isinstance(sent, dict):
            self._networks_of_create = frozenset(sent.get("OpnsIds") or self._networks_of_create)
        if answer is not None:
            self._lists.note(answer)

    def _enough(self) -> float:
        return max(self._sent, self._lists.round) if self._moment is None else self._moment
