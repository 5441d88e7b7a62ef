# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache of the MD5s of files, so that unchanged files are not read again.

One SQLite file for all trees. Several tasks may use it at once, and a killed one leaves it intact. It only saves time:
after an error and a warning, the task goes on without it.
"""

from __future__ import annotations

import contextlib
import operator
import os
import time
import typing as t

from .._core.errors import FcdError
from .._core.private_files import private_folder
from .._core.type_aliases import Warn
from .tree_merge import Stamp

if t.TYPE_CHECKING:
    import sqlite3


MIN_FILE_AGE_NS = 2_000_000_000  # ns; a file that changed so shortly before it was read may change again unnoticed
DATABASE_TIMEOUT = 5.0  # seconds for another task to have written
OFTEN = 1000  # rows that are written at once
KEPT_DAYS, SEEN_DAYS = 90, 7  # how long an unused row is kept; how often its use is noted
DAY = 86400
TABLE = """
CREATE TABLE IF NOT EXISTS checksums (
  path BLOB PRIMARY KEY, size INTEGER, mtime INTEGER, ctime INTEGER, inode BLOB, device BLOB,
  md5 BLOB, large BLOB, day INTEGER
) WITHOUT ROWID
"""


class KnownDigests(t.NamedTuple):
    """What is known of a file's content: its MD5, and the ETag by which a large object with it is listed."""

    md5: str | None = None
    large: str | None = None


NO_DIGESTS = KnownDigests()


class ChecksumCache:
    """The cache, for one thread. Without a path it keeps nothing."""

    def __init__(self, path: str | None, warn: Warn) -> None:
        self._path = path
        self._warn = warn
        self._today = int(time.time() // DAY)
        self._new: list[tuple[object, ...]] = []
        self._database: sqlite3.Connection | None = None
        self._rows: PrefetchedRows | None = None
        if path is not None:
            self._guarded(self._open)

    def find(self, path: str, stamp: Stamp) -> KnownDigests:
        """Return what is known of the file, if it has not changed since."""
        if self._rows is None:
            return NO_DIGESTS
        found: tuple[KnownDigests, int] | None = self._guarded(lambda: self._found(path, stamp))
        if found is None:
            return NO_DIGESTS
        known, day = found
        if day < self._today - SEEN_DAYS:
            self._add(path, stamp, known)
        return known

    def keep(self, path: str, stamp: Stamp, known: KnownDigests, read_at: int) -> None:
        """Remember the file as it was when its reading began, at ``read_at`` (ns since 1970)."""
        if self._database is not None and read_at - max(stamp.mtime, stamp.ctime) >= MIN_FILE_AGE_NS:
            self._add(path, stamp, known)

    def close(self) -> None:
        """Write the new rows."""
        self._write()
        self._let_go()

    def _let_go(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = self._rows = None

    def _add(self, path: str, stamp: Stamp, known: KnownDigests) -> None:
        digests = [None if value is None else bytes.fromhex(value) for value in known]
        self._new.append((os.fsencode(path), *_stamp_columns(stamp), *digests, self._today))
        if len(self._new) >= OFTEN:
            self._write()

    def _found(self, path: str, stamp: Stamp) -> tuple[KnownDigests, int] | None:
        """Return what is known of the file, and when it was noted. Raises DatabaseError for a foreign database."""
        row = t.cast("PrefetchedRows", self._rows).row(os.fsencode(path))
        if row is None or row[1:6] != _stamp_columns(stamp):
            return None
        _path, _size, _mtime, _ctime, _inode, _device, md5, large, day = row
        try:
            return KnownDigests(md5 and bytes.hex(md5), large and bytes.hex(large)), operator.index(day)
        except TypeError:
            import sqlite3

            raise sqlite3.DatabaseError("a row of it is not ours") from None

    def _write(self) -> None:
        rows, self._new = self._new, []
        if rows and self._database is not None:
            self._guarded(lambda: self._replace(rows))

    def _replace(self, rows: list[tuple[t.Any, ...]]) -> None:
        database = t.cast("sqlite3.Connection", self._database)
        with database:
            database.executemany(f"REPLACE INTO checksums VALUES ({', '.join('?' * 9)})", rows)  # noqa: S608
            database.execute("DELETE FROM checksums WHERE day < ?", (self._today - KEPT_DAYS,))

    def _open(self) -> None:
        import sqlite3

        path = str(self._path)
        private_folder(os.path.dirname(path))
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite would apply the umask
        os.chmod(path, 0o600)
        self._database = sqlite3.connect(path, timeout=DATABASE_TIMEOUT)
        self._database.execute(TABLE)
        self._rows = PrefetchedRows(self._database)

    def _guarded(self, act: t.Callable[[], object]) -> t.Any:
        """Run ``act``; after an error, the task goes on without the cache."""
        try:
            import sqlite3
        except ImportError:  # a Python without it
            self._database = self._rows = None
            return None
        try:
            return act()
        except (sqlite3.Error, OSError, FcdError) as exc:
            self._let_go()
            # an OperationalError leaves it whole (locked for long, a full disk), unless its columns are others
            usable = isinstance(exc, sqlite3.OperationalError) and "column" not in str(exc)
            damaged = isinstance(exc, sqlite3.Error) and not usable
            what = "was damaged and has been discarded" if damaged else "is not used"
            self._warn(f"The cache of checksums {self._path} {what}: {exc}. Files are read to compare them.")
            for tail in ("", "-journal") if damaged else ():
                with contextlib.suppress(OSError):
                    os.remove(f"{self._path}{tail}")
        return None


def _stamp_columns(stamp: Stamp) -> tuple[t.Any, ...]:
    """Return the stamp as SQLite holds it: its integers have 63 bits, numbers of inodes and devices may have 64."""
    return (stamp.size, stamp.mtime, stamp.ctime, str(stamp.inode).encode(), str(stamp.device).encode())


CacheRow = t.Tuple[t.Any, ...]
MAX_CACHE_ROWS = 1024  # rows at a time
FIRST_ROWS, MORE_ROWS = 16, 4  # rows at first, and the factor when most of them were used
COLUMNS = "path, size, mtime, ctime, inode, device, md5, large, day"
ONE = f"SELECT {COLUMNS} FROM checksums WHERE path = ?"  # noqa: S608 - nothing of it comes from outside
SEVERAL = f"SELECT {COLUMNS} FROM checksums WHERE path >= ? ORDER BY path LIMIT ?"  # noqa: S608


class PrefetchedRows:
    """The table, which is only locked while a query runs. Raises the errors of SQLite."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._rows: dict[bytes, CacheRow] = {}
        self._begin: bytes | None = None  # first and last of the rows at hand; without a last one there are no more
        self._end: bytes | None = None
        self._length = FIRST_ROWS
        self._used = FIRST_ROWS

    def row(self, path: bytes) -> CacheRow | None:
        """Return the row of a file, None when there is none."""
        if self._begin is None or (self._end is not None and path > self._end):
            self._length = min(MAX_CACHE_ROWS, self._length * MORE_ROWS) if self._used * 2 >= self._length else 1
            rows = self._database.execute(SEVERAL, (path, self._length)).fetchall()
            self._rows = {row[0]: row for row in rows}
            self._begin, self._end = path, rows[-1][0] if len(rows) == self._length else None
            self._used = 0
        elif path < self._begin:
            return t.cast("t.Optional[CacheRow]", self._database.execute(ONE, (path,)).fetchone())
        found = self._rows.get(path)
        self._used += found is not None
        return found
