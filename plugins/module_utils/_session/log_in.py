# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The log-in itself: by password, or by a refresh token where there is one."""

from __future__ import annotations

import typing as t

from .._api.identity import Identity
from .._core.errors import Rejected, Unclear
from .exchange import exchange
from .task import Task
from .token_store import Token, token


def issued(task: Task, old: Token | None) -> Token:
    """Refresh when something to refresh with is kept, else, or when that fails, log in with the password."""
    if old is not None and old.facts.get("refresh_token"):
        try:
            return refreshed(task, old.facts["refresh_token"])
        except (Rejected, Unclear):
            pass  # used up or expired, or used up just now; the password is at hand
    return logged_in(task)


def logged_in(task: Task) -> Token:
    """Log in with the password."""
    settings, asked_at = task.settings, task.clock.now()
    answer = _identity(task).issue_token(settings["username"], settings["password"], settings["scope"])
    return _token(answer, asked_at)


def refreshed(task: Task, refresh_token: str) -> Token:
    """Exchange a refresh token."""
    task.redactor.add(refresh_token)
    asked_at = task.clock.now()
    return _token({"refresh_token": refresh_token, **_identity(task).refresh(refresh_token)}, asked_at)


def _identity(task: Task) -> Identity:
    settings = task.settings
    return Identity(exchange(task), settings["auth_url"], settings["api_client_id"], settings["api_client_secret"])


def _token(answer: t.Mapping[str, t.Any], asked_at: float) -> Token:
    facts = {name: answer.get(name) for name in ("token_type", "refresh_token")}
    return token(answer["access_token"], answer["expires_in"], asked_at, **facts)
