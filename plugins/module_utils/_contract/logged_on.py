# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who has logged on: the answer of LogonUser, which is empty when user name or password are wrong (wire-facts 9.3)."""

from __future__ import annotations

import typing as t

from .._core.names import fold
from .client_user.record import ATTRIBUTES, SETTINGS, Record, UserReader
from .common_fcd import CommonFcd
from .member_reading import MemberReader

HERE = "127.0.0.1"  # what clients gave LogonUser as their address, wire-facts 9.5


def as_user(api: CommonFcd, user: t.Mapping[str, t.Any]) -> Record:
    """Return what can be read of a user, in the shape of the module client_user."""
    reader = MemberReader(api.members("User"), (*ATTRIBUTES, *SETTINGS))
    return UserReader(reader, reader).record(user, None)


def logged_on(api: CommonFcd, answer: t.Mapping[str, t.Any] | None) -> Record | None:
    """Return the user, None when nobody has logged on: no number of a user or a client is told then, and 0 is none."""
    if not answer:
        return None
    found = as_user(api, user_of(answer))
    numbers = {"id": found.get("id") or None, "client_id": found.get("client_id") or client_of(answer)}
    return {**found, **numbers} if any(numbers.values()) else None


def client_of(answer: t.Mapping[str, t.Any]) -> int | None:
    """Return the number of the client from a log-on: of its user, or of the answer itself as in older services.

    A number that was left out comes as 0, which is no client.
    """
    inside = user_of(answer)
    client = _member(inside, "client")
    number = _member(client, "clientid") if isinstance(client, dict) else _member(inside, "clientid")
    return number or None if isinstance(number, int) and not isinstance(number, bool) else None


def user_of(answer: t.Mapping[str, t.Any]) -> t.Mapping[str, t.Any]:
    """Return the user in what LogonUser answers; in older services that was the user itself (wire-facts 9.4)."""
    user = _member(answer, "user")
    return user if isinstance(user, dict) else answer


def _member(value: t.Mapping[str, t.Any], name: str) -> t.Any:
    return next((entry for key, entry in value.items() if fold(key) == name), None)
