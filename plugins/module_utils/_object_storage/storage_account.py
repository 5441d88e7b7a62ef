# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations on an account of the object storage, and listings in a format for people.

Source: contract object-storage.md ("List containers", ``format``), wire-facts 10.3.
"""

from __future__ import annotations

import typing as t

from .api import Headers, ObjectStorage

ACCOUNT_MARKS = ("x-account-container-count",)


def list_containers(storage: ObjectStorage, **query: str | int | None) -> list[dict[str, t.Any]]:
    """Return one page of the account's listing: ``name``, ``count``, ``bytes``, ``last_modified``.

    An empty page is the end. ``query`` as for objects. Raises Forbidden without the administrator role.
    """
    return storage.listing("List containers", storage.address(), query)


def listing_text(storage: ObjectStorage, container: str | None, form: str, **query: str | int | None) -> str:
    """Return one page of a listing in the contract's other formats: ``xml`` or ``text`` (one name a line)."""
    operation = "List containers" if container is None else "List objects"
    answer = storage.send(
        operation,
        "GET",
        storage.address(container),
        kind="read",
        params={"format": form, **{name: value for name, value in query.items() if value not in (None, "")}},
    )
    return answer.body.decode("utf-8", "replace")


def account_metadata(storage: ObjectStorage) -> Headers | None:
    """Return the headers that describe the account."""
    return storage.head("Account metadata", storage.address(), ACCOUNT_MARKS)


def update_account_metadata(storage: ObjectStorage, headers: Headers) -> None:
    """Set or remove (empty value) what the headers name; all else stays. Raises Forbidden without the right to."""
    storage.send("Update account metadata", "POST", storage.address(), headers=headers)
