# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a container to a folder."""

from __future__ import annotations

import fcntl
import json
import os
import pathlib

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import pull

from .conftest import OLD, Shelf, actions


def test_all_below_a_prefix(shelf: Shelf) -> None:
    for name in ("site/a", "site/b/c", "site2/d", "e"):
        shelf.store(name, name)
    result = shelf.sync("pull", prefix="site/")
    assert shelf.files() == {"a": "site/a", "b/c": "site/b/c"}
    assert actions(result) == {"a": "download", "b/c": "download"}
    assert result["bytes"] == 14


def test_into_a_folder_that_is_not_there(shelf: Shelf) -> None:
    shelf.store("a/b", "1")
    path = shelf.root / "new" / "er"
    assert shelf.sync("pull", path=str(path), check_mode=True)["changed"]
    assert not path.exists()
    shelf.sync("pull", path=str(path))
    assert (path / "a" / "b").read_text() == "1"


def test_again_costs_only_the_listing(shelf: Shelf) -> None:
    for number in range(8):
        shelf.store(f"f{number}", str(number))
    shelf.bench.forget()
    shelf.sync("pull")
    assert sorted(shelf.bench.seen()) == ["GET container"] * 3 + ["GET object"] * 8
    shelf.bench.forget()
    assert not shelf.sync("pull")["changed"]
    assert shelf.bench.seen() == ["GET container"] * 3


def test_only_what_differs_is_read(shelf: Shelf) -> None:
    for name in ("same", "size", "content"):
        shelf.store(name, "one")
    shelf.write(same="one", size="three", content="two")
    assert actions(shelf.sync("pull")) == {"size": "download", "content": "download"}
    assert set(shelf.files().values()) == {"one"}


def test_check_mode_says_the_same_and_does_nothing(shelf: Shelf) -> None:
    for name in ("same", "changed", "new", "x", "y"):
        shelf.store(name, "one")
    shelf.write(same="one", changed="two", surplus__a="x", x="one", y="one")
    before = shelf.files()
    foreseen = shelf.sync("pull", delete=True, check_mode=True)
    assert shelf.files() == before
    result = shelf.sync("pull", delete=True)
    desired = {"changed": "download", "new": "download", "surplus/a": "delete"}
    assert actions(foreseen) == actions(result) == desired
    assert foreseen["counts"] == result["counts"]
    assert not (shelf.root / "surplus").exists()
    assert not shelf.sync("pull", delete=True)["changed"]


def test_check_mode_foresees_folders_that_cannot_be_written_to(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.store("a/b")
    shelf.store("c")
    shelf.put("a/x")
    really = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("/a") and really(path, mode))
    result = shelf.sync("pull", check_mode=True)
    assert actions(result) == {"c": "download"}
    assert "a/b cannot be written: its folder" in result["msg"]


def test_too_many_surplus_files_are_refused(shelf: Shelf) -> None:
    shelf.write(a="1", b="2")
    with pytest.raises(InvalidInput, match=r"2 of 2 files would be deleted \('a', 'b'\), but at most 1 may be"):
        shelf.sync("pull", delete=True)
    assert sorted(shelf.files()) == ["a", "b"]


def test_modes(shelf: Shelf) -> None:
    shelf.store("new/a")
    shelf.store("same")
    shelf.put("same", "x").chmod(0o600)
    result = shelf.sync("pull", file_mode="0640", directory_mode="0750")
    assert actions(result) == {"new/a": "download", "same": "update"}
    modes = [(shelf.root / name).stat().st_mode & 0o777 for name in ("new", "new/a", "same")]
    assert modes == [0o750, 0o640, 0o640]
    assert not shelf.sync("pull", file_mode="0640", directory_mode="0750")["changed"]


def test_modes_by_the_umask(shelf: Shelf) -> None:
    shelf.store("a/b")
    old = os.umask(0o027)
    try:
        shelf.sync("pull")
    finally:
        os.umask(old)
    assert (shelf.root / "a").stat().st_mode & 0o777 == 0o750
    assert (shelf.root / "a" / "b").stat().st_mode & 0o777 == 0o640


def test_time_of_change(shelf: Shelf) -> None:
    shelf.store("a", X_Object_Meta_Mtime=f"{OLD}.25")
    shelf.store("b", X_Object_Meta_Mtime="yesterday")
    shelf.sync("pull", preserve_mtime=True)
    assert (shelf.root / "a").stat().st_mtime == OLD + 0.25


