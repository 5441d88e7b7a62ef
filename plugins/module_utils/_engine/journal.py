# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Intents: notes on disk that say "I may have created this", written before the request is sent."""

from __future__ import annotations

import math
import os
import typing as t

from .._core.clock import Clock
from .._core.private_files import read_json, remove, write_json


class Intent:
    """The note for one object; it outlives the process. No secret may be in ``facts``."""

    def __init__(self, folder: str, key: str, clock: Clock) -> None:
        self._path = os.path.join(folder, "intents", key + ".json")
        self._clock = clock

    def write(self, **facts: t.Any) -> None:
        """Note the intent, with the time, in one step that survives a crash."""
        write_json(self._path, {**facts, "time": self._clock.now()})

    def add(self, **facts: t.Any) -> None:
        """Add what became known (a ticket number, say); the time of the intent stays."""
        known = read_json(self._path)
        if isinstance(known, dict):
            write_json(self._path, {**known, **facts})

    def read(self) -> dict[str, t.Any] | None:
        """Return what an earlier run noted, or None. A time that the clock has not reached, being set back, is now."""
        known = read_json(self._path)
        noted = known.get("time") if isinstance(known, dict) else None
        if not isinstance(noted, (int, float)) or not math.isfinite(noted):
            return None
        return {**known, "time": min(noted, self._clock.now())}

    def clear(self) -> None:
        """Forget the intent: its outcome is known."""
        remove(self._path)
