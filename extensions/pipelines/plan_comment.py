# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Put a plan under the pull request or merge request that it is about: one comment, which each later plan replaces.

``python3 plan_comment.py reports/plan.md``. Where it goes is read from the variables that the runner sets:

GitHub: ``GITHUB_API_URL``, ``GITHUB_GRAPHQL_URL``, ``GITHUB_REPOSITORY``, ``GITHUB_REF`` (refs/pull/N/merge).
``GITHUB_TOKEN`` has to be given; it needs the permission ``pull-requests: write``.

GitLab: ``CI_API_V4_URL``, ``CI_PROJECT_ID``, ``CI_MERGE_REQUEST_IID``. ``SITE_NOTE_TOKEN`` has to be given: an access
token of the project with the scope ``api``, for the token of the job may not write notes.

The first line of the report, which nobody sees, says which site and environment it is about. A comment is replaced
only when it begins with that line, was written by the account of the token, and has a mark that is made with a key:
``SITE_COMMENT_KEY``, or else ``FCD_SITE_KEY``. Without a key the account alone decides, and a warning says so. Where
the account is not known, or the forge refuses the change, a new comment is written.

It ends with 1 and one line when it could not be done. Standard library only, Python 3.9 and newer.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import os
import re
import sys
import typing as t
import urllib.error
import urllib.parse
import urllib.request

MARKER = re.compile(r"<!-- fcd\.cloud\.site_report [A-Za-z0-9 ._-]+ -->")
PAGE = 100
MAX_PAGES = 50
TIMEOUT = 60
REFUSED = (401, 403, 404)
VIEWER = {"query": "query { viewer { login } }"}
"""Asks GitHub for the account of any token; the token of a job may not read /user."""


class CannotComment(Exception):
    """One line for the log; ``status`` is that of the answer, 0 when there was none."""

    def __init__(self, message: str, status: int = 0) -> None:
        """Take the line and the status."""
        super().__init__(message)
        self.status = status


class Forge(t.NamedTuple):
    """Where the comments of one request are, where one is, and where to ask for the account of the token.

    ``change`` is the method that replaces a comment; ``author`` and ``account`` are the keys of a comment's author.
    """

    comments: str
    one: str
    headers: t.Mapping[str, str]
    change: str
    viewer: str
    author: str
    account: str


def forge(environment: t.Mapping[str, str]) -> Forge:
    """Return where to comment. Raises CannotComment: a variable is missing, or this is no pipeline of a request."""
    if environment.get("GITLAB_CI"):
        return _gitlab(environment)
    if environment.get("GITHUB_ACTIONS"):
        return _github(environment)
    raise CannotComment("neither GITHUB_ACTIONS nor GITLAB_CI is set: this is for the pipelines of the two")


