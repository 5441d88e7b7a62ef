# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies inside the service."""

from __future__ import annotations

import json

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Forbidden, InvalidInput, NotFound

from .conftest import Bench


def test_copy_and_again(filled: Bench) -> None:
    filled.object("a ż%", content="abc", content_type="text/x", metadata={"a": "1"}, cache_control="no-store")
    filled.container("t %")
    filled.forget()
    done = filled.object("b ż?", container="t %", copy_from="c/a ż%")
    assert filled.seen() == ["HEAD object", "HEAD object", "COPY object", "HEAD object"]
    assert (done["changed"], done["action"]) == (True, "create")
    record = done["object"]
    assert (record["content_type"], record["metadata"], record["cache_control"]) == ("text/x", {"a": "1"}, "no-store")
    filled.forget()
    assert filled.object("b ż?", container="t %", copy_from={"container": "c", "object": "a ż%"})["changed"] is False
    assert filled.seen() == ["HEAD object", "HEAD object"]
    assert filled.raw("GET", "/t%20%25/b%20%C5%BC%3F").content == b"abc"


def test_what_is_given_is_laid_over_the_source(filled: Bench) -> None:
    filled.object("a", content="abc", content_type="text/x", metadata={"a": "1", "b": "2"}, content_encoding="gzip")
    filled.raw("POST", "/c/a", X_Object_Meta_A="1", X_Object_Meta_B="2", Content_Encoding="gzip", Content_Language="pl")
    desired = {"metadata": {"b": None, "c": "3"}, "content_type": "text/y", "content_encoding": ""}
    foreseen = filled.object("b", copy_from="c/a", check_mode=True, **desired)["object"]
    record = filled.object("b", copy_from="c/a", **desired)["object"]
    assert (record["metadata"], record["content_type"], record["content_encoding"]) == (
        {"a": "1", "c": "3"},
        "text/y",
        None,
    )
    assert foreseen["last_modified"] == "(known after apply)"
    assert {**foreseen, "last_modified": record["last_modified"]} == record
    found = filled.head("/c/b")
    assert found is not None
    assert found["Content-Language"] == "pl"
    assert filled.object("b", copy_from="c/a", **desired)["changed"] is False


def test_a_copy_replaces_all_of_the_old_object(filled: Bench) -> None:
    filled.object("a", content="abc", metadata={"a": "1"}, expires_at="2033-05-18T03:33:20Z")
    filled.object("b", content="old", metadata={"old": "1"}, expires_at="2034-05-18T03:33:20Z", cache_control="x")
    done = filled.object("b", copy_from="c/a")
    assert done["action"] == "update"
    record = done["object"]
    assert (record["metadata"], record["expires_at"], record["cache_control"]) == ({"a": "1"}, None, None)
    assert done["diff"]["before"]["metadata"] == {"old": "1"}


def test_an_expiry_of_its_own(filled: Bench) -> None:
    filled.object("a", content="abc")
    first = filled.object("b", copy_from="c/a", expires_in=500)["object"]["expires_at"]
    assert first is not None
    assert filled.object("b", copy_from="c/a", expires_in=500)["changed"] is False
    assert filled.object("d", copy_from="c/a", expires_at="2000000000")["object"]["expires_at"] == first.replace(
        first, "2033-05-18T03:33:20Z"
    )


def test_purged_metadata(filled: Bench) -> None:
    filled.object("a", content="abc", metadata={"a": "1"})
    assert filled.object("b", copy_from="c/a", metadata={"b": "2"}, purge_metadata=True)["object"]["metadata"] == {
        "b": "2"
    }


def test_metadata_of_an_equal_object_is_left_alone(filled: Bench) -> None:
    filled.object("a", content="abc", metadata={"a": "1"})
    filled.object("b", content="abc", metadata={"b": "2"})
    assert filled.object("b", copy_from="c/a")["changed"] is False
    filled.forget()
    assert filled.object("b", copy_from="c/a", metadata={"c": "3"})["object"]["metadata"] == {"b": "2", "c": "3"}
    assert "COPY object" not in filled.seen()


