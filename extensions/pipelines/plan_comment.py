# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Put a plan under the pull request or merge request that it is about: one comment, which each later plan replaces.

``python3 plan_comment.py reports/plan.md``. Where it goes is read from the variables that the runner sets:

GitHub: ``GITHUB_API_URL``, ``GITHUB_REPOSITORY``, ``GITHUB_REF`` (refs/pull/N/merge). ``GITHUB_TOKEN`` has to be given;
it needs the permission ``pull-requests: write``.

GitLab: ``CI_API_V4_URL``, ``CI_PROJECT_ID``, ``CI_MERGE_REQUEST_IID``. ``SITE_NOTE_TOKEN`` has to be given: an access
token of the project with the scope ``api``, for the token of the job may not write notes.

``SITE_FILE`` and ``SITE_ENVIRONMENT`` tell the comments of several sites apart. It ends with 1 and one line when it
could not be done. Standard library only, Python 3.9 and newer.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import sys
import typing as t
import urllib.error
import urllib.parse
import urllib.request

CUT = "\n\n… cut: the whole plan is among the artefacts of this run.\n"
CLOSING = 500
"""Characters that are kept free for the ends of what is open at the cut."""

PAGE = 100
MOST_PAGES = 50
TIMEOUT = 60


class CannotComment(Exception):
    """One line for the log."""


class Forge(t.NamedTuple):
    """Where the comments of one request are: ``longest`` is the most characters of one, ``change`` replaces one."""

    comments: str
    one: str
    headers: t.Mapping[str, str]
    longest: int
    change: str


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
    return Forge(f"{address}/{number[1]}/comments", f"{address}/comments", headers, 65_000, "PATCH")


def _gitlab(environment: t.Mapping[str, str]) -> Forge:
    project = urllib.parse.quote(_needed(environment, "CI_PROJECT_ID"), safe="")
    request = _needed(environment, "CI_MERGE_REQUEST_IID")
    notes = f"{_needed(environment, 'CI_API_V4_URL')}/projects/{project}/merge_requests/{request}/notes"
    headers = {"PRIVATE-TOKEN": _needed(environment, "SITE_NOTE_TOKEN")}
    return Forge(notes, notes, headers, 1_000_000, "PUT")


def _needed(environment: t.Mapping[str, str], name: str) -> str:
    value = environment.get(name, "")
    if not value:
        raise CannotComment(f"the variable {name} is not set")
    return value


def marker(environment: t.Mapping[str, str]) -> str:
    """Return the first line of the comment, which nobody sees: it says which site and environment it is about."""
    words = [environment.get(name, "") for name in ("SITE_FILE", "SITE_ENVIRONMENT")]
    about = " ".join(re.sub(r"[^A-Za-z0-9._/]", "_", word) for word in words if word)
    return f"<!-- fcd.cloud plan of {about or 'site.yml'} -->"


def body(mark: str, text: str, longest: int) -> str:
    """Return the comment: what is too long is cut at the end of a line, and what was open there is closed."""
    whole = f"{mark}\n{text.strip()}\n"
    if len(whole) <= longest:
        return whole
    lines = whole.splitlines(keepends=True)
    kept, room = "", longest - len(CUT) - CLOSING
    for line in lines:
        if len(kept) + len(line) > room:
            break
        kept += line
    return kept + _closing(kept) + CUT


def _closing(text: str) -> str:
    """Return what ends an open block of code and open details."""
    fence = "```\n" if len(re.findall(r"^\s*```", text, re.MULTILINE)) % 2 else ""
    return fence + "</details>\n" * (text.count("<details") - text.count("</details>"))


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
        raise CannotComment(f"{described}: {error.code} {error.reason}: {words}") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise CannotComment(f"{described}: {error}") from None


def earlier(place: Forge, mark: str) -> int | None:
    """Return the number of the comment that begins with the mark, None when there is none yet."""
    for page in range(1, MOST_PAGES + 1):
        found = send("GET", f"{place.comments}?per_page={PAGE}&page={page}", place.headers)
        for comment in found:
            if str(comment.get("body", "")).startswith(mark):
                return int(comment["id"])
        if len(found) < PAGE:
            break
    return None


def main(arguments: list[str]) -> int:
    """Write or replace the comment; return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("Usage: plan_comment.py FILE\n")
        return 1
    try:
        place = forge(os.environ)
        with open(arguments[0], encoding="utf-8") as handle:
            text = handle.read()
        mark = marker(os.environ)
        content = {"body": body(mark, text, place.longest)}
        number = earlier(place, mark)
        if number is None:
            send("POST", place.comments, place.headers, content)
        else:
            send(place.change, f"{place.one}/{number}", place.headers, content)
    except (CannotComment, OSError) as error:
        sys.stderr.write(f"The plan could not be written as a comment: {error}\n")
        return 1
    sys.stdout.write("The plan is a comment now.\n" if number is None else f"The plan replaced comment {number}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
