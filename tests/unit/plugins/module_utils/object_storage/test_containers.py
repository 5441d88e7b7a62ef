# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Containers against a real Swift."""

from __future__ import annotations

import io
import json
import tarfile
import time
import typing as t
from unittest import mock

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    Conflict,
    DeadlinePassed,
    Forbidden,
    InvalidInput,
    MissingSettings,
    ServiceError,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.later import LATER
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import deletion as storage_emptying
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.container import UNKNOWN_CONTAINER
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.deletion import check_report
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.option_values import normalize_acl

from .conftest import LISTING_LIMIT, Bench


def new(bench: Bench, **values: t.Any) -> dict[str, t.Any]:
    """A container ``c`` as it is when it was just made."""
    url = f"{bench.info['storage_base']}/v1/{bench.info['credentials']['storage_path']}/c"
    there = {"name": "c", "url": url, "storage_policy": "Policy-0", "last_modified": mock.ANY}
    return {**UNKNOWN_CONTAINER, **there, **values}


def fill(bench: Bench, count: int, container: str = "c") -> None:
    for number in range(count):
        assert bench.raw("PUT", f"/{container}/n%25%20{number}%C5%BC", data=b"x").status_code == 201


def test_create_and_again(bench: Bench) -> None:
    done = bench.container()
    assert done == {
        "changed": True,
        "container": new(bench),
        "action": "create",
        "diff": {"before": {}, "after": new(bench)},
    }
    bench.forget()
    again = bench.container()
    assert (again["changed"], again["action"], again["container"]) == (False, "none", new(bench))
    assert again["diff"]["before"] == again["diff"]["after"]
    assert bench.seen() == ["HEAD container"]


def test_create_with_all_options(bench: Bench) -> None:
    options = {"metadata": {"Owner": "żółw"}, "quota_bytes": "500", "read_acl": ".r:*, .rlistings", "write_acl": "a:b"}
    done = bench.container("a b%", **options)["container"]
    assert (done["metadata"], done["quota_bytes"]) == ({"owner": "żółw"}, 500)
    assert (done["read_acl"], done["write_acl"]) == (".r:*,.rlistings", "a:b")
    assert bench.container("a b%", **options)["changed"] is False
    found = bench.head("/a%20b%25")
    assert found is not None
    assert found["X-Container-Meta-Owner"].encode("latin-1").decode() == "żółw"


def test_check_mode_foresees_and_sends_no_write(bench: Bench) -> None:
    desired = {"metadata": {"a": "1", "gone": None}, "read_acl": ".r:*"}
    foreseen = bench.container(check_mode=True, **desired)
    assert bench.head("/c") is None
    assert bench.sandbox.counts()["writes"] == 0
    assert foreseen["container"] == new(bench, metadata={"a": "1"}, read_acl=".r:*", storage_policy=LATER)
    assert foreseen["diff"] == {"before": {}, "after": foreseen["container"]}
    done = bench.container(**desired)
    of_service = {"storage_policy": "Policy-0", "last_modified": mock.ANY}
    assert done["diff"]["after"] == {**foreseen["diff"]["after"], **of_service}
    assert (foreseen["changed"], foreseen["action"]) == (done["changed"], done["action"])
    bench.forget()
    change = bench.container(check_mode=True, metadata={"a": "2"}, read_acl="")
    gone = bench.container(check_mode=True, state="absent")
    assert bench.sandbox.counts()["writes"] == 0
    assert change["diff"]["before"] == new(bench, metadata={"a": "1"}, read_acl=".r:*")
    assert change["diff"]["after"] == change["container"] == new(bench, metadata={"a": "2"})
    assert (gone["changed"], gone["action"], gone["container"]) == (True, "delete", None)


def test_metadata_is_merged(bench: Bench) -> None:
    bench.container(metadata={"a": "1", "b": "2", "c": "3"})
    done = bench.container(metadata={"B": "5", "c": None, "d": "4"})
    assert (done["changed"], done["action"]) == (True, "update")
    assert done["container"]["metadata"] == {"a": "1", "b": "5", "d": "4"}
    assert done["diff"]["before"]["metadata"] == {"a": "1", "b": "2", "c": "3"}
    assert done["diff"]["after"]["metadata"] == {"a": "1", "b": "5", "d": "4"}
    assert bench.container(metadata={"a": "1", "c": "", "e": None})["changed"] is False


def test_only_differences_are_sent(filled: Bench) -> None:
    filled.container(metadata={"a": "1", "b": "2"})
    filled.forget()
    filled.container(metadata={"a": "1", "b": "3"}, read_acl=".r:*")
    (post,) = [one for one in filled.sandbox.requests("storage") if one["method"] == "POST"]
    sent = {name for name in post["headers"] if name.startswith("X-Container")}
    assert sent == {"X-Container-Meta-B", "X-Container-Read"}


