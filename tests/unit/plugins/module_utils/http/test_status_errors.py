# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an answer means: its kind of error, the service's own words, the number of the request."""

from __future__ import annotations

import itertools
import typing as t
from http.client import BadStatusLine, HTTPException, LineTooLong, UnknownTransferEncoding

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._http.http_errors import (
    cause_of,
    error_id,
    not_json,
    own_words,
    refusal,
    unusable_answer,
)
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import AddressSource, Request, Response
from ansible_collections.fcd.cloud.plugins.module_utils._http.retries import may_repeat

REQUEST = Request("Create instance", "POST", "https://api.example.com/beta/instances?canary", "write", json_answer=True)


def shown(text: str) -> str:
    return text


ANSWERS: list[tuple[t.Any, ...]] = [
    ({}, b'{"Message": "No."}', True),
    ({"www-authenticate": "Bearer"}, b"", True),
    ({}, b"", False),
    ({"retry-after": "1"}, b"Request blocked by policy.", False),
    ({}, b"<html><body>Too many requests</body></html>", False),
    ({}, b'{"statusCode": 429, "message": "Rate limit is exceeded."}', False),
]


def test_a_post_was_only_refused_for_certain_in_the_services_own_words(subtests: pytest.Subtests) -> None:
    """Something in front of it may say so after it was done, and then it must not be sent again.

    Too many requests are said to be not done, whoever says so; it is looked for before it is sent again.
    """
    for (headers, body, own), status in itertools.product(ANSWERS, (400, 401, 403, 409, 429, 498)):
        with subtests.test(headers=headers, body=body):
            answer = Response(status, headers, body)
            error = refusal(REQUEST._replace(method="POST", kind="write", json_answer=True), answer, shown)
            too_many = status in (429, 498)
            assert isinstance(error, errors.Rejected) is (own or too_many)
            assert type(error) is (errors.RateLimited if too_many else errors.Unclear) or own
            assert may_repeat("write", error) is (own and too_many)
            assert ("gateway" in error.details) is (too_many and not own)
            for harmless in (
                REQUEST._replace(method="PUT", kind="write"),
                REQUEST._replace(method="POST", kind="login"),
            ):
                assert isinstance(refusal(harmless, answer, shown), errors.Rejected)


SOAP_BODIES: list[tuple[t.Any, ...]] = [
    (
        b'<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault></s:Body></s:Envelope>',
        True,
    ),
    (b'<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault >x</s:Fault></s:Body>', True),
    (b'<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body><Fault><faultcode>', True),
    (b'{"Message": "No."}', False),
    (b"<html><body><Fault></body></html>", False),
    (b"", False),
]


def test_of_a_soap_service_only_a_fault_is_its_own_word(subtests: pytest.Subtests) -> None:
    for body, own in SOAP_BODIES:
        with subtests.test(body=body, own=own):
            error = refusal(REQUEST._replace(json_answer=False), Response(409, {}, body), shown)
            assert isinstance(error, errors.Conflict) is own
            assert type(error) is errors.Unclear or own


KINDS: list[tuple[t.Any, ...]] = [
    (300, errors.Unusable),
    (302, errors.Unusable),
    (304, errors.Unusable),
    (400, errors.Rejected),
    (401, errors.Unauthorized),
    (402, errors.Rejected),
    (403, errors.Forbidden),
    (404, errors.NotFound),
    (405, errors.Rejected),
    (408, errors.ServiceError),
    (409, errors.Conflict),
    (410, errors.NotFound),
    (412, errors.Rejected),
    (422, errors.Rejected),
    (429, errors.RateLimited),
    (498, errors.RateLimited),
    (499, errors.Rejected),
    (500, errors.ServiceError),
    (503, errors.ServiceError),
    (507, errors.ServiceError),
    (599, errors.ServiceError),
    (999, errors.ServiceError),
]


def test_kinds(subtests: pytest.Subtests) -> None:
    for status, kind in KINDS:
        with subtests.test(status=status, kind=kind):
            error = refusal(REQUEST, Response(status, {}, b'{"Message": "No."}', "r-1"), shown)
            assert type(error) is kind
            assert error.message == f"Create instance: HTTP {status}: No (request r-1)."
            assert error.details == {
                "operation": "Create instance",
                "status": status,
                "request_id": "r-1",
                "service_message": "No.",
            }


