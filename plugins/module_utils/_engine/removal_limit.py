# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many things may be removed only because they are not declared any more."""

from __future__ import annotations

import re
import typing as t

from .._core.errors import InvalidInput

MOST, MOST_PERCENT = 5, 20  # what is removed without having been allowed, the smaller of both
_LIMIT = re.compile(r"\s*(\d{1,9})\s*(%?)\s*")


class RemovalLimit:
    """A number (``10``), a share (``30%``), or None: 20 % and not more than 5."""

    def __init__(self, given: str | None, option: str) -> None:
        self._given = None if given is None else _LIMIT.fullmatch(given)
        if given is not None and self._given is None:
            raise InvalidInput(
                f"{option}: {given!r} is neither a number, such as 10, nor a share, such as 30%; both are whole.",
                option=option.partition(".")[0],
            )

    def of(self, whole: int) -> int:
        """Return how many of so many may be removed."""
        if self._given is None:
            return min(MOST, whole * MOST_PERCENT // 100)
        number, percent = t.cast("tuple[str, str]", self._given.groups())
        return whole * int(number) // 100 if percent else int(number)
