# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects read into files: whole or not at all, and never read twice."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import pathlib
import stat
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    Busy,
    InvalidInput,
    NotFound,
    OperationFailed,
    Unclear,
    Unusable,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import download as download_module
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import file_places
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import ObjectStorage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import object_storage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.download import (
    ObjectVersion,
    current_version,
    download,
)

from .conftest import Bench

DATA = os.urandom(300_000)
MD5 = hashlib.md5(DATA).hexdigest()
Reading = t.Callable[..., t.Any]


@pytest.fixture
def stored(filled: Bench) -> Bench:
    filled.raw("PUT", "/c/o", data=DATA)
    filled.forget()
    return filled


@pytest.fixture
def target(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder / "file"


@pytest.fixture
def resumable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download_module, "RESUMABLE", 1000)


def fetch(bench: Bench, path: pathlib.Path, version: ObjectVersion | None = None, **more: t.Any) -> ObjectVersion:
    storage = object_storage(bench.task())
    found = version or current_version(storage, ("c", "o"))
    return download(storage, ("c", "o"), str(path), found, **more)


def beside(path: pathlib.Path) -> list[str]:
    return sorted(name for name in os.listdir(path.parent) if name != path.name)


def mode(path: pathlib.Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def breaking(monkeypatch: pytest.MonkeyPatch, *breaks: int) -> list[dict[str, str]]:
    """Have each reading broken off after so many bytes; returns the headers that each had."""
    plain, left, seen = ObjectStorage.read_object, list(breaks), []

    def read(self: ObjectStorage, container: str, name: str, take: Reading, headers: t.Any, length: int) -> t.Any:
        seen.append(dict(headers))
        if not left:
            return plain(self, container, name, take, headers, length)
        most, pieces = left.pop(0), []
        plain(self, container, name, pieces.append, headers, length)
        take(b"".join(pieces)[:most])
        raise Unclear("it broke off")

    monkeypatch.setattr(ObjectStorage, "read_object", read)
    return seen


def test_a_new_file(stored: Bench, target: pathlib.Path) -> None:
    done = fetch(stored, target, ObjectVersion(len(DATA), MD5), mode=0o640, time_of=lambda _headers: 1_000_500_000_001)
    assert done == ObjectVersion(len(DATA), MD5)
    assert (target.read_bytes(), mode(target), target.stat().st_mtime_ns) == (DATA, 0o640, 1_000_500_000_001)
    assert beside(target) == []
    assert stored.seen() == ["GET object"]


def test_a_file_that_is_there_is_replaced(stored: Bench, target: pathlib.Path) -> None:
    target.write_bytes(b"old")
    target.chmod(0o604)
    with target.open("rb") as old:
        fetch(stored, target)
        assert old.read() == b"old"
    assert (target.read_bytes(), mode(target)) == (DATA, 0o604)


def test_without_a_mode_a_file_is_private(stored: Bench, target: pathlib.Path) -> None:
    fetch(stored, target, durable=False)
    assert mode(target) == 0o600


def test_a_link_is_replaced_and_not_followed(stored: Bench, target: pathlib.Path, tmp_path: pathlib.Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"other")
    target.symlink_to(other)
    fetch(stored, target)
    assert (other.read_bytes(), target.is_symlink(), target.read_bytes()) == (b"other", False, DATA)


def test_an_empty_object(filled: Bench, target: pathlib.Path) -> None:
    filled.raw("PUT", "/c/o", data=b"")
    fetch(filled, target)
    assert target.read_bytes() == b""


def test_what_broke_off_is_gone_on_with(stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = breaking(monkeypatch, 1000, 50_000, 0)
    fetch(stored, target)
    assert target.read_bytes() == DATA
    match = {"If-Match": f'"{MD5}"'}
    assert seen == [match, {**match, "Range": "bytes=1000-"}, *[{**match, "Range": "bytes=51000-"}] * 2]


@pytest.mark.usefixtures("resumable")
def test_a_run_that_died_is_gone_on_with(stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        breaking(patch, 100_000, 0, 0, 0, 0)
        with pytest.raises(Unclear):
            fetch(stored, target)
    assert not target.exists()
    (part,) = beside(target)
    assert file_places.LEFTOVER_NAME.fullmatch(part)
    assert (target.parent / part).stat().st_size == 100_000
    assert mode(target.parent / part) == 0o600
    seen = breaking(monkeypatch)
    fetch(stored, target)
    assert (target.read_bytes(), beside(target)) == (DATA, [])
    assert seen == [{"If-Match": f'"{MD5}"', "Range": "bytes=100000-"}]


@pytest.mark.usefixtures("resumable")
@pytest.mark.parametrize("size", [100_000, len(DATA), len(DATA) + 1])
def test_a_part_that_is_damaged_is_read_again(
    stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    with monkeypatch.context() as patch:
        breaking(patch, 1000, 0, 0, 0, 0)
        with pytest.raises(Unclear):
            fetch(stored, target)
    (part,) = beside(target)
    (target.parent / part).write_bytes(bytes(size))
    fetch(stored, target)
    assert (target.read_bytes(), beside(target)) == (DATA, [])


@pytest.mark.usefixtures("resumable")
def test_a_part_of_another_version_goes(stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        breaking(patch, 1000, 0, 0, 0, 0)
        with pytest.raises(Unclear):
            fetch(stored, target)
    stored.raw("PUT", "/c/o", data=DATA[::-1])
    fetch(stored, target)
    assert (target.read_bytes(), beside(target)) == (DATA[::-1], [])


def test_small_parts_are_not_kept(stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, 1000, 0, 0, 0, 0)
    with pytest.raises(Unclear):
        fetch(stored, target)
    assert beside(target) == []


def test_an_object_that_changes_is_begun_again(stored: Bench, target: pathlib.Path) -> None:
    old = ObjectVersion(len(DATA), MD5)
    stored.raw("PUT", "/c/o", data=b"new")
    stored.forget()
    assert fetch(stored, target, old).size == 3
    assert target.read_bytes() == b"new"
    assert stored.seen() == ["GET object", "HEAD object", "GET object"]


def test_an_object_that_changes_again_and_again(
    stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.write_bytes(b"old")
    plain = ObjectStorage.read_object

    def read(self: ObjectStorage, *args: t.Any) -> t.Any:
        stored.raw("PUT", "/c/o", data=os.urandom(9))
        return plain(self, *args)

    monkeypatch.setattr(ObjectStorage, "read_object", read)
    with pytest.raises(OperationFailed, match=r"c/o changed while it was being read; .*file was left as it was"):
        fetch(stored, target)
    assert (target.read_bytes(), beside(target)) == (b"old", [])


@pytest.mark.parametrize("size", [len(DATA) - 1, len(DATA) + 1])
def test_a_listing_that_lags_behind(stored: Bench, target: pathlib.Path, size: int) -> None:
    assert fetch(stored, target, ObjectVersion(size, MD5)).size == len(DATA)
    assert target.read_bytes() == DATA


def test_an_object_that_is_gone(stored: Bench, target: pathlib.Path) -> None:
    stored.raw("DELETE", "/c/o")
    with pytest.raises(NotFound, match="There is no object 'o' in a container 'c'"):
        fetch(stored, target, ObjectVersion(len(DATA), MD5))
    assert beside(target) == []
    with pytest.raises(NotFound, match="There is no object 'o' in a container 'c'"):
        fetch(stored, target)


def test_damaged_on_the_way(stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ObjectStorage.read_object

    def read(self: ObjectStorage, container: str, name: str, take: Reading, headers: t.Any, length: int) -> t.Any:
        return plain(self, container, name, lambda piece: take(bytes(len(piece))), headers, length)

    monkeypatch.setattr(ObjectStorage, "read_object", read)
    with pytest.raises(OperationFailed, match="has another MD5 than the service reports"):
        fetch(stored, target)
    assert not target.exists()
    assert beside(target) == []


def test_a_service_that_knows_no_ranges(stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, 1000)
    broken = ObjectStorage.read_object

    def read(self: ObjectStorage, container: str, name: str, take: Reading, headers: t.Any, length: int) -> t.Any:
        return broken(self, container, name, take, {"If-Match": headers["If-Match"]}, length)

    monkeypatch.setattr(ObjectStorage, "read_object", read)
    fetch(stored, target)
    assert target.read_bytes() == DATA


@pytest.mark.usefixtures("resumable")
@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_full_disk(stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def full(*_args: t.Any, **_more: t.Any) -> t.NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    target.write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(InvalidInput, match=r"dest: .*file cannot be written: No space left on device\."):
            download(object_storage(stored.task()), ("c", "o"), str(target), ObjectVersion(len(DATA), MD5))
    assert (target.read_bytes(), beside(target)) == (b"old", [])


def test_places_where_no_file_can_be(stored: Bench, tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in [
        (tmp_path, "it is a folder; name a file in it"),
        (tmp_path / "none" / "file", "there is no folder .*none"),
        (tmp_path / "pipe", "it is not a regular file"),
    ]:
        with pytest.raises(InvalidInput, match=f"dest: {path} cannot be written: {why}"):
            fetch(stored, path, ObjectVersion(len(DATA), MD5))
    assert stored.seen() == []


def part_of(target: pathlib.Path, stored: Bench, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Return the path of the part of a small object."""
    found: list[str] = []
    plain = os.replace

    def replace(source: str, name: str, **folders: t.Any) -> None:
        found.append(source)
        plain(source, name, **folders)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        fetch(stored, target)
    target.unlink()
    return pathlib.Path(found[0])


@pytest.mark.parametrize(
    "fault",
    [
        {"fault": "cut"},
        {"fault": "cut_chunked"},
        {"fault": "drop_before"},
        {"fault": "drop_after"},
        {"fault": "html"},
        {"fault": "status_before", "status": 401},
        {"fault": "status_before", "status": 503},
        {"fault": "status_after", "status": 498},
    ],
    ids=lambda fault: "-".join(str(part) for part in fault.values()),
)
def test_faults_on_the_wire(stored: Bench, target: pathlib.Path, fault: dict[str, t.Any]) -> None:
    name = fault.pop("fault")
    stored.sandbox.fault(name, service="storage", method="GET", path="/c/o$", **fault)
    fetch(stored, target)
    assert (target.read_bytes(), beside(target)) == (DATA, [])


def test_a_page_of_something_on_the_way_is_not_taken_for_content(stored: Bench, target: pathlib.Path) -> None:
    stored.sandbox.fault("html", service="storage", method="GET", path="/c/o$")
    taken: list[bytes] = []
    object_storage(stored.task()).read_object("c", "o", taken.append)
    assert b"".join(taken) == DATA
    stored.sandbox.fault("html", service="storage", method="GET", path="/c/o$", times=99)
    with pytest.raises(Unusable, match="is not from the object storage"):
        fetch(stored, target)
    assert beside(target) == []


def test_two_tasks_for_one_file(stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = part_of(target, stored, monkeypatch)
    with part.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(Busy, match="another task is writing"):
            fetch(stored, target)
    assert part.exists()
    fetch(stored, target)
    assert (target.read_bytes(), beside(target)) == (DATA, [])


def test_what_others_put_in_the_way(
    stored: Bench, target: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = part_of(target, stored, monkeypatch)
    other = tmp_path / "other"
    other.write_bytes(b"other")
    os.link(other, part)
    with pytest.raises(InvalidInput, match="is in the way: it is not a file of this user alone"):
        fetch(stored, target)
    part.unlink()
    part.symlink_to(other)
    with pytest.raises(InvalidInput, match="cannot be written"):
        fetch(stored, target)
    assert other.read_bytes() == b"other"


@pytest.mark.usefixtures("resumable")
@pytest.mark.parametrize("kind", ["static", "dynamic"])
def test_large_objects_are_checked_by_their_segments(
    filled: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    for number, start in enumerate(range(0, len(DATA), 100_000)):
        filled.raw("PUT", f"/c/s/{number}", data=DATA[start : start + 100_000])
    if kind == "static":
        manifest = json.dumps([{"path": f"/c/s/{number}"} for number in range(3)])
        assert filled.raw("PUT", "/c/o?multipart-manifest=put", data=manifest).status_code == 201
    else:
        filled.raw("PUT", "/c/o", data=b"", X_Object_Manifest="c/s/")
    with monkeypatch.context() as patch:
        seen = breaking(patch, 150_000)
        version = fetch(filled, target)
        assert seen[1]["Range"] == "bytes=150000-"
    assert (version.large, version.size, [size for size, _md5 in version.parts]) == (True, 300_000, [100_000] * 3)
    assert target.read_bytes() == DATA
    wrong = [(size, "0" * 32) for size, _md5 in version.parts]
    with pytest.raises(OperationFailed, match="another MD5"):
        fetch(filled, target, version._replace(parts=tuple(wrong)))
    listed = ObjectVersion(300_000, version.etag, large=True)
    assert fetch(filled, target, listed) == version


def test_a_large_object_of_ranges_is_checked_by_its_size(filled: Bench, target: pathlib.Path) -> None:
    filled.raw("PUT", "/c/s", data=DATA)
    manifest = json.dumps([{"path": "/c/s", "range": "0-9"}, {"path": "/c/s", "range": "90-99"}])
    assert filled.raw("PUT", "/c/o?multipart-manifest=put", data=manifest).status_code == 201
    assert fetch(filled, target).parts == ()
    assert target.read_bytes() == DATA[:10] + DATA[90:100]


def test_a_dynamic_object_that_a_listing_takes_for_empty(filled: Bench, target: pathlib.Path) -> None:
    filled.raw("PUT", "/c/s1", data=DATA)
    filled.raw("PUT", "/c/o", data=b"", X_Object_Manifest="c/s")
    assert fetch(filled, target, ObjectVersion(0, hashlib.md5(b"").hexdigest())).large
    assert target.read_bytes() == DATA


def test_an_interrupt_leaves_no_small_part(
    stored: Bench, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_args: t.Any) -> t.NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(ObjectStorage, "read_object", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch(stored, target)
    assert beside(target) == []
