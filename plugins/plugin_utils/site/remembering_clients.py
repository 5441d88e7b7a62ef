# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The clients that the entries of a site share: for planning they remember what they read, for applying they do not."""

from __future__ import annotations

import collections
import typing as t

from ...module_utils._connection.task import Client, Make, SharedClients, Task, exchange
from ...module_utils._core.clock import Memory
from ...module_utils._http.client import Exchange
from ...module_utils._http.messages import LOGIN, READ, Credentials, Request, Response

FEW = 3  # things of a kind that are searched one by one
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
        makers: dict[str, t.Callable[[], t.Any]] = {
            "infrastructure": self._infrastructure,
            "common_fcd": self._common_fcd,
            "object_storage": self._object_storage,
        }
        return t.cast("Client", makers[service]()) if service in makers else super().make(service, make)

    def _infrastructure(self) -> t.Any:
        from ...module_utils._infrastructure.api import infrastructure
        from .shared_reads import BulkInfrastructure

        sender = RememberingExchange.over(exchange(self._task, direct=True))
        return BulkInfrastructure.over(infrastructure(self._task, sender), self._many)

    def _common_fcd(self) -> t.Any:
        from ...module_utils._contract.api import common_fcd
        from .shared_contract_reads import BulkCommonFcd, RememberingSoapClient

        api = common_fcd(self._task, exchange(self._task, direct=True))
        api.client = RememberingSoapClient.over(api.client)
        return BulkCommonFcd.over(api, self._many)

    def _object_storage(self) -> t.Any:
        from ...module_utils._object_storage.connection import object_storage
        from .shared_storage_reads import BulkObjectStorage

        return BulkObjectStorage.over(object_storage(self._task, RememberingExchange.over), self._prefixes)


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
            from .shared_reads import SideBySideInfrastructure

            client = SideBySideInfrastructure.of(client, self._task.clock, self._many)
        elif service == "common_fcd":
            from .shared_contract_reads import SideBySideCommonFcd

            client = SideBySideCommonFcd.of(client, self._task.clock, self._many)
        return t.cast("Client", client)


class RememberingExchange(Exchange):
    """An exchange that sends each read once and remembers the answer.

    All answers are from about the same time, that of the planning. A request that would change something is a defect of
    the caller, and is not sent.
    """

    memory: Memory

    @classmethod
    def over(cls, exchange: Exchange) -> RememberingExchange:
        """Return one that sends in the same way as ``exchange``."""
        remembering = cls.__new__(cls)
        vars(remembering).update(vars(exchange))
        remembering.memory = Memory()
        return remembering

    def send(self, request: Request, credentials: Credentials | None = None) -> Response:
        """Send a read, or return its earlier result. Raises what Exchange.send does, or AssertionError."""
        if request.kind == LOGIN:
            return super().send(request, credentials)
        if request.kind != READ:
            raise AssertionError(f"{request.operation} is not sent while planning")
        send = super().send
        if request.fresh or not _repeatable(request):
            return send(request, credentials)
        return self.memory.answer(_question(request), lambda: send(request, credentials))


def _repeatable(request: Request) -> bool:
    return request.method == "HEAD" or (request.method == "GET" and request.stream_to is None)


def _question(request: Request) -> t.Hashable:
    params = tuple(sorted((name, str(value)) for name, value in (request.params or {}).items() if value is not None))
    return request.method, request.url, params, tuple(sorted(request.headers.items())), request.json_answer
