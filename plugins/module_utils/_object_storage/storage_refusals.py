# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to do about a refusal of the object storage, which only says that it refuses.

Source: contract object-storage.md, Authentication 5 (roles and access lists), wire-facts 10.7 (quotas).
"""

from __future__ import annotations

from urllib.parse import unquote

from .._core.errors import Forbidden, Rejected

TOO_LARGE = 413
READING = ("GET", "HEAD")


def refused(error: Rejected, user: str, method: str, path: str) -> Rejected:
    """Return the error with user, place and next step; ``path`` is that of the address behind the account's."""
    container, _slash, name = (unquote(part) for part in path.partition("/"))
    if isinstance(error, Forbidden):
        return _forbidden(error, user, method, container, name)
    if error.status == TOO_LARGE and "quota" in str(error.details.get("service_message", "")).lower():
        error.next_step = (
            f"Raise the quota (quota_bytes, quota_count of the container {container!r}, or that of the account), "
            "or remove what is not needed."
        )
    return error


def _forbidden(error: Forbidden, user: str, method: str, container: str, name: str) -> Forbidden:
    place = f" for {'/'.join(part for part in (container, name) if part)!r}" if container else ""
    to_whom = f"the service refuses it to the user {user!r}" if user else "the service refuses it"
    granting = _granting(method, container, name)
    if granting:
        granting = f"Let {granting} of the container {container!r} name that user, or use"
    return Forbidden(
        f"{error.message.rstrip('.')}: {to_whom}{place}.",
        next_step=f"{granting or 'Use'} storage_user and storage_key of a user with the administrator role.",
        **error.details,
    )


def _granting(method: str, container: str, name: str) -> str | None:
    """Return the access list that allows such a request; settings of containers are for administrators only."""
    if container and method in READING:
        return "read_acl"
    return "write_acl" if name else None
