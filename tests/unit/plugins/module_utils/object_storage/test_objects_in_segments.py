# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""storage_object with contents above the threshold: stored in segments, left alone, replaced, removed."""

from __future__ import annotations

import os
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import connection as storage_connection
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.features import Features
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.segments import size_of_segments

from .conftest import Bench

MIB = 1 << 20
CUT = {"segment_threshold": MIB, "segment_size": MIB}
GIB = 1 << 30
SWIFT = {"swift": {"max_file_size": 5 * GIB}, "slo": {"max_manifest_segments": 100, "min_segment_size": 10}}


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    file = tmp_path / "data"
    file.write_bytes(os.urandom(2 * MIB + 5))
    return file


def listed(bench: Bench, container: str = "c_segments") -> list[str]:
    return bench.raw("GET", f"/{container}").text.split()


def test_stored_and_left_alone(filled: Bench, path: pathlib.Path) -> None:
    desired: dict[str, t.Any] = {"src": str(path), "metadata": {"a": "1"}, "content_type": "text/x", **CUT}
    foreseen = filled.object(check_mode=True, **desired)
    assert filled.sandbox.counts()["writes"] == 0
    done = filled.object(**desired)
    record = done["object"]
    assert {**foreseen["object"], "last_modified": record["last_modified"]} == record == done["diff"]["after"]
    assert (record["large_object"], record["size"], record["metadata"]) == ("static", 2 * MIB + 5, {"a": "1"})
    assert filled.raw("GET", "/c/o").content == path.read_bytes()
    filled.forget()
    assert filled.object(**desired)["changed"] is False
    assert filled.seen() == ["HEAD object"]
    del desired["segment_size"], desired["segment_threshold"]
    filled.forget()
    assert filled.object(**desired)["changed"] is False
    assert filled.seen() == ["HEAD object", "GET object"]  # the list of the segments, whose sizes are others


def test_new_content_leaves_no_old_segments(filled: Bench, path: pathlib.Path) -> None:
    filled.object(src=str(path), **CUT)
    old = listed(filled)
    path.write_bytes(os.urandom(MIB + 1))
    done = filled.object(src=str(path), segment_container="other", **CUT)
    assert (done["action"], len(old), listed(filled), len(listed(filled, "other"))) == ("update", 3, [], 2)
    small = filled.object(content="small", **CUT)
    assert (small["diff"]["before"]["large_object"], small["object"]["large_object"]) == ("static", None)
    assert (listed(filled, "other"), filled.warnings) == ([], [])
    assert filled.raw("GET", "/c/o").text == "small"


def test_a_plain_one_becomes_large_and_goes(filled: Bench, path: pathlib.Path) -> None:
    filled.object(content="small", metadata={"a": "1"})
    done = filled.object(src=str(path), **CUT)["object"]
    assert (done["large_object"], done["metadata"]) == ("static", {"a": "1"})
    assert filled.object(state="absent")["changed"] is True
    assert listed(filled) == []


def test_without_overwriting(filled: Bench, path: pathlib.Path) -> None:
    assert filled.object(src=str(path), overwrite=False, **CUT)["changed"] is True
    path.write_bytes(os.urandom(2 * MIB))
    assert filled.object(src=str(path), overwrite=False, **CUT)["changed"] is False
    assert len(listed(filled)) == 3


def test_what_is_above_the_limit_of_the_service(
    filled: Bench, path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"swift": {"max_file_size": MIB + 3}, "slo": {}}
    monkeypatch.setattr(storage_connection, "service_features", lambda _task: told)
    assert filled.object(src=str(path))["object"]["large_object"] == "static"
    assert [name[-8:] for name in listed(filled)] == ["00000001", "00000002"]


def test_segments_that_cannot_be_listed_stay_and_are_told(filled: Bench, path: pathlib.Path) -> None:
    filled.object(src=str(path), **CUT)
    filled.sandbox.fault("status_before", service="storage", method="GET", path="/c/o", status=403, times=1)
    filled.object(content="small")
    assert len(listed(filled)) == 3
    assert "c/o was a large object; its segments could not be read and are kept" in filled.warnings[-1]


def segment_options(threshold: int | None, size: int | None) -> dict[str, int | None]:
    return {"segment_threshold": threshold, "segment_size": size}


SIZES: list[tuple[t.Any, ...]] = [
    (SWIFT, (None, None), 5 * GIB, None),
    (SWIFT, (None, None), 5 * GIB + 1, GIB),
    (SWIFT, (None, None), 101 * GIB, 2 * GIB),
    (SWIFT, (100, None), 101, GIB),
    (SWIFT, (100, 10), 101, 10),
    (SWIFT, (100, 10), 100, None),
    ({}, (None, None), 5 * GIB + 2, None),
    ({}, (None, None), 5 * GIB + 3, GIB),
    ({"swift": {"max_file_size": 2 * MIB}, "slo": {}}, (None, None), 5 * MIB, 2 * MIB),
]


def test_sizes() -> None:
    for told, options, size, each in SIZES:
        assert size_of_segments(Features(lambda: told), segment_options(*options), size) == each


IMPOSSIBLE: list[tuple[t.Any, ...]] = [
    (
        {"swift": {"max_file_size": 2 * MIB}},
        (None, None),
        3 * MIB,
        "3145728 bytes are too many; the service allows",
    ),
    ({"swift": {}}, (100, None), 101, "segment_threshold: this object storage does not offer it"),
    (SWIFT, (100, 9), 101, "segment_size: the service takes segments of 10 to 5368709120 bytes, not of 9"),
    (SWIFT, (100, 6 * GIB), 101, "not of 6442450944"),
    (SWIFT, (100, 10), 1001, "more than the 100 that an object can have"),
]


def test_sizes_that_cannot_be() -> None:
    for told, options, size, text in IMPOSSIBLE:
        with pytest.raises(InvalidInput, match=text):
            size_of_segments(Features(lambda: told), segment_options(*options), size)


@pytest.mark.parametrize("option", ["segment_size", "segment_threshold"])
def test_sizes_of_nothing(bench: Bench, option: str) -> None:
    with pytest.raises(InvalidInput, match=f"{option}: 0; it must be at least 1"):
        bench.object(content="x", **{option: 0})
    assert bench.sandbox.counts()["total"] == 0
