# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The identity server, which issues the tokens of the infrastructure interface.

Source: docs/service/identity.md.
"""

from __future__ import annotations

import re
import typing as t

from .._core.errors import FcdError, Rejected, Unauthorized, Unusable
from .._core.type_aliases import JsonObject
from .._http.client import Exchange
from .._http.messages import LOGIN, Request, Response

PATH = "/core/connect/token"
_TOKEN = re.compile(r"[\x21-\x7e]{1,16384}\Z")  # what can stand in a header
MAX_LIFE = 10**9  # seconds of a token
MEANINGS = {
    "invalid_client": ("the API client's ID or secret is wrong", "Check api_client_id and api_client_secret."),
    "invalid_grant": (
        "user name or password is wrong, or the account is locked",
        "Check username and password, and in the panel whether the account is locked; do not simply retry.",
    ),
    "unsupported_grant_type": (
        "the API client may not use this grant type",
        "Check the rights of the API client in the panel.",
    ),
    "invalid_scope": ("the API client may not have this scope", "Check scope, and the rights of the API client."),
}
MAX_CODE = 40
BAD_REFRESH = ("the refresh token is wrong, used up or expired", "Omit refresh_token to log in with the password.")


class Identity:
    """The server as one API client uses it: it gives tokens for a password or for a refresh token."""

    def __init__(self, exchange: Exchange, auth_url: str, client_id: str, client_secret: str) -> None:
        self._exchange = exchange
        self._url = auth_url.rstrip("/") + PATH
        self._client = (client_id, client_secret)

    def issue_token(self, username: str, password: str, scope: str) -> JsonObject:
        """Log in and return ``access_token``, ``token_type``, ``expires_in`` and maybe ``refresh_token``.

        ``expires_in`` is in seconds, None if the server does not state it. It is sent once, because a refusal may lock
        the account. Raises Unauthorized with what to check, and Unusable for an answer without a token.
        """
        form = {"grant_type": "password", "username": username, "password": password, "scope": scope}
        return self._ask("Issue a token", form, MEANINGS)

    def refresh(self, refresh_token: str) -> JsonObject:
        """Exchange a refresh token for new tokens; the answer has the same shape."""
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        return self._ask("Refresh a token", form, {**MEANINGS, "invalid_grant": BAD_REFRESH})

    def _ask(self, operation: str, form: dict[str, str], meanings: t.Mapping[str, tuple[str, str]]) -> JsonObject:
        request = Request(
            operation=operation,
            method="POST",
            url=self._url,
            kind=LOGIN,
            form=form,
            basic=self._client,
            headers={"Accept": "application/json"},
            accept_statuses=frozenset((400, 401, 403)),
            fixed=True,
        )
        answer = self._exchange.send(request)
        try:
            known = answer.json()
        except ValueError:
            known = None
        if not isinstance(known, dict):
            known = {}
        if answer.status != 200:
            raise _login_error(operation, answer, known, meanings, self._url[: -len(PATH)])
        return _check_token(operation, answer, known)


def _check_token(operation: str, answer: Response, known: JsonObject) -> JsonObject:
    token = known.get("access_token")
    if not isinstance(token, str) or not _TOKEN.match(token):
        raise Unusable(
            f"{operation}: the answer (HTTP {answer.status}) contains no access_token.",
            next_step="Check auth_url: it must be the identity server, without the path of the token endpoint.",
            operation=operation,
            status=answer.status,
            request_id=answer.request_id,
        )
    refresh = known.get("refresh_token")
    if not isinstance(refresh, str) or not _TOKEN.match(refresh):
        known.pop("refresh_token", None)
    return {
        **known,
        "access_token": token,
        "expires_in": _seconds(known.get("expires_in")),
        "token_type": known.get("token_type") or "Bearer",
    }


def _seconds(value: t.Any) -> int | None:
    try:
        seconds = int(value)
    except (TypeError, ValueError):
        return None
    return seconds if 0 < seconds <= MAX_LIFE else None


def _login_error(
    operation: str, answer: Response, known: JsonObject, meanings: t.Mapping[str, tuple[str, str]], address: str
) -> FcdError:
    error = known.get("error")
    meaning, next_step = meanings.get(str(error), (None, None))
    # only a code is quoted: the request consisted of secrets, and a text may repeat them in any spelling
    words = error if isinstance(error, str) and len(error) <= MAX_CODE and error.replace("_", "").isalpha() else None
    kind: type[Rejected] = Unauthorized if meaning or answer.status in (401, 403) else Rejected
    said = f"{meaning} ({error})" if meaning else words or "no reason given"
    named = f" (request ID {answer.request_id})" if answer.request_id else ""
    return kind(
        f"The login was refused (HTTP {answer.status}): {said}{named}.",
        next_step=next_step
        or f"Check auth_url ({address}): it must be the address of the identity server, without the path of "
        "the token endpoint. Then check the credentials.",
        operation=operation,
        status=answer.status,
        oauth_error=words,
        service_message=words,
        request_id=answer.request_id,
    )
