# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a folder to a container."""

from __future__ import annotations

import os
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.check_mode_state import PlannedObjects
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import sync_mode
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync import OPERATION
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.tree_merge import MTIME, mtime_in

from .conftest import OLD, Shelf, actions


def test_all_of_a_folder(shelf: Shelf) -> None:
    shelf.write(a="1", b__c="22", b__d__e="333")
    result = shelf.sync(prefix="site")
    assert result["changed"]
    assert shelf.objects() == ["site/a", "site/b/c", "site/b/d/e"]
    assert result["counts"]["uploaded"] == 3
    assert result["bytes"] == 6
    assert result["objects"][0] == {"name": "a", "action": "upload", "reason": "new", "size": 1}


def test_again_costs_only_the_listing(shelf: Shelf) -> None:
    for number in range(20):
        shelf.put(f"f{number:02}", str(number))
    shelf.sync()
    shelf.bench.forget()
    result = shelf.sync()
    assert not result["changed"]
    assert result["counts"]["unchanged"] == 20
    assert shelf.bench.seen() == ["GET container"] * 4  # three pages of seven, and the empty one


def test_new_ones_cost_one_request_each_and_a_listing(shelf: Shelf) -> None:
    for number in range(20):
        shelf.put(f"f{number:02}", str(number))
    shelf.sync()
    assert sorted(shelf.bench.seen()) == ["GET container"] * 4 + ["PUT object"] * 20


def test_only_what_differs_is_sent(shelf: Shelf) -> None:
    shelf.write(same="same", size="one", content="old")
    shelf.sync()
    shelf.write(size="three", content="new")
    os.utime(shelf.root / "same")  # read anew, and the same
    result = shelf.sync()
    assert actions(result) == {"size": "upload", "content": "upload"}
    assert {entry["reason"] for entry in result["objects"]} == {"content"}
    assert shelf.bench.raw("GET", "/c/content").text == "new"


