# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sending while many plan at the same time: each read is sent once, and nothing but reads is sent at all."""

from __future__ import annotations

import typing as t

from .._core.memoize import Memory
from .client import Exchange
from .messages import LOGIN, READ, Credentials, Request, Response


class RememberingExchange(Exchange):
    """An exchange that sends each read once and remembers the answer.

    All answers are from about the same time, that of the planning. A request that would change something is a defect of
    the caller, and is not sent.
    """

    memory: Memory

    @classmethod
    def over(cls, exchange: Exchange) -> RememberingExchange:
        """Return one that sends in the same way as ``exchange``."""
        remembering = cls.__new__(cls)
        vars(remembering).update(vars(exchange))
        remembering.memory = Memory()
        return remembering

    def send(self, request: Request, credentials: Credentials | None = None) -> Response:
        """Send a read, or return its earlier result. Raises what Exchange.send does, or AssertionError."""
        if request.kind == LOGIN:
            return super().send(request, credentials)
        if request.kind != READ:
            raise AssertionError(f"{request.operation} is not sent while planning")
        send = super().send
        if request.fresh or not _repeatable(request):
            return send(request, credentials)
        return self.memory.answer(_question(request), lambda: send(request, credentials))


def _repeatable(request: Request) -> bool:
    return request.method == "HEAD" or (request.method == "GET" and request.stream_to is None)


def _question(request: Request) -> t.Hashable:
    params = tuple(sorted((name, str(value)) for name, value in (request.params or {}).items() if value is not None))
    return request.method, request.url, params, tuple(sorted(request.headers.items())), request.json_answer
