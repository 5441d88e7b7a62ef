# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What only a user with the administrator role may do. Source: contract object-storage.md, Authentication 5."""

from __future__ import annotations

from .._core.errors import Forbidden


def administrator_missing(error: Forbidden, doing: str, otherwise: str = "") -> Forbidden:
    """Return the error that tells the rule; ``doing`` begins the sentence, ``otherwise`` is a further way out."""
    return Forbidden(
        f"{doing} needs a token of a user with the administrator role in the account, and storage_user has it not.",
        next_step=f"Set storage_user and storage_key to those of such a user{otherwise}.",
        **error.details,
    )
