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
from ..api import Infrastructure
from .instance_records import by_instance, instance_record, is_busy

Item = t.Dict[str, t.Any]
Items = t.List[Item]

NETWORKS_OF_INSTANCE = re.compile(r"/instances/(\d+)/opns")
SHORTEST_QUERY = 3  # characters of a common prefix that is worth searching for
EARLIER = 60.0  # seconds before our oldest ticket from which tickets are listed


class InstanceList:
    """A list of instances with its indexes."""

    def __init__(self, entries: Items) -> None:
        self.all = entries
        self.by_id = {entry["Id"]: entry for entry in entries}
        self.by_name: dict[t.Any, Items] = {}
        for entry in entries:
            self.by_name.setdefault(entry.get("Name"), []).append(entry)


class FleetLists:
    """The lists of one task. ``round`` is the moment after which they must have been read when polling."""

    def __init__(self, api: Infrastructure, clock: Clock, names: t.Sequence[str]) -> None:
        self.api = api
        self.clock = clock
        self.round = clock.monotonic()
        prefix = common_prefix(names).strip()
        self.query = prefix if len(prefix) >= SHORTEST_QUERY else ""
        self.whole = SharedReading(lambda: InstanceList(api.list_instances()), clock)
        search = SharedReading(lambda: InstanceList(api.list_instances(query=self.query)), clock)
        self.found = search if self.query else self.whole
        self.tickets = SharedReading(self._read_tickets, clock)
        self.disks = SharedReading(
            lambda: by_instance(api.list_disks(disk_type="System"), lambda disk: disk.get("Connections")), clock
        )
        self.addresses = SharedReading(lambda: by_instance(api.list_ip_addresses(), lambda address: [address]), clock)
        self.networks = SharedReading(
            lambda: by_instance(api.list_networks(), lambda network: network.get("PrivateIps")), clock
        )
        self._ours: float | None = None
        self._before: dict[str, SharedReading[Items]] = {}

    def tickets_since(self, date: str) -> Items:
        """Return the tickets created since then; the same list for all who ask with about the same date."""
        start = f"{date[:15]}0:00Z"  # full ten minutes
        reading = SharedReading(lambda: self.api.list_tickets(creation_date_from=start), self.clock)
        return self._before.setdefault(start, reading).since()

    def note(self, ticket: Item) -> None:
        """Let the polling list reach back to this ticket, by the clock of the service."""
        try:
            date = time.strptime(str(ticket.get("CreationDate"))[:19], "%Y-%m-%dT%H:%M:%S")
        except ValueError:
            return
        created = float(calendar.timegm(date))
        self._ours = created if self._ours is None else min(self._ours, created)

    def _read_tickets(self) -> dict[int, Item]:
        if self._ours is None:
            return {}
        start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._ours - EARLIER))
        return {ticket["Id"]: ticket for ticket in self.api.list_tickets(creation_date_from=start)}


class FleetView(Infrastructure):
    """The service as one instance sees it.

    What it reads is never older than what it knows. A list shows that something is not done yet; what counts as done
    is read separately, because lists may lag behind. ``moment`` sets the time after which a read is new enough.
    """

    def __init__(self, lists: FleetLists, moment: float | None = None) -> None:
        vars(self).update(vars(lists.api))  # the same connection
        self._lists = lists
        self._moment = moment
        self._sent = lists.clock.monotonic()
        self._networks_of_create: frozenset[int] = frozenset()

    def create_instance(self, body: t.Mapping[str, t.Any]) -> Item:
        """Create an instance, and remember its private networks."""
        self._networks_of_create = frozenset(body.get("OpnsIds") or ())
        return super().create_instance(body)

    def list_instances(self, **filters: object) -> Items:
        """Return all instances, or at least those with exactly the name ``query``."""
        name = filters.get("query")
        if name is None:
            return self._lists.whole.since(self._moment).all
        return self._lists.found.since(self._moment).by_name.get(name, [])

    def listed_instances(self, name: str) -> Items:
        """Return the instances of that name as the list of this round shows them."""
        lists = self._lists.found if name.startswith(self._lists.query) else self._lists.whole
        return lists.since(self._enough()).by_name.get(name, [])

    def get_instance(self, number: int) -> Item:
        """Return one instance; while an operation is running on it, from the list."""
        listed = self._lists.found.since(self._enough()).by_id.get(number)
        return listed if listed is not None and is_busy(instance_record(listed)) else super().get_instance(number)

    def get_ticket(self, number: int) -> Item:
        """Return one ticket from the list, or by itself if it is not there or leads to nothing."""
        from ..._engine.change import SUCCEEDED, status_of_ticket  # only changes come here

        listed = self._lists.tickets.since(self._enough()).get(number)
        if listed is not None and (status_of_ticket(listed) != SUCCEEDED or listed.get("ObjectId") is not None):
            return listed
        found = super().get_ticket(number)
        self._lists.note(found)
        return found

    def list_tickets(self, **filters: t.Any) -> Items:
        """Return the tickets since a date."""
        return self._lists.tickets_since(filters["creation_date_from"])

    def list_instance_disks(self, number: int, **filters: t.Any) -> Items:
        """Return the disks of an instance; a system disk from the list of all, if it is there."""
        if filters != {"disk_type": "System"}:
            return super().list_instance_disks(number, **filters)
        found = self._lists.disks.since(self._moment).get(number)
        return found or super().list_instance_disks(number, **filters)

    def list_instance_ip_addresses(self, number: int) -> Items:
        """Return the public addresses of an instance; in planning from the list of all, if there are any."""
        found = None if self._moment is None else self._lists.addresses.since(self._moment).get(number)
        return found or super().list_instance_ip_addresses(number)

    def read_pages(self, operation: str, path: str, **filters: object) -> Items:
        """Read a list; the private networks of an instance, in planning, from the list of all.

        The same applies to an instance that was created in such networks, as soon as that list shows it in all of them.
        """
        of_instance = NETWORKS_OF_INSTANCE.fullmatch(path)
        if of_instance and not filters and (self._moment is not None or self._networks_of_create):
            found = self._lists.networks.since(self._enough()).get(int(of_instance.group(1)), [])
            if found and self._networks_of_create.issubset(one["Id"] for one in found):
                return found
        return super().read_pages(operation, path, **filters)

    def change_at_once(self, *args: t.Any, **kwargs: t.Any) -> Item:
        """Change something; everything that was read before is now too old."""
        try:
            found = super().change_at_once(*args, **kwargs)
        finally:
            self._sent = self._lists.clock.monotonic()
        self._lists.note(found)
        return found

    def _enough(self) -> float:
        return max(self._sent, self._lists.round) if self._moment is None else self._moment
