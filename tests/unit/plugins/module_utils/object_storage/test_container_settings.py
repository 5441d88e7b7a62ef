# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What containers can do besides holding objects: quotas, sites, keys, versions, policies. Against a real Swift."""

from __future__ import annotations

import itertools
import json
import typing as t
from unittest import mock

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    Conflict,
    Forbidden,
    ImmutableChange,
    InvalidInput,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import connection as storage_connection
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import container as storage_container
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.features import Features

from .conftest import LISTING_LIMIT, Bench

KEY = "canary-of-a-key"
ALL: dict[str, t.Any] = {
    "quota_bytes": "10K",
    "quota_count": "5",
    "web_index": "index.html",
    "web_error": "error.html",
    "web_listings": True,
    "web_listings_css": "lists.css",
    "web_listings_label": "żółw",
    "web_directory_type": "text/directory",
    "cors_allow_origin": ["https://a.example.com", "https://b.example.com"],
    "cors_max_age": "600",
    "cors_expose_headers": ["X-Trans-Id"],
}
AS_READ = {**ALL, "quota_bytes": 10240, "quota_count": 5, "cors_max_age": 600}
NOTHING: dict[str, t.Any] = {
    **{option: "" for option, value in ALL.items() if isinstance(value, str)},
    "web_listings": False,
    "cors_allow_origin": [],
    "cors_expose_headers": [],
}


def posts(bench: Bench) -> list[set[str]]:
    """What each change of a container since then was about."""
    found = [one for one in bench.sandbox.requests("storage") if one["operation"] == "POST container"]
    return [{name for name in one["headers"] if name.startswith(("X-Container", "X-Ver", "X-His"))} for one in found]


def versions(bench: Bench, container: str = "c") -> list[dict[str, t.Any]]:
    answer = bench.raw("GET", f"/{container}?versions&format=json&limit={LISTING_LIMIT}")
    return t.cast("list[dict[str, t.Any]]", answer.json())


def put(bench: Bench, name: str, times: int = 1, container: str = "c") -> None:
    for number in range(times):
        assert bench.raw("PUT", f"/{container}/{name}", data=f"{number}").status_code == 201


def features(bench: Bench, monkeypatch: pytest.MonkeyPatch, told: dict[str, t.Any]) -> None:
    monkeypatch.setattr(storage_connection, "service_features", lambda _task: told)
    bench.forget()


def test_all_settings_are_made_and_left_alone(bench: Bench) -> None:
    done = bench.container(**ALL)["container"]
    assert {option: done[option] for option in ALL} == AS_READ
    assert done["metadata"] == {}
    bench.forget()
    assert bench.container(**ALL)["changed"] is False
    assert bench.seen() == ["HEAD container"]


def test_all_settings_are_removed_one_request(bench: Bench) -> None:
    bench.container(metadata={"owner": "me"}, **ALL)
    foreseen = bench.container(check_mode=True, **NOTHING)
    bench.forget()
    done = bench.container(**NOTHING)
    foreseen["diff"]["after"]["last_modified"] = mock.ANY
    assert done["diff"] == foreseen["diff"]
    assert (done["changed"], len(posts(bench))) == (True, 1)
    found = bench.head("/c")
    assert found is not None
    assert {name for name in found if name.startswith("X-Container-Meta-")} == {"X-Container-Meta-Owner"}
    assert bench.container(**NOTHING)["changed"] is False


def test_one_setting_leaves_the_others(bench: Bench) -> None:
    bench.container(metadata={"owner": "me"}, temp_url_key=KEY, read_acl=".r:*", **ALL)
    bench.forget()
    done = bench.container(web_index="home.html")["container"]
    assert posts(bench) == [{"X-Container-Meta-Web-Index"}]
    assert {option: done[option] for option in ALL} == {**AS_READ, "web_index": "home.html"}
    bench.container(metadata={}, purge_metadata=True)
    left = bench.container()["container"]
    assert left == {**done, "metadata": {}, "last_modified": left["last_modified"]}
    assert (left["read_acl"], left["temp_url_key"]) == (".r:*", "(hidden)")


def test_settings_work(bench: Bench) -> None:
    """The site is read as anybody reads it; the quota lets nothing more in."""
    url = bench.container(read_acl=".r:*,.rlistings", web_index="index.html", quota_bytes="3")["container"]["url"]
    put(bench, "index.html")
    assert bench._session.get(f"{url}/").text == "0"
    assert bench.raw("PUT", "/c/more", data=b"long").status_code == 413