SOURCES = [AddressSource("base_url", "https://api.example.com/bet", "the address of the interface")]
ADVICE = "Check base_url (https://api.example.com/bet): it must be the address of the interface."


def test_a_path_that_the_service_always_has(subtests: pytest.Subtests) -> None:
    for status, fixed, advice in (
        (404, True, ADVICE),
        (405, True, ADVICE),
        (404, False, None),
        (409, True, "Another operation may run"),
        (400, True, ADVICE),
        (400, False, None),
    ):
        with subtests.test(status=status, fixed=fixed):
            address = "https://api.example.com/bet/instances"
            request = Request("List instances", "GET", address, fixed=fixed, json_answer=True)
            found = refusal(request, Response(status, {}, b"<html>"), shown, 0.0, SOURCES)
            assert (found.next_step or "").startswith(advice or "")
            assert bool(found.next_step) is bool(advice)


def test_what_is_no_json_names_the_option() -> None:
    request = Request("List instances", "GET", "https://api.example.com/bet/instances")
    assert not_json(request, Response(200, {}, b"<html>"), SOURCES).next_step == ADVICE


def test_without_words_the_status_speaks() -> None:
    assert refusal(REQUEST, Response(503, {}, b""), shown).message == "Create instance: HTTP 503: Service Unavailable."
    assert refusal(REQUEST, Response(999, {}, b"{}"), shown).message == "Create instance: HTTP 999: without a reason."


WORDS: list[tuple[t.Any, ...]] = [
    (b'{"Message": "Name is taken.", "ErrorId": 17}', "Name is taken."),
    (b'\xef\xbb\xbf{"Message": "With a mark."}', "With a mark."),
    (b' \n{"Message": "Behind a blank."}', "Behind a blank."),
    (b'{"error": "invalid_grant"}', "invalid_grant"),
    (b'{"error": "invalid_scope", "error_description": "not yours"}', "invalid_scope: not yours"),
    (b'{"Message": {"deep": 1}, "other": "member"}', None),
    (b'{"Message": ""}', None),
    (b"[1, 2]", "[1, 2]"),
    (b"{broken", "{broken"),
    (b"", None),
    (b" \n\t ", None),
    (b"plain\r\n\r\ntext \x00\x1b[31m!", "plain text [31m!"),
    (b"<html><h1>Not Found</h1><p>It is not there.</p></html>", "Not Found It is not there."),
    (
        b"<html><head><title>x</title></head><style>p {}</style><script>var a;</script><h1>502 Bad Gateway</h1>",
        "502 Bad Gateway",
    ),
    ("zażółć".encode(), "zażółć"),
    (b"\xff\xfe", "\ufffd\ufffd"),
    (b"x" * 400, "x" * 297 + "..."),
    (b'{"Message":' * 30000, ('{"Message":' * 30)[:297] + "..."),
]


def test_own_words(subtests: pytest.Subtests) -> None:
    for body, words in WORDS:
        with subtests.test(body=body, words=words):
            assert own_words(body, shown) == words


@given(st.binary(max_size=400))
def test_any_body_gives_one_short_printable_line(body: bytes) -> None:
    words = own_words(body, shown)
    assert words is None or (words.isprintable() and 0 < len(words) <= 300)


def test_secrets_are_hidden_before_the_words_are_cut() -> None:
    body = b"x" * 295 + b" canary-canary"
    words = own_words(body, lambda text: text.replace("canary-canary", "********"))
    assert words is not None
    assert "cana" not in words


NUMBERS: list[tuple[t.Any, ...]] = [
    (b'{"ErrorId": 17}', "17"),
    (b'{"ErrorId": "a-b"}', "a-b"),
    (b'{"ErrorId": ""}', None),
    (b"{}", None),
    (b"x", None),
]


def test_the_number_of_an_error(subtests: pytest.Subtests) -> None:
    for body, number in NUMBERS:
        with subtests.test(body=body, number=number):
            assert error_id(body) == number


LOCATIONS: list[tuple[t.Any, ...]] = [
    ("https://other.example.com/login?canary", "https://other.example.com"),
    ("//other.example.com:8443/", "https://other.example.com:8443"),
    ("/login", "https://api.example.com"),
    ("http://user:canary@[::1]/", "http://[::1]"),
    ("https://[::1/", "an unreadable address"),
]


