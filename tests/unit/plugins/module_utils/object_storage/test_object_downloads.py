# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The module that downloads: when it reads, where it writes, and what it says about it."""

from __future__ import annotations

import os
import pathlib
import stat
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, NotFound
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.download import OPERATION, is_symbolic

from .conftest import Bench


@pytest.fixture
def stored(filled: Bench) -> Bench:
    filled.object("a/b.txt", content="abc")
    filled.forget()
    return filled


def fetch(bench: Bench, dest: pathlib.Path | str, **params: t.Any) -> dict[str, t.Any]:
    return bench.run(OPERATION, container="c", name=params.pop("name", "a/b.txt"), dest=str(dest), **params)


def mode(path: pathlib.Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_download_and_again(stored: Bench, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    mask = os.umask(0o027)
    try:
        foreseen = fetch(stored, path, check_mode=True)
        assert stored.seen() == ["HEAD object"]
        assert not path.exists()
        stored.forget()
        done = fetch(stored, path)
    finally:
        os.umask(mask)
    assert done == foreseen
    record = stored.object("a/b.txt")["object"]
    assert done == {
        "changed": True,
        "file": str(path),
        "mode": "0640",
        "object": record,
        "diff": {"before": {}, "after": {"file": str(path), "size": 3, "mode": "0640", "etag": record["etag"]}},
    }
    assert (path.read_bytes(), mode(path)) == (b"abc", 0o640)
    assert sorted(os.listdir(tmp_path)) == ["file", "state"]
    stored.forget()
    again = fetch(stored, path)
    assert (again["changed"], again["diff"]["before"]) == (False, again["diff"]["after"])
    assert stored.seen() == ["HEAD object"]


def test_modes(stored: Bench, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    assert fetch(stored, path, mode="0600")["mode"] == "0600"
    foreseen = fetch(stored, path, mode="0604", check_mode=True)
    assert (foreseen["changed"], mode(path)) == (True, 0o600)
    assert fetch(stored, path, mode="0604") == foreseen
    assert (foreseen["diff"]["before"]["mode"], foreseen["diff"]["after"]["mode"], mode(path)) == (
        "0600",
        "0604",
        0o604,
    )
    path.write_bytes(b"xyz")
    changed = fetch(stored, path)
    assert (changed["changed"], changed["mode"], mode(path), path.read_bytes()) == (True, "0604", 0o604, b"abc")
    with pytest.raises(InvalidInput, match="mode: '9' is not an octal number"):
        fetch(stored, path, mode="9")
    assert fetch(stored, path, mode="u=rw")["changed"] is False
    assert [is_symbolic(value) for value in ("u=rw", "a+x", "0644", 420, None)] == [True, True, False, False, False]


def test_into_a_folder(stored: Bench, tmp_path: pathlib.Path) -> None:
    assert fetch(stored, tmp_path)["file"] == str(tmp_path / "b.txt")
    stored.raw("PUT", "/c/folder/", data=b"")
    with pytest.raises(InvalidInput, match="a file cannot be named after 'folder/'"):
        fetch(stored, tmp_path, name="folder/")
    with pytest.raises(InvalidInput, match="there is no folder"):
        fetch(stored, f"{tmp_path}/none/")


@pytest.mark.parametrize("follow", [False, True])
def test_links(stored: Bench, tmp_path: pathlib.Path, follow: bool) -> None:
    other, path = tmp_path / "other", tmp_path / "file"
    other.write_bytes(b"abc")
    path.symlink_to(other)
    assert fetch(stored, path, follow=follow)["changed"] is not follow
    assert path.is_symlink() is follow
    assert other.read_bytes() == b"abc"


def test_a_large_object_that_is_there_already(stored: Bench, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    data = os.urandom(2 << 20)
    (tmp_path / "data").write_bytes(data)
    stored.object("large", src=str(tmp_path / "data"), segment_threshold=1 << 20, segment_size=1 << 20)
    assert fetch(stored, path, name="large")["object"]["large_object"] == "static"
    assert path.read_bytes() == data
    stored.forget()
    assert fetch(stored, path, name="large")["changed"] is False
    assert stored.seen() == ["HEAD object", "GET object"]  # the list of the segments


def test_the_record_is_that_of_what_was_read(
    stored: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import ObjectStorage

    plain, changes = ObjectStorage.read_object, [b"newer"]

    def read(self: ObjectStorage, *args: t.Any) -> t.Any:
        if changes:
            stored.raw("PUT", "/c/a/b.txt", data=changes.pop())
        return plain(self, *args)

    monkeypatch.setattr(ObjectStorage, "read_object", read)
    done = fetch(stored, tmp_path / "file")
    assert (done["object"]["size"], done["diff"]["after"]["size"]) == (5, 5)


def test_missing_object_is_named(stored: Bench, tmp_path: pathlib.Path) -> None:
    for check_mode in (True, False):
        with pytest.raises(NotFound, match="There is no object 'none' in a container 'c'"):
            fetch(stored, tmp_path / "file", name="none", check_mode=check_mode)
    with pytest.raises(InvalidInput, match="dest is empty"):
        fetch(stored, "")


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize("option", ["owner", "group"])
def test_an_owner_that_is_not_there(stored: Bench, tmp_path: pathlib.Path, option: str, check_mode: bool) -> None:
    word = "user" if option == "owner" else "group"
    with pytest.raises(InvalidInput, match=f"^{option}: there is no {word} 'nobody-here' on this host"):
        fetch(stored, tmp_path / "file", check_mode=check_mode, **{option: "nobody-here"})
    assert stored.seen() == []
    assert not (tmp_path / "file").exists()
    assert fetch(stored, tmp_path / "file", check_mode=check_mode, owner="0", group="0")["changed"]
