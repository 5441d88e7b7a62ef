# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache of checksums: it saves time and never changes a result."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sqlite3
import subprocess
import sys
import time

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import checksum_cache
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.checksum_cache import (
    MIN_FILE_AGE_NS,
    NO_DIGESTS,
    ChecksumCache,
    KnownDigests,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.tree_merge import Stamp

STAMP = Stamp(1, 10**18, 10**18 + 5, 2**64 - 1, 2**63)
LATER = 2 * 10**18
KNOWN = KnownDigests("0" * 32, "f" * 32)


@pytest.fixture
def path(tmp_path: pathlib.Path) -> str:
    return str(tmp_path / "state" / "checksums.sqlite")


def opened(path: str, warnings: list[str] | None = None) -> ChecksumCache:
    return ChecksumCache(path, ([] if warnings is None else warnings).append)


def found(path: str, name: str, stamp: Stamp = STAMP, warnings: list[str] | None = None) -> KnownDigests:
    with contextlib.closing(opened(path, warnings)) as cache:
        return cache.find(name, stamp)


def filled(path: str, count: int = 1) -> None:
    cache = opened(path)
    for number in range(count):
        cache.keep(f"/f{number}", STAMP, KNOWN, LATER)
    cache.close()


def test_what_was_kept_is_found(path: str) -> None:
    filled(path)
    assert found(path, "/f0") == KNOWN
    assert found(path, "/f1") == NO_DIGESTS


@pytest.mark.parametrize("field", Stamp._fields)
def test_not_for_a_file_that_is_another(path: str, field: str) -> None:
    filled(path)
    other = STAMP._replace(**{field: getattr(STAMP, field) - 1})
    assert found(path, "/f0", other) == NO_DIGESTS


@pytest.mark.parametrize(("age", "kept"), [(MIN_FILE_AGE_NS, True), (MIN_FILE_AGE_NS - 1, False)])
def test_a_file_that_may_be_being_written_is_not_kept(path: str, age: int, *, kept: bool) -> None:
    cache = opened(path)
    cache.keep("/a", STAMP, KNOWN, max(STAMP.mtime, STAMP.ctime) + age)
    cache.close()
    assert (found(path, "/a") == KNOWN) is kept


def test_cache_file_is_private(path: str) -> None:
    filled(path)
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to look at", b"SQLite format 3\0" + b"x" * 5000]
)
def test_damaged_is_told_and_begun_anew(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), 0o700)
    pathlib.Path(path).write_bytes(content)
    warnings: list[str] = []
    cache = opened(path, warnings)
    assert cache.find("/f0", STAMP) == NO_DIGESTS
    cache.keep("/f0", STAMP, KNOWN, LATER)
    cache.close()
    assert len(warnings) == 1
    assert "was damaged and has been discarded" in warnings[0]
    filled(path)
    assert found(path, "/f0") == KNOWN


def test_damaged_in_the_middle(path: str) -> None:
    filled(path, 2000)
    with open(path, "r+b") as handle:
        handle.seek(4096)
        handle.write(b"\xff" * 40960)
    warnings: list[str] = []
    cache = opened(path, warnings)
    assert {cache.find(f"/f{number}", STAMP) for number in range(2000)} <= {NO_DIGESTS, KNOWN}
    cache.close()
    assert len(warnings) == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE checksums SET md5 = 'text'",
        "UPDATE checksums SET day = 'text'",
        "UPDATE checksums SET day = NULL",
        "ALTER TABLE checksums RENAME COLUMN md5 TO other",
    ],
)
def test_what_is_not_ours_is_thrown_away(path: str, change: str) -> None:
    filled(path)
    other = sqlite3.connect(path)
    with other:
        other.execute(change)
    other.close()
    warnings: list[str] = []
    cache = opened(path, warnings)
    assert cache.find("/f0", STAMP) == NO_DIGESTS
    cache.close()
    assert "has been discarded" in warnings[0]
    filled(path)
    assert found(path, "/f0") == KNOWN


def test_a_place_that_cannot_be_used(tmp_path: pathlib.Path) -> None:
    (tmp_path / "state").write_text("a file")
    warnings: list[str] = []
    cache = opened(str(tmp_path / "state" / "x"), warnings)
    cache.keep("/a", STAMP, KNOWN, LATER)
    assert cache.find("/a", STAMP) == NO_DIGESTS
    cache.close()
    assert len(warnings) == 1


def test_another_task_writes_for_too_long(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path)
    monkeypatch.setattr(checksum_cache, "DATABASE_TIMEOUT", 0.01)
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    warnings: list[str] = []
    cache = opened(path, warnings)
    assert cache.find("/f0", STAMP) == NO_DIGESTS
    other.close()
    cache.close()
    assert "is not used: database is locked" in warnings[0]
    assert found(path, "/f0") == KNOWN


def test_several_write_at_once(path: str) -> None:
    first, second = opened(path), opened(path)
    first.keep("/a", STAMP, KNOWN, LATER)
    second.keep("/b", STAMP, KNOWN, LATER)
    first.close()
    second.close()
    assert found(path, "/a") == found(path, "/b") == KNOWN


def test_a_killed_task_leaves_it_whole(path: str) -> None:
    filled(path)
    program = f"""
import os, sqlite3
database = sqlite3.connect({path!r})
database.execute("DELETE FROM checksums")
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    warnings: list[str] = []
    assert found(path, "/f0", warnings=warnings) == KNOWN
    assert warnings == []


def test_rows_that_nobody_asks_for_go(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path, 2)
    now = time.time()
    for days in (60, 120):
        monkeypatch.setattr(time, "time", lambda later=now + days * 86400: later)
        cache = opened(path)
        assert cache.find("/f0", STAMP) == KNOWN
        cache.close()
    assert found(path, "/f1") == NO_DIGESTS


def test_without_a_path_nothing_is_kept() -> None:
    cache = ChecksumCache(None, [].append)
    cache.keep("/a", STAMP, KNOWN, LATER)
    assert cache.find("/a", STAMP) == NO_DIGESTS
    cache.close()
