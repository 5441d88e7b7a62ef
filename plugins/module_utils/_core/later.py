# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands for what only an apply can tell."""

from __future__ import annotations

LATER = "(known after apply)"
UNLESS_CREATED = "Unless an earlier task creates it, this task will fail outside check mode."


def is_known_now(text: str) -> bool:
    """Return whether nothing in a text stands for what only an apply will know."""
    return LATER[:-1] not in text
