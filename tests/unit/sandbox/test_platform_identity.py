# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The identity server: grants, refusals, lifetimes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess
from sandbox_box import Box


def bearer_status(box: Box, token: str) -> int:
    return box.session.get(
        f"{box.info['base_url']}/dictionaries/", headers={"Authorization": f"Bearer {token}"}
    ).status_code


def test_password_grant(box: Box) -> None:
    answer = box.password_grant()
    document = answer.json()
    assert answer.status_code == 200
    assert re.fullmatch("[0-9a-f]{32}", document.pop("access_token"))
    assert document == {"expires_in": 86400, "token_type": "Bearer"}
    assert answer.headers["Cache-Control"].startswith("no-store")
    assert box.process.counts()["writes"] == 0


def test_the_token_opens_rest_until_it_expires(box: Box) -> None:
    token = box.password_grant().json()["access_token"]
    assert (bearer_status(box, token), bearer_status(box, "0" * 32)) == (200, 401)
    box.process.expire("storage")
    assert bearer_status(box, token) == 200
    box.process.expire("identity")
    assert bearer_status(box, token) == 401


def test_lifetime_is_a_setting(box: Box) -> None:
    box.process.settings(identity={"token_lifetime": 0})
    document = box.password_grant().json()
    assert document["expires_in"] == 0
    assert bearer_status(box, document["access_token"]) == 401


def test_read_only_scope(box: Box) -> None:
    token = box.password_grant("service.api.readonly").json()["access_token"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert bearer_status(box, token) == 200
    answer = box.session.post(
        f"{box.info['base_url']}/instances", json={"InstanceName": "x", "TemplateId": 765}, headers=bearer
    )
    assert answer.status_code == 403


def test_refresh_token_is_given_on_demand_and_works_once(box: Box) -> None:
    first = box.password_grant("service.api offline_access").json()
    form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    second = box.token_request(**form).json()
    assert second.keys() == first.keys()
    assert bearer_status(box, second["access_token"]) == 200
    assert box.token_request(**form).json() == {"error": "invalid_grant"}
    box.process.settings(identity={"refresh_once": False})
    form["refresh_token"] = second["refresh_token"]
    assert [box.token_request(**form).status_code for _ in range(2)] == [200, 200]


def test_refusals(box: Box) -> None:
    known = box.info["credentials"]
    answers = [
        box.password_grant(scope=""),
        box.password_grant(scope="offline_access"),
        box.password_grant(scope="service.api service.other"),
        box.password_grant(password="wrong"),
        box.password_grant(username="nobody"),
        box.password_grant(grant_type="client_credentials"),
        box.token_request(scope="service.api"),
        box.token_request(("other", known["api_client_secret"]), grant_type="password"),
        box.token_request((known["api_client_id"], "other"), grant_type="password"),
        box.session.post(f"{box.info['auth_url']}/core/connect/token", data={"grant_type": "password"}),
        box.session.post(f"{box.info['auth_url']}/core/connect/token", json={"grant_type": "password"}),
    ]
    assert {answer.status_code for answer in answers} == {400}
    assert [answer.json()["error"] for answer in answers] == [
        "invalid_scope", "invalid_scope", "invalid_scope", "invalid_grant", "invalid_grant", "unsupported_grant_type",
        "invalid_request", "invalid_client", "invalid_client", "invalid_client", "invalid_request",
    ]  # fmt: skip
    assert box.process.state()["identity"]["granted"] == 0


def test_the_account_is_locked_after_wrong_passwords_in_a_row(box: Box) -> None:
    box.process.settings(identity={"lock_after": 2})
    assert box.password_grant(password="wrong").status_code == 400
    assert box.password_grant().status_code == 200
    for _ in range(2):
        box.password_grant(password="wrong")
    assert box.password_grant().json() == {"error": "invalid_grant"}
    assert box.process.state()["identity"]["locked"] is True
    box.process.reset()
    assert box.password_grant().status_code == 200


def test_form_values_are_decoded(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text('{"username": "a+b@example.com", "password": "p&q=r%41 s+ż", "api_client_secret": "x:y:ż"}')
    with SandboxProcess("--credentials", str(own)) as process:
        box = Box(process)
        assert box.password_grant().status_code == 200
        raw = "grant_type=password&scope=service.api&username=a+b@example.com&password=p"
        known = process.info["credentials"]
        answer = box.session.post(
            f"{process.info['auth_url']}/core/connect/token",
            data=raw,
            auth=(known["api_client_id"], known["api_client_secret"].encode().decode("latin-1")),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )
        assert answer.json() == {"error": "invalid_grant"}


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/core/connect/token", 405), ("POST", "/core/x", 404)])
def test_unknown_addresses_are_refused(box: Box, method: str, path: str, status: int) -> None:
    assert box.session.request(method, box.info["auth_url"] + path).status_code == status
