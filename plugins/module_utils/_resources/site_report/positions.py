# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an entry is declared: ``site.yml:12`` taken apart."""

from __future__ import annotations

import re
import typing as t

_POSITION = re.compile(r"(.+?):([1-9]\d{0,8})(?::\d+)?", re.DOTALL)


class Position(t.NamedTuple):
    """A file as the plan names it, and a line that counts from 1; 1 where it is not known."""

    file: str
    line: int


def position(source: str) -> Position | None:
    """Return the position that a source names; None where it names none."""
    found = _POSITION.fullmatch(source)
    if found:
        return Position(found.group(1), int(found.group(2)))
    return Position(source, 1) if source else None
