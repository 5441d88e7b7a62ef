# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run knows of the lock that it holds, and what it is told about that of another run."""

from __future__ import annotations

import typing as t

from ..._core.errors import Busy


class SiteLock:
    """A lock that is held; this one, of a run that takes none, is never lost. Threads may share it."""

    made_container = False
    """Whether the container was not there and was made for the lock."""

    @property
    def lost(self) -> bool:
        """Whether it is ours no more: somebody broke it, or it could not be renewed in time."""
        return self.why_lost is not None

    @property
    def why_lost(self) -> str | None:
        """What became of it, in a sentence; None while it is held."""
        return None

    def check(self) -> None:
        """Raise Busy when it is lost: nothing may be written then. Call it before each write.

        It is cheap, but for a look at the lease every few seconds. The first call takes up to half a second.
        """
        why = self.why_lost
        if why is not None:
            raise Busy(
                f"The lock of the site is lost: {why} Nothing more was written.",
                next_step="Let the other run end, then run this one again.",
            )

    def release(self) -> None:
        """Let go of it."""


class Blocked(t.NamedTuple):
    """Why a lock cannot be had: who has which one. ``until`` is a text; ``passing``: it will be free in a moment."""

    lock: str
    owner: str
    until: str | None
    how_to_break: str
    passing: bool = False


Taken = t.Union[SiteLock, Blocked]
