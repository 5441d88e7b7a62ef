# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is on the target and not on the source any more, within the bounds that the user has set."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.names import listed
from .._engine.removal_limit import RemovalLimit

SHOWN = 10  # names in the message


def check_surplus(names: t.Sequence[str], whole: int, limit: RemovalLimit, what: str) -> None:
    """Raise InvalidInput when more would be deleted than may be; ``whole`` is how many there are on the target."""
    most = limit.of(whole)
    if len(names) > most:
        raise InvalidInput(
            f"delete: {len(names)} of {whole} {what} would be deleted "
            f"({listed([repr(name) for name in names], SHOWN)}), and at most {most} may be. Nothing was done.",
            next_step=f"Check the source; if they are to go, set max_delete to {len(names)}.",
            option="max_delete",
        )
