# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The time at which a file was changed, as an item of metadata of its object.

The name and form are those that other clients of the interface use: seconds since 1970 with a fraction. Some compare
the text, and write six digits, so that whole microseconds have six here too.
"""

from __future__ import annotations

import re

ITEM = "mtime"
MTIME = f"x-object-meta-{ITEM}"
_SECONDS = re.compile(r"([0-9]{1,11})(?:\.([0-9]{1,9})[0-9]*)?")


def mtime_text(nanoseconds: int) -> str:
    """Return the text for nanoseconds since 1970."""
    seconds, fraction = divmod(nanoseconds, 10**9)
    return f"{seconds}.{fraction:09d}" if fraction % 1000 else f"{seconds}.{fraction // 1000:06d}"


def mtime_of(text: str) -> int | None:
    """Return nanoseconds since 1970, None when the text is no time."""
    found = _SECONDS.fullmatch(text.strip())
    return None if found is None else int(found[1]) * 10**9 + int((found[2] or "").ljust(9, "0"))
