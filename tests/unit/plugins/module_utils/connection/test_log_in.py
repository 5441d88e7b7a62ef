# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From options to a token that the service takes, seen from the network."""

from __future__ import annotations

import base64
import typing as t
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._connection.credentials import IdentityAccount
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure

from .conftest import BASE, CREDENTIALS, TOKEN_URL, Tasks, forget_memory

LIST = BASE + "/dictionaries/"
EMPTY = {"Items": [], "Meta": {"Total": 0}}


def issue(net: responses.RequestsMock, token: str, **more: t.Any) -> None:
    """Let the identity server answer with a token, after whatever was prepared before."""
    net.post(TOKEN_URL, json={"access_token": token, "expires_in": 86400, "token_type": "Bearer", **more})


def paths(net: responses.RequestsMock) -> list[str]:
    return [f"{call.request.method} {call.request.url.removeprefix('https://')}" for call in net.calls]


def forms(net: responses.RequestsMock) -> list[dict[str, str]]:
    bodies = [call.request.body for call in net.calls if call.request.url == TOKEN_URL]
    return [{name: values[0] for name, values in parse_qs(body.decode()).items()} for body in bodies]


def bearers(net: responses.RequestsMock) -> list[str]:
    return [call.request.headers["Authorization"] for call in net.calls if call.request.url != TOKEN_URL]


LOG_IN, READ = "POST auth.example.com/core/connect/token", "GET api.example.com/beta/dictionaries/"


def test_nothing_is_sent_before_it_is_needed(tasks: Tasks, net: responses.RequestsMock) -> None:
    infrastructure(tasks())
    assert len(net.calls) == 0
    assert not tasks.state.exists()


def test_the_first_task_logs_in_and_the_others_do_not(
    tasks: Tasks, net: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    issue(net, "t1")
    net.get(LIST, json=EMPTY)
    for _number in range(2):
        infrastructure(tasks()).list_dictionaries()
        infrastructure(tasks()).list_dictionaries()
        forget_memory(monkeypatch)
    assert paths(net) == [LOG_IN, READ, READ, READ, READ]
    assert set(bearers(net)) == {"Bearer t1"}
    pair = base64.b64decode(net.calls[0].request.headers["Authorization"][6:]).decode()
    assert pair == "client-1:canary-client-secret"
    assert forms(net) == [
        {
            "grant_type": "password",
            "username": CREDENTIALS["username"],
            "password": CREDENTIALS["password"],
            "scope": "service.api",
        }
    ]
    assert net.calls[1].request.headers["User-Agent"].startswith("fcd.cloud/")
    assert net.calls[1].request.headers["User-Agent"].endswith(" (test)")


def test_a_token_of_the_user_is_used_as_it_is(tasks: Tasks, net: responses.RequestsMock) -> None:
    net.get(LIST, json=EMPTY)
    infrastructure(tasks(access_token="given-canary", password=None, auth_url=None)).list_dictionaries()
    assert (paths(net), bearers(net)) == ([READ], ["Bearer given-canary"])
    assert not tasks.state.exists()


@pytest.mark.parametrize("given", ["canary\n", "can ary", "canary\x00"])
def test_what_no_token_can_be_is_told_without_it(tasks: Tasks, net: responses.RequestsMock, given: str) -> None:
    with pytest.raises(errors.InvalidInput, match=r"^access_token: .*line break") as told:
        infrastructure(tasks(access_token=given))
    assert "can" not in str(told.value).replace("cannot", "")
    assert paths(net) == []


def test_a_token_of_the_user_that_is_refused(tasks: Tasks, net: responses.RequestsMock) -> None:
    net.get(LIST, status=401, json={"Message": "expired"})
    with pytest.raises(errors.Unauthorized, match="expired") as caught:
        infrastructure(tasks(access_token="given-canary")).list_dictionaries()
    assert str(caught.value.next_step).startswith(
        "The access_token that was given (option, FCD_ACCESS_TOKEN or profile) was refused: it has expired or was "
        "revoked. Omit it, and the collection logs in and gets its own"
    )
    assert paths(net) == [READ]


def test_a_kept_token_that_is_refused_is_replaced(tasks: Tasks, net: responses.RequestsMock) -> None:
    issue(net, "t1")
    issue(net, "t2")
    net.get(LIST, json=EMPTY)
    net.get(LIST, status=401)
    net.get(LIST, json=EMPTY)
    infrastructure(tasks()).list_dictionaries()
    infrastructure(tasks()).list_dictionaries()
    assert paths(net) == [LOG_IN, READ, READ, LOG_IN, READ]
    assert bearers(net) == ["Bearer t1", "Bearer t1", "Bearer t2"]


def test_a_new_token_that_is_refused(tasks: Tasks, net: responses.RequestsMock) -> None:
    issue(net, "t1")
    issue(net, "t2")
    net.get(LIST, status=401)
    with pytest.raises(errors.Unauthorized) as caught:
        infrastructure(tasks()).list_dictionaries()
    assert paths(net) == [LOG_IN, READ, LOG_IN, READ]
    assert "base_url and auth_url" in str(caught.value.next_step)


def test_a_token_that_ends_in_the_middle_of_a_task(tasks: Tasks, net: responses.RequestsMock) -> None:
    issue(net, "t1", expires_in=1000)
    issue(net, "t2", expires_in=1000)
    net.get(LIST, json=EMPTY)
    api = infrastructure(tasks())
    api.list_dictionaries()
    tasks.clock.sleep(941)
    api.list_dictionaries()
    assert paths(net) == [LOG_IN, READ, LOG_IN, READ]


def test_a_refresh_token_is_used(tasks: Tasks, net: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch) -> None:
    scope = "service.api offline_access"
    issue(net, "t1", refresh_token="r1")
    issue(net, "t2")
    issue(net, "t3", refresh_token="r3")
    issue(net, "t4")
    for expected in ("t1", "t2", "t3", "t4"):
        assert IdentityAccount(tasks(scope=scope)).token()["token"] == expected
        forget_memory(monkeypatch)
        tasks.clock.sleep(86400)
    assert [(form["grant_type"], form.get("refresh_token")) for form in forms(net)] == [
        ("password", None),
        ("refresh_token", "r1"),
        ("refresh_token", "r1"),
        ("refresh_token", "r3"),
    ]
    assert forms(net)[0]["scope"] == scope
    assert "scope" not in forms(net)[1]


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 400, "json": {"error": "invalid_grant"}},
        {"status": 401},
        {"body": ConnectionResetError(104, "Connection reset by peer")},
    ],
)
def test_a_refresh_token_of_no_use(tasks: Tasks, net: responses.RequestsMock, answer: dict[str, t.Any]) -> None:
    issue(net, "t1", refresh_token="r1")
    net.post(TOKEN_URL, **answer)
    issue(net, "t2")
    account = IdentityAccount(tasks(retries=0))
    account.token()
    tasks.clock.sleep(86400)
    if isinstance(answer.get("body"), Exception):
        with pytest.raises(errors.Unreachable):
            account.token()
        return
    assert account.token()["token"] == "t2"
    assert [form["grant_type"] for form in forms(net)] == ["password", "refresh_token", "password"]


