# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals that end the process, while it has something that others wait for: it gives that back first."""

from __future__ import annotations

import os
import signal
import threading
import types
import typing as t

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
QUICKLY = 3.0  # seconds that giving back may take then


class Interruption:
    """Has such a signal raise KeyboardInterrupt in the main thread; at the end of the block the process gets it again.

    Only a main thread can do so; elsewhere nothing is different.
    """

    def __init__(self) -> None:
        self._number: int | None = None
        self._only_note = False
        self._before: dict[signal.Signals, t.Any] = {}

    def __enter__(self) -> Interruption:  # noqa: PYI034 - typing.Self is newer than Python 3.9
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._take) for number in SIGNALS}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
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

    def _take(self, number: int, _frame: types.FrameType | None) -> None:
        self._number = number
        if not self._only_note:
            raise KeyboardInterrupt
