# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When lists show a new object: some time after it was made (visible_after, visibility_delay and list_lag)."""

from __future__ import annotations

import math
from typing import TypeVar

from sandbox.rest.call import Call
from sandbox.rest.models import Lockable
from sandbox.rest.staleness import release_listing, too_new, unseen

T = TypeVar("T", bound=Lockable)


def hide(call: Call, one: Lockable, *, made: float | None = None) -> None:
    """Keep a new object out of lists for now; it can be read by its id.

    ``made`` is the time (unix seconds) at which it was finished; without it its ticket is under way.
    """
    call.world.fresh[type(one)][one.id] = call.now if made is None else made
    one.lock.stale_view, one.lock.until = None, math.inf if call.settings["list_lag"] else 0.0
    if made is not None:
        release_listing(call, one, made)


def shown(call: Call, model: type[T]) -> list[T]:
    """The objects of a class that lists show. What a list has shown once stays in sight."""
    table, hidden = call.world.table(model), call.world.fresh[model]
    for number in [one for one in hidden if one not in table or not _too_new(call, table[one])]:
        del hidden[number]
    return [one for number, one in table.items() if number not in hidden]


def _too_new(call: Call, one: Lockable) -> bool:
    return too_new(call, one) or unseen(one.lock, call.now)
