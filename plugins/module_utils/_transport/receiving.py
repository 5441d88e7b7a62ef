# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From status, headers and pieces of a body, however they came, to a response."""

from __future__ import annotations

import typing as t

from .bodies import Body, CutOff, Unfit
from .messages import MEBIBYTE, Request, Response

MOST_OF_AN_ERROR = MEBIBYTE  # bytes of the body of an error that are read
REQUEST_ID_HEADERS = ("x-request-id", "x-trans-id", "x-openstack-request-id")


class Arriving(t.NamedTuple):
    """An answer whose body is still to be read: ``pieces`` raises one of ``failures`` when that goes wrong."""

    status: int
    headers: t.Iterable[tuple[str, str]]
    pieces: t.Iterable[bytes]
    failures: tuple[t.Any, ...]


def received(request: Request, answer: Arriving) -> Response:
    """Read the body. Raises Unclear when it is cut off, and for an unfit one Unclear (a write) or Unusable."""
    headers, status = _readable_headers(answer.headers), answer.status
    good = status in request.accept_statuses or 200 <= status < 300
    measured = request.method != "HEAD" and status not in (204, 304) and "transfer-encoding" not in headers
    handed_over = 200 <= status < 300 and all(name in headers for name in request.stream_marks)
    body = Body(request.limit if good else MOST_OF_AN_ERROR, request.stream_to if handed_over else None)
    try:
        body.unpack(headers.get("content-encoding", ""))
        for piece in answer.pieces:
            body.take(piece)
        content = body.end(headers.get("content-length") if measured else None)
    except (CutOff, Unfit, *answer.failures) as problem:
        if good:
            from .failures import unreadable

            raise unreadable(request, _response(status, headers, b""), problem, body) from None
        content = body.part()  # a part of an error says enough
    return _response(status, headers, content)


def _response(status: int, headers: t.Mapping[str, str], body: bytes) -> Response:
    found = next((headers[name] for name in REQUEST_ID_HEADERS if headers.get(name)), None)
    if found is None and status >= 400:
        from .answers import error_id

        found = error_id(body)
    return Response(status, headers, body, found[:100] if found else None)


def _readable_headers(pairs: t.Iterable[tuple[str, str]]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in pairs:
        key, text = name.lower(), _readable(value)
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _readable(value: str) -> str:
    """Return the value of a header in which bytes of UTF-8 came as characters."""
    if value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
