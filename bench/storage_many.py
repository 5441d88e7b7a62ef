# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs to find nothing to do in very many files: requests, memory and time, beside the floor.

    python bench/storage_many.py [--files 100000] [--connections 8]

A real server would need seven minutes for the objects (4 ms for each, whichever way they are sent), so listings come
from a stand-in here: it knows log-ins and the pages of one container, which are made of the files themselves.
"""

from __future__ import annotations

import argparse
import hashlib
import http.server
import json
import shutil
import sys
import tempfile
import threading
import typing as t
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from storage_clients import Clients, Took, floor, goal, middle, ours, table

PAGE = 10_000
FOLDERS = 100


class Listings(http.server.ThreadingHTTPServer):
    """A server that answers log-ins and listings, and counts them like the sandbox."""

    daemon_threads = True

    def __init__(self, entries: list[dict[str, t.Any]]) -> None:
        """Listen on a free port of this machine."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.entries = entries
        self.url = f"http://127.0.0.1:{self.server_port}"
        self._environment = {
            "FCD_STORAGE_BASE": self.url,
            "FCD_STORAGE_USER": "bench:admin",
            "FCD_STORAGE_KEY": "bench-key",
            "FCD_CA_PATH": "/etc/ssl/certs/ca-certificates.crt",
        }
        self._requests: dict[str, int] = {}

    @property
    def environment(self) -> dict[str, str]:
        """The settings of its clients."""
        return self._environment

    def count(self, operation: str) -> None:
        """Count a request."""
        self._requests[operation] = self._requests.get(operation, 0) + 1

    def clear_requests(self) -> None:
        """Begin to count."""
        self._requests = {}

    def counts(self) -> dict[str, t.Any]:
        """Return what was counted."""
        return {"by": dict(self._requests)}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Listings

    def do_GET(self) -> None:
        """Answer a log-in, or a page."""
        address = urlsplit(self.path)
        if address.path.startswith("/auth"):
            self.server.count("GET auth")
            self._answer(b"", {"X-Storage-Token": "token", "X-Storage-Url": f"{self.server.url}/v1/bench"})
            return
        if address.path.count("/") != 3:
            self.server.count("GET other")
            self.send_error(404)
            return
        self.server.count("GET container")
        query = {name: values[-1] for name, values in parse_qs(address.query).items()}
        self._answer(json.dumps(self._page(query.get("marker", ""))).encode(), {"Content-Type": "application/json"})

    def _page(self, marker: str) -> list[dict[str, t.Any]]:
        entries = self.server.entries
        start = next((at for at, entry in enumerate(entries) if entry["name"] > marker), len(entries))
        return entries[start : start + PAGE]

    def do_HEAD(self) -> None:
        """Describe the container."""
        self.server.count("HEAD container")
        self._answer(b"", {"X-Container-Object-Count": str(len(self.server.entries))})

    def _answer(self, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(200)
        for name, value in {**headers, "X-Trans-Id": "tx-bench", "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


def make_files(folder: Path, files: int) -> list[dict[str, t.Any]]:
    """Write small files that all differ; returns what a listing says of them, in its order."""
    entries = []
    for number in range(files):
        path = folder / f"folder-{number % FOLDERS:03}" / f"a-file-with-a-usual-name-{number:06}.txt"
        if number < FOLDERS:
            path.parent.mkdir(parents=True)
        content = f"{number:064}".encode()
        path.write_bytes(content)
        entries.append(
            {
                "name": str(path.relative_to(folder)),
                "hash": hashlib.md5(content).hexdigest(),
                "bytes": len(content),
                "content_type": "text/plain",
                "last_modified": "2026-01-01T00:00:00.000000",
            }
        )
    return sorted(entries, key=lambda entry: str(entry["name"]))


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="Nothing to do in very many files.")
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=8)
    given = parser.parse_args()
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="fcd-bench-", dir=shared if shared.exists() else None) as folder:
        measure(Path(folder), given)


def measure(work: Path, given: argparse.Namespace) -> None:
    """Run the floor and ours, and print them."""
    tree = work / "tree"
    with Listings(make_files(tree, given.files)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        clients = Clients(server, work)
        command = ours("storage_sync", mode="push", path=str(tree), container="many", connections=given.connections)
        turns: dict[str, list[Took]] = {"floor": [], "ours, cold": [], "ours": []}
        turns["floor"].append(clients.took(floor("push", tree, "many", given.connections)))
        turns["ours, cold"].append(clients.took(command))
        turns["ours"].append(clients.took(command))
        server.shutdown()
    shutil.rmtree(tree)
    pages = -(-given.files // PAGE) + 1
    table(f"{given.files} files, nothing to do", turns)
    for name in ("ours, cold", "ours"):
        one = middle(turns[name])
        goal(f"{name}: memory, MiB", one.rss, 150, 0)
        goal(f"{name}: requests (pages, the empty one, a log-in)", one.total, pages + 1, 0)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
