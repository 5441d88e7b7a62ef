# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The object storage service: /auth/v1.0, /v1/... and /info of a real Swift."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import eventlet

from sandbox.seed import Credentials
from sandbox.service import OPERATION, WRITE, Environ, StartResponse
from sandbox.storage.backend import Backend
from sandbox.storage.contents import Contents
from sandbox.storage.late_listing import late_listing
from sandbox.storage.memory_cache import CACHE
from sandbox.storage.tokens import TokenAuth, expire_tokens

KINDS = ("account", "account", "container", "object")
READING = ("GET", "HEAD", "OPTIONS")


class StorageService:
    """Swift with its log-in; operations are named "<method> auth|info|account|container|object"."""

    name = "storage"

    def __init__(self, credentials: Credentials, directory: Path) -> None:
        """Start Swift for two users in the directory that storage.configuration has made."""
        self.settings: dict[str, Any] = {
            "token_lifetime": 86400,
            "token_lifetime_max": 86400,
            "percent_decode": True,
            "info": True,
            "account_counts_seconds": 1.0,
            "listing_lag": 0,
        }
        self._backend = Backend(directory)
        self._contents = Contents(self._backend, credentials.storage_path)
        self._backend.find(TokenAuth).know(credentials, self.settings)
        self._changed = False
        self._disk_lock = eventlet.semaphore.Semaphore()
        eventlet.spawn_n(self._count_accounts)

    def preview(self, environ: Environ) -> None:
        """Name the operation by method and kind of the address."""
        method = environ["REQUEST_METHOD"]
        kind = _kind(environ["PATH_INFO"])
        environ[OPERATION] = f"{method} {kind}"
        environ[WRITE] = method not in READING and kind != "auth"

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Hand a request to Swift."""
        if environ["PATH_INFO"] == "/info" and not self.settings["info"]:
            start_response("404 Not Found", [("Content-Type", "text/plain"), ("Content-Length", "0")])
            return []
        if self.settings["listing_lag"] and environ.get(OPERATION) == "GET container":
            return late_listing(self._backend.app, self.settings["listing_lag"], environ, start_response)
        answer: Iterable[bytes] = self._backend.app(environ, start_response)
        # Only now: counts that are brought up to date during a write would not be brought up to date after it.
        self._changed = self._changed or environ["REQUEST_METHOD"] not in READING
        return answer

    def reset(self) -> None:
        """Forget all containers, objects and tokens."""
        with self._disk_lock:
            self._backend.databases.clear()
            shutil.rmtree(self._backend.disk)
            self._backend.make_disk()
            CACHE.clear()

    def expire(self) -> None:
        """Make every token worthless at once."""
        expire_tokens()

    def snapshot(self) -> dict[str, Any]:
        """Metadata, containers and objects of the account, see :mod:`sandbox.storage.contents`."""
        return self._contents.read()

    def _count_accounts(self) -> None:
        """Bring the counts in account listings up to date, some time after a change, as Swift's updater does."""
        updater: Any = None
        while True:
            pause = self.settings["account_counts_seconds"]
            eventlet.sleep(pause or 1.0)
            if not (pause and self._changed):
                continue
            self._changed = False
            updater = updater or self._updater()
            updater.failures = 0
            with self._disk_lock:
                updater.container_sweep(str(self._backend.disk / "containers"))
            self._changed = self._changed or updater.failures > 0

    def _updater(self) -> Any:
        from swift.container.updater import ContainerUpdater

        return ContainerUpdater({**self._backend.conf, "concurrency": "1", "account_suppression_time": "0"})


def _kind(path: str) -> str:
    if path.startswith("/auth"):
        return "auth"
    if not path.startswith("/v1/"):
        return path.strip("/") or "root"
    parts = [part for part in path.split("/", 4)[1:] if part]
    return KINDS[len(parts) - 1]
