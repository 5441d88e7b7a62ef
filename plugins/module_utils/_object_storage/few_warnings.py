# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warnings of which there may be as many as files."""

from __future__ import annotations

from .entries import Warn

MOST = 20


class FewWarnings:
    """Shows the first ones, and how many more there were."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._count = 0

    def add(self, text: str) -> None:
        """Show it, unless there were many before it."""
        self._count += 1
        if self._count <= MOST:
            self._warn(text)

    def end(self) -> None:
        """Tell what was not shown."""
        if self._count > MOST:
            self._warn(f"There were {self._count - MOST} more warnings of this kind.")
