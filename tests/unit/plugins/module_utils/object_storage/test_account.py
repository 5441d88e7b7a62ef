# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account, its listing, and who may see them. Against a real Swift."""

from __future__ import annotations

import json
import re
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    Forbidden,
    InvalidInput,
    NotFound,
    Rejected,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import account, connection, listing
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import ObjectStorage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.listing import USUAL_PAGE, listing_entries

from .conftest import Bench

KEY = "canary-of-a-key"


def manage(bench: Bench, **params: t.Any) -> dict[str, t.Any]:
    return bench.run(account.OPERATION, **params)


def read(bench: Bench, **params: t.Any) -> dict[str, t.Any]:
    return bench.run(account.ACCOUNT_INFO, **params)


def containers(bench: Bench, **params: t.Any) -> dict[str, t.Any]:
    return bench.run(listing.CONTAINER_INFO, **params)


def without_role(bench: Bench) -> dict[str, t.Any]:
    known = bench.info["credentials"]
    return {"storage_user": known["storage_other_user"], "storage_key": known["storage_other_key"]}


def test_metadata_and_keys_of_the_account(filled: Bench) -> None:
    foreseen = manage(filled, metadata={"Owner": "me"}, temp_url_key=KEY, check_mode=True)
    assert filled.sandbox.counts()["writes"] == 0
    done = manage(filled, metadata={"Owner": "me"}, temp_url_key=KEY)
    assert (done["changed"], done["action"]) == (True, "update")
    assert done["account"]["metadata"] == {"owner": "me"}
    assert (done["account"]["temp_url_key"], done["account"]["temp_url_key_2"]) == ("(hidden)", None)
    assert (foreseen["account"], foreseen["diff"]) == (done["account"], done["diff"])
    filled.forget()
    assert manage(filled, metadata={"owner": "me"}, temp_url_key=KEY)["changed"] is False
    assert filled.seen() == ["HEAD account"]
    more = manage(filled, metadata={"b": "2"}, purge_metadata=True)["account"]
    assert (more["metadata"], more["temp_url_key"]) == ({"b": "2"}, "(hidden)")
    gone = manage(filled, temp_url_key="", metadata={"b": ""})["account"]
    assert (gone["metadata"], gone["temp_url_key"]) == ({}, None)
    assert KEY not in json.dumps([foreseen, done, more, gone])


def test_nothing_given_changes_nothing(filled: Bench) -> None:
    done = manage(filled)
    assert (done["changed"], done["action"]) == (False, "none")
    assert filled.seen() == ["HEAD account"]


def test_the_quota_is_for_the_operator(filled: Bench) -> None:
    with pytest.raises(Forbidden, match="quota_bytes: the service refused to set the quota") as caught:
        manage(filled, quota_bytes="1G", metadata={"a": "1"})
    assert (caught.value.status, caught.value.details["request_id"][:2]) == (403, "tx")
    assert manage(filled)["account"]["metadata"] == {}
    assert manage(filled, quota_bytes="")["changed"] is False


def test_a_quota_is_read() -> None:
    headers = {"x-account-meta-quota-bytes": "1024", "x-account-bytes-used": "7"}
    record = account.storage_account_record("https://storage.example.com/v1/AUTH_a", headers)
    assert (record["quota_bytes"], record["bytes_used"], record["metadata"]) == (1024, 7, {})


def test_what_is_not_offered_is_refused(filled: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "service_features", lambda _task: {"swift": {}})
    with pytest.raises(InvalidInput, match="temp_url_key: this object storage does not offer it"):
        manage(filled, temp_url_key=KEY)
    assert "POST account" not in filled.seen()


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"metadata": {"temp-url-key": KEY}}, "has an option of its own: temp_url_key"),
        ({"metadata": {"a_b": "1"}}, "'a_b' cannot be the name of an item"),
        ({"quota_bytes": "much"}, "quota_bytes: 'much' is not a number of bytes"),
        ({"metadata": {f"n{number}": "1" for number in range(90)}, "temp_url_key": KEY}, "91 items are too many"),
    ],
)
def test_bad_input(filled: Bench, params: dict[str, t.Any], text: str) -> None:
    with pytest.raises(InvalidInput, match=text) as caught:
        manage(filled, **params)
    assert KEY not in str(caught.value.as_result())
    assert "POST account" not in filled.seen()


def test_the_rule_about_administrators_is_told(filled: Bench) -> None:
    other = without_role(filled)
    for ask, doing in (
        (lambda: manage(filled, metadata={"a": "1"}, connection=other), "Reading the account"),
        (lambda: read(filled, connection=other), "Reading the account"),
        (lambda: containers(filled, connection=other), "Listing the containers of the account"),
        (lambda: containers(filled, connection=other, format="text"), "Listing the containers of the account"),
    ):
        with pytest.raises(Forbidden, match=f"{doing} needs .* administrator role.*Set storage_user") as caught:
            ask()
        assert caught.value.status == 403
        assert caught.value.details["request_id"].startswith("tx")


def test_a_user_who_may_read_but_not_change(filled: Bench) -> None:
    filled.sandbox.fault("status_before", service="storage", method="POST", status=403, times=1)
    with pytest.raises(Forbidden, match=r"Changing the account needs .* administrator role"):
        manage(filled, metadata={"a": "1"})


