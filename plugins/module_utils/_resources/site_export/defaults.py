# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What most entries of a kind have in common, said once."""

from __future__ import annotations

import typing as t
from collections import Counter

from .found import Found, Values

Defaults = t.Dict[str, Values]
FEWEST = 2  # entries for which a default is worth it


def defaults_of(found: Found) -> Values:
    """Return the values that more than half of the entries have.

    Only of options that every entry has: an entry without one must not get it from the defaults. What says which object
    is meant is no default, nor is anything that has parts, since it may be merged.
    """
    entries = found.entries
    if len(entries) < FEWEST:
        return {}
    values = {}
    for option in found.table.told:
        given = [entry.get(option) for entry in entries]
        if any(value is None or isinstance(value, (dict, list)) for value in given):
            continue
        (_type, value), count = Counter((type(value).__name__, value) for value in given).most_common(1)[0]
        if count * 2 > len(given):
            values[option] = value
    return values


def without(defaults: Values, entry: Values) -> Values:
    """Return an entry without what the defaults say."""
    return {name: value for name, value in entry.items() if not _same(defaults.get(name), value)}


def _same(default: t.Any, value: t.Any) -> bool:
    return type(default) is type(value) and bool(default == value)
