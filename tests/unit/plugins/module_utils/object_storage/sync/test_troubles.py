# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes, ends or answers oddly in the middle."""

from __future__ import annotations

import itertools
import os
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import DeadlinePassed, Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import deletion, pull, push, segments, sync_mode
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import sync as operation
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.remote_listing import Remote
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync_report import MAX_WARNINGS, WarningLimit

from .conftest import Shelf, actions


@pytest.fixture
def ghost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The listing lags behind: it has an object ``zz`` that is not there."""
    really = sync_mode.objects_below

    def listed(*args: t.Any, **more: t.Any) -> t.Iterator[Remote]:
        yield from really(*args, **more)
        yield Remote("zz", 1, "0" * 32, "text/plain")

    monkeypatch.setattr(sync_mode, "objects_below", listed)


@pytest.mark.usefixtures("ghost")
class TestListingThatLagsBehind:
    def test_what_is_not_there_any_more_is_told_and_left_out(self, shelf: Shelf) -> None:
        shelf.store("a")
        result = shelf.sync("pull")
        assert not result.get("failed")
        assert actions(result) == {"a": "download"}
        assert shelf.bench.warnings == ["c/zz is listed but does not exist: it has expired or was just deleted."]

    def test_copies_too(self, shelf: Shelf) -> None:
        shelf.bench.container("to")
        shelf.store("a")
        assert not shelf.sync("copy", source_container="c", container="to").get("failed")
        assert shelf.objects("to") == ["a"]

    def test_what_is_to_be_deleted_may_be_gone(self, shelf: Shelf) -> None:
        assert not shelf.sync(delete=True, max_delete="1").get("failed")


@pytest.mark.parametrize("mode", ["pull", "copy"])
@pytest.mark.parametrize("check_mode", [True, False])
def test_nothing_is_deleted_that_a_short_listing_lacks(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, *, mode: str, check_mode: bool
) -> None:
    shelf.bench.container("to")
    for name in ("p/a", "p/b", "p/c"):
        shelf.store(name, container="c")
        shelf.store(name, container="to")
        shelf.put(name, "x")
    shelf.put("p/gone")
    shelf.put(f"p/{5 * ('x' * 250 + '/')}x")  # no object can have this name
    shelf.store("p/gone", container="to")
    way = {"source_container": "c", "container": "to"} if mode == "copy" else {}
    really = sync_mode.objects_below

    def listed(storage: t.Any, container: str, prefix: str, **more: t.Any) -> t.Iterator[Remote]:
        return itertools.islice(really(storage, container, prefix, **more), 1 if container == "c" else None)

    monkeypatch.setattr(sync_mode, "objects_below", listed)
    with pytest.raises(Unusable, match=r"it lacks 'p/b', 'p/c', which exist. Nothing was done"):
        shelf.sync(mode, delete=True, max_delete="100%", check_mode=check_mode, **way)
    monkeypatch.undo()
    done = shelf.sync(mode, delete=True, max_delete="100%", check_mode=check_mode, **way)
    assert done["counts"]["deleted"] == (1 if mode == "copy" else 2)


def test_a_file_that_was_made_since_the_folder_was_read(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.store("a", "1")
    shelf.put("a", "other")
    monkeypatch.setattr(sync_mode, "LocalTree", lambda *_args, **_options: [])
    assert actions(shelf.sync("pull")) == {"a": "download"}
    assert shelf.files() == {"a": "1"}


def test_a_file_that_has_the_place_under_another_name(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.store("a", "1")
    shelf.put("a", "other")
    monkeypatch.setattr(sync_mode, "LocalTree", lambda *_args, **_options: [])
    monkeypatch.setattr(os, "listdir", lambda _folder: ["A"])  # as on a file system that takes both for one
    assert "a exists under another name" in shelf.sync("pull")["msg"]
    assert shelf.files() == {"a": "other"}


def test_a_link_that_takes_the_place_of_a_folder_meanwhile(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.store("a/b", "1", X_Object_Meta_Mtime="1600000000.5")
    outside = shelf.bench.folder / "outside"
    outside.mkdir()
    really = pull.download

    def download(*args: t.Any, **options: t.Any) -> t.Any:
        (shelf.root / "a").rename(shelf.root / "moved")
        (shelf.root / "a").symlink_to(outside)
        return really(*args, **options)

    monkeypatch.setattr(pull, "download", download)
    shelf.sync("pull", preserve_mtime=True, file_mode="0640")
    written = shelf.root / "moved" / "b"
    assert (written.read_text(), written.stat().st_mode & 0o777, written.stat().st_mtime) == ("1", 0o640, 1600000000.5)
    assert list(outside.iterdir()) == []


def test_a_report_on_deletions_with_names_of_its_own(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        shelf.store(f"f{number}")
    told = {"Response Status": "400 Bad Request", "Errors": [["/elsewhere/f1", "403 Forbidden"]]}
    monkeypatch.setattr(deletion, "bulk_delete", lambda _storage, _paths: told)
    result = shelf.sync(delete=True, max_delete="6")
    assert (result["failed"], result["changed"], result["counts"]["deleted"]) == (True, True, 0)
    assert "403 Forbidden" in result["msg"]


class TestDeletingBesideWriters:
    def test_an_object_stays_whose_file_has_been_made_meanwhile(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shelf.store("new")
        shelf.store("old")
        self._before_deleting(monkeypatch, push.Push, lambda: shelf.put("new"))
        assert actions(shelf.sync(delete=True, max_delete="2")) == {"old": "delete"}
        assert shelf.objects() == ["new"]
        assert shelf.bench.warnings == ["1 files appeared in the meantime; their objects were not deleted."]

    def test_a_file_stays_that_was_written_meanwhile(self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
        shelf.write(written="1", old="1")
        self._before_deleting(monkeypatch, pull.Pull, lambda: shelf.put("written", "new"))
        result = shelf.sync("pull", delete=True, max_delete="2")
        assert "written has changed since it was compared, and is kept" in result["msg"]
        assert shelf.files() == {"written": "new"}

    def _before_deleting(self, monkeypatch: pytest.MonkeyPatch, way: type[t.Any], act: t.Callable[[], object]) -> None:
        really = way.remove

        def remove(*args: t.Any) -> None:
            act()
            really(*args)

        monkeypatch.setattr(way, "remove", remove)


@pytest.mark.parametrize("status", [401, 408, 429, 498, 503])
def test_what_passes_is_tried_again(shelf: Shelf, status: int) -> None:
    shelf.write(a="1", b="2", c="3")
    shelf.bench.sandbox.fault("status_before", method="PUT", status=status, times=1)
    assert not shelf.sync().get("failed")
    assert shelf.objects() == ["a", "b", "c"]


def test_a_token_that_expires_is_renewed_once_for_all(shelf: Shelf) -> None:
    for number in range(30):
        shelf.put(f"f{number:02}")
    shelf.bench.sandbox.expire("storage")
    shelf.bench.forget()
    assert not shelf.sync().get("failed")
    assert shelf.bench.seen().count("GET auth") <= 1
    assert len(shelf.objects()) == 30


@pytest.mark.parametrize("status", [403, 404, 409, 412, 413, 422, 507])
def test_what_does_not_pass_is_told_for_each(shelf: Shelf, status: int) -> None:
    shelf.write(a="1", b="2", c="3")
    shelf.bench.sandbox.fault("status_before", method="PUT", path="/c/b$", status=status, times=0)
    result = shelf.sync()
    assert [failure["name"] for failure in result["failures"]] == ["b"]
    assert "\n" not in result["failures"][0]["msg"]
    assert shelf.objects() == ["a", "c"]


def test_a_file_that_goes_away_before_it_is_sent(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.write(a="1", b="2")
    really = sync_mode.file_content

    def file_content(path: str, *more: t.Any) -> t.Any:
        if path.endswith("/a"):
            pathlib.Path(path).unlink()
        return really(path, *more)

    monkeypatch.setattr(sync_mode, "file_content", file_content)
    result = shelf.sync()
    assert "a cannot be read: No such file or directory" in result["msg"]
    assert shelf.objects() == ["b"]
    assert not shelf.sync()["changed"]


def test_a_file_that_changes_before_it_is_sent_is_sent_as_it_is_then(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shelf.put("a", "old")
    really = sync_mode.file_content

    def file_content(*args: t.Any) -> t.Any:
        path.write_text("new and longer")
        return really(*args)

    monkeypatch.setattr(sync_mode, "file_content", file_content)
    shelf.sync()
    assert shelf.bench.raw("GET", "/c/a").text == "new and longer"
    monkeypatch.undo()
    assert not shelf.sync()["changed"]


def test_a_file_that_changes_while_it_is_sent_is_sent_again(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    path = shelf.put("a", "old")
    really = segments.upload
    contents = iter(["new"])

    def upload(*args: t.Any) -> str:
        etag = really(*args)
        for content in contents:
            path.write_text(content)
        return etag

    monkeypatch.setattr(segments, "upload", upload)
    assert not shelf.sync().get("failed")
    assert shelf.bench.raw("GET", "/c/a").text == "new"
    contents = iter("12345")
    monkeypatch.setattr(segments, "upload", lambda *args: (really(*args), path.write_text(next(contents)))[0])
    path.write_text("other")
    result = shelf.sync()
    assert result["failed"]
    assert result["changed"]
    assert "a changed while it was being sent" in result["msg"]
    assert "changed" not in result["failures"][0]["error"]


def test_at_the_end_of_the_time_it_says_what_is_left(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.write(a="1", b="2", c="3")
    shelf.store("old")

    def run_in_threads(items: t.Any, work: t.Any, *, ended: t.Any, **_more: t.Any) -> None:
        first = next(iter(items))
        ended(first, work(first))
        raise DeadlinePassed("The time limit of this task (1 s) has passed: the rest was not started.")

    monkeypatch.setattr(operation, "run_in_threads", run_in_threads)
    result = shelf.sync(delete=True, max_delete="1")
    assert result["failed"]
    assert result["changed"]
    assert result["counts"]["not_tried"] == 2
    assert "(1 uploaded, 2 not_tried): The time limit of this task" in result["msg"]
    assert shelf.objects() == ["a", "old"]


def test_an_object_whose_path_could_be_shortened_is_not_deleted_by_it(shelf: Shelf) -> None:
    shelf.store("a/../b")
    shelf.put("b")
    result = shelf.sync(delete=True, max_delete="1")
    assert [failure["name"] for failure in result["failures"]] == ["a/../b"]
    assert shelf.objects() == ["a/../b", "b"]


def test_an_object_that_leads_to_another(shelf: Shelf) -> None:
    shelf.bench.container("other")
    shelf.store("real", "content", "other")
    shelf.store("link", "", X_Symlink_Target="other/real")
    shelf.sync("pull")
    assert shelf.files() == {"link": "content"}
    assert not shelf.sync("pull")["changed"]


def test_an_object_with_the_name_of_a_part_is_refused(shelf: Shelf) -> None:
    shelf.store(".fcd-0123456789abcdef.part")
    assert "files of this name are unfinished downloads" in shelf.sync("pull")["msg"]


def test_of_many_warnings_the_first_are_shown() -> None:
    told: list[str] = []
    warnings = WarningLimit(told.append)
    for number in range(MAX_WARNINGS + 3):
        warnings.add(str(number))
    warnings.end()
    assert told == [*map(str, range(MAX_WARNINGS)), "There were 3 more warnings of this kind."]


def test_a_disk_that_is_full(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.store("a", "content")
    shelf.put("a", "as it was")

    def write(*args: t.Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", write)
    result = shelf.sync("pull")
    monkeypatch.undo()
    assert "No space left on device" in result["msg"]
    assert shelf.files() == {"a": "as it was"}
    assert [path.name for path in shelf.root.iterdir()] == ["a"]