class TestNames:
    def test_nothing_is_written_outside(self, shelf: Shelf) -> None:
        bad = ["../out", "/etc/out", "a/../../out", "a//out", "./out", "a/./out", "..", "a/..", "out/", "/", "//out"]
        for name in bad:
            shelf.store(name, "bad")
        shelf.store("zgood")
        result = shelf.sync("pull")
        assert [failure["name"] for failure in result["failures"]] == sorted(bad)
        assert all("cannot be the name of a file" in failure["msg"] for failure in result["failures"])
        assert shelf.files() == {"zgood": "x"}
        assert sorted(path.name for path in shelf.bench.folder.iterdir()) == ["root", "state"]

    def test_odd_names_are_kept(self, shelf: Shelf) -> None:
        names = ["a b", "%2e%2e", "..a", "a..", "\\..\\x", "line\nbreak", "~", "ż", "-rf", "C:x"]
        for name in names:
            shelf.store(name, name)
        assert not shelf.sync("pull").get("failed")
        assert shelf.files() == dict(zip(names, names))
        assert not shelf.sync("pull", delete=True)["changed"]

    def test_a_name_that_is_too_long_for_a_file(self, shelf: Shelf) -> None:
        shelf.store("x" * 300)
        shelf.store("a")
        result = shelf.sync("pull")
        assert "a part of it is longer than 255 bytes" in result["msg"]
        assert shelf.files() == {"a": "x"}
        assert shelf.sync("pull", check_mode=True)["msg"] == shelf.sync("pull")["msg"]

    def test_an_object_with_the_name_of_a_folder(self, shelf: Shelf) -> None:
        for name in ("a", "a.b", "a/b", "a/c/d", "ab"):
            shelf.store(name)
        result = shelf.sync("pull")
        assert [failure["name"] for failure in result["failures"]] == ["a/b", "a/c/d"]
        assert sorted(shelf.files()) == ["a", "a.b", "ab"]

    def test_names_that_differ_in_little(self, shelf: Shelf) -> None:
        for name in ("Readme", "readme", "e\u0301", "\u00e9"):
            shelf.store(name, name)
        assert shelf.sync("pull")["counts"]["downloaded"] == 4
        assert len(shelf.bench.warnings) == 2
        assert "'Readme' and 'readme' differ only in case" in shelf.bench.warnings[0]


class TestFolders:
    def test_markers_are_left_out(self, shelf: Shelf) -> None:
        shelf.store("a/", "")
        shelf.store("b", "", Content_Type="application/directory")
        assert not shelf.sync("pull")["changed"]
        assert list(shelf.root.iterdir()) == []

    def test_markers_make_folders(self, shelf: Shelf) -> None:
        shelf.store("a/", "")
        shelf.store("b", "", Content_Type="application/directory; charset=x")
        shelf.store("c", "", Content_Type="application/directory")
        shelf.store("c/d")
        shelf.sync("pull", empty_directories=True, directory_mode="0700")
        assert sorted(path.name for path in shelf.root.iterdir()) == ["a", "b", "c"]
        assert (shelf.root / "a").stat().st_mode & 0o777 == 0o700
        assert not shelf.sync("pull", empty_directories=True)["changed"]


class TestLargeObjects:
    def _static(self, shelf: Shelf, name: str, *contents: str) -> None:
        shelf.bench.raw("PUT", "/segments")
        parts = []
        for number, content in enumerate(contents):
            etag = shelf.bench.raw("PUT", f"/segments/{name}{number}", content).headers["Etag"]
            parts.append({"path": f"/segments/{name}{number}", "etag": etag, "size_bytes": len(content)})
        shelf.bench.raw("PUT", f"/c/{name}?multipart-manifest=put", json.dumps(parts))

    def test_static(self, shelf: Shelf) -> None:
        self._static(shelf, "a", "one", "two")
        shelf.sync("pull")
        assert shelf.files() == {"a": "onetwo"}
        assert not shelf.sync("pull")["changed"]
        os.utime(shelf.root / "a", (OLD, OLD))

    def test_dynamic(self, shelf: Shelf) -> None:
        shelf.bench.raw("PUT", "/segments")
        shelf.store("a/1", "one", container="segments")
        shelf.store("a/2", "two", container="segments")
        shelf.store("a", "", X_Object_Manifest="segments/a/")
        assert shelf.sync("pull")["bytes"] == 6
        assert shelf.files() == {"a": "onetwo"}
        assert not shelf.sync("pull")["changed"]
        shelf.store("a/2", "owt", container="segments")
        assert shelf.sync("pull")["changed"]
        assert shelf.files() == {"a": "oneowt"}


class TestBesideAnotherTask:
    @pytest.fixture
    def part(self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
        """The file that the other task writes."""
        shelf.store("a", "content")
        seen: list[pathlib.Path] = []
        monkeypatch.setattr(os, "replace", lambda part, *_args, **_more: seen.append(shelf.root / part))
        shelf.sync("pull")
        monkeypatch.undo()
        return seen[0]

    def test_a_file_that_it_writes_is_waited_for(
        self, shelf: Shelf, part: pathlib.Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with part.open("a") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            monkeypatch.setattr(shelf.bench.clock, "sleep", lambda _seconds: fcntl.flock(other, fcntl.LOCK_UN))
            assert not shelf.sync("pull").get("failed")
        assert shelf.files() == {"a": "content"}

    def test_the_wait_has_an_end(self, shelf: Shelf, part: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pull, "PATIENCE", 0.0)
        with part.open("a") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            assert "another task is writing" in shelf.sync("pull")["msg"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"status": 404}, "is not from the object storage"),
        ({"status": 403}, "403"),
        ({"status": 498}, "498"),
        ({"status": 507}, "507"),
    ],
)
def test_one_fails_and_the_rest_goes_on(shelf: Shelf, fault: dict[str, int], words: str) -> None:
    for name in ("a", "b", "c"):
        shelf.store(name)
    shelf.bench.sandbox.fault("status_before", method="GET", path="/c/b$", times=0, **fault)
    result = shelf.sync("pull")
    assert words in result["msg"]
    assert result["changed"]
    assert shelf.files() == {"a": "x", "c": "x"}
    shelf.bench.sandbox.clear_faults()
    assert actions(shelf.sync("pull")) == {"b": "download"}


def test_what_a_killed_run_has_left_is_no_file(shelf: Shelf) -> None:
    shelf.put(".fcd-0123456789abcdef.part")
    assert not shelf.sync("pull", delete=True)["changed"]
    assert not shelf.sync("push")["changed"]
