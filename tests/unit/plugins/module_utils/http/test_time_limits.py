# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A call ends in time, whatever the other side does; measured against sockets that misbehave."""

from __future__ import annotations

import math
import os
import socket
import threading
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    DeadlinePassed,
    FcdError,
    Unclear,
    Unreachable,
)
from ansible_collections.fcd.cloud.plugins.module_utils._http import connection
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Request
from ansible_collections.fcd.cloud.plugins.module_utils._http.connection import TookTooLong, reach

from .conftest import Senders
from .raw_server import RawServer, Visit, forever

LIMIT = 0.3  # seconds
LATE = 120.0  # seconds; what a busy machine may add, while the other side would hang for as long as it is left to
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
Serve = t.Callable[..., RawServer]


@pytest.fixture(params=[False, True], ids=["requests", "standard"])
def direct(request: pytest.FixtureRequest) -> bool:
    """Every test here runs over both ways."""
    return t.cast("bool", request.param)


def silence(visit: Visit) -> None:
    visit.read()
    visit.silence()


def silent_body(visit: Visit) -> None:
    visit.read()
    visit.send(HEAD + b"{")
    visit.silence()


def slow_body(visit: Visit) -> None:
    visit.read()
    visit.send(HEAD)
    visit.drip(b" " * 1000)


def slow_chunks(visit: Visit) -> None:
    visit.read()
    visit.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    visit.drip(b"1\r\n \r\n" * 500)


def slow_body_without_length(visit: Visit) -> None:
    visit.read()
    visit.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}")
    visit.drip(b" " * 1000)


def slow_status_line(visit: Visit) -> None:
    visit.read()
    visit.drip(b"HTTP/1.1 200 " + b"O" * 1000)


def slow_headers(visit: Visit) -> None:
    visit.read()
    visit.send(b"HTTP/1.1 200 OK\r\n")
    visit.drip(b"A: b\r\n" * 90)


def many_interim_answers(visit: Visit) -> None:
    visit.read()
    while not visit.server.stopped.is_set():
        visit.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def endless_body(visit: Visit) -> None:
    visit.read()
    visit.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    while not visit.server.stopped.wait(0.01):
        visit.send(b" " * 65536)


HANGS = [
    silence,
    silent_body,
    slow_body,
    slow_chunks,
    slow_body_without_length,
    slow_status_line,
    slow_headers,
    many_interim_answers,
    endless_body,
]


def ended(limit: float, call: t.Callable[[], object]) -> FcdError:
    """Return the error; it came after the limit, and not when the other side let go."""
    start = time.monotonic()
    with pytest.raises(FcdError) as caught:
        call()
    assert time.monotonic() - start < limit + LATE
    return caught.value


@pytest.mark.parametrize("hang", HANGS, ids=lambda hang: hang.__name__)
@pytest.mark.parametrize("kind", ["read", "write"])
def test_an_answer_that_does_not_come(hang: t.Any, kind: str, serve: Serve, live: Senders) -> None:
    server = serve(hang)
    request = Request("Read it", "GET", server.url, kind, json_answer=True)
    error = ended(LIMIT, lambda: live(timeout=LIMIT).send(request))
    assert type(error) is DeadlinePassed
    assert "0.3 s of this call" in error.message
    assert error.next_step == "If the service is only slow, raise timeout."
    assert len(server.requests) == 1


def test_a_connection_that_was_kept_is_watched_too(serve: Serve, live: Senders) -> None:
    def second_slow(visit: Visit) -> None:
        visit.read()
        visit.answer()
        slow_headers(visit)

    server = serve(second_slow)
    live().send(Request("Read it", "GET", server.url))
    error = ended(LIMIT, lambda: live(timeout=LIMIT).send(Request("Read it", "GET", server.url)))
    assert type(error) is DeadlinePassed
    assert server.connections == 1


def test_the_end_of_the_task_comes_first(serve: Serve, live: Senders) -> None:
    server = serve(silence)
    error = ended(LIMIT, lambda: live(task=LIMIT).send(Request("Read it", "GET", server.url)))
    assert type(error) is DeadlinePassed
    assert "0.3 s of this task" in error.message
    assert "task_timeout" in str(error.next_step)


def test_a_task_that_is_over_sends_nothing(serve: Serve, live: Senders) -> None:
    server = serve(forever)
    with pytest.raises(DeadlinePassed):
        live(task=0.0).send(Request("Read it", "GET", server.url))
    assert server.connections == 0


def slow_handshake(visit: Visit) -> None:
    visit.drip(b"\x16\x03\x03\x40\x00" + b"\x02" * 1000)


@pytest.mark.parametrize("hang", [Visit.silence, slow_handshake])
def test_a_handshake_that_hangs_has_sent_nothing(hang: t.Any, serve: Serve, live: Senders) -> None:
    server = serve(hang)
    request = Request("Make it", "POST", f"https://127.0.0.1:{server.port}", "write")
    error = ended(LIMIT, lambda: live(timeout=LIMIT).send(request))
    assert type(error) is Unreachable


