# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Older versions of objects: listed, brought back and downloaded, and their segments stay."""

from __future__ import annotations

import os
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, NotFound
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.download import OPERATION as DOWNLOAD
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.listing import OBJECT_INFO as INFO
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync import OPERATION as SYNC

from .conftest import LISTING_LIMIT, Bench

LARGE = {"segment_threshold": 1 << 20, "segment_size": 1 << 20}


@pytest.fixture
def kept(bench: Bench) -> Bench:
    """A container that keeps versions: two of ``a``, and one of ``a ż`` that is deleted."""
    bench.container(versioning="enabled")
    for content in ("one", "two"):
        bench.object("a", content=content, metadata={"is": content})
    bench.object("a ż", content="gone")
    bench.object("a ż", state="absent")
    bench.forget()
    return bench


def versions(bench: Bench, **params: t.Any) -> list[dict[str, t.Any]]:
    found = bench.run(INFO, container="c", versions=True, **params)
    return t.cast("list[dict[str, t.Any]]", found["objects"])


def text(bench: Bench, name: str = "a") -> str:
    return bench.raw("GET", f"/c/{name}").text


def test_all_of_a_container(kept: Bench) -> None:
    found = versions(kept)
    assert [(one["name"], one["is_latest"], one["deleted"], one["size"]) for one in found] == [
        ("a", True, False, 3),
        ("a", False, False, 3),
        ("a ż", True, True, 0),
        ("a ż", False, False, 4),
    ]
    assert len({one["version_id"] for one in found}) == 4
    single = kept.object("a")["object"]
    assert {name: found[0][name] for name in ("etag", "content_type", "container")} == {
        name: single[name] for name in ("etag", "content_type", "container")
    }
    assert set(found[0]) == {*single, "version_id", "is_latest", "deleted"}


def test_those_of_one_object_and_of_some(kept: Bench) -> None:
    assert [one["name"] for one in versions(kept, name="a")] == ["a", "a"]
    assert [one["name"] for one in versions(kept, prefix="a ")] == ["a ż"] * 2
    assert [one["name"] for one in versions(kept, glob=["*ż"])] == ["a ż"] * 2
    assert versions(kept, name="none") == []


@pytest.mark.parametrize("more", [{}, pytest.param({"name": "a"}, marks=pytest.mark.full)])
def test_page_by_page(kept: Bench, more: dict[str, t.Any]) -> None:
    for number in range(LISTING_LIMIT):
        kept.raw("PUT", "/c/a", data=str(number))
    whole = versions(kept, **more)
    assert len(whole) == LISTING_LIMIT + (2 if more else 4)
    seen: list[dict[str, t.Any]] = []
    place: dict[str, t.Any] = {}
    while True:
        found = kept.run(INFO, container="c", versions=True, limit=2, **place, **more)
        seen += found["objects"]
        if found["next_marker"] is None:
            break
        marker = {} if more else {"marker": found["next_marker"]}
        place = {**marker, "version_marker": found["next_version_marker"]}
    assert seen == whole


def test_a_version_is_brought_back(kept: Bench) -> None:
    _current, old = versions(kept, name="a")
    source = {"container": "c", "object": "a", "version_id": old["version_id"]}
    foreseen = kept.object("a", copy_from=source, check_mode=True)
    assert (foreseen["changed"], text(kept)) == (True, "two")
    done = kept.object("a", copy_from=source)
    assert (done["changed"], text(kept), done["object"]["metadata"]) == (True, "one", {"is": "one"})
    assert foreseen["object"]["etag"] == done["object"]["etag"] == old["etag"]
    assert not kept.object("a", copy_from=source)["changed"]
    assert len(versions(kept, name="a")) == 3
    assert kept.object("b", copy_from=source)["changed"]


def test_what_was_deleted_is_brought_back(kept: Bench) -> None:
    mark, old = versions(kept, name="a ż")
    source = {"container": "c", "object": "a ż"}
    with pytest.raises(InvalidInput, match=r"copy_from: 'c' has no version .* of 'a ż' to read. List the versions"):
        kept.object("a ż", copy_from={**source, "version_id": mark["version_id"]})
    assert kept.object("a ż", copy_from={**source, "version_id": old["version_id"]})["changed"]
    assert text(kept, "a ż") == "gone"


def test_a_version_in_a_file(kept: Bench, tmp_path: pathlib.Path) -> None:
    _current, old = versions(kept, name="a")
    desired = {"container": "c", "name": "a", "dest": str(tmp_path / "file")}
    for changed in (True, False):
        done = kept.run(DOWNLOAD, version_id=old["version_id"], **desired)
        assert (done["changed"], (tmp_path / "file").read_text(), done["object"]["etag"]) == (
            changed,
            "one",
            old["etag"],
        )
    assert kept.run(DOWNLOAD, **desired)["changed"]
    for version in ("1234567890.00000", "nonsense"):
        with pytest.raises(InvalidInput, match=f"version_id: 'c' has no version '{version}' of 'a'"):
            kept.run(DOWNLOAD, version_id=version, **desired)
    assert (tmp_path / "file").read_text() == "two"


