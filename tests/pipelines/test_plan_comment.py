# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The comment with the plan: one for each site, replaced by each later plan, on either forge."""

from __future__ import annotations

import json
import re
import threading
import typing as t
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pipelines.conftest import loaded
from pipelines.pipeline_jobs import PIPELINES

plan_comment = loaded("plan_comment", PIPELINES / "plan_comment.py")
TOKEN = "a-token-of-the-forge"


class Forge(ThreadingHTTPServer):
    """The comments of request 7, as both forges keep them."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.comments: list[dict[str, t.Any]] = [
            {"id": number, "body": f"a word of somebody {number}"} for number in range(1, 131)
        ]
        self.refusal: tuple[int, str] | None = None
        self.seen: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def mine(self) -> list[dict[str, t.Any]]:
        return [comment for comment in self.comments if "fcd.cloud" in comment["body"]]


class Answers(BaseHTTPRequestHandler):
    """Both interfaces: lists of comments, new ones, changed ones."""

    server: Forge

    def log_message(self, *_: t.Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._answer(self._listing)

    def do_POST(self) -> None:
        self._answer(self._new)

    def do_PATCH(self) -> None:
        self._answer(self._changed)

    def do_PUT(self) -> None:
        self._answer(self._changed)

    def _answer(self, work: t.Callable[[], t.Any]) -> None:
        url = urlsplit(self.path)
        self.server.seen.append(f"{self.command} {url.path}")
        length = int(self.headers.get("Content-Length") or 0)
        self.content = json.loads(self.rfile.read(length)) if length else {}
        token = {self.headers.get("Authorization"), self.headers.get("PRIVATE-TOKEN")}
        if self.server.refusal:
            status, text = self.server.refusal
        elif not token & {f"Bearer {TOKEN}", TOKEN}:
            status, text = 401, "Bad credentials"
        else:
            status, text = 200, json.dumps(work())
        self.send_response(status)
        if status == 302:
            self.send_header("Location", text)
        self.end_headers()
        self.wfile.write(text.encode())

    def _listing(self) -> t.Any:
        query = parse_qs(urlsplit(self.path).query)
        page, size = int(query["page"][0]), int(query["per_page"][0])
        return self.server.comments[(page - 1) * size : page * size]

    def _new(self) -> t.Any:
        self.server.comments.append({"id": len(self.server.comments) + 1, "body": self.content["body"]})
        return self.server.comments[-1]

    def _changed(self) -> t.Any:
        comment = self.server.comments[int(urlsplit(self.path).path.rsplit("/", 1)[1]) - 1]
        comment["body"] = self.content["body"]
        return comment


@pytest.fixture
def forge() -> t.Iterator[Forge]:
    with Forge() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def report(text: str, about: str = "web-shop all") -> str:
    """Return a report in Markdown, with the line that says what it is about."""
    return f"<!-- fcd.cloud.site_report plan {about} -->\n{text}\n"


def variables(kind: str, forge: Forge) -> dict[str, str]:
    """Return what the runner of a forge sets."""
    if kind == "github":
        return {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": forge.address,
            "GITHUB_REPOSITORY": "web-shop/site",
            "GITHUB_REF": "refs/pull/7/merge",
            "GITHUB_TOKEN": TOKEN,
        }
    return {
        "GITLAB_CI": "true",
        "CI_API_V4_URL": f"{forge.address}/api/v4",
        "CI_PROJECT_ID": "12",
        "CI_MERGE_REQUEST_IID": "7",
        "SITE_NOTE_TOKEN": TOKEN,
    }


class Writer:
    """A job that comments."""

    def __init__(self, kind: str, forge: Forge, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kind = kind
        self._folder = folder
        self._patch = monkeypatch
        for name in ("GITHUB_ACTIONS", "GITLAB_CI"):
            monkeypatch.delenv(name, raising=False)
        self.set(**variables(kind, forge))

    def set(self, **values: str) -> None:
        for name, value in values.items():
            self._patch.setenv(name, value)

    def write(self, text: str) -> int:
        file = self._folder / "plan.md"
        file.write_text(text, encoding="utf-8")
        return int(plan_comment.main([str(file)]))


@pytest.fixture(params=["github", "gitlab"])
def writer(request: pytest.FixtureRequest, forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    return Writer(request.param, forge, tmp_path, monkeypatch)


def test_a_later_plan_replaces_the_comment_of_an_earlier(writer: Writer, forge: Forge) -> None:
    assert writer.write(report("# one to create")) == 0
    assert writer.write(report("# nothing to do")) == 0
    (comment,) = forge.mine()
    assert comment["body"] == report("# nothing to do")
    paths = {
        "github": ["POST /repos/web-shop/site/issues/7/comments", "PATCH /repos/web-shop/site/issues/comments/131"],
        "gitlab": [
            "POST /api/v4/projects/12/merge_requests/7/notes",
            "PUT /api/v4/projects/12/merge_requests/7/notes/131",
        ],
    }
    assert [line for line in forge.seen if not line.startswith("GET")] == paths[writer.kind]


def test_each_site_and_environment_has_a_comment_of_its_own(writer: Writer, forge: Forge) -> None:
    for about in ("web-shop all", "web-shop production all", "web-shop all", "another all"):
        assert writer.write(report(about, about)) == 0
    abouts = ["web-shop all", "web-shop production all", "another all"]
    assert [comment["body"] for comment in forge.mine()] == [report(about, about) for about in abouts]


def test_a_comment_that_quotes_ours_is_left_alone(writer: Writer, forge: Forge) -> None:
    quoted = f"> {report('look here')}"
    forge.comments[3]["body"] = quoted
    assert writer.write(report("plan")) == 0
    assert forge.comments[3]["body"] == quoted
    assert len(forge.mine()) == 2


@pytest.mark.parametrize(
    "text", ["", "# Plan", "\n<!-- fcd.cloud.site_report plan x -->", "<!-- fcd.cloud.site_report --> x"]
)
def test_what_is_no_report_is_not_written(
    writer: Writer, forge: Forge, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert writer.write(text) == 1
    assert "its first line is not that of a report" in capsys.readouterr().err
    assert forge.seen == []


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        ((403, '{"message": "Resource not\n accessible"}'), "403 Forbidden: {"),
        ((502, "<html>"), "502 Bad Gateway: <html>"),
        ((200, "no JSON"), "Expecting value"),
        ((302, "http://127.0.0.1:9/elsewhere"), "302 Found"),
    ],
)
def test_a_refusal_is_one_line_without_the_token(
    writer: Writer, forge: Forge, refusal: tuple[int, str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    forge.refusal = refusal
    assert writer.write(report("plan")) == 1
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert TOKEN not in said
    assert len(forge.seen) == 1


@pytest.mark.parametrize("missing", range(5))
def test_a_missing_variable_is_named(
    writer: Writer, forge: Forge, missing: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = sorted(variables(writer.kind, forge))[missing]
    monkeypatch.delenv(name)
    assert writer.write(report("plan")) == 1
    assert name in capsys.readouterr().err
    assert forge.seen == []


def test_a_push_has_no_request_to_comment_on(
    forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = Writer("github", forge, tmp_path, monkeypatch)
    writer.set(GITHUB_REF="refs/heads/main")
    assert writer.write(report("plan")) == 1
    assert re.search(r"GITHUB_REF is 'refs/heads/main', not refs/pull", capsys.readouterr().err)


def test_a_missing_report_is_told(writer: Writer, forge: Forge, capsys: pytest.CaptureFixture[str]) -> None:
    assert plan_comment.main(["/nowhere/plan.md"]) == 1
    assert "/nowhere/plan.md" in capsys.readouterr().err
    assert forge.seen == []
