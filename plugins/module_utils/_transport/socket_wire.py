# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The way over sockets of our own: less work for each request, larger blocks, and no library to import.

It knows no proxies.
"""

from __future__ import annotations

import contextlib
import os
import ssl
import threading
import typing as t
from urllib.parse import urlsplit

from .addresses import start_of
from .messages import IDEMPOTENT, READ, Request, Response
from .outgoing import Outgoing
from .own_connection import CLOSED, FAILURES, OwnConnection
from .watchdog import Guard

KEPT = 100  # connections to one host that are kept open, as many as a task may use at once

Kept = t.List[OwnConnection]


class SocketWire:
    """Exchanges requests over connections that are kept for the process. ``verify`` is False or a file of authorities,
    or True for those that are trusted in general.
    """  # noqa: D205 - the list does not fit in a line

    failures: tuple[t.Any, ...] = FAILURES

    def __init__(self, verify: bool | str) -> None:
        """Take it."""
        self._verify = verify

    def proxy(self, _url: str) -> None:
        """Say that there is no proxy."""

    def exchanged(self, request: Request, there: Outgoing, guard: Guard, silence: float) -> Response:
        """Send it and read the answer to its end; ``silence`` is how long the other side may say nothing, in seconds.

        A kept connection that turns out to be closed is replaced at once where the request may be repeated. Raises one
        of ``failures`` unless an answer begins.
        """
        kept = _KEPT.setdefault((os.getpid(), self._verify, start_of(there.url)), [])
        connection = _taken(kept)
        if connection is not None:
            try:
                return _over(connection, kept, request, there, guard, silence)
            except CLOSED:
                if connection.answered or guard.fired or request.kind not in (READ, IDEMPOTENT):
                    raise
        parts = urlsplit(there.url)
        connection = OwnConnection(parts, guard, silence)
        if parts.scheme == "https":
            connection.secure(_trusting(self._verify))
        return _over(connection, kept, request, there, guard, silence)


def _over(
    connection: OwnConnection, kept: Kept, request: Request, there: Outgoing, guard: Guard, silence: float
) -> Response:
    """Exchange the request over this connection and keep it, unless it cannot be used again."""
    try:
        response = connection.exchanged(request, there, guard, silence)
    except BaseException:
        connection.close()
        raise
    if connection.reusable and len(kept) < KEPT:
        kept.append(connection)
    else:
        connection.close()
    return response


def _taken(kept: Kept) -> OwnConnection | None:
    """Return a kept connection that the other side has not closed; threads do this without a lock."""
    with contextlib.suppress(IndexError):
        while True:
            connection = kept.pop()
            if connection.is_open():
                return connection
            connection.close()
    return None


def _trusting(verify: bool | str) -> ssl.SSLContext:
    """Return the context of TLS; it holds the authorities, which take time to read."""
    with _MAKING:
        if verify not in _CONTEXTS:
            _CONTEXTS[verify] = _context(verify)
        return _CONTEXTS[verify]


def _context(verify: bool | str) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=_authorities() if verify is True else verify or None)
    context.minimum_version = max(context.minimum_version, ssl.TLSVersion.TLSv1_2)
    context.set_alpn_protocols(["http/1.1"])
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _authorities() -> str | None:
    """Return the file that requests trusts, so that both ways trust the same; None for that of the system."""
    try:
        import certifi
    except ImportError:
        return None
    return certifi.where()


_KEPT: dict[tuple[t.Any, ...], Kept] = {}  # a fork leaves the connections of its parent alone
_CONTEXTS: dict[bool | str, ssl.SSLContext] = {}
_MAKING = threading.Lock()
