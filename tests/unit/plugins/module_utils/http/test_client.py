# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The exchange: one way there and back, the outcomes, and what is sent again."""

from __future__ import annotations

import base64
import builtins
import json
import sys
import typing as t
from email.utils import formatdate

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._http import requests_adapter, retries
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Request, Response
from ansible_collections.fcd.cloud.plugins.module_utils._http.requests_adapter import RequestsAdapter, preload_requests

from .conftest import PASSWORD, Senders

URL = "https://api.example.com/beta/things"
OWN_WORDS = {"Message": "No."}


@pytest.fixture
def net() -> t.Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock


@pytest.fixture(autouse=True)
def longest_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries.random, "random", lambda: 1.0)
    monkeypatch.setattr(retries.pause, "__defaults__", (lambda: 1.0,))


def get(**more: t.Any) -> Request:
    return Request("List things", "GET", URL, "read", json_answer=True, **more)


def post(**more: t.Any) -> Request:
    return Request("Create thing", "POST", URL, "write", json={"Name": "a"}, json_answer=True, **more)


class Bearer:
    """Credentials with a list of tokens."""

    advice = "Ask somebody."

    def __init__(self, *tokens: str) -> None:
        self.tokens = list(tokens)
        self.renewed = 0

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[0]}"}

    def renew(self) -> bool:
        self.renewed += 1
        if len(self.tokens) < 2:
            return False
        self.tokens.pop(0)
        return True


def sent(net: responses.RequestsMock) -> list[t.Any]:
    return [call.request for call in net.calls]


def test_there_and_back(net: responses.RequestsMock, sender: Senders) -> None:
    net.post(URL, json={"Id": 5}, headers={"X-Request-Id": "r-1", "X-Mixed-CASE": "v"}, status=201)
    answer = sender().send(post(params={"deep": True}, headers={"X-Own": "ż"}), Bearer("t1"))
    (request,) = sent(net)
    assert (request.method, request.url) == ("POST", URL + "?deep=true")
    assert dict(request.headers) == {
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
        "Content-Type": "application/json",
        "Content-Length": "13",
        "X-Own": "ż".encode(),
        "User-Agent": "fcd.cloud/0 (test)",
        "Authorization": "Bearer t1",
    }
    assert json.loads(request.body) == {"Name": "a"}
    assert (answer.status, answer.json(), answer.request_id) == (201, {"Id": 5}, "r-1")
    assert answer.headers["x-mixed-case"] == "v"
    assert answer.json() is answer.json()


def test_basic_takes_any_password(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, json={})
    sender().send(get(basic=("user", PASSWORD)))
    value = sent(net)[0].headers["Authorization"]
    assert base64.b64decode(value[6:]).decode("utf-8") == "user:" + PASSWORD
    assert value[6:] in sender.redactor.secrets


@pytest.mark.parametrize("name", ["X-Request-Id", "X-Trans-Id", "X-Openstack-Request-Id"])
def test_the_number_of_a_request(name: str, net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, json={"Message": "no"}, status=404, headers={name: "r" * 200})
    with pytest.raises(errors.NotFound) as caught:
        sender().send(get())
    assert caught.value.details["request_id"] == "r" * 100


def test_the_number_of_an_error(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, json={"Message": "no", "ErrorId": 17}, status=404)
    with pytest.raises(errors.NotFound, match=r"List things: HTTP 404: no \(request 17\)\."):
        sender().send(get())


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.Rejected),
        (402, errors.Rejected),
        (403, errors.Forbidden),
        (404, errors.NotFound),
        (409, errors.Conflict),
    ],
)
@pytest.mark.parametrize("request_", [get(), post()], ids=["read", "write"])
def test_a_refusal_is_sent_once(
    status: int, kind: t.Any, request_: Request, net: responses.RequestsMock, sender: Senders
) -> None:
    net.add(request_.method, URL, json={"Message": "no"}, status=status)
    with pytest.raises(kind):
        sender().send(request_, Bearer("t1", "t2"))
    assert len(net.calls) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_read_is_sent_again_and_shown(status: int, net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, body="<h1>sorry</h1>", status=status)
    net.get(URL, body="<h1>sorry</h1>", status=status)
    net.get(URL, json={"Items": []})
    assert sender().send(get()).status == 200
    assert sender.clock.pauses == [1.0, 2.0]  # type: ignore[attr-defined]
    assert sender.warnings == [
        f"List things: HTTP {status}: sorry. Trying again in 1.0 s (1 of 3).",
        f"List things: HTTP {status}: sorry. Trying again in 2.0 s (2 of 3).",
    ]


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504])
def test_a_write_is_not_sent_again(status: int, net: responses.RequestsMock, sender: Senders) -> None:
    net.post(URL, json={"Message": "no"}, status=status, headers={"Retry-After": "1"})
    with pytest.raises(errors.ServiceError) as caught:
        sender().send(post())
    assert type(caught.value) is (errors.RateLimited if status == 503 else errors.ServiceError)
    assert (len(net.calls), sender.warnings) == (1, [])


