# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that many operations of one task share: one connection, one log-in."""

from __future__ import annotations

import copy
import threading
import typing as t

from .task import Task

if t.TYPE_CHECKING:
    from .._api.infrastructure import Infrastructure
    from .._contract.api import CommonFcd
    from .._transport.client import Exchange

Client = t.TypeVar("Client")
Sending = t.Callable[["Exchange"], "Exchange"]


class SharedClients:
    """Hands out one client for each service; it is made, and its settings are looked at, when it is asked for first."""

    def __init__(self, task: Task) -> None:
        self._task = copy.copy(task)
        self._task.clients = None  # the clients themselves are made as for a task that shares none
        self._lock = threading.RLock()
        self._made: dict[str, t.Any] = {}

    def infrastructure(self) -> Infrastructure:
        """Return the client of the infrastructure interface. Raises what ``infrastructure`` does."""
        return self._once("infrastructure", self._infrastructure)

    def common_fcd(self) -> CommonFcd:
        """Return the client of the CommonFcd interface. Raises what ``common_fcd`` does."""
        return self._once("common_fcd", self._common_fcd)

    def object_storage(self, make: t.Callable[[Task, Sending], Client]) -> Client:
        """Return the client of the object storage, which ``make`` makes. Raises what that does."""
        return self._once("object_storage", lambda: make(self._task, self.sending))

    def storage_features(self, ask: t.Callable[[Task], dict[str, t.Any]]) -> dict[str, t.Any]:
        """Return what the object storage tells about itself, which ``ask`` asks for."""
        return self._once("storage_features", lambda: ask(self._task))

    def sending(self, sender: Exchange) -> Exchange:
        """Return the exchange with which the object storage is asked."""
        return sender

    def _once(self, name: str, make: t.Callable[[], Client]) -> Client:
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            return t.cast("Client", self._made[name])

    def _infrastructure(self) -> Infrastructure:
        from .infrastructure import infrastructure

        return infrastructure(self._task)

    def _common_fcd(self) -> CommonFcd:
        from .._contract.api import common_fcd

        return common_fcd(self._task)
