# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site owns and does not declare any more, and how much of it may go at once."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import listed
from ..._engine.removal_limit import RemovalLimit
from .owned import Key, Owned, shown

SHOWN = 10


def orphans(owned: t.Mapping[Key, Owned], declared: t.Iterable[Key]) -> list[Owned]:
    """Return the entries that may be pruned, by kind and name; what was found is never among them."""
    wanted = set(declared)
    return [entry for key, entry in sorted(owned.items()) if key not in wanted and entry.prunable]


def check_removals(going: t.Sequence[Owned], owned: t.Mapping[Key, Owned], max_delete: str | None) -> None:
    """Raise InvalidInput when more would be removed than ``max_delete`` allows (a number, or a share of what is owned).

    None allows what the other modules do without one, see ``removal_limit``.
    """
    whole = sum(entry.prunable for entry in owned.values())
    most = RemovalLimit(max_delete, "max_delete").of(whole)
    if len(going) <= most:
        return
    names = listed([shown(entry.key) for entry in going], SHOWN)
    raise InvalidInput(
        f"prune: {len(going)} of {whole} objects of the site would be removed ({names}), and at most {most} may be. "
        "Nothing was removed.",
        next_step=f"Check the site file; if they are to go, set max_delete to {len(going)}.",
        option="max_delete",
    )
