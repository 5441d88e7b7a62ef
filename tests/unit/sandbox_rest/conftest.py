# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client that calls the REST service of the sandbox in the test's own process, with a clock that tests turn."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from sandbox.rest.conformance import Conformance
from sandbox.rest.service import RestService
from sandbox.rest.settings import FRIENDLY
from sandbox.seed import Credentials

SCOPES = {"all": "service.api", "read": "service.api.readonly"}
DEBIAN = 765


class Clock:
    """Unix seconds that stand still until a test turns them on."""

    def __init__(self) -> None:
        self.now = 1_750_000_000.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


class Tokens:
    """Two tokens that live for ever: ``all`` and ``read``."""

    def check(self, token: str) -> str | None:
        return SCOPES.get(token)


@dataclass
class Reply:
    """An answer with its JSON data (None without a body)."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.raw) if self.raw else None

    @property
    def items(self) -> list[Any]:
        found: list[Any] = self.data["Items"]
        return found

    @property
    def total(self) -> int:
        found: int = self.data["Meta"]["Total"]
        return found

    @property
    def message(self) -> str:
        found: str = self.data["Message"]
        return found


class Client:
    """Calls the service; ``violations`` is what the service recorded in all calls so far."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.service = RestService(Credentials(), Tokens(), clock=self.clock)
        self.service.settings.update(FRIENDLY, lock_tail=0.1)
        self.service.conformance = Conformance(None)  # what these tests break, they break on purpose
        self.violations: list[dict[str, Any]] = []
        self.environ: dict[str, Any] = {}

    @property
    def settings(self) -> dict[str, Any]:
        return self.service.settings

    def call(self, method: str, target: str, body: Any = None, *, token: str | None = "all", **more: Any) -> Reply:
        path, _, query = target.partition("?")
        raw = more.pop("raw", b"" if body is None else json.dumps(body).encode())
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "PATH_INFO": "/beta" + path,
            "QUERY_STRING": query,
            "wsgi.url_scheme": "https",
            "HTTP_HOST": "localhost:8443",
            "wsgi.input": io.BytesIO(raw),
            "sandbox.violations": self.violations,
        }
        if raw:
            environ |= {"CONTENT_LENGTH": str(len(raw)), "CONTENT_TYPE": "application/json; charset=utf-8"}
        if token is not None:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        self.environ = environ | more
        started: list[tuple[str, dict[str, str]]] = []
        raw_answer = b"".join(self.service(self.environ, lambda line, head: started.append((line, dict(head)))))
        return Reply(int(started[0][0].split()[0]), started[0][1], raw_answer)

    def get(self, target: str, **more: Any) -> Reply:
        return self.call("GET", target, **more)

    def post(self, target: str, body: Any = None, **more: Any) -> Reply:
        return self.call("POST", target, body, **more)

    def put(self, target: str, body: Any = None, **more: Any) -> Reply:
        return self.call("PUT", target, body, **more)

    def delete(self, target: str, body: Any = None, **more: Any) -> Reply:
        return self.call("DELETE", target, body, **more)

    def finish(self, started: Reply) -> dict[str, Any]:
        """Let the time of the ticket and of the lock pass; the ticket at its end."""
        assert started.status == 200, started.raw
        self.clock.pass_by(self.settings["ticket_seconds"] + self.settings["lock_tail"])
        ended: dict[str, Any] = self.get(f"/tickets/{started.data['Id']}").data
        return ended

    def make(self, name: str = "web", **members: Any) -> int:
        """An instance that is ready; its id."""
        body = {"InstanceName": name, "TemplateId": DEBIAN, **members}
        number: int = self.finish(self.post("/instances", body))["ObjectId"]
        return number


@pytest.fixture
def client() -> Iterator[Client]:
    """A service with its seed; a test fails when an answer broke the description."""
    made = Client()
    yield made
    assert [one for one in made.violations if one["side"] == "answer"] == []
