# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects against a real Swift."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import time
import typing as t
from unittest import mock

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    InvalidInput,
    NotFound,
    OperationFailed,
    Rejected,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import connection as storage_connection
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import object as storage_object
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import object_writes, source_file
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object_writes import check_stored
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.source_file import FileChanged

from .conftest import MAX_MEMORY, Bench, python

RSS = (
    MAX_MEMORY
    + """
import json, sys
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object import OPERATION
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task

def run(name, **options):
    params = {key: option.get("default") for key, option in OPERATION.options.items()}
    task = Task(Settings.resolve(json.loads(sys.argv[1]), ("storage",)))
    return OPERATION.run(task, {**params, "container": "c", "name": name, **options})

run("small", content="x")
before = most_memory()
first, second = run("large", src=sys.argv[2]), run("large", src=sys.argv[2])
grown = most_memory() - before
print(first["changed"], second["changed"], first["object"]["size"], grown)
"""
)


def md5(data: bytes) -> str:
    return hashlib.md5(data).hexdigest()


def test_create_and_again(filled: Bench) -> None:
    done = filled.object(content="abc", content_type="text/plain", metadata={"A": "1"})
    record = done["object"]
    assert (done["changed"], done["action"], done["diff"]["before"]) == (True, "create", {})
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", record["last_modified"])
    assert (
        record
        == done["diff"]["after"]
        == {
            "container": "c",
            "name": "o",
            "etag": md5(b"abc"),
            "size": 3,
            "content_type": "text/plain",
            "content_disposition": None,
            "content_encoding": None,
            "cache_control": None,
            "metadata": {"a": "1"},
            "expires_at": None,
            "last_modified": record["last_modified"],
            "large_object": None,
        }
    )
    filled.forget()
    again = filled.object(content="abc", content_type="text/plain", metadata={"A": "1"})
    assert (again["changed"], again["action"], again["object"]) == (False, "none", record)
    assert filled.seen() == ["HEAD object"]
    assert filled.raw("GET", "/c/o").content == b"abc"


def test_the_checksum_goes_with_the_content(filled: Bench) -> None:
    filled.object(content="abc")
    (put,) = [one for one in filled.sandbox.requests("storage") if one["method"] == "PUT"]
    assert put["headers"]["Etag"] == md5(b"abc")
    assert put["headers"]["Content-Length"] == "3"


NAMES = ("a b", "50%", "a%20b", "#1", "a?b=c", "a//b", "/lead", "trail/", "żółw/日本", "~.-_!*'()", "a+b&c;d")


def test_names_arrive_as_they_are(filled: Bench) -> None:
    for name in NAMES:
        assert filled.object(name, content="x")["object"]["name"] == name
        assert [entry["name"] for entry in filled.raw("GET", "/c?format=json").json()] == [name]
        assert filled.object(name, content="x")["changed"] is False
        assert filled.object(name, state="absent")["changed"] is True
    assert filled.raw("GET", "/c?format=json").json() == []