@pytest.mark.parametrize("check_mode", [True, False])
def test_keys_are_compared_and_never_shown(filled: Bench, check_mode: bool) -> None:
    done = filled.container(temp_url_key=KEY, check_mode=check_mode)
    assert (done["changed"], done["container"]["temp_url_key"]) == (True, "(hidden)")
    assert (done["diff"]["before"]["temp_url_key"], done["diff"]["after"]["temp_url_key"]) == (
        None,
        "(hidden, changed)",
    )
    filled.container(temp_url_key=KEY, temp_url_key_2="other-canary")
    same = filled.container(temp_url_key=KEY, check_mode=check_mode)
    assert (same["changed"], same["diff"]["after"]["temp_url_key"]) == (False, "(hidden)")
    other = filled.container(temp_url_key="other-canary", check_mode=check_mode)
    gone = filled.container(temp_url_key="", check_mode=check_mode)
    assert (gone["changed"], gone["container"]["temp_url_key"]) == (True, None)
    assert (gone["diff"]["before"]["temp_url_key"], gone["diff"]["after"]["temp_url_key"]) == ("(hidden)", None)
    assert gone["container"]["temp_url_key_2"] == "(hidden)"
    assert "canary" not in json.dumps([done, same, other, gone])


def test_a_key_in_what_the_service_says_is_hidden(filled: Bench) -> None:
    task = filled.task()
    filled.run(storage_container.OPERATION, task, name="c", temp_url_key=KEY)
    assert task.redactor.text(f"refused: {KEY}") == "refused: ********"


def test_a_policy_is_made_with_the_container_and_stays(bench: Bench) -> None:
    assert bench.container(storage_policy="policy-0")["container"]["storage_policy"] == "Policy-0"
    bench.forget()
    assert bench.container(storage_policy="policy-0")["changed"] is False
    assert bench.seen() == ["HEAD container"]


@pytest.mark.parametrize("info", [True, False])
def test_another_policy_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch, info: bool) -> None:
    policies = [{"name": "Policy-0", "aliases": "Policy-0, standard"}, {"name": "gold", "aliases": "gold"}]
    bench.container()
    features(bench, monkeypatch, {"swift": {"policies": policies}} if info else {})
    with pytest.raises(ImmutableChange, match=r"storage_policy is .?Policy-0.?, wanted .?gold"):
        bench.container(storage_policy="GOLD" if info else "gold")
    assert bench.sandbox.counts()["writes"] == 0
    if info:
        assert bench.container(storage_policy="Standard")["changed"] is False
        with pytest.raises(InvalidInput, match=r"no policy .silver.*There are: Policy-0, gold"):
            bench.container(storage_policy="silver")


@pytest.mark.parametrize(
    ("params", "feature"),
    [
        ({"quota_count": "0"}, "container_quotas"),
        ({"web_index": "index.html"}, "staticweb"),
        ({"temp_url_key": KEY}, "tempurl"),
        ({"versioning": "enabled"}, "object_versioning"),
        ({"versioning": "history", "versions_location": "old"}, "x-history-location"),
    ],
)
def test_what_the_service_does_not_offer_is_refused(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, params: dict[str, t.Any], feature: str
) -> None:
    told = {"swift": {}, "versioned_writes": {"allowed_flags": ["x-versions-location"]}}
    features(bench, monkeypatch, told)
    for check_mode in (True, False):
        with pytest.raises(InvalidInput, match=f"^{next(iter(params))}: .*does not offer it; {feature} is not among"):
            bench.container(check_mode=check_mode, **params)
    assert bench.sandbox.counts()["writes"] == 0
    assert bench.container(**{**NOTHING, "cors_max_age": "5"})["changed"] is True


def test_where_the_service_is_silent_it_is_asked(bench: Bench) -> None:
    bench.sandbox.settings(storage={"info": False})
    assert bench.container(web_index="index.html", versioning="enabled")["container"]["versioning"] == "enabled"


WAYS: dict[str, str | None] = {"enabled": None, "stack": "old 1%", "history": "old 2", "disabled": None}
WALK = (
    *("enabled", "stack", "enabled", "history", "enabled", "disabled", "stack", "history", "stack"),
    *("disabled", "history", "disabled", "enabled"),
)


