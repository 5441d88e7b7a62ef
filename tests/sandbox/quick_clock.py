# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A clock for the client under test that runs several times as fast as the sandbox: standard library only."""

from __future__ import annotations

import time


class QuickClock:
    """Runs ``factor`` times as fast as time does, from the moment at which it was made.

    Pauses, grace and deadlines of the client get shorter by that, while everything still happens in its order. It moves
    away from the sandbox's time, so each test takes a new one.
    """

    def __init__(self, factor: float = 5.0) -> None:
        """Begin now."""
        self._factor = factor
        self._begun = time.monotonic()
        self._epoch = time.time()

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._epoch + self._passed()

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return self._begun + self._passed()

    def sleep(self, seconds: float) -> None:
        """Wait for as many of its own seconds."""
        if seconds > 0:
            time.sleep(seconds / self._factor)

    def _passed(self) -> float:
        return (time.monotonic() - self._begun) * self._factor