def test_from_a_file(filled: Bench, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(b"<p>1</p>")
    done = filled.object("page.html", src=str(path))
    assert (done["object"]["etag"], done["object"]["content_type"]) == (md5(b"<p>1</p>"), "text/html")
    assert filled.object("page.html", src=str(path))["changed"] is False
    path.write_bytes(b"<p>2</p>")
    changed = filled.object("page.html", src=str(path))
    assert (changed["action"], changed["diff"]["before"]["etag"]) == ("update", md5(b"<p>1</p>"))
    assert changed["diff"]["after"]["etag"] == changed["object"]["etag"] == md5(b"<p>2</p>")
    assert filled.raw("GET", "/c/page.html").content == b"<p>2</p>"


def test_an_empty_object(filled: Bench) -> None:
    assert filled.object(content="")["object"]["size"] == 0
    assert filled.object(content="")["changed"] is False


def test_check_mode_foresees_and_sends_no_write(filled: Bench) -> None:
    desired = {"content": "abc", "metadata": {"a": "1"}, "expires_in": 60}
    foreseen = filled.object(check_mode=True, **desired)
    assert filled.sandbox.counts()["writes"] == 0
    assert (foreseen["changed"], foreseen["action"]) == (True, "create")
    assert foreseen["object"]["etag"] == md5(b"abc")
    for name in ("expires_at", "content_type", "last_modified"):
        assert foreseen["object"][name] == foreseen["diff"]["after"][name] == "(known after apply)"
    assert "id" not in foreseen["object"]
    done = filled.object(**desired)
    assert set(done["object"]) == set(foreseen["object"])
    filled.forget()
    change = filled.object(check_mode=True, content="abcd", metadata={"a": None}, cache_control="no-store")
    gone = filled.object(check_mode=True, state="absent")
    assert filled.sandbox.counts()["writes"] == 0
    assert change["diff"]["before"] == done["object"]
    assert change["diff"]["after"] == {
        **done["object"],
        "etag": md5(b"abcd"),
        "size": 4,
        "metadata": {},
        "cache_control": "no-store",
        "last_modified": "(known after apply)",
    }
    assert change["object"] == change["diff"]["after"]
    assert (gone["changed"], gone["action"], gone["object"], gone["diff"]["after"]) == (True, "delete", None, {})


def test_content_never_shows(filled: Bench) -> None:
    for params in ({"content": "canary-in-content"}, {"content": "canary-in-content", "metadata": {"a": "1"}}):
        assert "canary" not in str(filled.object(**params))


def test_metadata_change_keeps_all_else(filled: Bench) -> None:
    filled.raw(
        "PUT",
        "/c/o",
        data=b"abc",
        Content_Type="text/x",
        Content_Language="pl",
        Expires="Thu, 01 Dec 2033 16:00:00 GMT",
        X_Robots_Tag="none",
        Cache_Control="no-cache",
        Content_Disposition="attachment; filename=żółw",
        Content_Encoding="gzip",
        X_Delete_At="2000000000",
        X_Object_Meta_Old="ż",
    )
    before = filled.head("/c/o")
    filled.forget()
    done = filled.object(metadata={"new": "città"})
    assert filled.seen() == ["HEAD object", "HEAD object", "POST object", "HEAD object"]  # the second under the lock
    assert (done["action"], done["object"]["metadata"]) == ("update", {"new": "città", "old": "ż"})
    assert done["object"]["content_disposition"] == "attachment; filename=żółw"
    after = filled.head("/c/o")
    assert before is not None
    assert after is not None
    changing = {"X-Timestamp", "Last-Modified", "Date", "X-Trans-Id", "X-Openstack-Request-Id", "X-Object-Meta-New"}
    assert {name: value for name, value in after.items() if name not in changing} == {
        name: value for name, value in before.items() if name not in changing
    }
    assert filled.object(metadata={"new": "città"})["changed"] is False


def test_new_content_keeps_what_is_not_given(filled: Bench) -> None:
    filled.object(
        content="abc",
        content_type="text/x",
        cache_control="no-cache",
        content_disposition="inline",
        metadata={"a": "1"},
        expires_at="2033-05-18T03:33:20Z",
    )
    filled.raw(
        "POST", "/c/o", X_Object_Meta_A="1", Content_Language="pl", X_Delete_At="2000000000", Cache_Control="no-cache"
    )
    done = filled.object(content="abcd")["object"]
    assert (done["content_type"], done["cache_control"], done["metadata"]) == ("text/x", "no-cache", {"a": "1"})
    assert done["expires_at"] == "2033-05-18T03:33:20Z"
    found = filled.head("/c/o")
    assert found is not None
    assert found["Content-Language"] == "pl"


def test_metadata_is_purged_on_request(filled: Bench) -> None:
    filled.object(content="abc", metadata={"a": "1", "b": ""})
    assert filled.object(metadata={"b": ""}, purge_metadata=True)["object"]["metadata"] == {"b": ""}
    assert filled.object(metadata={"b": ""}, purge_metadata=True)["changed"] is False
    assert filled.object(purge_metadata=True)["changed"] is False
    assert filled.object(metadata={"b": None})["object"]["metadata"] == {}


def test_properties_change_and_go(filled: Bench) -> None:
    given = {"content_type": "a/b", "content_disposition": "inline", "content_encoding": "gzip", "cache_control": "x"}
    filled.object(content="abc")
    done = filled.object(**given)
    assert done["changed"] is True
    assert {name: done["object"][name] for name in given} == given
    assert filled.object(content="abc", **given)["changed"] is False
    cleared = filled.object(content_disposition="", content_encoding="", cache_control="")["object"]
    assert [cleared[name] for name in given] == ["a/b", None, None, None]
    assert filled.object(content_disposition="")["changed"] is False


def test_an_expiry_at_a_moment(filled: Bench) -> None:
    moment = "2033-05-18T03:33:20Z"
    assert filled.object(content="abc", expires_at=moment)["object"]["expires_at"] == moment
    assert filled.object(content="abc", expires_at="2000000000")["changed"] is False
    assert filled.object(metadata={"a": "1"})["object"]["expires_at"] == moment
    assert filled.object(expires_at="2000000001")["object"]["expires_at"] == "2033-05-18T03:33:21Z"
    assert filled.object(expires_at="never")["object"]["expires_at"] is None
    assert filled.object(expires_at="never")["changed"] is False


def test_an_expiry_in_seconds_is_set_once(filled: Bench) -> None:
    first = filled.object(content="abc", expires_in=500)["object"]["expires_at"]
    assert abs(seconds(first) - time.time() - 500) < 60
    assert filled.object(content="abc", expires_in=900)["changed"] is False
    assert filled.object(expires_in=900)["object"]["expires_at"] == first
    later = filled.object(content="abcd", expires_in=900)["object"]["expires_at"]
    assert seconds(later) > seconds(first)
    filled.object(expires_at="never")
    assert filled.object(expires_in=900)["changed"] is True


def seconds(moment: str) -> float:
    return storage_object.to_unix(moment)


def test_an_expiry_that_has_passed(filled: Bench) -> None:
    with pytest.raises(InvalidInput, match=r"expires_at: 2001-09-09T01:46:40Z has passed"):
        filled.object(content="abc", expires_at="1000000000")
    assert filled.sandbox.counts()["writes"] == 0


def test_delete_and_again(filled: Bench) -> None:
    filled.object(content="abc")
    done = filled.object(state="absent")
    assert (done["changed"], done["object"], done["diff"]["after"]) == (True, None, {})
    filled.forget()
    assert filled.object(state="absent")["changed"] is False
    assert filled.seen() == ["HEAD object"]
    assert filled.head("/c/o") is None


def test_absent_reads_no_file(filled: Bench) -> None:
    assert filled.object(state="absent", src="/nowhere/at/all")["changed"] is False


def test_new_object_needs_a_source(filled: Bench) -> None:
    with pytest.raises(InvalidInput, match=r"no object 'o' in a container 'c'.*Give one of content, src and copy_from"):
        filled.object(metadata={"a": "1"})
    foreseen = filled.object(metadata={"a": "1"}, check_mode=True)
    assert (foreseen["changed"], foreseen["action"]) == (True, "create")
    assert "will fail outside check mode" in filled.warnings[-1]


def test_a_missing_container_is_named(bench: Bench) -> None:
    with pytest.raises(NotFound, match=r"no container 'nope'.*storage_container and name: nope") as caught:
        bench.object(container="nope", content="abc")
    assert caught.value.details["request_id"].startswith("tx")
    assert bench.object(container="nope", content="abc", check_mode=True)["changed"] is True


WRONG: list[tuple[dict[str, t.Any], str]] = [
    ({"name": "a/../b"}, "only a dot or two dots"),
    ({"container": "a/b"}, "container: 'a/b' cannot be the name"),
    ({"metadata": {"a_b": "1"}}, "drops names with an underscore"),
    ({"content_type": " "}, "content_type: every object has one"),
    ({"cache_control": "a\r\nb"}, "cache_control: line breaks"),
    ({"expires_at": "soon"}, "is not a point in time"),
    ({"expires_in": 0}, "expires_in: 0; it must be at least 1"),
    ({"content": None, "src": "/nowhere/at/all"}, "src: /nowhere/at/all cannot be read"),
    ({"content": None, "copy_from": "c/o"}, "copied to itself"),
    ({"content": None, "copy_from": "c"}, "copy_from: "),
]


def test_bad_input_is_told_before_anything_is_sent(bench: Bench) -> None:
    for params, text in WRONG:
        with pytest.raises(InvalidInput, match=text):
            bench.object(**{"content": "x", **params})
    assert bench.sandbox.counts()["total"] == 0


def changing(monkeypatch: pytest.MonkeyPatch, path: pathlib.Path, later: bytes) -> None:
    """Have the file changed as soon as it is known what it is."""
    read = source_file.file_content

    def read_and_change(name: str) -> t.Any:
        content = read(name)
        path.write_bytes(later)
        os.utime(path, (1, 1))
        return content

    monkeypatch.setattr(storage_object, "file_content", read_and_change)


@pytest.mark.parametrize("later", [b"ab", b"xyz"])
def test_a_small_file_that_changes_is_stored_as_it_was(
    filled: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, later: bytes
) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"abc")
    changing(monkeypatch, path, later)
    assert filled.object(src=str(path))["object"]["etag"] == md5(b"abc")