def test_every_way_of_versioning_leads_to_every_other(bench: Bench) -> None:
    assert len(set(itertools.pairwise(WALK))) == len(WAYS) * (len(WAYS) - 1)
    for name in ("old 1%", "old 2"):
        bench.container(name)
    bench.container()
    for number, way in enumerate(WALK):
        desired = {"versioning": way, "versions_location": WAYS[way]}
        foreseen = bench.container(check_mode=True, **desired)
        done = bench.container(**desired)
        foreseen["diff"]["after"]["last_modified"] = mock.ANY
        assert {name: done["container"][name] for name in desired} == desired
        assert (done["changed"], done["diff"]) == (True, foreseen["diff"])
        assert bench.container(**desired)["changed"] is False
        assert bench.container(metadata={"step": str(number)})["container"]["versioning"] == way


def test_both_ways_at_once_are_sorted_out(bench: Bench) -> None:
    """The service lets a container that keeps versions itself get a location too."""
    bench.container("old")
    bench.container(versioning="enabled")
    assert bench.raw("POST", "/c", X_Versions_Location="old").status_code == 204
    assert bench.container(versioning="history", versions_location="old")["container"]["versioning"] == "history"
    found = bench.head("/c")
    assert found is not None
    assert (found["X-History-Location"], found["X-Versions-Enabled"]) == ("old", "False")


def test_the_container_for_versions_must_be_there(filled: Bench) -> None:
    desired = {"versioning": "stack", "versions_location": "nowhere"}
    with pytest.raises(InvalidInput, match=r"versions_location: there is no container .nowhere"):
        filled.container(**desired)
    assert posts(filled) == []
    assert filled.container(check_mode=True, **desired)["changed"] is True
    assert "there is no container" in filled.warnings[-1]


def test_a_failure_in_the_middle_tells_of_the_change(bench: Bench) -> None:
    bench.container("old")
    bench.container(versioning="stack", versions_location="old")
    bench.sandbox.fault("status_before", service="storage", method="POST", path="/c$", status=400, times=1, skip=1)
    with pytest.raises(Exception, match="400") as caught:
        bench.container(versioning="enabled")
    assert caught.value.details["changed"] is True  # type: ignore[attr-defined]
    assert bench.container(versioning="enabled")["container"]["versioning"] == "enabled"


def test_force_deletes_all_versions(bench: Bench) -> None:
    bench.container(versioning="enabled")
    put(bench, "a", 3)
    put(bench, "b", LISTING_LIMIT + 2)
    assert bench.raw("DELETE", "/c/a").status_code == 204
    assert bench.raw("DELETE", "/c/b").status_code == 204
    assert len(versions(bench)) == LISTING_LIMIT
    for check_mode in (True, False):
        with pytest.raises(Conflict, match=r"not empty .it holds versions of objects"):
            bench.container(state="absent", check_mode=check_mode)
    done = bench.container(state="absent", force=True)
    assert (done["changed"], bench.head("/c")) == (True, None)
    assert bench.told[-1] == f"container c: {3 + LISTING_LIMIT + 2 + 2} versions of objects deleted"


def test_force_deletes_versions_that_are_no_longer_kept(bench: Bench) -> None:
    bench.container(versioning="enabled")
    put(bench, "a", 2)
    bench.container(versioning="disabled")
    put(bench, "a", 1)
    bench.container(state="absent", force=True)
    assert bench.head("/c") is None


@pytest.mark.parametrize(("way", "info"), [("enabled", False), ("disabled", True)])
def test_a_removal_that_fails_tells_what_is_gone(bench: Bench, way: str, info: bool) -> None:
    bench.container(versioning=way)
    put(bench, "a")
    bench.sandbox.settings(storage={"info": info})
    bench.sandbox.fault("status_before", service="storage", method="DELETE", path="/c$", status=409, times=0)
    with pytest.raises(Conflict, match="still not empty") as caught:
        bench.container(state="absent", force=True)
    assert caught.value.details["changed"] is True
    bench.container(state="absent", force=True, check_mode=True)
    with pytest.raises(Conflict) as caught:
        bench.container(state="absent", force=True)
    assert "changed" not in caught.value.details  # nothing was there any more


def test_a_version_that_cannot_be_deleted_ends_it(bench: Bench) -> None:
    bench.container(versioning="enabled")
    put(bench, "a", 2)
    bench.sandbox.fault("status_before", service="storage", method="DELETE", path="/c/a", status=403, times=0)
    with pytest.raises(Forbidden) as caught:
        bench.container(state="absent", force=True)
    assert "changed" not in caught.value.details
    assert len(versions(bench)) == 2