def test_purge_makes_it_the_complete_set(bench: Bench) -> None:
    bench.container(metadata={"a": "1", "b": "2"})
    done = bench.container(metadata={"b": "2"}, purge_metadata=True)
    assert (done["changed"], done["container"]["metadata"]) == (True, {"b": "2"})
    assert bench.container(metadata={"b": "2"}, purge_metadata=True)["changed"] is False
    assert bench.container(purge_metadata=True)["changed"] is False
    assert bench.container(metadata={}, purge_metadata=True)["container"]["metadata"] == {}


def test_secrets_are_hidden_and_stay(bench: Bench) -> None:
    bench.container(metadata={"a": "1"})
    bench.raw("POST", "/c", X_Container_Meta_Temp_URL_Key="canary-in-metadata")
    done = bench.container(metadata={"b": "2"}, purge_metadata=True)
    assert done["container"]["metadata"] == {"b": "2"}
    assert done["container"]["temp_url_key"] == "(hidden)"
    assert "canary-in-metadata" not in json.dumps(done)
    found = bench.head("/c")
    assert found is not None
    assert found["X-Container-Meta-Temp-Url-Key"] == "canary-in-metadata"


def test_access_lists_change_and_go(bench: Bench) -> None:
    bench.container(read_acl=".r:*", write_acl="x:y")
    assert bench.container()["changed"] is False
    assert bench.container(read_acl=" .referrer:* ,")["changed"] is False
    done = bench.container(read_acl="", write_acl="x:z")
    assert (done["container"]["read_acl"], done["container"]["write_acl"]) == ("", "x:z")
    assert bench.container(read_acl="", write_acl="x:z")["changed"] is False


@pytest.mark.parametrize(
    "text",
    [
        ".r:*, .rlistings",
        ".referrer:*",
        ".ref: -x.com ,a:b , a",
        ".r:*.example.com",
        "a:b,,c",
        ".referer:-*.b.com",
        "*:*",
    ],
)
def test_access_lists_are_spelled_as_the_service_does(bench: Bench, text: str) -> None:
    assert bench.raw("PUT", "/c", X_Container_Read=text).status_code == 201
    found = bench.head("/c")
    assert found is not None
    assert normalize_acl(text) == found["X-Container-Read"]


def test_the_service_refuses_a_wrong_access_list(bench: Bench) -> None:
    with pytest.raises(ServiceError, match="Referrers not allowed in write ACL") as caught:
        bench.container(write_acl=".r:*")
    assert caught.value.status == 400
    assert caught.value.details["request_id"].startswith("tx")


def test_delete_and_again(filled: Bench) -> None:
    done = filled.container(state="absent")
    assert (done["changed"], done["action"], done["container"]) == (True, "delete", None)
    assert done["diff"] == {"before": new(filled), "after": {}}
    filled.forget()
    again = filled.container(state="absent")
    assert (again["changed"], again["container"]) == (False, None)
    assert filled.seen() == ["HEAD container"]


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_filled_container_is_not_deleted(filled: Bench, check_mode: bool) -> None:
    fill(filled, 2)
    with pytest.raises(Conflict, match=r"'c' is not empty \(it holds 2 objects\).*Set force"):
        filled.container(state="absent", check_mode=check_mode)
    assert filled.head("/c/n%25%200%C5%BC") is not None


def test_expired_objects_are_mentioned(filled: Bench) -> None:
    filled.raw("PUT", "/c/brief", data=b"x", X_Delete_After="1")
    while filled.head("/c/brief") is not None:
        time.sleep(0.1)  # a second has to pass at the service
    with pytest.raises(Conflict, match="Expired objects count"):
        filled.container(state="absent")
    assert filled.container(state="absent", force=True)["changed"] is True
    assert filled.head("/c") is None


def test_force_in_check_mode(filled: Bench) -> None:
    fill(filled, 1)
    filled.forget()
    assert filled.container(state="absent", force=True, check_mode=True)["action"] == "delete"
    assert filled.sandbox.counts()["writes"] == 0


def test_force_deletes_page_by_page_in_bulk(filled: Bench) -> None:
    fill(filled, LISTING_LIMIT * 2 + 1)
    filled.forget()
    done = filled.container(state="absent", force=True)
    assert (done["changed"], done["container"]) == (True, None)
    assert filled.head("/c") is None
    seen = filled.seen()
    assert seen.count("POST account") == 3
    assert "DELETE object" not in seen
    assert filled.told[-1] == f"container c: {LISTING_LIMIT * 2 + 1} objects deleted"


def test_force_one_by_one_where_there_is_no_bulk(filled: Bench) -> None:
    fill(filled, LISTING_LIMIT + 1)
    filled.sandbox.settings(storage={"info": False})
    filled.forget()
    assert filled.container(state="absent", force=True)["changed"] is True
    assert filled.seen().count("DELETE object") == LISTING_LIMIT + 1
    assert filled.head("/c") is None


