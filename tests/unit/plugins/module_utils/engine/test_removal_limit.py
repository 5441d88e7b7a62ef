# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many things may be removed."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._engine.plan import RemovalLimit


@pytest.mark.parametrize(
    ("given", "whole", "most"),
    [
        (None, 0, 0),
        (None, 1, 0),
        (None, 2, 1),
        (None, 4, 1),
        (None, 5, 1),
        (None, 10, 2),
        (None, 24, 4),
        (None, 1000, 5),
        ("0", 9, 0),
        (" 7 ", 3, 7),
        ("30%", 10, 3),
        ("30 %", 3, 0),
        ("100%", 3, 3),
        ("100%", 100, 100),
    ],
)
def test_limit_as_a_number_or_a_share(given: str | None, whole: int, most: int) -> None:
    assert RemovalLimit(given, "max_delete").of(whole) == most


@pytest.mark.parametrize("given", ["", "all", "-1", "1.5", "%", "10%%", "1_0"])
def test_no_limit(given: str) -> None:
    with pytest.raises(
        InvalidInput, match=r"max_delete: .* is neither a whole number, such as 10, nor a whole percentage, such as 30%"
    ):
        RemovalLimit(given, "max_delete")


def test_the_error_names_the_option_and_not_its_member() -> None:
    with pytest.raises(InvalidInput) as told:
        RemovalLimit("all", "prune.max_delete")
    assert told.value.details["option"] == "prune"
