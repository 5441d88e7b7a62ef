# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source for pushes: what it lets through, and what it refuses before and after it has read a body."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import socket
import subprocess
import time
import typing as t
from pathlib import Path

import pytest
import yaml

from pipelines.conftest import EXTENSIONS, loaded

SOURCE = EXTENSIONS / "eda" / "plugins" / "event_source" / "push.py"
push = loaded("push_source", SOURCE)
SECRET = "a-secret-of-the-webhook"
START = 1_000_000.0
NOW = START + 1_000
COMMIT = "0123456789abcdef0123456789abcdef01234567"
EVENT = {"push": {"ref": "refs/heads/main", "commit": COMMIT}}
Request = t.Tuple[t.Dict[str, str], bytes]


def github(secret: str = SECRET, pushed_at: t.Any = NOW, **more: t.Any) -> Request:
    """Return a push as GitHub signs it."""
    about = {"pushed_at": int(pushed_at) if isinstance(pushed_at, float) else pushed_at}
    body = json.dumps({"ref": "refs/heads/main", "after": COMMIT, "repository": about, **more}).encode()
    return {"x-hub-signature-256": f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"}, body


def standard(key: bytes = SECRET.encode(), pushed_at: t.Any = NOW, **more: t.Any) -> Request:
    """Return a push as the Standard Webhooks sign it, with an older signature beside the right one."""
    body = json.dumps({"ref": "refs/heads/main", "after": COMMIT, **more}).encode()
    moment = str(int(pushed_at)) if isinstance(pushed_at, float) else str(pushed_at)
    digest = hmac.new(key, f"msg_1.{moment}.".encode() + body, hashlib.sha256).digest()
    signatures = f"v1,AAAA v1,{base64.b64encode(digest).decode()}"
    return {"webhook-id": "msg_1", "webhook-timestamp": moment, "webhook-signature": signatures}, body


MAKERS = pytest.mark.parametrize("make", [github, standard], ids=["github", "standard"])


def gate(**options: t.Any) -> t.Any:
    return push.Gate(push.wish({"port": 5000, "secret": SECRET, **options}), START)


def status(where: t.Any, request: Request, now: float = NOW) -> int:
    """Return what a request is answered with, 202 for one that counts and 200 for one that is no push."""
    try:
        where.admit(request[0], len(request[1]))
        found = where.event(*request, now)
    except push.Refused as refusal:
        return int(refusal.status)
    assert found in (EVENT, None)
    return 202 if found else 200


@MAKERS
def test_a_signed_and_fresh_push_is_an_event(make: t.Any) -> None:
    assert gate().event(*make(), NOW) == EVENT


@MAKERS
def test_a_wrong_signature_is_refused(make: t.Any) -> None:
    where = gate()
    headers, body = make()
    (name,) = {"x-hub-signature-256", "webhook-signature"} & set(headers)
    others = github(SECRET + "x") if make is github else standard(SECRET.encode() + b"x")
    for wrong in ("", "sha256=", "v1,", "sha256=\udcff", others[0][name], headers[name].upper(), headers[name][:-1]):
        assert status(where, ({**headers, name: wrong}, body)) == 401, wrong
    assert status(where, (headers, body + b" ")) == 401
    assert status(where, (headers, body)) == 202


def test_what_is_signed_cannot_be_changed() -> None:
    headers, body = standard(pushed_at=NOW - 400)
    where = gate()
    assert status(where, (headers, body)) == 401
    assert status(where, ({**headers, "webhook-timestamp": str(int(NOW))}, body)) == 401
    assert status(where, ({**headers, "webhook-id": "msg_2"}, body)) == 401


@MAKERS
@pytest.mark.parametrize(
    ("pushed_at", "expected"),
    [
        *((NOW - 301, 401), (NOW + 301, 401), (NOW - 299, 202), (NOW + 299, 202), (0, 401)),
        *((None, 401), ("", 401), ("soon", 401), ("-1", 401), ("1e9", 401), (True, 401)),
    ],
)
def test_a_time_too_far_from_now_is_refused(make: t.Any, pushed_at: t.Any, expected: int) -> None:
    assert status(gate(), make(pushed_at=pushed_at)) == expected


def test_a_header_cannot_tell_the_time_of_what_github_signed() -> None:
    headers, body = github(pushed_at=NOW - 400)
    assert status(gate(), ({**headers, "webhook-timestamp": str(int(NOW)), "webhook-id": "x"}, body)) == 401


@MAKERS
def test_a_replay_is_refused_whatever_stands_around_it(make: t.Any) -> None:
    where = gate()
    headers, body = make()
    assert status(where, (headers, body)) == 202
    assert status(where, (headers, body), NOW + 299) == 409
    (name,) = {"x-hub-signature-256", "webhook-signature"} & set(headers)
    assert status(where, ({**headers, name: headers[name] + (" v1,BBBB" if make is standard else "")}, body)) == 409
    assert status(where, (headers, body), NOW + 301) == 401
    assert status(where, make(extra=1)) == 202


@MAKERS
def test_a_replay_after_a_new_start_is_refused(make: t.Any) -> None:
    desired = push.wish({"port": 5000, "secret": SECRET})
    assert status(push.Gate(desired, NOW + 1), make(), NOW + 2) == 401
    assert status(push.Gate(desired, NOW + 0.9), make(), NOW + 2) == 202


def test_what_it_remembers_does_not_grow() -> None:
    where = gate(window=10)
    for second in range(100):
        assert status(where, github(pushed_at=NOW + second), NOW + second) == 202
    assert len(where._seen) == 11


@pytest.mark.parametrize(
    ("headers", "length", "expected"),
    [
        ({}, 10, 401),
        ({"x-gitlab-token": SECRET}, 10, 401),
        ({"authorization": f"Bearer {SECRET}"}, 10, 401),
        ({"webhook-signature": "v1,AAAA"}, None, 411),
        ({"webhook-signature": "v1,AAAA"}, 1025, 413),
        ({}, 10**12, 413),
    ],
)
def test_without_a_signature_or_too_large_is_refused_before_the_body(
    headers: dict[str, str], length: int | None, expected: int
) -> None:
    with pytest.raises(push.Refused) as refusal:
        gate(max_body=1024).admit(headers, length)
    assert refusal.value.status == expected


@pytest.mark.parametrize(
    "content",
    [
        {"ref": "refs/tags/v1"},
        {"ref": "refs/heads/{{ lookup('pipe', 'id') }}"},
        {"ref": ["refs/heads/main"]},
        {"after": "0" * 40},
        {"after": "main"},
        {"after": COMMIT + "\n"},
        {"after": None},
    ],
)
@MAKERS
def test_what_names_no_pushed_branch_is_no_event(make: t.Any, content: t.Any) -> None:
    assert status(gate(), make(**content)) == 200


def test_the_ping_of_a_new_webhook_is_no_event() -> None:
    body = b'{"zen": "Keep it logically awesome.", "repository": {"pushed_at": "2026-11-20T10:00:00Z"}}'
    headers = {"x-hub-signature-256": f"sha256={hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()}"}
    assert status(gate(), (headers, body)) == 200
    nothing = hmac.new(SECRET.encode(), b"x", hashlib.sha256).hexdigest()
    assert status(gate(), ({"x-hub-signature-256": f"sha256={nothing}"}, b"x")) == 400


def test_a_standard_secret_is_decoded() -> None:
    key = b"k" * 24
    where = gate(secret=f"whsec_{base64.b64encode(key).decode()}")
    assert status(where, standard(key)) == 202


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"port": 1}, "secret is missing or has fewer than 16 characters"),
        ({"port": 1, "secret": ""}, "secret is missing"),
        ({"port": 1, "secret": "0123456789abcde"}, "secret is missing or has fewer"),
        ({"port": 1, "secret": "whsec_no base64 at all"}, "what follows is no base64"),
        ({"secret": SECRET}, "port is None, not a number above 0"),
        ({"port": 70000, "secret": SECRET}, "port is 70000"),
        ({"port": 1, "secret": SECRET, "window": "long"}, "window is 'long'"),
        ({"port": 1, "secret": SECRET, "window": float("inf")}, "window is inf"),
        ({"port": 1, "secret": SECRET, "max_body": 0}, "max_body is 0"),
        ({"port": 1, "secret": SECRET, "token": "x"}, "unknown option token; there are host, port, secret"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(args: dict[str, t.Any], told: str) -> None:
    with pytest.raises(ValueError) as failure:
        push.wish(args)
    assert told in str(failure.value)
    assert "\n" not in str(failure.value)
    assert SECRET not in str(failure.value)


def test_options_are_the_documented_ones() -> None:
    options = yaml.safe_load(push.DOCUMENTATION)["options"]
    assert tuple(options) == push.OPTIONS == push.Wish._fields
    defaults = push.wish({"port": "5000", "secret": SECRET, "eda_feedback_queue": None})
    assert defaults == ("127.0.0.1", 5000, SECRET, options["window"]["default"], options["max_body"]["default"])
    (example,) = yaml.safe_load(push.EXAMPLES)
    assert set(example["fcd.cloud.push"]) <= set(options)


RUNS = """
import asyncio, importlib.util, json, sys
spec = importlib.util.spec_from_file_location("push", sys.argv[1])
push = importlib.util.module_from_spec(spec)
spec.loader.exec_module(push)
class Printed(asyncio.Queue):
    async def put(self, event):
        print(json.dumps(event), flush=True)
async def both():
    await push.main(Printed(), json.loads(sys.argv[2]))
asyncio.run(both())
"""


class Listening:
    """The source in a process of its own, with the libraries of ansible-rulebook."""

    def __init__(self, programs: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        options = json.dumps({"port": self.port, "secret": SECRET, "max_body": 4096})
        command = [str(programs / "python"), "-c", RUNS, str(SOURCE), options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end
            time.sleep(0.05)

    def send(self, headers: dict[str, str], body: bytes) -> int:
        """Send exactly this; return the status of the answer."""
        lines = ["POST /site HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers.items())]
        with socket.create_connection(("127.0.0.1", self.port), 20) as wire:
            wire.sendall("\r\n".join([*lines, "", ""]).encode() + body)
            return int(wire.recv(4096).split()[1])

    def push(self, request: Request, **more: str) -> int:
        return self.send({**request[0], "Content-Length": str(len(request[1])), **more}, request[1])


@pytest.fixture
def listening(programs: Path) -> t.Iterator[Listening]:
    source = Listening(programs)
    yield source
    source.process.kill()
    source.process.communicate()


def test_it_listens(listening: Listening) -> None:
    fresh = github(pushed_at=time.time())
    assert listening.push(github(SECRET + "x", pushed_at=time.time())) == 401
    assert listening.push(({}, fresh[1])) == 401
    assert listening.push(fresh) == 202
    assert listening.push(fresh) == 409
    assert listening.push(github(pushed_at=time.time() - 400)) == 401
    # none of these bodies is ever sent: whoever waited for it would not answer
    assert listening.send({**fresh[0], "Content-Length": "1000000000"}, b"") == 413
    assert listening.send({"Content-Length": "1000"}, b"") == 401
    assert listening.send({**fresh[0], "Transfer-Encoding": "chunked"}, b"") == 411
    large = standard(pushed_at=time.time(), more="x" * 3900)
    assert len(large[1]) < 4096
    assert listening.push(large) == 202
    listening.process.terminate()
    told, errors = listening.process.communicate()
    assert [json.loads(line) for line in told.splitlines()] == [EVENT, EVENT]
    assert errors.count("refused a request: ") == 7
    assert SECRET not in errors


def test_a_wrong_option_ends_it() -> None:
    with pytest.raises(ValueError, match="secret is missing"):
        asyncio.run(push.main(asyncio.Queue(), {"port": 5000}))
