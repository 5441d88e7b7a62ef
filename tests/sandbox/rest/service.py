# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure REST interface as a WSGI application."""

from __future__ import annotations

import json
import os
import time
import traceback
import uuid
from collections import ChainMap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol

from sandbox.rest import operations
from sandbox.rest.acceptance import Accepted, Unacceptable, accept
from sandbox.rest.appearance import Appearance
from sandbox.rest.bulk import fill
from sandbox.rest.call import NOTHING, Call, Page
from sandbox.rest.conformance import FOLDER, Conformance
from sandbox.rest.description import Description, Operation, described, document
from sandbox.rest.instance_view import describe_instance
from sandbox.rest.models import Instance
from sandbox.rest.refusal import Refusal
from sandbox.rest.settings import DEFAULTS
from sandbox.rest.staleness import stale_view
from sandbox.rest.world import World
from sandbox.seed import Credentials
from sandbox.service import OPERATION, VIOLATIONS, WRITE, Environ, StartResponse

READ_ONLY = "service.api.readonly"
NAMES = ("InstanceName", "CloneName", "DiskName", "OpnName", "SshKeyName", "Name", "TemplateName", "Comment", "name")
"""Where requests have the name of an object."""
NAME_KEEPERS: dict[str, Callable[[str], str]] = {
    "as sent": str,
    "lower": str.lower,
    "stripped": str.strip,
    "cut": lambda name: name[:8],
}
LOOKS = ("line", "reference_names", "null_members", "further_members")
"""Settings on which the texts of objects depend."""


class Tokens(Protocol):
    """The identity server, as far as the service needs it."""

    def check(self, token: str) -> str | None:
        """Tell the scope of a live token, None for any other."""


@dataclass(slots=True)
class Reply:
    """Status and body of an answer."""

    status: int
    body: bytes


