# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of entries: each comes after those that it refers to. No I/O."""

from __future__ import annotations

import typing as t

from .entries import Entry, Place


def levels(entries: t.Sequence[Entry]) -> list[list[Entry]]:
    """Return the entries in groups: those of one group do not refer to one another, only to entries of earlier ones."""
    known = {entry.place: entry for entry in entries}
    depths: dict[Place, int] = {}

    def depth(place: Place, above: frozenset[Place]) -> int:
        if place not in depths:
            refs = [ref for ref in known[place].refs if ref in known and ref not in above]
            depths[place] = 1 + max((depth(ref, above | {place}) for ref in refs), default=-1)
        return depths[place]

    found: list[list[Entry]] = []
    for entry in entries:
        number = depth(entry.place, frozenset())
        while len(found) <= number:
            found.append([])
        found[number].append(entry)
    return found


def with_refs(chosen: t.Sequence[Entry], whole: t.Mapping[Place, Entry]) -> list[Entry]:
    """Return those of the whole that the chosen entries refer to, directly or not, and that are not chosen."""
    seen = {entry.place for entry in chosen}
    found: list[Entry] = []
    left = list(chosen)
    while left:
        for ref in left.pop().refs:
            if ref in whole and ref not in seen:
                seen.add(ref)
                found.append(whole[ref])
                left.append(whole[ref])
    return found
