# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files below a folder, in the order of a listing."""

from __future__ import annotations

import os
import pathlib
import tempfile
import typing as t

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.tree_merge import Filter, LocalTree

PARTS = st.text("ab-.0é\n~", min_size=1, max_size=3).filter(lambda part: part not in (".", ".."))


class Notes:
    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.problems: dict[str, FcdError] = {}

    def tree(self, root: str | pathlib.Path, **more: t.Any) -> list[tuple[str, str]]:
        options = {"symlinks": "follow", "warn": self.warnings.append, "problem": self.problems.__setitem__, **more}
        return [(found.name, found.kind) for found in LocalTree(str(root), options.pop("desired", Filter()), **options)]


@settings(max_examples=settings().max_examples * 2 // 5)
@given(st.sets(st.lists(PARTS, min_size=1, max_size=3).map("/".join), max_size=12))
def test_names_come_in_the_order_of_their_bytes(names: set[str]) -> None:
    with tempfile.TemporaryDirectory() as root:
        made = set()
        for name in sorted(names):
            path = pathlib.Path(root, name)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            except OSError:
                continue  # the name of a folder
            if path.is_file():
                made.add(name)
        found = [name for name, _kind in Notes().tree(root)]
    assert found == sorted(made, key=str.encode)


def test_folders_that_are_excluded_are_not_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "pipe").symlink_to("nothing")  # would be told
    (tmp_path / "a").touch()
    notes = Notes()
    assert notes.tree(tmp_path, desired=Filter(exclude=["closed"])) == [("a", "file")]
    assert notes.warnings == []


def test_pipes_are_told_and_left_out(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    notes = Notes()
    assert notes.tree(tmp_path) == [("pipe", "kept")]
    assert "is no ordinary file" in notes.warnings[0]


def test_what_may_not_be_read_is_a_problem_of_its_own(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "closed").mkdir()
    really = os.scandir

    def scandir(path: str) -> t.Any:
        if path.endswith("closed/"):
            raise PermissionError(13, "Permission denied", path)
        return really(path)

    monkeypatch.setattr(os, "scandir", scandir)
    notes = Notes()
    assert notes.tree(tmp_path) == [("a", "file"), ("closed/", "kept")]
    assert "Permission denied" in str(notes.problems["closed/"])


def test_a_folder_that_goes_away_meanwhile(tmp_path: pathlib.Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "a" / "x").touch()
    notes = Notes()
    walk = iter(
        LocalTree(
            str(tmp_path), Filter(), symlinks="skip", warn=notes.warnings.append, problem=notes.problems.__setitem__
        )
    )
    assert next(walk).name == "a/x"
    (tmp_path / "b").rmdir()
    assert [found.kind for found in walk] == ["kept"]
    assert "No such file" in str(notes.problems["b/"])
