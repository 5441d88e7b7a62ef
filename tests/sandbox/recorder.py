# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of all requests, what was counted, and every breach of a description."""

from __future__ import annotations

import itertools
import time
from collections import Counter, deque
from typing import Any

from sandbox.service import OPERATION, WRITE, Environ

READING = ("GET", "HEAD", "OPTIONS")
KEPT = 50_000

Entry = dict[str, Any]


class Recorder:
    """Keeps the last requests in full, and counts all of them."""

    def __init__(self) -> None:
        """Start empty; numbers go on over ``clear``, so that ``since`` stays meaningful."""
        self._numbers = itertools.count(1)
        self._entries: deque[Entry] = deque()
        self._past: Counter[str] = Counter()
        self._past_writes = 0
        self._connections: set[int] = set()
        self._violations: list[dict[str, Any]] = []
        self.last_request = time.monotonic()
        self.resets = 0

    def touch(self) -> None:
        """Note that somebody is still there."""
        self.last_request = time.monotonic()

    def begin(self, service: str, environ: Environ) -> Entry:
        """Write a request down as soon as its head is known; the rest is filled in later."""
        self.touch()
        self._connections.add(environ["sandbox.connection"])
        entry: Entry = {
            "n": next(self._numbers),
            "time": time.time(),
            "service": service,
            "method": environ["REQUEST_METHOD"],
            "path": environ["RAW_PATH_INFO"],
            "query": environ.get("QUERY_STRING", ""),
            "operation": environ.get(OPERATION),
            "write": environ.get(WRITE, environ["REQUEST_METHOD"] not in READING),
            "status": None,
            "fault": None,
            "client_port": int(environ["REMOTE_PORT"]),
            "headers": _headers(environ),
            "body_bytes": _declared_size(environ),
            "over": False,
        }
        environ.setdefault("eventlet.posthooks", []).append((_end, (entry,), {}))
        if len(self._entries) >= KEPT:
            self._forget(self._entries.popleft())
        self._entries.append(entry)
        return entry

    def describe(self, entry: Entry, environ: Environ) -> None:
        """Add what the service has found out: the operation, and whether it writes."""
        entry["operation"] = environ.get(OPERATION)
        entry["write"] = environ.get(WRITE, entry["write"])

    def breach(self, entry: Entry, found: list[dict[str, Any]]) -> None:
        """Keep what a validator said about one request or its answer."""
        known = {name: entry[name] for name in ("n", "service", "method", "path", "operation")}
        self._violations += [{**known, **item} for item in found]

    def requests(self, service: str | None, since: int) -> list[Entry]:
        """Requests with a number above ``since``, of one service or of all."""
        return [item for item in self._entries if item["n"] > since and service in (None, item["service"])]

    def violations(self) -> list[dict[str, Any]]:
        """All breaches since the last clearing."""
        return list(self._violations)

    def counts(self) -> dict[str, Any]:
        """Totals since the last clearing; ``by`` has "<service> <operation or method>", ``last`` the newest number."""
        by = self._past + Counter(_label(item) for item in self._entries)
        return {
            "total": by.total(),
            "writes": self._past_writes + sum(1 for item in self._entries if item["write"]),
            "by": dict(sorted(by.items())),
            "connections": len(self._connections),
            "last": self._entries[-1]["n"] if self._entries else 0,
        }

    def clear(self) -> None:
        """Forget requests, counts and breaches."""
        self._entries.clear()
        self._past.clear()
        self._past_writes = 0
        self._connections.clear()
        self._violations.clear()

    def reset(self) -> None:
        """Forget everything; requests in progress belong to the past."""
        self.clear()
        self.resets += 1

    def _forget(self, entry: Entry) -> None:
        self._past[_label(entry)] += 1
        self._past_writes += bool(entry["write"])


def _end(_environ: Environ, entry: Entry) -> None:
    """Note that the request has ended, whether it was answered or broke off."""
    entry["over"] = True


def _label(entry: Entry) -> str:
    return f"{entry['service']} {entry['operation'] or entry['method']}"


def _declared_size(environ: Environ) -> int | None:
    """Length of the request's body; None when it comes in chunks."""
    chunked = environ.get("HTTP_TRANSFER_ENCODING", "").lower() == "chunked"
    return None if chunked else int(environ.get("CONTENT_LENGTH") or 0)


def _headers(environ: Environ) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in environ["headers_raw"]:
        title = name.title()
        headers[title] = f"{headers[title]}, {value}" if title in headers else value
    return headers
