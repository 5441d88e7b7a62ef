# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients for planning: each read is sent once, many searches become one list, and nothing can be changed.

After a few searches by name the whole list answers all others. A search that the list cannot answer is still sent, so
that nothing counts as missing only because it is not in the list. Everybody who uses these searches compares each row
exactly (see RestSearch, UserSearch, WarehouseSearch).
"""

from __future__ import annotations

import threading
import typing as t

from ...module_utils._connection.clients import Client, Make, SharedClients
from ...module_utils._connection.task import Task
from ...module_utils._contract.api import CommonFcd, Record
from ...module_utils._contract.members import Members
from ...module_utils._core.memoize import Memory
from ...module_utils._infrastructure.api import Infrastructure
from ...module_utils._infrastructure.rest_client import Items

if t.TYPE_CHECKING:
    from ...module_utils._object_storage.api import ObjectStorage

FEW = 3  # searches of one kind that are sent as they are
WHOLE = {"GetUsers": int, "GetWarehouses": None}
"""Searches that a whole list can answer, and the type of those criteria that it is restricted to."""


class _Counts:
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

    _counts: _Counts

    @classmethod
    def over(cls, api: Infrastructure, many: t.Collection[str] = ()) -> BulkInfrastructure:
        """Return one with the same connection, which has to remember what it has read.

        ``many`` are paths of which there will be many different searches.
        """
        bulk = cls.__new__(cls)
        vars(bulk).update(vars(api), _counts=_Counts(many))
        return bulk

    def pages(self, operation: str, path: str, **filters: t.Any) -> Items:
        """Read a whole list; for a name, what the list has of exactly that name, or else what the service finds."""
        if set(filters) == {"query"} and self._counts.many(path, str(filters["query"])):
            exactly = [item for item in super().pages(operation, path) if item.get("Name") == filters["query"]]
            if exactly:
                return exactly
        return super().pages(operation, path, **filters)


class BulkCommonFcd(CommonFcd):
    """The CommonFcd interface; what is searched by a text or a key is read as a whole after a few searches."""

    _counts: _Counts
    _types: Memory
    _lists: Memory

    @classmethod
    def over(cls, api: CommonFcd, many: t.Collection[str] = ()) -> BulkCommonFcd:
        """Return one with the same connection, which has to remember what it has read.

        ``many`` are operations of which there will be many different searches.
        """
        bulk = cls.__new__(cls)
        vars(bulk).update(vars(api), _counts=_Counts(many), _types=Memory(), _lists=Memory())
        return bulk

    def members(self, type_name: str) -> Members:
        """Return the members of a type, looked up once. Raises InvalidInput."""
        return self._types.answer(
            type_name, lambda: _RememberedMembers.over(super(BulkCommonFcd, self).members(type_name))
        )

    def search(self, operation: str, criteria: t.Mapping[str, t.Any], limit: int | None = None) -> list[Record]:
        """Return the rows of a paged search, or those of the whole list in which all values of the criteria stand."""
        if limit is None and operation in WHOLE and criteria and self._counts.many(operation, repr(criteria)):
            found = self._from_whole(operation, criteria)
            if found:
                return found
        return super().search(operation, criteria, limit)

    def _from_whole(self, operation: str, criteria: t.Mapping[str, t.Any]) -> list[Record]:
        """Return the rows of the whole list in which all values of the criteria stand, none where it cannot answer."""
        kept = WHOLE[operation]
        shared = {name: value for name, value in criteria.items() if kept is not None and isinstance(value, kept)}
        wanted = {str(value) for name, value in criteria.items() if name not in shared}
        return [row for row, leaves in self._whole(operation, shared) if wanted <= leaves] if wanted else []

    def _whole(self, operation: str, criteria: Record) -> list[tuple[Record, set[str]]]:
        """Return all rows, each with what stands in it."""
        search = super().search
        return self._lists.answer(
            (operation, repr(criteria)), lambda: [(row, _leaves(row)) for row in search(operation, criteria)]
        )


class _RememberedMembers(Members):
    """Members of which each is looked up once."""

    _found: dict[tuple[str, ...], str | None]

    @classmethod
    def over(cls, members: Members) -> _RememberedMembers:
        remembered = cls.__new__(cls)
        vars(remembered).update(vars(members), _found={})
        return remembered

    def find_if_any(self, attribute: str, *candidates: str) -> str | None:
        names = (attribute, *candidates)
        if names not in self._found:
            self._found[names] = super().find_if_any(*names)
        return self._found[names]


def _leaves(value: t.Any) -> set[str]:
    """Return all plain values of a row, those of its parts included, as texts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return {leaf for part in value for leaf in _leaves(part)}
    return {str(value)}


class RememberingClients(SharedClients):
    """Clients for planning: each read is sent once, many searches become one list, and nothing can be changed.

    All reads take the cheaper way.

    ``many`` are paths and operations of which there will be many different searches.
    """

    def __init__(self, task: Task, many: t.Collection[str] = ()) -> None:
        super().__init__(task)
        self._many = many

    def make(self, service: str, make: Make[Client]) -> Client:
        """Return a new client, whose reads are remembered."""
        makers: dict[str, t.Callable[[], t.Any]] = {
            "infrastructure": self._infrastructure,
            "common_fcd": self._common_fcd,
            "object_storage": self._object_storage,
        }
        return t.cast("Client", makers[service]()) if service in makers else super().make(service, make)

    def _infrastructure(self) -> Infrastructure:
        from ...module_utils._connection.clients import exchange
        from ...module_utils._http.read_cache import RememberingExchange
        from ...module_utils._infrastructure.api import infrastructure

        sender = RememberingExchange.over(exchange(self._task, direct=True))
        return BulkInfrastructure.over(infrastructure(self._task, sender), self._many)

    def _common_fcd(self) -> CommonFcd:
        from ...module_utils._connection.clients import exchange
        from ...module_utils._contract.api import common_fcd
        from ...module_utils._soap.client import RememberingSoapClient

        sender = exchange(self._task, direct=True)
        return BulkCommonFcd.over(common_fcd(self._task, RememberingSoapClient.over, sender), self._many)

    def _object_storage(self) -> ObjectStorage:
        from ...module_utils._http.read_cache import RememberingExchange
        from ...module_utils._object_storage.connection import object_storage

        return object_storage(self._task, RememberingExchange.over)
