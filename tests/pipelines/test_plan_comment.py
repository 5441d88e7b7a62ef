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
KEY = "a-key-that-nobody-else-has"
OUTSIDER = {"user": {"login": "outsider"}, "author": {"id": 66}}
OWN = {"user": {"login": "github-actions[bot]"}, "author": {"id": 5}}
VIEWERS = {"github": {"data": {"viewer": {"login": "github-actions[bot]"}}}, "gitlab": {"id": 5, "username": "bot"}}


class Forge(ThreadingHTTPServer):
    """The comments of request 7, as both forges keep them."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.comments: list[dict[str, t.Any]] = [
            {"id": number, "body": f"a word of somebody {number}", **OUTSIDER} for number in range(1, 131)
        ]
        self.refusal: tuple[int, str] | None = None
        self.refused = "GET POST PATCH PUT"
        self.viewers: dict[str, t.Any] = dict(VIEWERS)
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
        if self.server.refusal and self.command in self.server.refused:
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
        if self.path == "/api/v4/user":
            return self.server.viewers["gitlab"]
        query = parse_qs(urlsplit(self.path).query)
        page, size = int(query["page"][0]), int(query["per_page"][0])
        return self.server.comments[(page - 1) * size : page * size]

    def _new(self) -> t.Any:
        if self.path == "/graphql":
            return self.server.viewers["github"]
        self.server.comments.append({"id": len(self.server.comments) + 1, "body": self.content["body"], **OWN})
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


def unmarked(body: str) -> str:
    """Return a comment without the line that the key made; there must be one."""
    text, found = re.subn(r"(?m)^<!-- fcd\.cloud\.plan_comment [0-9a-f]{64} -->\n", "", body)
    assert found == 1
    return text


def variables(kind: str, forge: Forge) -> dict[str, str]:
    """Return what the runner of a forge sets."""
    if kind == "github":
        return {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": forge.address,
            "GITHUB_GRAPHQL_URL": f"{forge.address}/graphql",
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
        monkeypatch.delenv("FCD_SITE_KEY", raising=False)
        self.set(**variables(kind, forge), SITE_COMMENT_KEY=KEY)

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
    assert unmarked(comment["body"]) == report("# nothing to do")
    paths = {
        "github": ["POST /repos/web-shop/site/issues/7/comments", "PATCH /repos/web-shop/site/issues/comments/131"],
        "gitlab": [
            "POST /api/v4/projects/12/merge_requests/7/notes",
            "PUT /api/v4/projects/12/merge_requests/7/notes/131",
        ],
    }
    assert [line for line in forge.seen if not line.startswith("GET") and "graphql" not in line] == paths[writer.kind]


def test_each_site_and_environment_has_a_comment_of_its_own(writer: Writer, forge: Forge) -> None:
    for about in ("web-shop all", "web-shop production all", "web-shop all", "another all"):
        assert writer.write(report(about, about)) == 0
    abouts = ["web-shop all", "web-shop production all", "another all"]
    assert [unmarked(comment["body"]) for comment in forge.mine()] == [report(about, about) for about in abouts]


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
    *warnings, error = said.splitlines()
    assert error.startswith("The plan could not be written as a comment: ")
    assert told in error
    assert all(line.startswith("Warning: ") for line in warnings)
    assert TOKEN not in said
    assert KEY not in said


def planted(forge: Forge, body: str, **more: t.Any) -> dict[str, t.Any]:
    """Somebody's comment, which stands before all others."""
    forge.comments[0] = {**forge.comments[0], "body": body, **more}
    return dict(forge.comments[0])


def test_the_comment_of_an_outsider_is_left_alone(writer: Writer, forge: Forge) -> None:
    """With the public line, and with a copy of the whole of our comment."""
    before = planted(forge, report("no changes"))
    assert writer.write(report("one to create")) == 0
    assert forge.comments[0] == before
    ours = forge.comments[130]
    before = planted(forge, ours["body"])
    assert writer.write(report("two to create")) == 0
    assert forge.comments[0] == before
    assert unmarked(forge.comments[130]["body"]) == report("two to create")
    assert len(forge.comments) == 131


