# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses that requests may go to."""

from __future__ import annotations

import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import (
    AddressSource,
    check_address,
    is_loopback,
    named_option,
    normalized,
    origin,
    start_of,
)

GOOD: list[tuple[t.Any, ...]] = [
    "https://api.example.com",
    "https://api.example.com:8443/beta/",
    "HTTPS://API.example.com/a%20b?c=d",
    "https://[2001:db8::1]:8443/",
    "http://localhost:8080/x",
    "http://LOCALHOST",
    "http://my.localhost/",
    "http://127.0.0.1",
    "http://127.9.9.9:1",
    "http://[::1]:80/",
]


def test_good_ones(subtests: pytest.Subtests) -> None:
    for url in GOOD:
        with subtests.test(url=url):
            check_address(url, "base_url", allow_plain_http=False)


BAD: list[tuple[t.Any, ...]] = [
    ("", "must start with https://"),
    ("api.example.com", "must start with https://"),
    ("ftp://api.example.com", "must start with https://"),
    ("file:///etc/passwd", "must start with https://"),
    ("https://", "has no host name"),
    ("https:///path", "has no host name"),
    ("https://:443", "has no host name"),
    ("https://user:canary@api.example.com", "must not contain a user name"),
    ("https://canary@api.example.com", "must not contain a user name"),
    ("https://api.example.com:port", "is not valid"),
    ("https://api.example.com:99999", "is not valid"),
    ("https://[::1", "is not valid"),
    ("https://api example.com", "contains a space"),
    ("https://api.example.com\r\nX: y", "contains a space"),
    ("https://api.exämple.com", "contains a space or another character"),
    ("http://api.example.com", "unencrypted (plain http)"),
    ("http://10.0.0.1", "unencrypted (plain http)"),
    ("http://127.0.0.1.example.com", "unencrypted (plain http)"),
    ("http://localhost.example.com", "unencrypted (plain http)"),
]


def test_bad_ones(subtests: pytest.Subtests) -> None:
    for url, problem in BAD:
        with subtests.test(url=url, problem=problem):
            with pytest.raises(InvalidInput) as caught:
                check_address(url, "base_url", allow_plain_http=False)
            assert problem in caught.value.message
            assert caught.value.message.startswith("base_url: the address ")
            assert caught.value.details["option"] == "base_url"
            assert "canary" not in str(caught.value)


SOURCES = [
    AddressSource("base_url", "https://api.example.com/beta/", "that of the interface"),
    AddressSource("auth_url", "https://api.example.com", "that of the identity server"),
    AddressSource("soap_url", "https://soap.example.com/CommonFcd.svc?a=b", "that of the service"),
    AddressSource("storage_base", "https://[2001:db8::1]:8443", "the host"),
]


SOURCES_OF: list[tuple[t.Any, ...]] = [
    ("https://api.example.com/beta/instances/1", "base_url (https://api.example.com/beta/)"),
    ("https://api.example.com/beta", "base_url (https://api.example.com/beta/)"),
    ("https://api.example.com/beta?x=y", "base_url (https://api.example.com/beta/)"),
    ("https://api.example.com/betax/core/connect/token", "auth_url (https://api.example.com)"),
    ("https://api.example.com/core/connect/token", "auth_url (https://api.example.com)"),
    ("https://soap.example.com/CommonFcd.svc", "soap_url (https://soap.example.com/CommonFcd.svc)"),
    ("https://[2001:db8::1]:8443/v1/a/b", "storage_base (https://[2001:db8::1]:8443)"),
    ("https://[2001:db8::1]:84430/v1", "the address"),
    ("https://other.example.com/beta", "the address"),
    ("https://[::1", "the address"),
]


def test_the_option_that_an_address_comes_from(subtests: pytest.Subtests) -> None:
    for url, words in SOURCES_OF:
        with subtests.test(url=url, words=words):
            assert named_option(url, SOURCES) == words


def test_without_options_it_is_the_address() -> None:
    assert named_option("https://api.example.com", ()) == "the address"


def test_plain_http_on_request() -> None:
    check_address("http://api.example.com", "base_url", allow_plain_http=True)


def test_no_option_is_named_where_there_is_none() -> None:
    with pytest.raises(InvalidInput) as caught:
        check_address("x", "the address", allow_plain_http=False)
    assert "option" not in caught.value.details


@given(st.text(max_size=30))
def test_any_text_is_good_or_told(url: str) -> None:
    try:
        parts = check_address("https://" + url, "base_url", allow_plain_http=False)
    except InvalidInput:
        return
    assert parts.hostname
    assert "@" not in parts.netloc
    assert url.isascii()


def test_this_machine(subtests: pytest.Subtests) -> None:
    for host, is_local in (
        ("localhost.", True),
        ("a.localhost", True),
        ("::1", True),
        ("::1%lo", True),
        ("0.0.0.0", False),
        ("", False),
    ):
        with subtests.test(host=host, is_local=is_local):
            assert is_loopback(host) is is_local


SHOWN: list[tuple[t.Any, ...]] = [
    ("https://user:canary@api.example.com:8443/path?canary#canary", "https://api.example.com:8443"),
    ("https://[2001:db8::1]/x", "https://[2001:db8::1]"),
    ("https://api.example.com", "https://api.example.com"),
    ("https://api.example.com:443/x", "https://api.example.com"),
    ("http://api.example.com:443/x", "http://api.example.com:443"),
    ("http://[::1", "an unreadable address"),
    ("http://a:b", "an unreadable address"),
]


def test_what_is_shown_of_an_address(subtests: pytest.Subtests) -> None:
    for url, shown in SHOWN:
        with subtests.test(url=url, shown=shown):
            assert origin(url) == shown


SPELLINGS: list[tuple[str, bool]] = [
    ("https://api.example.com/beta", True),
    ("https://api.example.com/beta/", True),
    ("https://api.example.com//beta//", True),
    ("https://api.example.com/./x/../beta", True),
    ("https://api.example.com/../beta", True),
    ("https://api.example.com/x/%2E%2e/beta", True),
    ("https://api.example.com/%62et%61", True),
    ("https://api.example.com/%c3%A4", False),
    ("https://api.example.com/Beta?wsdl", True),
    ("HTTPS://API.Example.com:443/beta", True),
    ("https://api.example.com.:0443/beta", True),
    ("https://api.example.com./beta", True),
    ("https://api.example.com:8443/beta", False),
    ("https://api.example.com/beta/v2", False),
    ("https://api.example.com/bet%2Fa", False),
    ("https://api.example.com", False),
    ("https://beta/api.example.com", False),
]


@pytest.mark.parametrize(("url", "same"), SPELLINGS)
def test_one_address_in_all_its_spellings(url: str, same: bool) -> None:
    assert (normalized(url) == "https://api.example.com/beta") is same


STARTS: list[tuple[t.Any, ...]] = [
    ("https://a.example.com/b//c?d/e", "https://a.example.com"),
    ("http://a.example.com:80/", "http://a.example.com:80"),
    ("https://a.example.com", "https://a.example.com"),
    ("https://a.example.com?b/c", "https://a.example.com?b"),
    ("http://h/x", "http://h"),
]


def test_the_start_of_an_address(subtests: pytest.Subtests) -> None:
    for url, start in STARTS:
        with subtests.test(url=url, start=start):
            assert start_of(url) == start
