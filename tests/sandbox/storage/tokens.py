# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Token issue of the object storage: Swift's tempauth with what the older auth server (swauth) does besides.

From docs/service/storage.md, "Tokens": ``X-Auth-New-Token: true`` makes a new token and revokes the old one at once;
``X-Auth-Token-Lifetime`` (seconds, capped, a non-number ignored) acts only when a token is made; user and key are
percent-decoded; the answer carries a small JSON document.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from swift.common.middleware import tempauth
from swift.common.middleware.tempauth import TempAuth
from swift.common.registry import register_swift_info
from swift.common.swob import Request, Response, wsgi_unquote
from swift.common.utils import config_true_value

from sandbox.issued import marked
from sandbox.seed import Credentials
from sandbox.service import App
from sandbox.storage.memory_cache import CACHE

CREDENTIAL_HEADERS = ("x-auth-user", "x-auth-key", "x-storage-user", "x-storage-pass")


class TokenAuth(TempAuth):
    """Users come from the sandbox's credentials, rules from the service's settings (both set after loading)."""

    settings: dict[str, Any]

    def know(self, credentials: Credentials, settings: dict[str, Any]) -> None:
        """Take the administrator and the ordinary user of one account."""
        url = f"$HOST/v1/{credentials.storage_path}"
        self.settings = settings
        tempauth.uuid4 = _marked_uuid  # the middleware offers no other way to say what tokens look like
        self.users = {
            credentials.storage_user: {"key": credentials.storage_key, "url": url, "groups": [".admin"]},
            credentials.storage_other_user: {"key": credentials.storage_other_key, "url": url, "groups": []},
        }

    def handle_get_token(self, req: Request) -> Response:
        """Answer GET /auth/v1.0."""
        if self.settings["percent_decode"]:
            _percent_decode(req)
        if self._knows(req) and config_true_value(req.headers.get("x-auth-new-token", "")):
            self._revoke(req.headers["x-auth-user"])
        # No green thread can come between these lines: the cache lives in this process.
        self.token_life = self._lifetime(req.headers.get("x-auth-token-lifetime"))
        response = super().handle_get_token(req)
        if response.status_int == 200:
            response.content_type = "application/json"
            url = response.headers["x-storage-url"]
            response.body = json.dumps({"storage": {"default": "local", "local": url}}).encode()
        return response

    def _knows(self, req: Request) -> bool:
        user = self.users.get(req.headers.get("x-auth-user", ""))
        return user is not None and user["key"] == req.headers.get("x-auth-key")

    def _revoke(self, user: str) -> None:
        user_key = f"{self.reseller_prefix}/user/{user}"
        token = CACHE.get(user_key)
        CACHE.delete(user_key)
        CACHE.delete(f"{self.reseller_prefix}/token/{token}")

    def _lifetime(self, desired: str | None) -> int:
        longest = int(self.settings["token_lifetime_max"])
        try:
            return min(int(desired or ""), longest)
        except ValueError:
            return min(int(self.settings["token_lifetime"]), longest)


def _marked_uuid() -> SimpleNamespace:
    return SimpleNamespace(hex=marked("storagetoken", uuid4().hex))


def expire_tokens() -> None:
    """Make every issued token worthless at once."""
    for kind in ("user", "token"):
        CACHE.delete_prefix(f"AUTH_/{kind}/")


def _percent_decode(req: Request) -> None:
    for name in CREDENTIAL_HEADERS:
        if name in req.headers:
            req.headers[name] = wsgi_unquote(req.headers[name])


def filter_factory(global_conf: dict[str, str], **local_conf: str) -> Callable[[App], TokenAuth]:
    """For the Swift pipeline (paste)."""
    register_swift_info("tempauth", account_acls=True)
    conf = {**global_conf, **local_conf}
    return lambda app: TokenAuth(app, conf)
