# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are stored in segments."""

from __future__ import annotations

import json
import os

import pytest

from ..conftest import LISTING_LIMIT
from .conftest import OLD, Shelf, actions

CUT = {"segment_threshold": 4, "segment_size": 3}


def test_in_segments(shelf: Shelf) -> None:
    shelf.write(large="one two", small="one")
    shelf.sync(**CUT)
    assert shelf.bench.raw("GET", "/c/large").text == "one two"
    assert len(shelf.objects("c_segments")) == 3
    assert shelf.bench.head("/c/large")["X-Static-Large-Object"] == "True"
    assert "X-Static-Large-Object" not in shelf.bench.head("/c/small")


@pytest.mark.usefixtures("trusting")
def test_again_costs_only_the_listing(shelf: Shelf) -> None:
    shelf.write(large="one two")
    shelf.sync(**CUT)
    shelf.bench.forget()
    assert not shelf.sync(**CUT)["changed"]
    assert not shelf.sync()["changed"]  # whatever the threshold is now
    assert set(shelf.bench.seen()) == {"GET container"}


@pytest.mark.usefixtures("trusting")
def test_one_that_others_have_made_is_read_once(shelf: Shelf) -> None:
    shelf.bench.container("segments")
    etags = [shelf.bench.raw("PUT", f"/segments/{part}", part).headers["Etag"] for part in ("one", "two")]
    parts = [{"path": f"/segments/{part}", "etag": etag} for part, etag in zip(("one", "two"), etags)]
    shelf.bench.raw("PUT", "/c/large?multipart-manifest=put", json.dumps(parts))
    shelf.write(large="onetwo")
    assert not shelf.sync()["changed"]
    shelf.bench.forget()
    assert not shelf.sync()["changed"]
    assert set(shelf.bench.seen()) == {"GET container"}


def test_without_the_cache_the_segments_are_compared(shelf: Shelf) -> None:
    shelf.write(large="one two")
    shelf.sync(**CUT)
    assert not shelf.sync(checksum_cache=False, **CUT)["changed"]
    shelf.write(large="two one")
    assert actions(shelf.sync(checksum_cache=False, **CUT)) == {"large": "upload"}
    assert shelf.bench.raw("GET", "/c/large").text == "two one"


def test_old_segments_go(shelf: Shelf) -> None:
    shelf.write(large="one two")
    shelf.sync(**CUT)
    old = shelf.objects("c_segments")
    shelf.write(large="two one!")
    os.utime(shelf.root / "large", (OLD + 1, OLD + 1))
    shelf.sync(**CUT)
    new = shelf.objects("c_segments")
    assert len(new) == 3
    assert not set(old) & set(new)
    shelf.write(large="one")
    shelf.sync(**CUT)
    assert shelf.objects("c_segments") == []
    assert shelf.bench.raw("GET", "/c/large").text == "one"


def test_deleted_with_their_segments(shelf: Shelf) -> None:
    shelf.write(large="one two")
    shelf.sync(**CUT)
    (shelf.root / "large").unlink()
    shelf.sync(delete=True, max_delete="1")
    assert shelf.objects() == shelf.objects("c_segments") == []


def test_segments_in_the_same_container_are_never_surplus(shelf: Shelf) -> None:
    shelf.write(large="one two")
    shelf.sync(segment_container="c", **CUT)
    assert len(shelf.objects()) == 4
    shelf.bench.forget()
    result = shelf.sync(segment_container="c", delete=True, max_delete="100%", **CUT)
    assert not result["changed"]
    assert result["counts"]["unchanged"] == 1
    assert shelf.bench.raw("GET", "/c/large").text == "one two"


@pytest.mark.usefixtures("trusting")
def test_a_dynamic_one_is_left_alone(shelf: Shelf) -> None:
    shelf.bench.container("segments")
    shelf.store("a/1", "one", "segments")
    shelf.store("a/2", "two", "segments")
    shelf.store("a", "", X_Object_Manifest="segments/a/")
    shelf.write(a="onetwo")
    assert not shelf.sync()["changed"]
    shelf.bench.forget()
    assert not shelf.sync()["changed"]
    assert "GET object" not in shelf.bench.seen()
    shelf.write(a="twoone")
    assert shelf.sync()["changed"]


def test_one_whose_etag_the_service_does_not_tell_is_compared_too(shelf: Shelf) -> None:
    """It has none where the segments fill a page of the listing; nothing is known of the file before, either."""
    shelf.bench.container("segments")
    for number in range(LISTING_LIMIT):
        shelf.store(f"large/{number}", "a", "segments")
    shelf.store("large", "", X_Object_Manifest="segments/large/")
    shelf.write(large="b" * LISTING_LIMIT)
    assert not shelf.bench.head("/c/large")["Etag"].startswith('"')
    assert actions(shelf.sync()) == {"large": "upload"}
    assert shelf.bench.raw("GET", "/c/large").text == "b" * LISTING_LIMIT


def test_back_again(shelf: Shelf) -> None:
    shelf.write(large="one two")
    shelf.sync(**CUT)
    (shelf.root / "large").unlink()
    shelf.sync("pull")
    assert shelf.files() == {"large": "one two"}
    assert not shelf.sync("pull")["changed"]
    assert not shelf.sync("push", **CUT)["changed"]
