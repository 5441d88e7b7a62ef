# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of issued tokens, shared by the identity server (writes) and the REST service (checks)."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass

from sandbox.issued import marked

FULL_SCOPE = "service.api"
READ_SCOPE = "service.api.readonly"
REFRESH_SCOPE = "offline_access"


@dataclass(frozen=True)
class Grant:
    """What a token grants: the scopes, and until when (unix seconds)."""

    scopes: tuple[str, ...]
    ends: float


class TokenTable:
    """Opaque tokens of 32 hexadecimal digits."""

    def __init__(self) -> None:
        self._access: dict[str, Grant] = {}
        self._refresh: dict[str, Grant] = {}

    def issue(self, scopes: tuple[str, ...], lifetime: float) -> str:
        """Make an access token that lives for that many seconds."""
        token = marked("accesstoken", uuid.uuid4().hex)
        self._access[token] = Grant(scopes, time.time() + lifetime)
        return token

    def issue_refresh(self, scopes: tuple[str, ...]) -> str:
        """Make a refresh token; it has no end."""
        token = marked("refreshtoken", uuid.uuid4().hex)
        self._refresh[token] = Grant(scopes, float("inf"))
        return token

    def check(self, token: str) -> str | None:
        """Return the scope of a valid access token: ``service.api`` or ``service.api.readonly``, else None."""
        grant = self._access.get(token)
        if grant is None or grant.ends <= time.time():
            return None
        return FULL_SCOPE if FULL_SCOPE in grant.scopes else READ_SCOPE

    def refresh_scopes(self, token: str) -> tuple[str, ...] | None:
        """Scopes behind a refresh token, None when it is not known."""
        grant = self._refresh.get(token)
        return grant.scopes if grant else None

    def withdraw_refresh(self, token: str) -> None:
        """Make a refresh token worthless."""
        self._refresh.pop(token, None)

    def expire(self) -> None:
        """Make every access token worthless; refresh tokens stay."""
        self._access.clear()

    def clear(self) -> None:
        self._access.clear()
        self._refresh.clear()

    def counts(self) -> dict[str, int]:
        """How many live tokens of each kind there are."""
        now = time.time()
        live = sum(1 for grant in self._access.values() if grant.ends > now)
        return {"access_tokens": live, "refresh_tokens": len(self._refresh)}
