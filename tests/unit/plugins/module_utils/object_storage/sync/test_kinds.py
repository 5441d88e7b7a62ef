# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A file, a folder or a link where something of another kind is to be."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import stat
import typing as t

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import pull, replacement

from .conftest import Shelf, actions

FOLDER, MARKER = "folder", "application/directory"
Tree = t.Dict[str, str]


def make(root: pathlib.Path, tree: Tree) -> None:
    """Make what a tree says: contents of files by their names, ``FOLDER`` and ``-> target`` for others."""
    for name, content in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content == FOLDER:
            path.mkdir()
        elif content.startswith("-> "):
            path.symlink_to(content[3:])
        else:
            path.write_text(content)


def tree(root: pathlib.Path) -> Tree:
    """Return everything below a folder, but for folders that are not empty."""
    found = {}
    for path in root.rglob("*"):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        elif not path.is_dir():
            found[name] = "pipe" if path.is_fifo() else path.read_text()
        elif not any(path.iterdir()):
            found[name] = FOLDER
    return found


REPLACED = [
    pytest.param({"x/y": "1", "x/z/w": "2"}, {"x": "old"}, ["x"], id="folder-for-file"),
    pytest.param({"a/x/y": "1"}, {"a/x": "old", "a/b": "1"}, ["a/b", "a/x"], id="folder-for-file-below"),
    pytest.param({"x": "1"}, {"x/a": "old", "x/b/c": "old", "x/d": FOLDER}, ["x/a", "x/b/c"], id="file-for-folder"),
    pytest.param({"x": "1"}, {"x": "-> ../outside/f"}, ["x"], id="file-for-link"),
    pytest.param({"x": "1"}, {"x": "-> ../outside"}, ["x"], id="file-for-link-to-folder"),
    pytest.param({"x": "1"}, {"x": "-> nothing"}, ["x"], id="file-for-broken-link"),
    pytest.param({"x/y": "1"}, {"x": "-> ../outside"}, ["x"], id="folder-for-link"),
    pytest.param({"x": "1"}, {"x/a": "-> ../../outside"}, ["x/a"], id="file-for-folder-with-link"),
    pytest.param({"x": "1"}, {"x/.fcd-0123456789abcdef.part": "x"}, [], id="file-for-unfinished-download"),
]
NOT_LOST = [
    pytest.param({"x": "1"}, {"x": FOLDER}, id="file-for-empty-folder"),
    pytest.param({"x": "1"}, {"x/a/b": FOLDER, "x/c": FOLDER}, id="file-for-empty-folders"),
]


@pytest.fixture
def outside(shelf: Shelf) -> pathlib.Path:
    make(shelf.bench.folder, {"outside/f": "stays"})
    return shelf.bench.folder / "outside"


def store(shelf: Shelf, objects: Tree) -> None:
    for name, content in objects.items():
        shelf.store(name, content)


@pytest.mark.parametrize(("objects", "files", "lost"), REPLACED)
def test_with_delete_the_other_kind_is_replaced(
    shelf: Shelf, outside: pathlib.Path, objects: Tree, files: Tree, lost: list[str]
) -> None:
    store(shelf, objects)
    make(shelf.root, files)
    before = tree(shelf.root)
    foreseen = shelf.sync("pull", delete=True, max_delete="100%", check_mode=True)
    assert tree(shelf.root) == before
    result = shelf.sync("pull", delete=True, max_delete="100%")
    assert tree(shelf.root) == objects
    assert actions(result) == {**dict.fromkeys(lost, "delete"), **dict.fromkeys(objects, "download"), **moved(result)}
    assert foreseen == result
    assert (result["counts"]["deleted"], result["counts"]["downloaded"]) == (len(lost), len(objects))
    assert tree(outside) == {"f": "stays"}
    again = shelf.sync("pull", delete=True)
    assert not again["changed"]
    assert not again.get("failed")


