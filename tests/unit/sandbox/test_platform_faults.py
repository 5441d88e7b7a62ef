# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults do what they say, seen at the socket: what was done, what came back, how the connection ended."""

from __future__ import annotations

import json
import socket
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes
from types import SimpleNamespace
from typing import Any

import pytest
from sandbox.foreign import ForeignService
from sandbox.recorder import Recorder
from sandbox.service import Environ, StartResponse
from sandbox_box import Box, Seen

DATA = b"x" * 1000


def put(box: Box, fault: str, **wish: Any) -> Seen:
    """Arm a fault for one PUT of an object, and send it on a connection of its own."""
    box.storage("PUT", "/c")
    box.process.fault(fault, service="storage", method="PUT", **wish)
    seen = box.raw_put("/c/o", DATA)
    assert box.process.requests("storage")[-1]["fault"] == fault
    return seen


def get(box: Box, fault: str, **wish: Any) -> Seen:
    """Arm a fault for one GET of an object of 1000 bytes, and send it on a connection of its own."""
    box.storage("PUT", "/c")
    box.storage("PUT", "/c/o", data=DATA)
    box.process.fault(fault, service="storage", method="GET", **wish)
    path = f"/v1/{box.info['credentials']['storage_path']}/c/o"
    return box.raw_get("storage_base", path, X_Auth_Token=box.token, Connection="close")


@pytest.mark.parametrize(("fault", "done"), [("drop_before", False), ("drop_after", True)])
def test_drop_resets_without_a_byte(box: Box, fault: str, done: bool) -> None:
    seen = put(box, fault)
    assert (seen.data, seen.end) == (b"", "reset")
    assert box.exists("/c/o") is done


@pytest.mark.parametrize(("fault", "done"), [("hang_before", False), ("hang_after", True)])
def test_hang_is_silent_then_resets(box: Box, fault: str, done: bool) -> None:
    seen = put(box, fault, seconds=0.4)
    assert (seen.data, seen.end) == (b"", "reset")
    assert seen.seconds >= 0.4
    assert box.exists("/c/o") is done


def test_a_hanging_request_does_not_hold_up_others(box: Box) -> None:
    box.process.fault("hang_before", service="rest", seconds=30)
    with pytest.raises(OSError, match="timed out"):
        box.session.get(box.info["base_url"], timeout=0.1)
    assert box.session.get(box.info["base_url"], timeout=60).status_code == 401


@pytest.mark.parametrize(("fault", "done"), [("status_before", False), ("status_after", True)])
def test_status_answers_an_error_and_keeps_the_connection(box: Box, fault: str, done: bool) -> None:
    box.storage("PUT", "/c")
    box.process.fault(fault, method="PUT", status=504, body={"Message": "late"})
    answer = box.storage("PUT", "/c/o", data=DATA)
    assert (answer.status_code, answer.json()) == (504, {"Message": "late"})
    assert answer.headers["Content-Type"] == "application/json"
    assert box.exists("/c/o") is done
    assert box.process.counts()["connections"] == 1


def test_status_with_retry_after_text_and_type(box: Box) -> None:
    box.process.fault("status_before", status=429, retry_after=3, body="slow", content_type="text/x")
    answer = box.session.get(box.info["base_url"])
    assert (answer.status_code, answer.headers["Retry-After"], answer.headers["Content-Type"], answer.text) == (
        429, "3", "text/x", "slow",
    )  # fmt: skip
    assert box.process.requests("rest")[-1]["status"] == 429


def test_status_to_a_head_request_has_no_body(box: Box) -> None:
    box.process.fault("status_before", status=503, times=0)
    for _ in range(2):
        assert box.storage("HEAD", "/c", token="any").status_code == 503


def test_cut_sends_all_headers_and_half_of_the_body(box: Box) -> None:
    seen = get(box, "cut")
    assert "\r\nContent-Length: 1000\r\n" in seen.head
    assert seen.head.startswith("HTTP/1.1 200 OK\r\n")
    assert (seen.body, seen.end) == (DATA[:500], "closed")


def test_cut_of_an_answer_without_body_is_half_a_head(box: Box) -> None:
    seen = put(box, "cut")
    assert seen.data.startswith(b"HTTP/1.1 201 Created\r\n")
    assert b"\r\n\r\n" not in seen.data
    assert seen.end == "closed"
    assert box.exists("/c/o")


