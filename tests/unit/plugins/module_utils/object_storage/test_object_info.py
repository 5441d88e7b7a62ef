# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects read by name and in listings."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, NotFound
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.listing import OBJECT_INFO

from .conftest import LISTING_LIMIT, Bench

NAMES = ["a.txt", "b/1.txt", "b/2.txt", "b/c/3.html", "ż %/?.txt"]


@pytest.fixture
def stocked(filled: Bench) -> Bench:
    for name in NAMES:
        filled.object(name, content=name, metadata={"of": name})
    filled.forget()
    return filled


def info(bench: Bench, **params: t.Any) -> dict[str, t.Any]:
    return bench.run(OBJECT_INFO, **{"container": "c", **params})


def names(found: dict[str, t.Any]) -> list[str]:
    return [record["name"] for record in found["objects"]]


def test_one_by_its_name(stocked: Bench) -> None:
    found = info(stocked, name="b/1.txt")
    assert stocked.seen() == ["HEAD object"]
    assert found == {
        "changed": False,
        "objects": [stocked.object("b/1.txt")["object"]],
        "prefixes": [],
        "next_marker": None,
    }
    assert info(stocked, name="none")["objects"] == []
    assert info(stocked, name="none", container="none")["objects"] == []


def test_all_that_a_listing_tells_is_what_a_single_one_tells(stocked: Bench) -> None:
    listed = info(stocked)
    assert stocked.seen() == ["GET container"] * 2
    assert (names(listed), listed["next_marker"]) == (NAMES, None)
    for record in listed["objects"]:
        single = stocked.object(record["name"])["object"]
        assert set(record) == set(single)
        told = ("container", "name", "etag", "size", "content_type", "last_modified", "large_object")
        assert {name: record[name] for name in told} == {name: single[name] for name in told}
        assert {value for name, value in record.items() if name not in told} == {None}


def test_with_details(stocked: Bench) -> None:
    detailed = info(stocked, details=True)["objects"]
    assert detailed == [stocked.object(name)["object"] for name in NAMES]


def test_large_objects_in_a_listing(stocked: Bench) -> None:
    stocked.raw("PUT", "/c/large?multipart-manifest=put", data=json.dumps([{"path": "/c/b/1.txt"}] * 2))
    (listed,) = info(stocked, prefix="large")["objects"]
    single = stocked.object("large")["object"]
    assert {name: listed[name] for name in ("etag", "size", "large_object")} == {
        name: single[name] for name in ("etag", "size", "large_object")
    }
    assert (listed["large_object"], listed["size"]) == ("static", 14)


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"prefix": "b/"}, ["b/1.txt", "b/2.txt", "b/c/3.html"]),
        ({"glob": ["*.txt"]}, ["a.txt", "b/1.txt", "b/2.txt", "ż %/?.txt"]),
        ({"glob": ["b/*.txt", "*.html"]}, ["b/1.txt", "b/2.txt", "b/c/3.html"]),
        ({"marker": "b/1.txt", "prefix": "b/"}, ["b/2.txt", "b/c/3.html"]),
        ({"prefix": "none"}, []),
    ],
)
def test_some_of_them(stocked: Bench, params: dict[str, t.Any], found: list[str]) -> None:
    assert names(info(stocked, **params)) == found


def test_levels(stocked: Bench) -> None:
    found = info(stocked, delimiter="/")
    assert (names(found), found["prefixes"]) == (["a.txt"], ["b/", "ż %/"])
    below = info(stocked, delimiter="/", prefix="b/")
    assert (names(below), below["prefixes"]) == (["b/1.txt", "b/2.txt"], ["b/c/"])


@pytest.mark.parametrize("more", [{}, {"glob": ["*"]}])
def test_page_by_page(stocked: Bench, more: dict[str, t.Any]) -> None:
    seen: list[str] = []
    marker = None
    for _page in range(3):
        found = info(stocked, limit=2, marker=marker, **more)
        seen += names(found)
        marker = found["next_marker"]
    assert (seen, marker) == (NAMES, None)
    assert info(stocked, limit=len(NAMES), **more)["next_marker"] is None


def test_no_more_is_read_than_is_desired(filled: Bench) -> None:
    for number in range(2 * LISTING_LIMIT):
        filled.raw("PUT", f"/c/{number:02d}")
    filled.forget()
    found = info(filled, limit=3)
    assert (names(found), found["next_marker"]) == (["00", "01", "02"], "02")
    assert filled.seen() == ["GET container"]
    assert len(names(info(filled))) == 2 * LISTING_LIMIT


def test_as_the_service_writes_it(stocked: Bench) -> None:
    assert info(stocked, format="text")["listing"].splitlines() == NAMES
    assert info(stocked, format="text", limit=1, prefix="b")["listing"] == "b/1.txt\n"
    assert "<name>a.txt</name>" in info(stocked, format="xml")["listing"]


def test_a_container_that_is_not_there(bench: Bench) -> None:
    for form in ("json", "text"):
        with pytest.raises(NotFound, match=r"There is no container 'none'\. Check its name"):
            info(bench, container="none", format=form)


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"limit": 0}, "limit: 0; it must be at least 1"),
        ({"format": "xml", "glob": ["*"]}, "so glob does not apply"),
        ({"format": "text", "name": "a"}, "so name does not apply"),
        ({"name": "../a"}, "only a dot or two dots"),
        ({"container": "a/b"}, "cannot be the name of a container"),
    ],
)
def test_impossible_options_are_refused(bench: Bench, params: dict[str, t.Any], text: str) -> None:
    with pytest.raises(InvalidInput, match=text):
        info(bench, **params)
    assert bench.sandbox.counts()["total"] == 0
