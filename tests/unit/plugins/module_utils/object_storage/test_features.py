# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service states about itself, whatever it states."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.container import policy_of
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.features import (
    Features,
    feature_section,
    list_in,
    positive_number_in,
)

SECTIONS: list[tuple[t.Any, ...]] = [
    ({}, None),
    ({"a": None}, None),
    ({"a": {"b": 1}}, {"b": 1}),
    ({"a": True}, {}),
    ({"a": []}, {}),
]


def test_sections() -> None:
    for told, desired in SECTIONS:
        assert feature_section(told, "a") == desired


NUMBERS: list[tuple[t.Any, ...]] = [(5, 5), (0, 7), (-1, 7), ("5", 7), (None, 7), (True, 7), (1.5, 7), ([], 7)]


def test_numbers() -> None:
    for stated, desired in NUMBERS:
        assert positive_number_in({"a": stated}, "a", 7) == desired


LISTS: list[tuple[t.Any, ...]] = [([1], [1]), ("ab", []), (None, []), ({"x": 1}, [])]


def test_lists() -> None:
    for stated, desired in LISTS:
        assert list_in({"a": stated}, "a") == desired


POLICIES: list[t.Any] = ["x", [1], [{}], None]


def test_policies_that_make_no_sense_are_none() -> None:
    for policies in POLICIES:
        assert policy_of(Features(lambda: {"swift": {"policies": policies}}), "gold") == "gold"


def test_policies() -> None:
    features = Features(lambda: {"swift": {"policies": [{"name": "Gold", "aliases": "Gold, best"}, {"x": 1}]}})
    assert policy_of(features, "BEST") == "Gold"
    with pytest.raises(InvalidInput, match="there is no policy 'silver'"):
        policy_of(features, "silver")
