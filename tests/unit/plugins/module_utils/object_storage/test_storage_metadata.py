# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Metadata: what is taken, what becomes of it, what is shown."""

from __future__ import annotations

import datetime as dt
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.features import Features
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.option_values import (
    check_text,
    desired_metadata,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.properties import merge_metadata, metadata_of


def no_limits() -> t.Mapping[str, t.Any]:
    return {}


LIMITS = Features(no_limits)


def test_names_become_lower_case_and_values_text() -> None:
    given = {
        "Owner": "me",
        7: 8,
        "Ratio": 0.5,
        "on": True,
        "off": False,
        "day": dt.date(2030, 1, 2),
        "gone": None,
    }
    assert desired_metadata(given, LIMITS, empty_removes=False) == {
        "owner": "me",
        "7": "8",
        "ratio": "0.5",
        "on": "true",
        "off": "false",
        "day": "2030-01-02",
        "gone": None,
    }


def test_an_empty_value_removes_or_stays() -> None:
    assert desired_metadata({"a": ""}, LIMITS, empty_removes=True) == {"a": None}
    assert desired_metadata({"a": ""}, LIMITS, empty_removes=False) == {"a": ""}


NAMES_REFUSED: list[t.Any] = ["a_b", "a b", "", "ż", "a:b", "a.b", "x" * 129]


def test_names_that_are_refused() -> None:
    for name in NAMES_REFUSED:
        with pytest.raises(InvalidInput, match="metadata: "):
            desired_metadata({name: "1"}, LIMITS, empty_removes=False)


def test_an_underscore_is_explained() -> None:
    with pytest.raises(InvalidInput, match="the service drops names with an underscore silently"):
        desired_metadata({"made_by": "me"}, LIMITS, empty_removes=False)


def test_one_name_in_two_spellings_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'owner' is given twice"):
        desired_metadata({"Owner": "a", "owner": "b"}, LIMITS, empty_removes=False)


VALUES_REFUSED: list[t.Any] = [
    *(["a"], {"a": 1}, {"a"}),
    *("a\nb", "a\rb", "a\0", "\ud800", " a", "a ", "\ta", "x" * 257, "ż" * 129),
]


def test_values_that_are_refused() -> None:
    for value in VALUES_REFUSED:
        with pytest.raises(InvalidInput, match="metadata"):
            desired_metadata({"name": value}, LIMITS, empty_removes=False)


VALUES_FINE: list[t.Any] = ["a b", "a\tb", "città", "ż" * 128, "50%", "{}", "'\""]


def test_values_that_are_fine() -> None:
    for value in VALUES_FINE:
        assert desired_metadata({"name": value}, LIMITS, empty_removes=False) == {"name": value}


@pytest.mark.parametrize("name", ["temp-url-key", "Temp-URL-Key-2"])
def test_secrets_are_refused_without_showing_them(name: str) -> None:
    with pytest.raises(InvalidInput, match="is a secret") as caught:
        desired_metadata({name: "hush-hush"}, LIMITS, empty_removes=True)
    assert "hush-hush" not in str(caught.value.as_result())


def test_items_with_options_of_their_own_are_named() -> None:
    own = {"temp-url-key": "temp_url_key"}
    with pytest.raises(InvalidInput, match="'temp-url-key' has an option of its own: temp_url_key") as caught:
        desired_metadata({"Temp-URL-Key": "hush-hush"}, LIMITS, empty_removes=True, own_options=own)
    assert "hush-hush" not in str(caught.value.as_result())


def test_wishes_are_laid_over_what_is_there() -> None:
    current = {"a": "1", "b": "2", "c": "3"}
    assert merge_metadata({"b": "5", "c": None, "d": "4", "e": None}, current, LIMITS, purge=False) == {
        "a": "1",
        "b": "5",
        "d": "4",
    }


def test_purging_leaves_only_the_wishes() -> None:
    current = {"a": "1", "b": "2"}
    assert merge_metadata({"b": "2", "c": None}, current, LIMITS, purge=True) == {"b": "2"}


def test_without_wishes_nothing_changes() -> None:
    assert merge_metadata(None, {"a": "1"}, LIMITS, purge=True) == {"a": "1"}


def test_items_are_counted_after_the_change() -> None:
    current = {f"n{number}": "v" for number in range(90)}
    assert len(merge_metadata({"n0": "new"}, current, LIMITS, purge=False)) == 90
    with pytest.raises(InvalidInput, match="metadata: 91 items are too many; the service allows 90"):
        merge_metadata({"one-more": "v"}, current, LIMITS, purge=False)


def test_total_size_is_names_and_values_in_bytes() -> None:
    just_fits = {f"n{number:03}": "x" * 252 for number in range(16)}  # 16 x (4 + 252) = 4096
    assert merge_metadata(just_fits, {}, LIMITS, purge=False)
    with pytest.raises(InvalidInput, match="4097 bytes are too many; the service allows 4096"):
        merge_metadata({**just_fits, "n000": "x" * 251 + "ż"}, {}, LIMITS, purge=False)


def test_metadata_among_headers() -> None:
    headers = {"x-object-meta-b": "2", "x-object-meta-a": "1", "x-container-meta-c": "3", "etag": "0"}
    assert list(metadata_of(headers, "object").items()) == [("a", "1"), ("b", "2")]
    assert metadata_of(headers, "container") == {"c": "3"}


def test_texts_for_headers() -> None:
    assert check_text("cache_control", "  max-age=5\t") == "max-age=5"
    with pytest.raises(InvalidInput, match="cache_control: "):
        check_text("cache_control", "a\r\nX-Auth-Token: b")