@pytest.mark.parametrize("kind", ["read", "write", "idempotent", "login"])
def test_too_many_requests(kind: str, net: responses.RequestsMock, sender: Senders) -> None:
    net.post(URL, status=429, json=OWN_WORDS, headers={"Retry-After": "3"})
    net.post(URL, status=429, json=OWN_WORDS, headers={"Retry-After": formatdate(sender.clock.now() + 10, usegmt=True)})
    net.post(URL, status=429, json=OWN_WORDS)
    net.post(URL, json={})
    sender().send(Request("Do it", "POST", URL, kind, json_answer=True))
    assert sender.clock.pauses == [3.0, 7.0, 4.0]  # type: ignore[attr-defined]


def test_a_wish_that_does_not_fit_ends_it_at_once(net: responses.RequestsMock, sender: Senders) -> None:
    net.post(URL, status=429, json=OWN_WORDS, headers={"Retry-After": "600"})
    with pytest.raises(errors.RateLimited, match=r"a pause of 60\.0 s does not fit into this call") as caught:
        sender(timeout=30.0).send(post())
    assert sender.clock.pauses == []  # type: ignore[attr-defined]
    assert caught.value.details["retry_after"] == 600.0


def test_the_last_error_says_how_often(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, status=503)
    with pytest.raises(errors.ServiceError, match=r"HTTP 503: Service Unavailable\. It was tried 3 times\."):
        sender(retries=2).send(get())
    assert len(net.calls) == 3


def test_no_repetition_on_request(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, status=503)
    with pytest.raises(errors.ServiceError, match=r"HTTP 503: Service Unavailable\.$"):
        sender(retries=0).send(get())
    assert len(net.calls) == 1


def test_the_end_of_the_task_is_the_end_of_repetitions(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, status=503)
    with pytest.raises(errors.ServiceError, match=r"does not fit into this task"):
        sender(task=2.5).send(get())
    assert sender.clock.pauses == [1.0]  # type: ignore[attr-defined]


def test_a_task_repeats_so_often_and_no_more(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, status=503)
    exchange = sender(timeout=6000.0, retries=100)
    with pytest.raises(errors.ServiceError, match="this task has retried too many requests"):
        exchange.send(get())
    assert len(net.calls) == 21
    with pytest.raises(errors.ServiceError, match="too many"):
        exchange.send(get())
    assert len(net.calls) == 22
    net.replace("GET", URL, json={})
    exchange.send(get())  # gives one back
    exchange.send(get())
    net.replace("GET", URL, status=503)
    with pytest.raises(errors.ServiceError, match="too many"):
        exchange.send(get())
    assert len(net.calls) == 27


@pytest.mark.parametrize(
    "body",
    ["<html><body>Log in</body></html>", '{"Items": [', "", "[" * 100_000, '{"Id": 1e999999}', "[NaN]", "-Infinity"],
)
def test_a_good_status_with_a_useless_body(body: str, net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, body=body)
    net.post(URL, body=body)
    with pytest.raises(errors.Unusable, match=r"cannot be used.*It was tried 4 times"):
        sender().send(get())
    assert len(net.calls) == 4
    with pytest.raises(errors.Unclear, match=r"\. It is not known whether it was done\.$"):
        sender().send(post())
    assert len(net.calls) == 5


def test_an_empty_answer_where_that_is_right(net: responses.RequestsMock, sender: Senders) -> None:
    net.post(URL, body=" \n")
    assert sender().send(post(empty_ok=True)).json() is None


def test_null_is_json(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, body="null")
    assert sender().send(get()).json() is None


def test_without_the_wish_for_json_anything_goes(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, body="hello")
    answer = sender().send(Request("Get it", "GET", URL))
    assert answer.body == b"hello"
    assert sent(net)[0].headers["Accept"] == "*/*"
    with pytest.raises(ValueError):
        answer.json()


def test_json_in_a_nesting_that_nobody_can_read() -> None:
    for body in (b"[" * 200_000, b'{"a":[' * 50 + b"[]" + b"]}" * 50):
        with pytest.raises(ValueError, match=r"^JSON that is nested more than 100 levels deep$"):
            Response(200, {}, body).json()
    assert Response(200, {}, b'{"a":[' * 50 + b"1" + b"]}" * 50).json()


def test_an_answer_in_a_nesting_that_nobody_can_read(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, body=b"[" * 900 + b"]" * 900)
    with pytest.raises(errors.Unusable, match=r"cannot be used: it is JSON that is nested more than 100 levels deep"):
        sender().send(get())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("request_", [get(), post()], ids=["read", "write"])
def test_a_redirect_is_not_followed(
    status: int, request_: Request, net: responses.RequestsMock, sender: Senders
) -> None:
    net.add(request_.method, URL, status=status, headers={"Location": "https://other.example.com/x?y"})
    with pytest.raises(errors.Unusable, match=r"https://other\.example\.com") as caught:
        sender().send(request_, Bearer("t1"))
    assert caught.value.details["redirect"] == "https://other.example.com"
    assert len(net.calls) == 1


