# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account of a task, its log-in, and credentials that renew themselves.

The log-in is by password, or by a refresh token where there is one.
"""

from __future__ import annotations

import threading
import typing as t

from .._core.errors import InvalidInput
from .options import IDENTITY
from .task import Task
from .tokens import Token, TokenStore

if t.TYPE_CHECKING:
    from .identity_api import Identity
from .._core.errors import Rejected, Unclear
from .tokens import token

Answer = t.Dict[str, t.Any]


class IdentityAccount:
    """The account that a task logs in with."""

    def __init__(self, task: Task) -> None:
        task.settings.require((IDENTITY,))
        self._task, settings = task, task.settings
        parts = (settings["auth_url"].rstrip("/"), settings["api_client_id"], settings["username"], settings["scope"])
        self._store = TokenStore(task, IDENTITY, *parts, proof=(settings["password"], settings["api_client_secret"]))

    def token(self, *, refused: str | None = None) -> Answer:
        """Return a live token: ``token``, ``token_type``, ``expires_at`` (seconds since the epoch) and, where there is
        one, ``refresh_token``.

        A ``refused`` one is replaced, unless another task has done so already.
        """  # noqa: D205 - the list does not fit in a line
        return self._answer(self._store.get(self._issued, refused=refused))

    def new_token(self, refresh_token: str | None = None) -> Answer:
        """Return a new token, by refreshing or by logging in, and keep it."""
        from .tokens import fetched

        if refresh_token:
            new = _refreshed(self._task, refresh_token)
        else:
            new = fetched(self._store, lambda _old: _logged_in(self._task), None)
        self._store.put(new)
        return self._answer(new)

    def _issued(self, old: Token | None) -> Token:
        return _issued(self._task, old)

    def _answer(self, found: Token) -> Answer:
        return {"token": found.value, "expires_at": found.expires, **found.facts}


class AccountCredentials:
    """Bearer credentials of an account; a token that was refused is replaced once.

    Threads may share them: each remembers which token it sent, so that it does not take a new one for the refused one.
    """

    advice = "The token was new: check that base_url and auth_url belong together."

    def __init__(self, account: IdentityAccount) -> None:
        self._account = account
        self._sent = threading.local()

    def headers(self) -> dict[str, str]:
        """Return the header; logs in when no token is kept."""
        self._sent.token = self._account.token()["token"]
        return {"Authorization": f"Bearer {self._sent.token}"}

    def renew(self) -> bool:
        """Get a new token in place of the refused one."""
        self._account.token(refused=self._sent.token)
        return True


class GivenToken:
    """A token that the user gave: there is nothing to renew it with."""

    advice = (
        "The access_token that was given (option, FCD_ACCESS_TOKEN or profile) was refused: it is over or revoked. "
        "Leave it out, and the collection logs in and fetches its own; or give a new one."
    )

    def __init__(self, token: str) -> None:
        """Take it. Raises InvalidInput for what cannot be a token."""
        if not token.isprintable() or " " in token:
            raise InvalidInput(
                "access_token: it has a blank, a line break or another character in it that no token has.",
                next_step="Give the token alone; what is read from a file may need the filter trim.",
                option="access_token",
            )
        self._token = token

    def headers(self) -> dict[str, str]:
        """Return the header."""
        return {"Authorization": f"Bearer {self._token}"}

    def renew(self) -> bool:
        """Say that there is no other token."""
        return False


def _issued(task: Task, old: Token | None) -> Token:
    """Refresh when something to refresh with is kept, else, or when that fails, log in with the password."""
    if old is not None and old.facts.get("refresh_token"):
        try:
            return _refreshed(task, old.facts["refresh_token"])
        except (Rejected, Unclear):
            pass  # used up or expired, or used up just now; the password is at hand
    return _logged_in(task)


def _logged_in(task: Task) -> Token:
    """Log in with the password."""
    settings, asked_at = task.settings, task.clock.now()
    answer = _identity(task).issue_token(settings["username"], settings["password"], settings["scope"])
    return _token(answer, asked_at)


def _refreshed(task: Task, refresh_token: str) -> Token:
    """Exchange a refresh token."""
    task.redactor.add(refresh_token)
    asked_at = task.clock.now()
    return _token({"refresh_token": refresh_token, **_identity(task).refresh(refresh_token)}, asked_at)


def _identity(task: Task) -> Identity:
    from .clients import exchange
    from .identity_api import Identity  # neither is needed while a token is kept

    settings = task.settings
    return Identity(exchange(task), settings["auth_url"], settings["api_client_id"], settings["api_client_secret"])


def _token(answer: t.Mapping[str, t.Any], asked_at: float) -> Token:
    facts = {name: answer.get(name) for name in ("token_type", "refresh_token")}
    return token(answer["access_token"], answer["expires_in"], asked_at, **facts)
