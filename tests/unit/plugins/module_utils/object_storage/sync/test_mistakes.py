# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes in what is asked for: told once, before anything is transferred, with the right thing to do."""

from __future__ import annotations

import os
import re
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput

from .conftest import Shelf, actions

CHECK = "Check its name, and the account of storage_user."


@pytest.mark.parametrize("check_mode", [True, False])
class TestAFolderThatCannotBeFilled:
    @pytest.fixture
    def locked(self, monkeypatch: pytest.MonkeyPatch) -> t.Callable[[str], None]:
        """Makes a folder one that nothing can be written to, also for root."""

        def lock(folder: str) -> None:
            really = os.access
            monkeypatch.setattr(os, "access", lambda path, mode: str(path) != folder and really(path, mode))

        return lock

    def test_it_is_told_once(self, shelf: Shelf, locked: t.Callable[[str], None], check_mode: bool) -> None:
        for name in ("a", "b", "c/d"):
            shelf.store(name)
        locked(str(shelf.root))
        shelf.bench.forget()
        with pytest.raises(InvalidInput, match=f"^path: the folder {shelf.root} cannot be written to.$"):
            shelf.sync("pull", check_mode=check_mode)
        above = f"{shelf.root}/new cannot be created: {shelf.root} cannot be written to"
        with pytest.raises(InvalidInput, match=f"^path: the folder {above}.$"):
            shelf.sync("pull", path=str(shelf.root / "new"), check_mode=check_mode)
        assert "GET object" not in shelf.bench.seen()
        assert os.listdir(shelf.root) == []

    def test_with_a_part_that_can_be_written_to(
        self, shelf: Shelf, locked: t.Callable[[str], None], check_mode: bool
    ) -> None:
        shelf.store("c/d")
        (shelf.root / "c").mkdir()
        locked(str(shelf.root))
        assert actions(shelf.sync("pull", check_mode=check_mode)) == {"c/d": "download"}


def test_a_folder_that_the_system_does_not_make(shelf: Shelf) -> None:
    shelf.store("a")
    shelf.store("b")
    with pytest.raises(InvalidInput, match=r"^path: the folder /proc/fcd-none cannot be created: No such file"):
        shelf.sync("pull", path="/proc/fcd-none")


def test_a_file_in_place_of_the_folder(shelf: Shelf) -> None:
    for mode in ("push", "pull"):
        with pytest.raises(InvalidInput, match="storage_object and storage_object_download"):
            shelf.sync(mode, path=str(shelf.put("a")))


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"mode": "pull", "container": "none"}, CHECK),
        ({"mode": "copy", "source_container": "none"}, CHECK),
        ({"mode": "copy", "source_container": "c", "container": "none"}, "Create it first"),
        ({"mode": "push", "container": "none"}, "Create it first"),
    ],
)
def test_a_container_that_is_missing(shelf: Shelf, given: dict[str, t.Any], advice: str) -> None:
    shelf.store("a")
    shelf.put("a")
    with pytest.raises(InvalidInput, match=f"There is no container 'none'. {advice}"):
        shelf.sync(**given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"mode": "pull", "prefix": "nowhere"}, "prefix: nothing in the container 'c' below 'nowhere/' is selected"),
        (
            {"mode": "pull", "include": ["*.html", "[a"]},
            r"include: .* container 'c' is .* patterns, '\*.html', '\[a'",
        ),
        ({"mode": "push", "include": ["*.html"]}, "include: nothing in the folder /.*/root is selected"),
        (
            {"mode": "copy", "source_container": "c", "source_prefix": "x", "container": "d"},
            "source_prefix: nothing in the container 'c' below 'x/' is selected",
        ),
    ],
)
def test_warns_when_nothing_matches(shelf: Shelf, given: dict[str, t.Any], words: str) -> None:
    shelf.bench.container("d")
    shelf.store("a.txt")
    shelf.put("a.txt")
    result = shelf.sync(**given)
    assert not result["changed"]
    (warning,) = shelf.bench.warnings
    assert re.match(words, warning)


@pytest.mark.parametrize("given", [{"mode": "push"}, {"mode": "pull"}, {"mode": "push", "exclude": ["*"]}])
def test_an_empty_source_that_may_be_meant(shelf: Shelf, given: dict[str, t.Any]) -> None:
    assert not shelf.sync(**given)["changed"]
    assert shelf.bench.warnings == []
