# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults on the way: a task ends with one object and a true ``changed``, or with an error that says what is wrong."""

from __future__ import annotations

import json
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    DeadlinePassed,
    FcdError,
    Unclear,
    Unusable,
    has_changed,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import account as storage_account
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import container as storage_container
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import object as storage_object
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import object_storage

from .conftest import Bench, python

ONE_TASK = """
import json, sys
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object import OPERATION
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task

params = {key: option.get("default") for key, option in OPERATION.options.items()}
task = Task(Settings.resolve(json.loads(sys.argv[1]), ("storage",)))
OPERATION.run(task, {**params, "container": "c", "name": "o", "content": "abc"})
"""


def objects(bench: Bench) -> list[tuple[str, int]]:
    return [(entry["name"], entry["bytes"]) for entry in bench.raw("GET", "/c?format=json").json()]


@pytest.mark.parametrize(
    ("fault", "params"),
    [
        ("status_after", {"method": "PUT", "status": 504}),
        ("status_after", {"method": "PUT", "status": 500}),
        ("status_after", {"method": "PUT", "status": 503, "times": 2}),
        ("status_before", {"method": "PUT", "status": 502}),
        ("drop_after", {"method": "PUT"}),
        ("drop_before", {"method": "PUT"}),
        ("cut", {"method": "PUT"}),
        ("cut_chunked", {"method": "PUT"}),
        ("html", {"method": "PUT"}),
        ("status_before", {"method": "PUT", "status": 401}),
        ("status_before", {"method": "HEAD", "status": 503}),
        ("status_before", {"method": "HEAD", "status": 503, "skip": 1}),
        ("drop_before", {"method": "HEAD"}),
        ("html", {"method": "HEAD"}),
        ("cut", {"method": "HEAD", "skip": 1}),
        ("status_before", {"method": "HEAD", "status": 404, "skip": 1}),
    ],
)
def test_an_object_is_created_all_the_same(filled: Bench, fault: str, params: dict[str, t.Any]) -> None:
    filled.sandbox.fault(fault, service="storage", path="/c/o$", **params)
    done = filled.object(content="abc", metadata={"a": "1"})
    assert (done["changed"], done["object"]["size"], done["object"]["metadata"]) == (True, 3, {"a": "1"})
    assert objects(filled) == [("o", 3)]
    (armed,) = filled.sandbox.faults()
    assert armed["used"] == params.get("times", 1)
    assert filled.object(content="abc", metadata={"a": "1"})["changed"] is False


def test_the_service_says_how_long_to_wait(filled: Bench) -> None:
    filled.sandbox.fault("status_before", service="storage", method="PUT", status=429, retry_after=3)
    assert filled.object(content="abc")["changed"] is True
    assert filled.clock.pauses == [3.0]
    assert "429" in filled.warnings[0]


def test_a_hang_after_the_commit(filled: Bench) -> None:
    filled.sandbox.fault("hang_after", service="storage", method="PUT", seconds=30)
    assert filled.object(content="abc", connection={"timeout": 3.0})["changed"] is True
    assert filled.seen() == ["HEAD object", "PUT object", "HEAD object", "HEAD object"]
    assert objects(filled) == [("o", 3)]


@pytest.mark.parametrize("skip", [0, 1])
def test_a_hang_before_the_commit(filled: Bench, skip: int) -> None:
    filled.sandbox.fault("hang_before", service="storage", method="PUT", seconds=30)
    filled.sandbox.fault("drop_before", service="storage", method="HEAD", skip=1, times=0 if skip else 1)
    with pytest.raises(DeadlinePassed, match="did not answer"):
        filled.object(content="abc", connection={"timeout": 0.7, "retries": 1})
    filled.sandbox.clear_faults()
    assert objects(filled) == []
    assert filled.object(content="abc")["changed"] is True


def test_a_redirect_is_named_and_not_followed(filled: Bench) -> None:
    filled.sandbox.fault("redirect", service="storage", method="PUT", status=307, times=0)
    with pytest.raises(Unusable, match=r"https://127\.0\.0\.1:"):
        filled.object(content="abc")
    assert filled.sandbox.requests("foreign") == []
    assert objects(filled) == []


@pytest.mark.parametrize("method", ["HEAD", "PUT"])
def test_a_page_in_place_of_the_service_is_named(filled: Bench, method: str) -> None:
    filled.sandbox.fault("html", service="storage", method=method, times=0)
    with pytest.raises(Unusable, match=r"is not from the object storage, or was cut off.*proxy or a login page"):
        filled.object(content="abc")
    assert len(filled.warnings) == 2


