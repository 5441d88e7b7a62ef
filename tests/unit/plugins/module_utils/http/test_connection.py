# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections: kept open, closed after failures, checked, and never taken somewhere by the environment."""

from __future__ import annotations

import socket
import ssl
import typing as t
import warnings
from datetime import datetime, timezone
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    InvalidInput,
    ServiceError,
    Unclear,
    Unreachable,
    Unusable,
)
from ansible_collections.fcd.cloud.plugins.module_utils._http import connection
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Request
from ansible_collections.fcd.cloud.plugins.module_utils._http.connection import TookTooLong
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import AddressSource

from .conftest import Senders
from .raw_server import RawServer, Visit, forever

PAST, FUTURE = (datetime(year, 1, 1, tzinfo=timezone.utc) for year in (2001, 2999))

Serve = t.Callable[..., RawServer]


@pytest.fixture(params=[False, True], ids=["requests", "standard"])
def direct(request: pytest.FixtureRequest) -> bool:
    """Every test here runs over both ways."""
    return t.cast("bool", request.param)


def get(server: RawServer, **more: t.Any) -> Request:
    return Request("Get it", "GET", server.url, **more)


WHOLE = {  # answers with and without a body, in every way to say where it ends
    b"HEAD": b"HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n",
    b"OPTIONS": b"HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n",
    b"DELETE": b"HTTP/1.1 204 No Content\r\n\r\n",
    b"PUT": b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
    b"POST": b"HTTP/1.1 500 Bad\r\nContent-Length: 2\r\n\r\nno",
    b"GET": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
}


def test_a_connection_serves_many_requests_of_several_exchanges(serve: Serve, sender: Senders) -> None:
    def mixed(visit: Visit) -> None:
        while data := visit.read():
            visit.send(WHOLE[data.partition(b" ")[0]])

    server = serve(mixed)
    for method in ("HEAD", "DELETE", "PUT", "GET", "OPTIONS", "HEAD"):
        sender().send(Request("Do it", method, server.url, accept_statuses={304}))
    with pytest.raises(ServiceError):
        sender().send(Request("Do it", "POST", server.url, "write"))
    sender().send(get(server, json_answer=True))
    assert server.connections == 2, "one of them is for what must not be sent twice"
    assert len(server.requests) == 8


@pytest.mark.parametrize("kind", ["write", "login"])
def test_what_must_not_be_sent_twice_gets_a_new_connection(kind: str, serve: Serve, sender: Senders) -> None:
    """The server ends those that were open when a request comes; that was not carried out."""

    def closing(visit: Visit) -> None:
        if visit.read():
            visit.answer()
            visit.read()

    server, exchange = serve(closing), sender()
    for _each in range(2):
        exchange.send(Request("Make it", "POST", server.url, kind, body=b"abc"))
    assert (server.connections, len(server.requests)) == (2, 2)


@pytest.mark.parametrize("kind", ["write", "login"])
def test_what_must_not_be_sent_twice_is_not(kind: str, serve: Serve, sender: Senders) -> None:
    server = serve(lambda visit: visit.read())
    with pytest.raises(Unclear, match="it closed the connection without an answer"):
        sender().send(Request("Make it", "POST", server.url, kind, body=b"abc"))
    assert (server.connections, len(server.requests)) == (1, 1)


def test_a_server_that_leaves_may_have_expected_https(serve: Serve, sender: Senders) -> None:
    server = serve(lambda visit: visit.read())
    with pytest.raises(Unclear, match=r"without an answer\. .*speaks https, write https://\.$"):
        sender().send(Request("Log in", "GET", server.url, "login"))