def test_a_missing_source(filled: Bench) -> None:
    for check_mode in (False, True):
        with pytest.raises(InvalidInput, match="copy_from: there is no object 'none' in a container 'c'"):
            filled.object("b", copy_from="c/none", check_mode=check_mode)


def test_a_missing_target(filled: Bench) -> None:
    filled.object("a", content="abc")
    with pytest.raises(NotFound, match=r"no container 'nope' \(or c/a was just deleted\)\. Create it first"):
        filled.object("b", container="nope", copy_from="c/a")


@pytest.mark.parametrize("kind", ["static", pytest.param("dynamic", marks=pytest.mark.full)])
def test_a_large_object_is_copied_with_its_segments(filled: Bench, kind: str) -> None:
    filled.container("t")
    for number, text in enumerate(("first", "second", "")):
        filled.raw("PUT", f"/c/seg%20ż/{number}", data=text.encode(), X_Object_Meta_A="of the segment")
    if kind == "static":
        manifest = json.dumps([{"path": f"/c/seg ż/{number}"} for number in range(2)])
        filled.raw("PUT", "/c/a?multipart-manifest=put", data=manifest, Content_Type="text/x", X_Object_Meta_B="1")
    else:
        manifest_of = {"X_Object_Manifest": "c/seg%20%C5%BC/", "X_Object_Meta_B": "1", "Content_Type": "text/x"}
        filled.raw("PUT", "/c/a", data=b"", **manifest_of)
    foreseen = filled.object("b", container="t", copy_from="c/a", check_mode=True)["object"]
    done = filled.object("b", container="t", copy_from="c/a")["object"]
    assert {**foreseen, "last_modified": done["last_modified"]} == done
    assert (done["large_object"], done["metadata"], done["content_type"]) == ("static", {"b": "1"}, "text/x")
    filled.forget()
    assert filled.object("b", container="t", copy_from="c/a")["changed"] is False
    assert filled.seen()[:2] == ["HEAD object", "HEAD object"]
    filled.raw("DELETE", "/c/seg%20ż/0")
    assert filled.raw("GET", "/t/b").text == "firstsecond"
    assert filled.object("b", container="t", state="absent")["changed"] is True
    assert filled.raw("GET", "/t_segments").text == ""
    assert filled.head("/c/seg%20ż/1") is not None


def test_a_broken_copy_is_gone_on_with(filled: Bench) -> None:
    for number, text in enumerate(("first", "second")):
        filled.raw("PUT", f"/c/s/{number}", data=text.encode())
    filled.raw("PUT", "/c/a?multipart-manifest=put", data=json.dumps([{"path": f"/c/s/{one}"} for one in range(2)]))
    filled.sandbox.fault("status_before", service="storage", method="COPY", path="/s/1$", status=403, times=1)
    with pytest.raises(Forbidden):
        filled.object("b", copy_from="c/a")
    assert filled.head("/c/b") is None
    filled.forget()
    assert filled.object("b", copy_from="c/a")["changed"] is True
    assert filled.seen().count("COPY object") == 1
    assert filled.raw("GET", "/c/b").text == "firstsecond"


def test_an_empty_dynamic_object(filled: Bench) -> None:
    filled.raw("PUT", "/c/a", data=b"", X_Object_Manifest="c/none")
    assert filled.object("b", copy_from="c/a")["object"]["size"] == 0
    assert filled.object("b", copy_from="c/a")["changed"] is False


def test_ranges_cannot_be_copied(filled: Bench) -> None:
    filled.object("s", content="abcdef")
    filled.raw("PUT", "/c/a?multipart-manifest=put", data=json.dumps([{"path": "/c/s", "range": "1-2"}]))
    with pytest.raises(InvalidInput, match="copy_from: c/a consists of parts of objects, or of other large objects"):
        filled.object("b", copy_from="c/a")


def test_a_copy_that_may_not_overwrite(filled: Bench) -> None:
    filled.object("a", content="abc")
    filled.object("b", content="old")
    assert filled.object("b", copy_from="c/a", overwrite=False)["changed"] is False
    assert filled.object("new", copy_from="c/a", overwrite=False)["object"]["size"] == 3
