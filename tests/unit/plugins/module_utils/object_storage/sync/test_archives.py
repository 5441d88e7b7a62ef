# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many small files, sent in archives: what the objects are like, and what is sent on its own."""

from __future__ import annotations

import hashlib
import pathlib
import threading
import typing as t
from concurrent.futures import ThreadPoolExecutor

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import archives, sync_mode
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync import OPERATION

from .conftest import Shelf

NAMES = [f"{folder}/{number:02}.txt" for folder in ("a", "b") for number in range(20)]
HEADERS = [
    {"match": "a", "content_type": "text/x; charset=UTF-8", "metadata": {"Color": "yellow", "a-b": "1=2"}},
    {"match": "b/00.txt", "content_type": "image/x"},
]


@pytest.fixture
def shelf(shelf: Shelf) -> Shelf:
    """A folder with enough files for archives."""
    for name in NAMES:
        shelf.put(name, name)
    return shelf


def alone(shelf: Shelf) -> int:
    """Return how many objects were sent on their own."""
    return shelf.bench.seen().count("PUT object")


def objects(shelf: Shelf, prefix: str = "") -> dict[str, t.Any]:
    """Return the objects below a prefix, with all that is stored of them, as the service itself holds them."""
    found = shelf.bench.sandbox.state()["storage"]["containers"]["c"]["objects"]
    return {name[len(prefix) :]: one for name, one in found.items() if name.startswith(prefix)}


def require_all(shelf: Shelf, **others: str) -> None:
    """Require that the container holds the files, and others."""
    contents = {**{name: name for name in NAMES}, **others}
    expected = {name: hashlib.md5(content.encode()).hexdigest() for name, content in contents.items()}
    assert {name: one["etag"] for name, one in objects(shelf).items()} == expected


def test_few_requests(shelf: Shelf) -> None:
    result = shelf.sync(preserve_mtime=True)
    assert result["counts"]["uploaded"] == len(NAMES)
    assert result["bytes"] == sum(map(len, NAMES))
    assert result["objects"][0] == {"name": "a/00.txt", "action": "upload", "reason": "new", "size": 8}
    asked = [request for request in shelf.bench.seen() if request != "GET container"]
    assert asked[asked.index("GET info") :] == [
        "GET info", "HEAD container", "PUT container", "PUT container", "HEAD object",
    ]  # fmt: skip
    assert (shelf.bench.warnings, shelf.sync(preserve_mtime=True)["changed"]) == ([], False)
    require_all(shelf)


