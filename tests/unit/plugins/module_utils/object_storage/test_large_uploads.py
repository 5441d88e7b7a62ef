# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents sent as segments: nothing half, nothing twice, and nothing left over."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    DeadlinePassed,
    FcdError,
    InvalidInput,
    NotFound,
    OperationFailed,
    Rejected,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import object_writes, segments
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import object_storage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.content import ObjectContent, text_content
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.features import Features
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object_writes import (
    CREATE_ONLY_HEADER,
    ObjectExists,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.segments import (
    Layout,
    ObjectWriter,
    Segment,
    segment_lengths,
    segment_size,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.source_file import FileChanged, file_content

from .conftest import Bench

DATA = os.urandom((5 << 20) // 2)  # with segments of a MiB: two whole ones and a half
MIB = 1 << 20


def etag_of(data: bytes, size: int = MIB) -> str:
    parts = [hashlib.md5(data[start : start + size]).hexdigest() for start in range(0, len(data), size)]
    return hashlib.md5("".join(parts).encode()).hexdigest()


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    file = tmp_path / "data"
    file.write_bytes(DATA)
    return file


def send(bench: Bench, path: pathlib.Path, headers: dict[str, str] | None = None, **more: t.Any) -> str:
    task = bench.task(**more.pop("connection", {}))
    return store(task, file_content(str(path)), headers=headers, **more)


def store(
    task: Task,
    content: ObjectContent,
    name: str = "o",
    headers: dict[str, str] | None = None,
    *,
    segment_size: int = MIB,
    segment_container: str = "c_segments",
    replaced: t.Sequence[Segment] = (),
) -> str:
    writer = ObjectWriter(task, object_storage(task), Features(), segment_container)
    return writer.store(("c", name), content, headers or {}, replaced, segment_size)


def segment_names(bench: Bench, container: str = "c_segments") -> list[str]:
    found = bench.raw("GET", f"/{container}?limit=7").text.split()
    assert len(found) < 7, "more than one page"
    return found


def test_segments_then_the_manifest(filled: Bench, path: pathlib.Path) -> None:
    filled.raw("POST", "/c", X_Container_Read=".r:*")
    filled.forget()
    assert send(filled, path, {"content-type": "text/x", "x-object-meta-a": "1"}) == etag_of(DATA)
    seen = filled.seen()
    assert sorted(seen) == ["GET container", "HEAD container", *["PUT container"], *["PUT object"] * 4]
    assert seen[-1] == "PUT object"
    found = filled.head("/c/o")
    assert found is not None
    assert (found["X-Static-Large-Object"], found["Content-Type"], found["X-Object-Meta-A"]) == ("True", "text/x", "1")
    assert found["ETag"] == f'"{etag_of(DATA)}"'
    assert filled.raw("GET", "/c/o").content == DATA
    moment = os.stat(path).st_mtime_ns
    prefix = f"o/slo/{moment // 10**9}.{moment % 10**9:09d}/{len(DATA)}/{MIB}/0000000"
    assert segment_names(filled) == [f"{prefix}{number}" for number in (1, 2, 3)]
    container = filled.head("/c_segments")
    assert container is not None
    assert container["X-Container-Read"] == ".r:*"
    assert filled.warnings == []


def test_a_broken_run_is_gone_on_with(filled: Bench, path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "AT_A_TIME", 1)
    filled.sandbox.fault("status_before", service="storage", method="PUT", path="/00000002$", status=403, times=1)
    with pytest.raises(FcdError):
        send(filled, path)
    assert filled.head("/c/o") is None
    assert [name[-1] for name in segment_names(filled)] == ["1"]
    filled.forget()
    assert send(filled, path) == etag_of(DATA)
    puts = [one["path"][-1] for one in filled.sandbox.requests("storage") if one["operation"] == "PUT object"]
    assert sorted(puts) == ["2", "3", "o"]


def test_a_segment_that_holds_other_bytes_is_sent_again(filled: Bench, path: pathlib.Path) -> None:
    send(filled, path)
    (first, *_others) = segment_names(filled)
    filled.raw("PUT", f"/c_segments/{first}", data=bytes(MIB))
    filled.forget()
    assert send(filled, path) == etag_of(DATA)
    assert filled.seen().count("PUT object") == 2
    assert filled.raw("GET", "/c/o").content == DATA


def test_what_earlier_contents_have_left_goes(filled: Bench, path: pathlib.Path) -> None:
    send(filled, path)
    old = segment_names(filled)
    for kept in ("o/slo/other", "o/slo/1/2/3/00000001/slo/1/2/3/00000001", "other/slo/1/2/3/00000001"):
        filled.raw("PUT", f"/c_segments/{kept}", data=b"x")
    filled.raw("PUT", "/seg")
    filled.raw("PUT", "/seg/p", data=b"x")
    os.utime(path, (1, 1))
    send(filled, path, replaced=[Segment("seg", "p", 1, "x")])
    assert not set(old) & set(segment_names(filled))
    assert len(segment_names(filled)) == 6
    assert filled.head("/seg/p") is None


def test_what_cannot_be_removed_is_told(filled: Bench, path: pathlib.Path) -> None:
    send(filled, path)
    os.utime(path, (1, 1))
    filled.sandbox.fault("status_before", service="storage", method="DELETE", status=403, times=2)
    assert send(filled, path) == etag_of(DATA)
    (warning,) = filled.warnings
    assert "Old segments could not be deleted and are kept: c_segments/o/slo/" in warning
    assert "403" in warning


def test_a_file_that_changes(filled: Bench, path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = file_content(str(path))
    path.write_bytes(DATA[::-1])
    os.utime(path, (1, 1))
    task = filled.task()
    with pytest.raises(FileChanged, match=r"src: .*data changed while it was being read; nothing was stored"):
        store(task, content)
    assert filled.head("/c/o") is None
    assert segment_names(filled) == []


def test_only_new(filled: Bench, path: pathlib.Path) -> None:
    assert send(filled, path, CREATE_ONLY_HEADER) == etag_of(DATA)
    path.write_bytes(DATA[::-1])
    with pytest.raises(ObjectExists, match="There is an object c/o already"):
        send(filled, path, CREATE_ONLY_HEADER)
    assert filled.raw("GET", "/c/o").content == DATA


def test_a_manifest_whose_answer_is_lost(filled: Bench, path: pathlib.Path) -> None:
    filled.sandbox.fault("drop_after", service="storage", method="PUT", path="/c/o$")
    assert send(filled, path, CREATE_ONLY_HEADER) == etag_of(DATA)


def test_a_service_that_stores_the_manifest_as_it_is(
    filled: Bench, path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the middleware the query means nothing, and the list would become the object."""
    from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import ObjectStorage

    plain = ObjectStorage.send

    def without_query(self: ObjectStorage, *args: t.Any, **more: t.Any) -> t.Any:
        return plain(self, *args, **{**more, "params": None} if "params" in more and args[1] == "PUT" else more)

    monkeypatch.setattr(ObjectStorage, "send", without_query)
    with pytest.raises(Rejected, match="did not create the large object c/o"):
        send(filled, path)
    assert filled.head("/c/o") is None


def test_damaged_on_the_way(filled: Bench, path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = object_writes.create_object

    def other(storage: t.Any, place: t.Any, headers: t.Any, body: t.Any, length: int) -> t.Any:
        body().read()
        return plain(storage, place, headers, bytes(length), length)

    monkeypatch.setattr(object_writes, "create_object", other)
    with pytest.raises(OperationFailed, match="stored other content than was sent"):
        send(filled, path, segment_size=3 * MIB)
    assert filled.head("/c/o") is None


def test_missing_containers(bench: Bench, path: pathlib.Path) -> None:
    with pytest.raises(NotFound, match=r"no container 'c'\. Create it first"):
        send(bench, path)
    assert bench.sandbox.counts()["writes"] == 0


def test_out_of_time(filled: Bench, path: pathlib.Path) -> None:
    task = filled.task()
    task.deadline = task.deadline.within(0.0, "task")
    with pytest.raises(DeadlinePassed):
        store(task, file_content(str(path)))
    assert filled.head("/c/o") is None


def test_content_is_stored_in_segments(filled: Bench) -> None:
    task = filled.task()
    text = "żółw" * 100
    etag = store(task, text_content(text), "a ż/%", segment_size=300, segment_container="s ż%")
    assert etag == etag_of(text.encode(), 300)
    assert filled.raw("GET", "/c/a%20%C5%BC/%25").content == text.encode()
    manifest = json.loads(filled.raw("GET", "/c/a%20%C5%BC/%25?multipart-manifest=get").text)
    assert [one["bytes"] for one in manifest] == [300, 300, 100]


def test_names_and_parts() -> None:
    layout = Layout("s", "a/b", "v", 5, 2)
    assert layout.segment_name(3) == "a/b/slo/v/5/2/00000003"
    assert segment_lengths(5, 2) == [2, 2, 1]
    assert segment_lengths(4, 2) == [2, 2]
    longest = Layout("s", "ż" * 512, "1" * 20, 10**15, 10**13)
    assert len(longest.segment_name(1).encode()) < 1024


@pytest.mark.parametrize(
    ("size", "desired", "chosen"),
    [(5, None, 1 << 30), (1000 << 30, None, 1 << 30), ((1000 << 30) + 1, None, 2 << 30), (1000, 1, 1)],
)
def test_sizes_of_segments(size: int, desired: int | None, chosen: int) -> None:
    assert segment_size(size, desired) == chosen


def test_too_many_segments() -> None:
    with pytest.raises(InvalidInput, match=r"segment_size: 1001 bytes in segments of 1 .* Set it to 2 or more"):
        segment_size(1001, 1)
