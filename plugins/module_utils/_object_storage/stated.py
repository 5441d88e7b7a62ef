# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service states about itself, as far as it makes sense: nothing in a contract holds it to any form."""

from __future__ import annotations

import typing as t

Told = t.Mapping[str, t.Any]


def section(told: Told, feature: str) -> Told | None:
    """Return what is stated about a feature, None when the feature is not offered."""
    found = told.get(feature)
    return None if found is None else found if isinstance(found, dict) else {}


def number(told: Told, name: str, usual: int) -> int:
    """Return a number of at least 1, the usual one where none is stated."""
    found = told.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else usual


def entries(told: Told, name: str) -> list[t.Any]:
    """Return a list, an empty one where none is stated."""
    found = told.get(name)
    return found if isinstance(found, list) else []
