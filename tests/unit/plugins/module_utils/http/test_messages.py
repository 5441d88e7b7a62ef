# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a request looks like on the wire."""

from __future__ import annotations

import base64
import json
import typing as t
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request, basic, outgoing

URL = "https://api.example.com/beta/x"
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def request(method: str = "POST", **more: t.Any) -> Request:
    return Request("Do it", method, URL, **more)


@given(st.dictionaries(text.filter(bool), text, max_size=4))
def test_form_values_arrive_as_they_are(form: dict[str, str]) -> None:
    there = outgoing(request(form=form), {})
    assert there.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert there.headers["Content-Length"] == str(len(there.body))
    assert dict(parse_qsl(there.body.decode("ascii"), keep_blank_values=True, strict_parsing=bool(form))) == form


@given(st.dictionaries(text.filter(bool), text, max_size=4))
def test_query_values_arrive_as_they_are(params: dict[str, str]) -> None:
    parts = urlsplit(outgoing(request("GET", params=params), {}).url)
    assert dict(parse_qsl(parts.query, keep_blank_values=True)) == params
    assert parts.geturl().isascii()


@pytest.mark.parametrize(
    ("params", "query"),
    [
        (None, ""),
        ({}, ""),
        ({"a": None}, ""),
        ({"deep": True, "b": False}, "?deep=true&b=false"),
        ({"pageSize": 1000, "query": "a b&c/ż"}, "?pageSize=1000&query=a%20b%26c%2F%C5%BC"),
    ],
)
def test_kinds_of_query_values(params: dict[str, t.Any] | None, query: str) -> None:
    assert outgoing(request("GET", params=params), {}).url == URL + query


def test_a_query_that_is_there_is_kept() -> None:
    assert outgoing(Request("Do it", "GET", URL + "?a=b", params={"c": 1}), {}).url == URL + "?a=b&c=1"


def test_the_path_stays_as_it_was_written() -> None:
    url = "https://api.example.com/v1/a%2Fb/%2E%2E/../c//d%20%25;e"
    assert outgoing(Request("Do it", "GET", url), {}).url == url


def test_json() -> None:
    there = outgoing(request(json={"Name": "zażółć", "None": None}, json_answer=True), {})
    assert json.loads(there.body) == {"Name": "zażółć", "None": None}
    assert there.headers == {
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
        "Content-Type": "application/json",
        "Content-Length": str(len(there.body)),
    }


@pytest.mark.parametrize(
    ("method", "body", "sent", "length"),
    [
        ("GET", None, None, None),
        ("HEAD", None, None, None),
        ("POST", None, b"", "0"),
        ("DELETE", None, b"", "0"),
        ("PUT", b"abc", b"abc", "3"),
    ],
)
def test_bodies(method: str, body: bytes | None, sent: bytes | None, length: str | None) -> None:
    there = outgoing(request(method, body=body), {})
    assert there.body == sent
    assert there.headers.get("Content-Length") == length
    assert "Content-Type" not in there.headers


def test_later_headers_win() -> None:
    there = outgoing(request(json={}, headers={"Content-Type": "a/b", "X": "1"}), {"X": "2", "Y": "3"})
    assert (there.headers["Content-Type"], there.headers["X"], there.headers["Y"]) == ("a/b", "2", "3")


def test_headers_beyond_ascii_are_utf8() -> None:
    assert outgoing(request(headers={"X-Object-Meta-A": "ż"}), {}).headers["X-Object-Meta-A"] == "ż".encode()


@pytest.mark.parametrize(
    ("name", "value"),
    [("X", "a\r\nB: c"), ("X", "a\nb"), ("X", "\x00"), ("X Y", "a"), ("", "a"), ("X:", "a"), ("ż", "a")],
)
def test_headers_that_would_break_out(name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be sent") as caught:
        outgoing(request(headers={name: value}), {})
    assert value == "a" or value not in str(caught.value)


@given(text.filter(lambda user: ":" not in user), text)
def test_basic_carries_any_password(user: str, password: str) -> None:
    scheme, _blank, pair = basic(user, password).partition(" ")
    assert (scheme, base64.b64decode(pair).decode("utf-8").partition(":")[::2]) == ("Basic", (user, password))


def test_basic_cannot_carry_a_colon_in_the_name() -> None:
    with pytest.raises(InvalidInput, match="colon"):
        basic("a:b", "canary")
