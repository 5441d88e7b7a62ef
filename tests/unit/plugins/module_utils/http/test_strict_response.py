# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers as bytes: right ones in every form, broken ones told apart, and the library's reader as a second opinion."""

from __future__ import annotations

import http.client
import io
import typing as t
from http.client import BadStatusLine, HTTPException, IncompleteRead, RemoteDisconnected

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._http.connection import NotHttp, StrictResponse
from ansible_collections.fcd.cloud.plugins.module_utils._http.standard_adapter import _pieces

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: Chunked\r\n\r\n"
ONE = OK + b"Content-Length: 1\r\n\r\n"


class Connection:
    """Has so many bytes at hand at a time."""

    def __init__(self, data: bytes, at_hand: int) -> None:
        self.stream = io.BufferedReader(io.BytesIO(data), at_hand)  # type: ignore[arg-type]

    def makefile(self, _mode: str) -> t.BinaryIO:
        return self.stream


def unread(data: bytes, method: str, at_hand: int) -> StrictResponse:
    return StrictResponse(t.cast("t.Any", Connection(data, at_hand)), method=method)


def head(data: bytes, method: str = "HEAD", at_hand: int = 8192) -> StrictResponse:
    """Read the head."""
    answer = unread(data, method, at_hand)
    answer.begin()
    return answer


def read(data: bytes, method: str = "GET") -> tuple[StrictResponse, bytes]:
    """Read the answer byte by byte and at a stroke, which has to come to the same."""
    outcomes: list[t.Any] = []
    for at_hand in (1, 8192):
        answer = unread(data, method, at_hand)
        try:
            answer.begin()
            content = b"".join(_pieces(answer))
            outcomes.append((content, answer.headers.items(), answer.isclosed(), answer.will_close))
        except (OSError, HTTPException) as problem:
            answer.close()  # as http.client does
            outcomes.append((type(problem), str(problem)))
            failed = problem
    assert outcomes[0] == outcomes[1]
    if len(outcomes[0]) == 2:
        raise failed
    return answer, content


