# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one object of a name, where the service lets several bear it."""

from __future__ import annotations

import typing as t

from .._core.errors import Ambiguous

Record = t.Dict[str, t.Any]


def single(kinds: str, key: str, name: str, found: t.Sequence[Record], or_else: str = "") -> Record | None:
    """Return the one that was found, or None. Raises Ambiguous with the numbers of all.

    ``kinds`` is what a person calls several, ``key`` what the name is; ``or_else`` ends the sentence on what to do.
    """
    if len(found) > 1:
        ids = sorted(record["id"] for record in found)
        raise Ambiguous(
            f"There are {len(found)} {kinds} with the {key} {name!r}: {', '.join(map(str, ids))}.",
            next_step=f"Give the one that is meant in id{or_else}.",
            ids=ids,
        )
    return found[0] if found else None
