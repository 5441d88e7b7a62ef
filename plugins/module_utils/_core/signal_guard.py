# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Catches, while a block runs, the signals that would end this process."""

from __future__ import annotations

import abc
import signal
import threading
import types
import typing as t

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class SignalGuard(abc.ABC):
    """A context in which such a signal only calls ``take``.

    This works in a main thread only; elsewhere it does nothing.
    """

    def __init__(self) -> None:
        self._before: dict[signal.Signals, t.Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self.take) for number in SIGNALS}

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    @abc.abstractmethod
    def take(self, number: int, frame: types.FrameType | None) -> None:
        """Take note of a signal."""
