# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The log, the counts, the settings and the reset."""

from __future__ import annotations

import time

import pytest
import requests
from sandbox.process import SandboxProcess
from sandbox.recorder import KEPT, Recorder
from sandbox_box import Box


def test_a_line_of_the_log(box: Box) -> None:
    before = time.time()
    box.storage("PUT", "/c")
    box.storage("PUT", "/c/a%20b%3Fc?x=1", data=b"12345", headers={"x-object-meta-k": "v"})
    line = box.process.requests("storage")[-1]
    headers = line.pop("headers")
    assert before <= line.pop("time") <= time.time()
    assert line.pop("n") > 0
    assert line.pop("client_port") > 0
    assert line.pop("over") in (False, True)  # it ends when the answer has left, which may be after this question
    assert line == {
        "service": "storage",
        "method": "PUT",
        "path": f"/v1/{box.info['credentials']['storage_path']}/c/a%20b%3Fc",
        "query": "x=1",
        "operation": "PUT object",
        "write": True,
        "status": 201,
        "fault": None,
        "body_bytes": 5,
    }
    assert (headers["X-Object-Meta-K"], headers["X-Auth-Token"]) == ("v", box.token)


def test_a_request_without_an_answer_has_no_status(box: Box) -> None:
    box.process.fault("hang_before", service="rest", seconds=20)
    with pytest.raises(requests.Timeout):
        box.session.get(box.info["base_url"], timeout=0.2)
    [line] = box.process.requests("rest")
    assert (line["status"], line["fault"], line["over"]) == (None, "hang_before", False)


def test_since_and_service_choose_lines(box: Box) -> None:
    box.session.get(box.info["base_url"])
    first = box.process.requests()[-1]["n"]
    box.session.get(box.info["foreign_url"] + "/a")
    box.session.get(box.info["base_url"])
    assert [line["service"] for line in box.process.requests(since=first)] == ["foreign", "rest"]
    assert [line["n"] for line in box.process.requests("foreign")] == [first + 1]
    box.process.clear_requests()
    assert box.process.requests() == []
    box.session.get(box.info["base_url"])
    assert box.process.requests()[0]["n"] == first + 3


def test_counts_of_requests_writes_and_connections(box: Box) -> None:
    box.password_grant()
    box.storage("PUT", "/c")
    box.storage("PUT", "/c/o", data=b"1")
    box.storage("GET", "/c/o")
    box.storage("COPY", "/c/o", headers={"Destination": "c/p"})
    requests.get(box.info["foreign_url"], verify=box.info["ca_path"])
    requests.get(box.info["foreign_url"], verify=box.info["ca_path"])
    assert box.process.counts() == {
        "total": 8,
        "writes": 3,
        "by": {
            "foreign GET": 2,
            "identity POST": 1,
            "storage COPY object": 1,
            "storage GET auth": 1,
            "storage GET object": 1,
            "storage PUT container": 1,
            "storage PUT object": 1,
        },
        "connections": 4,
        "last": box.process.requests()[-1]["n"],
        "schema_violations": 0,
    }


def test_old_lines_are_dropped_but_counted() -> None:
    recorder = Recorder()
    environ = {"REQUEST_METHOD": "PUT", "RAW_PATH_INFO": "/", "REMOTE_PORT": "1", "headers_raw": ()}
    for number in range(KEPT + 10):
        recorder.begin("rest", {**environ, "sandbox.connection": number % 3})
    assert len(recorder.requests(None, 0)) == KEPT
    counts = recorder.counts()
    assert (counts["total"], counts["writes"], counts["connections"]) == (KEPT + 10, KEPT + 10, 3)
    assert counts["last"] == KEPT + 10
    assert counts["by"] == {"rest PUT": KEPT + 10}


def test_a_request_that_breaks_the_schema_is_a_violation(box: Box) -> None:
    assert box.password_grant().status_code == 200
    bearer = {"Authorization": f"Bearer {box.password_grant().json()['access_token']}"}
    answer = box.session.post(f"{box.info['base_url']}/instances", json={"InstanceName": 5}, headers=bearer)
    assert answer.status_code == 400
    [violation] = box.process.violations()
    assert (violation["service"], violation["method"], violation["side"]) == ("rest", "POST", "request")
    assert "InstanceName" in violation["text"]
    assert violation["n"] == box.process.requests("rest")[-1]["n"]
    assert box.process.counts()["schema_violations"] == 1


def test_settings_change_all_or_nothing(box: Box) -> None:
    with pytest.raises(ValueError, match="identity has no setting 'lifetime'; known are allowed_grants"):
        box.process.settings(storage={"info": False}, identity={"lifetime": 1})
    with pytest.raises(ValueError, match="unknown service 'idenity'; known are foreign, identity"):
        box.process.settings(idenity={})
    assert box.process.settings()["storage"]["info"] is True
    assert box.process.settings(storage={"info": False})["storage"]["info"] is False


def test_reset_goes_back_to_the_start(box: Box) -> None:
    box.process.reset()
    first = box.process.settings()
    state = box.process.state()
    box.process.settings(identity={"token_lifetime": 5, "allowed_scopes": []}, storage={"info": False})
    box.storage("PUT", "/c")
    box.password_grant()
    box.process.fault("drop_before")
    box.process.reset()
    assert box.process.settings() == first
    assert box.process.state() == state
    assert box.process.faults() == []
    assert box.process.counts()["total"] == 0
    assert box.storage("GET", "").status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Sandbox-Token": ""}, 401),
        ({"X-Sandbox-Token": "guessed"}, 401),
        ({"Host": "evil.example.com"}, 421),
        ({"Host": "localhost.evil.example.com:80"}, 421),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_control_is_for_those_who_have_its_token(box: Box, headers: dict[str, str], status: int) -> None:
    url, wish = f"{box.info['control_url']}/sandbox/faults", {"fault": "html"}
    given = {"X-Sandbox-Token": box.info["control_token"], **headers}
    assert requests.post(url, json=wish, headers=given, timeout=10).status_code == status
    assert box.process.faults() == []
    if status != 415:
        refused = requests.get(url.replace("faults", "info"), headers=given, timeout=10)
        assert (refused.status_code, box.info["credentials"]["password"] in refused.text) == (status, False)


@pytest.mark.full
def test_the_token_is_another_one_for_each_sandbox_and_no_variable_of_clients(box: Box) -> None:
    with SandboxProcess() as other:
        assert other.info["control_token"] != box.info["control_token"]
        assert other.info["control_token"] not in other.environment.values()


def test_control_tells_what_it_knows(box: Box) -> None:
    with pytest.raises(ValueError, match=r"404 .*GET /sandbox/counts"):
        box.process.control("GET", "nothing")
    with pytest.raises(ValueError, match=r"400 .*a JSON object is expected"):
        box.process.control("PATCH", "settings", [1])
