# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wait until something is so."""

from __future__ import annotations

import typing as t

from .._core.clock import Deadline
from .._core.errors import WaitTimeout

Value = t.TypeVar("Value")


def wait_until(
    read: t.Callable[[], Value],
    done: t.Callable[[Value], bool],
    deadline: Deadline,
    *,
    what: str,
    progress: t.Callable[[Value], str] | None = None,
    tell: t.Callable[[str], None] | None = None,
    first: float = 0.2,
    longest: float = 10.0,
) -> Value:
    """Read until ``done``; pauses grow from ``first`` to ``longest`` seconds. Raises WaitTimeout."""
    pause, said = first, ""
    while True:
        value = read()
        if done(value):
            return value
        now = progress(value) if progress else ""
        if tell and now and now != said:
            tell(f"{what}: {now}")
            said = now
        if deadline.over:
            raise WaitTimeout(
                f"{what} was not done within {deadline.seconds:g} s{f' (last seen: {now})' if now else ''}.",
                next_step="The operation goes on at the service: run the task again, with a larger wait_timeout.",
            )
        deadline.sleep(pause)
        pause = min(longest, pause * 1.6)