def test_one_container_is_no_question_of_roles(filled: Bench) -> None:
    other = without_role(filled)
    filled.container(read_acl=other["storage_user"])
    assert containers(filled, name="c", connection=other)["containers"][0]["name"] == "c"
    with pytest.raises(Forbidden) as caught:
        containers(filled, name="other", connection=other)
    assert "Let read_acl of the container 'other' name that user" in str(caught.value)


def test_an_account_that_is_not_there(filled: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ObjectStorage, "account_metadata", lambda _storage: None)
    with pytest.raises(NotFound, match="There is no account at"):
        read(filled)


def test_what_is_stored_and_offered(filled: Bench) -> None:
    manage(filled, temp_url_key=KEY)
    done = read(filled)
    assert done["changed"] is False
    assert set(done["account"]) == set(account.UNKNOWN_ACCOUNT)
    assert done["account"]["container_count"] == 1
    assert done["account"]["url"] == filled.container()["container"]["url"][: -len("/c")]
    assert done["features"]["swift"]["max_file_size"] > 0
    assert "staticweb" in done["features"]
    assert KEY not in json.dumps(done)
    filled.sandbox.settings(storage={"info": False})
    assert read(filled)["features"] is None


def test_one_container(filled: Bench) -> None:
    made = filled.container(metadata={"a": "1"}, temp_url_key=KEY, web_index="i")["container"]
    filled.forget()
    assert containers(filled, name="c") == {"changed": False, "containers": [made], "prefixes": []}
    assert filled.seen() == ["HEAD container"]
    assert containers(filled, name="nowhere")["containers"] == []


def test_the_listing_is_whole_and_in_order(filled: Bench) -> None:
    filled.container("a ż%")
    filled.container("b")
    filled.forget()
    found = containers(filled)["containers"]
    assert [one["name"] for one in found] == ["a ż%", "b", "c"]
    assert set(found[0]) == {"name", "url", "object_count", "bytes_used", "last_modified", "storage_policy"}
    assert found[0]["url"].endswith("/a%20%C5%BC%25")
    assert filled.seen() == ["GET account", "GET account"]  # only an empty page is the end


@pytest.mark.parametrize(
    ("params", "names", "prefixes"),
    [
        ({"prefix": "log-"}, ["log-1", "log-2"], []),
        ({"delimiter": "-"}, ["c", "old"], ["log-"]),
        ({"marker": "log-1"}, ["log-2", "old"], []),
        ({"limit": 2}, ["c", "log-1"], []),
        ({"limit": 9, "prefix": "o"}, ["old"], []),
    ],
)
def test_parts_of_the_listing(filled: Bench, params: dict[str, t.Any], names: list[str], prefixes: list[str]) -> None:
    for name in ("log-1", "log-2", "old"):
        filled.container(name)
    found = containers(filled, **params)
    assert ([one["name"] for one in found["containers"]], found["prefixes"]) == (names, prefixes)


def test_one_and_a_listing_at_once(filled: Bench) -> None:
    with pytest.raises(InvalidInput, match=r"name: it cannot be given together with prefix, limit. Leave name out to"):
        containers(filled, name="c", prefix="a", limit=2)
    assert filled.seen() == []


def test_moments_are_in_utc(filled: Bench) -> None:
    (found,) = containers(filled)["containers"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found["last_modified"])


def test_other_formats(filled: Bench) -> None:
    filled.container("b")
    assert containers(filled, format="text") == {"changed": False, "listing": "b\nc\n"}
    xml = containers(filled, format="xml", limit=1)["listing"]
    assert "<name>b</name>" in xml
    assert "<name>c</name>" not in xml
    with pytest.raises(InvalidInput, match="format: xml is for listings"):
        containers(filled, name="c", format="xml")


def test_a_limit_of_nothing(filled: Bench) -> None:
    with pytest.raises(InvalidInput, match="limit: 0; it must be at least 1"):
        containers(filled, limit=0)
    assert filled.seen() == []


class Pages:
    """A listing of numbers, ``size`` on a page; a larger limit is refused."""

    def __init__(self, total: int, size: int) -> None:
        self.names = [f"{number:03}" for number in range(total)]
        self.size = size
        self.limits: list[int | None] = []

    def __call__(self, limit: int | None, marker: str | None = None) -> list[dict[str, t.Any]]:
        self.limits.append(limit)
        if limit is not None and limit > self.size:
            raise Rejected("Maximum limit", status=412)
        left = [name for name in self.names if name > (marker or "")]
        return [{"name": name} for name in left[: min(limit or self.size, self.size)]]


@pytest.mark.parametrize(
    ("limit", "desired", "limits"),
    [
        (None, 5, [None, None, None, None]),
        (2, 2, [2]),
        (3, 3, [3, None, None]),  # more than the service allows in a page
        (USUAL_PAGE, 5, [None, None, None, None]),
        (9, 5, [9, None, None, None, None]),
    ],
)
def test_pages_and_limits(limit: int | None, desired: int, limits: list[int | None]) -> None:
    pages = Pages(5, 2)
    assert [entry["name"] for entry in listing_entries(pages, limit)] == pages.names[:desired]
    assert pages.limits == limits


def test_pages_are_asked_for_when_they_are_desired() -> None:
    pages = Pages(5, 2)
    assert next(listing_entries(pages, None)) == {"name": "000"}
    assert len(pages.limits) == 1


def test_other_refusals_of_a_page_are_told() -> None:
    def refuse(**_query: t.Any) -> list[dict[str, t.Any]]:
        raise Rejected("no", status=400)

    with pytest.raises(Rejected, match="no"):
        list(listing_entries(refuse, 5))
