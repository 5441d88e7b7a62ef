# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The calls of the plugin: standard library only. Source: docs/service/infrastructure.md."""

from __future__ import annotations

import json
import threading
import time
import typing as t
import urllib.parse
import urllib.request

PAUSE, PATIENCE = 0.05, 60.0
SUCCEEDED, FAILED = 136, 137
STOP = threading.Event()
"""Set when the tool asks the plugin to stop soon."""

Item = t.Dict[str, t.Any]


class Interrupted(Exception):
    """The tool wants the plugin to stop; what was started goes on at the service."""


class Api:
    """The service at its address."""

    def __init__(self, url: str, token: str) -> None:
        """Remember both."""
        self._url, self._token = url.rstrip("/"), token

    def call(self, method: str, path: str, body: Item | None = None, **query: t.Any) -> t.Any:
        """Send one request and return what the JSON of its answer says."""
        url = f"{self._url}{path}" + ("?" + urllib.parse.urlencode(query) if query else "")
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=30) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def done(self, ticket: Item) -> Item:
        """Wait for the end of a ticket. Raises Interrupted, RuntimeError, TimeoutError."""
        end = time.monotonic() + PATIENCE
        while ticket["Status"]["Id"] != SUCCEEDED:
            if ticket["Status"]["Id"] == FAILED:
                raise RuntimeError(f"ticket {ticket['Id']} failed")
            if time.monotonic() > end:
                raise TimeoutError(f"ticket {ticket['Id']} has not ended")
            if STOP.wait(PAUSE):
                raise Interrupted(f"interrupted; ticket {ticket['Id']} goes on at the service")
            ticket = self.call("GET", f"/tickets/{ticket['Id']}")
        return ticket

    def ready(self, number: t.Any) -> Item:
        """Return an instance that nothing is being done with."""
        while True:
            found: Item = self.call("GET", f"/instances/{number}")
            if not found["IsLocked"] or STOP.wait(PAUSE):
                return found

    def system_disk(self, number: t.Any) -> Item:
        """Return the system disk of an instance as it is now, for the list may lag behind changes."""
        (found,) = self.call("GET", f"/instances/{number}/disks", diskType="System")["Items"]
        return t.cast(Item, self.call("GET", f"/disks/{found['Id']}"))

    def number_of(self, name: str) -> int | None:
        """Return the number of the youngest instance of that name."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.call("GET", "/instances", query=name, pageSize=100)["Items"]
            numbers = [one["Id"] for one in found if one["Name"] == name]
            if numbers:
                return int(max(numbers))
            time.sleep(PAUSE)
        return None