def test_syncs_that_run_side_by_side_share_the_limit(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """With as many archives for each of them, none would be unpacked before its time is over."""
    really, lock, full, running = archives.send_archive, threading.Lock(), threading.Event(), [0]

    def send_archive(*args: t.Any) -> t.Any:
        with lock:
            running.append(running[-1] + 1)
            if running[-1] == archives.MAX_REQUESTS:
                full.set()
        assert full.wait(30)
        report = really(*args)
        with lock:
            running.append(running[-1] - 1)
        return report

    monkeypatch.setattr(archives, "send_archive", send_archive)
    with ThreadPoolExecutor(6) as pool:
        results = pool.map(lambda number: shelf.sync(prefix=f"{number}/"), range(6))
    assert [result["counts"]["uploaded"] for result in results] == [len(NAMES)] * 6
    assert (max(running), running[-1], alone(shelf)) == (archives.MAX_REQUESTS, 0, 0)


def test_objects_are_as_if_they_were_sent_alone(shelf: Shelf) -> None:
    for name in ("a/ä ö#?%20&=.txt", "a/new\nline", f"a/{'long' * 40}", "a/-x", "a/x~", "a/.hidden", "a/empty"):
        shelf.put(name, "" if name == "a/empty" else name)
    options = {"headers": HEADERS, "preserve_mtime": True}
    shelf.sync(prefix="together", **options)
    assert (alone(shelf), shelf.bench.warnings) == (0, [])
    shelf.bench.sandbox.settings(storage={"info": False})
    shelf.sync(prefix="alone", **options)
    assert alone(shelf) == len(NAMES) + 7
    assert objects(shelf, "together/") == objects(shelf, "alone/") != {}


def test_files_that_replace_objects(shelf: Shelf) -> None:
    for name in NAMES:
        shelf.store(name, "of another size", X_Object_Meta_Old="1")
    shelf.bench.forget()
    assert shelf.sync()["objects"][0]["reason"] == "content"
    assert alone(shelf) == 0
    require_all(shelf)
    assert [one["metadata"] for one in objects(shelf).values()] == [{}] * len(NAMES)


@pytest.mark.parametrize(
    "options",
    [
        {"headers": [{"match": "a/00.txt", "cache_control": "no-cache"}]},
        {"headers": [{"match": "a/00.txt", "expires_in": 86400}]},
        {"headers": [{"match": "a/00.txt", "content_encoding": "gzip"}]},
    ],
)
def test_what_an_archive_cannot_carry_is_sent_alone(shelf: Shelf, options: dict[str, t.Any]) -> None:
    assert shelf.sync(**options)["counts"]["uploaded"] == len(NAMES)
    assert (alone(shelf), shelf.bench.warnings) == (1, [])
    assert len(objects(shelf)["a/00.txt"]["headers"]) == 2
    require_all(shelf)


def test_large_files_are_sent_alone(shelf: Shelf) -> None:
    shelf.put("large", "x" * (archives.MAX_SMALL_FILE + 1))
    shelf.sync()
    assert alone(shelf) == 1
    require_all(shelf, large="x" * (archives.MAX_SMALL_FILE + 1))


def test_segments_of_what_is_replaced_are_removed(shelf: Shelf) -> None:
    shelf.bench.object("a/00.txt", content="of another size", segment_threshold=4, segment_size=4)
    shelf.sync()
    require_all(shelf)
    assert shelf.objects("c_segments") == []


@pytest.mark.parametrize(("names", "headers"), [("PAX_METADATA", HEADERS), ("PAX_TYPE", HEADERS[1:])])
def test_what_an_older_service_drops_is_sent_alone(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, names: str, headers: list[t.Any]
) -> None:
    monkeypatch.setattr(archives, names, "unknown.")
    shelf.sync(headers=headers)
    assert alone(shelf) == (20 if names == "PAX_METADATA" else 1)
    assert objects(shelf)["a/01.txt"]["metadata"].get("x-object-meta-color") == headers[0].get("metadata", {}).get(
        "Color"
    )
    assert objects(shelf)["b/00.txt"]["headers"]["content-type"] == "image/x"
    require_all(shelf)


def test_few_files_are_sent_alone(shelf: Shelf) -> None:
    shelf.sync(include=["a"])
    assert (alone(shelf), shelf.bench.seen().count("GET info")) == (20, 0)


def test_check_mode_sends_nothing(shelf: Shelf) -> None:
    assert shelf.sync(check_mode=True)["counts"]["uploaded"] == len(NAMES)
    assert set(shelf.bench.seen()) == {"GET container"}


class TestWhatTheServiceSays:
    """It counts for nothing: what a listing does not show is sent alone."""

    def test_all_and_it_did_nothing(self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
        def send_archive(_storage: t.Any, _container: str, members: list[archives.ArchivedFile]) -> dict[str, t.Any]:
            for member in members:
                member.read()
            return {"Response Status": "201 Created", "Number Files Created": len(members), "Errors": []}

        monkeypatch.setattr(archives, "send_archive", send_archive)
        assert shelf.sync()["counts"]["uploaded"] == alone(shelf) == len(NAMES)
        assert "40 of 40 objects that were sent in archives are not stored as sent." in shelf.bench.warnings[0]
        require_all(shelf)

    def test_listing_that_lags(self, shelf: Shelf) -> None:
        shelf.bench.sandbox.settings(storage={"listing_lag": 60})
        assert shelf.sync()["counts"]["uploaded"] == alone(shelf) == len(NAMES)
        require_all(shelf)

    def test_no_listing(self, shelf: Shelf) -> None:
        shelf.bench.sandbox.fault("status_before", operation="^GET container$", status=403, skip=1)
        assert shelf.sync()["counts"]["uploaded"] == alone(shelf) == len(NAMES)
        require_all(shelf)

    def test_nothing_and_nobody_knows(self, shelf: Shelf) -> None:
        shelf.bench.sandbox.fault("drop_after", operation="^PUT container$", times=0)
        shelf.bench.sandbox.fault("status_before", operation="^GET container$", status=403, skip=1, times=0)
        shelf.bench.sandbox.fault("status_before", operation="^(PUT|HEAD) object$", status=403, times=0)
        result = shelf.sync()
        assert (result["changed"], result["counts"]["failed"]) == (True, len(NAMES))
        shelf.bench.sandbox.clear_faults()
        require_all(shelf)

    def test_a_full_container(self, shelf: Shelf) -> None:
        shelf.bench.raw("POST", "/c", X_Container_Meta_Quota_Bytes="5")
        result = shelf.sync()
        assert (result["changed"], len(result["failures"])) == (False, len(NAMES))
        assert "413" in result["failures"][0]["msg"]
        assert objects(shelf) == {}


def test_a_container_that_was_removed_is_not_created_again(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    really = archives.ArchiveUpload.send

    def send(upload: t.Any, items: t.Any) -> t.Any:
        shelf.bench.raw("DELETE", "/c")
        return really(upload, items)

    monkeypatch.setattr(archives.ArchiveUpload, "send", send)
    result = shelf.sync()
    assert (result["changed"], result["counts"]["failed"]) == (False, len(NAMES))
    assert "There is no container 'c'" in result["failures"][0]["msg"]
    assert shelf.bench.raw("HEAD", "/c").status_code == 404


def test_a_file_that_has_more_than_its_size_says(shelf: Shelf) -> None:
    """What follows would be taken for the next file of the archive."""
    version = pathlib.Path("/proc/version")
    (shelf.root / "a" / "version").symlink_to(version)
    assert shelf.sync(symlinks="follow")["counts"]["uploaded"] == len(NAMES) + 1
    assert "version changed before it was sent" in shelf.bench.warnings[0]
    require_all(shelf, **{"a/version": version.read_text(encoding="utf-8")})


def test_a_file_that_changes_before_its_turn(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """The archive ends there; the file is sent as it is by then."""
    monkeypatch.setattr(archives, "WRITE_SIZE", 1)
    really = sync_mode.file_content

    def file_content(path: str, *more: t.Any) -> t.Any:
        if path.endswith("a/10.txt"):
            pathlib.Path(path).write_text("new", encoding="ascii")
        return really(path, *more)

    monkeypatch.setattr(sync_mode, "file_content", file_content)
    assert shelf.sync()["counts"]["uploaded"] == len(NAMES)
    assert "a/10.txt changed before it was sent" in shelf.bench.warnings[0]
    require_all(shelf, **{"a/10.txt": "new"})


def test_a_file_that_changes_after_its_turn(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    really = archives.send_archive

    def send_archive(*args: t.Any) -> t.Any:
        report = really(*args)
        shelf.put("a/10.txt", "newer")
        return report

    monkeypatch.setattr(archives, "send_archive", send_archive)
    shelf.sync()
    require_all(shelf, **{"a/10.txt": "newer"})


def test_contents_that_are_bound(shelf: Shelf) -> None:
    task = shelf.bench.task()
    task.sends = {f"c/{name}": hashlib.sha256(name.encode()).hexdigest() for name in NAMES[1:]}
    path = str(shelf.root)
    result = shelf.bench.run(OPERATION, task, mode="push", container="c", path=path)
    assert [failure["name"] for failure in result["failures"]] == NAMES[:1]
    assert sorted(objects(shelf)) == NAMES[1:]


def test_archives_have_a_limited_size(monkeypatch: pytest.MonkeyPatch) -> None:
    def lengths(sizes: list[int], most: int) -> list[int]:
        stamps = [sync_mode.Stamp(size, 0, 0, 0, 0) for size in sizes]
        items = [sync_mode.SyncItem(str(n), sync_mode.Local(str(n), "file", one), None) for n, one in enumerate(stamps)]
        return [len(part) for part in archives.split(items, most)]

    monkeypatch.setattr(archives, "MAX_BYTES", 1000)
    assert lengths([1] * 40, 6) == [32, 8]
    assert lengths([1] * 600, 6) == [100] * 6
    assert lengths([1] * 5000, 6) == [400] * 12 + [200]
    assert lengths([600] * 3 + [400] * 3, 6) == [1, 1, 2, 2]
