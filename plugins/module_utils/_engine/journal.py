# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The journal of creates: notes on disk that say "I may have created this", written before the request is sent.

A create that died leaves its note. Once the object was seen the note says nothing more, and must go: it would be taken
for that of a later create when the object has been removed.
"""

from __future__ import annotations

import math
import os
import typing as t

from .._core.clock import Clock
from .._core.digests import digest
from .._core.private_files import read_json, remove, write_json

CREATES = "creates"  # the folder of notes and locks, in the user's own
STARTED, MADE = "started", "made"  # what a second note of the same create is about


class Keeper(t.Protocol):
    """Who keeps notes: the task at hand."""

    clock: Clock

    @property
    def settings(self) -> t.Mapping[str, t.Any]:
        """The values of the connection options."""

    @property
    def state_dir(self) -> str:
        """The user's own folder."""


def identity_of(task: Keeper, kind: str, *names: object) -> tuple[object, ...]:
    """Return what stands for an object in locks and notes: service, account, kind and name."""
    return (task.settings["base_url"].rstrip("/"), task.settings["username"] or "", kind, *names)


def note_of_create(task: Keeper, identity: t.Sequence[object], *about: str) -> Intent:
    """Return the note of a create: that of create_once itself, or one that outlives it, ``about`` what it started."""
    return Intent(os.path.join(task.state_dir, CREATES), digest(*identity, *about), task.clock)


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
