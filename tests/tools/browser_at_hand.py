# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether this machine has the browser that pages are looked at in: standard library only."""

from __future__ import annotations

import shutil


def missing() -> str:
    """Why pages cannot be looked at; empty when they can."""
    gone = [program for program in ("chromium", "chromedriver") if not shutil.which(program)]
    return f"there is no {gone[0]} (Debian: chromium and chromium-driver)" if gone else ""