def test_statuses_that_the_caller_takes(net: responses.RequestsMock, sender: Senders) -> None:
    for status in (404, 500, 401):
        net.get(URL, status=status, body="no json")
        answer = sender().send(get(accept_statuses={404, 500, 401}), Bearer("t1", "t2"))
        assert (answer.status, answer.body) == (status, b"no json")
        net.remove("GET", URL)


def test_a_refused_token_is_renewed_once(net: responses.RequestsMock, sender: Senders) -> None:
    net.post(URL, status=401, headers={"WWW-Authenticate": "Bearer"})
    net.post(URL, json={})
    bearer = Bearer("t1", "t2", "t3")
    sender().send(post(), bearer)
    assert [request.headers["Authorization"] for request in sent(net)] == ["Bearer t1", "Bearer t2"]
    assert (bearer.renewed, sender.warnings) == (1, [])


def test_a_new_token_that_is_refused_too(net: responses.RequestsMock, sender: Senders) -> None:
    net.post(URL, status=401, json={"Message": "expired"})
    with pytest.raises(errors.Unauthorized, match="expired") as caught:
        sender().send(post(), Bearer("t1", "t2", "t3"))
    assert (len(net.calls), caught.value.next_step) == (2, "Ask somebody.")


@pytest.mark.parametrize("bearer", [None, Bearer("only")], ids=["none", "one"])
def test_no_other_token(bearer: Bearer | None, net: responses.RequestsMock, sender: Senders) -> None:
    net.post(URL, status=401, json=OWN_WORDS)
    with pytest.raises(errors.Unauthorized) as caught:
        sender().send(post(), bearer)
    assert len(net.calls) == 1
    assert caught.value.next_step == ("Ask somebody." if bearer else "Check the credentials.")


def test_what_an_earlier_attempt_may_have_changed_is_told(sender: Senders, serve: t.Any) -> None:
    class Expiring(Bearer):
        def headers(self) -> dict[str, str]:
            if server.requests:
                raise errors.Unauthorized("Log in: refused.")
            return super().headers()

    server = serve(lambda visit: visit.read() and None)
    with pytest.raises(errors.Unauthorized, match="Log in: refused") as raised:
        sender().send(Request("Store", "PUT", server.url, "idempotent"), Expiring("t1"))
    assert errors.has_changed(raised.value)


def test_a_log_in_that_was_refused_is_not_repeated(sender: Senders) -> None:
    class Refused(Bearer):
        def headers(self) -> dict[str, str]:
            raise errors.Unauthorized("Log in: refused.")

    bearer = Refused("t1", "t2")
    with pytest.raises(errors.Unauthorized, match="Log in: refused"):
        sender().send(get(), bearer)
    assert bearer.renewed == 0


def test_secrets_do_not_come_back(net: responses.RequestsMock, sender: Senders) -> None:
    pair = base64.b64encode(f"user:{PASSWORD}".encode()).decode()
    net.get(URL, status=503, json={"Message": f"You sent {PASSWORD} and Basic {pair}"})
    with pytest.raises(errors.ServiceError) as caught:
        sender().send(get(basic=("user", PASSWORD)))
    for text in (str(caught.value.as_result()), *sender.warnings):
        assert PASSWORD not in text
        assert pair not in text
        assert "********" in text


@pytest.mark.parametrize("url", ["http://api.example.com/x", "ftp://a/b", "https://user:canary@api.example.com"])
def test_an_address_that_is_refused(url: str, net: responses.RequestsMock, sender: Senders) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        sender().send(Request("Get it", "GET", url), Bearer("t1"))
    assert "canary" not in str(caught.value)
    assert len(net.calls) == 0


def test_headers_in_utf8(net: responses.RequestsMock, sender: Senders) -> None:
    net.get(URL, json={}, headers={"X-Meta": "ż".encode().decode("latin-1"), "X-Latin": "\xe9"})
    answer = sender().send(get())
    assert (answer.headers["x-meta"], answer.headers["x-latin"]) == ("ż", "\xe9")


def test_without_requests_the_way_to_install_it_is_told(sender: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "requests", None)
    with pytest.raises(errors.MissingLibrary, match="-m pip install requests"):
        sender().send(get())
    preload_requests()


def test_preload_imports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    desired: list[str] = []
    real = builtins.__import__

    def noted(name: str, *args: t.Any, **more: t.Any) -> t.Any:
        desired.append(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", noted)
    preload_requests()
    monkeypatch.undo()
    assert "requests" in desired


def test_adapters_are_kept_apart_by_what_they_trust(sender: Senders) -> None:
    first, second = RequestsAdapter(verify=True), RequestsAdapter(verify="/some/ca.pem")
    assert first._adapter() is RequestsAdapter(verify=True)._adapter()
    assert first._adapter() is not second._adapter()
    assert len(requests_adapter._ADAPTERS) == 2
