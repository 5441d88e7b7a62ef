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
    from .._api.common_fcd import CommonFcd
    from .._api.infrastructure import Infrastructure
    from .._api.object_storage import ObjectStorage

Client = t.TypeVar("Client")


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

    def object_storage(self) -> ObjectStorage:
        """Return the client of the object storage. Raises what ``object_storage`` does."""
        return self._once("object_storage", self._object_storage)

    def storage_features(self) -> dict[str, t.Any]:
        """Return what the object storage tells about itself."""
        from .object_storage import service_features

        return self._once("storage_features", lambda: service_features(self._task))

    def _once(self, name: str, make: t.Callable[[], Client]) -> Client:
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            return t.cast("Client", self._made[name])

    def _infrastructure(self) -> Infrastructure:
        from .infrastructure import infrastructure

        return infrastructure(self._task)

    def _common_fcd(self) -> CommonFcd:
        from .common_fcd import common_fcd

        return common_fcd(self._task)

    def _object_storage(self) -> ObjectStorage:
        from .object_storage import object_storage

        return object_storage(self._task)
