# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table at the end of a run: what came of every fault on every create."""

from __future__ import annotations

import typing as t

BAD = "NOT GOOD"


class OutcomeTable:
    """Cells by row and column; one that was begun and never filled is bad."""

    def __init__(self) -> None:
        """Start empty."""
        self._cells: dict[tuple[str, str], str] = {}

    def begin(self, row: str, column: str) -> None:
        """Count this cell as bad until it is filled."""
        self._cells[row, column] = BAD

    def fill(self, row: str, column: str, text: str) -> None:
        """Say what came of it."""
        self._cells[row, column] = text

    def lines(self) -> t.Iterator[str]:
        """Yield the table with the number of good cells below each column; nothing when nothing was begun."""
        rows = list(dict.fromkeys(row for row, _column in self._cells))
        columns = list(dict.fromkeys(column for _row, column in self._cells))
        if not rows:
            return
        body = [[row, *(self._cells.get((row, column), "") for column in columns)] for row in rows]
        grid = [["fault", *columns], *body, ["good", *(self._sum(column) for column in columns)]]
        widths = [max(len(line[place]) for line in grid) for place in range(len(columns) + 1)]
        for line in grid:
            yield "  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip()

    def _sum(self, column: str) -> str:
        cells = [text for (_row, name), text in self._cells.items() if name == column]
        return f"{sum(text != BAD for text in cells)} of {len(cells)}"
