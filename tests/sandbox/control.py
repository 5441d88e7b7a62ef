# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The control address: faults, the log, settings, the truth, reset (see README.md)."""

from __future__ import annotations

import copy
import hmac
import json
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs

from sandbox.faults import FaultTable
from sandbox.recorder import Recorder
from sandbox.service import Environ, Service, StartResponse

Query = dict[str, str]
Handler = Callable[[Query, Any], Any]
HOSTS = ("localhost", "127.0.0.1")
JSON = "application/json"


class Control:
    """Plain HTTP, JSON in and out; a mistake is answered with 400 and {"error": text}.

    Other users of this host, and pages in a browser, can reach the port too. So requests without the token are refused,
    as are those under another host name, which a page could have pointed here, and those that a form of a page could
    send.
    """

    def __init__(self, services: list[Service], recorder: Recorder, faults: FaultTable, token: str) -> None:
        """Keep the current settings: a reset restores them."""
        self._token = token
        self._services = {service.name: service for service in services}
        self._first_settings = {service.name: copy.deepcopy(service.settings) for service in services}
        self._recorder = recorder
        self._faults = faults
        self.info: dict[str, Any] = {}
        self._routes: dict[tuple[str, str], Handler] = {
            ("GET", "info"): lambda query, body: self.info,
            ("GET", "faults"): lambda query, body: faults.show(),
            ("POST", "faults"): self._arm,
            ("DELETE", "faults"): lambda query, body: faults.clear(),
            ("GET", "requests"): self._requests,
            ("DELETE", "requests"): lambda query, body: recorder.clear(),
            ("GET", "counts"): self._counts,
            ("GET", "violations"): lambda query, body: recorder.violations(),
            ("GET", "settings"): lambda query, body: self._settings(),
            ("PATCH", "settings"): lambda query, body: self._change(_mapping(body)),
            ("GET", "state"): lambda query, body: self._state(),
            ("POST", "reset"): lambda query, body: self._reset(),
            ("POST", "expire"): self._expire,
        }

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        refused = self._refusal(environ)
        if refused is None:
            self._recorder.touch()
        status, document = refused or self._handle(environ)
        body = json.dumps(document).encode()
        start_response(status, [("Content-Type", JSON), ("Content-Length", str(len(body)))])
        return [body]

    def _refusal(self, environ: Environ) -> tuple[str, Any] | None:
        if environ.get("HTTP_HOST", "").rpartition(":")[0] not in HOSTS:
            return "421 Misdirected Request", {"error": "the Host header names another host"}
        if not hmac.compare_digest(environ.get("HTTP_X_SANDBOX_TOKEN", "").encode(), self._token.encode()):
            return "401 Unauthorized", {"error": "X-Sandbox-Token must be the control_token of the ready document"}
        if environ["REQUEST_METHOD"] in ("POST", "PATCH") and environ.get("CONTENT_TYPE") != JSON:
            return "415 Unsupported Media Type", {"error": f"Content-Type must be {JSON}"}
        return None

    def _handle(self, environ: Environ) -> tuple[str, Any]:
        name = environ["PATH_INFO"].removeprefix("/sandbox/").strip("/")
        handler = self._routes.get((environ["REQUEST_METHOD"], name))
        if handler is None:
            known = sorted(f"{method} /sandbox/{path}" for method, path in self._routes)
            return "404 Not Found", {"error": "unknown address", "known": known}
        query = {key: values[-1] for key, values in parse_qs(environ.get("QUERY_STRING", "")).items()}
        try:
            body = json.loads(environ["wsgi.input"].read() or b"null")
            return "200 OK", handler(query, body)
        except (ValueError, TypeError) as error:
            return "400 Bad Request", {"error": str(error)}

    def _arm(self, query: Query, body: Any) -> Any:
        name = _mapping(body).get("service")
        if name is not None:
            self._service(name)
        return {"id": self._faults.arm(body)}

    def _service(self, name: str) -> Service:
        if name not in self._services:
            raise ValueError(f"unknown service {name!r}; known are {', '.join(sorted(self._services))}")
        return self._services[name]

    def _requests(self, query: Query, body: Any) -> Any:
        return self._recorder.requests(query.get("service"), int(query.get("since", 0)))

    def _counts(self, query: Query, body: Any) -> Any:
        return {**self._recorder.counts(), "schema_violations": len(self._recorder.violations())}

    def _settings(self) -> dict[str, Any]:
        return {name: service.settings for name, service in self._services.items()}

    def _change(self, wish: dict[str, Any]) -> dict[str, Any]:
        """All or nothing: an unknown service or name changes no setting."""
        for name, changes in wish.items():
            known = self._service(name).settings
            for key in _mapping(changes):
                if key not in known:
                    raise ValueError(f"{name} has no setting {key!r}; known are {', '.join(sorted(known))}")
        for name, changes in wish.items():
            self._services[name].settings.update(changes)
        return self._settings()

    def _state(self) -> dict[str, Any]:
        return {name: service.snapshot() for name, service in self._services.items()}

    def _reset(self) -> None:
        for name, service in self._services.items():
            service.settings.clear()
            service.settings.update(copy.deepcopy(self._first_settings[name]))
            service.reset()
        self._faults.clear()
        self._recorder.reset()

    def _expire(self, query: Query, body: Any) -> None:
        desired = query.get("service")
        for name, service in self._services.items():
            if desired in (None, name) and hasattr(service, "expire"):
                service.expire()


def _mapping(body: Any) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise TypeError("a JSON object is expected")
    return body
