# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders below the target, and links in place of them."""

from __future__ import annotations

import gc
import os
import pathlib
import stat

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.file_places import (
    folder_of,
    make_folders,
    remove_file,
)


@pytest.fixture
def outside(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with a file ``b`` that has to stay."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "b").touch()
    return folder


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def test_missing_folders_are_made(tmp_path: pathlib.Path) -> None:
    root = tmp_path / "x" / "root"
    make_folders(str(root), "a/b/name", 0o710)
    for folder in (root, root / "a", root / "a" / "b"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o710
    assert not (root / "a" / "b" / "name").exists()


def test_folders_that_are_there_keep_their_mode(root: pathlib.Path) -> None:
    (root / "a").mkdir(mode=0o700)
    make_folders(str(root), "a/b/", 0o755)
    assert stat.S_IMODE((root / "a").stat().st_mode) == 0o700


def test_a_link_or_a_file_in_the_way(root: pathlib.Path, outside: pathlib.Path) -> None:
    (root / "link").symlink_to(outside)
    (root / "file").touch()
    with pytest.raises(InvalidInput, match="link is a symbolic link, which is not followed"):
        make_folders(str(root), "link/a/b", None)
    with pytest.raises(InvalidInput, match="file is a file, and a folder is needed"):
        make_folders(str(root), "file/a", None)
    assert [path.name for path in outside.iterdir()] == ["b"]


def test_what_is_done_stays_in_the_folder_when_a_link_takes_its_place(
    root: pathlib.Path, outside: pathlib.Path
) -> None:
    with folder_of(str(root), "a/b", make=True) as folder:
        (root / "a").rename(root / "moved")
        (root / "a").symlink_to(outside)
        os.close(os.open("new", os.O_CREAT, dir_fd=folder))
    assert (root / "moved" / "new").exists()
    assert [path.name for path in outside.iterdir()] == ["b"]


def test_descriptors_are_closed(root: pathlib.Path) -> None:
    (root / "file").touch()
    gc.collect()  # what other tests have left open may be closed at any moment
    before = len(os.listdir("/proc/self/fd"))
    make_folders(str(root), "a/b/c", None)
    for name in ("file/a", "a/b/none/c"):
        with pytest.raises((InvalidInput, FileNotFoundError)), folder_of(str(root), name):
            pass
    assert len(os.listdir("/proc/self/fd")) == before


class TestRemoving:
    def test_a_file_and_the_folders_that_are_empty_then(self, root: pathlib.Path) -> None:
        make_folders(str(root), "a/b/", None)
        for name in ("a/b/c", "a/d"):
            (root / name).touch()
        remove_file(str(root), "a/b/c")
        assert [path.name for path in (root / "a").iterdir()] == ["d"]
        remove_file(str(root), "a/d")
        assert list(root.iterdir()) == []

    def test_an_empty_folder(self, root: pathlib.Path) -> None:
        (root / "a").mkdir()
        remove_file(str(root), "a")
        assert list(root.iterdir()) == []

    def test_removing_a_missing_file_is_no_error(self, root: pathlib.Path) -> None:
        remove_file(str(root), "a/b")

    def test_nothing_behind_a_link(self, root: pathlib.Path, outside: pathlib.Path) -> None:
        (root / "a").symlink_to(outside)
        with pytest.raises(InvalidInput, match="is a symbolic link"):
            remove_file(str(root), "a/b")
        assert (outside / "b").exists()

    def test_a_folder_with_something_in_it(self, root: pathlib.Path) -> None:
        make_folders(str(root), "a/b/", None)
        with pytest.raises(InvalidInput, match="a cannot be removed: Directory not empty"):
            remove_file(str(root), "a")
