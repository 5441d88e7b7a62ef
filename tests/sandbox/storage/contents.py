# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The truth about what an account holds: names from Swift's listings, objects from its disk, past authentication."""

from __future__ import annotations

import json
from typing import Any

from swift.common import constraints
from swift.common.exceptions import DiskFileNotExist
from swift.common.storage_policy import POLICIES
from swift.common.swob import Request, Response
from swift.common.utils import quote

from sandbox.storage.backend import DEVICE, Backend
from sandbox.storage.memory_cache import CACHE

SHOWN = ("content-type", "x-delete-at", "content-encoding", "content-disposition", "cache-control", "x-object-manifest")
CONTAINER_PREFIXES = ("x-container-meta-", "x-container-read", "x-container-write")


class Contents:
    """Reads one account; an expired object is there until something removes it."""

    def __init__(self, backend: Backend, account: str) -> None:
        """Nothing is read yet."""
        self._backend = backend
        self._account = account

    def read(self) -> dict[str, Any]:
        """Metadata of the account, keys of temporary addresses among it, and all containers with theirs and objects.

        Returns:
            ``{"account": {header: value}, "containers": {container: {"metadata": {header: value}, "objects": {name:
            {"etag", "bytes", "headers", "metadata"}}}}}``, all header names in small letters.
        """
        headers, names = self._listed("")
        containers = {name: self._container(name) for name in names}
        return {"account": _starting(headers, ("x-account-meta-",)), "containers": containers}

    def _container(self, name: str) -> dict[str, Any]:
        headers, names = self._listed("/" + quote(name))
        found = {key: self._object(name, key) for key in names}
        objects = {key: item for key, item in found.items() if item is not None}
        return {"metadata": _starting(headers, CONTAINER_PREFIXES), "objects": objects}

    def _object(self, container: str, name: str) -> dict[str, Any] | None:
        place = (self._account, container, name)
        partition = self._backend.core.get_object_ring(0).get_part(*place)
        file = self._backend.objects.get_diskfile(DEVICE, partition, *place, POLICIES[0])
        try:
            with file.open(current_time=0):
                headers = {key.lower(): value for key, value in file.get_metadata().items()}
        except DiskFileNotExist:  # a listing can be late
            return None
        return {
            "etag": headers["etag"],
            "bytes": int(headers["content-length"]),
            "headers": {key: headers[key] for key in SHOWN if key in headers},
            "metadata": _starting(headers, ("x-object-meta-",)),
        }

    def _listed(self, path: str) -> tuple[dict[str, str], list[str]]:
        """Headers and names of the account, or of a container."""
        limit = min(constraints.ACCOUNT_LISTING_LIMIT, constraints.CONTAINER_LISTING_LIMIT)
        headers: dict[str, str] = {}
        names: list[str] = []
        while True:
            marker = quote(names[-1]) if names else ""
            response = self._ask(f"{path}?format=json&marker={marker}")
            headers = headers or {key.lower(): _text(value) for key, value in response.headers.items()}
            page = json.loads(response.body) if response.status_int == 200 else []
            names += [entry["name"] for entry in page]
            if len(page) < limit:
                return headers, names

    def _ask(self, path: str) -> Response:
        environ = {"swift_owner": True, "swift.cache": CACHE}
        return Request.blank(f"/v1/{self._account}{path}", environ=environ).get_response(self._backend.core)


def _text(value: str) -> str:
    return value.encode("latin-1").decode("utf-8", "replace")


def _starting(headers: dict[str, str], prefixes: tuple[str, ...]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.startswith(prefixes)}
