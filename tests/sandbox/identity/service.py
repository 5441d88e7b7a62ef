# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The token address of the identity server: password and refresh grants (docs/service/identity.md, RFC 6749).

Assumptions, each a setting: the account is locked after ``lock_after`` wrong passwords in a row until the reset; a
refresh token works once. Also assumed: every refusal is status 400, the scope is required, and a request that is no
form or repeats a field is ``invalid_request``.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl

from sandbox.identity.tokens import FULL_SCOPE, READ_SCOPE, REFRESH_SCOPE, TokenTable
from sandbox.seed import Credentials
from sandbox.service import WRITE, Environ, StartResponse

TOKEN_PATH = "/core/connect/token"
FORM = "application/x-www-form-urlencoded"


class Refusal(Exception):
    """A refusal with its OAuth error code as the text."""


class IdentityService:
    """POST /core/connect/token; ``tokens`` is the table the REST service checks bearers against."""

    name = "identity"

    def __init__(self, credentials: Credentials) -> None:
        """Know one API client and one user."""
        self._credentials = credentials
        self.tokens = TokenTable()
        self.settings: dict[str, Any] = {
            "token_lifetime": 86400,
            "allowed_scopes": [FULL_SCOPE, READ_SCOPE, REFRESH_SCOPE],
            "allowed_grants": ["password", "refresh_token"],
            "lock_after": 5,
            "refresh_once": True,
        }
        self._wrong_passwords = 0
        self._granted = 0
        self._refused = 0

    def reset(self) -> None:
        """Forget all tokens, unlock the account."""
        self.tokens.clear()
        self._wrong_passwords = self._granted = self._refused = 0

    def expire(self) -> None:
        """Make every access token worthless at once."""
        self.tokens.expire()

    def snapshot(self) -> dict[str, Any]:
        """Live tokens, answers so far, and whether the account is locked."""
        counts = {"granted": self._granted, "refused": self._refused, "locked": self._locked()}
        return {**self.tokens.counts(), **counts}

    def preview(self, environ: Environ) -> None:
        """Say that a log-in changes nothing of the customer's."""
        environ[WRITE] = False

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a token request with 200, or with 400 and the error code."""
        if environ["PATH_INFO"] != TOKEN_PATH:
            return _answer(start_response, "404 Not Found", {"error": "not_found"})
        if environ["REQUEST_METHOD"] != "POST":
            return _answer(start_response, "405 Method Not Allowed", {"error": "method_not_allowed"})
        try:
            document = self._grant(environ)
        except Refusal as refusal:
            self._refused += 1
            return _answer(start_response, "400 Bad Request", {"error": str(refusal)})
        self._granted += 1
        return _answer(start_response, "200 OK", document)

    def _grant(self, environ: Environ) -> dict[str, Any]:
        form = _form(environ)
        if _basic(environ) != (self._credentials.api_client_id, self._credentials.api_client_secret):
            raise Refusal("invalid_client")
        grant = form.get("grant_type")
        if not grant:
            raise Refusal("invalid_request")
        if grant not in self.settings["allowed_grants"]:
            raise Refusal("unsupported_grant_type")
        scopes = self._refresh(form) if grant == "refresh_token" else self._password(form)
        return self._document(scopes)

    def _password(self, form: dict[str, str]) -> tuple[str, ...]:
        scopes = self._scopes(form)
        if not form.get("username") or "password" not in form:
            raise Refusal("invalid_grant")
        if form["username"] != self._credentials.username:
            raise Refusal("invalid_grant")
        if self._locked():
            raise Refusal("invalid_grant")
        if form["password"] != self._credentials.password:
            self._wrong_passwords += 1
            raise Refusal("invalid_grant")
        self._wrong_passwords = 0
        return scopes

    def _scopes(self, form: dict[str, str]) -> tuple[str, ...]:
        scopes = tuple(form.get("scope", "").split())
        if not {FULL_SCOPE, READ_SCOPE} & set(scopes) or set(scopes) - set(self.settings["allowed_scopes"]):
            raise Refusal("invalid_scope")
        return scopes

    def _refresh(self, form: dict[str, str]) -> tuple[str, ...]:
        token = form.get("refresh_token", "")
        scopes = self.tokens.refresh_scopes(token)
        if scopes is None:
            raise Refusal("invalid_grant")
        if self.settings["refresh_once"]:
            self.tokens.withdraw_refresh(token)
        return scopes

    def _document(self, scopes: tuple[str, ...]) -> dict[str, Any]:
        lifetime = self.settings["token_lifetime"]
        document: dict[str, Any] = {
            "access_token": self.tokens.issue(scopes, lifetime),
            "expires_in": int(lifetime),
            "token_type": "Bearer",
        }
        if REFRESH_SCOPE in scopes:
            document["refresh_token"] = self.tokens.issue_refresh(scopes)
        return document

    def _locked(self) -> bool:
        limit = self.settings["lock_after"]
        return bool(limit) and self._wrong_passwords >= limit


def _form(environ: Environ) -> dict[str, str]:
    body = environ["wsgi.input"].read()
    if str(environ.get("CONTENT_TYPE", "")).split(";")[0].strip().lower() != FORM:
        raise Refusal("invalid_request")
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        raise Refusal("invalid_request") from None
    if len(pairs) != len(dict(pairs)):
        raise Refusal("invalid_request")
    return dict(pairs)


def _basic(environ: Environ) -> tuple[str, str] | None:
    """Client id and secret of the Basic header, taken as they are (no form decoding)."""
    scheme, _, value = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    try:
        text = base64.b64decode(value.strip(), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    client, colon, secret = text.partition(":")
    if scheme.lower() != "basic" or not colon:
        return None
    return client, secret


def _answer(start_response: StartResponse, status: str, document: dict[str, Any]) -> Iterable[bytes]:
    body = json.dumps(document).encode()
    headers = [
        ("Content-Type", "application/json; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store, no-cache, max-age=0, private"),
        ("Pragma", "no-cache"),
    ]
    start_response(status, headers)
    return [body]