@pytest.mark.parametrize("longer", [-1, 0, 1])
def test_a_large_file_that_changes_is_not_stored(
    filled: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, longer: int
) -> None:
    path = tmp_path / "data"
    path.write_bytes(bytes(2 << 20))
    changing(monkeypatch, path, b"x" * ((2 << 20) + longer))
    with pytest.raises(FileChanged, match="changed while it was being read; nothing was stored"):
        filled.object(src=str(path))
    assert filled.head("/c/o") is None


def test_a_file_that_changes_while_it_is_sent(
    filled: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All bytes but the last are on their way by then, and the object must keep its old content."""
    filled.object(content="old")
    path = tmp_path / "data"
    path.write_bytes(bytes(4 << 20))
    read = os.pread

    def read_and_change(descriptor: int, size: int, start: int) -> bytes:
        block = read(descriptor, size, start)
        if start == 2 << 20:
            with path.open("r+b") as handle:
                handle.write(b"changed")
            os.utime(path, (1, 1))
        return block

    monkeypatch.setattr(os, "pread", read_and_change)
    with pytest.raises(FileChanged):
        filled.object(src=str(path))
    assert filled.raw("GET", "/c/o").text == "old"


def test_a_large_new_file_is_read_once(filled: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data"
    path.write_bytes(os.urandom(3 << 20))
    read, starts = os.pread, []

    def noted(descriptor: int, size: int, start: int) -> bytes:
        starts.append(start)
        return read(descriptor, size, start)

    monkeypatch.setattr(os, "pread", noted)
    done = filled.object(src=str(path))
    assert (done["object"]["etag"], done["diff"]["after"]["etag"]) == (md5(path.read_bytes()),) * 2
    assert starts == [0, 1 << 20, 2 << 20]
    starts.clear()
    assert filled.object(src=str(path))["changed"] is False
    assert starts == [0, 1 << 20, 2 << 20]
    starts.clear()
    filled.raw("PUT", "/c/o", data=b"x")
    foreseen = filled.object(src=str(path), check_mode=True)
    assert foreseen["object"] == {**done["object"], "last_modified": "(known after apply)", "content_type": mock.ANY}


def test_bytes_that_arrive_damaged_are_sent_again(
    filled: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data"
    path.write_bytes(os.urandom(2 << 20))
    plain, sent = object_writes.create_object, []

    def other(storage: t.Any, place: t.Any, headers: t.Any, body: t.Any, length: int) -> t.Any:
        sent.append(headers.get("ETag"))
        if len(sent) > 1:
            return plain(storage, place, headers, body, length)
        reading = body()
        while reading.read():
            pass
        return plain(storage, place, headers, bytes(length), length)

    monkeypatch.setattr(object_writes, "create_object", other)
    done = filled.object(src=str(path))["object"]
    assert done["etag"] == md5(path.read_bytes())
    assert sent == [None, done["etag"]]


def spoiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have zeros arrive in place of every content."""
    plain = object_writes.create_object

    def other(storage: t.Any, place: t.Any, headers: t.Any, body: t.Any, length: int) -> t.Any:
        if callable(body):
            reading = body()
            while reading.read():
                pass
        return plain(storage, place, headers, bytes(length), length)

    monkeypatch.setattr(object_writes, "create_object", other)


def test_bytes_that_arrive_damaged_again(
    filled: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data"
    path.write_bytes(os.urandom(2 << 20))
    spoiling(monkeypatch)
    with pytest.raises(OperationFailed, match="c/o: the service stored other content than was sent") as caught:
        filled.object(src=str(path))
    assert caught.value.details["changed"] is True


def test_small_contents_that_arrive_damaged_are_not_stored(filled: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    spoiling(monkeypatch)
    with pytest.raises(Rejected, match=r"received other content for c/o than was sent.*Nothing was stored") as caught:
        filled.object(content="abc")
    assert caught.value.status == 422
    assert filled.head("/c/o") is None


def test_metadata_that_the_service_keeps_in_another_way() -> None:
    found = {"container": "c", "name": "o", "metadata": {"a": "1", "b": "x"}}
    check_stored({"metadata": {"a": "1", "b": "x"}}, found)
    with pytest.raises(OperationFailed, match=r"keeps other metadata than it was given: b, c\. Give metadata as"):
        check_stored({"metadata": {"a": "1", "b": "y", "c": "1"}}, found)


def test_without_overwriting(filled: Bench) -> None:
    first = filled.object(content="abc", overwrite=False)
    assert (first["changed"], first["object"]["size"]) == (True, 3)
    (put,) = [one for one in filled.sandbox.requests("storage") if one["method"] == "PUT"]
    assert put["headers"]["If-None-Match"] == "*"
    filled.forget()
    again = filled.object(content="other", overwrite=False)
    assert (again["changed"], again["object"]) == (False, first["object"])
    assert filled.seen() == ["HEAD object"]
    assert filled.object(src="/nowhere/at/all/", overwrite=True, state="absent")["changed"] is True


def test_another_task_is_quicker(filled: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = object_writes.create_object

    def beaten(*args: t.Any) -> t.Any:
        filled.raw("PUT", "/c/o", data=b"theirs")
        return plain(*args)

    monkeypatch.setattr(object_writes, "create_object", beaten)
    done = filled.object(content="ours", overwrite=False)
    assert (done["changed"], done["object"]["size"]) == (False, 6)
    assert filled.raw("GET", "/c/o").text == "theirs"
    filled.object(state="absent")
    described = filled.object(content="ours", overwrite=False, metadata={"a": "1"})
    assert (described["changed"], described["object"]["metadata"]) == (True, {"a": "1"})
    assert filled.raw("GET", "/c/o").text == "theirs"
    for content, changed in (("theirs", False), ("ours", True)):
        filled.object(state="absent")
        assert filled.object(content=content)["changed"] is changed
        assert filled.raw("GET", "/c/o").text == content


def test_an_answer_that_is_lost_is_not_taken_for_another_task(filled: Bench) -> None:
    filled.sandbox.fault("drop_after", service="storage", method="PUT")
    assert filled.object(content="abc", overwrite=False)["changed"] is True


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"expires_at": "9999-12-31"}, "expires_at '2286-11-20T17:46:39Z' in place of '9999-12-31T00:00:00Z'"),
        ({"content_type": "a/b;swift_bytes=7"}, "content_type 'a/b' in place of 'a/b;swift_bytes=7'"),
    ],
)
def test_what_the_service_keeps_in_another_way(filled: Bench, given: dict[str, str], kept: str) -> None:
    filled.object(content="abc")
    for _each in range(2):
        with pytest.raises(OperationFailed, match=f"c/o is stored, but the service keeps {kept}") as caught:
            filled.object(**given)
        assert caught.value.details["changed"] is True


