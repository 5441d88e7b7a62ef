# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site owns and does not declare any more."""

from __future__ import annotations

import typing as t

from .owned import Key, Owned


def orphans(owned: t.Mapping[Key, Owned], declared: t.Iterable[Key]) -> list[Owned]:
    """Return the entries that may be pruned, by kind and name; what was found is never among them."""
    wanted = set(declared)
    return [entry for key, entry in sorted(owned.items()) if key not in wanted and entry.prunable]
