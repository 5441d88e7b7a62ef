# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure REST interface as a WSGI application."""

from __future__ import annotations

import json
import time
import traceback
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol

from sandbox.rest import operations
from sandbox.rest.acceptance import Unacceptable, body_data, query_texts
from sandbox.rest.bulk import fill
from sandbox.rest.call import NOTHING, Call, Page
from sandbox.rest.description import Operation, described
from sandbox.rest.instance_view import describe_instance
from sandbox.rest.models import Instance
from sandbox.rest.refusal import Refusal
from sandbox.rest.settings import DEFAULTS
from sandbox.rest.truth import truth
from sandbox.rest.world import World
from sandbox.seed import Credentials
from sandbox.service import OPERATION, VIOLATIONS, WRITE, Environ, StartResponse

READ_ONLY = "service.api.readonly"


class Tokens(Protocol):
    """What the service needs of the identity server."""

    def check(self, token: str) -> str | None:
        """Tell the scope of a live token, None for any other."""


@dataclass(slots=True)
class Reply:
    """Status and body of an answer."""

    status: int
    body: bytes


class RestService:
    """Answers what ``openapi.yaml`` describes, and checks every request and answer against it.

    A breach is recorded in ``environ["sandbox.violations"]`` when the platform offers that list, else in
    ``violations``. ``clock`` gives unix seconds; tests replace it.
    """

    name = "rest"

    def __init__(self, credentials: Credentials, tokens: Tokens, clock: Callable[[], float] = time.time) -> None:
        """Start with the seed; the login of the credentials is the user's."""
        self._login = credentials.username
        self._tokens = tokens
        self._clock = clock
        self._description = described()
        self._instance_checker = self._description.schema("Instance")
        self.settings: dict[str, Any] = dict(DEFAULTS)
        self.violations: list[dict[str, Any]] = []
        self._world = World(self._login, clock())

    def reset(self) -> None:
        """Go back to the seed; the settings stay as they are."""
        self._world = World(self._login, self._clock())
        self.violations.clear()

    def snapshot(self) -> dict[str, Any]:
        """All objects as they are now, hidden instances included, without passwords."""
        self._catch_up()
        return truth(self._world)

    def preview(self, environ: Environ) -> None:
        """Name the operation and whether it writes."""
        method = environ["REQUEST_METHOD"]
        found = self._description.find(method, environ.get("PATH_INFO", ""))
        environ[OPERATION] = f"{method} unknown" if isinstance(found, int) else found[0].id
        environ[WRITE] = method not in ("GET", "HEAD", "OPTIONS")

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        self.preview(environ)
        reply = self._reply(environ)
        headers = [("X-Request-Id", str(uuid.uuid4())), ("Content-Length", str(len(reply.body)))]
        if reply.status == 401:
            headers.append(("WWW-Authenticate", "Bearer"))
        if reply.body:
            headers.append(("Content-Type", "application/json; charset=utf-8"))
        start_response(f"{reply.status} {HTTPStatus(reply.status).phrase}", headers)
        return [reply.body] if reply.body else []

    def _reply(self, environ: Environ) -> Reply:
        try:
            scope = self._scope(environ)
            operation, call = self._accept(environ)
            _check_scope(operation, scope)
            return self._encode(environ, operation, operations.HANDLERS[operation.id](call))
        except Refusal as refusal:
            return _error(refusal.status, refusal.message)
        except Unacceptable as breach:
            self._record(environ, "request", breach.faults)
            return _error(breach.status, f"The request is not valid: {breach}")
        except Exception:
            self._record(environ, "answer", [traceback.format_exc()])
            return _error(500, "The sandbox failed; the traceback is among the violations.")

    def _scope(self, environ: Environ) -> str:
        kind, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        scope = self._tokens.check(token.strip()) if kind.casefold() == "bearer" else None
        if scope is None:
            raise Refusal(401, "Authorization has been denied for this request.")
        return scope

    def _accept(self, environ: Environ) -> tuple[Operation, Call]:
        path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
        found = self._description.find(environ["REQUEST_METHOD"], path)
        if isinstance(found, int):
            raise Unacceptable(found, [f"{environ['REQUEST_METHOD']} {path} is not described"])
        operation, texts = found
        path_values, faults = operation.path_parameters.read(texts)
        query_values, query_faults = operation.query_parameters.read(query_texts(environ))
        body = body_data(environ, operation)
        faults += query_faults + (operation.body_faults(body) if body is not None else [])
        if faults:
            raise Unacceptable(400, faults)
        world = self._catch_up(f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', 'localhost')}")
        return operation, Call(operation.id, path_values, query_values, body or {}, world, self.settings, self._clock())

    def _catch_up(self, origin: str | None = None) -> World:
        """Carry out what is due; links carry the origin that was asked."""
        world = self._world
        if origin is not None:
            world.move(origin)
        world.timeline.advance(self._clock())
        fill(world, self.settings["bulk_instances"], self._clock())
        return world

    def _encode(self, environ: Environ, operation: Operation, answer: Any) -> Reply:
        if answer is NOTHING or operation.silent:
            faults = [] if answer is NOTHING and operation.silent else ["body or no body, against the description"]
            body = b""
        elif isinstance(answer, Page):
            faults = operation.answer_faults(operation.success, {"Items": [], "Meta": {"Total": answer.total}})
            texts = [self._text(one, faults) for one in answer.items]
            body = b'{"Items":[%b],"Meta":{"Total":%d}}' % (b",".join(texts), answer.total)
        else:
            faults = operation.answer_faults(operation.success, answer)
            body = _dump(answer)
        if faults:
            self._record(environ, "answer", faults)
            return _error(500, "The sandbox made an answer that breaks its description; see the violations.")
        return Reply(operation.success, body)

    def _text(self, one: Instance, faults: list[str]) -> bytes:
        """JSON text of an instance, checked when it is made."""
        if one.fragment is None:
            shown = describe_instance(self._world, one)
            found = self._instance_checker.faults(shown)
            faults += found
            text = _dump(shown)
            one.fragment = None if found else text
            return text
        return one.fragment

    def _record(self, environ: Environ, side: str, faults: list[str]) -> None:
        kept: list[dict[str, Any]] = environ.get(VIOLATIONS, self.violations)
        method, path, query = environ["REQUEST_METHOD"], environ.get("PATH_INFO"), environ.get("QUERY_STRING")
        place = {"service": self.name, "method": method, "path": path, "query": query}
        kept.append({"side": side, "text": "; ".join(faults), "operation": environ[OPERATION], **place})


def _check_scope(operation: Operation, scope: str) -> None:
    if operation.writes and scope == READ_ONLY:
        raise Refusal(403, "The scope of the token allows reading only.")


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _error(status: int, message: str) -> Reply:
    return Reply(status, _dump({"Message": message, "ErrorId": str(uuid.uuid4())}))
