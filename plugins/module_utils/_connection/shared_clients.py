# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that many operations of one task share: one connection, one log-in."""

from __future__ import annotations

import copy
import threading
import typing as t

from .task import Task

Client = t.TypeVar("Client")
Make = t.Callable[[Task], Client]


class SharedClients:
    """Hands out one client for each service; it is made, and its settings are looked at, when it is asked for first."""

    def __init__(self, task: Task) -> None:
        self._task = copy.copy(task)
        self._task.clients = None  # the clients themselves are made as for a task that shares none
        self._lock = threading.RLock()
        self._made: dict[str, t.Any] = {}

    def of(self, service: str, make: Make[Client]) -> Client:
        """Return the client of a service, or what it tells of itself, which ``make`` makes. Raises what that does."""
        with self._lock:
            if service not in self._made:
                self._made[service] = self.make(service, make)
            return t.cast("Client", self._made[service])

    def make(self, service: str, make: Make[Client]) -> Client:
        """Return a new client."""
        del service
        return make(self._task)
