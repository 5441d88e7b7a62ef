# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account of a task: its log-in at the identity server, and credentials that renew themselves.

The log-in is by password, or by a refresh token if there is one. Source: contract infrastructure-rest.md "Issue a
token", wire-facts section 1.
"""

from __future__ import annotations

import re
import threading
import typing as t

from .._core.errors import FcdError, InvalidInput, Rejected, Unauthorized, Unclear, Unusable
from .._http.messages import LOGIN, Request, Response
from .options import IDENTITY
from .task import Task
from .tokens import Token, TokenStore, fetched, token

if t.TYPE_CHECKING:
    from .._http.client import Exchange

Answer = t.Dict[str, t.Any]


class IdentityAccount:
    """The account that a task logs in with."""

    def __init__(self, task: Task) -> None:
        task.settings.require((IDENTITY,))
        self._task, settings = task, task.settings
        parts = (settings["auth_url"].rstrip("/"), settings["api_client_id"], settings["username"], settings["scope"])
        self._store = TokenStore(task, IDENTITY, *parts, proof=(settings["password"], settings["api_client_secret"]))

    def token(self, *, refused: str | None = None) -> Answer:
        """Return ``token``, which is valid, ``token_type`` and ``expires_at``, in seconds since the epoch.

        If there is a ``refresh_token``, it is included. A ``refused`` token is replaced, unless another task has
        already done so.
        """
        return self._answer(self._store.get(self._issued, refused=refused))

    def new_token(self, refresh_token: str | None = None) -> Answer:
        """Return a new token, by refreshing or by logging in, and keep it."""
        if refresh_token:
            new = self._refreshed(refresh_token)
        else:
            new = fetched(self._store, lambda _old: self._logged_in(), None)
        self._store.put(new)
        return self._answer(new)

    def _issued(self, old: Token | None) -> Token:
        """Refresh if there is a kept refresh token; if there is none, or that fails, log in with the password."""
        if old is not None and old.facts.get("refresh_token"):
            try:
                return self._refreshed(old.facts["refresh_token"])
            except (Rejected, Unclear):
                pass  # expired, or used by another task just now; the password is available
        return self._logged_in()

    def _logged_in(self) -> Token:
        settings, asked_at = self._task.settings, self._task.clock.now()
        answer = self._identity().issue_token(settings["username"], settings["password"], settings["scope"])
        return _kept(answer, asked_at)

    def _refreshed(self, refresh_token: str) -> Token:
        self._task.redactor.add(refresh_token)
        asked_at = self._task.clock.now()
        return _kept({"refresh_token": refresh_token, **self._identity().refresh(refresh_token)}, asked_at)

    def _identity(self) -> Identity:
        from .clients import exchange  # not needed while there is a kept token

        settings, sender = self._task.settings, exchange(self._task)
        return Identity(sender, settings["auth_url"], settings["api_client_id"], settings["api_client_secret"])

    def _answer(self, found: Token) -> Answer:
        return {"token": found.value, "expires_at": found.expires, **found.facts}


def _kept(answer: t.Mapping[str, t.Any], asked_at: float) -> Token:
    facts = {name: answer.get(name) for name in ("token_type", "refresh_token")}
    return token(answer["access_token"], answer["expires_in"], asked_at, **facts)


class AccountCredentials:
    """Bearer credentials of an account; a token that was refused is replaced once.

    Threads may share them: each remembers which token it sent, so that it does not mistake a new one for the refused
    one.
    """

    advice = "The token was new: check that base_url and auth_url belong together."

    def __init__(self, account: IdentityAccount) -> None:
        self._account = account
        self._sent = threading.local()

    def headers(self) -> dict[str, str]:
        """Return the header; logs in if there is no kept token."""
        self._sent.token = self._account.token()["token"]
        return {"Authorization": f"Bearer {self._sent.token}"}

    def renew(self) -> bool:
        """Get a new token to replace the refused one."""
        self._account.token(refused=self._sent.token)
        return True


class GivenToken:
    """A token that the user gave: it cannot be renewed."""

    advice = (
        "The access_token that was given (option, FCD_ACCESS_TOKEN or profile) was refused: it has expired or was "
        "revoked. Omit it, and the collection logs in and gets its own; or give a new one."
    )

    def __init__(self, token: str) -> None:
        """Keep it. Raises InvalidInput for what cannot be a token."""
        if not token.isprintable() or " " in token:
            raise InvalidInput(
                "access_token: it contains a space, a line break or another character that is not allowed in a token.",
                next_step="Give only the token; if you read it from a file, you may need the filter trim.",
                option="access_token",
            )
        self._token = token

    def headers(self) -> dict[str, str]:
        """Return the header."""
        return {"Authorization": f"Bearer {self._token}"}

    def renew(self) -> bool:
        """Return False: there is no other token."""
        return False


# ---------------------------------------------------------------- the identity server

PATH = "/core/connect/token"
_TOKEN = re.compile(r"[\x21-\x7e]+\Z")  # what can stand in a header
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
LONGEST_CODE = 40
BAD_REFRESH = ("the refresh token is wrong, used up or expired", "Omit refresh_token to log in with the password.")


class Identity:
    """Issues tokens to one API client."""

    def __init__(self, exchange: Exchange, auth_url: str, client_id: str, client_secret: str) -> None:
        self._exchange = exchange
        self._url = auth_url.rstrip("/") + PATH
        self._client = (client_id, client_secret)

    def issue_token(self, username: str, password: str, scope: str) -> dict[str, t.Any]:
        """Log in and return ``access_token``, ``token_type``, ``expires_in`` and maybe ``refresh_token``.

        ``expires_in`` is in seconds, None if the server does not state it. It is sent once, because a refusal may lock
        the account. Raises Unauthorized with what to check, and Unusable for an answer without a token.
        """
        form = {"grant_type": "password", "username": username, "password": password, "scope": scope}
        return self._ask("Issue a token", form, MEANINGS)

    def refresh(self, refresh_token: str) -> dict[str, t.Any]:
        """Exchange a refresh token for new tokens; the answer has the same shape."""
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        return self._ask("Refresh a token", form, {**MEANINGS, "invalid_grant": BAD_REFRESH})

    def _ask(self, operation: str, form: dict[str, str], meanings: t.Mapping[str, tuple[str, str]]) -> dict[str, t.Any]:
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
        known = _object(answer)
        if answer.status != 200:
            raise _refused(operation, answer, known, meanings, self._url[: -len(PATH)])
        return _token(operation, answer, known)


def _token(operation: str, answer: Response, known: dict[str, t.Any]) -> dict[str, t.Any]:
    token = known.get("access_token")
    if not isinstance(token, str) or not _TOKEN.match(token):
        raise Unusable(
            f"{operation}: the answer (HTTP {answer.status}) contains no access_token.",
            next_step="Check auth_url: it must be the identity server, without the path of the token endpoint.",
            operation=operation,
            status=answer.status,
            request_id=answer.request_id,
        )
    return {
        **known,
        "access_token": token,
        "expires_in": _seconds(known.get("expires_in")),
        "token_type": known.get("token_type") or "Bearer",
    }


def _seconds(value: t.Any) -> int | None:
    try:
        seconds = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if seconds > 0 else None


def _refused(
    operation: str, answer: Response, known: dict[str, t.Any], meanings: t.Mapping[str, tuple[str, str]], address: str
) -> FcdError:
    error = known.get("error")
    meaning, next_step = meanings.get(str(error), (None, None))
    # only a code is quoted: the request consisted of secrets, and a text may repeat them in any spelling
    words = (
        error if isinstance(error, str) and len(error) <= LONGEST_CODE and error.replace("_", "").isalpha() else None
    )
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


def _object(answer: Response) -> dict[str, t.Any]:
    try:
        known = answer.json()
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}