@pytest.mark.parametrize("kind", ["text/plain ; charset=UTF-8", 'a/b; x="q;r"', "text/html;charset=ż", "odd"])
def test_content_types_with_parameters_settle(filled: Bench, kind: str) -> None:
    assert filled.object(content="abc", content_type=kind)["object"]["content_type"] == kind
    assert filled.object(content="abc", content_type=kind)["changed"] is False
    filled.object(content="abc", content_type="a/b")
    assert filled.object(content_type=kind)["object"]["content_type"] == kind
    assert filled.object(content_type=kind)["changed"] is False


def test_a_smaller_limit_of_the_service_is_read_before_much_is_sent(
    filled: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_connection, "service_features", lambda _task: {"swift": {"max_file_size": 1 << 20}})
    path = tmp_path / "data"
    path.write_bytes(bytes((1 << 20) + 1))
    with pytest.raises(InvalidInput, match="1048577 bytes are too many; the service allows 1048576"):
        filled.object(src=str(path))
    assert filled.sandbox.counts()["writes"] == 0


def test_other_refusals_pass_through(filled: Bench) -> None:
    filled.container(quota_bytes="2")
    with pytest.raises(Rejected, match="exceeds quota") as caught:
        filled.object(content="abc")
    assert caught.value.status == 413


def test_memory_stays_small_with_a_large_file(filled: Bench, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as handle:
        handle.truncate(64 << 20)
    known = filled.info["credentials"]
    settings = {
        "storage_base": filled.info["storage_base"],
        "storage_user": known["storage_user"],
        "storage_key": known["storage_key"],
        "ca_path": filled.info["ca_path"],
        "state_dir": str(tmp_path / "state"),
    }
    first, second, size, grown = python(RSS, json.dumps(settings), str(path)).communicate()[0].split()
    assert (first, second, size) == ("True", "False", str(64 << 20))
    assert int(grown) < 16 << 10  # KiB
