# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a module's own options that no service can take are told in one line, and are not shown."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import SECONDS, own_options
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput

OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str"},
    "id": {"type": "int"},
    "wait": {"type": "bool"},
    "wait_timeout": {"type": SECONDS},
    "src": {"type": "path"},
    "keys": {"type": "list", "elements": "str"},
    "metadata": {"type": "dict"},
    "content": {"type": "raw"},
}
BROKEN = "canary\udcff"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("name", BROKEN, "not UTF-8"),
        ("keys", ["whole", BROKEN], "not UTF-8"),
        ("metadata", {"a": BROKEN}, "not UTF-8"),
        ("metadata", {BROKEN: "a"}, "not UTF-8"),
        ("content", {"a": [{"b": BROKEN}]}, "not UTF-8"),
        ("src", "/canary\0", "null byte"),
        ("id", True, "whole number"),
        ("wait_timeout", float("nan"), "0 seconds or more"),
        ("wait_timeout", float("inf"), "0 seconds or more"),
        ("wait_timeout", -0.5, "a duration must be 0 seconds or more, not -0.5"),
    ],
)
def test_values_that_cannot_be_meant(name: str, value: object, says: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{name}: .*{says}") as told:
        own_options(OPTIONS, {name: value})
    assert told.value.details["option"] == name
    assert "canary" not in str(told.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", ""),
        ("name", "\u017c\u00f3\u0142w \U0001f998"),
        ("id", 0),
        ("wait", True),
        ("wait_timeout", 0.0),
        ("src", "/name/of/another/encoding\udcff"),
        ("keys", []),
        ("content", {"a": [1, None, True, 1.5]}),
    ],
)
def test_values_that_may_be(name: str, value: object) -> None:
    own_options(OPTIONS, {**dict.fromkeys(OPTIONS), name: value})
