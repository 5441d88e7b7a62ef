# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Large objects: compared as they are, never broken by a change of metadata, deleted with their segments."""

from __future__ import annotations

import json

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Forbidden, ServiceError
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import deletion, segments

from .conftest import LISTING_LIMIT, Bench

PARTS = ["first-", "second-", "third"]
WHOLE = "".join(PARTS)


@pytest.fixture
def static(filled: Bench) -> Bench:
    """A static large object ``c/o`` of three segments in the container ``seg``."""
    filled.container("seg")
    for number, part in enumerate(PARTS):
        filled.raw("PUT", f"/seg/p{number}", data=part.encode())
    make_static(filled, [{"path": f"/seg/p{number}"} for number in range(3)])
    filled.forget()
    return filled


def make_static(bench: Bench, manifest: list[dict[str, str]], name: str = "o") -> None:
    data = json.dumps(manifest)
    assert bench.raw("PUT", f"/c/{name}?multipart-manifest=put", data=data).status_code == 201


@pytest.fixture
def dynamic(filled: Bench) -> Bench:
    """A dynamic large object ``c/o`` of more segments than a page of a listing has."""
    filled.container("seg")
    for number in range(LISTING_LIMIT + 2):
        filled.raw("PUT", f"/seg/a%20ż/{number}", data=str(number).encode())
    filled.raw("PUT", "/c/o", data=b"", X_Object_Manifest="seg/a%20%C5%BC/")
    filled.forget()
    return filled


def test_a_static_one_with_the_same_content_stays(static: Bench) -> None:
    done = static.object(content=WHOLE)
    assert (done["changed"], done["object"]["large_object"], done["object"]["size"]) == (False, "static", len(WHOLE))
    assert '"' not in done["object"]["etag"]
    assert static.seen() == ["HEAD object", "GET object"]


def test_metadata_of_a_static_one(static: Bench) -> None:
    done = static.object(content=WHOLE, metadata={"a": "1"}, content_type="text/x")["object"]
    assert (done["metadata"], done["content_type"], done["large_object"]) == ({"a": "1"}, "text/x", "static")
    assert static.raw("GET", "/c/o").text == WHOLE


@pytest.mark.parametrize("content", ["short", WHOLE.upper()])
def test_a_static_one_with_other_content_is_replaced(static: Bench, content: str) -> None:
    assert static.object(content=content, check_mode=True)["changed"] is True
    assert static.warnings == []
    done = static.object(content=content)
    assert (done["action"], done["object"]["large_object"]) == ("update", None)
    assert static.raw("GET", "/c/o").text == content
    assert "was a large object (static); segments that are not named after it are kept" in static.warnings[-1]
    assert static.head("/seg/p0") is not None


def test_ranges_and_segments_of_segments_cannot_be_compared(static: Bench) -> None:
    make_static(static, [{"path": "/seg/p0", "range": "0-2"}, {"path": "/seg/p1"}], "ranged")
    assert static.object("ranged", content="firsecond-", check_mode=True)["changed"] is True
    make_static(static, [{"path": "/c/o"}, {"path": "/seg/p1"}], "nested")
    assert static.object("nested", content=WHOLE + "second-", check_mode=True)["changed"] is True


def test_segments_that_may_not_be_read(static: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: str) -> None:
        raise Forbidden("Read manifest: HTTP 403")

    monkeypatch.setattr(segments, "read_manifest", refuse)
    assert static.object(content=WHOLE, check_mode=True)["changed"] is True


def test_a_static_one_goes_with_its_segments(static: Bench) -> None:
    assert static.object(state="absent", check_mode=True)["changed"] is True
    assert static.sandbox.counts()["writes"] == 0
    assert static.object(state="absent")["changed"] is True
    assert static.object(state="absent")["changed"] is False
    assert static.raw("GET", "/seg?format=json").json() == []


def test_a_static_one_that_has_just_gone(static: Bench) -> None:
    static.sandbox.fault("drop_after", service="storage", method="DELETE")
    assert static.object(state="absent")["changed"] is True
    assert static.seen().count("DELETE object") == 2
    assert static.head("/c/o") is None


def test_segments_that_cannot_be_deleted(static: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    report = {"Response Status": "400 Bad Request", "Errors": [["/seg/p0", "403 Forbidden"]]}
    monkeypatch.setattr(deletion, "delete_large_object", lambda *_args: report)
    with pytest.raises(ServiceError, match=r"Deleting c/o: .*\(/seg/p0: 403 Forbidden\)"):
        static.object(state="absent")
    monkeypatch.setattr(deletion, "delete_large_object", lambda *_args: static.raw("DELETE", "/c/o") and None)
    assert static.object(state="absent")["changed"] is True


def test_a_dynamic_one_with_the_same_content_stays(dynamic: Bench) -> None:
    whole = "".join(str(number) for number in range(LISTING_LIMIT + 2))
    done = dynamic.object(content=whole)
    assert (done["changed"], done["object"]["large_object"]) == (False, "dynamic")
    assert dynamic.seen() == ["HEAD object", "GET container", "GET container", "GET container"]


def test_a_dynamic_one_of_many_segments_is_not_taken_for_empty(dynamic: Bench) -> None:
    assert dynamic.object(content="", check_mode=True)["changed"] is True


def test_a_copy_replaces_a_large_one(dynamic: Bench) -> None:
    dynamic.object("plain", content="")
    assert dynamic.object(copy_from="c/plain")["object"]["large_object"] is None
    assert "(dynamic); segments that are not named after it are kept" in dynamic.warnings[-1]


def test_a_change_of_metadata_does_not_break_a_dynamic_one(dynamic: Bench) -> None:
    whole = dynamic.raw("GET", "/c/o").text
    done = dynamic.object(metadata={"a": "1"})["object"]
    assert (done["metadata"], done["large_object"]) == ({"a": "1"}, "dynamic")
    assert dynamic.raw("GET", "/c/o").text == whole != ""


def test_a_dynamic_one_is_replaced_and_deleted_without_its_segments(dynamic: Bench) -> None:
    assert dynamic.object(content="new")["object"]["large_object"] is None
    dynamic.raw("PUT", "/c/o", data=b"", X_Object_Manifest="seg/a%20%C5%BC/")
    assert dynamic.object(state="absent")["changed"] is True
    assert dynamic.head("/seg/a%20ż/0") is not None


def test_force_on_a_container_leaves_segments_elsewhere(static: Bench) -> None:
    assert static.container(state="absent", force=True)["changed"] is True
    assert static.head("/c") is None
    assert static.head("/seg/p0") is not None