def _github(environment: t.Mapping[str, str]) -> Forge:
    reference = _needed(environment, "GITHUB_REF")
    number = re.fullmatch(r"refs/pull/(\d+)/merge", reference)
    if not number:
        raise CannotComment(f"GITHUB_REF is {reference!r}, not refs/pull/<number>/merge: no pull request to comment on")
    address = f"{_needed(environment, 'GITHUB_API_URL')}/repos/{_needed(environment, 'GITHUB_REPOSITORY')}/issues"
    headers = {
        "Authorization": f"Bearer {_needed(environment, 'GITHUB_TOKEN')}",
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    viewer = _needed(environment, "GITHUB_GRAPHQL_URL")
    return Forge(f"{address}/{number[1]}/comments", f"{address}/comments", headers, "PATCH", viewer, "user", "login")


def _gitlab(environment: t.Mapping[str, str]) -> Forge:
    project = urllib.parse.quote(_needed(environment, "CI_PROJECT_ID"), safe="")
    request = _needed(environment, "CI_MERGE_REQUEST_IID")
    interface = _needed(environment, "CI_API_V4_URL")
    notes = f"{interface}/projects/{project}/merge_requests/{request}/notes"
    headers = {"PRIVATE-TOKEN": _needed(environment, "SITE_NOTE_TOKEN")}
    return Forge(notes, notes, headers, "PUT", f"{interface}/user", "author", "id")


def _needed(environment: t.Mapping[str, str], name: str) -> str:
    value = environment.get(name, "")
    if not value:
        raise CannotComment(f"the variable {name} is not set")
    return value


def marker(text: str) -> str:
    """Return the first line of the report. Raises CannotComment: it is not that of a report."""
    first = text.partition("\n")[0].strip()
    if not MARKER.fullmatch(first):
        raise CannotComment("its first line is not that of a report in Markdown of fcd.cloud.site_report")
    return first


def keyed_mark(environment: t.Mapping[str, str], place: Forge, first: str) -> str:
    """Return a line that only who has the key can make for this site, environment and request; empty without a key."""
    key = environment.get("SITE_COMMENT_KEY") or environment.get("FCD_SITE_KEY")
    if not key:
        return ""
    about = json.dumps(["plan comment", place.comments, first])
    digest = hmac.new(key.encode("utf-8", "surrogateescape"), about.encode(), hashlib.sha256).hexdigest()
    return f"<!-- fcd.cloud.plan_comment {digest} -->\n"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: the token would go along to wherever it leads."""

    def redirect_request(self, *_: t.Any) -> None:
        return None


OPENER = urllib.request.build_opener(_NoRedirect())


def send(method: str, address: str, headers: t.Mapping[str, str], content: t.Any = None) -> t.Any:
    """Return the decoded answer. Raises CannotComment with status and words of the forge, never with the token."""
    data = None if content is None else json.dumps(content).encode()
    described = f"{method} {address.partition('?')[0]}"
    more = {**headers, "Content-Type": "application/json"}
    request = urllib.request.Request(address, data, more, method=method)  # noqa: S310 (the runner names the address)
    try:
        with OPENER.open(request, timeout=TIMEOUT) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        words = " ".join(error.read(500).decode("utf-8", "replace").split())
        raise CannotComment(f"{described}: {error.code} {error.reason}: {words}", error.code) from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise CannotComment(f"{described}: {error}") from None


def own_account(place: Forge) -> t.Any:
    """Return who the token belongs to, as the author of a comment is named; None when the forge does not tell."""
    try:
        if place.account == "id":
            return send("GET", place.viewer, place.headers)["id"]
        return send("POST", place.viewer, place.headers, VIEWER)["data"]["viewer"]["login"]
    except (KeyError, TypeError):
        return None
    except CannotComment as error:
        if error.status not in REFUSED:
            raise
        return None


def earlier(place: Forge, beginning: str, account: t.Any) -> int | None:
    """Return the number of the account's comment that begins like this, None when there is none yet."""
    for page in range(1, MAX_PAGES + 1):
        found = send("GET", f"{place.comments}?per_page={PAGE}&page={page}", place.headers)
        for comment in found:
            author = comment.get(place.author) or {}
            body = str(comment.get("body", "")).replace("\r\n", "\n")  # as it is after somebody edited it in a browser
            if author.get(place.account) == account and body.startswith(beginning):
                return int(comment["id"])
        if len(found) < PAGE:
            break
    return None


def own_comment(place: Forge, beginning: str) -> int | None:
    """Return the number of the comment to replace, None for a new one."""
    account = own_account(place)
    if account in (None, ""):
        warn("the forge does not tell whose token this is, so no earlier comment is replaced")
        return None
    return earlier(place, beginning, account)


def write(place: Forge, number: int | None, content: t.Mapping[str, str]) -> str:
    """Replace the comment, or make a new one where there is none that may be changed; return what was done."""
    if number is not None:
        try:
            send(place.change, f"{place.one}/{number}", place.headers, content)
        except CannotComment as error:
            if error.status not in REFUSED:
                raise
            warn(f"comment {number} may not be changed, so there is a new one: {error}")
        else:
            return f"The plan replaced comment {number}."
    send("POST", place.comments, place.headers, content)
    return "The plan is a comment now."


def warn(message: str) -> None:
    """Write a warning into the log of the job."""
    sys.stderr.write(f"Warning: {message}.\n")


def main(arguments: list[str]) -> int:
    """Write or replace the comment; return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("Usage: plan_comment.py FILE\n")
        return 1
    try:
        place = forge(os.environ)
        with open(arguments[0], encoding="utf-8") as handle:
            report = handle.read()
        first = marker(report)
        mark = keyed_mark(os.environ, place, first)
        if not mark:
            warn("neither SITE_COMMENT_KEY nor FCD_SITE_KEY is set: comments are told apart by their author alone")
        beginning = f"{first}\n{mark}"
        content = {"body": beginning + report.partition("\n")[2]}
        done = write(place, own_comment(place, beginning), content)
    except (CannotComment, OSError, UnicodeError) as error:
        sys.stderr.write(f"The plan could not be written as a comment: {error}\n")
        return 1
    sys.stdout.write(f"{done}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
