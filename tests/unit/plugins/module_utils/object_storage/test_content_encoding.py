# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Content-Encoding is a property that the owner chooses: it says nothing about answers that describe the object."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unclear, Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import segments
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import object_storage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.download import OPERATION as DOWNLOAD

from .conftest import Bench

IN_SEGMENTS = {"segment_threshold": 10, "segment_size": 10}


@pytest.mark.parametrize(
    ("encoding", "cut"),
    [("gzip", {}), ("br", IN_SEGMENTS), pytest.param("gzip, zstd", IN_SEGMENTS, marks=pytest.mark.full)],
)
def test_an_object_can_be_used_whatever_it_says(filled: Bench, encoding: str, cut: dict[str, int]) -> None:
    desired = {"content": "x" * 30, "content_encoding": encoding, **cut}
    dest = filled.folder / "dest"
    assert filled.object(**desired)["object"]["content_encoding"] == encoding
    assert not filled.object(**desired)["changed"]
    for changed in (True, False):
        assert filled.run(DOWNLOAD, container="c", name="o", dest=str(dest))["changed"] is changed
    assert dest.read_text() == "x" * 30
    assert filled.object("copy", copy_from="c/o")["object"]["content_encoding"] == encoding
    assert filled.object(content="y" * 30, **cut)["object"]["content_encoding"] == encoding
    filled.object(state="absent")
    assert filled.warnings == []
    if cut:
        assert not [name for name in filled.raw("GET", "/c_segments").text.split() if name.startswith("o/")]


class TestManifests:
    @pytest.fixture
    def large(self, filled: Bench) -> Bench:
        filled.object(content="x" * 30, **IN_SEGMENTS)
        return filled

    def test_one_that_is_cut_off_is_read_again(self, large: Bench) -> None:
        large.sandbox.fault("cut", method="GET", path="/c/o")
        found = segments.read_manifest(object_storage(large.task()), "c", "o")
        assert [segment["bytes"] for segment in found] == [10, 10, 10]

    def test_one_that_is_always_cut_off(self, large: Bench) -> None:
        large.sandbox.fault("cut", method="GET", path="/c/o", times=0)
        with pytest.raises(Unclear, match="cut off"):
            segments.read_manifest(object_storage(large.task()), "c", "o")

    def test_an_object_that_is_another_by_now(self, large: Bench) -> None:
        large.raw("PUT", "/c/o", '[{"a": 1}]')
        with pytest.raises(Unusable, match="is no manifest; c/o may be another by now"):
            segments.read_manifest(object_storage(large.task()), "c", "o")
