# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What operations warn of, for many entries: each warning once, and not more of them than anybody reads."""

from __future__ import annotations

import typing as t

from .wishes import Wish

MOST = 20


class Warnings:
    """Collects warnings, from any thread."""

    def __init__(self) -> None:
        self._told: dict[str, None] = {}

    def add(self, wish: Wish, text: str) -> None:
        """Take note of what the operation of an entry warns of; planning and doing often warn of the same."""
        self._told.setdefault(f"{wish}: {text}")

    def tell(self, warn: t.Callable[[str], None]) -> None:
        """Tell the first ones, and how many there are more."""
        whole = list(self._told)
        for text in whole[:MOST]:
            warn(text)
        if len(whole) > MOST:
            warn(f"There are {len(whole) - MOST} more warnings of entries; with kinds one sees those of a kind.")
