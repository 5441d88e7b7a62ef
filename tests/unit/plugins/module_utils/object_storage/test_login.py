# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-in to the object storage: kept tokens, refused ones, and storage addresses that are not trusted."""

from __future__ import annotations

import hashlib
import json
import pathlib
import stat
import threading
import typing as t

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._connection import credentials
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, Unauthorized, Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._engine.scheduler import run_in_threads
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import connection
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import (
    features_of,
    object_storage,
    service_features,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.features import feature_section
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object_writes import create_object

from .conftest import Bench

BASE = "https://storage.example.com"
URL = BASE + "/v1/AUTH_a"


def forget_memory() -> None:
    """What a new process begins with."""
    credentials._MEMORY.clear()


def logins(bench: Bench) -> int:
    return bench.seen().count("GET auth")


def test_a_play_logs_in_once(bench: Bench) -> None:
    bench.container()
    forget_memory()
    bench.container("d")
    assert logins(bench) == 1
    (kept,) = (bench.folder / "state" / "tokens").glob("*.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert bench.info["credentials"]["storage_key"] not in kept.read_text()
    assert "AUTH_tk" not in kept.name


def test_a_new_token_is_never_asked_for(bench: Bench) -> None:
    bench.container()
    bench.sandbox.expire("storage")
    bench.container()
    sent = [entry["headers"] for entry in bench.sandbox.requests("storage") if entry["operation"] == "GET auth"]
    assert len(sent) == 2
    assert not [name for headers in sent for name in headers if name in ("X-Auth-New-Token", "X-Auth-Token-Lifetime")]


def test_a_refused_token_is_asked_for_again_once(filled: Bench) -> None:
    filled.sandbox.expire("storage")
    assert filled.object(content="abc")["changed"] is True
    assert filled.seen() == ["HEAD object", "GET auth", "HEAD object", "PUT object", "HEAD object"]


def test_a_token_that_is_refused_when_new_is_an_error(filled: Bench) -> None:
    filled.sandbox.fault("status_before", service="storage", method="HEAD", status=401, times=0)
    with pytest.raises(Unauthorized):
        filled.object(content="abc")
    assert filled.seen() == ["HEAD object", "GET auth", "HEAD object"]


def test_nothing_is_kept_on_request(bench: Bench) -> None:
    bench.container(connection={"token_cache": False})
    assert not (bench.folder / "state" / "tokens").exists()


def test_a_wrong_key_is_told_once(bench: Bench) -> None:
    wrong = {"storage_key": "canary-of-a-key"}
    with pytest.raises(Unauthorized, match=r"refused the login of 'bramblebarn:admin'\. Check storage_user") as caught:
        bench.container(connection=wrong)
    assert "canary-of-a-key" not in json.dumps(caught.value.as_result())
    assert "service_message" not in caught.value.details
    assert logins(bench) == 1


def test_a_percent_sign_in_a_key_is_hinted_at(bench: Bench) -> None:
    with pytest.raises(Unauthorized, match="try storage_key_encoding: percent"):
        bench.container(connection={"storage_key": "50%"})


def test_a_server_that_decodes(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.sandbox.settings(storage={"percent_decode": True})
    bench.container(connection={"storage_key_encoding": "percent"})
    (sent,) = [entry["headers"] for entry in bench.sandbox.requests("storage") if entry["operation"] == "GET auth"]
    assert sent["X-Auth-User"] == "bramblebarn:admin"


@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch) -> t.Iterator[responses.RequestsMock]:
    """Answers in place of the service: where a proxy is set, requests go over the library that can be answered for."""
    monkeypatch.setenv("https_proxy", "http://proxy.example.com:3128")
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


@pytest.fixture
def task(tmp_path: pathlib.Path) -> Task:
    return make_task(tmp_path)


def make_task(folder: pathlib.Path, **connection: t.Any) -> Task:
    settings = {
        "storage_base": BASE + "/",
        "storage_user": "a:ż",
        "storage_key": "ke%y/ż",
        "state_dir": str(folder),
        "retries": 0,
        **connection,
    }
    return Task(Settings.resolve(settings, ("storage",)))


def issued(url: str = URL, **headers: str) -> dict[str, str]:
    return {"X-Storage-Token": "tk1", "X-Storage-Url": url, "X-Auth-Token-Expires": "86388", **headers}


def sent_header(net: responses.RequestsMock, name: str) -> str:
    value = net.calls[0].request.headers[name]
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.parametrize(
    ("encoding", "user", "key"), [("none", "a:ż", "ke%y/ż"), ("percent", "a:%C5%BC", "ke%25y%2F%C5%BC")]
)
def test_user_and_key_as_they_are_or_encoded(
    net: responses.RequestsMock, tmp_path: pathlib.Path, encoding: str, user: str, key: str
) -> None:
    net.get(BASE + "/auth/v1.0", headers=issued())
    object_storage(make_task(tmp_path, storage_key_encoding=encoding))
    assert (sent_header(net, "X-Auth-User"), sent_header(net, "X-Auth-Key")) == (user, key)


def test_the_other_name_of_the_token(net: responses.RequestsMock, task: Task) -> None:
    net.get(BASE + "/auth/v1.0", headers={"X-Auth-Token": "tk2", "X-Storage-Url": URL + "/"})
    net.head(URL + "/c", status=404, headers={"X-Trans-Id": "tx1"})
    assert object_storage(task).container_metadata("c") is None
    assert net.calls[1].request.headers["X-Auth-Token"] == "tk2"


def test_a_token_of_unknown_life_is_not_kept(net: responses.RequestsMock, task: Task, tmp_path: pathlib.Path) -> None:
    net.get(BASE + "/auth/v1.0", headers={"X-Auth-Token": "tk2", "X-Storage-Url": URL})
    object_storage(task)
    assert not list(tmp_path.glob("tokens/*.json"))


@pytest.mark.parametrize(
    "url",
    [
        "https://other.example.com/v1/AUTH_a",
        "http://storage.example.com/v1/AUTH_a",
        "https://storage.example.com:8443/v1/AUTH_a",
        "https://storage.example.com.evil.example.com/v1/AUTH_a",
        "https://storage.example.com@evil.example.com/v1/AUTH_a",
        "//evil.example.com/v1",
        "https://[",
    ],
)
def test_the_token_goes_to_no_other_host(net: responses.RequestsMock, task: Task, url: str) -> None:
    net.get(BASE + "/auth/v1.0", headers=issued(url))
    with pytest.raises(Unusable, match="the token was not sent there"):
        object_storage(task)
    assert len(net.calls) == 1
    forget_memory()
    with pytest.raises(Unusable, match="the token was not sent there"):  # not when it is kept either
        object_storage(task)
    assert {call.request.url for call in net.calls} == {BASE + "/auth/v1.0"}


def test_the_port_may_be_named_or_not(net: responses.RequestsMock, task: Task) -> None:
    net.get(BASE + "/auth/v1.0", headers=issued("https://STORAGE.example.com:443/v1/AUTH_a"))
    object_storage(task)


@pytest.mark.parametrize("path", ["/auth/v1.0", "/v1/AUTH_a/"])
def test_a_path_in_the_address_is_told(net: responses.RequestsMock, tmp_path: pathlib.Path, path: str) -> None:
    with pytest.raises(InvalidInput, match=r"Set it to https://storage\.example\.com; "):
        object_storage(make_task(tmp_path, storage_base=BASE + path))
    assert len(net.calls) == 0


@pytest.mark.parametrize("headers", [{}, {"X-Storage-Token": "tk1"}, {"X-Storage-Url": URL}])
def test_an_answer_without_a_token(net: responses.RequestsMock, task: Task, headers: dict[str, str]) -> None:
    net.get(BASE + "/auth/v1.0", headers=headers, body="<html>Please log in</html>")
    with pytest.raises(Unusable, match="no X-Storage-Token or no X-Storage-Url"):
        object_storage(task)


@pytest.mark.parametrize(
    ("answer", "limits"),
    [
        ({"json": {"swift": {"max_file_size": 5}}}, {"max_file_size": 5}),
        ({"json": {"swift": 5}}, {}),
        ({"json": []}, {}),
        ({"status": 404}, {}),
        ({"status": 403}, {}),
        ({"status": 500}, {}),
        ({"body": "<html>"}, {}),
    ],
)
def test_what_the_service_says_about_itself(
    net: responses.RequestsMock, task: Task, answer: dict[str, t.Any], limits: dict[str, int]
) -> None:
    net.get(BASE + "/info", **answer)
    assert (feature_section(features_of(task).info, "swift") or {}) == limits
    assert "X-Auth-Token" not in net.calls[0].request.headers


def test_a_token_is_handed_out_and_kept(bench: Bench) -> None:
    first = bench.run(connection.OPERATION)
    assert bench.run(connection.OPERATION) == first
    assert first["changed"] is False
    assert first["storage_url"].startswith(bench.info["storage_base"] + "/v1/AUTH_")
    assert 86000 < first["expires_in"] <= 86400
    assert logins(bench) == 1


def test_a_new_token_revokes_the_old_one_and_lives_as_long_as_was_said(bench: Bench) -> None:
    other = object_storage(bench.task())  # a parallel run
    first = bench.run(connection.OPERATION)
    hour = {"storage_token_lifetime": 3600}
    foreseen = bench.run(connection.OPERATION, renew=True, check_mode=True, connection=hour)
    assert (foreseen["changed"], foreseen["storage_token"]) == (True, first["storage_token"])
    second = bench.run(connection.OPERATION, renew=True, connection=hour)
    assert second["changed"] is True
    assert second["storage_token"] != first["storage_token"]
    assert 3500 < second["expires_in"] <= 3600
    forget_memory()
    assert bench.run(connection.OPERATION)["storage_token"] == second["storage_token"]
    bench.forget()
    assert other.container_metadata("c") is None
    assert bench.seen() == ["HEAD container", "HEAD container"]  # the new one is kept: it need not log in


def test_a_renewal_that_was_refused_is_not_tried_again(bench: Bench) -> None:
    for _item in range(2):
        with pytest.raises(Unauthorized):
            bench.run(connection.OPERATION, renew=True, connection={"storage_key": "canary-of-a-key"})
    assert logins(bench) == 1


@pytest.mark.parametrize("value", [0, -1, "nan", "1.5", float("nan"), 1e10])
def test_a_lifetime_that_is_none_is_told(bench: Bench, value: t.Any) -> None:
    with pytest.raises(InvalidInput, match="storage_token_lifetime"):
        bench.task(storage_token_lifetime=value)


def test_threads_log_in_once_when_their_token_is_over(filled: Bench) -> None:
    storage = object_storage(filled.task())
    before, after = threading.Barrier(8), threading.Barrier(8)

    def work(number: int) -> str:
        before.wait(10)
        create_object(storage, ("c", f"o{number}"), {}, b"abc", 3)
        after.wait(10)
        if number == 0:
            filled.sandbox.expire("storage")
        after.wait(10)
        return create_object(storage, ("c", f"p{number}"), {}, b"abc", 3)["etag"]

    def ended(_item: int, value: t.Any) -> None:
        assert value == hashlib.md5(b"abc", usedforsecurity=False).hexdigest()

    filled.forget()
    run_in_threads(range(8), work, most=8, deadline=filled.task().deadline, ended=ended)
    seen = filled.seen()
    assert (seen.count("GET auth"), seen.count("PUT object")) == (1, 24)
    assert filled.warnings == []


def test_features_of_a_real_service(bench: Bench) -> None:
    assert service_features(bench.task())["bulk_delete"]["max_deletes_per_request"] == 10000
    assert features_of(bench.task()).limit("max_meta_count") == 90
    assert logins(bench) == 0