@pytest.mark.parametrize(("fault", "declared"), [("cut", "9"), ("cut_chunked", None)])
def test_cut_of_an_answer_that_comes_piece_by_piece(fault: str, declared: str | None) -> None:
    """No service answers so today: one made for this test does, over a pair of sockets."""
    with warnings.catch_warnings(action="ignore"):  # eventlet calls itself deprecated
        from sandbox.exchange import Exchange
        from sandbox.fault_effects import EFFECTS
    ours, theirs = socket.socketpair()

    class Pieces(ForeignService):
        def __call__(self, environ: Environ, start_response: StartResponse) -> Iterator[bytes]:
            start_response("200 OK", [("Content-Type", "text/plain")])
            yield from (b"123", b"456", b"789")

    source = SimpleNamespace(get_socket=lambda: theirs)
    environ: Environ = {"REQUEST_METHOD": "GET", "RAW_PATH_INFO": "/", "REMOTE_PORT": "1", "headers_raw": ()}
    environ |= {"sandbox.connection": 1, "eventlet.input": source}
    EFFECTS[fault].run(Exchange(Pieces(), environ, pytest.fail, Recorder()), {})
    with ours, theirs, ours.makefile("rb") as file:
        head, _, body = file.read().partition(b"\r\n\r\n")
    assert body == b"1234"
    assert message_from_bytes(head.partition(b"\r\n")[2])["Content-Length"] == declared


def test_cut_chunked_declares_nothing(box: Box) -> None:
    seen = get(box, "cut_chunked")
    assert "Connection: close" in seen.head
    assert "Content-Length" not in seen.head
    assert "Transfer-Encoding" not in seen.head
    assert (seen.body, seen.end) == (DATA[:500], "closed")


def test_html_does_nothing_and_says_200(box: Box) -> None:
    box.storage("PUT", "/c")
    box.process.fault("html", method="PUT")
    answer = box.storage("PUT", "/c/o", data=DATA)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert answer.text.startswith("<!DOCTYPE html>")
    assert not box.exists("/c/o")


@pytest.mark.parametrize("status", [302, 307, 308])
def test_redirect_leads_to_the_foreign_host_where_all_headers_are_seen(box: Box, status: int) -> None:
    box.storage("PUT", "/c")
    box.process.fault("redirect", method="PUT", status=status)
    answer = box.storage("PUT", "/c/o?a=b%20c", data=DATA, allow_redirects=False)
    assert answer.status_code == status
    where = answer.headers["Location"]
    assert where == f"{box.info['foreign_url']}/v1/{box.info['credentials']['storage_path']}/c/o?a=b%20c"
    assert not box.exists("/c/o")
    assert box.process.requests("foreign") == []
    followed = box.session.post(where, data=b"abc", headers={"x-auth-token": "leaked", "Cookie": "a=1"})
    assert (followed.status_code, followed.json()) == (200, {})
    [leak] = box.process.requests("foreign")
    assert leak["headers"]["X-Auth-Token"] == "leaked"
    assert leak["headers"]["Cookie"] == "a=1"
    assert (leak["method"], leak["query"], leak["body_bytes"], leak["write"]) == ("POST", "a=b%20c", 3, False)


def test_drip_sends_the_body_slowly(box: Box) -> None:
    seen = get(box, "drip", bytes_per_second=2000)
    assert seen.body == DATA
    assert seen.seconds >= 0.4


def test_drip_is_one_byte_a_second_by_default(box: Box) -> None:
    box.process.fault("drip")
    path = "/core/nothing"
    with pytest.raises(OSError, match="timed out"):
        box.session.get(box.info["auth_url"] + path, timeout=0.3).json()
    assert box.process.faults()[0]["bytes_per_second"] == 1


def test_drip_headers_sends_the_head_slowly(box: Box) -> None:
    seen = get(box, "drip_headers", bytes_per_second=1000)
    assert seen.body == DATA
    assert seen.head.startswith("HTTP/1.1 200 OK\r\n")
    assert seen.seconds >= 0.15


def test_delay_serves_normally(box: Box) -> None:
    seen = get(box, "delay", seconds=0.3)
    assert seen.body == DATA
    assert seen.moments[0] >= 0.3


def test_a_delayed_request_does_nothing_after_a_reset(box: Box) -> None:
    box.storage("PUT", "/c")
    box.process.fault("delay", method="PUT", seconds=0.3)
    with pytest.raises(OSError, match="timed out"):
        box.storage("PUT", "/c/o", data=DATA, timeout=0.1)
    box.process.reset()
    fresh = Box(box.process)
    fresh.storage("PUT", "/c")
    box.process.fault("hang_before", service="foreign", seconds=0.4)
    assert box.raw_get("foreign_url", "/").end == "reset"
    assert not fresh.exists("/c/o")


