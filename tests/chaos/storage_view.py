# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The object storage as any other client sees it, and trees of files to move in and out of it."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import ssl
import typing as t
from pathlib import Path
from urllib.parse import quote, urlsplit

from sandbox.process import SandboxProcess

Answer = t.Tuple[int, t.Dict[str, str], bytes]
OLD = 1_600_000_000
"""Modification time of the files: long ago, so that it is beyond doubt that they do not change."""


class View:
    """One kept connection past the collection. Its requests are in the sandbox's log like all others."""

    def __init__(self, sandbox: SandboxProcess) -> None:
        """Log in."""
        self._tls = ssl.create_default_context(cafile=sandbox.info["ca_path"])
        self._base = urlsplit(sandbox.info["storage_base"])
        self._connect()
        known = sandbox.info["credentials"]
        status, headers, _body = self._ask(
            "GET", "/auth/v1.0", {"X-Auth-User": known["storage_user"], "X-Auth-Key": known["storage_key"]}
        )
        assert status == 200
        self._path = urlsplit(headers["x-storage-url"]).path
        self._token = {"X-Auth-Token": headers["x-storage-token"]}

    def ask(self, method: str, path: str = "", body: bytes | None = None, **headers: str) -> Answer:
        """Send a request; ``path`` is below the account and already quoted; header names come back in lower case."""
        own = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._ask(method, self._path + path, {**self._token, **own}, body)

    def listing(self, container: str, prefix: str = "") -> dict[str, tuple[int, str]]:
        """Return size and hash of every object that is listed, large ones by their own hash."""
        found: dict[str, tuple[int, str]] = {}
        marker = ""
        while True:
            query = f"?format=json&prefix={quote(prefix, safe='')}&marker={quote(marker, safe='')}"
            status, _headers, body = self.ask("GET", f"/{quote(container, safe='')}{query}")
            page = json.loads(body) if status == 200 else []
            if not page:
                return found
            for entry in page:
                found[entry["name"]] = entry["bytes"], entry.get("slo_etag", entry["hash"]).strip('"')
            marker = page[-1]["name"]

    def content(self, container: str, name: str) -> bytes | None:
        """Return what an object holds; None where there is none."""
        status, headers, body = self.ask("GET", f"/{quote(container, safe='')}/{quote(name)}")
        if status == 404:
            return None
        assert status == 200, (status, headers, body[:200])
        return body

    def _connect(self) -> None:
        self._connection = http.client.HTTPSConnection(str(self._base.hostname), self._base.port, context=self._tls)

    def _ask(self, method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> Answer:
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
        except (ConnectionError, http.client.RemoteDisconnected):  # it was not used for long
            self._connect()
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def make_tree(folder: Path, files: int, size: int, seed: int = 1) -> dict[str, bytes]:
    """Write files with random content, some of them in folders; returns their contents by name."""
    chance = random.Random(seed)
    names = [f"{'abc'[number % 3]}/{number:03}" if number % 4 else f"{number:03}" for number in range(files)]
    contents = {name: chance.randbytes(size) for name in names}
    for name, content in contents.items():
        write_old(folder / name, content)
    return contents


def write_old(path: Path, content: bytes) -> None:
    """Write a file that seems to be from long ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (OLD, OLD))


def read_tree(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def listed(contents: t.Mapping[str, bytes]) -> dict[str, tuple[int, str]]:
    """Return what a listing is to say of these contents."""
    return {name: (len(content), hashlib.md5(content).hexdigest()) for name, content in contents.items()}
