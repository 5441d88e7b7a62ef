# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface of the sandbox's services to the platform that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
StartResponse = Callable[..., Any]
App = Callable[[Environ, StartResponse], Iterable[bytes]]

OPERATION = "sandbox.operation"
"""environ key, str: name of the operation, for the request log, the counts and the ``operation`` of a fault."""
WRITE = "sandbox.write"
"""environ key, bool: whether the request changes something; by method when a service does not say."""
VIOLATIONS = "sandbox.violations"
"""environ key, list: the platform puts an empty list here before a call; a service appends one dictionary
``{"side": "request"|"answer", "text": validator's words, ...}`` for each breach of its description or its XSD.
The platform adds the request's number, service, method, path and operation to it."""


class Service(Protocol):
    """One interface of the provider as a WSGI application with settings, a seed and a truth to compare with.

    Services are called from green threads of one process and hold no locks: they must not switch in the middle of a
    change. They take the time from ``time.time()`` and compute progress lazily.

    Optional members the platform uses when they exist:
        preview(environ) -> None: set OPERATION and WRITE before faults are matched; must not read ``wsgi.input``.
            Of SOAP requests the platform itself has read the action then, and OPERATION is there.
        expire() -> None: make all issued tokens worthless at once.
        close() -> None: the process is about to end.
    """

    name: str
    settings: dict[str, Any]

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""

    def reset(self) -> None:
        """Restore the seed (the platform has restored ``settings`` before)."""

    def snapshot(self) -> dict[str, Any]:
        """JSON-able truth about the objects, for counting in tests; without passwords given by clients."""
