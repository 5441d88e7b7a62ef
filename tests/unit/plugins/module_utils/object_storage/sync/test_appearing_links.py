# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Links that take the place of files and folders after the folder was read."""

from __future__ import annotations

import os
import pathlib
import threading
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import segments, source_file, sync_mode

from .conftest import OLD, Shelf, actions

NAME, INSIDE, OUTSIDE = "d/e/f", "inside", "secret"
PLACES = ["d", "d/e", "d/e/f"]


@pytest.fixture
def outside(shelf: Shelf) -> pathlib.Path:
    """A folder with the same names as the one that is synced."""
    shelf.put(NAME, INSIDE)
    file = shelf.bench.folder / "outside" / NAME
    file.parent.mkdir(parents=True)
    file.write_text(OUTSIDE)
    os.utime(file, (OLD, OLD))
    return shelf.bench.folder / "outside"


def replace_by_link(shelf: Shelf, outside: pathlib.Path, place: str) -> None:
    (shelf.root / place).rename(shelf.bench.folder / "moved")
    (shelf.root / place).symlink_to(outside / place)


def before_the_transfer(monkeypatch: pytest.MonkeyPatch, act: t.Callable[[], object]) -> None:
    """Have it happen after the comparison of the two sides, once."""
    really = sync_mode.WorkQueue.__init__
    acts = iter([act])

    def begin(self: sync_mode.WorkQueue, *work: t.Any) -> None:
        for one in acts:
            one()
        really(self, *work)

    monkeypatch.setattr(sync_mode.WorkQueue, "__init__", begin)


def before_the_segments(monkeypatch: pytest.MonkeyPatch, act: t.Callable[[], object]) -> None:
    """Have it happen when the file is known, and is opened again for each of its segments."""
    really, acts, one_at_a_time = segments.send_part, iter([act]), threading.Lock()

    def send_part(*args: t.Any) -> t.Any:
        with one_at_a_time:
            for one in acts:
                one()
        return really(*args)

    monkeypatch.setattr(source_file, "MAX_BUFFERED_BYTES", 1)
    monkeypatch.setattr(segments, "send_part", send_part)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("mode", "stored", "moment", "more"),
    [
        ("push", None, before_the_transfer, {"symlinks": "skip"}),
        ("push", None, before_the_transfer, {"symlinks": "refuse"}),
        ("push", OUTSIDE, before_the_transfer, {"symlinks": "skip"}),
        ("push", "other!", before_the_transfer, {"symlinks": "skip"}),
        ("push", None, before_the_segments, {"symlinks": "refuse", "segment_threshold": 4, "segment_size": 3}),
        ("pull", OUTSIDE, before_the_transfer, {}),
    ],
)
def test_only_what_is_in_the_folder_is_read(
    shelf: Shelf,
    outside: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    mode: str,
    stored: str | None,
    moment: t.Callable[..., None],
    more: dict[str, t.Any],
) -> None:
    if stored is not None:
        shelf.store(NAME, stored)
    moment(monkeypatch, lambda: replace_by_link(shelf, outside, place))
    result = shelf.sync(mode, **more)
    assert result["counts"]["unchanged"] == result["counts"]["uploaded"] == 0
    assert "is a symbolic link, which is not followed" in result["msg"]
    assert (shelf.root / place).is_symlink()
    assert shelf.objects() == ([] if stored is None else [NAME])
    assert (outside / NAME).read_text() == OUTSIDE


def test_a_link_is_followed_where_links_are(
    shelf: Shelf, outside: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_the_transfer(monkeypatch, lambda: replace_by_link(shelf, outside, "d"))
    assert actions(shelf.sync()) == {NAME: "upload"}
    assert shelf.bench.raw("GET", f"/c/{NAME}").text == OUTSIDE


def test_another_file_in_its_place_is_sent(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.put("a", "old")
    before_the_transfer(monkeypatch, lambda: shelf.put("b", "new one").rename(shelf.root / "a"))
    assert actions(shelf.sync(symlinks="refuse")) == {"a": "upload"}
    assert shelf.bench.raw("GET", "/c/a").text == "new one"


def test_after_something_was_stored_it_says_so(
    shelf: Shelf, outside: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = segments.upload

    def upload(*args: t.Any) -> str:
        etag = really(*args)
        replace_by_link(shelf, outside, NAME)
        return etag

    monkeypatch.setattr(segments, "upload", upload)
    result = shelf.sync(symlinks="skip")
    assert "is a symbolic link" in result["msg"]
    assert result["changed"]
    assert shelf.bench.raw("GET", f"/c/{NAME}").text == INSIDE


@pytest.mark.usefixtures("trusting")
def test_what_was_read_elsewhere_is_not_remembered(
    shelf: Shelf, outside: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: dict[str, t.Any] = {"segment_threshold": 4, "segment_size": 3}
    (shelf.root / NAME).write_text(OUTSIDE)
    shelf.sync(**cut)
    shelf.put(NAME, INSIDE)
    really = sync_mode.file_content

    def file_content(*args: t.Any) -> t.Any:
        replace_by_link(shelf, outside, "d")
        try:
            return really(*args)
        finally:
            (shelf.root / "d").unlink()
            (shelf.bench.folder / "moved").rename(shelf.root / "d")

    monkeypatch.setattr(sync_mode, "file_content", file_content)
    assert not shelf.sync(**cut)["changed"]
    monkeypatch.undo()
    assert actions(shelf.sync(**cut)) == {NAME: "upload"}
