# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the cache of checksums, read ahead of need: files are asked for in the order of their paths."""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    import sqlite3

Row = t.Tuple[t.Any, ...]

MOST, FIRST, MORE = 1024, 16, 4  # rows at a time: at most, at first, and how many times as many when most were wanted
COLUMNS = "path, size, mtime, ctime, inode, device, md5, large, day"
ONE = f"SELECT {COLUMNS} FROM checksums WHERE path = ?"  # noqa: S608 - nothing of it comes from outside
SEVERAL = f"SELECT {COLUMNS} FROM checksums WHERE path >= ? ORDER BY path LIMIT ?"  # noqa: S608


class RowsAhead:
    """The table, which no query keeps locked for longer than it takes. Raises what SQLite does."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._rows: dict[bytes, Row] = {}
        self._begin: bytes | None = None  # where the rows at hand begin and end; without an end there are no more
        self._end: bytes | None = None
        self._length = FIRST
        self._wanted = FIRST

    def row(self, path: bytes) -> Row | None:
        """Return the row of a file, None when there is none."""
        if self._begin is None or (self._end is not None and path > self._end):
            self._read(path)
        elif path < self._begin:
            return t.cast("t.Optional[Row]", self._database.execute(ONE, (path,)).fetchone())
        found = self._rows.get(path)
        self._wanted += found is not None
        return found

    def _read(self, path: bytes) -> None:
        self._length = min(MOST, self._length * MORE) if self._wanted * 2 >= self._length else 1
        rows = self._database.execute(SEVERAL, (path, self._length)).fetchall()
        self._rows = {row[0]: row for row in rows}
        self._begin, self._end = path, rows[-1][0] if len(rows) == self._length else None
        self._wanted = 0
