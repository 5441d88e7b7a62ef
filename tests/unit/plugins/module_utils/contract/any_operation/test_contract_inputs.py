# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain and secret inputs together, in whatever spelling."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.secret_inputs import find_secrets, join_inputs
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor


class Host:
    """Stands for a task."""

    def __init__(self) -> None:
        self.redactor = Redactor()


def together(inputs: t.Any, secret: t.Any) -> dict[str, t.Any]:
    return join_inputs(t.cast("t.Any", Host()), inputs, secret)


JOINED: list[tuple[t.Any, ...]] = [
    ({}, {}, {}),
    ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
    ({"user": {"a": 1}}, {"User": {"b": 2}}, {"user": {"a": 1, "b": 2}}),
    ({"user_id": 1}, {"userId": 2}, {"user_id": 2}),
    ({"a": {"b": {"c": 1}}}, {"A": {"B": {"D": 2}}}, {"a": {"b": {"c": 1, "D": 2}}}),
    ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
    ({"a": None}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ({"userId": 1, "UserID": 2}, {"UserID": 3}, {"userId": 1, "UserID": 3}),
    ({"userId": 1, "UserID": 2}, {"user_id": 3}, {"userId": 1, "UserID": 2, "user_id": 3}),
]


def test_dictionaries_are_joined() -> None:
    for inputs, secret, both in JOINED:
        assert together(inputs, secret) == both


def test_a_plain_value_in_the_place_of_secret_ones_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^secret_inputs\.User: there is a plain value in the same place") as caught:
        together({"user": "somebody"}, {"User": {"password": "canary"}})
    assert caught.value.details == {"option": "secret_inputs"}


@pytest.mark.parametrize(
    ("inputs", "path"),
    [
        ({"password": "canary"}, "password"),
        ({"NewPassword": 12345}, "NewPassword"),
        ({"a": [{"pesel": "canary"}]}, "a[0].pesel"),
        ({"tokens": 1, "token": ["canary"]}, "token[0]"),
        ({"token": {"text": "canary"}}, "token.text"),
    ],
)
def test_secrets_in_the_open(inputs: t.Any, path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        together(inputs, {})
    assert caught.value.details == {"option": "inputs", "path": path}
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "inputs",
    [{"password": None}, {"token": ""}, {"link_to_change_password": "https://x"}, {"pesel": False}, {"token": {}}],
)
def test_inputs_without_secrets(inputs: t.Any) -> None:
    assert list(find_secrets(inputs)) == []
    assert together(inputs, {}) == inputs


def test_every_secret_is_known_to_whoever_hides() -> None:
    host = Host()
    join_inputs(t.cast("t.Any", host), {}, {"a": ["first-secret", {"b": 44051401458}], "c": True, "d": None})
    assert host.redactor.text("first-secret 44051401458 True None") == "******** ******** True None"