@pytest.mark.parametrize("hang", [silence, slow_headers])
def test_a_proxy_that_hangs_has_sent_nothing(
    hang: t.Any, serve: Serve, live: Senders, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(hang)
    monkeypatch.setenv("https_proxy", f"http://user:canary@127.0.0.1:{server.port}")
    request = Request("Make it", "POST", "https://api.example.com/x", "write")
    error = ended(LIMIT, lambda: live(timeout=LIMIT).send(request))
    assert type(error) is Unreachable
    assert f"through the proxy http://127.0.0.1:{server.port}:" in error.message
    assert server.requests[0].startswith(b"CONNECT api.example.com:443 ")


def test_an_upload_that_nobody_reads(serve: Serve, live: Senders) -> None:
    server = serve(Visit.silence)
    request = Request("Put it", "PUT", server.url, "idempotent", body=b"x" * (20 << 20))
    assert type(ended(LIMIT, lambda: live(timeout=LIMIT).send(request))) is DeadlinePassed


def test_an_upload_in_pieces_that_nobody_reads(serve: Serve, live: Senders) -> None:
    server = serve(Visit.silence)
    size = 20 << 20
    request = Request("Put it", "PUT", server.url, "idempotent", body=lambda: iter([b"x" * size]), length=size)
    assert type(ended(LIMIT, lambda: live(timeout=LIMIT).send(request))) is DeadlinePassed


def test_without_an_end_silence_ends_it(serve: Serve, live: Senders) -> None:
    server = serve(silence)
    request = Request("Get it", "GET", server.url, "read", timeout=math.inf)
    error = ended(LIMIT, lambda: live(timeout=LIMIT, retries=0).send(request))
    assert type(error) is Unclear
    assert "no answer in time" in error.message


def test_without_an_end_slowness_does_not(serve: Serve, live: Senders) -> None:
    def slow(visit: Visit) -> None:
        visit.read()
        visit.send(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")
        visit.drip(b"x" * 12)

    server = serve(slow)
    request = Request("Get it", "GET", server.url, "read", timeout=math.inf)
    assert live(timeout=LIMIT).send(request).body == b"x" * 12


def test_a_longer_limit_of_the_request_counts(serve: Serve, live: Senders) -> None:
    def late(visit: Visit) -> None:
        visit.read()
        visit.server.stopped.wait(LIMIT)
        visit.answer()

    server = serve(late)
    assert live(timeout=LIMIT / 4).send(Request("Get it", "GET", server.url, timeout=LATE)).status == 200


def test_a_name_that_nobody_can_look_up(live: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()
    monkeypatch.setattr(connection.socket, "getaddrinfo", lambda *_args, **_more: [end.wait(20)])
    try:
        request = Request("Make it", "POST", "https://api.example.com", "write")
        error = ended(LIMIT, lambda: live(timeout=LIMIT).send(request))
    finally:
        end.set()
    assert type(error) is Unreachable


@pytest.fixture
def full() -> t.Iterator[int]:
    """A port that lets nobody in any more."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        waiting = [socket.socket() for _number in range(4)]
        for client in waiting:
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
        yield port
        for client in waiting:
            client.close()


def test_a_dead_address_leaves_time_for_the_next(full: int, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(forever)
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)) for port in (full, server.port)]
    monkeypatch.setattr(connection.socket, "getaddrinfo", lambda *_args, **_more: found)
    start = time.monotonic()
    with reach("api.example.com", 443, 6.0) as reached:
        assert reached.getpeername()[1] == server.port
    assert time.monotonic() - start > 0.3


def test_all_addresses_together_have_one_limit(full: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", full))] * 2000
    monkeypatch.setattr(connection.socket, "getaddrinfo", lambda *_args, **_more: found)
    start = time.monotonic()
    with pytest.raises(OSError):
        reach("api.example.com", 443, 0.3)
    assert time.monotonic() - start < LATE


def test_no_time_is_left_for_the_second_address(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 9))]
    monkeypatch.setattr(connection.socket, "getaddrinfo", lambda *_args, **_more: found)
    with pytest.raises(TookTooLong, match="no connection within 0 s"):
        reach("127.0.0.1", 9, 0.0)


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "not known"),
        (UnicodeError("label too long"), "not a valid host name"),
    ],
)
def test_a_name_that_is_not_known(problem: Exception, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: t.Any, **_more: t.Any) -> None:
        raise problem

    monkeypatch.setattr(connection.socket, "getaddrinfo", fail)
    with pytest.raises(socket.gaierror, match=text):
        reach("api.example.com", 443, 1.0)


def test_a_forked_process_has_its_own_connections_and_watchdog(serve: Serve, live: Senders) -> None:
    def first_good(visit: Visit) -> None:
        while visit.read():
            if len(visit.server.requests) > 2:
                visit.drip(b"HTTP/1.1 200 " + b"O" * 1000)
            visit.answer()

    server = serve(first_good)
    request = Request("Get it", "GET", server.url)
    live().send(request)
    child = os.fork()
    if child == 0:  # no test framework in here
        code = 1
        try:
            assert live().send(request).status == 200
            live(timeout=LIMIT).send(request)
        except DeadlinePassed:
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert server.connections == 2
