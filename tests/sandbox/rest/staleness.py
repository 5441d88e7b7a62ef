# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that lag behind changes: for a while they show an object as it was before (setting list_lag)."""

from __future__ import annotations

import math
from typing import Any

from sandbox.rest.call import Call
from sandbox.rest.models import Lock, Lockable
from sandbox.rest.resource import RESOURCES


def freeze_listing(call: Call, one: Lockable) -> None:
    """Let lists show the object as it is now until ``release_listing``; one that no list has shown yet stays hidden."""
    lock = one.lock
    if not call.settings["list_lag"] or lock.until > call.now:
        lock.until = max(lock.until, math.inf if call.settings["list_lag"] else 0.0)
        return
    lock.stale_view = None if too_new(call, one) else RESOURCES[type(one)].describe(call, one)
    lock.until = math.inf


def too_new(call: Call, one: Lockable) -> bool:
    """Whether lists do not show an object yet, whatever has happened to it."""
    made = call.world.fresh[type(one)].get(one.id)
    if made is None:
        return False
    wait: float = call.settings["visibility_delay"]
    if not RESOURCES[type(one)].at_once:
        wait += call.settings["visible_after"]
    return made + wait > call.now


def release_listing(call: Call, one: Lockable, when: float) -> None:
    """Let lists show the object as it is when the lag is over, counted from that time (unix seconds)."""
    one.lock.until = when + call.settings["list_lag"]


def stale_view(lock: Lock, now: float) -> dict[str, Any] | None:
    """What lists still show of the object, if that is not the truth."""
    return lock.stale_view if now < lock.until else None


def unseen(lock: Lock, now: float) -> bool:
    """Whether lists do not show the object yet, since it is too new."""
    return now < lock.until and lock.stale_view is None
