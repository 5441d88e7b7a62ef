# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries, and their values in every object (docs/service/infrastructure.md, "Dictionaries")."""

from __future__ import annotations

from typing import Any

Value = dict[str, Any]


class Dictionaries:
    """Labels by dictionary and item id; values carry a link to their dictionary, so they depend on the origin asked."""

    def __init__(self, names: dict[int, str], labels: dict[int, dict[int, str]]) -> None:
        """Keep names by dictionary id, and labels by dictionary id and item id."""
        self.names = names
        self.labels = labels
        self.origin = "https://localhost"
        self._values: dict[tuple[int, int], Value] = {}

    def value(self, dictionary: int, item: int) -> Value:
        """One value in the form of the captures; shared, so nobody may change it."""
        known = self._values.get((dictionary, item))
        if known is None:
            known = self._values[dictionary, item] = self._make(dictionary, item)
        return known

    def optional(self, dictionary: int, item: int | None) -> Value | None:
        """As ``value``; null for none."""
        return None if item is None else self.value(dictionary, item)

    def has(self, dictionary: int, item: int) -> bool:
        """Whether that dictionary has that item."""
        return item in self.labels[dictionary]

    def label(self, dictionary: int, item: int) -> str:
        """The label of an item."""
        return self.labels[dictionary][item]

    def content(self, dictionary: int) -> list[Value]:
        """All values of one dictionary, in the order of the seed."""
        return [self.value(dictionary, item) for item in self.labels[dictionary]]

    def move(self, origin: str) -> bool:
        """Make links with that origin from now on; tells whether it is another one than before."""
        if origin == self.origin:
            return False
        self.origin = origin
        self._values.clear()
        return True

    def _make(self, dictionary: int, item: int) -> Value:
        link = {"Rel": "self", "Href": f"{self.origin}/beta/dictionaries/{dictionary}"}
        label = self.labels[dictionary][item]
        return {"Id": item, "Label": label, "Dictionary": {"Id": dictionary, "Links": [link]}}
