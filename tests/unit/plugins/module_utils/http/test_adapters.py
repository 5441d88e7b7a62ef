# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The way over http.client: what it does beyond what both ways do (test_connections, test_time_limits)."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import typing as t
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unauthorized, Unclear
from ansible_collections.fcd.cloud.plugins.module_utils._http import standard_adapter
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Request
from ansible_collections.fcd.cloud.plugins.module_utils._http.standard_adapter import WIRE_BLOCK

from .conftest import Senders
from .raw_server import RawServer, Visit, forever

Serve = t.Callable[..., RawServer]
MEBIBYTE = 1 << 20


@pytest.fixture
def direct() -> bool:
    """Every test here runs over http.client."""
    return True


def get(server: RawServer, path: str = "/", **more: t.Any) -> Request:
    return Request("Get it", "GET", server.url + path, **more)


# ---------------------------------------------------------------- what is sent


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("", b"GET / HTTP/1.1"),
        ("?a=b", b"GET /?a=b HTTP/1.1"),
        ("/v1/a//b/./../c/", b"GET /v1/a//b/./../c/ HTTP/1.1"),
        ("/a%20b/%3F%23%25/%E2%80%A8?x=%2F", b"GET /a%20b/%3F%23%25/%E2%80%A8?x=%2F HTTP/1.1"),
        ("/a#b", b"GET /a HTTP/1.1"),
    ],
)
def test_an_address_stays_as_it_is(path: str, line: bytes, serve: Serve, sender: Senders) -> None:
    server = serve(forever)
    sender().send(get(server, path, headers={"X-Own": "ż"}))
    lines = server.requests[0].split(b"\r\n")
    assert lines[:2] == [line, f"Host: 127.0.0.1:{server.port}".encode()]
    assert "X-Own: ż".encode() in lines
    assert b"Connection" not in server.requests[0]


@pytest.mark.parametrize(
    ("pieces", "lengths"),
    [
        ([], [4]),
        ([b""], [4]),
        ([b"abc"], [7]),
        ([b"x" * WIRE_BLOCK], [4 + WIRE_BLOCK]),
        ([b"a", b"b"], [5, 1]),
        ([b"x" * (2 * WIRE_BLOCK + 1)], [4, WIRE_BLOCK, WIRE_BLOCK, 1]),
        ([b"a", b"x" * (WIRE_BLOCK + 1)], [5, WIRE_BLOCK, 1]),
    ],
)
def test_a_head_leaves_together_with_a_small_body(pieces: list[bytes], lengths: list[int]) -> None:
    writes = list(standard_adapter._writes(b"head", pieces))
    assert [len(write) for write in writes] == lengths
    assert b"".join(writes) == b"head" + b"".join(pieces)


# ---------------------------------------------------------------- connections


def closing_one(visit: Visit) -> None:
    """Close the first connection when its second request comes."""
    visit.read()
    visit.answer()
    while visit.read() and visit.number > 1:
        visit.answer()


@pytest.mark.parametrize("kind", ["read", "idempotent"])
def test_a_connection_that_closes_just_then_is_replaced_at_once(kind: str, serve: Serve, sender: Senders) -> None:
    server, opened, exchange = serve(closing_one), [], sender()

    def open_it() -> t.Iterator[bytes]:
        opened.append(1)
        return iter([b"ab", b"c"])

    assert exchange.send(get(server)).repeated is False
    answer = exchange.send(Request("Put it", "PUT", server.url, kind, body=open_it, length=3))
    assert answer.repeated is (kind == "idempotent"), "the first may have been carried out"
    assert [request[-3:] for request in server.requests] == [b"\n\r\n", b"abc", b"abc"]
    assert (server.connections, len(opened)) == (2, 2)
    assert (sender.warnings, sender.clock.pauses) == ([], [])  # type: ignore[attr-defined]


def test_an_answer_that_breaks_off_is_not_replaced_in_silence(serve: Serve, sender: Senders) -> None:
    def breaking(visit: Visit) -> None:
        visit.read()
        visit.answer()
        visit.read()
        visit.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")

    server, kept = serve(breaking), []
    sender().send(get(server))
    with pytest.raises(Unclear, match="its answer was cut off"):
        sender().send(get(server, stream_to=kept.append))
    assert (b"".join(kept), server.connections) == (b"abc", 1)


