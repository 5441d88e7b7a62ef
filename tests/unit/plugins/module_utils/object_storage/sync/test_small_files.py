# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small files that are read many at a time."""

from __future__ import annotations

import hashlib
import os
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import sync_mode
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.remote_listing import Remote
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync_mode import (
    MANY,
    MAX_PLAIN_BYTES,
    SyncItem,
    SyncMode,
    WorkQueue,
    read_digest,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync_report import ItemResult
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.tree_merge import FILE, Local, Stamp, stamp_of

from .conftest import OLD, Shelf, actions

REMOTE = Remote("a", 5, "0" * 32, "text/plain")


def replaced(path: pathlib.Path) -> None:
    path.with_name("b").write_text("12345")
    path.with_name("b").rename(path)


def a_pipe(path: pathlib.Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "change",
    [
        pathlib.Path.unlink,
        replaced,
        a_pipe,
        lambda path: path.write_text("1234"),
        lambda path: path.write_text("123456"),
        lambda path: path.write_text("54321"),
        lambda path: (path.unlink(), path.mkdir()),
    ],
)
def test_only_what_was_looked_at_is_read(tmp_path: pathlib.Path, change: t.Callable[[pathlib.Path], object]) -> None:
    path = tmp_path / "a"
    path.write_text("12345")
    os.utime(path, (OLD, OLD))
    stamp = stamp_of(path.stat())
    read = read_digest(str(path), stamp, os.open, bound=True)
    assert read is not None
    assert read.sha256 == hashlib.sha256(b"12345").hexdigest()
    assert read.md5 == hashlib.md5(b"12345").hexdigest()
    change(path)
    assert read_digest(str(path), stamp, os.open, bound=False) is None


@pytest.mark.parametrize(
    ("size", "remote", "tells"),
    [
        (5, REMOTE, True),
        (4, REMOTE, False),
        (5, REMOTE._replace(large="1" * 32), False),
        (MAX_PLAIN_BYTES, REMOTE._replace(size=MAX_PLAIN_BYTES), True),
        (MAX_PLAIN_BYTES + 1, REMOTE._replace(size=MAX_PLAIN_BYTES + 1), False),
        (0, REMOTE._replace(size=0), True),
    ],
)
def test_what_the_md5_alone_tells(size: int, remote: Remote, *, tells: bool) -> None:
    local = Local("a", FILE, Stamp(size, 1, 1, 1, 1))
    for sides in ((local, remote), (remote, local)):
        assert (SyncItem("a", *sides).small_file() is not None) is tells
        assert SyncItem("a", *sides, "content").small_file() is None


def test_small_ones_go_together_and_all_others_alone() -> None:
    def item(name: str) -> SyncItem:
        size = {"s": 1, "m": MAX_PLAIN_BYTES, "x": 2 * MAX_PLAIN_BYTES}[name]
        return SyncItem(name, Local(name, FILE, Stamp(size, 1, 1, 1, 1)), REMOTE._replace(size=size))

    todo = WorkQueue(map(item, "s" * (MANY + 1) + "x" + "xsmmsx"))
    jobs = ["".join(item.name for item in job) if isinstance(job, list) else (job.name,) for job in todo]
    assert jobs == ["s" * MANY, "ssm", ("x",), ("x",), "m", "s", ("x",)]
    todo.jobs.append(item("s"))
    assert list(todo) == [item("s")]  # alone now
    todo.jobs.append(item("s"))
    todo.stopped = True
    assert list(todo) == []


@pytest.mark.parametrize("mode", ["push", pytest.param("pull", marks=pytest.mark.full)])
def test_those_that_differ_are_moved(shelf: Shelf, mode: str) -> None:
    for number in range(30):
        shelf.store(f"f{number:02}", "old")
        shelf.put(f"f{number:02}", "new" if number % 5 == 0 else "old")
    foreseen, result = shelf.sync(mode, check_mode=True), shelf.sync(mode)
    desired = [f"f{number:02}" for number in range(0, 30, 5)]
    assert sorted(actions(result)) == sorted(actions(foreseen)) == desired
    assert result["counts"] == foreseen["counts"]
    assert result["counts"]["unchanged"] == 24
    assert not shelf.sync(mode)["changed"]


@pytest.mark.parametrize("mode", ["pull", pytest.param("push", marks=pytest.mark.full)])
def test_those_that_differ_are_moved_before_all_are_compared(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    done: list[str] = []
    read, remember = SyncMode.read_small, SyncMode.remember

    def read_small(self: SyncMode[t.Any, t.Any], item: SyncItem) -> t.Any:
        done.append("compared")
        return read(self, item)

    def remember_moved(self: SyncMode[t.Any, t.Any], item: SyncItem, result: ItemResult) -> None:
        done.append("moved")
        remember(self, item, result)

    monkeypatch.setattr(sync_mode, "MANY", 1)
    monkeypatch.setattr(SyncMode, "read_small", read_small)
    monkeypatch.setattr(SyncMode, "remember", remember_moved)
    for number in range(20):
        shelf.store(f"f{number:02}", "old")
        shelf.put(f"f{number:02}", "new")
    assert len(actions(shelf.sync(mode, connections=1))) == 20
    assert done.index("moved") < 15
    assert done.count("moved") == done.count("compared") == 20


def test_one_that_changes_while_it_is_read_is_read_alone(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.store("a", "old")
    path = shelf.put("a", "old")
    really = os.read

    def read(descriptor: int, size: int) -> bytes:
        data = really(descriptor, size)
        if data == b"old":
            path.write_text("new")
        return data

    monkeypatch.setattr(os, "read", read)
    assert actions(shelf.sync()) == {"a": "upload"}
    assert shelf.bench.raw("GET", "/c/a").text == "new"
