# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects and files with names that mean something else to addresses, headers, folders or terminals."""

from __future__ import annotations

import typing as t
from pathlib import Path
from urllib.parse import quote

import pytest

from chaos.storage_view import View, listed, read_tree, write_old
from chaos.workplace import Workplace

pytestmark = pytest.mark.full

CONTAINER = "crates & żółw?#%2F"
NAMES = (
    *("two  blanks", " blank first", "blank last ", "100%", "%41", "%2e%2e", "a?b=c&d", "a#b", "semi;colon", "plus+"),
    *("żółw/łabędź", "e\u0301 apart", "emoji \U0001f600", "line\nbreak", "tab\there", "cr\rlf", "\u202egnp.exe"),
    *(
        "back\\slash",
        'quo"te',
        "apo'strophe",
        "{{ 7 * 7 }}",
        "$HOME",
        "`id`",
        "-rf",
        "~root",
        "a,b",
        "<x>",
        "..a",
        "a..",
    ),
    "/".join(["n" * 200] * 5) + "/" + "n" * 19,
)
OUTSIDE = ("../evil", "a/../../evil", "..", ".", "a/./evil", "a//evil", "folder/", "//", "nul\0")


class Crates:
    """A container of an odd name and a folder."""

    def __init__(self, place: Workplace, folder: Path) -> None:
        """Make them."""
        place.run("storage_container", {"name": CONTAINER}).succeeded()
        self.place = place
        self.view = View(place.sandbox)
        self.top = folder / "top"
        self.folder = self.top / "one" / "two"
        self.folder.mkdir(parents=True)

    def sync(self, mode: str, **more: t.Any) -> t.Any:
        """Run the task."""
        return self.place.run("storage_sync", {"mode": mode, "path": str(self.folder), "container": CONTAINER, **more})

    def put(self, name: str, content: bytes) -> int:
        """Make an object past the collection; returns the status."""
        return self.view.ask("PUT", f"/{quote(CONTAINER, safe='')}/{quote(name)}", content)[0]


@pytest.fixture
def crates(place: Workplace, tmp_path: Path) -> Crates:
    return Crates(place, tmp_path)


def test_there_and_back(crates: Crates) -> None:
    contents = {name: name.encode() for name in NAMES}
    assert max(len(name.encode()) for name in NAMES) == 1024
    for name, content in contents.items():
        write_old(crates.folder / name, content)
    assert crates.sync("push").succeeded()["changed"] is True
    assert crates.view.listing(CONTAINER) == listed(contents)
    assert crates.sync("push").succeeded()["changed"] is False
    assert crates.sync("pull").succeeded()["changed"] is False, "they are there already"
    crates.folder = crates.folder.with_name("other")
    crates.folder.mkdir()
    assert crates.sync("pull").succeeded()["changed"] is True
    assert read_tree(crates.folder) == contents
    assert crates.sync("pull").succeeded()["changed"] is False


def test_difficult_names_of_single_objects(crates: Crates) -> None:
    """The same names with the modules for one object."""
    for name in NAMES[::3]:
        options = {"container": CONTAINER, "name": name, "content": name}
        assert crates.place.run("storage_object", options).succeeded()["changed"] is True
        assert crates.place.run("storage_object", options).succeeded()["changed"] is False
        assert crates.view.content(CONTAINER, name) == name.encode()
        dest = crates.top / "received"
        got = crates.place.run("storage_object_download", {"container": CONTAINER, "name": name, "dest": str(dest)})
        assert got.succeeded()["changed"] is True
        assert dest.read_bytes() == name.encode()
        assert crates.place.run("storage_object", {**options, "content": None, "state": "absent"}).succeeded()[
            "changed"
        ]
        assert crates.view.content(CONTAINER, name) is None


def test_nothing_outside_the_folder(crates: Crates) -> None:
    """Names that lead elsewhere or cannot be names of files: each is told, nothing is written for it, the rest is."""
    names = [*OUTSIDE, f"{crates.top}/evil", f"/{crates.top}/evil", f"{crates.top}/folder/"]
    made = [name for name in names if crates.put(name, b"evil") == 201]
    assert len(made) >= len(names) - 1, "the service itself refuses them"
    crates.put("good", b"good")
    ended = crates.sync("pull")
    assert read_tree(crates.top) == {"one/two/good": b"good"}
    told = [*ended.warnings, ended.message, str(ended.result)]
    for name in made:
        assert any(repr(name) in text or name in text for text in told), f"nothing is said of {name!r}"


def test_through_a_link(crates: Crates) -> None:
    """A link in the target that leads elsewhere is no way out of it."""
    elsewhere = crates.top / "elsewhere"
    elsewhere.mkdir()
    (crates.folder / "link").symlink_to(elsewhere)
    (crates.folder / "file").symlink_to(elsewhere / "file")
    crates.put("link/evil", b"evil")
    crates.put("file", b"content")
    crates.put("good", b"good")
    crates.sync("pull")
    assert list(elsewhere.iterdir()) == []
    assert (crates.folder / "good").read_bytes() == b"good"


def test_a_name_that_is_a_file_and_a_folder(crates: Crates) -> None:
    """Only one of the two can be: the other is told, and the rest is received."""
    for name in ("a", "a/b", "good"):
        crates.put(name, name.encode())
    ended = crates.sync("pull")
    assert ended.failed
    assert (crates.folder / "good").read_bytes() == b"good"
    found = read_tree(crates.folder)
    assert found in ({"a": b"a", "good": b"good"}, {"a/b": b"a/b", "good": b"good"})