BODIES: list[tuple[t.Any, ...]] = [
    (OK + b"Content-Length: 2\r\n\r\n", b"{}", b"{}", True),
    (OK + b"Content-Length: 2, 2\r\n\r\n", b"{}", b"{}", True),
    (OK + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n", b"{}", b"{}", True),
    (OK + b"CONTENT-LENGTH:2\r\nConnection: keep-alive, Close\r\n\r\n", b"{}", b"{}", False),
    (OK + b"Content-Length: 0\r\n\r\n", b"", b"", True),
    (b"HTTP/1.1 200\r\nContent-Length: 1\r\n\r\n", b"x", b"x", True),
    (b"HTTP/1.1 200 \nContent-Length: 1\n\n", b"x", b"x", True),
    (b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n", b"x", b"x", False),
    (b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\n", b"x", b"x", True),
    (OK + b"\r\n", b"to the end", b"to the end", False),
    (CHUNKED, b"2;a=b\r\n{}\r\nA\r\n0123456789\r\n0\r\nT: u\r\n\r\n", b"{}0123456789", True),
    (OK + b"Transfer-Encoding: chunked\r\nContent-Length: 77\r\n\r\n", b"0\r\n\r\n", b"", True),
    (b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n" + ONE, b"x", b"x", True),
    (b"HTTP/1.1 204 None\r\n\r\n", b"", b"", True),
    (b"HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n", b"", b"", True),
]


def test_where_a_body_ends(subtests: pytest.Subtests) -> None:
    for head, body, whole, stays_open in BODIES:
        with subtests.test(head=head, body=body):
            answer, content = read(head + body)
            assert (content, answer.isclosed(), answer.will_close) == (whole, True, not stays_open)


def test_a_head_alone() -> None:
    answer, content = read(OK + b"Content-Length: 77\r\nTransfer-Encoding: chunked\r\n\r\n", "HEAD")
    assert (content, answer.isclosed(), answer.will_close) == (b"", True, False)


@pytest.mark.parametrize("length", [b"2, 3", b"2\r\nContent-Length: 3", b"-2", b"x", b"9" * 5000])
def test_a_head_alone_must_say_one_length(length: bytes) -> None:
    with pytest.raises(NotHttp, match="the length of its body is ambiguous"):
        head(OK + b"Content-Length: " + length + b"\r\n\r\n")


def test_headers_as_they_came() -> None:
    data = b"A: 1\r\na:2 \r\nB:\r\nC: x:y\r\nD: \xc5\xbc\x85\x0b\x1c\r\nE: one\r\n  two\r\n\ttwo and a half\r\n\r\n"
    assert (
        head(OK + data).headers.items()
        == head(OK + data, at_hand=1).headers.items()
        == [
            ("A", "1"),
            ("a", "2"),
            ("B", ""),
            ("C", "x:y"),
            ("D", "\xc5\xbc\x85\x0b\x1c"),
            ("E", "one two two and a half"),
        ]
    )


def test_more_headers_than_the_library_alone_takes() -> None:
    lines = b"".join(b"X-Object-Meta-%d: v\r\n" % number for number in range(300))
    assert len(head(OK + lines + b"\r\n").headers) == 300


NO_ANSWERS: list[tuple[t.Any, ...]] = [
    (b"", RemoteDisconnected),
    (b"HT", BadStatusLine),
    (b"HTTP/1.1 20", BadStatusLine),
    (OK, IncompleteRead),
    (OK + b"A: b", IncompleteRead),
    (OK + b"A: b\r\n", IncompleteRead),
    (OK + b"Content-Length: 3\r\n\r\nab", IncompleteRead),
    (CHUNKED, IncompleteRead),
    (CHUNKED + b"3\r\nab", IncompleteRead),
    (CHUNKED + b"2\r\nab\r\n0\r\n", IncompleteRead),
    (b"SSH-2.0-server\r\n", BadStatusLine),
    (b"HTTP/2 200\r\n\r\n", NotHttp),
    (b"HTTP/1.1 2xx OK\r\n\r\n", BadStatusLine),
    (b"HTTP/1.1 2000 OK\r\n\r\n", BadStatusLine),
    (b"\r\n" + OK + b"\r\n", BadStatusLine),
    (OK + b"no colon\r\n\r\n", NotHttp),
    (OK + b": no name\r\n\r\n", NotHttp),
    (OK + b"Name : blank before the colon\r\n\r\n", NotHttp),
    (OK + b" goes on from nothing: x\r\n\r\n", NotHttp),
    (OK + b"A: " + b"x" * 70_000 + b"\r\n\r\n", NotHttp),
    (OK + b"A: b\r\n" * 1001 + b"\r\n", NotHttp),
    (OK + b"Content-Length: 2, 3\r\n\r\nabc", NotHttp),
    (OK + b"Content-Length: -2\r\n\r\nabc", NotHttp),
    (OK + b"Content-Length: 0x2\r\n\r\nabc", NotHttp),
    (OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nabc", NotHttp),
    (OK + "Content-Length: ²\r\n\r\nabc".encode("latin-1"), NotHttp),
    (OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", NotHttp),
    (CHUNKED + b"-1\r\n\r\n", NotHttp),
    (CHUNKED + b"+2\r\nab\r\n0\r\n\r\n", NotHttp),
    (CHUNKED + b"0x2\r\nab\r\n0\r\n\r\n", NotHttp),
    (CHUNKED + b"\r\nab\r\n0\r\n\r\n", NotHttp),
    (CHUNKED + b"2\r\nabc\r\n0\r\n\r\n", NotHttp),
    (CHUNKED + b"f" * 17 + b"\r\n", NotHttp),
]


def test_malformed_answers_are_refused(subtests: pytest.Subtests) -> None:
    for data, problem in NO_ANSWERS:
        with subtests.test(data=data, problem=problem):
            with pytest.raises(problem) as caught:
                read(data)
            assert type(caught.value) is problem


@given(
    st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(b"\r\n: \tab1"), max_size=30).map(bytes)),
    st.sampled_from([b"", b"HTTP/1.1 ", OK, CHUNKED]),
)
def test_any_bytes_are_read_or_told(data: bytes, start: bytes) -> None:
    try:
        read(start + data)
    except (HTTPException, RemoteDisconnected):
        pass


TEXT = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=8)
NAMES = st.from_regex(r"X-[A-Za-z0-9-]{1,8}", fullmatch=True)


@given(st.lists(st.tuples(NAMES, TEXT), max_size=5), st.lists(st.binary(min_size=1, max_size=40), max_size=4))
def test_the_library_reads_the_same(headers: list[tuple[str, str]], chunks: list[bytes]) -> None:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers).encode()
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    data = OK + lines + b"Transfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"

    theirs = http.client.HTTPResponse(t.cast("t.Any", Connection(data, 8192)))
    theirs.begin()
    answer, content = read(data)
    assert answer.headers.items() == theirs.headers.items()
    assert content == theirs.read() == b"".join(chunks)
