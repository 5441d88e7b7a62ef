# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The identity server: what is sent, what is taken for a token, and what each refusal means."""

from __future__ import annotations

import json
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._connection.identity import Identity
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request, Response


class Exchange:
    """Answers every request with the same answer."""

    def __init__(self, status: int = 200, body: t.Any = b"", request_id: str | None = None) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answer = Response(status, {}, content, request_id)
        self.sent: list[Request] = []

    def send(self, request: Request, credentials: t.Any = None) -> Response:
        assert credentials is None
        self.sent.append(request)
        return self.answer


GOOD = {"access_token": "t1", "expires_in": 86400, "token_type": "Bearer"}


def identity(exchange: Exchange, auth_url: str = "https://auth.example.com") -> Identity:
    return Identity(t.cast("t.Any", exchange), auth_url, "client-1", "canary-secret")


def log_in(exchange: Exchange) -> dict[str, t.Any]:
    return identity(exchange).issue_token("somebody", "canary-password", "service.api")


@pytest.mark.parametrize("auth_url", ["https://auth.example.com", "https://auth.example.com/"])
def test_requests_for_a_token(auth_url: str) -> None:
    exchange = Exchange(200, GOOD)
    identity(exchange, auth_url).issue_token("somebody", "p&=+% ż", "service.api offline_access")
    identity(exchange, auth_url).refresh("r1")
    first, second = exchange.sent
    for request in (first, second):
        assert (request.method, request.url) == ("POST", "https://auth.example.com/core/connect/token")
        assert (request.kind, request.basic) == ("login", ("client-1", "canary-secret"))
        assert request.headers == {"Accept": "application/json"}
    assert first.form == {
        "grant_type": "password",
        "username": "somebody",
        "password": "p&=+% ż",
        "scope": "service.api offline_access",
    }
    assert second.form == {"grant_type": "refresh_token", "refresh_token": "r1"}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (GOOD, GOOD),
        ({**GOOD, "expires_in": "1086400"}, {**GOOD, "expires_in": 1086400}),
        ({**GOOD, "expires_in": 60.9}, {**GOOD, "expires_in": 60}),
        ({**GOOD, "expires_in": 0}, {**GOOD, "expires_in": None}),
        ({**GOOD, "expires_in": -5}, {**GOOD, "expires_in": None}),
        ({**GOOD, "expires_in": "soon"}, {**GOOD, "expires_in": None}),
        ({**GOOD, "expires_in": [1]}, {**GOOD, "expires_in": None}),
        ({**GOOD, "expires_in": 10**400}, {**GOOD, "expires_in": None}),
        ({**GOOD, "expires_in": "9" * 5000}, {**GOOD, "expires_in": None}),
        ({**GOOD, "refresh_token": "r" * 20_000}, GOOD),
        ({**GOOD, "refresh_token": {"r": 1}}, GOOD),
        ({"access_token": "t1"}, {**GOOD, "expires_in": None}),
        ({**GOOD, "token_type": None, "refresh_token": "r1"}, {**GOOD, "refresh_token": "r1"}),
    ],
)
def test_what_is_taken_for_a_token(answer: dict[str, t.Any], found: dict[str, t.Any]) -> None:
    assert log_in(Exchange(200, answer)) == found


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>log in</html>",
        b'{"access_token": "canary-to',
        {},
        [],
        "canary-token",
        {"access_token": None},
        {"access_token": ""},
        {"access_token": 5},
        {"access_token": "canary\r\nX-Injected: 1"},
        {"access_token": "canary token"},
        {"access_token": "canary-ż"},
        {"access_token": "canary" * 3000},
        {"error": "invalid_grant"},
    ],
)
def test_answer_without_a_token_is_refused(body: t.Any) -> None:
    with pytest.raises(errors.Unusable, match="contains no access_token") as caught:
        log_in(Exchange(200, body, "r-1"))
    assert caught.value.details == {"operation": "Issue a token", "status": 200, "request_id": "r-1"}
    assert "auth_url" in str(caught.value.next_step)
    assert "canary" not in str(caught.value.as_result())


@pytest.mark.parametrize("status", [400, 401, 403])
@pytest.mark.parametrize(
    ("code", "words", "next_step"),
    [
        ("invalid_client", "ID or secret is wrong", "api_client_id and api_client_secret"),
        ("invalid_grant", "or the account is locked", "do not simply retry"),
        ("unsupported_grant_type", "may not use this grant", "rights of the API client"),
        ("invalid_scope", "may not have this scope", "Check scope"),
    ],
)
def test_refusals(status: int, code: str, words: str, next_step: str) -> None:
    with pytest.raises(errors.Unauthorized, match=words) as caught:
        log_in(Exchange(status, {"error": code}, "r-1"))
    assert f"HTTP {status}" in caught.value.message
    assert f"({code})" in caught.value.message
    assert "r-1" in caught.value.message
    assert next_step in str(caught.value.next_step)
    assert caught.value.details["oauth_error"] == code


def test_a_refresh_token_that_is_used_up() -> None:
    with pytest.raises(errors.Unauthorized, match="the refresh token is wrong, used up or expired"):
        identity(Exchange(400, {"error": "invalid_grant"})).refresh("r1")


@pytest.mark.parametrize(
    ("status", "body", "kind", "words"),
    [
        (
            400,
            {"error": "invalid_request", "error_description": "twice"},
            errors.Rejected,
            "400\\): invalid_request\\.",
        ),
        (400, {"error": {"deep": 1}}, errors.Rejected, "no reason given"),
        (400, b"<h1>Bad Request</h1>", errors.Rejected, "no reason given"),
        (401, b"", errors.Unauthorized, "no reason given"),
        (403, {"Message": "Blocked"}, errors.Unauthorized, "no reason given"),
        (400, {"error": "x" * 5000}, errors.Rejected, "no reason given"),
        (400, {"error": "an odd word: pass"}, errors.Rejected, "no reason given"),
    ],
)
def test_refusals_that_nobody_knows(status: int, body: t.Any, kind: t.Any, words: str) -> None:
    with pytest.raises(errors.Rejected, match=words) as caught:
        log_in(Exchange(status, body))
    assert type(caught.value) is kind
    assert len(caught.value.message) < 400
    assert len(str(caught.value.details)) < 1000


@given(
    st.integers(200, 403),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["error", "access_token"]), inner),
        max_leaves=4,
    ),
)
def test_any_answer_is_a_token_or_an_error_of_ours(status: int, body: t.Any) -> None:
    try:
        found = log_in(Exchange(status, body))
    except errors.FcdError:
        return
    assert isinstance(found["access_token"], str)
    assert status < 300 or status not in (400, 401, 403)
