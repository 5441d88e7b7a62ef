# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What went wrong on the way: exceptions of four libraries become errors of ours, in words without any secret."""

from __future__ import annotations

import socket
import ssl
import typing as t
from http.client import BadStatusLine, HTTPException, IncompleteRead, RemoteDisconnected

from .._core.clock import Deadline
from .._core.errors import DeadlinePassed, FcdError, InvalidInput, Unclear, Unreachable
from .addresses import AddressSources, named_option, origin
from .connection import NotHttp, TookTooLong
from .messages import Request
from .watchdog import Guard

UNREACHED = "Check host and port in {address}, and that this machine can reach them."
BEHIND_PROXY = "Check the proxy variables in the environment, and {address}."
_NEVER_SENT = ("InvalidProxyURL", "InvalidSchema", "InvalidURL")  # of requests: the proxy settings are wrong


class Way(t.NamedTuple):
    """How a request went: the proxy, if there was one, and the options that addresses come from."""

    proxy: str | None = None
    sources: AddressSources = ()

    def advice(self, url: str, cause: Cause) -> str:
        """Return what to do about a connection that was not made."""
        return (cause.next_step or (BEHIND_PROXY if self.proxy else UNREACHED)).format(
            address=named_option(url, self.sources)
        )


def no_answer(
    request: Request,
    exc: Exception,
    guard: Guard,
    limit: Deadline,
    way: Way,
    redact: t.Callable[[str], str],
) -> FcdError:
    """Return the error for a try that ended with an exception of a library."""
    if type(exc).__name__ in _NEVER_SENT:
        return InvalidInput(
            f"{request.operation}: the proxy {origin(way.proxy or '')} cannot be used ({type(exc).__name__}).",
            next_step="Check the proxy variables in the environment; SOCKS needs the Python library PySocks.",
        )
    if guard.sent and (guard.fired or limit.over):
        return too_late(request, limit)
    cause, where = cause_of(exc), origin(request.url)
    details: dict[str, t.Any] = {} if cause.passing else {"repeatable": False}
    details["operation"] = request.operation
    if guard.sent:
        return Unclear(f"{request.operation}: {where} gave no usable answer: {redact(cause.words)}.", **details)
    through = f" through the proxy {origin(way.proxy)}" if way.proxy else ""
    words = f"it took longer than the {limit.seconds or 0:g} s of this {limit.what}" if guard.fired else cause.words
    return Unreachable(
        f"{request.operation}: cannot connect to {where}{through}: {redact(words)}.",
        next_step=way.advice(request.url, cause),
        **details,
    )


def too_late(request: Request, limit: Deadline) -> FcdError:
    """Return the error for an answer that was not complete in time."""
    option = "timeout" if limit.what == "call" else "task_timeout"
    return DeadlinePassed(
        f"{request.operation}: {origin(request.url)} did not answer completely within the "
        f"{limit.seconds or 0:g} s of this {limit.what}.",
        next_step=f"If the service is only slow, raise {option}.",
        operation=request.operation,
    )


class Cause(t.NamedTuple):
    """``words`` for the message, and what to do about it, with {address} for the option in which the address stands.

    ``passing`` says that it may go away by itself.
    """

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
    advice = "Check the host in {address}, and that ca_path names a file with the authority that signed it."
    return Cause(f"its certificate was refused ({reason})", advice, passing=False)


def _tls(exc: t.Any) -> Cause:
    reason = (getattr(exc, "reason", None) or "").replace("_", " ").lower() or "broken off"
    return Cause(f"TLS failed ({reason})", "Check that the port in {address} speaks https.")


_TOLD: tuple[tuple[t.Any, t.Callable[[t.Any], Cause]], ...] = (
    (ssl.CertificateError, _certificate),
    (ssl.SSLError, _tls),
    (
        socket.gaierror,
        lambda exc: Cause(f"the name of the host is not known ({exc.strerror})", "Check the host in {address}."),
    ),
    (TookTooLong, lambda exc: Cause(str(exc))),
    ((socket.timeout, TimeoutError), lambda _exc: Cause("no answer in time")),
    (RemoteDisconnected, lambda _exc: Cause("it closed the connection without an answer")),
    ((ConnectionResetError, BrokenPipeError), lambda _exc: Cause("it broke off the connection")),
    (IncompleteRead, lambda _exc: Cause("its answer was cut off")),
    (BadStatusLine, lambda _exc: Cause("what it sent is not HTTP (its first line is none)")),
    (NotHttp, lambda exc: Cause(f"what it sent is not HTTP ({exc})")),
    ((HTTPException, ValueError), lambda exc: Cause(f"what it sent is not HTTP ({type(exc).__name__})")),
)
