# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Logging in: the account of a task, its kept token, and credentials that renew themselves."""

from __future__ import annotations

import typing as t

from .._api.identity import Identity
from .._core.errors import Rejected
from .exchange import exchange
from .options import IDENTITY
from .task import Task
from .token_store import Answer, TokenStore


class Account:
    """The account that a task logs in with."""

    def __init__(self, task: Task) -> None:
        task.settings.require((IDENTITY,))
        self._task = task
        self._settings = task.settings
        self._store = TokenStore(
            task.state_dir,
            [self._settings[name] for name in ("auth_url", "api_client_id", "username", "scope")],
            task.clock,
            task.warn,
            enabled=self._settings["token_cache"],
        )

    def token(self, *, refused: str | None = None) -> Answer:
        """Return a good token with ``token``, ``expires_at`` and, where there is one, ``refresh_token``."""
        kept = self._store.get() if refused is None else None
        return self._known(kept or self._store.obtain(self._log_in, refused=refused))

    def new_token(self, refresh_token: str | None = None) -> Answer:
        """Return a new token, by refreshing or by logging in, and keep it."""

        def issue(_kept: Answer | None) -> Answer:
            return self._refreshed(refresh_token) if refresh_token else self._log_in(None)

        kept = self._store.get()
        return self._known(self._store.obtain(issue, refused=kept["token"] if kept else None))

    def _log_in(self, kept: Answer | None) -> Answer:
        """Refresh when something to refresh with is kept, else, or when that is refused, log in with the password."""
        if kept and isinstance(kept.get("refresh_token"), str):
            try:
                return self._refreshed(kept["refresh_token"])
            except Rejected:
                pass  # used up or expired; the password is at hand
        settings = self._settings
        return self._answer(self._identity().issue_token(settings["username"], settings["password"], settings["scope"]))

    def _refreshed(self, refresh_token: str) -> Answer:
        self._task.redactor.add(refresh_token)
        answer = self._answer(self._identity().refresh(refresh_token))
        answer.setdefault("refresh_token", refresh_token)
        return answer

    def _identity(self) -> Identity:
        settings = self._settings
        return Identity(
            exchange(self._task), settings["auth_url"], settings["api_client_id"], settings["api_client_secret"]
        )

    def _answer(self, issued: t.Mapping[str, t.Any]) -> Answer:
        lifetime = issued["expires_in"]
        answer: Answer = {
            "token": issued["access_token"],
            "token_type": issued["token_type"],
            "lifetime": lifetime,
            "expires_at": self._task.clock.now() + lifetime,
        }
        if isinstance(issued.get("refresh_token"), str):
            answer["refresh_token"] = issued["refresh_token"]
        return answer

    def _known(self, answer: Answer) -> Answer:
        self._task.redactor.add(answer["token"])
        self._task.redactor.add(answer.get("refresh_token"))
        return answer


class AccountCredentials:
    """Bearer credentials of an account; a token that was refused is replaced once."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._token: str | None = None

    def headers(self) -> dict[str, str]:
        """Return the header; logs in when no token is kept."""
        if self._token is None:
            self._token = self._account.token()["token"]
        return {"Authorization": f"Bearer {self._token}"}

    def renew(self) -> bool:
        """Get a new token in place of the refused one."""
        self._token = self._account.token(refused=self._token)["token"]
        return True


class GivenToken:
    """A token that the user gave: there is nothing to renew it with."""

    def __init__(self, token: str) -> None:
        self._token = token

    def headers(self) -> dict[str, str]:
        """Return the header."""
        return {"Authorization": f"Bearer {self._token}"}

    def renew(self) -> bool:
        """Say that there is no other token."""
        return False
