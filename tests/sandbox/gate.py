# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entrance for every request: find the service, write the log, let a fault strike or the service answer."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable

from sandbox.exchange import Exchange
from sandbox.fault_effects import RELEASED
from sandbox.faults import FaultTable
from sandbox.recorder import Recorder
from sandbox.service import OPERATION, Environ, Service, StartResponse

SOAP_ACTION = re.compile(r'action="?([^";\s]+)', re.IGNORECASE)
ADDRESSING_ACTION = re.compile(rb"<(?:[\w.-]+:)?Action\b[^>]*>\s*([^<\s]+)")

Route = Callable[[str], Service]


class Gate:
    """The WSGI application of one listener."""

    def __init__(self, route: Route, recorder: Recorder, faults: FaultTable, foreign_url: str) -> None:
        """``route`` finds the service for a path."""
        self._route = route
        self._recorder = recorder
        self._faults = faults
        self._foreign_url = foreign_url

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        service = self._route(environ["PATH_INFO"])
        environ["sandbox.foreign_url"] = self._foreign_url
        if service.name == "soap" and environ["REQUEST_METHOD"] == "POST":
            _name_soap_operation(environ)
        preview = getattr(service, "preview", None)
        if preview:
            preview(environ)
        exchange = Exchange(service, environ, start_response, self._recorder)
        fault = self._faults.pick(exchange.entry)
        if fault is None:
            return exchange.serve()
        exchange.entry["fault"] = fault.name
        return fault.effect.run(exchange, {**fault.params, RELEASED: fault.released})


def _name_soap_operation(environ: Environ) -> None:
    """Take the operation from the action: of the HTTP headers, else of the WS-Addressing header in the body.

    The body is read here in any case and replaced by a copy.
    """
    body = environ["wsgi.input"].read()
    environ["wsgi.input"] = io.BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
    found = SOAP_ACTION.search(environ.get("CONTENT_TYPE") or "")
    action = found.group(1) if found else environ.get("HTTP_SOAPACTION", "").strip('"')
    if not action:
        header = ADDRESSING_ACTION.search(body)
        action = header.group(1).decode("utf-8", "replace") if header else ""
    if action:
        environ[OPERATION] = action.rstrip("/").rsplit("/", 1)[-1]
