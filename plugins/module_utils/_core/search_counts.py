# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether there are so many searches of one kind that reading the whole list is cheaper."""

from __future__ import annotations

import threading
import typing as t

FEW = 3  # searches of one kind that are sent as they are


class SearchCounts:
    """Counts different searches of each kind; of the kinds ``many`` it is known that there will be many."""

    def __init__(self, many: t.Collection[str]) -> None:
        self._many = many
        self._asked: dict[str, set[str]] = {}
        self._lock = threading.Lock()

    def many(self, kind: str, question: str) -> bool:
        """Return whether there were more than a few different searches of this kind, this one included."""
        if kind in self._many:
            return True
        with self._lock:
            asked = self._asked.setdefault(kind, set())
            asked.add(question)
            return len(asked) > FEW