@pytest.mark.parametrize(
    ("fault", "params"),
    [
        ("status_after", {"method": "PUT", "status": 504}),
        ("drop_after", {"method": "PUT"}),
        ("html", {"method": "PUT"}),
        ("html", {"method": "HEAD"}),
        ("cut", {"method": "HEAD", "skip": 1}),
    ],
)
def test_a_container_is_created_all_the_same(bench: Bench, fault: str, params: dict[str, t.Any]) -> None:
    bench.sandbox.fault(fault, service="storage", path="/c$", **params)
    done = bench.container(metadata={"a": "1"})
    assert (done["changed"], done["container"]["metadata"]) == (True, {"a": "1"})
    assert bench.container(metadata={"a": "1"})["changed"] is False


@pytest.mark.parametrize(
    ("method", "fault"),
    [
        ("POST", "drop_after"),
        ("DELETE", "drop_after"),
        ("COPY", "drop_after"),
        ("POST", "html"),
        ("DELETE", "drop_before"),
    ],
)
def test_other_writes_are_repeated_too(filled: Bench, fault: str, method: str) -> None:
    filled.object("source", content="abc")
    if method != "COPY":
        filled.object(content="abc")
    filled.sandbox.fault(fault, service="storage", method=method)
    wish = {"POST": {"metadata": {"a": "1"}}, "DELETE": {"state": "absent"}, "COPY": {"copy_from": "c/source"}}
    assert filled.object(**wish[method])["changed"] is True
    assert filled.object(**wish[method])["changed"] is False


@pytest.mark.parametrize("fault", ["cut", "cut_chunked", "html", "drop_before"])
def test_broken_listings_and_reports(filled: Bench, fault: str) -> None:
    for number in range(3):
        filled.object(f"o{number}", content="abc")
    filled.sandbox.fault(fault, service="storage", method="GET", path="format=json")
    filled.sandbox.fault(fault, service="storage", method="POST", path="bulk-delete")
    assert filled.container(state="absent", force=True)["changed"] is True
    assert filled.head("/c") is None


def test_a_page_may_hide_what_was_done(filled: Bench) -> None:
    filled.sandbox.fault("html", service="storage", method="PUT")
    filled.sandbox.fault("status_before", service="storage", method="PUT", status=403)
    with pytest.raises(FcdError) as caught:
        filled.object(content="abc")
    assert has_changed(caught.value)


def test_a_service_that_stays_down(filled: Bench) -> None:
    filled.sandbox.fault("drop_after", service="storage", method="PUT", times=0)
    filled.sandbox.fault("status_before", service="storage", method="HEAD", status=503, skip=1, times=0)
    with pytest.raises(Unclear, match="tried 4 times"):
        filled.object(content="abc")


def test_errors_hold_no_secret(filled: Bench) -> None:
    token = object_storage(filled.task())._credentials.headers()["X-Auth-Token"]
    filled.sandbox.fault("status_before", service="storage", method="PUT", status=400, body=f"no {token} here", times=0)
    with pytest.raises(FcdError) as caught:
        filled.object(content="abc")
    shown = json.dumps([caught.value.as_result(), filled.warnings])
    assert token not in shown
    assert "no ******** here" in shown


def test_killed_between_request_and_answer(filled: Bench) -> None:
    filled.sandbox.fault("hang_after", service="storage", method="PUT", seconds=60)
    known = filled.info["credentials"]
    settings = {
        "storage_base": filled.info["storage_base"],
        "storage_user": known["storage_user"],
        "storage_key": known["storage_key"],
        "ca_path": filled.info["ca_path"],
        "state_dir": str(filled.folder / "state"),
    }
    with python(ONE_TASK, json.dumps(settings)) as process:
        while not objects(filled) and process.poll() is None:
            time.sleep(0.02)
        process.kill()
    assert objects(filled) == [("o", 3)]
    assert filled.object(content="abc")["changed"] is False


@pytest.mark.parametrize(
    ("operation", "params", "reads"),
    [
        (storage_object.OPERATION, {"state": "present", "container": "c", "name": "o", "content": "x"}, 1),
        (storage_object.OPERATION, {"state": "present", "container": "c", "name": "there", "metadata": {"a": "1"}}, 2),
        (storage_container.OPERATION, {"state": "present", "name": "new"}, 1),
        (storage_container.OPERATION, {"state": "present", "name": "c", "metadata": {"a": "1"}}, 1),
        (storage_account.OPERATION, {"metadata": {"a": "1"}}, 1),
    ],
)
def test_an_error_after_the_change_says_that_something_was_changed(
    filled: Bench, operation: Operation, params: dict[str, t.Any], reads: int
) -> None:
    filled.object("there", content="x")
    filled.sandbox.fault("status_before", service="storage", method="HEAD", status=403, skip=reads)
    with pytest.raises(FcdError) as caught:
        filled.run(operation, **params)
    assert has_changed(caught.value)
