# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox's SOAP service in this process, and a way to run operations against it: no socket, no waiting.

Every message is judged against the schema as in the sandbox itself. A plan of troubles makes requests fail before or
after they are done.
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
import re
import tempfile
import typing as t

from lxml import etree
from sandbox.seed import Credentials
from sandbox.service import WRITE
from sandbox.soap import state as sandbox_state
from sandbox.soap.in_process import ORIGIN, PATH, InProcess, basic
from sandbox.soap.service import SoapService

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation, Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._contract import connection
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request, Response
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
from ansible_collections.fcd.cloud.plugins.module_utils._soap.wsdl import WsdlDocuments, read_wsdl

PASSWORD = "canary-panel-pangolin"
CUT = "cut"
WSDL = pathlib.Path(__file__).resolve().parents[4] / "sandbox" / "soap" / "wsdl" / "CommonFcd.wsdl"


class SteppingClock(Clock):
    """A clock that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.at = 1_750_000_000.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += max(0.0, seconds)

    def time(self) -> float:
        """Stand for the module ``time`` in the sandbox."""
        return self.at


class Trouble(t.NamedTuple):
    """What goes wrong with the next request for an operation: an error to raise or a status to answer with.

    A function is called once the request is done, and the answer is the usual one. Of CUT half of that arrives.
    """

    operation: str
    outcome: BaseException | int | str | t.Callable[[], None]
    done: bool


class InProcessExchange(Exchange):
    """Hands requests to the service in this process."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def send(self, request: Request, credentials: t.Any = None) -> Response:
        assert credentials is None
        assert request.basic is not None
        self.bench.requests.append(request)
        trouble = self.bench.trouble_with(request.operation)
        if trouble and not trouble.done:
            return _struck(trouble)
        client = InProcess(self.bench.service, "", "")
        client.authorization = basic(*request.basic)
        body = t.cast("bytes", request.body)
        answer = client.request(request.method, request.url[len(ORIGIN) :], body, request.headers["Content-Type"])
        self.bench.sent.append(request.operation)
        self.bench.bodies.append(body.decode())
        if answer.environ[WRITE] and request.operation != "LogonUser":  # a log-in changes nothing of ours
            self.bench.writes.append(request.operation)
        if trouble and callable(trouble.outcome):
            trouble.outcome()
        elif trouble and trouble.outcome != CUT:
            return _struck(trouble)
        whole = trouble is None or trouble.outcome != CUT
        content = answer.body if whole else answer.body[: len(answer.body) // 2]
        content = self.bench.rewritten.get(request.operation, bytes)(content)
        return Response(answer.status, {name.lower(): value for name, value in answer.headers.items()}, content)

    def spend_retry(self, _url: str) -> str:
        return ""


def _struck(trouble: Trouble) -> Response:
    if isinstance(trouble.outcome, int):
        return Response(trouble.outcome, {"content-type": "text/html"}, b"<html><body>Oops</body></html>")
    assert isinstance(trouble.outcome, BaseException)
    raise trouble.outcome


class Bench:
    """One service and its clock; each run of an operation is a task of its own with the same state folder."""

    def __init__(self, folder: pathlib.Path, monkeypatch: t.Any) -> None:
        self.folder = folder
        self.clock = SteppingClock()
        self.service = SoapService(Credentials(password=PASSWORD))
        self._hidden: frozenset[tuple[str, str]] = frozenset()
        self.requests: list[Request] = []
        self.sent: list[str] = []
        self.bodies: list[str] = []
        self.writes: list[str] = []
        self.warnings: list[str] = []
        self.troubles: list[Trouble] = []
        self.connection: dict[str, t.Any] = {}
        for name in [name for name in os.environ if name.startswith("FCD_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("HOME", str(folder))  # no profile file
        monkeypatch.setattr(sandbox_state, "time", self.clock)
        monkeypatch.setattr(connection, "exchange", lambda _task: InProcessExchange(self))
        self.rewritten: dict[str, t.Callable[[bytes], bytes]] = {}  # what the service answers instead, by operation
        self.newer: dict[str, t.Any] | None = None  # what the WSDL says when it is read again
        self.read_again: list[t.Collection[str]] = []
        monkeypatch.setattr(connection, "_read_contract", self._read_contract)

    def _read_contract(self, _task: Task, _sender: t.Any, _wsdl: str, _login: t.Any, lacks: t.Any = ()) -> Contract:
        if lacks:
            self.read_again.append(lacks)
        return Contract(self.newer if lacks and self.newer else self.data)

    @functools.cached_property
    def data(self) -> dict[str, t.Any]:
        """What the WSDL says; a test may put something else in its place."""
        return data_without(self._hidden)

    @property
    def state(self) -> t.Any:
        """The objects of the service."""
        return self.service._state

    def fail(self, operation: str, outcome: t.Any, *, done: bool = False) -> None:
        """Let the next request for an operation (a regular expression) fail, before or after it was done."""
        self.troubles.append(Trouble(operation, outcome, done))

    def after(self, operation: str, act: t.Callable[[], None]) -> None:
        """Do something right after the next request for an operation, before its answer arrives."""
        self.troubles.append(Trouble(operation, act, done=True))

    def trouble_with(self, operation: str) -> Trouble | None:
        """Take the next trouble that is planned for the operation."""
        for trouble in self.troubles:
            if re.fullmatch(trouble.operation, operation):
                self.troubles.remove(trouble)
                return trouble
        return None

    def hide_member(self, type_name: str, member: str) -> None:
        """Let the WSDL say nothing of a member, whatever the service sends; further ones may be hidden."""
        self._hidden |= {(type_name, member)}
        vars(self).pop("data", None)  # compiled when it is needed, which takes longer than a test

    def task(self, *, check_mode: bool = False) -> Task:
        settings = {
            "soap_url": ORIGIN + PATH,
            "username": Credentials().username,
            "password": PASSWORD,
            "state_dir": str(self.folder / "state"),
            "retries": 0,
            **self.connection,
        }
        return Task(
            Settings.resolve(settings, ("soap",)),
            check_mode=check_mode,
            clock=self.clock,
            warn=self.warnings.append,
        )

    def run(self, operation: Operation, /, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        """Run an operation with these options; the logs start anew."""
        for log in (self.requests, self.sent, self.bodies, self.writes, self.warnings):
            log.clear()
        defaults = {name: option.get("default") for name, option in operation.options.items()}
        assert set(params) <= set(defaults), params
        result = operation.run(self.task(check_mode=check_mode), {**defaults, **params})
        assert self.service.violations == []
        return result

    def notes(self, *, settled: bool = False) -> list[str]:
        """The contents of the notes that creates left behind; with ``settled``, of those too that know the outcome."""
        notes = [path.read_text() for path in sorted((self.folder / "state").rglob("intents/*"))]
        return [note for note in notes if settled or "lead" not in json.loads(note) or "time" in json.loads(note)]

    def forget(self) -> None:
        """Remove all notes, as if another controller had created what is there."""
        for path in (self.folder / "state").rglob("intents/*"):
            path.unlink()


@functools.lru_cache(maxsize=None)
def data_without(hidden: frozenset[tuple[str, str]]) -> dict[str, t.Any]:
    """Compile the WSDL of the sandbox without some members, each given with the name of its type."""
    with tempfile.TemporaryDirectory() as folder:
        left = set(hidden)
        for path in WSDL.parent.iterdir():
            tree = etree.parse(str(path))
            for type_name, member in hidden:
                for found in tree.xpath(f"//*[@name='{type_name}']//*[@name='{member}']"):
                    found.getparent().remove(found)
                    left.discard((type_name, member))
            tree.write(str(pathlib.Path(folder) / path.name))
        assert not left
        return read_wsdl(WsdlDocuments(str(pathlib.Path(folder) / WSDL.name), lambda _address: b""), 1000.0)
