# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From one container to another."""

from __future__ import annotations

import json

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput

from .conftest import Shelf, actions


@pytest.fixture
def pair(shelf: Shelf) -> Shelf:
    """A second container ``from``."""
    shelf.bench.container("from")
    shelf.bench.forget()
    return shelf


def test_all_below_a_prefix(pair: Shelf) -> None:
    for name in ("a", "site/b c", "site/d/e"):
        pair.store(name, name, "from", X_Object_Meta_Kept="yes", Content_Type="text/odd")
    result = pair.sync("copy", source_container="from", source_prefix="site", prefix="copy")
    assert pair.objects() == ["copy/b c", "copy/d/e"]
    assert actions(result) == {"b c": "copy", "d/e": "copy"}
    assert result["bytes"] == 16
    head = pair.bench.head("/c/copy/b%20c")
    assert (head["Content-Type"], head["X-Object-Meta-Kept"]) == ("text/odd", "yes")


def test_again_costs_only_the_listings(pair: Shelf) -> None:
    for number in range(3):
        pair.store(f"f{number}", str(number), "from")
    pair.bench.forget()
    pair.sync("copy", source_container="from")
    assert sorted(pair.bench.seen()) == ["COPY object"] * 3 + ["GET container"] * 3 + ["HEAD object"] * 3
    pair.bench.forget()
    assert not pair.sync("copy", source_container="from")["changed"]
    assert (
        pair.bench.seen() == ["GET container"] * 3
    )  # the page and the empty one of the source, the page of the target


def test_what_differs_and_what_is_surplus(pair: Shelf) -> None:
    for name in ("same", "content", "size", "new", "x"):
        pair.store(name, "one", "from")
    for name, content in {"same": "one", "content": "two", "size": "three", "surplus": "x", "x": "one"}.items():
        pair.store(name, content)
    foreseen = pair.sync("copy", source_container="from", delete=True, check_mode=True)
    result = pair.sync("copy", source_container="from", delete=True)
    desired = {"content": "copy", "size": "copy", "new": "copy", "surplus": "delete"}
    assert actions(foreseen) == actions(result) == desired
    assert pair.objects() == ["content", "new", "same", "size", "x"]


def test_headers_are_laid_over_those_of_the_source(pair: Shelf) -> None:
    pair.store("a.html", "x", "from", X_Object_Meta_Kept="yes", Content_Type="text/odd")
    rules = [{"match": "*.html", "content_type": "text/html"}]
    pair.sync("copy", source_container="from", headers=rules)
    head = pair.bench.head("/c/a.html")
    assert (head["Content-Type"], head["X-Object-Meta-Kept"]) == ("text/html", "yes")
    assert not pair.sync("copy", source_container="from", headers=rules)["changed"]


def test_large_objects_are_copied_with_their_segments(pair: Shelf) -> None:
    pair.put("large", "one two")
    pair.sync(container="from", segment_threshold=4, segment_size=3)
    pair.store("dynamic/1", "one", "from_segments")
    pair.store("dynamic/2", "two", "from_segments")
    pair.store("dynamic", "", "from", X_Object_Manifest="from_segments/dynamic/")
    pair.store("empty", "", "from")
    assert pair.sync("copy", source_container="from")["counts"]["copied"] == 3
    assert not pair.sync("copy", source_container="from")["changed"]
    for name in pair.objects("from_segments"):
        pair.bench.raw("DELETE", f"/from_segments/{name}")
    assert pair.bench.raw("GET", "/c/large").text == "one two"
    assert pair.bench.raw("GET", "/c/dynamic").text == "onetwo"


@pytest.mark.parametrize(("source_prefix", "prefix"), [("", "b"), ("b", ""), ("b", "b"), ("b", "b/c"), ("", "")])
def test_one_in_the_other_is_refused(pair: Shelf, source_prefix: str, prefix: str) -> None:
    with pytest.raises(InvalidInput, match="overlap, so the copies would be copied again"):
        pair.sync("copy", source_container="c", source_prefix=source_prefix, prefix=prefix)


def test_side_by_side_is_fine(pair: Shelf) -> None:
    pair.store("a/x")
    pair.sync("copy", source_container="c", source_prefix="a", prefix="ab")
    assert pair.objects() == ["a/x", "ab/x"]


def test_one_fails_and_the_rest_goes_on(pair: Shelf) -> None:
    for name in ("a", "b/../c", "d"):
        pair.store(name, "x", "from")
    result = pair.sync("copy", source_container="from")
    assert [failure["name"] for failure in result["failures"]] == ["b/../c"]
    assert pair.objects() == ["a", "d"]


def test_what_cannot_be_copied_is_told_by_the_right_option(pair: Shelf) -> None:
    pair.store("s", "abcdef")
    pair.bench.raw("PUT", "/from/a?multipart-manifest=put", json.dumps([{"path": "/c/s", "range": "1-2"}]))
    (failure,) = pair.sync("copy", source_container="from")["failures"]
    assert failure["msg"].startswith("source_container: from/a consists of parts of objects")


def test_a_source_that_is_missing(pair: Shelf) -> None:
    with pytest.raises(InvalidInput, match="There is no container 'none'"):
        pair.sync("copy", source_container="none")
