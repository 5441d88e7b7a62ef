# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When lists show a new object: some time after it was made (settings visible_after and visibility_delay)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from sandbox.rest.call import Call

T = TypeVar("T")
DIRECT = frozenset({"addresses", "keys"})
"""Kinds that are made without a ticket: lists show them at once, unless the setting visibility_delay says otherwise."""


def hide(call: Call, kind: str, number: int) -> None:
    """Keep a new object out of lists for now; it can be read by its id."""
    call.world.fresh[kind][number] = call.now


def shown(call: Call, kind: str, table: Mapping[int, T]) -> list[T]:
    """The objects that lists show. What a list has shown once stays in sight."""
    wait = call.settings["visibility_delay"] + (0 if kind in DIRECT else call.settings["visible_after"])
    hidden = call.world.fresh[kind]
    for number in [one for one, made in hidden.items() if one not in table or made + wait <= call.now]:
        del hidden[number]
    if not hidden:
        return list(table.values())
    return [one for number, one in table.items() if number not in hidden]