def test_a_wrong_password_is_sent_once(
    tasks: Tasks, net: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    net.post(TOKEN_URL, status=400, json={"error": "invalid_grant"})
    net.get(LIST, json=EMPTY)
    for _item in range(3):
        with pytest.raises(errors.Unauthorized, match="locked") as caught:
            infrastructure(tasks()).list_dictionaries()
    assert paths(net) == [LOG_IN]
    assert "Check username and password" in str(caught.value.next_step)


def test_a_new_token_is_not_asked_for_with_what_was_refused(tasks: Tasks, net: responses.RequestsMock) -> None:
    net.post(TOKEN_URL, status=400, json={"error": "invalid_grant"})
    for _item in range(2):
        with pytest.raises(errors.Unauthorized, match="locked"):
            IdentityAccount(tasks(("identity",))).new_token()
    with pytest.raises(errors.Unauthorized, match="locked"):
        IdentityAccount(tasks(("identity",))).token()
    assert len(net.calls) == 1
    with pytest.raises(errors.Unauthorized, match="refresh token"):
        IdentityAccount(tasks(("identity",))).new_token("own-refresh")
    assert len(net.calls) == 2


@pytest.mark.parametrize("status", [500, 502, 503, 504, 401, 403, 302])
def test_a_log_in_without_an_answer_is_sent_once(status: int, tasks: Tasks, net: responses.RequestsMock) -> None:
    net.post(TOKEN_URL, status=status, headers={"Location": "https://other.example.com"})
    net.get(LIST, json=EMPTY)
    with pytest.raises(errors.ServiceError) as caught:
        infrastructure(tasks()).list_dictionaries()
    assert paths(net) == [LOG_IN]
    assert CREDENTIALS["password"] not in str(caught.value.as_result())


def test_what_a_token_is(tasks: Tasks, net: responses.RequestsMock) -> None:
    issue(net, "t1", refresh_token="r1")
    found = IdentityAccount(tasks(("identity",))).token()
    assert found == {
        "token": "t1",
        "expires_at": tasks.clock.now() + 86400,
        "token_type": "Bearer",
        "refresh_token": "r1",
    }


def test_a_token_without_an_end_serves_until_it_is_refused(tasks: Tasks, net: responses.RequestsMock) -> None:
    issue(net, "t1", expires_in=None)
    account = IdentityAccount(tasks())
    assert account.token()["expires_at"] is None
    tasks.clock.sleep(1e9)
    assert account.token()["token"] == "t1"
    assert len(net.calls) == 1


def test_a_new_token_on_request(tasks: Tasks, net: responses.RequestsMock) -> None:
    issue(net, "t1")
    issue(net, "t2")
    issue(net, "t3")
    task = tasks(("identity",))
    account = IdentityAccount(task)
    assert account.token()["token"] == "t1"
    assert account.new_token()["token"] == "t2"
    assert account.token()["token"] == "t2"
    assert account.new_token("own-refresh-canary")["token"] == "t3"
    assert IdentityAccount(tasks(("identity",))).token()["token"] == "t3"
    assert forms(net)[2] == {"grant_type": "refresh_token", "refresh_token": "own-refresh-canary"}
    assert "own-refresh-canary" not in task.redactor.text("own-refresh-canary")


def test_a_folder_of_no_use_does_not_matter(tasks: Tasks, net: responses.RequestsMock, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    issue(net, "t1")
    net.get(LIST, json=EMPTY)
    infrastructure(tasks(state_dir=str(tmp_path / "file"))).list_dictionaries()
    assert paths(net) == [LOG_IN, READ]
    assert len(tasks.warnings) == 1


@pytest.mark.parametrize(
    "missing", ["base_url", "auth_url", "api_client_id", "api_client_secret", "username", "password"]
)
def test_missing_settings_are_told_before_anything_is_sent(
    missing: str, tasks: Tasks, net: responses.RequestsMock
) -> None:
    with pytest.raises(errors.MissingSettings, match=f"FCD_{missing.upper()}"):
        infrastructure(tasks(**{missing: None}))
    assert len(net.calls) == 0
