# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A clock for the client under test that runs several times as fast as the sandbox: standard library only."""

from __future__ import annotations

import threading
import time


class QuickClock:
    """Only advances while somebody sleeps, and then ``factor`` times as fast as real time.

    Pauses, grace times and deadlines of the client get shorter while everything still happens in order, and none of
    them ends because the machine is busy. It diverges from the sandbox's time, so each test takes a new one.
    """

    def __init__(self, factor: float = 5.0) -> None:
        self._factor = factor
        self._begun = time.monotonic()
        self._epoch = time.time()
        self._slept = 0.0
        self._lock = threading.Lock()

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._epoch + self._slept

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return self._begun + self._slept

    def sleep(self, seconds: float) -> None:
        """Wait for as many of its own seconds; those who sleep at the same time do not add up."""
        if seconds > 0:
            end = self._slept + seconds
            time.sleep(seconds / self._factor)
            with self._lock:
                self._slept = max(self._slept, end)
