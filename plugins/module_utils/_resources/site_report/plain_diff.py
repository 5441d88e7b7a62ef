# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The differences of an entry as lines of plain text with a sign before each."""

from __future__ import annotations

from .differences import Difference, differences
from .plan_contents import Change
from .visible_text import bounded, visible, visible_lines


def diff_lines(change: Change, most: int) -> list[str]:
    """Return lines that begin with ``- `` or ``+ ``; of each value at most so many characters."""
    return [line for difference in differences(change) for line in _lines(difference, most)]


def _lines(difference: Difference, most: int) -> list[str]:
    sides = (("-", difference.before), ("+", difference.after))
    return [line for sign, text in sides if text is not None for line in _side(sign, difference.option, text, most)]


def _side(sign: str, option: str, text: str, most: int) -> list[str]:
    first, *rest = visible_lines(bounded(text, most))
    return [f"{sign} {visible(bounded(option, most))}: {first}", *(f"{sign}   {line}" for line in rest)]
