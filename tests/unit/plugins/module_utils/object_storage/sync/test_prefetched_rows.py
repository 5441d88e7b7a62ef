# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the cache that are read ahead: the same as one by one, in fewer queries."""

from __future__ import annotations

import contextlib
import sqlite3
import typing as t

from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.checksum_cache import TABLE, PrefetchedRows

PATHS = st.binary(max_size=2)


@contextlib.contextmanager
def table(paths: t.Iterable[bytes]) -> t.Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute(TABLE)
        database.executemany("INSERT INTO checksums (path, size) VALUES (?, 1)", [(path,) for path in paths])
        yield database


def queries(there: t.Iterable[bytes], paths: t.Iterable[bytes]) -> int:
    """Ask for rows one after the other, and return how many queries that took."""
    seen: list[str] = []
    with table(there) as database:
        rows = PrefetchedRows(database)
        database.set_trace_callback(seen.append)
        for path in paths:
            rows.row(path)
        database.set_trace_callback(None)
    return len(seen)


@given(st.sets(PATHS, max_size=100), st.lists(PATHS, max_size=100), st.booleans())
def test_whatever_is_asked_for_in_whatever_order(there: set[bytes], asked: list[bytes], ordered: bool) -> None:
    with table(there) as database:
        rows = PrefetchedRows(database)
        for path in sorted(asked) if ordered else asked:
            found = rows.row(path)
            assert (None if found is None else found[0]) == (path if path in there else None)


def test_few_queries_for_many_files_in_order() -> None:
    paths = [b"%06d" % number for number in range(20_000)]
    assert queries(paths, paths) <= 30
    assert queries([], paths) == 1
    assert queries(paths, [path + b"x" for path in paths[-1000:]]) <= 1001  # none of them is there


def test_little_is_read_in_vain() -> None:
    """Where only few of what is there is asked for."""
    read: list[int] = []
    with table(b"%06d" % number for number in range(20_000)) as database:
        rows = PrefetchedRows(database)
        database.row_factory = lambda _cursor, row: read.append(1) or row
        for number in range(0, 20_000, 100):
            assert rows.row(b"%06d" % number) is not None
    assert len(read) < 200 * 4
