# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in headers: one reader for all of them, which no text disturbs."""

from __future__ import annotations

import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import number_of
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.account import storage_account_record
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.container import container_record
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.listing import moment_from_listing
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object_properties import object_record

NUMBERS: list[tuple[str, int | None]] = [
    ("340", 340),
    (" 340 ", 340),
    ("0", 0),
    ("340, 340", 340),  # the header came twice
    ("340,340, 340", 340),
    ("340, 341", None),
    ("340, ", None),
    ("", None),
    ("-1", None),
    ("+1", None),
    ("1.0", None),
    ("1_000", None),
    ("0x10", None),
    ("²", None),  # str.isdigit() says yes, and int() raises
    ("٣", None),
    ("9" * 18, 10**18 - 1),
    ("9" * 19, None),
    ("9" * 5000, None),  # int() raises
]
ODD = [text for text, number in NUMBERS if number is None]


def test_numbers_in_headers(subtests: pytest.Subtests) -> None:
    for text, number in NUMBERS:
        with subtests.test(text=text[:20]):
            assert number_of({"a": text}, "a") == number
    assert number_of({}, "a") is None
    assert number_of({}, "a", "0") == 0


@given(st.text(max_size=30))
def test_any_text_is_survived(text: str) -> None:
    number = number_of({"a": text}, "a")
    assert number is None or 0 <= number < 10**18


def test_a_moment_that_cannot_be_read_stays_as_it_is(subtests: pytest.Subtests) -> None:
    for text in (*ODD, "9999-12-31T23:59:59.5", "2026-13-01T00:00:00"):
        with subtests.test(text=text[:20]):
            assert moment_from_listing(text) == text


COUNTS: list[tuple[t.Callable[[dict[str, str]], dict[str, object]], str, str]] = [
    (lambda told: object_record("c", "o", {"etag": "e", **told}), "content-length", "size"),
    (lambda told: object_record("c", "o", {"etag": "e", **told}), "x-delete-at", "expires_at"),
    (lambda told: container_record("c", "", told), "x-container-object-count", "object_count"),
    (lambda told: container_record("c", "", told), "x-container-bytes-used", "bytes_used"),
    (lambda told: storage_account_record("", told), "x-account-container-count", "container_count"),
    (lambda told: storage_account_record("", told), "x-account-object-count", "object_count"),
    (lambda told: storage_account_record("", told), "x-account-bytes-used", "bytes_used"),
]


def test_a_number_that_cannot_be_read_is_not_known(subtests: pytest.Subtests) -> None:
    for record, header, member in COUNTS:
        for text in ODD:
            with subtests.test(header=header, text=text[:20]):
                assert record({header: text})[member] is None
        with subtests.test(header=header):
            assert record({header: "1795229902, 1795229902"})[member] in (1795229902, "2026-11-21T02:58:22Z")
