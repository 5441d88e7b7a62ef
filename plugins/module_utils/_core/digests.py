# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests: names for files and locks that tell nothing about what they stand for."""

from __future__ import annotations

import hashlib


def digest(*parts: object) -> str:
    """Return 32 hex characters for the parts, in this order."""
    text = "\x00".join(str(part) for part in parts)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