def test_threads_do_not_get_the_answers_of_others(serve: Serve, sender: Senders) -> None:
    def echo(visit: Visit) -> None:
        while data := visit.read():
            visit.answer(data.split(b" ", 2)[1])

    server, exchange = serve(echo), sender()
    with ThreadPoolExecutor(8) as pool:
        paths = [f"/{number}" for number in range(400)]
        answers = list(pool.map(lambda path: exchange.send(get(server, path)).body.decode(), paths))
    assert answers == paths
    assert server.connections <= 8


def test_no_more_connections_are_kept_than_allowed(
    serve: Serve, sender: Senders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standard_adapter, "MAX_IDLE", 0)
    server = serve(forever)
    for _number in range(2):
        sender().send(get(server))
    assert server.connections == 2


class Tokens:
    """Credentials that can be renewed once."""

    def __init__(self) -> None:
        self.tokens = ["old", "new"]

    def headers(self) -> dict[str, str]:
        return {"X-Auth-Token": self.tokens[0]}

    def renew(self) -> bool:
        self.tokens.pop(0)
        return True


def refusing_the_old(visit: Visit) -> None:
    """Answer after the head, with most of the body unread, and close."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += visit.connection.recv(4096) or b"\r\n\r\n"
    if b"X-Auth-Token: old" in data:
        visit.answer(b"", "401 Unauthorized", "Connection: close")
        return
    left = 8 * MEBIBYTE - len(data.partition(b"\r\n\r\n")[2])
    while left and (piece := visit.connection.recv(65536)):
        left -= len(piece)
    visit.answer(b"", "201 Created")


def test_an_answer_that_comes_before_the_body_was_sent_counts(serve: Serve, sender: Senders) -> None:
    server = serve(refusing_the_old)
    request = Request(
        "Put it", "PUT", server.url, "idempotent", body=lambda: iter([b"x" * MEBIBYTE] * 8), length=8 << 20
    )
    assert sender().send(request, Tokens()).status == 201
    with pytest.raises(Unauthorized):
        sender().send(request._replace(headers={"X-Auth-Token": "old"}))
    assert sender.warnings == []


def test_without_its_authorities_requests_is_not_needed(sender: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "certifi", None)
    context = standard_adapter._new_context(verify=True)
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


# ---------------------------------------------------------------- memory

CHILD = """
import json, sys
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, ExchangeOptions, Request

def most():
    with open("/proc/self/status") as status:
        return int(status.read().partition("VmHWM:")[2].split()[0]) / 1024

url, size = sys.argv[1], int(sys.argv[2])
clock = Clock()
options = ExchangeOptions(True, 60.0, 0, Deadline(clock, None), clock, "a", print, Redactor([]), False, direct=True)
exchange = Exchange(options)
exchange.send(Request("Get it", "GET", url + "/small"))
before, blocks = most(), []
exchange.send(Request("Get it", "GET", url + "/large", stream_to=lambda piece: blocks.append(len(piece))))
exchange.send(Request("Put it", "PUT", url, "idempotent", body=lambda: open(sys.argv[3], "rb"), length=size))
print(json.dumps({"grown": most() - before, "received": sum(blocks), "least": min(blocks),
                  "imported": sorted({"requests", "urllib3", "charset_normalizer"} & set(sys.modules))}))
"""


def test_large_bodies_take_little_memory_and_no_library(serve: Serve, tmp_path: Path) -> None:
    size, block = 100 * MEBIBYTE, b"x" * MEBIBYTE
    sent = []

    def large(visit: Visit) -> None:
        while True:
            data = b""
            while b"\r\n\r\n" not in data:
                piece = visit.connection.recv(65536)
                if not piece:
                    return
                data += piece
            if data.startswith(b"PUT"):
                sent.append(len(data.partition(b"\r\n\r\n")[2]))
                while sum(sent) < size and (piece := visit.connection.recv(MEBIBYTE)):
                    sent.append(len(piece))
                visit.answer(b"", "201 Created")
            elif data.startswith(b"GET /large"):
                visit.send(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode(), *[block] * 100)
            else:
                visit.answer()

    file = tmp_path / "large"
    with open(file, "wb") as handle:
        handle.truncate(size)
    command = [sys.executable, "-c", CHILD, serve(large).url, str(size), str(file)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["received"], sum(sent), found["imported"]) == (size, size, [])
    assert found["least"] >= WIRE_BLOCK
    assert found["grown"] < 8
