# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What went wrong on the way, told from the exceptions of four libraries, in words without any address or secret."""

from __future__ import annotations

import socket
import ssl
import typing as t
from http.client import HTTPException, IncompleteRead, RemoteDisconnected

from .connections import TookTooLong


class Cause(t.NamedTuple):
    """``words`` for the message, and what to do about it; ``passing`` says that it may go away by itself."""

    words: str
    next_step: str | None = None
    passing: bool = True


def cause_of(exc: BaseException) -> Cause:
    """Return what is behind an exception of requests or urllib3."""
    root = _root(exc)
    if type(root).__name__ == "CertificateError":  # urllib3 1 has its own
        return _certificate(root)
    for kind, tell in _TOLD:
        if isinstance(root, kind):
            return tell(root)
    if isinstance(root, OSError):
        return Cause((root.strerror or str(root))[:200])
    return Cause(f"the connection failed ({type(root).__name__})")


def _root(exc: BaseException) -> BaseException:
    """Return the innermost exception that does not belong to requests or urllib3, else the innermost one."""
    found, seen, left = exc, set(), [exc]
    while left:
        here = left.pop(0)
        if id(here) in seen:
            continue
        seen.add(id(here))
        if type(here).__module__.partition(".")[0] not in ("requests", "urllib3"):
            return here
        found = here
        inner = (*here.args, getattr(here, "reason", None), here.__cause__, here.__context__)
        left.extend(item for item in inner if isinstance(item, BaseException))
    return found


def _certificate(exc: t.Any) -> Cause:
    reason = getattr(exc, "verify_message", "") or str(exc)
    return Cause(
        f"its certificate was refused ({reason})", "Check the host in the address, and ca_path.", passing=False
    )


def _tls(exc: t.Any) -> Cause:
    reason = (exc.reason or "").replace("_", " ").lower() or "broken off"
    return Cause(f"TLS failed ({reason})", "Check that the port of the address speaks https.")


_TOLD: tuple[tuple[t.Any, t.Callable[[t.Any], Cause]], ...] = (
    (ssl.CertificateError, _certificate),
    (ssl.SSLError, _tls),
    (
        socket.gaierror,
        lambda exc: Cause(f"the name of the host is not known ({exc.strerror})", "Check the host in the address."),
    ),
    (TookTooLong, lambda exc: Cause(str(exc))),
    ((socket.timeout, TimeoutError), lambda _exc: Cause("no answer in time")),
    (RemoteDisconnected, lambda _exc: Cause("it closed the connection without an answer")),
    (ConnectionResetError, lambda _exc: Cause("it broke off the connection")),
    (IncompleteRead, lambda _exc: Cause("its answer was cut off")),
    (HTTPException, lambda exc: Cause(f"what it sent is not HTTP ({type(exc).__name__})")),
)
