# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""rclone and python-swiftclient read what we have written, and find nothing to do; and the other way round.

Needs ``rclone`` (Debian: rclone); python-swiftclient is installed on first use.
"""

from __future__ import annotations

import random
import typing as t
from pathlib import Path

import peers_at_hand
import pytest
from storage_peers import Storage

if peers_at_hand.no_rclone():
    pytest.skip(f"NOT RUN: {peers_at_hand.no_rclone()}", allow_module_level=True)

from chaos.storage_view import OLD, make_tree, read_tree, write_old
from sandbox.process import SandboxProcess

FILES, SIZE = 12, 3000
SEGMENT, LARGE = 64 * 1024, 5 * 64 * 1024 + 17
NAMES = ("two words/100%", "żółw/łabędź?#&+", "semi;colon,'quotes' (1)")
Tree = t.Dict[str, bytes]


@pytest.fixture
def storage(sandbox: SandboxProcess, tmp_path: Path) -> Storage:
    sandbox.reset()
    found = Storage(sandbox, tmp_path)
    found.ours("storage_container", name="c")
    return found


@pytest.fixture
def tree(storage: Storage) -> Tree:
    """Files in the folder ``tree``."""
    folder = storage.folder / "tree"
    contents = make_tree(folder, FILES, SIZE)
    for name in NAMES:
        contents[name] = name.encode()
        write_old(folder / name, contents[name])
    return contents


@pytest.fixture
def large(storage: Storage) -> bytes:
    """A file ``large`` that takes six segments."""
    content = random.Random(7).randbytes(LARGE)
    write_old(storage.folder / "large", content)
    return content


def in_segments(storage: Storage, **more: t.Any) -> dict[str, t.Any]:
    """Send the file in segments by our means."""
    options = {"container": "c", "name": "large", "src": str(storage.folder / "large"), "segment_threshold": SEGMENT}
    return storage.ours("storage_object", **options, segment_size=SEGMENT, **more).result


# Theirs of ours


def test_rclone_reads_ours(storage: Storage, tree: Tree) -> None:
    storage.sync("push", storage.folder / "tree", "c", preserve_mtime=True)
    storage.rclone("check", "--download", "tree", "box:c")
    storage.rclone("check", "tree", "box:c")  # by what the service says of checksums
    times = {entry["Path"]: entry["ModTime"] for entry in storage.rclone_json("lsjson", "-R", "--files-only", "box:c")}
    assert set(times) == set(tree)
    assert {moment[:19] for moment in times.values()} == {"2020-09-13T12:26:40"}
    assert OLD == 1_600_000_000
    storage.rclone("copy", "box:c", "back")
    assert read_tree(storage.folder / "back") == tree


def test_rclone_has_nothing_to_do_after_ours(storage: Storage, tree: Tree) -> None:
    """By size, time of modification and name: not even a HEAD makes it send something."""
    storage.sync("push", storage.folder / "tree", "c", preserve_mtime=True)
    storage.sandbox.clear_requests()
    storage.rclone("sync", "tree", "box:c")
    assert {one.split()[0] for one in storage.seen()} <= {"GET", "HEAD"}


def test_swift_reads_ours(storage: Storage, tree: Tree) -> None:
    storage.sync("push", storage.folder / "tree", "c", preserve_mtime=True)
    assert set(storage.swift("list", "c").splitlines()) == set(tree)
    storage.swift("download", "--output-dir", "back", "c")
    assert read_tree(storage.folder / "back") == tree
    assert {int(path.stat().st_mtime) for path in (storage.folder / "back").rglob("*") if path.is_file()} == {OLD}


def test_swift_has_nothing_to_do_after_ours(storage: Storage, tree: Tree) -> None:
    """It compares the text of the time of modification."""
    storage.sync("push", storage.folder / "tree", "c", preserve_mtime=True)
    storage.sandbox.clear_requests()
    storage.swift("upload", "--changed", "c", ".", place=storage.folder / "tree")
    assert "PUT object" not in storage.seen()


def test_swift_reads_our_metadata(storage: Storage) -> None:
    storage.ours(
        "storage_object",
        container="c",
        name="o",
        content="x",
        content_type="text/x-odd",
        metadata={"Made-By": "us", "place": "Łódź"},
        content_disposition="attachment",
    )
    said = storage.swift("stat", "c", "o")
    for desired in (
        "Meta Made-By: us",
        "Meta Place: Łódź",
        "Content Type: text/x-odd",
        "Content-Disposition: attachment",
    ):
        assert desired in said


def test_both_read_our_segments(storage: Storage, large: bytes) -> None:
    assert in_segments(storage)["changed"] is True
    storage.rclone("copyto", "box:c/large", "by-rclone")
    storage.swift("download", "c", "large", "--output", "by-swift")
    assert (storage.folder / "by-rclone").read_bytes() == large
    assert (storage.folder / "by-swift").read_bytes() == large
    storage.sandbox.clear_requests()
    storage.swift("upload", "--skip-identical", "--segment-size", str(SEGMENT), "--use-slo", "c", "large")
    assert "PUT object" not in storage.seen(), "it does not know its own kind of segments"


def test_both_remove_our_segments(storage: Storage, large: bytes) -> None:
    for remove in (("swift", "delete", "c", "large"), ("rclone", "deletefile", "box:c/large")):
        in_segments(storage)
        getattr(storage, remove[0])(*remove[1:])
        state = storage.sandbox.state()["storage"]["containers"]
        assert state["c"]["objects"] == {}
        assert state["c_segments"]["objects"] == {}, remove[0]


# Ours of theirs


def theirs(storage: Storage, client: str) -> None:
    """Send the tree by a peer."""
    if client == "rclone":
        storage.rclone("sync", "tree", "box:c")
    else:
        storage.swift("upload", "c", ".", place=storage.folder / "tree")


@pytest.mark.parametrize("client", ["rclone", "swift"])
def test_we_have_nothing_to_do_after_theirs(storage: Storage, tree: Tree, client: str) -> None:
    theirs(storage, client)
    storage.sandbox.clear_requests()
    assert storage.sync("push", storage.folder / "tree", "c")["changed"] is False
    assert [one for one in storage.seen() if one not in ("GET auth", "GET info")] == ["GET container"]


@pytest.mark.parametrize("client", ["rclone", "swift"])
def test_we_read_theirs(storage: Storage, tree: Tree, client: str) -> None:
    theirs(storage, client)
    (storage.folder / "back").mkdir()
    assert storage.sync("pull", storage.folder / "back", "c")["changed"] is True
    assert read_tree(storage.folder / "back") == tree
    assert storage.sync("pull", storage.folder / "back", "c")["changed"] is False


LARGE_WAYS = {
    "swift, static": ("swift", "upload", "--segment-size", str(SEGMENT), "--use-slo", "c", "large"),
    "swift, dynamic": ("swift", "upload", "--segment-size", str(SEGMENT), "--use-dlo", "c", "large"),
    "rclone": ("rclone", "copyto", "--swift-chunk-size", "64Ki", "large", "box:c/large"),
}


@pytest.mark.parametrize("way", LARGE_WAYS.values(), ids=LARGE_WAYS)
def test_their_segments(storage: Storage, large: bytes, way: tuple[str, ...]) -> None:
    """Compared, received and removed with their segments by ours."""
    getattr(storage, way[0])(*way[1:])
    segments = [name for name in storage.sandbox.state()["storage"]["containers"] if name != "c"]
    assert len(segments) == 1, "the peer has made no segments"
    options = {"container": "c", "name": "large"}
    folder = storage.folder / "only"
    write_old(folder / "large", large)
    assert storage.sync("push", folder, "c")["changed"] is False
    assert storage.ours("storage_object", **options, src=str(folder / "large")).result["changed"] is False
    (storage.folder / "back").mkdir()
    storage.sync("pull", storage.folder / "back", "c")
    assert read_tree(storage.folder / "back") == {"large": large}
    assert storage.sync("pull", storage.folder / "back", "c")["changed"] is False
    dest = storage.folder / "alone"
    assert storage.ours("storage_object_download", **options, dest=str(dest)).result["changed"] is True
    assert dest.read_bytes() == large
    assert storage.ours("storage_object_download", **options, dest=str(dest)).result["changed"] is False