def moved(result: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Return the action of a name that is deleted and downloaded: a link, say, whose place a file takes."""
    both = [entry["name"] for entry in result["objects"]]
    return {name: actions(result)[name] for name in both if both.count(name) > 1}


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize(("objects", "files", "lost"), [case for case in REPLACED if case.values[2]])
def test_without_delete_it_stays_and_the_way_out_is_told(
    shelf: Shelf, objects: Tree, files: Tree, lost: list[str]
) -> None:
    del lost
    store(shelf, {**objects, "ok": "ok"})
    make(shelf.root, files)
    before = tree(shelf.root)
    foreseen = shelf.sync("pull", check_mode=True)
    result = shelf.sync("pull")
    assert foreseen["failures"] == result["failures"]
    assert sorted(failure["name"] for failure in result["failures"]) == sorted(objects)
    assert all("Set delete to replace it" in failure["msg"] for failure in result["failures"])
    assert tree(shelf.root) == {**before, "ok": "ok"}


NAMES = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map("/".join)
KINDS = st.sampled_from(["x", FOLDER, "-> nothing"])


@pytest.mark.full
@settings(max_examples=settings().max_examples // 5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(NAMES, min_size=1, max_size=4), st.dictionaries(NAMES, KINDS, max_size=5))
def test_whatever_is_there_becomes_what_is_stored(shelf: Shelf, names: set[str], files: Tree) -> None:
    objects = {name: name for name in names if not any(f"{name}/".startswith(f"{other}/") for other in names - {name})}
    shutil.rmtree(shelf.root)
    for name in shelf.objects():
        shelf.bench.raw("DELETE", f"/c/{name}")
    store(shelf, objects)
    for name, content in sorted(files.items()):
        with contextlib.suppress(OSError):  # a part of it is a file, or below a link
            make(shelf.root, {name: content})
    shelf.root.mkdir(exist_ok=True)
    before = tree(shelf.root)
    foreseen = shelf.sync("pull", delete=True, max_delete="100%", check_mode=True)
    assert tree(shelf.root) == before
    assert shelf.sync("pull", delete=True, max_delete="100%") == foreseen
    assert not foreseen.get("failed")
    found = tree(shelf.root)
    assert {name: content for name, content in found.items() if content[:3] != "-> " and content != FOLDER} == objects
    assert not shelf.sync("pull", delete=True)["changed"]


@pytest.mark.parametrize("delete", [False, True])
@pytest.mark.parametrize(("objects", "files"), NOT_LOST)
def test_empty_folders_block_nothing(shelf: Shelf, objects: Tree, files: Tree, delete: bool) -> None:
    store(shelf, objects)
    make(shelf.root, files)
    foreseen = shelf.sync("pull", delete=delete, check_mode=True)
    result = shelf.sync("pull", delete=delete)
    assert foreseen == result
    assert actions(result) == {"x": "download"}
    assert tree(shelf.root) == objects


@pytest.mark.parametrize(
    ("files", "more", "told"),
    [
        ({"x/a": "old", "x/keep.log": "kept"}, {"exclude": ["*.log"]}, "It holds 'x/keep.log'"),
        ({"x/a": "old", "x/out": FOLDER}, {"exclude": ["out"]}, "It holds 'x/out'"),
        ({"x/a": "old", "x/pipe": "pipe"}, {}, "It holds 'x/pipe'"),
        ({"x": "pipe"}, {}, "it is not a regular file. Remove it"),
    ],
)
def test_what_takes_no_part_stays_and_all_with_it(shelf: Shelf, files: Tree, more: dict[str, t.Any], told: str) -> None:
    shelf.store("x", "1")
    make(shelf.root, files)
    for name in [name for name, content in files.items() if content == "pipe"]:
        (shelf.root / name).unlink()
        os.mkfifo(shelf.root / name)
    before = tree(shelf.root)
    result = shelf.sync("pull", delete=True, max_delete="100%", **more)
    assert told in result["msg"]
    assert result["counts"]["deleted"] == 0
    assert tree(shelf.root) == before


def test_what_is_replaced_counts_as_deleted(shelf: Shelf) -> None:
    store(shelf, {"x": "1", "y/a": "2"})
    make(shelf.root, {"x/a": "old", "x/b": "old", "y": "old"})
    before = tree(shelf.root)
    with pytest.raises(InvalidInput, match=r"3 of 3 files would be deleted \('x/a', 'x/b', 'y'\), but at most 2 may"):
        shelf.sync("pull", delete=True, max_delete="2")
    assert tree(shelf.root) == before
    diff = shelf.sync("pull", delete=True, max_delete="3")["diff"]
    assert diff["before"] == "'x/a': 3 bytes\n'x/b': 3 bytes\n'y': 3 bytes\n"


@pytest.mark.parametrize("place", ["folder", "marker"])
def test_markers_of_folders(shelf: Shelf, place: str) -> None:
    name = "x/" if place == "folder" else "x"
    shelf.store(name, "", Content_Type=MARKER)
    make(shelf.root, {"x": "old"})
    refused = shelf.sync("pull", empty_directories=True)
    assert "x is a file, and a folder is needed there. Set delete to replace it" in refused["msg"] or place == "marker"
    result = shelf.sync("pull", empty_directories=True, delete=True, max_delete="1")
    assert not result.get("failed")
    assert tree(shelf.root) == {"x": FOLDER}
    assert not shelf.sync("pull", empty_directories=True, delete=True)["changed"]


class TestNothingIsLost:
    """What is there stays as long as what takes its place is not complete."""

    @pytest.fixture(params=[({"x/a": "1", "x/b": "2"}, {"x": "old"}), ({"x": "1"}, {"x/a": "old"})])
    def shelves(self, shelf: Shelf, request: pytest.FixtureRequest) -> tuple[Shelf, Tree, Tree]:
        objects, files = request.param
        store(shelf, objects)
        make(shelf.root, files)
        return shelf, objects, files

    def complete(self, shelf: Shelf, objects: Tree) -> None:
        """A later run completes it, and leaves nothing beside."""
        assert not shelf.sync("pull", delete=True, max_delete="100%").get("failed")
        assert tree(shelf.root) == objects

    def test_when_one_cannot_be_fetched(self, shelves: tuple[Shelf, Tree, Tree]) -> None:
        shelf, objects, files = shelves
        last = max(objects)
        shelf.bench.sandbox.fault("status_before", method="GET", path=f"/c/{last}$", status=403, times=0)
        result = shelf.sync("pull", delete=True, max_delete="100%")
        assert [failure["name"] for failure in result["failures"]] == [last]
        assert not result["changed"]
        assert result["counts"]["not_tried"] == len(objects) - 1
        assert tree(shelf.root) == files
        shelf.bench.sandbox.clear_faults()
        self.complete(shelf, objects)

    @pytest.mark.parametrize("number", [1, 2])
    def test_when_it_cannot_be_moved(
        self, shelves: tuple[Shelf, Tree, Tree], monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        shelf, objects, files = shelves
        really, calls = os.rename, iter([number == 1, number == 2])

        def rename(*args: t.Any, **more: t.Any) -> None:
            if next(calls, False):
                raise OSError(5, "Input/output error")
            really(*args, **more)

        monkeypatch.setattr(os, "rename", rename)
        result = shelf.sync("pull", delete=True, max_delete="100%")
        assert "x cannot be replaced: Input/output error" in result["msg"]
        assert not result["changed"]
        assert tree(shelf.root) == files
        monkeypatch.undo()
        self.complete(shelf, objects)

    def test_when_it_has_changed_meanwhile(
        self, shelves: tuple[Shelf, Tree, Tree], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shelf, objects, files = shelves
        really, added = pull.download, next(iter(files))

        def download(*args: t.Any, **more: t.Any) -> t.Any:
            (shelf.root / added).write_text("newer")
            return really(*args, **more)

        monkeypatch.setattr(pull, "download", download)
        result = shelf.sync("pull", delete=True, max_delete="100%")
        assert "x has changed since it was compared, and is kept. Run the task again." in result["msg"]
        assert tree(shelf.root) == {added: "newer"}
        monkeypatch.undo()
        self.complete(shelf, objects)

    def test_what_a_killed_run_has_left_is_not_used(self, shelves: tuple[Shelf, Tree, Tree]) -> None:
        shelf, objects, files = shelves
        with replacement.stage_beside(str(shelf.root), "x"):
            (left,) = (path.name for path in shelf.root.iterdir() if path.name != "x")
        make(shelf.root, {f"{left}/new/x/half": "half", f"{left}/old": "older"})
        assert not shelf.sync("push", prefix="p").get("failed")
        assert shelf.objects() == sorted([*objects, *(f"p/{name}" for name in files)])
        for name in files:
            shelf.bench.raw("DELETE", f"/c/p/{name}")
        self.complete(shelf, objects)

    def test_when_another_task_is_at_it(self, shelves: tuple[Shelf, Tree, Tree]) -> None:
        shelf, objects, files = shelves
        with replacement.stage_beside(str(shelf.root), "x"):
            result = shelf.sync("pull", delete=True, max_delete="100%")
        assert "another task is writing" in result["msg"]
        assert tree(shelf.root) == files
        self.complete(shelf, objects)

    def test_when_all_that_was_listed_has_gone(
        self, shelves: tuple[Shelf, Tree, Tree], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shelf, objects, files = shelves
        really = pull.Pull.prepare

        def prepare(self: pull.Pull, items: t.Any) -> None:
            really(self, items)
            for name in objects:
                shelf.bench.raw("DELETE", f"/c/{name}")

        monkeypatch.setattr(pull.Pull, "prepare", prepare)
        result = shelf.sync("pull", delete=True, max_delete="100%")
        assert not result["changed"]
        assert tree(shelf.root) == files


def test_what_cannot_be_removed_in_the_end_is_told(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.store("x", "1")
    make(shelf.root, {"x/a": "old"})
    really = os.unlink

    def unlink(name: str, **more: t.Any) -> None:
        if name == "a":
            raise PermissionError(13, "Permission denied")
        really(name, **more)

    monkeypatch.setattr(os, "unlink", unlink)
    result = shelf.sync("pull", delete=True, max_delete="1")
    (left,) = (path.name for path in shelf.root.iterdir() if path.name != "x")
    told = f"x was replaced, but what was there cannot be removed: Permission denied; it is in {left} beside it"
    assert told in result["msg"]
    assert result["changed"]
    assert (shelf.root / "x").read_text() == "1"


def test_empty_folders_that_objects_are_for_are_not_surplus(shelf: Shelf) -> None:
    shelf.store("marked/", "", Content_Type=MARKER)
    store(shelf, {"filled/a": "1", "filled/b/c": "1"})
    make(shelf.root, {"marked": FOLDER, "filled/b": FOLDER, "surplus": FOLDER})
    options: dict[str, t.Any] = {"empty_directories": True, "delete": True, "max_delete": "1"}
    foreseen, result = shelf.sync("pull", check_mode=True, **options), shelf.sync("pull", **options)
    assert foreseen == result
    assert actions(result) == {"filled/a": "download", "filled/b/c": "download", "surplus": "delete"}
    assert tree(shelf.root) == {"marked": FOLDER, "filled/a": "1", "filled/b/c": "1"}
    assert not shelf.sync("pull", **options)["changed"]


def test_new_ones_have_the_usual_modes(shelf: Shelf) -> None:
    store(shelf, {"x/y": "1", "z": "2"})
    make(shelf.root, {"x": "old", "z": FOLDER})
    shelf.sync("pull", delete=True, max_delete="1", file_mode="0640", directory_mode="0750")
    modes = [stat.S_IMODE((shelf.root / name).stat().st_mode) for name in ("x", "x/y", "z")]
    assert modes == [0o750, 0o640, 0o640]


class TestObjects:
    """In the other direction nothing is in the way, but kinds differ all the same."""

    def test_an_empty_file_is_no_folder(self, shelf: Shelf) -> None:
        shelf.store("x", "", Content_Type=MARKER)
        shelf.put("x", "")
        assert actions(shelf.sync()) == {"x": "upload"}
        assert shelf.bench.head("/c/x")["Content-Type"] != MARKER
        assert not shelf.sync()["changed"]

    def test_nor_is_one_whose_type_is_that_of_a_folder(self, shelf: Shelf) -> None:
        shelf.put("x", "")
        rules = [{"match": "x", "content_type": MARKER}]
        shelf.sync(headers=rules)
        assert not shelf.sync(headers=rules)["changed"]

    @pytest.mark.parametrize("types", [(MARKER, "text/plain"), ("text/plain", MARKER)])
    def test_copies(self, shelf: Shelf, types: tuple[str, str]) -> None:
        shelf.bench.container("to")
        for container, content_type in zip(("c", "to"), types):
            shelf.store("x", "", container, Content_Type=content_type)
        options: dict[str, t.Any] = {"source_container": "c", "container": "to", "empty_directories": True}
        assert actions(shelf.sync("copy", **options)) == {"x": "copy"}
        assert shelf.bench.head("/to/x")["Content-Type"] == types[0]
        assert not shelf.sync("copy", **options)["changed"]

    def test_both_ways(self, shelf: Shelf) -> None:
        store(shelf, {"x": "old", "z/q": "old"})
        make(shelf.root, {"x/y": "1", "z": "2"})
        shelf.sync("push", delete=True, max_delete="100%")
        assert shelf.objects() == ["x/y", "z"]
        assert not shelf.sync("push", delete=True)["changed"]