def test_a_change_of_the_same_length_and_time_is_seen(shelf: Shelf) -> None:
    shelf.put("a", "old")
    shelf.sync()
    shelf.put("a", "new")
    assert shelf.sync()["changed"]


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize("mode", ["push", "pull"])
def test_what_is_in_the_cache_is_not_read(shelf: Shelf, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    really = sync_mode.read_digest

    def read_digest(path: str, *stamp: t.Any, **bound: bool) -> t.Any:
        read.append(path)
        return really(path, *stamp, **bound)

    monkeypatch.setattr(sync_mode, "read_digest", read_digest)
    shelf.write(a="1", b="2")
    for name, content in {"a": "1", "b": "2"}.items():
        shelf.store(name, content)
    assert not shelf.sync(mode)["changed"]
    assert len(read) == 2
    assert not shelf.sync(mode)["changed"]
    assert len(read) == 2
    shelf.write(b="3")
    shelf.sync(mode)
    assert len(read) == 3
    assert not shelf.sync(mode, checksum_cache=False)["changed"]
    assert len(read) == 5


def test_comparing_by_size_only(shelf: Shelf) -> None:
    shelf.put("a", "old")
    shelf.sync()
    shelf.put("a", "new")
    assert not shelf.sync(compare="size")["changed"]


def test_check_mode_says_the_same_and_does_nothing(shelf: Shelf) -> None:
    shelf.write(same="1", changed="2", gone="3", w="4", x="5", y="6")
    shelf.sync()
    shelf.write(changed="22", new="33")
    (shelf.root / "gone").unlink()
    shelf.bench.forget()
    foreseen = shelf.sync(delete=True, check_mode=True)
    assert set(shelf.bench.seen()) == {"GET container"}
    result = shelf.sync(delete=True)
    assert actions(foreseen) == actions(result) == {"changed": "upload", "new": "upload", "gone": "delete"}
    assert foreseen["counts"] == result["counts"]
    assert not shelf.sync(delete=True, check_mode=True)["changed"]


def test_diff_has_a_line_for_each(shelf: Shelf) -> None:
    shelf.write(a="1", b="2")
    shelf.sync()
    shelf.write(a="11", c="3")
    (shelf.root / "b").unlink()
    diff = shelf.sync(delete=True, max_delete="1")["diff"]
    assert diff["before"] == (
        "'a': 1 bytes, MD5 c4ca4238a0b923820dcc509a6f75849b\n'b': 1 bytes, MD5 c81e728d9d4c2f636f067f89cc14862c\n"
    )
    assert diff["after"] == (
        "'a': 2 bytes, MD5 6512bd43d9caa6e02c990b0a82652dca\n'c': 1 bytes, MD5 eccbc87e4b5ce2fe28308fd9f2a7baf3\n"
    )


@pytest.mark.parametrize(
    ("include", "exclude", "sent"),
    [
        ([], ["*.tmp", ".git"], ["docs/a.md", "index.html"]),
        (["*.html"], [], ["index.html"]),
        (["docs"], ["*.tmp"], ["docs/a.md"]),
        (["**/*.md"], [], ["docs/a.md"]),
    ],
)
def test_filters(shelf: Shelf, include: list[str], exclude: list[str], sent: list[str]) -> None:
    for name in ("index.html", "docs/a.md", "docs/x.tmp", ".git/config", ".git/b/c"):
        shelf.put(name)
    shelf.sync(include=include, exclude=exclude)
    assert shelf.objects() == sent


def test_what_the_filter_leaves_out_is_not_deleted(shelf: Shelf) -> None:
    shelf.bench.object("keep.log", content="x")
    shelf.put("a")
    assert actions(shelf.sync(exclude=["*.log"], delete=True, max_delete="100%")) == {"a": "upload"}
    assert shelf.objects() == ["a", "keep.log"]


class TestDelete:
    def test_surplus_goes_only_when_asked(self, shelf: Shelf) -> None:
        shelf.bench.object("old", content="x")
        shelf.put("a")
        shelf.sync()
        assert shelf.objects() == ["a", "old"]
        assert actions(shelf.sync(delete=True, max_delete="1")) == {"old": "delete"}
        assert shelf.objects() == ["a"]

    def test_more_than_allowed_is_refused_before_anything_is_done(self, shelf: Shelf) -> None:
        shelf.bench.object("old", content="x")
        shelf.put("a")
        with pytest.raises(InvalidInput, match=r"1 of 1 objects would be deleted \('old'\), but at most 0 may be"):
            shelf.sync(delete=True)
        assert shelf.objects() == ["old"]

    def test_an_empty_folder_does_not_empty_the_container(self, shelf: Shelf) -> None:
        for number in range(6):
            shelf.bench.object(f"o{number}", content="x")
        with pytest.raises(InvalidInput, match="6 of 6 objects would be deleted"):
            shelf.sync(delete=True)
        assert shelf.sync(delete=True, max_delete="100%")["counts"]["deleted"] == 6
        assert shelf.objects() == []

    def test_many_go_at_once(self, shelf: Shelf) -> None:
        names = [f"o {number} %#?" for number in range(6)]
        for name in names:
            shelf.bench.object(name, content="x")
        shelf.bench.forget()
        result = shelf.sync(delete=True, max_delete="6")
        assert result["counts"]["deleted"] == 6
        assert shelf.bench.seen().count("POST account") == 1
        assert "DELETE object" not in shelf.bench.seen()

    def test_nothing_is_deleted_when_a_transfer_fails(self, shelf: Shelf) -> None:
        shelf.bench.object("old", content="x")
        shelf.put("a")
        shelf.bench.sandbox.fault("status_before", method="PUT", path="/c/a", status=413, times=0)
        result = shelf.sync(delete=True, max_delete="1")
        assert result["failed"]
        assert shelf.objects() == ["old"]
        assert "Nothing was deleted" in shelf.bench.warnings[0]

    def test_a_prefix_is_a_folder(self, shelf: Shelf) -> None:
        for name in ("site/old", "site2/other", "site"):
            shelf.bench.object(name, content="x")
        shelf.sync(prefix="site", delete=True, max_delete="1")
        assert shelf.objects() == ["site", "site2/other"]


class TestFailures:
    def test_one_fails_and_the_rest_goes_on(self, shelf: Shelf) -> None:
        shelf.write(a="1", b="2", c="3")
        shelf.bench.sandbox.fault("status_before", method="PUT", path="/c/b$", status=413, times=0)
        result = shelf.sync()
        assert result["failed"]
        assert result["changed"]
        assert shelf.objects() == ["a", "c"]
        assert [failure["name"] for failure in result["failures"]] == ["b"]
        assert result["msg"].startswith("Not everything is in sync (2 uploaded, 1 failed): 'b': ")
        assert result["error"] == result["failures"][0]["error"]
        assert (result["error"]["kind"], result["error"]["status"]) == ("Rejected", 413)
        shelf.bench.sandbox.clear_faults()
        assert actions(shelf.sync()) == {"b": "upload"}

    def test_a_folder_that_is_missing(self, shelf: Shelf) -> None:
        with pytest.raises(InvalidInput, match=r"path: .*nowhere cannot be read: No such file or directory"):
            shelf.sync(path=str(shelf.root / "nowhere"), delete=True)

    def test_a_file_in_place_of_a_folder(self, shelf: Shelf) -> None:
        with pytest.raises(InvalidInput, match="is not a folder"):
            shelf.sync(path=str(shelf.put("a")))

    def test_a_container_that_is_missing(self, shelf: Shelf) -> None:
        shelf.put("a")
        with pytest.raises(InvalidInput, match="There is no container 'none'"):
            shelf.sync(container="none")
        assert actions(shelf.sync(container="none", check_mode=True)) == {"a": "upload"}
        assert "There is no container 'none'" in shelf.bench.warnings[0]

    def test_a_name_that_is_too_long(self, shelf: Shelf) -> None:
        shelf.put("a")
        shelf.put("/".join(["x" * 250] * 5))
        result = shelf.sync()
        assert result["failed"]
        assert shelf.objects() == ["a"]
        assert "1254 bytes are too many" in result["msg"]

    def test_a_name_that_is_no_text(self, shelf: Shelf) -> None:
        pathlib.Path(os.fsdecode(os.fsencode(shelf.root) + b"/\xff")).write_text("x")
        shelf.put("a")
        result = shelf.sync()
        assert r"'\xff': The name of an object is UTF-8" in result["msg"]
        assert shelf.objects() == ["a"]

    def test_what_is_excluded_is_no_trouble(self, shelf: Shelf) -> None:
        shelf.put("a")
        for name in (b"bad-\xff", b"bad-\xfe/x"):
            path = os.fsencode(shelf.root) + b"/" + name
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.close(os.open(path, os.O_CREAT))
        assert len(shelf.sync()["failures"]) == 2
        assert not shelf.sync(exclude=["bad-*"]).get("failed")
        assert shelf.objects() == ["a"]

    def test_refused_credentials_end_it(self, shelf: Shelf) -> None:
        for number in range(60):
            shelf.put(f"f{number:02}")
        shelf.bench.sandbox.fault("status_before", method="PUT", status=401, times=0)
        result = shelf.sync(connections=2)
        assert result["counts"]["not_tried"] > 0
        assert result["counts"]["failed"] + result["counts"]["not_tried"] == 60


class TestLinks:
    def test_followed(self, shelf: Shelf) -> None:
        outside = shelf.bench.folder / "outside"
        outside.mkdir()
        (outside / "x").write_text("x")
        (shelf.root / "file").symlink_to(outside / "x")
        (shelf.root / "folder").symlink_to(outside)
        shelf.sync()
        assert shelf.objects() == ["file", "folder/x"]

    def test_broken_and_round_are_told(self, shelf: Shelf) -> None:
        shelf.put("b/a")
        (shelf.root / "broken").symlink_to("nothing")
        (shelf.root / "b" / "round").symlink_to("..")
        shelf.bench.object("broken", content="x")
        result = shelf.sync(delete=True)
        assert not result.get("failed")
        assert shelf.objects() == ["b/a", "broken"]
        assert len(shelf.bench.warnings) == 2

    def test_that_lead_nowhere_are_told_and_what_was_there_stays(self, shelf: Shelf) -> None:
        shelf.put("a")
        (shelf.root / "itself").symlink_to("itself")
        (shelf.root / "through").symlink_to("a/file")
        (shelf.root / "away").symlink_to("volume")
        for name in ("away/x", "itself/x", "through"):
            shelf.bench.object(name, content="x")
        result = shelf.sync(delete=True)
        assert not result.get("failed")
        assert shelf.objects() == ["a", "away/x", "itself/x", "through"]
        assert len(shelf.bench.warnings) == 3
        assert all("is a broken symbolic link" in warning for warning in shelf.bench.warnings)

    def test_skipped_and_not_deleted(self, shelf: Shelf) -> None:
        outside = shelf.bench.folder / "outside"
        outside.mkdir()
        (shelf.root / "folder").symlink_to(outside)
        (shelf.root / "file").symlink_to(outside)
        for name in ("file", "folder/x", "folder-y"):
            shelf.bench.object(name, content="x")
        shelf.put("a")
        shelf.sync(symlinks="skip", delete=True, max_delete="1")
        assert shelf.objects() == ["a", "file", "folder/x"]

    def test_refused(self, shelf: Shelf) -> None:
        (shelf.root / "link").symlink_to("nothing")
        shelf.put("a")
        with pytest.raises(InvalidInput, match="is a symbolic link, and symlinks is refuse"):
            shelf.sync(symlinks="refuse")
        assert shelf.objects() == []


class TestEmptyFolders:
    def test_left_out(self, shelf: Shelf) -> None:
        (shelf.root / "empty").mkdir()
        shelf.sync()
        assert shelf.objects() == []

    def test_as_markers(self, shelf: Shelf) -> None:
        (shelf.root / "empty").mkdir()
        shelf.put("full/a")
        shelf.sync(empty_directories=True)
        assert shelf.objects() == ["empty", "full/a"]
        assert shelf.bench.head("/c/empty")["Content-Type"] == "application/directory"
        assert not shelf.sync(empty_directories=True)["changed"]

    def test_markers_of_folders_that_are_there_stay(self, shelf: Shelf) -> None:
        for name in ("full", "full/", "gone/"):
            shelf.bench.object(name, content="", content_type="application/directory")
        shelf.put("full/a")
        shelf.sync(delete=True, max_delete="1")
        assert shelf.objects() == ["full", "full/", "full/a"]


class TestHeaders:
    rules = (
        {"match": "*.html", "content_type": "text/html; charset=utf-8", "cache_control": "max-age=60"},
        {"match": "a.*", "metadata": {"who": "me"}, "expires_in": 3600},
    )

    def test_headers_of_new_objects(self, shelf: Shelf) -> None:
        shelf.put("a.html")
        shelf.put("b.css")
        shelf.sync(headers=self.rules)
        head = shelf.bench.head("/c/a.html")
        assert head["Content-Type"] == "text/html; charset=utf-8"
        assert head["Cache-Control"] == "max-age=60"
        assert head["X-Object-Meta-Who"] == "me"
        assert "X-Delete-At" in head
        assert shelf.bench.head("/c/b.css")["Content-Type"] == "text/css"

    def test_the_content_type_is_compared_by_the_listing(self, shelf: Shelf) -> None:
        shelf.put("a.html")
        shelf.bench.object("a.html", content="content", content_type="text/plain", metadata={"kept": "yes"})
        rules = [{"match": "*.html", "content_type": "text/html; charset=utf-8"}]
        result = shelf.sync(headers=rules)
        assert actions(result) == {"a.html": "update"}
        assert "content_type: text/plain" in result["diff"]["before"]
        assert shelf.bench.head("/c/a.html")["X-Object-Meta-Kept"] == "yes"
        shelf.bench.forget()
        assert not shelf.sync(headers=rules)["changed"]
        assert set(shelf.bench.seen()) == {"GET container"}

    @pytest.mark.parametrize(
        ("rule", "header", "value"),
        [
            ({"cache_control": "max-age=60"}, "Cache-Control", "max-age=60"),
            ({"content_disposition": "attachment"}, "Content-Disposition", "attachment"),
            ({"content_encoding": "br"}, "Content-Encoding", "br"),
            ({"metadata": {"who": "me"}}, "X-Object-Meta-Who", "me"),
            ({"expires_in": 3600}, "X-Delete-At", None),
        ],
    )
    def test_the_rest_is_compared_object_by_object(
        self, shelf: Shelf, rule: dict[str, object], header: str, value: str | None
    ) -> None:
        shelf.put("a.html")
        shelf.put("b.css")
        rules = [{"match": "*.html", **rule}]
        shelf.sync()
        assert not shelf.sync(headers=rules, verify_headers=False)["changed"]
        assert actions(shelf.sync(headers=rules, check_mode=True)) == {"a.html": "update"}
        assert actions(shelf.sync(headers=rules)) == {"a.html": "update"}
        assert shelf.bench.head("/c/a.html")[header] == (value or shelf.bench.head("/c/a.html")[header])
        shelf.bench.forget()
        assert not shelf.sync(headers=rules)["changed"]
        assert sorted(shelf.bench.seen()) == ["GET container", "HEAD object"]

    def test_check_mode_knows_what_an_earlier_task_would_set(self, shelf: Shelf) -> None:
        shelf.put("a.html")
        task, planned = shelf.bench.task(check_mode=True), PlannedObjects([])
        params = {name: option.get("default") for name, option in OPERATION.options.items()}
        params.update(mode="push", path=str(shelf.root), container="c", headers=self.rules)
        task.planned_objects = planned
        assert OPERATION.run(task, params)["counts"]["uploaded"] == 1
        task.planned_objects = PlannedObjects(planned.new)
        assert OPERATION.run(task, params)["changed"] is False

    @pytest.mark.parametrize(
        ("rule", "message"),
        [
            ({"match": ""}, r"headers\[0\].match: '' is not a pattern"),
            ({"match": "*", "metadata": {"a_b": "c"}}, r"headers\[0\].metadata: 'a_b' cannot be"),
            ({"match": "*", "cache_control": "a\nb"}, r"headers\[0\].cache_control: line breaks"),
            ({"match": "*", "expires_in": 0}, r"headers\[0\].expires_in: 0; it must be at least 1"),
            ({"match": "*", "content_type": ""}, r"headers\[0\].content_type: it is empty"),
        ],
    )
    def test_wrong_rules_are_told_before_anything_is_sent(self, shelf: Shelf, rule: object, message: str) -> None:
        shelf.put("a")
        with pytest.raises(FcdError, match=message):
            shelf.sync(headers=[rule])
        assert shelf.bench.seen() == []


@pytest.mark.parametrize(
    ("nanoseconds", "text"), [(0, "000000"), (25 * 10**7, "250000"), (1000, "000001"), (1001, "000001001")]
)
def test_time_of_change(shelf: Shelf, nanoseconds: int, text: str) -> None:
    moment = OLD * 10**9 + nanoseconds
    os.utime(shelf.put("a"), ns=(moment, moment))
    shelf.sync(preserve_mtime=True)
    stored = shelf.bench.head("/c/a")["X-Object-Meta-Mtime"]
    assert stored == f"{OLD}.{text}"
    assert mtime_in({MTIME: stored}) == moment


def test_odd_names(shelf: Shelf) -> None:
    names = ["a b", "%41", "#x", "q?y=1", "ż/ó", "line\nbreak", "tab\t", "'\"", "\\", "~", "-rf"]
    for name in names:
        shelf.put(name, name)
    assert not shelf.sync().get("failed")
    assert shelf.objects() == sorted(names)
    assert not shelf.sync(delete=True)["changed"]


def test_large_numbers_are_listed_in_part(shelf: Shelf) -> None:
    for number in range(5):
        shelf.put(f"f{number}")
    result = shelf.sync(list_limit=2)
    assert result["counts"]["uploaded"] == 5
    assert len(result["objects"]) == 2
    assert result["truncated"]
    assert result["diff"]["after"].endswith("... and 3 more changes\n")