def test_hold_keeps_requests_until_so_many_are_held(box: Box) -> None:
    box.process.fault("hold", service="foreign", times=0, number=2)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(box.raw_get, "foreign_url", "/a", Connection="close")
        while not box.process.requests("foreign"):
            pass
        assert not first.done()
        assert box.raw_get("foreign_url", "/b", Connection="close").head.startswith("HTTP/1.1 200")
        assert first.result().head.startswith("HTTP/1.1 200")
    assert box.raw_get("foreign_url", "/c", Connection="close").head.startswith("HTTP/1.1 200"), "later ones pass"


def test_hold_ends_with_the_faults(box: Box) -> None:
    box.process.fault("hold", service="foreign")
    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(box.raw_get, "foreign_url", "/a", Connection="close")
        while not box.process.requests("foreign"):
            pass
        assert box.process.requests("foreign")[0]["over"] is False
        box.process.clear_faults()
        assert held.result().head.startswith("HTTP/1.1 200")


def test_oversize_is_valid_json_of_that_size(box: Box) -> None:
    box.process.fault("oversize", mebibytes=3, declared=True)
    answer = box.session.get(box.info["base_url"])
    assert len(answer.content) == int(answer.headers["Content-Length"])
    assert 2.9 * (1 << 20) < len(answer.content) <= 3.1 * (1 << 20)
    assert len(json.loads(answer.content)["Items"]) > 2000
    box.process.fault("oversize", mebibytes=1)
    answer = box.session.get(box.info["base_url"])
    assert answer.headers["Transfer-Encoding"] == "chunked"
    assert json.loads(answer.content)


def test_oversize_speaks_the_language_of_the_service(box: Box) -> None:
    box.process.fault("oversize", mebibytes=1, times=0)
    assert box.session.get(box.info["soap_wsdl"]).headers["Content-Type"].startswith("application/soap+xml")
    assert box.storage("GET", "/c/o", token="any").headers["Content-Type"] == "application/octet-stream"


def statuses(box: Box, count: int) -> list[int]:
    return [box.session.get(f"{box.info['base_url']}/dictionaries/?a=1").status_code for _ in range(count)]


def test_skip_and_times_count_matching_requests_only(box: Box) -> None:
    box.process.fault("status_before", service="rest", path=r"/dictionaries/\?a=1$", skip=1, times=2, status=418)
    box.session.get(box.info["base_url"] + "/instances")
    assert statuses(box, 5) == [401, 418, 418, 401, 401]
    [shown] = box.process.faults()
    assert (shown["matched"], shown["used"]) == (3, 2)


def test_times_0_is_always_and_only_the_first_that_strikes_counts(box: Box) -> None:
    box.process.fault("status_before", status=418)
    box.process.fault("status_before", status=419, times=0)
    assert statuses(box, 3) == [418, 419, 419]
    box.process.clear_faults()
    assert statuses(box, 1) == [401]


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Type": 'application/soap+xml; charset=utf-8; action="urn:x/ICommon/GetUsers"'}, b"<e/>"),
        ({"Content-Type": "text/xml", "SOAPAction": '"urn:x/ICommon/GetUsers"'}, b"<e/>"),
        (
            {"Content-Type": "application/soap+xml"},
            b'<s:Header><a:Action s:mustUnderstand="1">urn:x/ICommon/GetUsers</a:Action></s:Header>',
        ),
    ],
)
def test_the_operation_of_soap_is_known_before_the_service_sees_it(
    box: Box, headers: dict[str, str], body: bytes
) -> None:
    box.process.fault("status_before", operation="^GetUsers$", status=418)
    other = {"Content-Type": 'application/soap+xml; action="urn:x/ICommon/GetUser"'}
    assert box.session.post(box.info["soap_url"], body, headers=other).status_code != 418
    assert box.session.post(box.info["soap_url"], body, headers=headers).status_code == 418
    assert box.process.requests("soap")[-1]["operation"] == "GetUsers"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"fault": "explode"}, "unknown fault 'explode'; known are cut"),
        ({"fault": "delay", "second": 1}, "unknown parameters second; this fault knows: seconds"),
        ({"fault": "delay", "seconds": "1"}, "seconds must be int or float"),
        ({"fault": "delay", "seconds": True}, "seconds must be int or float"),
        ({"fault": "delay", "path": "("}, "path: no regular expression"),
        ({"fault": "delay", "times": -1}, "times must be a whole number"),
        ({"fault": "delay", "service": "rst"}, "unknown service 'rst'"),
    ],
)
def test_a_wrong_wish_is_refused_and_arms_nothing(box: Box, wish: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        box.process.control("POST", "faults", wish)
    assert box.process.faults() == []