def test_a_connection_that_was_closed_meanwhile_is_made_anew(serve: Serve, sender: Senders) -> None:
    def once(visit: Visit) -> None:
        visit.read()
        visit.answer()
        visit.connection.shutdown(socket.SHUT_WR)

    server = serve(once)
    exchange = sender()
    for _number in range(3):
        exchange.send(get(server, kind="write"))
        server._threads[-1].join(5)
    assert server.connections == 3


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00",
        b"HTTP/1.1 200",
        b"HTTP/1.1 201 Created\r\nEtag: 0123",
        b"HTTP/1.1 201 Created\r\nEtag: 0123\r\n",
        b"SSH-2.0-server\r\n",
        b"",
    ],
)
def test_an_answer_that_is_cut_off(answer: bytes, serve: Serve, sender: Senders) -> None:
    def cut(visit: Visit) -> None:
        visit.read()
        if visit.number % 2:
            visit.send(answer)
        else:
            visit.answer(b"{}", "200 OK", "Connection: close")

    server = serve(cut)
    with pytest.raises(Unclear) as caught:
        sender().send(get(server, kind="write"))
    assert type(caught.value) is Unclear
    assert "gave no usable answer" in caught.value.message
    assert len(server.requests) == 1
    assert sender().send(get(server)).body == b"{}"
    assert sender().send(get(server)).body == b"{}"
    assert len(sender.warnings) == 1


