# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes to a service and what comes back, for every interface."""

from __future__ import annotations

import json
import typing as t

READ, IDEMPOTENT, WRITE, LOGIN = "read", "idempotent", "write", "login"
MEBIBYTE = 1 << 20
UNREAD = object()


NO_HEADERS: t.Mapping[str, str] = {}


class Request(t.NamedTuple):
    """One request.

    ``operation`` is its name for a person (``Create instance``). ``kind`` decides what may be sent again: ``read`` and
    ``idempotent`` after every failure that may pass, ``write`` and ``login`` only when they certainly had no effect.
    ``params`` become the query (None is left out, booleans are words in lower case). The body is ``json``, ``form`` or
    ``body``: bytes, or a function that opens a stream of exactly ``length`` bytes, anew for each try. ``basic`` is a
    user name and a password. ``accept_statuses`` are returned where they would be errors else. ``stream_to`` gets the
    body of a good answer with the headers ``stream_marks`` as it is stored at the service; such an answer is not read a
    second time once a part was handed over. ``limit`` bounds, in bytes, every body that is kept. ``timeout`` replaces
    the time, in seconds, for the call with all its repetitions; with ``math.inf`` only silence ends it. With
    ``json_answer`` a good answer has to be complete JSON, or empty where ``empty_ok``. ``fixed`` says that the service
    has this path whatever its objects are, so that 404 means an address of something else. ``fresh`` wants an answer of
    now, also from what remembers answers.
    """

    operation: str
    method: str
    url: str
    kind: str = READ
    params: t.Mapping[str, t.Any] | None = None
    headers: t.Mapping[str, str] = NO_HEADERS
    json: t.Any = None
    form: t.Mapping[str, str] | None = None
    body: bytes | t.Callable[[], t.Any] | None = None
    length: int | None = None
    basic: tuple[str, str] | None = None
    accept_statuses: t.AbstractSet[int] = frozenset()
    stream_to: t.Callable[[bytes], None] | None = None
    stream_marks: t.Collection[str] = ()
    limit: int = 64 * MEBIBYTE
    timeout: float | None = None
    json_answer: bool = False
    empty_ok: bool = False
    fixed: bool = False
    fresh: bool = False

    def __repr__(self) -> str:
        """Name the operation only: the rest may hold a password."""
        return f"<Request {self.operation}>"


class Response:
    """One answer; the names of ``headers`` are in lower case."""

    def __init__(self, status: int, headers: t.Mapping[str, str], body: bytes, request_id: str | None = None) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        self.request_id = request_id
        self._parsed: t.Any = UNREAD

    def json(self) -> t.Any:
        """Return the body as plain data, None when it is empty. Raises ValueError."""
        if self._parsed is UNREAD:
            try:
                self._parsed = json.loads(self.body) if self.body.strip() else None
            except RecursionError:
                raise ValueError("it is nested too deeply") from None
        return self._parsed


class Credentials(t.Protocol):
    """What proves who sends a request."""

    def headers(self) -> t.Mapping[str, str]:
        """Return the headers to send."""

    def renew(self) -> bool:
        """Get others after these were refused with 401; return False where there are none."""
