# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an answer means: its error in the family of ours, with the service's own words and the number of the request."""

from __future__ import annotations

import html
import json
import re
import typing as t
from http import HTTPStatus
from urllib.parse import urljoin

from .._core.errors import (
    Conflict,
    FcdError,
    Forbidden,
    NotFound,
    NotOffered,
    RateLimited,
    Rejected,
    ServiceError,
    Unauthorized,
    Unclear,
    Unusable,
)
from .addresses import AddressSources, named_option, origin, source_of
from .messages import WRITE, Request, Response
from .retries import seconds_asked

NO_SUCH_PATH = (404, 405)
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_WORDS = 300  # characters of the service's own words
_HIDDEN_PARTS = re.compile(r"<(script|style|head)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")

_KINDS: dict[int, tuple[type[ServiceError], str | None]] = {
    401: (Unauthorized, "Check the credentials."),
    403: (Forbidden, "Check the rights of the user and the scope of the token."),
    404: (NotFound, None),
    408: (ServiceError, "Run the task again."),
    409: (Conflict, "Another operation may run on the object: run the task again when it has ended."),
    429: (RateLimited, "Run the task again later, or raise timeout and retries."),
    498: (RateLimited, "Run the task again later, or raise timeout and retries."),  # Swift, wire-facts 10.2
}

Redact = t.Callable[[str], str]


def error_id(body: bytes) -> str | None:
    """Return the number that an error of the REST interface bears (wire-facts section 2.1)."""
    found = (_document(body) or {}).get("ErrorId")
    return str(found) if isinstance(found, (str, int)) and found != "" else None


def own_words(body: bytes, redact: Redact) -> str | None:
    """Return what the service says about an error: members of JSON, or its text without any tags."""
    document = _document(body)
    if document is not None:
        words = [document.get(name) for name in ("Message", "error", "error_description")]
        text = ": ".join(word for word in words if isinstance(word, str) and word)
    else:
        # hidden before the tags go and after: a page may show a secret as it is or escaped
        page = redact(html.unescape(redact(body.decode("utf-8", "replace"))))
        text = _TAG.sub(" ", _HIDDEN_PARTS.sub(" ", page))
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    plain = redact(plain)
    return (plain if len(plain) <= MOST_WORDS else plain[: MOST_WORDS - 3] + "...") or None


def refusal(
    request: Request, response: Response, redact: Redact, now: float = 0.0, sources: AddressSources = ()
) -> FcdError:
    """Return the error that an answer with a bad status is; ``now`` is the time for a wish to wait (Retry-After)."""
    status = response.status
    if status in REDIRECTS and response.headers.get("location"):
        return _redirect(request, response, sources)
    words = own_words(response.body, redact)
    default: type[ServiceError] = Rejected if 400 <= status < 500 else ServiceError
    if status < 400:
        default = Unusable
    if status == 405 and request.method == "GET":
        default = NotOffered
    kind, next_step = _KINDS.get(status, (default, None))
    if request.fixed and status in NO_SUCH_PATH:
        next_step = _other_address(request, sources)
    said = words or _phrase(status)
    number = f" (request {response.request_id})" if response.request_id else ""
    return kind(
        f"{request.operation}: HTTP {status}: {said.rstrip('.')}{number}.",
        next_step=next_step,
        service_message=words,
        retry_after=seconds_asked(response.headers.get("retry-after"), now),
        **_details(request, response),
    )


def not_what_was_asked(
    request: Request, response: Response, problem: str, sources: AddressSources = (), **details: t.Any
) -> FcdError:
    """Return the error for a good status with a body that is of no use.

    A write may have been done nevertheless.
    """
    text = f"{request.operation}: the answer (HTTP {response.status}) cannot be used: {problem}"
    merged = {**_details(request, response), **details}
    if request.kind == WRITE:
        return Unclear(f"{text}; nobody knows whether it had an effect.", **merged)
    return Unusable(f"{text}.", next_step=_other_address(request, sources), **merged)


def no_json(request: Request, response: Response, sources: AddressSources = ()) -> FcdError:
    """Return the error for a body that should have been complete JSON."""
    return not_what_was_asked(request, response, f"it is {_looks_like(response.body)}", sources)


def _other_address(request: Request, sources: AddressSources) -> str:
    """Return the next step when what answers there is something else."""
    source = source_of(request.url, sources)
    return (
        f"Check {named_option(request.url, sources)}: it has to be {source.meant if source else 'that of the service'}."
    )


def _redirect(request: Request, response: Response, sources: AddressSources) -> FcdError:
    try:
        target = origin(urljoin(request.url, response.headers["location"]))
    except ValueError:
        target = "an unreadable address"
    return Unusable(
        f"{request.operation}: HTTP {response.status}: {origin(request.url)} sends the request on to {target}; "
        "it was not followed, since that would take the credentials there.",
        next_step=f"If the service has moved, set its new address in place of {named_option(request.url, sources)}.",
        redirect=target,
        repeatable=False,
        **_details(request, response),
    )


def _details(request: Request, response: Response) -> dict[str, t.Any]:
    return {"operation": request.operation, "status": response.status, "request_id": response.request_id}


def _document(body: bytes) -> dict[str, t.Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "without a reason"


def _looks_like(body: bytes) -> str:
    if not body.strip():
        return "empty"
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    if start[:1] in (b"{", b"["):
        return "JSON that is cut off or broken"
    return "not JSON"