def test_what_comes_before_the_answer_is_read_over(serve: Serve, sender: Senders) -> None:
    def hinting(visit: Visit) -> None:
        while visit.read():
            visit.send(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\n")
            visit.answer(b'{"a": 1}')

    server = serve(hinting)
    assert [sender().send(get(server)).body for _number in range(2)] == [b'{"a": 1}'] * 2
    assert server.connections == 1


def test_a_defect_of_ours_is_not_taken_for_an_answer(serve: Serve, sender: Senders) -> None:
    def broken() -> t.Any:
        raise ValueError("a defect")

    with pytest.raises(ValueError, match="a defect"):
        sender().send(get(serve(forever), body=broken, length=3))


def test_a_reset_after_the_request(serve: Serve, sender: Senders) -> None:
    def broken(visit: Visit) -> None:
        visit.read()
        visit.reset()

    server = serve(broken)
    with pytest.raises(Unclear, match="reset the connection"):
        sender().send(get(server, kind="write"))
    with pytest.raises(Unclear, match="It was tried 4 times"):
        sender().send(get(server))
    assert len(server.requests) == 5


def test_nobody_listens(sender: Senders) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(Unreachable) as caught:
        sender().send(Request("Make it", "POST", f"http://127.0.0.1:{port}/path?secret", "write"))
    assert caught.value.message == (
        f"Make it: cannot connect to http://127.0.0.1:{port}: Connection refused. It was tried 4 times."
    )
    assert caught.value.next_step == "Check host and port in the address, and that this host can reach them."


@pytest.mark.parametrize(
    ("problem", "advice"),
    [
        (ConnectionRefusedError(), "Check host and port in base_url (https://a.example.com/b), and that this host "),
        (TookTooLong("too long"), "Check host and port in base_url (https://a.example.com/b), and that this host "),
        (socket.gaierror(-2, "not there"), "Check the host in base_url (https://a.example.com/b)."),
        (ssl.SSLCertVerificationError(), "Check the host in base_url (https://a.example.com/b), and that ca_path "),
        (ssl.SSLError(), "Check that the port in base_url (https://a.example.com/b) speaks https."),
    ],
)
def test_a_connection_that_was_not_made_names_the_option(
    problem: Exception, advice: str, sender: Senders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: t.Any) -> t.NoReturn:
        raise problem

    monkeypatch.setattr(connection, "reach", fail)
    sources = [AddressSource("base_url", "https://a.example.com/b", "it")]
    with pytest.raises(Unreachable) as caught:
        sender(retries=0, sources=sources).send(Request("Get it", "GET", "https://a.example.com/b/c"))
    assert str(caught.value.next_step).startswith(advice)


@pytest.mark.parametrize("declared", [True, False])
def test_an_answer_without_end_is_not_kept(declared: bool, serve: Serve, sender: Senders) -> None:
    def large(visit: Visit) -> None:
        visit.read()
        length = b"Content-Length: 9000000\r\n" if declared else b""
        visit.send(b"HTTP/1.1 200 OK\r\n" + length + b"Connection: close\r\n\r\n", b"x" * 9_000_000)

    server = serve(large)
    with pytest.raises(Unusable, match="larger than 1 MiB"):
        sender().send(get(server, limit=1 << 20))
    with pytest.raises(Unclear, match="larger than 1 MiB"):
        sender().send(get(server, limit=1 << 20, kind="write"))
    assert len(server.requests) == 2


def test_of_an_error_only_the_beginning_is_read(serve: Serve, sender: Senders) -> None:
    def large(visit: Visit) -> None:
        visit.read()
        visit.send(b"HTTP/1.1 500 Bad\r\n\r\nsorry ", b"x" * 9_000_000)

    server = serve(large)
    with pytest.raises(ServiceError, match="HTTP 500: sorry xxx"):
        sender().send(get(server, kind="write"))


def test_an_error_that_is_cut_off_is_that_error(serve: Serve, sender: Senders) -> None:
    def cut(visit: Visit) -> None:
        visit.read()
        visit.send(b"HTTP/1.1 403 No\r\nContent-Length: 99\r\n\r\nnot for you")

    server = serve(cut)
    with pytest.raises(ServiceError, match="HTTP 403: not for you"):
        sender().send(get(server))


def test_a_body_goes_to_where_it_is_kept(serve: Serve, sender: Senders) -> None:
    def packed(visit: Visit) -> None:
        while visit.read():
            visit.answer(b"\x1f\x8b-as-it-is-stored", "200 OK", "Content-Encoding: gzip")

    server, kept = serve(packed), []
    answer = sender().send(get(server, stream_to=kept.append))
    assert (b"".join(kept), answer.body) == (b"\x1f\x8b-as-it-is-stored", b"")
    assert b"\r\nAccept-Encoding: identity\r\n" in server.requests[0]


def test_what_was_handed_over_is_not_read_a_second_time(serve: Serve, sender: Senders) -> None:
    def cut(visit: Visit) -> None:
        visit.read()
        visit.send(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc")

    server, kept = serve(cut), []
    with pytest.raises(Unclear, match="cut off"):
        sender().send(get(server, stream_to=kept.append))
    assert (kept, len(server.requests)) == ([b"abc"], 1)


def test_an_error_is_not_handed_over(serve: Serve, sender: Senders) -> None:
    def missing(visit: Visit) -> None:
        while visit.read():
            visit.answer(b"gone", "404 Not Found")

    kept: list[bytes] = []
    request = get(serve(missing), stream_to=kept.append, accept_statuses={404})
    assert (sender().send(request).body, kept) == (b"gone", [])


def test_a_disk_that_is_full_is_no_fault_of_the_service(serve: Serve, sender: Senders) -> None:
    def full(_piece: bytes) -> None:
        raise OSError(28, "No space left on device")

    server = serve(forever)
    with pytest.raises(InvalidInput, match="No space left"):
        sender().send(get(server, stream_to=full))
    assert len(server.requests) == 1


class Stream:
    """A file that is shorter or longer than it was."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)
        self.closed = False

    def read(self, _size: int) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""

    def close(self) -> None:
        self.closed = True


def test_a_body_in_pieces(serve: Serve, sender: Senders) -> None:
    server, stream = serve(forever), Stream(b"abc", b"def")
    sender().send(Request("Put it", "PUT", server.url, "idempotent", body=lambda: stream, length=6))
    head, _gap, body = server.requests[0].partition(b"\r\n\r\n")
    assert (body, stream.closed) == (b"abcdef", True)
    assert b"Content-Length: 6" in head
    assert b"chunked" not in head.lower()


def test_a_body_in_pieces_is_opened_anew_for_each_try(serve: Serve, sender: Senders) -> None:
    def second_good(visit: Visit) -> None:
        visit.read()
        visit.answer(b"", "503 Later" if visit.number == 1 else "201 Created", "Connection: close")

    server, opened = serve(second_good), []

    def open_it() -> t.Iterator[bytes]:
        opened.append(1)
        return iter([b"ab", b"c"])

    sender().send(Request("Put it", "PUT", server.url, "idempotent", body=open_it, length=3))
    assert [request.partition(b"\r\n\r\n")[2] for request in server.requests] == [b"abc", b"abc"]
    assert len(opened) == 2


@pytest.mark.parametrize("pieces", [(b"ab",), (b"ab", b"cdef"), ()])
def test_a_body_that_has_changed_is_not_sent_as_a_whole(
    pieces: tuple[bytes, ...], serve: Serve, sender: Senders
) -> None:
    server, stream = serve(forever), Stream(*pieces)
    with pytest.raises(InvalidInput, match="no longer 4 bytes long"):
        sender().send(Request("Put it", "PUT", server.url, "idempotent", body=lambda: stream, length=4))
    assert (server.requests, stream.closed) == ([], True)


def test_a_body_that_cannot_be_read(serve: Serve, sender: Senders, tmp_path: Path) -> None:
    server = serve(forever)
    with pytest.raises(InvalidInput, match="No such file"):
        sender().send(
            Request("Put it", "PUT", server.url, body=lambda: open(tmp_path / "none", "rb"), length=4)  # noqa: SIM115
        )
    assert server.requests == []


def test_the_password_file_of_the_user_is_left_alone(serve: Serve, sender: Senders, own_home: Path) -> None:
    (own_home / ".netrc").write_text("machine 127.0.0.1 login canary password canary\ndefault login a password b\n")
    server = serve(forever)
    sender().send(get(server, headers={"Authorization": "Bearer ours"}))
    sender().send(get(server))
    assert b"\r\nAuthorization: Bearer ours\r\n" in server.requests[0]
    assert b"uthorization" not in server.requests[1]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_no_proxy_for_this_machine(host: str, serve: Serve, sender: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server = serve(forever)
    sender().send(Request("Get it", "GET", f"http://{host}:{server.port}/x"))
    assert server.requests[0].startswith(b"GET /x HTTP/1.1\r\n")


def test_a_proxy_of_the_environment(serve: Serve, sender: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = serve(forever)
    monkeypatch.setenv("http_proxy", proxy.url)
    exchange = sender(allow_plain_http=True, retries=0)
    exchange.send(Request("Get it", "GET", "http://api.example.com/a/../b"))
    assert proxy.requests[0].startswith(b"GET http://api.example.com/")
    monkeypatch.setenv("no_proxy", "example.com")
    monkeypatch.setattr(
        "ansible_collections.fcd.cloud.plugins.module_utils._http.connection.socket.getaddrinfo",
        lambda *_args, **_more: (_ for _ in ()).throw(socket.gaierror(-2, "not there")),
    )
    with pytest.raises(Unreachable, match=r"cannot connect to http://api\.example\.com: the host name"):
        exchange.send(Request("Get it", "GET", "http://api.example.com/x"))
    assert len(proxy.requests) == 1


def test_a_proxy_that_refuses(serve: Serve, sender: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(visit: Visit) -> None:
        visit.read()
        visit.answer(b"", "403 Forbidden")

    proxy = serve(refuse)
    monkeypatch.setenv("https_proxy", f"http://user:canary@127.0.0.1:{proxy.port}")
    with pytest.raises(Unreachable) as caught:
        sender(retries=0).send(Request("Make it", "POST", "https://api.example.com", "write"))
    assert "Tunnel connection failed: 403 Forbidden" in caught.value.message
    assert caught.value.next_step == "Check the proxy variables in the environment, and the address."
    assert "canary" not in str(caught.value.as_result())


def test_a_proxy_with_an_odd_head(serve: Serve, sender: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    """http.client reads the head of its answer by itself."""

    def answer(visit: Visit) -> None:
        visit.read()
        visit.answer(b"", "200 OK", "X: " + "y" * 70_000)
        visit.silence()

    monkeypatch.setenv("https_proxy", serve(answer).url)
    with pytest.raises(Unreachable) as caught:
        sender(retries=0).send(Request("Make it", "POST", "https://api.example.com", "write"))
    assert "what it sent is not HTTP (a line of its head is longer than 65,536 bytes)" in caught.value.message


@pytest.mark.parametrize("proxy", ["http://", "http://[::1", "unheard://proxy.example.com:1"])
def test_proxy_settings_that_cannot_be_used(proxy: str, sender: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises((InvalidInput, Unreachable)):
        sender(retries=0).send(Request("Get it", "GET", "https://api.example.com"))


# ---------------------------------------------------------------- TLS


@pytest.fixture(scope="module")
def authority() -> t.Any:
    return pytest.importorskip("trustme").CA()


@pytest.fixture
def secure(authority: t.Any, serve: Serve) -> RawServer:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    return serve(forever, context)


@pytest.fixture
def ca_file(authority: t.Any, tmp_path: Path) -> str:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    return str(tmp_path / "ca.pem")


@pytest.fixture
def broken_file(tmp_path: Path) -> str:
    (tmp_path / "broken.pem").write_text("no certificate")
    return str(tmp_path / "broken.pem")


def test_our_authorities_count_and_not_those_of_the_environment(
    secure: RawServer, ca_file: str, broken_file: str, sender: Senders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", broken_file)
    monkeypatch.setenv("CURL_CA_BUNDLE", broken_file)
    exchange = sender(verify=ca_file)
    for _number in range(2):
        assert exchange.send(Request("Get it", "GET", f"https://localhost:{secure.port}")).status == 200
    assert secure.connections == 1


def test_a_certificate_of_nobody_we_trust(
    secure: RawServer, ca_file: str, sender: Senders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", ca_file)
    with pytest.raises(Unreachable, match="its certificate was refused") as caught:
        sender().send(Request("Get it", "GET", f"https://localhost:{secure.port}"))
    assert "ca_path" in str(caught.value.next_step)
    assert (secure.requests, secure.connections, sender.warnings) == ([], 1, [])


def test_a_certificate_for_another_host(secure: RawServer, ca_file: str, sender: Senders) -> None:
    with pytest.raises(Unreachable, match=r"its certificate was refused .*127\.0\.0\.1"):
        sender(verify=ca_file).send(Request("Get it", "GET", f"https://127.0.0.1:{secure.port}"))


@pytest.mark.parametrize("dates", [{"not_after": PAST}, {"not_before": FUTURE}], ids=["expired", "early"])
def test_a_certificate_out_of_date(
    authority: t.Any, serve: Serve, ca_file: str, sender: Senders, dates: dict[str, datetime]
) -> None:
    """The authority is not to blame."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", **dates).configure_cert(context)
    server = serve(forever, context)
    with pytest.raises(Unreachable, match="its certificate was refused") as caught:
        sender(verify=ca_file).send(Request("Get it", "GET", f"https://localhost:{server.port}"))
    assert str(caught.value.next_step).startswith("Check the clock of this host.")


def test_unchecked_certificates_make_no_noise(secure: RawServer, ca_file: str, sender: Senders) -> None:
    with warnings.catch_warnings(record=True) as noise:
        warnings.simplefilter("default")
        for _number in range(3):
            sender(verify=False).send(Request("Get it", "GET", f"https://localhost:{secure.port}"))
    assert noise == []
    with pytest.raises(Unreachable, match="certificate"):  # the unchecked connection is not used for this one
        sender(verify=True).send(Request("Get it", "GET", f"https://localhost:{secure.port}"))


def test_plain_http_behind_https(serve: Serve, sender: Senders) -> None:
    def plain(visit: Visit) -> None:
        visit.answer(b"", "400 Bad Request")

    server = serve(plain)
    with pytest.raises(Unreachable, match="TLS failed"):
        sender(retries=0).send(Request("Get it", "GET", f"https://localhost:{server.port}"))
