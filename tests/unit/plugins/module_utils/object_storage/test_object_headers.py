# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of an object, its headers, and its expiry."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.later import LATER
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object_properties import (
    expiry,
    from_unix,
    object_headers,
    object_record,
    to_unix,
)

HEADERS = {
    "content-type": "text/plain",
    "content-length": "3",
    "etag": "900150983cd24fb0d6963f7d28e17f72",
    "last-modified": "Sat, 21 Nov 2026 02:50:03 GMT",
    "x-timestamp": "1795229402.03139",
    "x-object-meta-owner": "me",
    "x-delete-at": "1795229902",
    "content-language": "pl",
    "expires": "Thu, 01 Dec 2033 16:00:00 GMT",
    "x-robots-tag": "none",
    "cache-control": "no-cache",
    "content-disposition": "attachment",
    "content-encoding": "gzip",
}
RECORD = {
    "container": "c",
    "name": "o",
    "etag": "900150983cd24fb0d6963f7d28e17f72",
    "size": 3,
    "content_type": "text/plain",
    "content_disposition": "attachment",
    "content_encoding": "gzip",
    "cache_control": "no-cache",
    "metadata": {"owner": "me"},
    "expires_at": "2026-11-21T02:58:22Z",
    "last_modified": "2026-11-21T02:50:03Z",
    "large_object": None,
}
BARE = {"etag": '"abc"', "content-length": "10"}


def test_record_of_headers() -> None:
    assert object_record("c", "o", HEADERS) == RECORD


def test_large_objects_are_told_and_their_etag_has_no_quotes() -> None:
    static = object_record("c", "o", {**BARE, "x-static-large-object": "True"})
    assert (static["etag"], static["large_object"]) == ("abc", "static")
    assert object_record("c", "o", {**BARE, "x-object-manifest": "seg/p"})["large_object"] == "dynamic"


def test_a_post_sends_all_that_it_would_drop() -> None:
    described = ("content-length", "etag", "last-modified", "x-timestamp")
    assert object_headers(RECORD, HEADERS, None) == {
        name: value for name, value in HEADERS.items() if name not in described
    }


def test_what_is_null_is_not_sent() -> None:
    assert object_headers({**RECORD, "cache_control": None, "expires_at": None, "metadata": {}}, {}, None) == {
        "content-type": "text/plain",
        "content-disposition": "attachment",
        "content-encoding": "gzip",
    }


def test_an_expiry_in_seconds_is_left_to_the_clock_of_the_service() -> None:
    sent = object_headers({"expires_at": LATER}, {}, 60)
    assert sent == {"x-delete-after": "60"}


EXPIRY: list[tuple[t.Any, ...]] = [
    ("1893456000", "2030-01-01T00:00:00Z"),
    ("2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z"),
    ("2030-01-01t00:00:00z", "2030-01-01T00:00:00Z"),
    ("2030-01-01T01:00:00+01:00", "2030-01-01T00:00:00Z"),
    ("2030-01-01T00:00:00.900000", "2030-01-01T00:00:00Z"),
    ("2030-01-01", "2030-01-01T00:00:00Z"),
    (" 2030-01-01 00:00 ", "2030-01-01T00:00:00Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("9999999999", "2286-11-20T17:46:39Z"),
    ("99999999999", "5138-11-16T09:46:39Z"),
    ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ("Never", None),
]


def test_expiry_in_all_spellings() -> None:
    for given, desired in EXPIRY:
        assert expiry(given) == desired
        if desired is not None:
            assert from_unix(str(to_unix(desired))) == desired


NO_TIMES: list[t.Any] = ["", "tomorrow", "-5", "1e9", "2030-13-01", "0001-01-01T00:00:00+14:00", "9" * 12]


def test_what_is_no_point_in_time() -> None:
    for given in NO_TIMES:
        with pytest.raises(InvalidInput, match="is not a point in time"):
            expiry(given)
