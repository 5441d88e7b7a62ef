# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rulebooks, run by ansible-rulebook against the sandbox."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import signal
import socket
import subprocess
import threading
import time
import typing as t
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import automation_tools
import collection_tree
import pytest
import yaml
from sandbox.process import SandboxProcess

from pipelines.conftest import EXTENSIONS
from pipelines.site_repository import SITE, Repository

PATIENCE = 60.0
PAUSE = 0.1
NOTHING = {"create": 0, "update": 0, "replace": 0, "delete": 0, "orphan": 0, "unchanged": 4, "error": 0}


@pytest.fixture(autouse=True, scope="module")
def _java() -> None:
    missing = automation_tools.no_java()
    if missing:
        pytest.skip(f"NOT RUN: {missing}")


class Tickets(ThreadingHTTPServer):
    """Takes tickets."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taker)
        self.taken: list[tuple[str | None, t.Any]] = []


class Taker(BaseHTTPRequestHandler):
    server: Tickets

    def log_message(self, *_: t.Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.taken.append((self.headers.get("Authorization"), content))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture
def tickets() -> t.Iterator[Tickets]:
    with Tickets() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class Rulebook:
    """A process of ansible-rulebook."""

    def __init__(self, programs: Path, sandbox: SandboxProcess, home: Path, name: str, variables: t.Any) -> None:
        home.mkdir()
        file = home / "variables.yml"
        file.write_text(yaml.safe_dump(variables), encoding="utf-8")
        self._said = home / "said.txt"
        environment = {
            **sandbox.environment,
            "PATH": os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)]),
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "FCD_STATE_DIR": str(home / "state"),
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "DRIFT_TICKET_TOKEN": "a-token-for-tickets",
        }
        inventory = str(EXTENSIONS / "eda" / "inventory.yml")
        arguments = ["--rulebook", name, "--vars", str(file), "--inventory", inventory]
        with open(self._said, "w", encoding="utf-8") as output:
            self._process = subprocess.Popen(
                [str(programs / "ansible-rulebook"), *arguments],
                cwd=home,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> Rulebook:  # noqa: PYI034 (typing.Self is newer than the style)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def said(self) -> str:
        return self._said.read_text(encoding="utf-8")

    def until(self, condition: t.Callable[[], t.Any]) -> None:
        """Wait until something has happened."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self._process.poll() is None, self.said
            assert "fatal: " not in self.said
            assert time.monotonic() < end, self.said
            time.sleep(PAUSE)


def networks(sandbox: SandboxProcess) -> set[str]:
    return {str(one["Name"]) for one in sandbox.state()["rest"]["networks"]}


def test_drift_is_a_ticket_or_is_put_right(
    programs: Path, sandbox: SandboxProcess, tickets: Tickets, tmp_path: Path
) -> None:
    sandbox.reset()
    (tmp_path / "site.yml").write_text(yaml.safe_dump(SITE), encoding="utf-8")
    history = tmp_path / "history"
    history.mkdir()

    def report(number: int, **counts: int) -> None:
        about = {"site": "web-shop", "environment": None, "made_at": "2026-11-21T12:00:00Z", "mode": "drift"}
        change = {"kind": "private_networks", "name": "{{ lookup('pipe', 'id') }}", "action": "create"}
        content = json.dumps({**about, "counts": {**NOTHING, **counts}, "changes": [change]})
        (history / ".new").write_text(content, encoding="utf-8")
        (history / ".new").rename(history / f"drift-{number}.json")

    variables = {
        "drift_reports": str(history),
        "drift_existing": True,
        "drift_repair": True,
        "drift_ticket_url": f"http://127.0.0.1:{tickets.server_address[1]}/tickets",
        "site_file": str(tmp_path / "site.yml"),
        "site_environment": "",
        "site_reports": str(tmp_path / "reports"),
    }
    report(1, delete=1, error=2)
    with Rulebook(programs, sandbox, tmp_path / "home", "fcd.cloud.drift", variables) as rulebook:
        rulebook.until(lambda: tickets.taken)
        assert "shop-inside" not in networks(sandbox)
        report(2, create=1)
        rulebook.until((tmp_path / "reports" / "apply.md").exists)
    ((token, ticket),) = tickets.taken
    assert token == "Bearer a-token-for-tickets"
    assert ticket["title"] == "Drift in the site web-shop"
    assert ticket["body"].startswith("1 of its objects differ from the declaration, 2 could not be compared.")
    assert ticket["body"].endswith("drift-1.json")
    assert "shop-inside" in networks(sandbox)
    assert "a-token-for-tickets" not in rulebook.said
    assert "uid=" not in rulebook.said


def test_a_push_makes_a_plan(programs: Path, sandbox: SandboxProcess, tmp_path: Path) -> None:
    sandbox.reset()
    repository = Repository(tmp_path, tmp_path / "nothing.tar.gz")
    commit = repository.push("A shop")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = tmp_path / "folder"
    variables = {
        "webhook_host": "127.0.0.1",
        "webhook_port": port,
        "webhook_secret": "a-secret-of-the-webhook",
        "site_ref": "refs/heads/main",
        "site_repository": str(repository.bare),
        "site_folder": str(folder),
        "site_file": "site.yml",
        "site_environment": "production",
    }

    def pushed(ref: str, secret: str, age: int = 0) -> int:
        pushed_at = int(time.time()) - age
        body = json.dumps({"ref": ref, "after": commit, "repository": {"pushed_at": pushed_at}}).encode()
        digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        headers = {"X-Hub-Signature-256": f"sha256={digest}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/site", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def listening() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    with Rulebook(programs, sandbox, tmp_path / "home", "fcd.cloud.push", variables) as rulebook:
        rulebook.until(listening)
        assert pushed("refs/heads/main", "another secret") == 401
        assert pushed("refs/heads/main", "a-secret-of-the-webhook", 400) == 401
        assert pushed("refs/heads/other", "a-secret-of-the-webhook") == 202
        assert pushed("refs/heads/main", "a-secret-of-the-webhook") == 202
        rulebook.until((folder / "reports" / "plan.md").exists)
    assert rulebook.said.count("PLAY [Check out the pushed commit]") == 1
    plan = json.loads((folder / "site.plan.json").read_text(encoding="utf-8"))
    assert (plan["mode"], plan["environment"]) == ("plan", "production")
    assert {"shop-inside", "shop-production"} & networks(sandbox) == set()
