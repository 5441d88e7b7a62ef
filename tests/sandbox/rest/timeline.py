# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Future effects with their times, carried out when somebody looks."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

Effect = Callable[[float], None]
"""A change of the world; it gets the time at which it was due (unix seconds)."""


class Timeline:
    """Effects in the order of their times; equal times keep the order in which they were added."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Effect]] = []
        self._held: list[Effect] = []
        self._numbers = itertools.count()

    def at(self, when: float, effect: Effect) -> None:
        """Carry out the effect at that time (unix seconds)."""
        heapq.heappush(self._heap, (when, next(self._numbers), effect))

    def hold(self, effect: Effect) -> None:
        """Carry out the effect only when what is held is released."""
        self._held.append(effect)

    def release(self, now: float) -> None:
        """Carry out what is held, in its order."""
        held, self._held = self._held, []
        for effect in held:
            effect(now)

    def advance(self, now: float) -> None:
        """Carry out all effects that are due, including those that become due by them."""
        while self._heap and self._heap[0][0] <= now:
            when, _, effect = heapq.heappop(self._heap)
            effect(when)