@pytest.mark.parametrize("way", ["stack", "history"])
def test_force_leaves_versions_elsewhere(bench: Bench, way: str) -> None:
    """Deletions must not bring versions back, nor add any."""
    bench.container("old")
    bench.container(versioning=way, versions_location="old")
    put(bench, "a", 3)
    before = bench.raw("GET", "/old").text
    bench.container(state="absent", force=True)
    assert bench.head("/c") is None
    assert (bench.raw("GET", "/old").text, before.count("\n")) == (before, 2)
    assert bench.warnings == ["Versions of objects of 'c' stay in the container 'old'."]


@pytest.mark.parametrize("check_mode", [True, False])
def test_force_tells_of_what_stays_as_far_as_it_is_there(bench: Bench, check_mode: bool) -> None:
    for name in ("old", "c_segments"):
        bench.container(name)
    bench.container(versioning="stack", versions_location="old")
    put(bench, "a")
    bench.container("old", state="absent")
    bench.container(state="absent", force=True, check_mode=check_mode)
    assert bench.warnings == ["Segments of objects of 'c' stay in the container 'c_segments'."]
    assert (bench.head("/c") is None, bench.head("/c_segments") is None) == (not check_mode, False)


WRONG: list[tuple[dict[str, t.Any], str]] = [
    ({"metadata": {"Quota-Bytes": 5}}, "quota-bytes. has an option of its own: quota_bytes"),
    ({"quota_bytes": "10 apples"}, "quota_bytes: .10 apples. is not a number of bytes"),
    ({"quota_bytes": "-1"}, "quota_bytes: .-1. is not a number of bytes"),
    ({"quota_count": "1.5"}, "quota_count: .1.5. is not a whole number"),
    ({"web_index": "a\nb"}, "web_index: line breaks"),
    ({"web_index": " a"}, "web_index: it begins or ends with a blank"),
    ({"web_error": "x" * 257}, "web_error: 257 bytes are too many; the service allows 256"),
    ({"cors_allow_origin": ["www.example.com"]}, "cors_allow_origin: 'www.example.com' is not an origin"),
    ({"cors_allow_origin": ["https://www.example.com/"]}, "/' is not an origin as browsers send it. Write scheme"),
    ({"cors_allow_origin": ["a b"]}, "cors_allow_origin: its entries must be single words"),
    ({"cors_expose_headers": [""]}, "cors_expose_headers: its entries must be single words"),
    ({"cors_allow_origin": ["a\r\nb"]}, "cors_allow_origin: line breaks"),
    ({"temp_url_key": KEY + "\n"}, "temp_url_key: line breaks"),
    ({"storage_policy": "a\nb"}, "storage_policy: line breaks"),
    ({"versioning": "stack"}, "versions_location: versioning stack requires a container for versions"),
    ({"versions_location": "old"}, "versions_location: it applies only to"),
    ({"versioning": "enabled", "versions_location": "old"}, "versions_location: it applies only to"),
    ({"versioning": "stack", "versions_location": "a/b"}, "versions_location: .a/b. cannot be the name"),
    ({"versioning": "stack", "versions_location": "c"}, "a container cannot hold its own versions"),
    (
        {"metadata": {f"n{number}": "1" for number in range(88)}, **ALL},
        "metadata: 99 items are too many; the service allows 90",
    ),
]


def test_bad_input_is_told_before_a_write(bench: Bench) -> None:
    for params, text in WRONG:
        with pytest.raises(InvalidInput, match=text) as caught:
            bench.container(**params)
        assert KEY not in str(caught.value.as_result())
    assert bench.sandbox.counts()["writes"] == 0


UNITS = {"0": 0, "5": 5, "5B": 5, "2k": 2048, "2 KiB": 2048, "3MB": 3 * 1024**2, " 1GiB ": 1024**3}


def test_units_of_bytes() -> None:
    for given, number in UNITS.items():
        assert storage_container.CONTAINER_ITEMS["quota_bytes"].kind.parse("quota_bytes", given) == number


def test_the_service_is_asked_once() -> None:
    asked: list[int] = []

    def ask() -> dict[str, t.Any]:
        asked.append(1)
        return {"swift": {"max_meta_count": 5}, "staticweb": {}}

    told = Features(ask)
    told.check("staticweb", "web_index")
    assert told.limit("max_meta_count") == 5
    assert storage_container.policy_of(told, "any") == "any"
    assert asked == [1]
