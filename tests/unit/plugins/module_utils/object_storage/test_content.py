# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents: texts and files, their MD5, and how much memory a large file costs."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import pathlib
import threading

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.content import (
    READ_BLOCK,
    OpenContent,
    md5s_of_parts,
    text_content,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object_writes import HashingReader
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.source_file import (
    MUCH,
    FileChanged,
    file_content,
)

from .conftest import MAX_MEMORY, python

RSS = (
    MAX_MEMORY
    + """
import sys
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.source_file import file_content
before = most_memory()
content = file_content(sys.argv[1])
etag = content.etag
print(etag, content.size, most_memory() - before)
"""
)


def md5(data: bytes) -> str:
    return hashlib.md5(data).hexdigest()


def test_text() -> None:
    content = text_content("żółw\n")
    data = "żółw\n".encode()
    assert (content.etag, content.size) == (md5(data), len(data))
    assert content.open().read() == content.open().read() == data


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": "ż", "b": [1]}, '{"a": "ż", "b": [1]}'),
        ([1, "x", dt.date(2030, 1, 2)], '[1, "x", "2030-01-02"]'),
        (True, "true"),
        (5, "5"),
        ("", ""),
    ],
)
def test_values_that_are_no_text(value: object, text: str) -> None:
    assert text_content(value).open().read() == text.encode()


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(InvalidInput, match="content: it cannot be written as UTF-8"):
        text_content("caf\udce9")


def test_file(tmp_path: pathlib.Path) -> None:
    data = bytes(range(256)) * 9000  # more than two blocks
    path = tmp_path / "data"
    path.write_bytes(data)
    content = file_content(str(path))
    assert (content.etag, content.size) == (md5(data), len(data))
    first, second = content.open(), content.open(1000, READ_BLOCK + 1)
    assert whole(first) == data
    assert whole(second, 7) == data[1000 : 1000 + READ_BLOCK + 1]
    first.close()
    second.close()


def whole(reading: OpenContent, size: int = -1) -> bytes:
    return b"".join(iter(lambda: reading.read(size), b""))


def test_a_small_file_is_read_once(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"abc")
    content = file_content(str(path))
    path.unlink()
    assert (content.known_etag, content.open(1).read()) == (md5(b"abc"), b"bc")


def test_a_file_without_a_length(tmp_path: pathlib.Path) -> None:
    content = file_content("/proc/self/cmdline")
    assert content.size == len(content.open().read()) > 0


@pytest.mark.parametrize("change", ["touched", "longer", "shorter", "another"])
def test_a_file_that_changes_while_it_is_read(tmp_path: pathlib.Path, change: str) -> None:
    path = tmp_path / "data"
    path.write_bytes(bytes(3 * READ_BLOCK))
    content = file_content(str(path))
    reading = content.open()
    reading.read()
    if change == "touched":
        os.utime(path, (1, 1))
    elif change == "longer":
        path.write_bytes(bytes(4 * READ_BLOCK))
    elif change == "shorter":
        os.truncate(path, READ_BLOCK)
    else:
        path.unlink()
        path.write_bytes(bytes(3 * READ_BLOCK))
        assert len(whole(reading)) == 2 * READ_BLOCK  # what was opened is still the old file
        reading.close()
        with pytest.raises(FileChanged):
            content.open()
        return
    with pytest.raises(FileChanged, match=r"src: .*data changed while it was being read; nothing was stored\. Run"):
        whole(reading)
    reading.close()
    with pytest.raises(FileChanged):
        content.open()


def test_what_is_sent_is_hashed_on_the_way(tmp_path: pathlib.Path) -> None:
    data = os.urandom(MUCH + 5)
    path = tmp_path / "data"
    path.write_bytes(data)
    sending = HashingReader(file_content(str(path)))
    assert sending.etag is None
    threads = threading.active_count()
    for _each in range(2):  # a first try that fails, and another
        broken = sending.open()
        broken.read(10)
        broken.close()
        assert sending.etag is None
        assert threading.active_count() == threads
        again = sending.open()
        assert whole(again, 65536) == data
        again.close()
    assert sending.etag == md5(data)
    part = HashingReader(file_content(str(path)), 3, 9)
    reading = part.open()
    assert whole(reading) == data[3:12]
    reading.close()
    assert part.etag == md5(data[3:12])


def test_parts(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"aaabbbbc")
    assert list(md5s_of_parts(file_content(str(path)), [3, 4, 1])) == [md5(b"aaa"), md5(b"bbbb"), md5(b"c")]


def test_files_that_cannot_be_read(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InvalidInput, match=r"src: .*none cannot be read: No such file or directory\."):
        file_content(str(tmp_path / "none"))
    with pytest.raises(InvalidInput, match="is a folder; an object is created from a single file"):
        file_content(str(tmp_path))
    with pytest.raises(InvalidInput, match="is no ordinary file"):
        file_content("/dev/null")


def test_a_large_file_is_never_held_as_a_whole(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as handle:
        handle.truncate(64 << 20)
    etag, size, grown = python(RSS, str(path)).communicate()[0].split()
    assert (etag, int(size)) == ("7f614da9329cd3aebf59b91aadc30bf0", 64 << 20)
    assert int(grown) < 16 << 10  # KiB