def test_what_could_be_shortened_to_another_path_is_not_deleted_by_it(filled: Bench) -> None:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a/../../other"))
    filled.raw("PUT", "/c?extract-archive=tar", data.getvalue())
    filled.sandbox.settings(storage={"info": False})
    filled.forget()
    with pytest.raises(InvalidInput, match=r"container c: .* has a part that is only a dot or two dots"):
        filled.container(state="absent", force=True)
    assert "DELETE object" not in filled.seen()


def test_small_bulk_limits_are_kept(filled: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(filled, 5)
    features = {"bulk_delete": {"max_deletes_per_request": 2}}
    monkeypatch.setattr(storage_emptying, "service_features", lambda _task: features)
    filled.forget()
    assert filled.container(state="absent", force=True)["changed"] is True
    assert filled.seen().count("POST account") == 3


def test_force_on_an_empty_container_is_a_plain_delete(filled: Bench) -> None:
    filled.container(state="absent", force=True)
    assert filled.seen() == ["HEAD container", "DELETE container", "HEAD container"]


def test_a_container_that_fills_all_the_time_ends_in_an_error(filled: Bench) -> None:
    fill(filled, 1)
    filled.sandbox.fault("status_before", service="storage", method="DELETE", path="/c$", status=409, times=0)
    with pytest.raises(Conflict, match="was emptied 5 times and is still not empty"):
        filled.container(state="absent", force=True)
    assert len(filled.clock.pauses) == 4


def test_emptying_ends_with_the_task(filled: Bench) -> None:
    fill(filled, 1)
    filled.sandbox.fault("status_before", service="storage", method="DELETE", path="/c$", status=409, times=0)
    with pytest.raises(DeadlinePassed):
        filled.container(state="absent", force=True, connection={"task_timeout": 0.000001})


def test_reports_of_many_deletions() -> None:
    check_report({"Response Status": "200 OK", "Errors": []}, "Emptying")
    errors = [[f"/c/{number}", "403 Forbidden"] for number in range(5)]
    with pytest.raises(ServiceError, match=r"Emptying: .*/c/0: 403 Forbidden; .*and 2 more\)") as caught:
        check_report({"Response Status": "400 Bad Request", "Errors": errors}, "Emptying")
    assert caught.value.details["failed"] == 5
    with pytest.raises(ServiceError, match="ended with 502 Bad Gateway: no reason given"):
        check_report({"Response Status": "502 Bad Gateway", "Response Body": "", "Errors": []}, "Emptying")


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"name": "a/b"}, "cannot be the name of a container"),
        ({"metadata": {"a_b": "1"}}, "'a_b' cannot be the name of an item"),
        ({"metadata": {f"n{number}": "1" for number in range(91)}}, "91 items are too many; the service allows 90"),
        ({"read_acl": "a\nb"}, "read_acl: line breaks"),
        ({"read_acl": "r:*"}, r"'r:\*' is no element of an access list. Did you mean '.r:\*'"),
        ({"read_acl": ".r:*, .rlisting"}, "'.rlisting' is no element of an access list. Did you mean '.rlistings'"),
        ({"read_acl": "rlistings"}, "'rlistings' is no element of an access list. Did you mean '.rlistings'"),
        ({"read_acl": ".referrers:-x.example.com"}, "Did you mean '.r:-x.example.com'"),
    ],
)
def test_bad_input_is_told_before_a_write(bench: Bench, params: dict[str, t.Any], text: str) -> None:
    with pytest.raises(InvalidInput, match=text):
        bench.container(**params)
    assert bench.sandbox.counts()["writes"] == 0


def test_missing_settings_are_all_named_and_nothing_is_sent(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FCD_STORAGE_BASE", "FCD_STORAGE_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(MissingSettings, match=r"FCD_STORAGE_BASE.*FCD_STORAGE_KEY"):
        bench.container(connection={"storage_base": None, "storage_key": None})
    assert bench.sandbox.counts()["total"] == 0


def test_a_user_without_rights(filled: Bench) -> None:
    known = filled.info["credentials"]
    other = {"storage_user": known["storage_other_user"], "storage_key": known["storage_other_key"]}
    with pytest.raises(Forbidden):
        filled.container(connection=other)


def test_limits_of_the_service_itself(bench: Bench) -> None:
    bench.sandbox.settings(storage={"info": False})
    with pytest.raises(InvalidInput, match="257 bytes are too many; the service allows 256"):
        bench.container("x" * 257)


@pytest.mark.parametrize("option", ["read_acl", "write_acl"])
@pytest.mark.parametrize("word", ["public", "Private", " public-read "])
def test_a_word_of_other_services_is_no_access_list(bench: Bench, option: str, word: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{option}: .* is a word of other services") as refused:
        bench.container(**{option: word})
    assert (".r:*,.rlistings" in str(refused.value)) is (option == "read_acl")
