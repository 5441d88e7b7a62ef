# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps secrets out of texts and structures, and out of the names of files."""

from __future__ import annotations

import base64
import hashlib
import re
import typing as t

HIDDEN = "********"
SHORTEST = 4  # masking shorter values garbles ordinary words and protects nothing

_LOGIN = re.compile(r"://[^/?#\s:]*:([^/?#\s]+)@")


def passwords_in_addresses(values: t.Iterable[t.Any]) -> set[str]:
    """Return the passwords of addresses like ``https://user:password@host`` among the values."""
    texts = [value for value in values if isinstance(value, str) and "://" in value]
    return {found for text in texts for found in _LOGIN.findall(text) if len(found) >= SHORTEST}


class Redactor:
    """Knows the secrets of a task and hides them wherever they turn up."""

    def __init__(self, secrets: t.Iterable[str | None] = ()) -> None:
        self._secrets: set[str] = set()
        for secret in secrets:
            self.add(secret)

    def add(self, secret: str | None) -> None:
        """Hide this value from now on, as it is and as it looks percent- or base64-encoded."""
        if not secret or len(secret) < SHORTEST:
            return
        from urllib.parse import quote, quote_plus

        self._secrets.update((secret, quote(secret, safe=""), quote_plus(secret)))
        self._secrets.add(base64.b64encode(secret.encode("utf-8")).decode("ascii"))

    @property
    def secrets(self) -> frozenset[str]:
        """Return every hidden spelling."""
        return frozenset(self._secrets)

    def text(self, text: str) -> str:
        """Return ``text`` with every secret hidden."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            if secret in text:
                text = text.replace(secret, HIDDEN)
        return text

    def value(self, value: t.Any) -> t.Any:
        """Return a structure of plain data with every secret hidden, keys included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, t.Mapping):
            return {self.value(key): self.value(entry) for key, entry in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(entry) for entry in value]
        return value


def digest(*parts: object) -> str:
    """Return 32 hex characters for the parts, in this order."""
    text = "\x00".join(str(part) for part in parts)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
