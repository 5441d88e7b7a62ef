# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies inside the service."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, NotFound

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
    wanted = {"metadata": {"b": None, "c": "3"}, "content_type": "text/y", "content_encoding": ""}
    foreseen = filled.object("b", copy_from="c/a", check_mode=True, **wanted)["object"]
    record = filled.object("b", copy_from="c/a", **wanted)["object"]
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
    assert filled.object("b", copy_from="c/a", **wanted)["changed"] is False


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
    with pytest.raises(NotFound, match=r"no container 'nope' \(or c/a has just gone\)\. Create it first"):
        filled.object("b", container="nope", copy_from="c/a")


def test_large_sources_are_refused(filled: Bench) -> None:
    filled.object("s1", content="abc")
    filled.raw("PUT", "/c/dlo", data=b"", X_Object_Manifest="c/s")
    with pytest.raises(InvalidInput, match=r"c/dlo is a large object \(dynamic\)"):
        filled.object("b", copy_from="c/dlo")
