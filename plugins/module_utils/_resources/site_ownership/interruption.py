# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals that end the process, while it has something that others wait for: it gives that back first."""

from __future__ import annotations

import os
import threading
import types
import typing as t

from ..._core.signal_guard import SignalGuard

QUICKLY = 3.0  # seconds that giving back may take then


class Interruption(SignalGuard):
    """Has a signal raise KeyboardInterrupt in the main thread; at the end of the block the process gets it again."""

    def __init__(self) -> None:
        super().__init__()
        self._number: int | None = None
        self._only_note = False

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._number is not None:
            os.kill(os.getpid(), self._number)

    def give_back(self, release: t.Callable[[], None]) -> None:
        """Call ``release``, which no signal interrupts any more; after one it has a few seconds only."""
        self._only_note = True
        if self._number is None:
            release()
            return
        thread = threading.Thread(target=release, name="giving back", daemon=True)
        thread.start()
        thread.join(QUICKLY)

    def take(self, number: int, frame: types.FrameType | None) -> None:
        """Note it, and interrupt the work unless things are being given back. Raises KeyboardInterrupt."""
        del frame
        self._number = number
        if not self._only_note:
            raise KeyboardInterrupt