class RestService:
    """Answers by ``operations.yaml``, and checks every request and answer against it.

    A breach is recorded in ``environ["sandbox.violations"]`` when the platform offers that list, else in
    ``violations``. ``clock`` gives unix seconds; tests replace it.
    """

    name = "rest"

    def __init__(self, credentials: Credentials, tokens: Tokens, clock: Callable[[], float] = time.time) -> None:
        """Start with the seed; the login of the credentials is the user's."""
        self._login = credentials.username
        self._tokens = tokens
        self._clock = clock
        self.settings: dict[str, Any] = dict(DEFAULTS)
        types = document()["types"]
        self._appearance = Appearance(types, self.settings)
        self._bare = Appearance(types, ChainMap({"reference_names": False}, self.settings))
        self._looks: tuple[Any, ...] = ()
        self.conformance = Conformance(os.environ.get(FOLDER))
        self.violations: list[dict[str, Any]] = []
        self._world = World(self._login, clock())

    def reset(self) -> None:
        """Go back to the seed; the settings stay as they are."""
        self._world = World(self._login, self._clock())
        self.violations.clear()

    def snapshot(self) -> dict[str, Any]:
        """All objects as they are now, hidden instances included, without passwords."""
        return self._catch_up().truth()

    def close(self) -> None:
        """Save the counts of what was checked."""
        self.conformance.write()

    @property
    def description(self) -> Description:
        """The operations of the line that the settings name."""
        return described(self.settings["line"])

    def preview(self, environ: Environ) -> None:
        """Name the operation and whether it writes."""
        method = environ["REQUEST_METHOD"]
        found = self.description.find(method, environ.get("PATH_INFO", ""))
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
            accepted = accept(environ, self.description, self.settings)
            self._judge(environ, "request", accepted.breaches)
            _check_scope(accepted.operation, scope)
            return self._encode(environ, accepted.operation, self._handled(environ, accepted))
        except Refusal as refusal:
            return _error(refusal.status, refusal.message)
        except Unacceptable as breach:
            self._judge(environ, "request", breach.faults)
            words = f"The request is not valid: {breach}" if self.settings["validation_words"] else "Invalid request."
            return _error(breach.status, words)
        except Exception:
            self._judge(environ, "answer", [traceback.format_exc()])
            return _error(500, "The sandbox failed; the traceback is among the violations.")

    def _scope(self, environ: Environ) -> str:
        kind, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        scope = self._tokens.check(token.strip()) if kind.casefold() == "bearer" else None
        if scope is None:
            raise Refusal(401, "Authorization has been denied for this request.")
        return scope

    def _handled(self, environ: Environ, accepted: Accepted) -> Any:
        world = self._catch_up(f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', 'localhost')}")
        handler = operations.HANDLERS.get(accepted.operation.id)
        if handler is None:
            raise Refusal(404, f"The sandbox does not serve {accepted.operation.id}.")
        if self.settings["accept_only"] and environ[WRITE]:
            world = world.shadow()
        keep = NAME_KEEPERS[self.settings["kept_names"]]
        query, body = (
            {name: keep(value) if name in NAMES else value for name, value in values.items()}
            for values in (accepted.query, accepted.body)
        )
        return handler(Call(accepted.operation.id, accepted.path, query, body, world, self.settings, self._clock()))

    def _catch_up(self, origin: str | None = None) -> World:
        """Carry out what is due; links carry the origin that was asked."""
        world = self._world
        if origin is not None:
            world.move(origin)
        looks = tuple(str(self.settings[name]) for name in LOOKS)
        if looks != self._looks:
            self._looks = looks
            world.forget_texts()
        if self.settings["hang_tickets"] is None:
            world.timeline.release(self._clock())
        world.timeline.advance(self._clock())
        fill(world, self.settings["bulk_instances"], self._clock())
        return world

    def _encode(self, environ: Environ, operation: Operation, answer: Any) -> Reply:
        if answer is NOTHING or operation.silent:
            faults = [] if answer is NOTHING and operation.silent else ["body or no body, against the description"]
            body = b""
        elif isinstance(answer, Page):
            faults = []
            texts = [self._text(one, faults) for one in answer.items]
            body = b'{"Items":[%b],"Meta":{"Total":%d}}' % (b",".join(texts), answer.total)
        else:
            body = _dump(self._appearance.of(operation.answer_type, answer))
            bare = self._bare.of(operation.answer_type, answer)
            faults = [] if answer is None else operation.answer_faults(bare)
        self._judge(environ, "answer", faults)
        if faults:
            return _error(500, "The sandbox made an answer that breaks its description; see the violations.")
        return Reply(operation.success, body)

    def _text(self, one: Instance, faults: list[str]) -> bytes:
        """JSON text of an instance as lists show it, checked when it is made."""
        lingering = stale_view(one.lock, self._clock())
        if lingering is not None:
            return _dump(self._appearance.of("instance", lingering))
        if one.fragment is None:
            shown = describe_instance(self._world, one)
            found = self.description.operations["read_instance"].answer_faults(self._bare.of("instance", shown))
            faults += found
            text = _dump(self._appearance.of("instance", shown))
            one.fragment = None if found else text
            return text
        return one.fragment

    def _judge(self, environ: Environ, side: str, faults: list[str]) -> None:
        """Count the check; keep breaches of the description."""
        found = self._record(environ, side, faults) if faults else None
        self.conformance.note(environ, self.settings["line"], side, found)

    def _record(self, environ: Environ, side: str, faults: list[str]) -> dict[str, Any]:
        kept: list[dict[str, Any]] = environ.get(VIOLATIONS, self.violations)
        method, path, query = environ["REQUEST_METHOD"], environ.get("PATH_INFO"), environ.get("QUERY_STRING")
        place = {"service": self.name, "method": method, "path": path, "query": query}
        made = {"side": side, "text": "; ".join(faults), "operation": environ[OPERATION], **place}
        kept.append(made)
        return made


def _check_scope(operation: Operation, scope: str) -> None:
    if operation.writes and scope == READ_ONLY:
        raise Refusal(403, "The scope of the token allows reading only.")


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _error(status: int, message: str) -> Reply:
    return Reply(status, _dump({"Message": message, "ErrorId": str(uuid.uuid4())}))