def test_a_redirect_names_its_target(subtests: pytest.Subtests) -> None:
    for status, (location, target) in itertools.product((301, 302, 303, 307, 308), LOCATIONS):
        with subtests.test(status=status, location=location):
            error: t.Any = refusal(REQUEST, Response(status, {"location": location}, b""), shown)
            assert type(error) is errors.Unusable
            assert error.details["redirect"] == target
            assert target in error.message
            assert error.details["repeatable"] is False
            assert "canary" not in str(error.as_result())


PROBLEMS: list[tuple[t.Any, ...]] = [
    (HTTPException("got more than 100 headers"), " (it has more than 100 headers)"),
    (LineTooLong("header line"), " (a line of its head is longer than 65,536 bytes)"),
    (BadStatusLine("x"), " (it does not start with a status line)"),
    (UnknownTransferEncoding("x"), ""),
    (ValueError("invalid literal for int()"), " (a length in it cannot be right)"),
]


def test_what_is_not_http_is_told_in_plain_words(subtests: pytest.Subtests) -> None:
    for problem, words in PROBLEMS:
        with subtests.test(problem=problem, words=words):
            assert cause_of(problem).words == f"what it sent is not HTTP{words}"


def test_a_redirect_on_the_same_server_is_called_so(subtests: pytest.Subtests) -> None:
    for status, location in itertools.product(
        (307, 308), ("/beta/v2/?canary", "https://api.example.com/beta/v2/", "v2/#canary")
    ):
        with subtests.test(status=status, location=location):
            error = refusal(REQUEST, Response(status, {"location": location}, b""), shown)
            assert error.message == (
                f"{REQUEST.operation}: HTTP {status}: https://api.example.com redirects to the path /beta/v2/ on "
                "the same server; redirects are not followed."
            )
            assert errors.asks_elsewhere(error)


NO_JSON: list[tuple[t.Any, ...]] = [
    (b"", "it is empty"),
    (b"<html>", "it is an HTML page"),
    (b"\n<!DOCTYPE HTML PUBLIC>", "it is an HTML page"),
    (b'{"Items": [', "it is JSON that is cut off or broken"),
    (b"hello", "it is not JSON"),
]


def test_what_should_have_been_json(subtests: pytest.Subtests) -> None:
    for (body, words), (kind, error) in itertools.product(
        NO_JSON, (("read", errors.Unusable), ("write", errors.Unclear), ("login", errors.Unusable))
    ):
        with subtests.test(body=body, words=words):
            found = not_json(Request("Do it", "POST", "https://api.example.com", kind), Response(200, {}, body))
            assert type(found) is error
            assert words in found.message
            assert (found.next_step == errors.DOUBT) is (kind == "write")


def test_further_details() -> None:
    found = unusable_answer(REQUEST, Response(200, {}, b"", "r-1"), "it is odd", repeatable=False)
    assert found.details == {
        "operation": "Create instance",
        "status": 200,
        "request_id": "r-1",
        "repeatable": False,
    }


PAGES: list[tuple[t.Any, ...]] = [
    "<html><body>key: odd&lt;&amp;word&gt;x</body></html>",
    "<html><body>key: odd<&word>x</body></html>",
    "<html><body>key: <b>odd&#60;&amp;word&#62;x</b></body></html>",
]


def test_a_page_that_repeats_a_secret_is_quoted_without_it(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page=page):
            words = own_words(page.encode(), lambda text: text.replace("odd<&word>x", "********"))
            assert words == "key: ********"


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_503_that_says_when_to_come_again_was_not_done(method: str, waits: bool) -> None:
    """What would be done twice is looked for first, whoever says so; everything else may be repeated anyway."""
    answer = Response(503, {"retry-after": "7"} if waits else {}, b'{"Message": "Busy."}')
    error = refusal(REQUEST._replace(method=method, kind="write"), answer, shown)
    assert isinstance(error, errors.RateLimited) is ("gateway" in error.details) is (waits and method == "POST")
    assert not may_repeat("write", error)
    assert errors.outcome_unknown(error) is not isinstance(error, errors.RateLimited)
