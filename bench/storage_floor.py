# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The floor of the object storage: kept connections of http.client, MD5 checked, and nothing else.

    python bench/storage_floor.py push|pull FOLDER CONTAINER [--connections 8]
    python bench/storage_floor.py put|get FILE CONTAINER/OBJECT

It has no retries, no deadlines, no renewal of tokens and no checks of anything but checksums: less cannot be done.
Prints one line of JSON: ``seconds`` and ``cpu`` (processor seconds), both without the start of the process, ``rss``
(most memory, in MiB) and ``moved`` (objects sent or received). Settings are the FCD_STORAGE_ variables.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import queue
import socket
import ssl
import sys
import threading
import time
import typing as t
from pathlib import Path
from urllib.parse import quote, urlsplit

BLOCK = 1 << 20
BEHIND = 8
"""Blocks that may wait to be hashed."""


class Account:
    """One account: the address, the token, and one connection of each thread."""

    def __init__(self) -> None:
        """Log in."""
        self._base = urlsplit(os.environ["FCD_STORAGE_BASE"])
        self._tls = ssl.create_default_context(cafile=os.environ["FCD_CA_PATH"])
        self._local = threading.local()
        self.path = ""
        self.headers = {"X-Auth-User": os.environ["FCD_STORAGE_USER"], "X-Auth-Key": os.environ["FCD_STORAGE_KEY"]}
        answer, _body = self.ask("GET", "/auth/v1.0")
        self.path = urlsplit(answer.headers["X-Storage-Url"]).path
        self.headers = {"X-Auth-Token": answer.headers["X-Storage-Token"]}

    def connection(self) -> http.client.HTTPConnection:
        """Return the connection of this thread."""
        if not hasattr(self._local, "connection"):
            own = self._new()
            own.connect()
            own.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._local.connection = own
        return t.cast("http.client.HTTPConnection", self._local.connection)

    def _new(self) -> http.client.HTTPConnection:
        host, port = str(self._base.hostname), self._base.port
        if self._base.scheme == "http":
            return http.client.HTTPConnection(host, port, blocksize=BLOCK)
        return http.client.HTTPSConnection(host, port, context=self._tls, blocksize=BLOCK)

    def begin(self, method: str, path: str, body: t.Any = None, **headers: str) -> http.client.HTTPResponse:
        """Send a request and return its answer, of which the body is not read."""
        connection = self.connection()
        connection.request(method, self.path + path, body, {**self.headers, **headers})
        answer = connection.getresponse()
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {answer.status} {answer.read()[:200]!r}")
        return answer

    def ask(self, method: str, path: str, body: t.Any = None, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        """Send a request; returns its answer and the body."""
        answer = self.begin(method, path, body, **headers)
        return answer, answer.read()

    def listing(self, container: str) -> dict[str, str]:
        """Return the hashes of all objects."""
        found: dict[str, str] = {}
        page: list[dict[str, t.Any]] = [{}]
        while page:
            marker = quote(str(page[-1].get("name", "")), safe="")
            _answer, body = self.ask("GET", f"/{quote(container)}?format=json&marker={marker}")
            page = json.loads(body) if body else []
            found.update((entry["name"], entry["hash"]) for entry in page)
        return found


def push(account: Account, folder: str, container: str, connections: int) -> int:
    """Send what the container does not have."""
    there = account.listing(container)

    def send(name: str) -> bool:
        data = (Path(folder) / name).read_bytes()
        etag = hashlib.md5(data).hexdigest()
        if there.get(name) == etag:
            return False
        account.ask("PUT", f"/{container}/{quote(name)}", data, ETag=etag)
        return True

    return shared(send, sorted(files_below(folder)), connections)


def pull(account: Account, folder: str, container: str, connections: int) -> int:
    """Receive what the folder does not have."""
    there = account.listing(container)

    def receive(name: str) -> bool:
        path = Path(folder) / name
        if path.exists() and hashlib.md5(path.read_bytes()).hexdigest() == there[name]:
            return False
        _answer, data = account.ask("GET", f"/{container}/{quote(name)}")
        if hashlib.md5(data).hexdigest() != there[name]:
            raise SystemExit(f"{name}: other bytes than the listing tells")
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        part.write_bytes(data)
        part.replace(path)
        return True

    return shared(receive, sorted(there), connections)


def files_below(folder: str) -> t.Iterator[str]:
    """Yield the names of all files."""
    for place, _folders, names in os.walk(folder):
        yield from (os.path.relpath(os.path.join(place, name), folder) for name in names)


def shared(work: t.Callable[[str], bool], names: list[str], connections: int) -> int:
    """Do the work for all names in threads; returns for how many it was true."""
    todo = iter(names)
    lock = threading.Lock()
    done: list[bool] = []

    def turn() -> None:
        while True:
            with lock:
                name = next(todo, None)
            if name is None:
                return
            done.append(work(name))

    threads = [threading.Thread(target=turn) for _number in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(done) != len(names):
        raise SystemExit(f"{len(names) - len(done)} of {len(names)} failed")
    return sum(done)


class HashedAside:
    """MD5 in a thread of its own: hashing and the wire go on at the same time."""

    def __init__(self) -> None:
        """Start the thread."""
        self._md5 = hashlib.md5()
        self._blocks: queue.Queue[bytes] = queue.Queue(BEHIND)
        self._thread = threading.Thread(target=self._hash)
        self._thread.start()

    def add(self, block: bytes) -> None:
        """Hash a block; none after an empty one."""
        self._blocks.put(block)

    def end(self) -> str:
        """Return the checksum."""
        self._blocks.put(b"")
        self._thread.join()
        return self._md5.hexdigest()

    def _hash(self) -> None:
        while block := self._blocks.get():
            self._md5.update(block)


def put(account: Account, path: str, place: str, _connections: int) -> int:
    """Send one large file in blocks, hashed on the way."""
    hashed = HashedAside()

    def blocks(handle: t.BinaryIO) -> t.Iterator[bytes]:
        while block := handle.read(BLOCK):
            hashed.add(block)
            yield block

    with open(path, "rb") as handle:
        length = str(os.path.getsize(path))
        answer, _body = account.ask("PUT", f"/{place}", blocks(handle), **{"Content-Length": length})
    if hashed.end() != answer.headers["ETag"]:
        raise SystemExit("the service holds other bytes")
    return 1


def get(account: Account, path: str, place: str, _connections: int) -> int:
    """Receive one large object in blocks, hashed on the way."""
    hashed = HashedAside()
    answer = account.begin("GET", f"/{place}")
    with open(path, "wb") as handle:
        while block := answer.read(BLOCK):
            hashed.add(block)
            handle.write(block)
    if hashed.end() != answer.headers["ETag"].strip('"'):
        raise SystemExit("other bytes arrived")
    return 1


def most_memory() -> float:
    """Return the most memory that this process has had, in MiB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


WORK = {"push": push, "pull": pull, "put": put, "get": get}


def main() -> None:
    """Do one piece of work and print what it took."""
    parser = argparse.ArgumentParser(description="The floor of the object storage.")
    parser.add_argument("work", choices=WORK)
    parser.add_argument("path")
    parser.add_argument("place")
    parser.add_argument("--connections", type=int, default=8)
    given = parser.parse_args()
    begun, spent = time.perf_counter(), time.process_time()
    moved = WORK[given.work](Account(), given.path, given.place, given.connections)
    took = {"seconds": time.perf_counter() - begun, "cpu": time.process_time() - spent}
    json.dump({**took, "rss": most_memory(), "moved": moved}, sys.stdout)


if __name__ == "__main__":
    main()