@pytest.mark.parametrize("key", [None, KEY + "-another"])
def test_what_another_job_wrote_is_left_alone(
    writer: Writer, forge: Forge, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account of a token is shared by all jobs: one that repeats the words of strangers has not the key."""
    if key is None:
        planted(forge, report("no changes"), **OWN)
    else:
        monkeypatch.setenv("SITE_COMMENT_KEY", key)
        assert writer.write(report("no changes")) == 0
        monkeypatch.setenv("SITE_COMMENT_KEY", KEY)
    before = json.dumps(forge.mine())
    assert writer.write(report("one to create")) == 0
    assert json.dumps(forge.mine()[:1]) == before[:-1] + "]"
    assert len(forge.mine()) == 2


def test_a_mark_is_good_for_one_request_and_one_site(writer: Writer, forge: Forge) -> None:
    assert writer.write(report("one to create")) == 0
    body = forge.comments[130]["body"]
    planted(forge, body.replace("web-shop all", "another all"), **OWN)
    assert writer.write(report("plan", "another all")) == 0
    writer.set(GITHUB_REF="refs/pull/8/merge", CI_MERGE_REQUEST_IID="8")
    assert writer.write(report("plan")) == 0
    assert len(forge.mine()) == 4


def test_an_edited_comment_of_our_own_is_replaced(writer: Writer, forge: Forge) -> None:
    assert writer.write(report("one to create")) == 0
    edited = forge.comments[130]["body"].replace("one to create", "no changes").replace("\n", "\r\n")
    forge.comments[130]["body"] = edited
    assert writer.write(report("one to create")) == 0
    (comment,) = forge.mine()
    assert unmarked(comment["body"]) == report("one to create")


def test_without_a_key_the_author_alone_decides(
    writer: Writer, forge: Forge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SITE_COMMENT_KEY")
    before = planted(forge, report("no changes"))
    for text in ("one to create", "two to create"):
        assert writer.write(report(text)) == 0
        assert "Warning: neither SITE_COMMENT_KEY nor FCD_SITE_KEY is set" in capsys.readouterr().err
    assert forge.comments[0] == before
    assert [comment["body"] for comment in forge.mine()[1:]] == [report("two to create")]


def test_the_key_of_the_site_does_as_well(writer: Writer, forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SITE_COMMENT_KEY")
    writer.set(FCD_SITE_KEY=KEY)
    for text in ("one to create", "two to create"):
        assert writer.write(report(text)) == 0
    (comment,) = forge.mine()
    assert unmarked(comment["body"]) == report("two to create")
    assert KEY not in comment["body"]


@pytest.mark.parametrize("answer", [None, {}, {"data": None}, {"data": {"viewer": {"login": ""}}}, {"id": None}, []])
def test_where_the_account_is_not_known_nothing_is_replaced(
    writer: Writer, forge: Forge, answer: t.Any, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(forge, report("no changes"), user=None, author=None)
    forge.viewers = {"github": answer, "gitlab": answer}
    for text in ("one to create", "two to create"):
        assert writer.write(report(text)) == 0
        assert "the forge does not tell whose token this is" in capsys.readouterr().err
    assert [line for line in forge.seen if line.startswith(("PATCH", "PUT"))] == []
    assert len(forge.mine()) == 3


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_comment_that_may_not_be_changed_fails_no_job(
    writer: Writer, forge: Forge, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert writer.write(report("one to create")) == 0
    forge.refusal, forge.refused = (status, "not yours"), "PATCH PUT"
    assert writer.write(report("two to create")) == 0
    assert "Warning: comment 131 may not be changed, so there is a new one: " in capsys.readouterr().err
    assert [unmarked(comment["body"]) for comment in forge.mine()] == [report("one to create"), report("two to create")]
    forge.refusal = (502, "bad gateway")
    assert writer.write(report("three to create")) == 1


@pytest.mark.parametrize("missing", range(6))
def test_a_missing_variable_is_named(
    writer: Writer, forge: Forge, missing: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = sorted(variables(writer.kind, forge))
    name = names[missing % len(names)]
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