@pytest.mark.full
class TestLargeObjects:
    @pytest.fixture
    def contents(self, tmp_path: pathlib.Path) -> list[pathlib.Path]:
        paths = [tmp_path / f"large{number}" for number in range(2)]
        for path in paths:
            path.write_bytes(os.urandom(2 << 20))
        return paths

    def test_versions_stay_whole(self, kept: Bench, contents: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
        for path in contents:
            kept.object("big", src=str(path), **LARGE)
        kept.object("big", content="small")
        kept.object("big", content="x" * (2 << 20), **LARGE)
        kept.object("big", state="absent")
        _mark, _text, _small, second, first = versions(kept, name="big")
        target = tmp_path / "file"
        for version, path in ((first, contents[0]), (second, contents[1])):
            kept.run(DOWNLOAD, container="c", name="big", version_id=version["version_id"], dest=str(target))
            assert target.read_bytes() == path.read_bytes()
        source = {"container": "c", "object": "big", "version_id": first["version_id"]}
        assert kept.object("big", copy_from=source)["object"]["large_object"] == "static"
        assert kept.raw("GET", "/c/big").content == contents[0].read_bytes()
        assert not kept.object("big", copy_from=source)["changed"]

    def test_versions_stay_whole_when_folders_are_synced(
        self, kept: Bench, contents: list[pathlib.Path], tmp_path: pathlib.Path
    ) -> None:
        root = tmp_path / "root"
        root.mkdir()
        for path in contents:
            (root / "big").write_bytes(path.read_bytes())
            kept.run(SYNC, mode="push", path=str(root), container="c", prefix="p", **LARGE)
        (root / "big").unlink()
        (root / "new").write_text("new")
        kept.run(SYNC, mode="push", path=str(root), container="c", prefix="p", delete=True, max_delete="1")
        _mark, second, first = versions(kept, name="p/big")
        for version, path in ((first, contents[0]), (second, contents[1])):
            assert kept.raw("GET", f"/c/p/big?version-id={version['version_id']}").content == path.read_bytes()

    @pytest.mark.parametrize("way", ["stack", "history"])
    def test_versions_elsewhere_stay_whole(self, bench: Bench, contents: list[pathlib.Path], way: str) -> None:
        bench.container("old")
        bench.container(versioning=way, versions_location="old")
        for path in contents:
            bench.object("big", src=str(path), **LARGE)
        (name,) = bench.raw("GET", "/old").text.splitlines()
        bench.object("big", state="absent")
        if way == "history":
            assert bench.raw("GET", f"/old/{name}").content == contents[0].read_bytes()
        else:
            assert bench.raw("GET", "/c/big").content == contents[0].read_bytes()


@pytest.mark.parametrize("way", ["stack", "history"])
def test_the_names_of_versions_elsewhere(bench: Bench, way: str) -> None:
    """As the documentation of storage_container tells them."""
    bench.container("old")
    bench.container(versioning=way, versions_location="old")
    for content in ("one", "two"):
        bench.object("a ż.txt", content=content)
    (found,) = bench.run(INFO, container="old", prefix="008a ż.txt/")["objects"]
    assert float(found["name"].rpartition("/")[2]) > 1e9
    bench.object("a ż.txt", copy_from={"container": "old", "object": found["name"]})
    assert text(bench, "a ż.txt") == "one"


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"versions": True, "delimiter": "/"}, "versions: it cannot be given together with delimiter"),
        ({"versions": True, "details": True}, "versions: it cannot be given together with details"),
        ({"versions": True, "format": "text"}, "so versions does not apply"),
        ({"version_marker": "1"}, "version_marker: it requires versions"),
        ({"name": "a", "prefix": "b", "marker": "c"}, "name: it cannot be given together with prefix, marker. Leave"),
        ({"glob": ["*"], "delimiter": "/"}, "glob: it cannot be given together with delimiter. Choose one"),
    ],
)
def test_impossible_options_are_refused(bench: Bench, params: dict[str, t.Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        bench.run(INFO, container="c", **params)
    assert bench.sandbox.counts()["total"] == 0


def test_a_container_without_versions(filled: Bench) -> None:
    filled.object("a", content="x")
    assert [(one["version_id"], one["is_latest"]) for one in versions(filled)] == [("null", True)]
    with pytest.raises(InvalidInput, match=r"'c' has no version '1234567890\.00000' of 'a'"):
        filled.object("b", copy_from={"container": "c", "object": "a", "version_id": "1234567890.00000"})
    with pytest.raises(NotFound, match="There is no container 'none'"):
        filled.run(INFO, container="none", versions=True)


def test_a_number_is_no_version_id(filled: Bench) -> None:
    with pytest.raises(InvalidInput, match=r"version_id: 1795295934\.15754 is not a string. Put it in quotes"):
        filled.object("b", copy_from={"container": "c", "object": "a", "version_id": 1795295934.15754})
